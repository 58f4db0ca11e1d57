import ActorStore

/// Somebody who watches a `Counter` and says what was wrong with what it saw.
struct Follower: Sendable {
  enum Kind: CaseIterable, Sendable {
    case all, newest, even
  }

  let kind: Kind
  private(set) var received = 0
  private(set) var last: Int?
  /// What was wrong at first.
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

  /// What is wrong now that the last commit has been made.
  func problem(atTheEnd count: Int) -> String? {
    if let problem { return problem }
    let expected = kind == .even ? count - count % 2 : count
    return last == expected ? nil : "\(kind): ended on \(last.map { "\($0)" } ?? "nothing"), not \(expected)"
  }
}
