import ActorStore

/// What is to become of an action that is not committed.
public enum ExpectedOutcome: Sendable, Hashable, CustomStringConvertible {
  /// A guard refuses it, for whatever reason.
  case vetoed
  /// A guard refuses it for this reason.
  case vetoedFor(String)
  /// Its task is cancelled before it begins.
  case cancelled
  /// It would wait for itself, and runs later.
  case deferred
  /// The store was closed before.
  case closed

  func fits<Output>(_ outcome: Outcome<Output>) -> Bool {
    switch (self, outcome) {
    case (.vetoed, .vetoed), (.cancelled, .cancelled), (.deferred, .deferred), (.closed, .closed):
      true
    case (.vetoedFor(let reason), .vetoed(let veto)): veto.reason == reason
    default: false
    }
  }

  /// Its name.
  public var description: String {
    switch self {
    case .vetoed: "vetoed"
    case .vetoedFor(let reason): "vetoed for \"\(reason)\""
    case .cancelled: "cancelled"
    case .deferred: "deferred"
    case .closed: "closed"
    }
  }
}

/// How a guard is to refuse an action that was sent, deferred, or dispatched by others.
public enum ExpectedVeto: Sendable, Hashable, CustomStringConvertible {
  /// For whatever reason.
  case vetoed
  /// For this reason.
  case vetoedFor(String)

  func fits(_ veto: Veto) -> Bool {
    switch self {
    case .vetoed: true
    case .vetoedFor(let reason): veto.reason == reason
    }
  }

  /// Its name.
  public var description: String {
    switch self {
    case .vetoed: "vetoed"
    case .vetoedFor(let reason): "vetoed for \"\(reason)\""
    }
  }
}

extension Outcome {
  /// What became of an action, for a sentence.
  var text: String {
    switch self {
    case .committed: "committed"
    case .vetoed(let veto): "vetoed (\(veto))"
    case .cancelled: "cancelled"
    case .deferred: "deferred"
    case .closed: "closed"
    }
  }
}
