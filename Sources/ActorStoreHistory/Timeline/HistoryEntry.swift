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

  init(_ action: (any Action<State>)?, _ state: State) { (self.action, self.state) = (action, state) }
}

/// A commit in the history of a store, and the state after it.
///
/// States share what they have in common. Copying an entry takes constant time.
public struct HistoryEntry<State: Sendable>: Sendable {
  private let record: HistoryRecord
  private let content: HistoryContent<State>

  init(_ record: HistoryRecord) {
    guard let content = record.content as? HistoryContent<State> else {
      preconditionFailure(
        "ActorStoreHistory: an entry has a state of another type. This is a bug in ActorStoreHistory.")
    }
    (self.record, self.content) = (record, content)
  }

  /// The number of the store's commits up to and including this one, which identifies the entry.
  public var revision: UInt64 { record.revision }
  /// The action, or `nil` for the state before the first commit.
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

  /// The description of the action, which is computed each time.
  public var label: String { action.map { "\($0)" } ?? "initial state" }
}
