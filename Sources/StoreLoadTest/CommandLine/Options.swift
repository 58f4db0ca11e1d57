/// What the command line asks for.
struct Options: Equatable, Sendable {
  /// What the program does.
  enum Mode: Equatable, Sendable {
    /// Runs scenarios.
    case run
    /// Names scenarios and their cases.
    case list
    /// Counts heap calls.
    case allocations
    /// Does one thing so many times and says nothing, for tools that count instructions.
    case `repeat`(Repeated)
    case help
  }

  var mode = Mode.run
  /// Which to run; those that are not optional when it is empty.
  var scenarios: [String] = []
  var tasks: Int?
  var dispatches: Int?
  var subscribers: Int?
  /// How long all of it may take, about.
  var seconds = 30.0
  var seed: UInt64 = 1
  var isQuick = false
  var isJSON = false
  /// Where the HTML page is written.
  var report: String?
}

/// What is wrong with a command line.
struct WrongUsage: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
