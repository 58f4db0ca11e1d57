extension Simulation {
  /// Which of the tasks that could run was run, at each point of a run that had a choice.
  ///
  /// A report prints it, and ``Simulation/Strategy/replay(_:)`` runs it again. It is valid for one body, one toolchain
  /// and one configuration: debug and release builds suspend at different points. As text it is `v1:` and the choices,
  /// each the position among the tasks that could run, the longest ready first: `v1:2.0x3.1` is 2, then three times 0,
  /// then 1, and 0 from there on. `v1` is the version of the format.
  public struct Schedule: Hashable, Sendable {
    static let version = 1

    let decisions: [Int]

    init(decisions: [Int]) {
      self.decisions = decisions.trimmed
    }

    /// Reads the text of a schedule; throws what is wrong with it.
    public init(parsing text: String) throws(FormatError) {
      guard text.first == "v", let colon = text.firstIndex(of: ":") else { throw .noVersion(text) }
      let version = text[text.index(after: text.startIndex)..<colon]
      guard version == "\(Schedule.version)" else { throw .unknownVersion("v\(version)") }
      var decisions: [Int] = []
      for part in text[text.index(after: colon)...].split(separator: ".", omittingEmptySubsequences: true) {
        let factors = part.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        switch factors.count {
        case 1: decisions.append(try Schedule.decision(factors[0], part))
        case 2:
          let count = try Schedule.decision(factors[1], part)
          guard count <= 1_000_000 else { throw .notADecision(String(part)) }
          decisions += Array(repeating: try Schedule.decision(factors[0], part), count: count)
        default: throw .notADecision(String(part))
        }
      }
      self.init(decisions: decisions)
    }

    private static func decision(_ number: Int?, _ part: Substring) throws(FormatError) -> Int {
      guard let number, number >= 0 else { throw .notADecision(String(part)) }
      return number
    }

    /// Why a text is not a schedule.
    public enum FormatError: Error, Hashable, Sendable, CustomStringConvertible {
      /// It does not begin with the version of its format.
      case noVersion(String)
      /// It was written by another version of ActorStoreTesting.
      case unknownVersion(String)
      /// This part of it is neither a number nor a number of times a number.
      case notADecision(String)

      /// What is wrong and what to do.
      public var description: String {
        switch self {
        case .noVersion(let text):
          "\"\(text)\" is not a schedule: it should begin with \"v\(Schedule.version):\", as a report prints it."
        case .unknownVersion(let version):
          """
          This schedule has format \(version), and this ActorStoreTesting reads v\(Schedule.version): explore again \
          with this version.
          """
        case .notADecision(let part):
          "\"\(part)\" in a schedule is neither a choice such as \"2\" nor a repeated one such as \"0x12\"."
        }
      }
    }
  }
}

extension Simulation.Schedule: CustomStringConvertible {
  /// The text that ``init(parsing:)`` reads.
  public var description: String {
    var parts: [String] = []
    var rest = decisions[...]
    while let first = rest.first {
      let run = rest.prefix { $0 == first }.count
      parts.append(run > 2 ? "\(first)x\(run)" : Array(repeating: "\(first)", count: run).joined(separator: "."))
      rest = rest.dropFirst(run)
    }
    return "v\(Simulation.Schedule.version):" + parts.joined(separator: ".")
  }
}

extension Simulation.Schedule: ExpressibleByStringLiteral {
  /// The schedule a report printed.
  ///
  /// A literal that is not one is a mistake of the program: it stops there.
  public init(stringLiteral text: String) {
    do {
      try self.init(parsing: text)
    } catch {
      preconditionFailure("ActorStoreTesting: \(error)")
    }
  }
}
