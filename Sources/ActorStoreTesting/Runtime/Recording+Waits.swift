extension Recording {
  /// What a task waits for at the end of a run that cannot continue.
  struct Wait {
    let lane: Int
    /// The step in which the task last ran.
    let step: Int
    let what: String
    /// The function that waits.
    let function: String
  }

  /// Finds out what each task waits for, if the runtime tells.
  ///
  /// It leaves out the tasks in which no code of a client waits.
  func findWaits() {
    for (id, known) in tasks.sorted(by: { $0.value.lane < $1.value.lane }) {
      guard let task = SwiftRuntime.suspendedTask(at: known.address, id: id) else { continue }
      let calls = CallTrace.calls(awaitingAt: task.resumePoints)
      task.name.map { name(known.lane, $0) }
      guard let index = calls.firstIndex(where: { $0.owner == .client }) else { continue }
      calls.last { $0.owner == .client }.map { if known.lane > 0 { name(known.lane, function: $0) } }
      let what = turns.wait(in: known.lane, naming: name) ?? described(task.dependency, in: calls[..<index])
      waits.append(Wait(lane: known.lane, step: known.step, what: what, function: described(calls[index])))
    }
  }

  /// Describes what a task waits for.
  ///
  /// - Parameter calls: The calls that its innermost function of the client's awaits.
  private func described(_ dependency: SuspendedTask.Dependency?, in calls: ArraySlice<CallTrace.Call>) -> String {
    // The outermost of these calls is the one that the client knows.
    let called = calls.last { !$0.name.isEmpty }
    if let called, called.owner == .library { return "for `\(called.calledFunction)`" }
    switch dependency {
    case .task(let id): return tasks[id].map { "for the end of \(name($0.lane))" } ?? "for the end of a task"
    case .group: return "for a child task"
    case .continuation, nil:
      let stream = called.flatMap { call in
        ["AsyncStream", "AsyncThrowingStream"].first { call.name.hasPrefix("\($0).") }
      }
      return stream.map { "for an element of an `\($0)`" } ?? "for a continuation to be resumed"
    }
  }
}

extension CallTrace.Call {
  /// The name of a function of a library, as a client calls it.
  fileprivate var calledFunction: String {
    let function = (name.split(separator: " in ").last.map(String.init) ?? name).replacing("<>", with: "")
    return function.hasSuffix(".getter") ? String(function.dropLast(".getter".count)) : function
  }
}
