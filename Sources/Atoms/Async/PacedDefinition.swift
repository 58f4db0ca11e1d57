/// The definition of an atom whose value follows that of another one later.
final class PacedDefinition<Value: Sendable>: DerivedDefinition<Value>, @unchecked Sendable {
  private let run: RunDefinition

  private init(_ source: AtomDefinition<Value>, _ pace: Pace) {
    let run = RunDefinition(label: { "\(source.label), \(pace)" }) { run in
      var value: Value?
      run.graph.withGraph { graph in
        value = ValueSlot.value(Value.self) { run.read(source, in: graph, to: $0, pace) }
      }
      return value.map { RunResult($0) }
    }
    self.run = run
    super.init("", 0, lifetime: .whileUsed) {
      if let value = AtomStore.currentValue(of: run).latest(as: Value.self) { return value }
      // The first value counts at once.
      guard let evaluation = Evaluation.current else { return AtomStore.currentValue(of: source) }
      return ValueSlot.value(Value.self) { evaluation.capture(source, to: $0) }
    }
    run.join(self)
    joinFamily()
  }

  override var hasHiddenAtoms: Bool { true }

  /// The label follows that of the other atom.
  override var label: String {
    get { run.label }
    set { super.label = newValue }
  }

  /// The atom whose value follows that of another one later.
  static func of(_ source: AtomDefinition<Value>, _ pace: Pace?) -> AtomDefinition<Value> {
    guard let pace else { return source }
    let paced = source.paced(pace) { PacedDefinition(source, pace) }
    return paced as? AtomDefinition<Value> ?? source
  }
}
