import ActorStore

/// A subscriber of a `Counter`, which checks the sequence of counts that it sees.
struct Follower: Sendable {
  enum Kind: CaseIterable, Sendable {
    case all, newest, even
  }

  let kind: Kind
  private(set) var received = 0
  private(set) var last: Int?
  /// The first error in the sequence.
  private(set) var problem: String?

  init(_ kind: Kind) {
    self.kind = kind
  }

  func states(of store: Store<Counter>) -> AsyncStream<Counter> {
    switch kind {
    case .all: store.states
    case .newest: store.states(bufferingPolicy: .bufferingNewest(1))
    case .even: store.states(shouldUpdate: { _, new in new.count % 2 == 0 })
    }
  }

  mutating func saw(_ count: Int) {
    received += 1
    if let last {
      let isRight =
        switch kind {
        case .all: count == last + 1
        case .newest: count > last
        case .even: count == last + 2
        }
      if !isRight, problem == nil { problem = "\(kind): \(count) after \(last)" }
    }
    last = count
  }

  /// Returns the first error in the sequence, including a wrong end, once `count` commits have been made.
  func problem(atTheEnd count: Int) -> String? {
    if let problem { return problem }
    let expected = kind == .even ? count - count % 2 : count
    return last == expected ? nil : "\(kind): ended on \(last.map { "\($0)" } ?? "nothing"), not \(expected)"
  }
}
