import ActorStore

/// A change that a set of an atom makes to the state of a store.
enum StoreChange<State: Sendable>: Sendable {
  /// A change that is sent as a mutation.
  case mutation(@Sendable (inout State) -> Void)
  /// An action of the user.
  case action(any Action<State>)
}

/// Sends the changes of each transaction as one action.
///
/// It does not hold the store.
final class StoreSender<State: Sendable>: ChangeReceiver {
  private struct Target: Sendable {
    weak var store: Store<State>?
  }

  private let target: Locked<Target>

  init(_ store: Store<State>) { target = Locked(Target(store: store)) }

  func receive(_ changes: [AnyPublished]) {
    guard let store = target.withLock({ $0.store }) else { return }
    let changes = changes.map { $0.value(as: StoreChange<State>.self) }
    let mutations = changes.compactMap { change in if case .mutation(let body) = change { body } else { nil } }
    if mutations.count == changes.count {
      store.send(label: "atom") { state in for mutation in mutations { mutation(&state) } }
    } else if changes.count == 1, case .action(let action) = changes[0] {
      send(action, to: store)
    } else {
      store.sendTransaction(label: "atom") { (transaction: inout Store<State>.Transaction) async throws -> Void in
        for change in changes {
          switch change {
          case .mutation(let body): try await transaction.run(label: "atom") { body(&$0) }
          case .action(let action): _ = try await transaction.run(action)
          }
        }
      }
    }
  }

  private func send<A: Action<State>>(_ action: A, to store: Store<State>) { store.send(action) }
}
