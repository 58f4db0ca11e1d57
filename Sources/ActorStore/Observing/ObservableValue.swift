public import Observation

/// Mirrors a store, or what is selected of it, on the main actor: for views and others who read synchronously.
///
/// ```swift
/// struct CounterView: View {
///   let store: Store<Counter>
///   let counter: ObservableValue<Counter>  // made once, where the store is
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
@MainActor @Observable public final class ObservableValue<Value: Sendable> {
  /// The state, or what is selected of it, as the main actor has last seen it.
  public private(set) var value: Value
  @ObservationIgnored private var token: ObservationToken?

  /// Mirrors the state.
  ///
  /// - Parameters:
  ///   - store: What is mirrored.
  ///   - initial: Stands for the state if that is being edited in place at this very moment; otherwise it is not used.
  public convenience init(_ store: Store<Value>, initial: @autoclosure () -> Value) {
    let states = store.subscription(.bufferingNewest(1), filter: nil)
    self.init(store.hub, states, states.take() ?? initial())
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
    let before = store.readableState
    let values: Subscription<Value> = store.subscription(of: path, .bufferingNewest(1), filter: nil)
    self.init(store.hub, values, values.take() ?? before.map { $0[keyPath: path] } ?? initial())
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
    let before = store.readableState
    let values: Subscription<Value> = store.subscription(of: select, by: ==, .bufferingNewest(1), filter: nil)
    self.init(store.hub, values, values.take() ?? before.map(select) ?? initial())
  }

  /// Mirrors the state, starting with the current one.
  ///
  /// Waits only while a mutation edits the state in place, and then starts with that mutation's commit.
  ///
  /// - Parameter store: The store to mirror.
  public convenience init(_ store: Store<Value>) async {
    let states = store.subscription(.bufferingNewest(1), filter: nil)
    let first: Value = if let state = states.take() { state } else { await store.state }
    self.init(store.hub, states, first)
  }

  /// Mirrors the value at a key path, starting with the current one; repeats are left out.
  ///
  /// Waits only while a mutation edits the state in place, and then starts with the value of that mutation's commit.
  ///
  /// - Parameters:
  ///   - store: The store to mirror.
  ///   - path: The key path of the value.
  public convenience init<State>(
    _ store: Store<State>,
    of path: any KeyPath<State, Value> & Sendable
  ) async where Value: Equatable {
    let values: Subscription<Value> = store.subscription(of: path, .bufferingNewest(1), filter: nil)
    let first: Value = if let value = values.take() { value } else { await store.state[keyPath: path] }
    self.init(store.hub, values, first)
  }

  /// Mirrors what a closure selects, starting with the current value; repeats are left out.
  ///
  /// Waits only while a mutation edits the state in place, and then starts with the value of that mutation's commit.
  ///
  /// - Parameters:
  ///   - store: The store to mirror.
  ///   - select: Selects the value. The committing task calls it in its turn, so keep it short.
  public convenience init<State>(
    _ store: Store<State>,
    of select: @escaping @Sendable (State) -> Value
  ) async where Value: Equatable {
    let values: Subscription<Value> = store.subscription(of: select, by: ==, .bufferingNewest(1), filter: nil)
    let first: Value = if let value = values.take() { value } else { select(await store.state) }
    self.init(store.hub, values, first)
  }

  /// - Parameter current: What the subscription started with; or, if that is not known yet, what is not newer.
  private init(_ hub: SubscriptionHub, _ subscription: Subscription<Value>, _ current: Value) {
    value = current
    let actor = MainActor.shared
    token = hub.observe(self, id: nil, on: actor, calledOn: actor, { subscription }, { $0.value = $1 })
  }

  deinit {
    token?.cancel()
  }
}

extension Store {
  /// The committed state, unless it is being edited.
  fileprivate nonisolated var readableState: State? {
    var state: State?
    return line.read { state = cell.copy() } ? state : nil
  }
}
