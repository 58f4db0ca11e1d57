public import ActorStore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The action of a record and the state after it.
final class HistoryContent<State: Sendable>: Sendable {
  let action: (any Action<State>)?
  let state: State
  /// The label of an imported entry.
  let label: String?

  init(_ action: (any Action<State>)?, _ state: State, label: String? = nil) {
    (self.action, self.state, self.label) = (action, state, label)
  }
}

/// A commit in the history of a store, and the state after it.
///
/// States share what they have in common. Copying an entry takes constant time.
public struct HistoryEntry<State: Sendable>: Sendable {
  let record: HistoryRecord
  private let content: HistoryContent<State>

  init(_ record: HistoryRecord) { (self.record, content) = (record, Self.content(record.content)) }

  private static func content(_ content: any AnyObject & Sendable) -> HistoryContent<State> {
    guard let content = content as? HistoryContent<State> else {
      preconditionFailure(
        "ActorStoreHistory: an entry has a state of another type. This is a bug in ActorStoreHistory.")
    }
    return content
  }

  /// The number that identifies the entry.
  ///
  /// It is the number of the store's commits up to and including this one. After a restoration, revisions are larger
  /// than those of the store, because they continue after the revisions of the restored entries.
  public var revision: UInt64 { record.revision }
  /// The action.
  ///
  /// It is `nil` for the state before the first commit, and for an imported entry whose action was not exported or was
  /// read without a registry.
  public var action: (any Action<State>)? { content.action }
  /// When the action was committed.
  public var date: Date { record.date }
  /// How long the action ran, or `nil` if that is not known yet, or without a clock.
  public var duration: Duration? { record.duration }
  /// The state after the commit.
  public var state: State { content.state }
  /// The number of the step that an undo takes back as a whole.
  public var step: Int { record.step }
  /// Whether the commit cannot be undone.
  public var isIrreversible: Bool { record.isIrreversible }
  /// The state that the action started from, or `nil` if that is the state of the entry before it.
  var start: State? { record.start.map { Self.content($0).state } }

  /// The description of the action, which is computed each time, or read from a file.
  public var label: String { content.label ?? action.map { "\($0)" } ?? "initial state" }
}

extension HistoryEntry: Identifiable {
  /// The revision.
  public var id: UInt64 { revision }
}
