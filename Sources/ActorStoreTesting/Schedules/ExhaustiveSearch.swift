/// Every schedule once, depth first: which decisions to try next, from those of the last run.
///
/// A run follows `script` and then lets each task go on as long as it can, so the schedules with few preemptions come
/// first, and a bound on preemptions (Musuvathi and Qadeer, "Iterative Context Bounding for Systematic Testing of
/// Multithreaded Programs", PLDI 2007) leaves out exactly those with more.
struct ExhaustiveSearch: Sendable {
  /// How many times a schedule may take a task from the thread that could have gone on; nil: without bound.
  let maxPreemptions: Int?
  /// The decisions the next run is to begin with; nil when every schedule has been run.
  private(set) var script: [Int]? = []

  init(maxPreemptions: Int?) {
    self.maxPreemptions = maxPreemptions
  }

  /// Moves on to the next schedule, given what the last run decided.
  mutating func advance(past choices: [Chooser.Choice]) {
    var preemptions = [0]
    preemptions.reserveCapacity(choices.count + 1)
    if maxPreemptions != nil {
      for choice in choices { preemptions.append(preemptions[preemptions.count - 1] + (choice.preempts ? 1 : 0)) }
    }
    for position in choices.indices.reversed() {
      let choice = choices[position]
      let mayPreempt = maxPreemptions.map { preemptions[position] < $0 } ?? true
      // Once the last task has been tried, every other choice here preempts it.
      if choice.continuing != nil && !mayPreempt { continue }
      guard let alternative = choice.next else { continue }
      script = choices[..<position].map(\.index) + [alternative]
      return
    }
    script = nil
  }
}

extension Chooser.Choice {
  var preempts: Bool { continuing != nil && index != continuing }

  /// What to try after this: first the task that ran last, then the others in their order.
  fileprivate var next: Int? {
    guard let continuing else { return index + 1 < width ? index + 1 : nil }
    var next = index == continuing ? 0 : index + 1
    if next == continuing { next += 1 }
    return next < width ? next : nil
  }
}
