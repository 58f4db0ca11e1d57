public import ActorStore
import Synchronization

/// A group that shows a change immediately, saves it, and then confirms it or takes it back.
///
/// ```swift
/// struct Document: Sendable { var title = Optimistic("Untitled") }
///
/// try await store.dispatch(
///   OptimisticUpdate(\.title, to: "Draft") { title, number in try await server.rename(title, number) }
/// ).get()
/// // Now the title is confirmed. Otherwise, the call has thrown the server's error or `NotCommitted`.
/// ```
///
/// While a group saves, other actions and groups can run. If several groups change the same value, the newest change
/// wins, even if its answer arrives first (see ``Optimistic``).
///
/// The call returns after the change has been confirmed, or throws the error of `save` after the change has been taken
/// back. If the task of the group is canceled or the store is closed while the group saves, the group still confirms
/// the change or takes it back. If the store does not commit the change, because the task is canceled, the store is
/// closed, or a guard refuses the change, the call throws `NotCommitted` without saving. (If that is known when you
/// dispatch the group, it does not begin, and the outcome says why.) Make the call outside of actions. Inside an action
/// of the same store, it throws `NotCommitted` without saving, because it cannot wait for its own commit. Inside an
/// action of another store, it may throw before the confirmation or the taking back, which then follows.
///
/// If a guard refuses the confirmation, the change remains without an answer, and the call throws `NotCommitted`. If
/// a guard refuses to take the change back, the change also remains without an answer, and the call throws the error of
/// `save`. To a guard, the three steps are closures with the labels `"show"`, `"confirm"`, and `"take back"`.
public struct OptimisticUpdate<State: Sendable, Value: Sendable>: ActionGroup {
  private let property: any WritableKeyPath<State, Optimistic<Value>> & Sendable
  private let value: Value
  private let save: @Sendable (_ value: Value, _ number: UInt64) async throws -> Void

  /// Creates a group that changes a value in the state of a store.
  ///
  /// - Parameters:
  ///   - property: The key path of the value in the state.
  ///   - value: The new value.
  ///   - save: A closure that returns when the server has accepted the new value, and otherwise throws an error. It
  ///     gets the value and ``Optimistic/Change/number``.
  public init(
    _ property: any WritableKeyPath<State, Optimistic<Value>> & Sendable,
    to value: Value,
    save: @escaping @Sendable (_ value: Value, _ number: UInt64) async throws -> Void
  ) {
    self.property = property
    self.value = value
    self.save = save
  }

  /// Shows the change, saves it, and confirms it or takes it back.
  ///
  /// - Parameter store: The store.
  /// - Throws: The error of `save`, or `NotCommitted`.
  public func run(with store: Store<State>) async throws {
    let change = try await show(in: store)
    do {
      try await save(value, change.number)
    } catch {
      _ = await takeBack(change, in: store).outcome
      throw error
    }
    // Sent, so that it also runs in a canceled task.
    try await store.send(label: "confirm") { $0[keyPath: property].confirm(change) }.outcome.get()
  }

  private func show(in store: Store<State>) async throws -> Optimistic<Value>.Change {
    // The number of the change, 0 before it is shown, or `givenUp`.
    let shown = Atomic<UInt64>(0)
    let givenUp = UInt64.max
    let outcome = await store.dispatch(label: "show") { state in
      let change = state[keyPath: property].apply(value)
      if shown.compareExchange(expected: 0, desired: change.number, ordering: .relaxed).original == givenUp {
        state[keyPath: property].takeBack(change)
      }
      return change
    }
    // A deferred closure runs later, when no task waits for it.
    if case .deferred = outcome, case let number = shown.exchange(givenUp, ordering: .relaxed), number != 0 {
      takeBack(Optimistic.Change(number: number), in: store)
    }
    return try outcome.get()
  }

  @discardableResult
  private func takeBack(_ change: Optimistic<Value>.Change, in store: Store<State>) -> Ticket<Void, Never> {
    store.send(label: "take back") { $0[keyPath: property].takeBack(change) }
  }
}
