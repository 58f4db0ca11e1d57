public import Observation

/// Mirrors a store, or what is selected of it, on the main actor: for views and others who read synchronously.
///
/// ```swift
/// struct CounterView: View {
///   let store: Store<Counter>
///   @State private var counter: StoreObserver<Counter>
///
///   init(store: Store<Counter>) {
///     self.store = store
///     counter = StoreObserver(store, initial: Counter())
///   }
///
///   var body: some View {
///     Button("\(counter.value.count)") { store.send(Increment()) }
///   }
/// }
/// ```
///
/// `value` follows the commits, as soon as the main actor is free: never an older one after a newer one, and it ends on
/// the last; of several commits in a burst it may show the last alone. SwiftUI, `withObservationTracking` and
/// `Observations` are told of each change. The store is not kept alive; when it is closed or gone the last value stays.
@MainActor @Observable public final class StoreObserver<Value: Sendable> {
  /// The state, or what is selected of it, as the main actor has last seen it.
  public private(set) var value: Value
  @ObservationIgnored private var token: ObservationToken?

  /// Mirrors the state.
  ///
  /// - Parameters:
  ///   - store: What is mirrored.
  ///   - initial: Stands for the state if that is being edited in place at this very moment; otherwise it is not used.
  public convenience init(_ store: Store<Value>, initial: @autoclosure () -> Value) {
    self.init(store.hub, store.subscription(.bufferingNewest(1), filter: nil), initial: initial())
  }

  /// Mirrors the value at a key path; repeats are left out.
  ///
  /// - Parameters:
  ///   - store: What is mirrored.
  ///   - path: What of it.
  ///   - initial: Stands for the value if the state is being edited in place at this very moment.
  public convenience init<State>(
    _ store: Store<State>,
    of path: any KeyPath<State, Value> & Sendable,
    initial: @autoclosure () -> Value
  ) where Value: Equatable {
    self.init(store.hub, store.subscription(of: path, .bufferingNewest(1), filter: nil), initial: initial())
  }

  /// Mirrors what a closure selects; repeats are left out.
  ///
  /// - Parameters:
  ///   - store: What is mirrored.
  ///   - select: What of it; called by the committing task in its turn, so keep it short.
  ///   - initial: Stands for the value if the state is being edited in place at this very moment.
  public convenience init<State>(
    _ store: Store<State>,
    of select: @escaping @Sendable (State) -> Value,
    initial: @autoclosure () -> Value
  ) where Value: Equatable {
    self.init(store.hub, store.subscription(of: select, by: ==, .bufferingNewest(1), filter: nil), initial: initial())
  }

  private init(_ hub: SubscriptionHub, _ subscription: Subscription<Value>, initial: @autoclosure () -> Value) {
    // What the subscription starts with is there already, unless the state is being edited.
    if case .value(let current) = subscription.take() { value = current } else { value = initial() }
    token = hub.observe(self, id: nil, isolation: MainActor.shared, { subscription }, { $0.value = $1 })
  }

  deinit {
    token?.cancel()
  }
}
