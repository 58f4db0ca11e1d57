extension AtomBinding: Identifiable where Value: Identifiable {
  /// The identity of the value, so that a list can tell bindings to its elements apart.
  public var id: Value.ID { wrappedValue.id }
}

extension AtomBinding where Value: MutableCollection, Value.Element: Sendable, Value.Index: Sendable {
  /// A binding to the element at an index, whatever element is there.
  ///
  /// If the index is out of range, a read returns the binding's last value. A set has no effect, and the store reports
  /// a warning to ``AtomStore/onProblem``. A read traps if the binding has no last value: the index was out of range
  /// when the binding was made, and the binding has not read or set an element since.
  ///
  /// - Parameter index: The index.
  public subscript(index: Value.Index) -> AtomBinding<Value.Element> {
    let location = IndexLocation<Value>(index: index)
    return AtomBinding<Value.Element>(ElementTarget(target, location, last: location.element(in: wrappedValue)))
  }
}

extension AtomBinding
where
  Value: MutableCollection, Value.Element: Identifiable & Sendable, Value.Index: Sendable, Value.Element.ID: Sendable
{
  /// A binding to the element with an identity, wherever it is in the collection.
  ///
  /// If the element is gone, a read returns the last value. A set has no effect, and the store reports a warning to
  /// ``AtomStore/onProblem``. A new value must have the same ID. If several elements have the ID, the binding is to one
  /// of them.
  ///
  /// The call takes O(elements) time. For a binding to each element, use ``elements``.
  ///
  /// - Parameter id: The identity.
  /// - Returns: The binding, or `nil` if there is no such element.
  public func element(id: Value.Element.ID) -> AtomBinding<Value.Element>? {
    let elements = wrappedValue
    return elements.firstIndex { $0.id == id }.map { binding(to: elements[$0], id, at: $0, table) }
  }

  /// A binding to each element by its identity, in the order of the elements.
  ///
  /// ```swift
  /// ForEach($items.elements) { $item in TextField("Name", text: $item.name) }
  /// ```
  ///
  /// Each binding behaves like one from ``element(id:)``. If several elements have the same ID, the result has only the
  /// first one, and the store reports a warning to ``AtomStore/onProblem``.
  ///
  /// The call takes O(elements) time, and so does setting an element. Reading an element that has not moved takes
  /// constant time. After each change of the collection, the first read of an element that has moved or is gone takes
  /// O(elements) time, and each further read takes constant time.
  public var elements: [AtomBinding<Value.Element>] {
    let elements = ElementTable(wrappedValue) { $0.id }
    if let duplicate = elements.duplicate { target.report(.duplicateID("\(duplicate)", in: target.label)) }
    let table = table
    return elements.ids.compactMap { id in
      elements.indices[id].map { binding(to: elements.elements[$0], id, at: $0, table) }
    }
  }

  private func binding(
    to element: Value.Element, _ id: Value.Element.ID, at index: Value.Index,
    _ table: @escaping @Sendable () -> ElementTable<Value, Value.Element.ID>
  ) -> AtomBinding<Value.Element> {
    let location = IDLocation<Value>(id: id, index: index, table: table)
    return AtomBinding<Value.Element>(ElementTarget(target, location, last: element))
  }

  /// Finds the current elements by their IDs, once for each change if they are in a store.
  private var table: @Sendable () -> ElementTable<Value, Value.Element.ID> {
    let target = target
    guard let store = target.atomStore else { return { ElementTable(target.value) { $0.id } } }
    let table = DerivedAtom { ElementTable(target.value) { $0.id } }
    return { store.get(table) }
  }
}

extension AtomBinding {
  /// A binding to the value of an optional.
  ///
  /// ```swift
  /// @UseAtom(itemAtoms(3)) var item
  /// if let name = $item.unwrapped()?.name { edit(name) }
  /// ```
  ///
  /// If the value becomes `nil`, a read returns the last value, and a set has no effect and is reported to
  /// ``AtomStore/onProblem`` as a warning.
  ///
  /// - Returns: The binding, or `nil` if the value is `nil`.
  public func unwrapped<Wrapped: Sendable>() -> AtomBinding<Wrapped>? where Value == Wrapped? {
    wrappedValue.map { AtomBinding<Wrapped>(ElementTarget(target, UnwrappedLocation(), last: $0)) }
  }
}
