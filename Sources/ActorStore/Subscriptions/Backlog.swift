/// The states that somebody has yet to take, each stored once however many are behind.
///
/// A state is known by its revision; the revisions that are added follow each other. It stays for as long as a cursor
/// stands at it or before it, or it is among the newest that were asked to be kept. Each step costs O(1), amortised.
struct Backlog<State: Sendable>: Sendable {
  fileprivate struct Entry: Sendable {
    let state: State
    /// How many cursors stand here, to take this state next.
    var cursors: Int
  }

  private var entries: [Entry?] = []
  private var head = 0
  /// The revision that is added next.
  private(set) var next: UInt64
  /// How many cursors have taken all there is.
  private var cursorsAtEnd = 0

  init(next: UInt64) {
    self.next = next
  }

  /// How many states are kept.
  var count: Int { entries.count - head }

  private var first: UInt64 { next - UInt64(count) }

  private func index(of revision: UInt64) -> Int { head + Int(revision - first) }

  /// The state of a revision that is kept.
  func state(at revision: UInt64) -> State {
    guard let entry = entries[index(of: revision)] else {
      preconditionFailure("ActorStore: a state was taken that is gone. This is a bug in ActorStore.")
    }
    return entry.state
  }

  /// Begins anew, when there is no cursor.
  mutating func restart(at revision: UInt64) {
    precondition(count == 0 && cursorsAtEnd == 0)
    next = revision
  }

  /// Puts a cursor behind all there is.
  mutating func addCursor() {
    cursorsAtEnd += 1
  }

  /// Moves the cursor that stands at a revision to the one after it.
  mutating func advanceCursor(from revision: UInt64) {
    removeCursor(at: revision)
    if revision + 1 == next { cursorsAtEnd += 1 } else { entries[index(of: revision + 1)]?.cursors += 1 }
  }

  mutating func removeCursor(at revision: UInt64) {
    if revision == next { cursorsAtEnd -= 1 } else { entries[index(of: revision)]?.cursors -= 1 }
  }

  /// Adds the state of the next revision, at which all stand that have taken everything.
  mutating func append(_ state: State) {
    entries.append(Entry(state: state, cursors: cursorsAtEnd))
    cursorsAtEnd = 0
    next += 1
  }

  /// Takes out what nobody needs, to be let go after the lock.
  mutating func trimmed(keepingNewest kept: Int) -> [State] {
    var gone: [State] = []
    while count > kept, let entry = entries[head], entry.cursors == 0 {
      gone.append(entry.state)
      entries[head] = nil
      head += 1
    }
    if head == entries.count {
      entries.removeAll(keepingCapacity: entries.capacity <= 64)
      head = 0
    } else if head > 64, head > entries.count / 2 {
      entries.removeSubrange(..<head)
      head = 0
    }
    return gone
  }
}

extension Backlog.Entry: Equatable, Hashable where State: Hashable {}
extension Backlog: Equatable, Hashable where State: Hashable {}
