import ActorStore

/// The changes that the sink of a store's log has yet to hear of.
struct ChangeLog: Sendable {
  let scope: AtomLogScope
  let sink: @Sendable (AtomChange) -> Void
  private var entries: [AtomChange] = []

  init(_ scope: AtomLogScope, _ sink: @escaping @Sendable (AtomChange) -> Void) {
    self.scope = scope
    self.sink = sink
  }

  var isEmpty: Bool { entries.isEmpty }

  func includes(_ definition: AnyAtomDefinition) -> Bool {
    switch scope {
    case .all: true
    case .include(let definitions): definitions.contains { $0 === definition }
    case .exclude(let definitions): !definitions.contains { $0 === definition }
    }
  }

  mutating func append(_ entry: AtomChange) { entries.append(entry) }

  mutating func take() -> [AtomChange] {
    defer { entries = [] }
    return entries
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

  /// The revision, the label, and both values, on one line.
  public var description: String {
    "#\(revision) \(label): \(old.map { "\($0) -> " } ?? "")\(new)"
  }
}

extension GraphState {
  /// Notes that an atom changes to a value in memory.
  mutating func note(_ cell: Cell, _ new: UnsafeMutableRawPointer, at revision: Revision) {
    note(cell, unsafe cell.makeBox(of: new), at: revision)
  }

  mutating func note(_ cell: Cell, _ new: AnyPublished, at revision: Revision) {
    guard let log, unsafe log.includes(cell.definition) else { return }
    self.log?.append(
      AtomChange(
        label: unsafe cell.definition.label, revision: revision, old: cell.makeBox().map { cell.anyValue(of: $0) },
        new: cell.anyValue(of: new)))
  }
}
