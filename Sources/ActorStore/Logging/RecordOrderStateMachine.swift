/// Brings the records of one store into the order of its revisions.
///
/// ```
/// last = 4     early: 6, 7     later: after 5, after 7
///      commit 5 releases 5, after 5, 6, 7, after 7
/// ```
///
/// Reports arrive in any order. The record of a commit waits for the commits before it. Any other record waits for the
/// commits before the end of its call. A gap closes when its commit is reported. If too many records wait, the oldest
/// gap is skipped, because another guard may hold up the report of its commit for long.
struct RecordOrderStateMachine<Record: Sendable>: Sendable {
  enum Place: Hashable, Sendable {
    /// The record of the commit with this revision.
    case commit(UInt64)
    /// A record of another kind, which follows the record of the commit with this revision.
    case after(UInt64)
    /// A record that follows all commits that have been reported.
    case afterAll
  }

  /// The newest revision without a gap before it.
  private var last: UInt64 = 0
  /// The records of the commits after a gap.
  ///
  /// A commit without a record has an empty array. One with members has several records.
  private var early: [UInt64: [Record]] = [:]
  /// The records of other kinds, by the revision that they wait for.
  private var later: [UInt64: [Record]] = [:]
  /// The records of members, by the tickets of their transactions, which have not ended.
  private var members: [UInt64: [Record]] = [:]
  // The following three take half a word each.
  private var memberCount: UInt32 = 0
  /// The number of elements in `early` and of records in `later`.
  private var waiting: UInt32 = 0
  private let limit: UInt32

  /// - Parameter limit: The number of commits and records that may wait for a gap, and of members that may wait for
  ///   their transactions.
  init(limit: Int) {
    self.limit = UInt32(clamping: limit)
  }

  /// Adds the record of a member, which waits for its transaction.
  ///
  /// Returns `false` if the record is dropped, because too many members wait.
  mutating func add(_ record: Record, memberOf ticket: UInt64) -> Bool {
    if memberCount >= limit { return false }
    memberCount += 1
    members[ticket, default: []].append(record)
    return true
  }

  /// Adds the end of a call, and releases each record that no longer waits for a commit.
  ///
  /// - Parameters:
  ///   - record: The record, or `nil` if the filter excludes it.
  ///   - ticket: The ticket of the call, whose members precede it.
  ///   - place: The place of the record.
  ///   - release: Takes the records in their final order.
  mutating func add(_ record: Record?, ticket: UInt64?, at place: Place, _ release: (Record) -> Void) {
    if pass(place) {
      if let record { release(record) }
      return
    }
    let place = resolved(place)
    var records = ticket.flatMap { members.removeValue(forKey: $0) } ?? []
    memberCount -= UInt32(records.count)
    if let record { records.append(record) }
    switch place {
    case .commit(let revision) where revision > last:
      early[revision] = records
      waiting += 1
    case .after(let revision) where revision > last:
      later[revision, default: []] += records
      waiting += UInt32(records.count)
    default:
      // The record waits for no commit, or its commit is the missing one of a skipped gap.
      for record in records { release(record) }
    }
    advance(release)
    while waiting > limit { skipGap(release) }
  }

  /// Adds the end of a call if its record can be released now and no other record waits.
  ///
  /// In that case, it returns `true`, and the caller releases the record. Otherwise, it returns `false` and changes
  /// nothing.
  mutating func pass(_ place: Place) -> Bool {
    guard memberCount == 0, waiting == 0, isNext(place) else { return false }
    if case .commit = place { last += 1 }
    return true
  }

  private func resolved(_ place: Place) -> Place {
    place == .afterAll ? .after(early.keys.max() ?? last) : place
  }

  private func isNext(_ place: Place) -> Bool {
    switch place {
    case .commit(let revision): revision == last + 1
    case .after(let revision): revision <= last
    case .afterAll: true
    }
  }

  private mutating func advance(_ release: (Record) -> Void) {
    while let records = early.removeValue(forKey: last + 1) {
      waiting -= 1
      for record in records { release(record) }
      move(to: last + 1, release)
    }
  }

  private mutating func move(to revision: UInt64, _ release: (Record) -> Void) {
    last = revision
    guard let records = later.removeValue(forKey: revision) else { return }
    waiting -= UInt32(records.count)
    for record in records { release(record) }
  }

  private mutating func skipGap(_ release: (Record) -> Void) {
    let commit = early.keys.min() ?? .max
    let other = later.keys.min() ?? .max
    move(to: min(commit - 1, other), release)
    advance(release)
  }
}

extension RecordOrderStateMachine: Equatable where Record: Equatable {}
extension RecordOrderStateMachine: Hashable where Record: Hashable {}
