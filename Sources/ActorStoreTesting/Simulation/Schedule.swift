extension Simulation {
  /// The choices of a run, at each point where several tasks could run.
  ///
  /// A report prints a schedule, and ``Simulation/Strategy/replay(_:)`` runs it again. A schedule is valid for one
  /// body, one toolchain, and one configuration. For example, debug and release builds can suspend at different points.
  ///
  /// The text of a schedule is `v1:`, where `v1` is the version of the format, followed by the choices. Each choice is
  /// a position among the ready tasks, in the order in which they became ready. For example, `v1:2.0x3.1` means 2, then
  /// 0 three times, then 1, and then 0 until the end. The text of a schedule with fair yields begins with `v1:fair`.
  public struct Schedule: Hashable, Sendable {
    static let version = 1
    /// The maximum number of choices in a text, so that a short text cannot exhaust the memory.
    private static let maxCount = 10_000_000

    let decisions: [Int]
    /// Whether the choices were made with fair yields (``Simulation/Exploration/hasFairYields``).
    let hasFairYields: Bool

    init(decisions: [Int], hasFairYields: Bool = false) {
      self.decisions = decisions.trimmed
      self.hasFairYields = hasFairYields
    }

    /// Creates a schedule from its text.
    ///
    /// - Parameter text: The text, as a report prints it.
    /// - Throws: ``FormatError`` if the text is not a schedule.
    public init(parsing text: String) throws(FormatError) {
      guard text.first == "v", let colon = text.firstIndex(of: ":") else { throw .noVersion(text) }
      let version = text[text.index(after: text.startIndex)..<colon]
      guard version == "\(Schedule.version)" else { throw .unknownVersion("v\(version)") }
      var decisions: [Int] = []
      var parts = text[text.index(after: colon)...].split(separator: ".", omittingEmptySubsequences: true)[...]
      let hasFairYields = parts.first == "fair"
      if hasFairYields { parts = parts.dropFirst() }
      for part in parts {
        let factors = part.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        switch factors.count {
        case 1: decisions.append(try Schedule.decision(factors[0], part))
        case 2:
          let count = try Schedule.decision(factors[1], part)
          guard count <= Schedule.maxCount - decisions.count else { throw .notADecision(String(part)) }
          decisions += Array(repeating: try Schedule.decision(factors[0], part), count: count)
        default: throw .notADecision(String(part))
        }
      }
      self.init(decisions: decisions, hasFairYields: hasFairYields)
    }

    private static func decision(_ number: Int?, _ part: Substring) throws(FormatError) -> Int {
      guard let number, number >= 0 else { throw .notADecision(String(part)) }
      return number
    }

    /// A reason why a text is not a schedule.
    public enum FormatError: Error, Hashable, Sendable, CustomStringConvertible {
      /// The text does not begin with the version of its format.
      case noVersion(String)
      /// This version of ActorStoreTesting cannot read the version of the text's format.
      case unknownVersion(String)
      /// A part of the text is neither a choice nor a repeated choice.
      case notADecision(String)

      /// The reason, with a remedy or an example.
      public var description: String {
        switch self {
        case .noVersion(let text):
          "\"\(text)\" is not a schedule. A schedule begins with \"v\(Schedule.version):\", as in a report."
        case .unknownVersion(let version):
          """
          This schedule has format \(version), but this version of ActorStoreTesting reads v\(Schedule.version). To \
          get a new schedule, explore again.
          """
        case .notADecision(let part):
          "\"\(part)\" in a schedule is neither a choice such as \"2\" nor a repeated one such as \"0x12\"."
        }
      }
    }
  }
}

extension Simulation.Schedule: CustomStringConvertible {
  /// The text of the schedule, which ``init(parsing:)`` reads.
  public var description: String {
    var parts = hasFairYields ? ["fair"] : []
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
  /// Creates a schedule from a literal.
  ///
  /// A literal that is not a schedule is a programming error and stops the program.
  ///
  /// - Parameter text: The text, as a report prints it.
  public init(stringLiteral text: String) {
    do {
      try self.init(parsing: text)
    } catch {
      fatalError("ActorStoreTesting: \(error)")
    }
  }
}
