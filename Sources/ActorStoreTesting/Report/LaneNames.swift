/// The names of a timeline's lanes as text, such as `0 is the body, 1 is "Ann", 2 and 3 are closure #1 in transfer()`.
struct LaneNames {
  /// The lanes to name, in ascending order.
  let lanes: [Int]
  /// The names of tasks.
  let givenNames: [Int: String]
  /// The functions of tasks without a name.
  let functions: [Int: String]

  /// The names, on lines with at most the given length if no name is longer.
  func lines(maxLength: Int) -> [String] {
    var lines: [String] = []
    for part in parts {
      if let last = lines.last, last.count + 1 + part.count <= maxLength {
        lines[lines.count - 1] += " \(part)"
      } else {
        lines.append(part)
      }
    }
    return lines
  }

  /// The names, with a comma after each except for the last one.
  private var parts: [String] {
    let names = ["0 is the body"] + groups.map { lanes, name in "\(lanes.text) \(name)" }
    return names.dropLast().map { "\($0)," } + names.suffix(1)
  }

  /// The named lanes.
  ///
  /// Neighbors with the same function form one group.
  private var groups: [(lanes: ClosedRange<Int>, name: String)] {
    var groups: [(lanes: ClosedRange<Int>, name: String)] = []
    for lane in lanes where lane != 0 {
      if let name = givenNames[lane] {
        groups.append((lane...lane, "\"\(name)\""))
      } else if let function = functions[lane] {
        if let last = groups.last, last.name == function, last.lanes.upperBound == lane - 1 {
          groups[groups.count - 1].lanes = last.lanes.lowerBound...lane
        } else {
          groups.append((lane...lane, function))
        }
      }
    }
    return groups
  }
}

extension ClosedRange<Int> {
  fileprivate var text: String {
    switch count {
    case 1: "\(lowerBound) is"
    case 2: "\(lowerBound) and \(upperBound) are"
    default: "\(lowerBound) to \(upperBound) are"
    }
  }
}
