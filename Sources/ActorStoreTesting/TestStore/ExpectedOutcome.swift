import ActorStore

/// The expected outcome of an action that is not committed.
public enum ExpectedOutcome: Sendable, Hashable, CustomStringConvertible {
  /// A guard or a middleware refuses the action, for any reason.
  case vetoed
  /// A guard or a middleware refuses the action, for this reason.
  case vetoedFor(String)
  /// The task is canceled before the action begins.
  case cancelled
  /// The call would wait for itself, so it returns, and the action runs later.
  case deferred
  /// The store was closed before the call.
  case closed

  func fits<Output>(_ outcome: Outcome<Output>) -> Bool {
    switch (self, outcome) {
    case (.vetoed, .vetoed), (.cancelled, .cancelled), (.deferred, .deferred), (.closed, .closed):
      true
    case (.vetoedFor(let reason), .vetoed(let veto)): veto.reason == reason
    default: false
    }
  }

  /// The outcome in words.
  public var description: String {
    switch self {
    case .vetoed: "vetoed"
    case .vetoedFor(let reason): "vetoed for \"\(reason)\""
    case .cancelled: "canceled"
    case .deferred: "deferred"
    case .closed: "closed"
    }
  }
}

/// The expected veto of an action that was sent or deferred, or that other code dispatched.
public enum ExpectedVeto: Sendable, Hashable, CustomStringConvertible {
  /// A guard or a middleware refuses the action, for any reason.
  case vetoed
  /// A guard or a middleware refuses the action, for this reason.
  case vetoedFor(String)

  func fits(_ veto: Veto) -> Bool {
    switch self {
    case .vetoed: true
    case .vetoedFor(let reason): veto.reason == reason
    }
  }

  /// The veto in words.
  public var description: String {
    switch self {
    case .vetoed: "vetoed"
    case .vetoedFor(let reason): "vetoed for \"\(reason)\""
    }
  }
}

extension Outcome {
  /// The outcome in words, for a sentence.
  var text: String {
    switch self {
    case .committed: "committed"
    case .vetoed(let veto): "vetoed (\(veto))"
    case .cancelled: "canceled"
    case .deferred: "deferred"
    case .closed: "closed"
    }
  }
}
