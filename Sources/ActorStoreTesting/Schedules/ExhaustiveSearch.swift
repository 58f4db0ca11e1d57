/// A depth-first search that tries every schedule once.
///
/// A run follows `script` and then lets each task continue as long as it can, so the first schedule has no preemptions.
/// A bound on preemptions (Musuvathi and Qadeer, "Iterative Context Bounding for Systematic Testing of Multithreaded
/// Programs", PLDI 2007) excludes exactly the schedules with more of them.
struct ExhaustiveSearch: Sendable {
  /// The maximum number of preemptions in a schedule, or `nil` for no bound.
  let maxPreemptions: Int?
  /// The decisions with which the next run begins, or `nil` if every schedule has run.
  private(set) var script: [Int]? = []

  init(maxPreemptions: Int?) {
    self.maxPreemptions = maxPreemptions
  }

  /// Advances to the next schedule, given the choices of the last run.
  mutating func advance(past choices: [Chooser.Choice]) {
    var preemptions = [0]
    preemptions.reserveCapacity(choices.count + 1)
    if maxPreemptions != nil {
      for choice in choices { preemptions.append(preemptions[preemptions.count - 1] + (choice.preempts ? 1 : 0)) }
    }
    for position in choices.indices.reversed() {
      let choice = choices[position]
      let mayPreempt = maxPreemptions.map { preemptions[position] < $0 } ?? true
      // The search tries the continuing task first, so every other choice here preempts it.
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

  /// The index to try after this one, or `nil` if this is the last one.
  ///
  /// The search tries the continuing task first, and then the others in order.
  fileprivate var next: Int? {
    if isForced { return nil }
    guard let continuing else { return index + 1 < width ? index + 1 : nil }
    var next = index == continuing ? 0 : index + 1
    if next == continuing { next += 1 }
    return next < width ? next : nil
  }
}
