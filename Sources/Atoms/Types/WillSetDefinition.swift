import ActorStore

/// The definition of an atom that transforms the values it is set to.
///
/// It is derived from a hidden atom with the value that was set last. So the transformation runs again when something
/// that it read changes.
final class WillSetDefinition<Value: Sendable>: DerivedDefinition<Value>, @unchecked Sendable {
  private let last: StoredDefinition<Last>

  private enum Last: Sendable {
    case initial(Value)
    case set(Value)
  }

  init(
    _ file: StaticString, _ line: UInt, _ initial: Value, _ willSet: @escaping @Sendable (Value) -> Value
  ) {
    let last = StoredDefinition(Last.initial(initial), file, line)
    self.last = last
    super.init(file, line) {
      switch AtomStore.currentValue(of: last) {
      case .initial(let value): value
      case .set(let value): willSet(value)
      }
    }
  }

  override var label: String {
    get { super.label }
    set {
      super.label = newValue
      last.label = "\(newValue), as it was set"
    }
  }

  override func write(in graph: Graph, _ value: UnsafeMutableRawPointer) {
    if graph.refuseSet(self) { return }
    var new = unsafe Last.set(value.assumingMemoryBound(to: Value.self).pointee)
    unsafe withUnsafeMutablePointer(to: &new) { unsafe last.write(in: graph, UnsafeMutableRawPointer($0)) }
  }

  override func reset(in graph: Graph) {
    if !graph.refuseSet(self) { last.reset(in: graph) }
  }

  override func addReset(_ body: @escaping @Sendable (AnyPublished) -> AnyPublished) {
    last.addReset { last in
      guard case .initial(let value) = last.value(as: Last.self) else { return last }
      return Published(Last.initial(body(Published(value)).value(as: Value.self)))
    }
  }
}
