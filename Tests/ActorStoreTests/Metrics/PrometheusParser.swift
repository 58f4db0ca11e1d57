/// Reads Prometheus's text format, and throws at any line that is not valid.
struct PrometheusParser {
  struct Family {
    let name: String
    let type: String
    var samples: [Sample] = []
  }

  struct Sample {
    /// What follows the name of the family.
    let suffix: String
    let labels: [String: String]
    let value: Double
  }

  struct Invalid: Error {
    let line: String
    let reason: String
  }

  static func parse(_ text: String) throws -> [Family] {
    var families: [Family] = []
    var help: String?
    var seen: Set<String> = []
    // Not `split` of characters, because a line feed can be a part of one.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    guard lines.popLast() == "" else { throw Invalid(line: text, reason: "no line feed at the end") }
    for line in lines {
      func check(_ condition: Bool, _ reason: String) throws {
        if !condition { throw Invalid(line: line, reason: reason) }
      }
      if let match = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ([^\\]+)/) {
        try check(help == nil && !families.contains { $0.name == match.1 }, "a second HELP")
        help = String(match.1)
      } else if let match = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)/) {
        try check(help == String(match.1), "a TYPE without HELP")
        families.append(Family(name: String(match.1), type: String(match.2)))
        help = nil
      } else {
        try check(help == nil && !families.isEmpty, "a sample without TYPE")
        let family = families[families.count - 1]
        try check(line.hasPrefix(family.name), "a sample of another family")
        let sample = try sample(line, after: family.name)
        let suffixes = family.type == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        try check(suffixes.contains(sample.suffix), "a wrong suffix")
        try check((sample.suffix == "_bucket") == (sample.labels["le"] != nil), "a bucket and le belong together")
        try check(family.type != "counter" || family.name.hasSuffix("_total"), "a counter ends with total")
        let series = sample.suffix + sample.labels.sorted { $0.key < $1.key }.map { "\($0.key)\0\($0.value)" }.joined()
        try check(seen.insert(family.name + series).inserted, "a second sample of a series")
        families[families.count - 1].samples.append(sample)
      }
    }
    return families
  }

  private static func sample(_ line: String, after name: String) throws -> Sample {
    func invalid(_ reason: String) -> Invalid { Invalid(line: line, reason: reason) }
    var rest = line.unicodeScalars.dropFirst(name.unicodeScalars.count)
    func take(while condition: (Unicode.Scalar) -> Bool) -> String {
      let taken = rest.prefix(while: condition)
      rest = rest.dropFirst(taken.count)
      return String(taken)
    }
    let suffix = take { $0 != "{" }
    var labels: [String: String] = [:]
    guard rest.popFirst() == "{" else { throw invalid("no labels") }
    repeat {
      let label = take { $0 != "=" }
      guard label.wholeMatch(of: /[a-zA-Z_][a-zA-Z0-9_]*/) != nil else { throw invalid("the label \(label)") }
      guard rest.popFirst() == "=", rest.popFirst() == "\"" else { throw invalid("no quote") }
      guard labels.updateValue(try value(&rest, invalid), forKey: label) == nil else {
        throw invalid("a second \(label)")
      }
    } while rest.first == "," && rest.popFirst() != nil
    guard rest.popFirst() == "}", rest.popFirst() == " " else { throw invalid("no end of the labels") }
    let digits = String(rest)
    guard digits.wholeMatch(of: /[0-9]+(\.[0-9]+)?/) != nil, let value = Double(digits) else {
      throw invalid("the value \(digits)")
    }
    return Sample(suffix: suffix, labels: labels, value: value)
  }

  /// Reads the value of a label and the quote after it.
  private static func value(
    _ rest: inout Substring.UnicodeScalarView, _ invalid: (String) -> Invalid
  ) throws -> String {
    var value = ""
    while let scalar = rest.popFirst(), scalar != "\"" {
      guard scalar == "\\" else {
        value.unicodeScalars.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "n": value += "\n"
      case "\\": value += "\\"
      case "\"": value += "\""
      default: throw invalid("an unknown escape")
      }
    }
    return value
  }
}
