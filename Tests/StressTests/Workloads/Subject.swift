import ActorStoreTesting

/// A store under test: this library's, or one that is known to be wrong.
protocol Subject: Sendable {
  init(name: String)

  /// Runs a piece of work in a turn of its own.
  func dispatch(_ work: Work<Self>) async -> Effect

  /// The committed state.
  var log: OrderLog<Int> { get async }

  /// Calls `observer` with each committed state.
  func observe(_ observer: @escaping @Sendable (OrderPrefix) -> Void)

  func close()
}

typealias Effect = WitnessedHistory<Int>.Effect

/// What one dispatch is to do.
struct Work<Store: Subject>: Sendable {
  enum Ending: Sendable {
    case append
    /// Changes the draft and throws.
    case fail
  }

  let id: Int
  /// How often it suspends between reading the state and writing it; 0 is a mutation.
  var suspensions = 1
  var ending = Ending.append
  /// What it does in between, with its turn in hand.
  var inside: @Sendable () async -> Void = {}
}
