/// The committed states of one store, from which the values of selections follow.
struct SheetHistory: Sendable {
  private let sheets: [Sheet]

  /// - Parameter sheets: The states that a stream from the start has delivered.
  init(_ sheets: [Sheet]) { self.sheets = sheets }

  var last: Int { sheets.count - 1 }

  /// Describes a missing or repeated commit, if there is one.
  var problem: String? {
    sheets.map(\.version) == Array(sheets.indices) ? nil : "the states have the versions \(sheets.map(\.version))"
  }

  func value(of choice: Choice, at version: Int) -> [Int] { choice.compared(choice.value(sheets[version])) }

  /// The values that a stream delivers if it starts with a version.
  private func values(of choice: Choice, from start: Int) -> [[Int]] {
    let changes = (start + 1..<max(start + 1, sheets.count)).filter { choice.isChange(sheets[$0 - 1], sheets[$0]) }
    return ([start] + changes).map { value(of: choice, at: $0) }
  }

  /// Describes a value that a selection has in none of the versions.
  func problem(of choice: Choice, _ value: [Int], in versions: ClosedRange<Int>) -> String? {
    let value = choice.compared(value)
    return versions.contains { self.value(of: choice, at: $0) == value }
      ? nil : "\(choice.name) has \(value), which is not its value in \(versions)"
  }

  /// Describes why values are not those of a stream that starts with one of the versions.
  ///
  /// - Parameters:
  ///   - isWhole: Whether the stream has ended because the store was closed.
  ///   - canSkip: Whether the stream may drop values that others follow.
  func problem(
    of choice: Choice, _ received: [[Int]], from versions: ClosedRange<Int>, isWhole: Bool, canSkip: Bool = false
  ) -> String? {
    let received = received.map(choice.compared)
    for start in versions {
      let expected = values(of: choice, from: start)
      if canSkip {
        if received.last == expected.last || !isWhole, received.isSubsequence(of: expected) { return nil }
      } else if isWhole ? received == expected : expected.starts(with: received) {
        return nil
      }
    }
    return """
      \(choice.name) has delivered \(received) instead of \(values(of: choice, from: versions.lowerBound)), which begins \
      with one of the versions \(versions)
      """
  }
}

extension [[Int]] {
  fileprivate func isSubsequence(of other: [[Int]]) -> Bool {
    var rest = other[...]
    return allSatisfy { element in
      guard let index = rest.firstIndex(of: element) else { return false }
      rest = rest[(index + 1)...]
      return true
    }
  }
}
