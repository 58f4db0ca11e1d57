/// A description of a part of a state, without a store.
///
/// ```swift
/// let total = Selection(\Order.lines, \.prices) { lines, prices in
///   lines.reduce(0) { $0 + (prices[$1.item] ?? 0) }
/// }
/// let order = Store(Order())
/// for await total in order.select(total).values { show(total) }
/// ```
///
/// `Store.select(_:)` connects a selection to a store. It returns a ``Selected``, which gives you a stream, an
/// observation, a mirror, or an atom of the values. All consumers of one selection in one store share it. Each commit
/// computes it at most once. (Consumers with a ``SelectionComparison``, and parts from ``appending(_:)``, share one
/// more computation.) A selection without consumers costs nothing. Any number of stores can use the same selection.
///
/// Copies of a selection are the same selection. Equal key paths are the same selection, too. Closures cannot be
/// compared, so each call of an initializer with a closure, of `map`, or of `combine` creates another selection. Keep
/// it in a constant, or use ``family(_:)`` or an ID, if several consumers should share it.
///
/// The committing task reads key paths and calls closures in its turn, without a lock, so keep them short. Code that
/// begins to use a selection, or that reads ``Selected/current``, can also call them. Key paths and closures must not
/// trap. To select an element that may be missing, return an optional. They must not make atoms or streams of their own
/// store, because the store would have to compute the selection for that, and so on. A chain of selections that are
/// computed from each other can have at most 100 of them, and a comparison by a closure counts as one. Creating a
/// longer chain traps.
public struct Selection<State: Sendable, Value: Sendable>: Sendable {
  /// The selection without a comparison.
  let node: SelectionNode<State, Value>

  private init(_ node: SelectionNode<State, Value>) { self.node = node }

  /// Creates a selection of the value at a key path.
  ///
  /// Each commit reads the key path.
  ///
  /// - Parameter path: The key path of the value.
  public init(_ path: any KeyPath<State, Value> & Sendable) { self.init(SelectionNode(path)) }

  /// Creates a selection of the value that a closure returns.
  ///
  /// Each commit calls the closure. To call it only if what it needs has changed, use ``init(_:_:then:)``.
  ///
  /// - Parameter select: A closure that returns the value for a state.
  public init(_ select: @escaping @Sendable (State) -> Value) { self.init(SelectionNode(select)) }

  /// Creates a selection with an ID, of the value that a closure returns.
  ///
  /// ```swift
  /// func row(_ id: Int) -> Selection<List, Row?> {
  ///   Selection(id: RowID(id)) { list in list.rows[id] }
  /// }
  /// ```
  ///
  /// Selections are the same if they have equal IDs and the same types of state and value. Their closures must select
  /// the same value. To keep the IDs of one module from being equal to those of another one, give the ID a type of your
  /// own. ``family(_:)`` needs no such care. Use this initializer if there is no place to keep a family.
  ///
  /// - Parameters:
  ///   - id: Identifies the selection.
  ///   - select: A closure that returns the value for a state. Each commit calls it.
  public init(id: some Hashable & Sendable, _ select: @escaping @Sendable (State) -> Value) {
    self.init(SelectionNode(select).named(SelectionKey(id: id)))
  }

  /// Creates a selection that is computed from the values at key paths.
  ///
  /// ```swift
  /// let visible = Selection(\List.rows, \.filter) { rows, filter in rows.filter(filter.matches) }
  /// ```
  ///
  /// The closure runs only if one of the inputs has changed. Each commit compares the inputs, once for all selections
  /// that use them. The store keeps their last values. Therefore, the next mutation of an array, a dictionary, or a set
  /// among them copies it. See P16 in <doc:Promises>.
  ///
  /// - Parameters:
  ///   - first: The key path of the first input.
  ///   - rest: The key paths of the other inputs.
  ///   - compute: A closure that computes the value from the inputs.
  public init<First: Equatable & Sendable, each Rest: Equatable & Sendable>(
    _ first: any KeyPath<State, First> & Sendable,
    _ rest: repeat any KeyPath<State, each Rest> & Sendable,
    then compute: @escaping @Sendable (First, repeat each Rest) -> Value
  ) {
    var inputs = SelectionInputs(SelectionNode(first).withoutRepeats())
    repeat inputs.append(SelectionNode(each rest).withoutRepeats())
    self.init(
      SelectionNode(of: inputs) { values in
        var reader = SelectionInputReader(values)
        return compute(reader.next(First.self), repeat reader.next((each Rest).self))
      })
  }

  /// Creates a function that returns the selection for a parameter.
  ///
  /// ```swift
  /// let row = Selection.family { (id: Int) in Selection { (list: List) in list.rows[id] } }
  /// for await row in list.select(row(3)).values { show(row) }
  /// ```
  ///
  /// An equal parameter gives the same selection. The function keeps no table, so past parameters leave nothing behind.
  ///
  /// - Parameter make: A closure that creates the selection for a parameter. Each call of the function calls it.
  /// - Returns: A function from parameters to selections.
  public static func family<Parameter: Hashable & Sendable>(
    _ make: @escaping @Sendable (Parameter) -> Selection
  ) -> @Sendable (Parameter) -> Selection {
    let family = SelectionKey()
    return { parameter in
      let node = make(parameter).node
      return Selection(node.key.isPath ? node : node.named(SelectionKey(parameter, of: family)))
    }
  }

  /// Returns the selection of a part of the values.
  ///
  /// If this selection is a key path, the result is the selection of the longer key path. Otherwise, all parts of this
  /// selection share one computation of its value.
  ///
  /// - Parameter path: The key path of the part.
  public func appending<Part: Sendable>(_ path: any KeyPath<Value, Part> & Sendable) -> Selection<State, Part> {
    Selection<State, Part>(node.appending(path))
  }

  /// Returns the selection that a closure computes from the values.
  ///
  /// The closure runs only if the value has changed.
  ///
  /// - Parameter transform: A closure that computes the new value.
  public func map<New: Sendable>(_ transform: @escaping @Sendable (Value) -> New) -> Selection<State, New>
  where Value: Equatable {
    Selection<State, New>(Self.map(node.withoutRepeats(), transform))
  }

  /// Returns the selection that a closure computes from the values, which cannot be compared.
  ///
  /// The closure runs each time that the value has been computed. For a key path or a closure, that is each commit. For
  /// a value that is computed from others, that is each commit in which one of them has changed.
  ///
  /// - Parameter transform: A closure that computes the new value.
  public func map<New: Sendable>(_ transform: @escaping @Sendable (Value) -> New) -> Selection<State, New> {
    Selection<State, New>(Self.map(node, transform))
  }

  /// Returns the selection of the values of several selections.
  ///
  /// A tuple is not `Equatable`, so use `map`, or select the tuple with a comparison: `store.select(both, .by(==))`.
  /// The store makes a new tuple only if one of the inputs has changed.
  ///
  /// - Parameters:
  ///   - first: The first input.
  ///   - rest: The other inputs.
  public static func combine<First: Equatable & Sendable, each Rest: Equatable & Sendable>(
    _ first: Selection<State, First>,
    _ rest: repeat Selection<State, each Rest>
  ) -> Selection where Value == (First, repeat each Rest) {
    var inputs = SelectionInputs(first.node.withoutRepeats())
    repeat inputs.append((each rest).node.withoutRepeats())
    return Selection(
      SelectionNode(of: inputs) { values in
        var reader = SelectionInputReader(values)
        return (reader.next(First.self), repeat reader.next((each Rest).self))
      })
  }

  private static func map<New: Sendable>(
    _ node: SelectionNode<State, Value>, _ transform: @escaping @Sendable (Value) -> New
  ) -> SelectionNode<State, New> {
    SelectionNode(of: SelectionInputs(node)) { inputs in inputs[0].read(as: Value.self, transform) }
  }
}
