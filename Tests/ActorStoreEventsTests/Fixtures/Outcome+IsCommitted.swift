import ActorStore

extension Outcome {
  var isCommitted: Bool { if case .committed = self { true } else { false } }
}
