/// The evaluation of the current thread.
extension Evaluation {
  /// The innermost evaluation of the current thread, which belongs to the current store.
  static var current: Evaluation? { CurrentThread.evaluation }

  /// The evaluation to which a call of a graph belongs that is made here.
  ///
  /// It may be outside snapshots and transactions of other graphs. It is not outside a derivation of another graph,
  /// which keeps its result for callers that do not see what the evaluation sees.
  static func current(in graph: Graph) -> Evaluation? {
    for (evaluation, _) in CurrentThread.frames {
      if evaluation.graph === graph { return evaluation }
      if evaluation.logic.isDeriving { return nil }
    }
    return nil
  }

  /// The innermost evaluation of a graph that runs on the current thread, also one that a callback hides.
  @inline(__always)  // HP24
  static func around(_ graph: Graph) -> Evaluation? {
    CurrentThread.isEvaluatingOrHidden ? findAround(graph) : nil
  }

  @inline(never)  // HP24
  private static func findAround(_ graph: Graph) -> Evaluation? {
    for (evaluation, _) in CurrentThread.frames where evaluation.graph === graph { return evaluation }
    for (evaluation, _) in CurrentThread.hiddenFrames where evaluation.graph === graph { return evaluation }
    return nil
  }

  /// The evaluation because of which a set in a graph has no effect, or `nil` if it has one.
  static func refusingSets(in graph: Graph) -> Evaluation? {
    if !CurrentThread.isEvaluating { return nil }
    if let own = current(in: graph), own.isReadOnly { return own }
    for (evaluation, isVisible) in CurrentThread.frames where isVisible && evaluation.isReadOnly { return evaluation }
    return nil
  }

  /// Makes this the evaluation of the current thread while a closure runs.
  func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try CurrentThread.run(self, body)
  }

  /// Makes this the only visible evaluation of the current thread while a closure runs.
  func runAlone<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try CurrentThread.run(self, hidesOuter: true, body)
  }

  /// Runs a closure outside any evaluation.
  static func outside<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try CurrentThread.runOutside(body)
  }

  /// Runs a closure outside any evaluation, as another thread would run it.
  ///
  /// Runs start here. Tests use it to set and read in the middle of a derivation.
  static func setAside<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try CurrentThread.deliverNothing { () throws(Failure) -> Result in
      try outside { () throws(Failure) -> Result in try CurrentThread.forgetHidden(body) }
    }
  }
}
