import ActorStoreTesting

/// A store under test, which is the library's or a known-bad one.
protocol Subject: Sendable {
  init(name: String)

  /// Runs a piece of work in its own turn.
  func dispatch(_ work: Work<Self>) async -> Effect

  /// The committed state.
  var log: OrderLog<Int> { get async }

  /// Calls `observer` with each committed state.
  func observe(_ observer: @escaping @Sendable (OrderPrefix) -> Void)

  func close()
}

typealias Effect = WitnessedHistory<Int>.Effect

/// The work of one dispatch.
struct Work<Store: Subject>: Sendable {
  enum Ending: Sendable {
    case append
    /// Changes the draft and throws.
    case fail
  }

  let id: Int
  /// The number of suspensions between reading and writing the state, which is 0 for a mutation.
  var suspensions = 1
  var ending = Ending.append
  /// A closure to run between reading and writing the state, while the work holds the turn.
  var inside: @Sendable () async -> Void = {}
}
