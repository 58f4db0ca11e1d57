/// Makes a failing schedule simpler: as many of its decisions as possible become "first come, first served".
///
/// Delta debugging (Zeller and Hildebrandt 2002) on the decisions, in halves, quarters and so on down to single ones.
struct Minimizer {
  /// How many schedules may be tried.
  var budget = 400
  private(set) var tried = 0

  /// Returns the simplest decisions found. `fails` runs a schedule: did it fail in the same way?
  mutating func minimise(_ decisions: [Int], fails: ([Int]) -> Bool) -> [Int] {
    var best = decisions.trimmed
    var chunk = max(1, best.count / 2)
    while true {
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
      if chunk == 1 { return best }
      chunk /= 2
    }
  }
}

extension [Int] {
  /// Without the zeros at its end, which say what is done past the end anyway.
  var trimmed: [Int] {
    Array(prefix((lastIndex { $0 != 0 } ?? -1) + 1))
  }
}
