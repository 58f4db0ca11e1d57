/// Minimizes a failing schedule by changing decisions to zero, which is "first come, first served".
///
/// It uses delta debugging (Zeller and Hildebrandt 2002) on halves of the decisions, then on quarters, and so on down
/// to single decisions, until every remaining decision is necessary.
struct Minimizer {
  /// The maximum number of schedules to try.
  var budget = 400
  private(set) var tried = 0

  /// Returns the simplest decisions found.
  ///
  /// - Parameters:
  ///   - decisions: The decisions of a failing schedule.
  ///   - fails: A closure that runs a schedule and returns whether it fails in the same way.
  /// - Returns: Decisions that fail in the same way.
  mutating func minimize(_ decisions: [Int], fails: ([Int]) -> Bool) -> [Int] {
    var best = decisions.trimmed
    var chunk = max(1, best.count / 2)
    while true {
      let earlier = best
      var start = 0
      while start < best.count, tried < budget {
        let range = start..<min(best.count, start + chunk)
        start = range.upperBound
        guard best[range].contains(where: { $0 != 0 }) else { continue }
        var simpler = best
        for index in range { simpler[index] = 0 }
        simpler = simpler.trimmed
        tried += 1
        if fails(simpler) { best = simpler }
      }
      if chunk > 1 { chunk /= 2 } else if best == earlier || tried >= budget { return best }
    }
  }
}

extension [Int] {
  /// The decisions without trailing zeros.
  ///
  /// A replay decides zero past the end anyway.
  var trimmed: [Int] {
    Array(prefix((lastIndex { $0 != 0 } ?? -1) + 1))
  }
}
