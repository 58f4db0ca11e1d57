/// Selects values of one type from states of one type.
package final class SelectionNode<State: Sendable, Value: Sendable>: AnySelectionNode {
  private enum Source: Sendable {
    /// The offset is `nil` unless the state stores the value. Comparing a stored value in place is much faster than
    /// reading the key path.
    case path(any KeyPath<State, Value> & Sendable, offset: Int?)
    case closure(@Sendable (State) -> Value)
    case inputs(@Sendable ([AnyPublished]) -> Value)
    /// The value of the only input.
    case input
  }

  let key: SelectionKey
  package let inputs: [any AnySelectionNode]
  package let hash: Int
  private let source: Source
  /// Compares values, or is `nil` if each computed value counts as a change.
  private let equality: Equality?
  /// The number of nodes in the longest chain of inputs that ends with this one.
  let depth: Int
  /// Whether each value is a whole state.
  let isWholeState: Bool

  private init(
    _ key: SelectionKey, _ source: Source, _ inputs: [any AnySelectionNode] = [], depth: Int = 1,
    _ equality: Equality? = nil
  ) {
    self.key = key
    self.source = source
    self.inputs = inputs
    self.depth = depth
    self.equality = equality
    var hasher = Hasher()
    hasher.combine(key)
    equality?.hash(into: &hasher)
    hash = hasher.finalize()
    if case .path(let path, _) = source, equality == nil, State.self == Value.self {
      isWholeState = path as AnyKeyPath == \State.self
    } else {
      isWholeState = false
    }
  }

  /// Selects the value at a key path.
  package convenience init(_ path: any KeyPath<State, Value> & Sendable) {
    self.init(SelectionKey(path), .path(path, offset: MemoryLayout<State>.offset(of: path)))
  }

  /// Selects the value of a closure.
  convenience init(_ select: @escaping @Sendable (State) -> Value) {
    self.init(SelectionKey(), .closure(select))
  }

  /// Computes the value from those of other selections.
  convenience init(
    _ key: SelectionKey = SelectionKey(), of inputs: SelectionInputs,
    _ compute: @escaping @Sendable ([AnyPublished]) -> Value
  ) {
    self.init(key, .inputs(compute), inputs.nodes, depth: inputs.depth + 1)
  }

  /// The selection of a part of the values.
  func appending<Part: Sendable>(_ path: any KeyPath<Value, Part> & Sendable) -> SelectionNode<State, Part> {
    if case .path(let own, _) = source { return SelectionNode<State, Part>(joined(own, path)) }
    return SelectionNode<State, Part>(key.appending(path), of: SelectionInputs(self)) { inputs in
      inputs[0].read(as: Value.self) { $0[keyPath: path] }
    }
  }

  /// The same selection with another key.
  func named(_ key: SelectionKey) -> SelectionNode { SelectionNode(key, source, inputs, depth: depth, equality) }

  /// The selection with a comparison by a closure, or without one.
  ///
  /// The value is computed once for all of these comparisons.
  func compared(by equality: Equality?) -> SelectionNode {
    guard let equality else { return self }
    let inputs = SelectionInputs(self)
    return SelectionNode(key, .input, inputs.nodes, depth: inputs.depth + 1, equality)
  }

  /// The selection for streams, and a filter if the selection has a comparison by a closure.
  ///
  /// A stream compares a value with its own last one. If all streams shared the last value that was not a repeat, a new
  /// stream would start with an old value.
  var streamed: (node: SelectionNode, filter: SubscriptionFilter<Value>?) {
    guard case .input = source, let equality, let whole = inputs.first as? SelectionNode else { return (self, nil) }
    return (whole, { last, new in last.map { !equality.areEqual($0, to: new) } ?? true })
  }

  package func matches(_ other: any AnySelectionNode) -> Bool {
    if self === other { return true }
    guard let other = other as? SelectionNode, key == other.key else { return false }
    guard let equality, let otherEquality = other.equality else { return equality == nil && other.equality == nil }
    return equality.matches(otherEquality)
  }

  package func value(in state: AnyPublished, _ inputs: [AnyPublished]) -> AnyPublished {
    if isWholeState { return state }
    if case .input = source { return inputs[0] }
    return Published(compute(state, inputs))
  }

  package func change(in state: AnyPublished, _ inputs: [AnyPublished], since last: AnyPublished?) -> AnyPublished? {
    guard let last, let equality else { return value(in: state, inputs) }
    switch source {
    case .path(_, let offset?):
      return last.isEqual(toPartOf: state, at: offset, by: equality) ? nil : value(in: state, inputs)
    case .input:
      return last.isEqual(toPartOf: inputs[0], at: 0, by: equality) ? nil : inputs[0]
    case .path, .closure, .inputs:
      let new = compute(state, inputs)
      return last.isEqual(to: new, by: equality) ? nil : Published(new)
    }
  }

  private func compute(_ state: AnyPublished, _ inputs: [AnyPublished]) -> Value {
    switch source {
    case .path(let path, _): state.read(as: State.self) { $0[keyPath: path] }
    case .closure(let select): state.read(as: State.self, select)
    case .inputs(let compute): compute(inputs)
    case .input: inputs[0].value(as: Value.self)
    }
  }
}

extension SelectionNode where Value: Equatable {
  /// The selection with a comparison by `==`.
  func withoutRepeats() -> SelectionNode { SelectionNode(key, source, inputs, depth: depth, TypedEquality<Value>()) }
}
