import ActorStore

/// The changes that wait for the sink of a store's log.
struct ChangeLog: Sendable {
  let scope: AtomLogScope
  let sink: @Sendable (AtomChange) -> Void
  private var entries: [AtomChange] = []
  /// The atoms whose hidden parts have changed, so that a computation shows whether they have changed too.
  private var checks: [AnyAtomDefinition] = []
  /// The last change by a callback or the sink itself that has not been taken.
  private var lastOwnChange: Revision?
  /// The last change by another thread that has not been taken.
  private var lastOtherChange: Revision?

  init(_ scope: AtomLogScope, _ sink: @escaping @Sendable (AtomChange) -> Void) {
    self.scope = scope
    self.sink = sink
  }

  var isEmpty: Bool { entries.isEmpty && checks.isEmpty }

  func includes(_ definition: AnyAtomDefinition) -> Bool {
    let id = definition.visibleID
    return switch scope {
    case .all: true
    case .include(let definitions): definitions.contains { ObjectIdentifier($0) == id }
    case .exclude(let definitions): !definitions.contains { ObjectIdentifier($0) == id }
    }
  }

  /// Adds an entry before all waiting ones of later revisions.
  ///
  /// A derived atom is computed at the revision of a delivery, which can be older than the last set.
  mutating func append(_ entry: AtomChange) {
    var index = entries.count
    while index > 0, entries[index - 1].revision > entry.revision { index -= 1 }
    entries.insert(entry, at: index)
  }

  /// Records who makes a change at a revision.
  mutating func noteCause(at revision: Revision) {
    if CurrentThread.isDelivering { lastOwnChange = revision } else { lastOtherChange = revision }
  }

  mutating func append(check definition: AnyAtomDefinition) { checks.append(definition) }

  /// Takes the entries to send before a delivery at a revision.
  mutating func take(upTo revision: Revision) -> Taken {
    let count = entries.firstIndex { $0.revision > revision } ?? entries.count
    let isOther = lastOtherChange.map { $0 <= revision } ?? false
    let isOwn = lastOwnChange.map { $0 <= revision } ?? false
    if isOther { lastOtherChange = nil }
    if isOwn { lastOwnChange = nil }
    defer {
      entries.removeFirst(count)
      checks = []
    }
    return Taken(
      entries: Array(entries.prefix(count)), checks: checks, isCausedHere: isOther ? false : isOwn ? true : nil,
      sink: sink)
  }

  /// The entries and checks that a thread delivers to the sink.
  struct Taken: Sendable {
    let entries: [AtomChange]
    let checks: [AnyAtomDefinition]
    /// Whether callbacks or the sink itself, and no other threads, have made the changes, or `nil` if they follow from
    /// earlier ones.
    let isCausedHere: Bool?
    let sink: @Sendable (AtomChange) -> Void

    var labels: [String] {
      let labels = entries.map(\.label)
      return labels + checks.map(\.label).filter { !labels.contains($0) }
    }
    var isEmpty: Bool { entries.isEmpty && checks.isEmpty }
  }
}

/// The atoms whose changes a log contains.
enum AtomLogScope: Sendable {
  case all
  case include([AnyAtomDefinition])
  case exclude([AnyAtomDefinition])
}

/// One change of one atom, as the log of a store reports it.
public struct AtomChange: Sendable, CustomStringConvertible {
  /// The label of the atom.
  public let label: String
  /// The revision of the store that has the new value.
  public let revision: UInt64
  /// The former value, or `nil` if a derived atom had none.
  public let old: (any Sendable)?
  /// The new value.
  public let new: any Sendable

  /// The revision, the label, and both values, on one line and without control characters.
  public var description: String {
    "#\(revision) \(label): \(old.map { "\($0) -> " } ?? "")\(new)".onOneLine
  }
}

extension GraphState {
  /// Notes for the log who changes an atom at the newest revision.
  ///
  /// A value that is computed during a delivery is no change, because it can follow from a set by another thread. A
  /// change by another thread counts only if it can cause an entry.
  mutating func noteCause(_ cell: Cell) {
    guard let log else { return }
    if CurrentThread.isDelivering || log.includes(cell.definition) || !logic[cell.node].dependents.isEmpty {
      self.log?.noteCause(at: logic.revision)
    }
  }

  /// Notes that an atom changes to a value in memory.
  mutating func note(_ cell: Cell, _ new: ValueSlot, at revision: Revision) {
    note(cell, cell.makeBox(of: new), at: revision)
  }

  mutating func note(_ cell: Cell, _ new: AnyPublished, at revision: Revision) {
    guard let log, log.includes(cell.definition) else { return }
    if cell.definition.isHidden {
      if let owner = cell.definition.owner { self.log?.append(check: owner) }
      return
    }
    self.log?.append(
      AtomChange(
        label: cell.definition.label, revision: revision, old: cell.makeBox().map { cell.anyValue(of: $0) },
        new: cell.anyValue(of: new)))
  }
}
