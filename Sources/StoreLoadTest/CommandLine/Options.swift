/// The options on the command line.
struct Options: Equatable, Sendable {
  /// The program's mode of operation.
  enum Mode: Equatable, Sendable {
    /// Runs scenarios.
    case run
    /// Lists scenarios and their cases.
    case list
    /// Counts heap calls.
    case allocations
    /// Repeats one operation and prints nothing, for tools that count instructions.
    case `repeat`(Repeated)
    /// Prints the usage.
    case help
  }

  var mode = Mode.run
  /// The names of the scenarios to run, or an empty array to run all that are not optional.
  var scenarios: [String] = []
  var tasks: Int?
  var dispatches: Int?
  var subscribers: Int?
  /// The approximate duration of the run.
  var seconds = 30.0
  var seed: UInt64 = 1
  var isQuick = false
  var isJSON = false
  /// Whether a missed limit is a violation.
  var enforcesLimits = false
  /// The path of the HTML page.
  var report: String?
}

/// An error in the command line.
struct WrongUsage: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
