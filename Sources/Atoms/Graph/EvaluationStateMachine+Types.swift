extension EvaluationStateMachine {
  /// A derivation that runs.
  struct Frame: Hashable, Sendable {
    let node: NodeID
    let isPrivate: Bool
    /// The number of the derivation, unique in the graph.
    let run: UInt64
    /// The index in `tracked` of its first read.
    let start: Int
    /// The index in `visits` of the first node that is visited because of it.
    let visits: Int
    /// The first revision at which everything it has read was valid.
    var validFrom: Revision = 0
    /// Whether `tracked` may contain a node more than once.
    var mayRepeat = false

    /// The frame while no derivation runs.
    static var none: Frame { Frame(node: .none, isPrivate: false, run: 0, start: 0, visits: 0) }
  }

  /// Whether the running derivation has already read a node.
  enum Repetition: UInt8, Sendable {
    case first
    case repeated
    /// A later derivation has replaced the reader number, so the answer is unknown.
    case unknown
  }

  /// A read, with the version that was read.
  struct Tracked: Hashable, Sendable {
    let node: NodeID
    let version: Version
  }

  /// A node that is being brought up to date.
  ///
  /// A long chain has as many visits as nodes, so each visit is small.
  struct Visit: Hashable, Sendable {
    let node: NodeID
    /// The dependency to check next.
    var place = DependencyPlace()
    /// The index of the dependency to bring up to date next, before the closure runs on a deep stack.
    var ahead: Int32 = 0
    /// Whether the node is visited only ahead of a closure, which may not need it.
    var isAhead = false
  }

  /// A value that only this evaluation sees.
  struct Own: Sendable {
    let stamp: ValueStamp
    let value: Value
    /// Whether the transaction has written the value, and not computed it.
    var isWritten = false
    /// Whether it is the default value, restored by a reset.
    var isDefault = false
    /// What a derived value was computed from.
    var dependencies: [Tracked] = []
  }
}

extension EvaluationStateMachine.Own: Equatable, Hashable where Value: Hashable {}
