/// An atom for each element of a collection.
///
/// ```swift
/// let todosAtom = Atom([Todo(id: 1, title: "Read")])
/// let todoAtoms = todosAtom.split(id: \.id)
///
/// todoAtoms(1).value?.title = "Write"
/// print(todosAtom.value[0].title)  // Write
/// ```
///
/// The value of an element's atom is `nil` while the collection has no such element. Setting the atom to an element
/// with the same ID replaces the one in the collection, and setting it to `nil` removes that one. If there is no such
/// element, setting its atom has no effect. If the new value is not `nil`, the store also reports a warning to
/// ``AtomStore/onProblem``. So code that sets an element late does not bring a removed one back. To add or move
/// elements, set the collection. See A39 in <doc:AtomPromises>.
///
/// Equal IDs give the same atom as long as code holds it or a store needs it, as in an ``AtomFamily``.
public struct AtomElements<ID: Hashable & Sendable, Member: ReadableAtom>: Sendable {
  /// The IDs of the elements, in the order of the collection.
  ///
  /// The value changes when elements come, go, or move, but not when the rest of an element changes.
  public let ids: DerivedAtom<[ID]>
  private let members: AtomFamily<ID, Member>

  fileprivate init(ids: DerivedAtom<[ID]>, _ members: AtomFamily<ID, Member>) {
    self.ids = ids
    self.members = members
  }

  /// The atom of an element.
  ///
  /// - Parameter id: The ID of the element, which need not exist.
  /// - Returns: The atom, whose value is `nil` while there is no such element.
  public func callAsFunction(_ id: ID) -> Member { members(id) }
}

extension ReadableAtom where Value: Collection, Value.Element: Sendable, Value.Index: Sendable {
  /// A read-only atom for each element of the collection.
  ///
  /// Each call creates other atoms, so keep the result.
  ///
  /// Cost: after a change of the collection, the first read of an element takes O(elements) time, and each further one
  /// constant time. If the elements are `Equatable`, a change of one does not change the atoms of the others.
  ///
  /// - Parameters:
  ///   - id: The key path of an element's ID. If several elements have the same ID, it belongs to the first one, and
  ///     the store reports a warning to ``AtomStore/onProblem``.
  ///   - fileID: The file for the labels.
  ///   - line: The line for the labels.
  /// - Returns: The atoms.
  public func split<ID: Hashable & Sendable>(
    id: any KeyPath<Value.Element, ID> & Sendable,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> AtomElements<ID, DerivedAtom<Value.Element?>> {
    let table = table(id, fileID, line)
    return AtomElements(
      ids: DerivedAtom(fileID: fileID, line: line) { table.value.ids },
      AtomFamily { id in DerivedAtom(fileID: fileID, line: line) { table.value[id] } })
  }

  /// The elements by their IDs.
  ///
  /// It reports a duplicate ID once, and again when another ID is a duplicate.
  fileprivate func table<ID: Hashable & Sendable>(
    _ id: any KeyPath<Value.Element, ID> & Sendable, _ file: StaticString, _ line: UInt
  ) -> DerivedAtom<ElementTable<Value, ID>> {
    let table = DerivedAtom(fileID: file, line: line) { ElementTable(self.value) { $0[keyPath: id] } }
    let duplicate = DerivedAtom(fileID: file, line: line) { table.value.duplicate }
    let isReported = DerivedAtom(fileID: file, line: line) {
      guard let id = duplicate.value else { return false }
      AtomStore.current.report(.duplicateID("\(id)", in: definition.label))
      return true
    }
    return DerivedAtom(fileID: file, line: line) {
      _ = isReported.value
      return table.value
    }
  }
}

extension WritableAtom
where Value: MutableCollection & RangeReplaceableCollection, Value.Element: Sendable, Value.Index: Sendable {
  /// An atom for each element of the collection, which can be read and set.
  ///
  /// Each call creates other atoms, so keep the result.
  ///
  /// Cost: after a change of the collection, the first read of an element takes O(elements) time, and each further one
  /// constant time. A set of an element changes the collection as one step, in O(elements) time. If the elements are
  /// `Equatable`, a change of one does not change the atoms of the others.
  ///
  /// - Parameters:
  ///   - id: The key path of an element's ID. If several elements have the same ID, it belongs to the first one, and
  ///     the store reports a warning to ``AtomStore/onProblem``.
  ///   - fileID: The file for the labels.
  ///   - line: The line for the labels.
  /// - Returns: The atoms.
  public func split<ID: Hashable & Sendable>(
    id: any KeyPath<Value.Element, ID> & Sendable,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> AtomElements<ID, GetSetAtom<Value.Element?>> {
    let table = table(id, fileID, line)
    let set = { @Sendable (member: ID, new: Value.Element?) in
      // A capture, so that a later change of the collection does not run the setter again.
      @CaptureAtom(self) var elements
      var changed = elements
      if let index = changed.firstIndex(where: { $0[keyPath: id] == member }) {
        if let new { changed[index] = new } else { changed.remove(at: index) }
        elements = changed
      } else if new != nil {
        AtomStore.current.report(.missingElement("the element with the ID \(member)", of: definition.label))
      }
    }
    return AtomElements(
      ids: DerivedAtom(fileID: fileID, line: line) { table.value.ids },
      AtomFamily { id in
        GetSetAtom(fileID: fileID, line: line) {
          table.value[id]
        } set: {
          set(id, $0)
        }
      })
  }
}
