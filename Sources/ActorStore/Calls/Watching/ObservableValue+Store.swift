extension ObservableValue {
  /// Creates a mirror of the state.
  ///
  /// - Parameters:
  ///   - store: The store to mirror.
  ///   - initial: The first value if a mutation is editing the state in place at this moment. Otherwise, it is not
  ///     evaluated.
  public convenience init(_ store: Store<Value>, initial: @autoclosure () -> Value) {
    let states = store.subscription(.bufferingNewest(1), filter: nil)
    self.init(store.observations, states, states.takeAccepted() ?? initial())
  }

  /// Creates a mirror of the value at a key path.
  ///
  /// Repeated values are dropped.
  ///
  /// - Parameters:
  ///   - store: The store to mirror.
  ///   - path: The key path of the value.
  ///   - initial: The first value if a mutation is editing the state in place at this moment. Otherwise, it is not
  ///     evaluated.
  public convenience init<State>(
    _ store: Store<State>,
    of path: any KeyPath<State, Value> & Sendable,
    initial: @autoclosure () -> Value
  ) where Value: Equatable {
    let before = store.readable?.state
    let values: Subscription<Value> = store.subscription(of: path, .bufferingNewest(1), filter: nil)
    self.init(store.observations, values, values.takeAccepted() ?? before.map { $0[keyPath: path] } ?? initial())
  }

  /// Creates a mirror of the value that a closure selects.
  ///
  /// Repeated values are dropped.
  ///
  /// - Parameters:
  ///   - store: The store to mirror.
  ///   - select: A closure that selects the value. The committing task calls it in its turn, so keep it short.
  ///   - initial: The first value if a mutation is editing the state in place at this moment. Otherwise, it is not
  ///     evaluated.
  public convenience init<State>(
    _ store: Store<State>,
    of select: @escaping @Sendable (State) -> Value,
    initial: @autoclosure () -> Value
  ) where Value: Equatable {
    let before = store.readable?.state
    let values: Subscription<Value> = store.subscription(of: select, .bufferingNewest(1), filter: nil)
    self.init(store.observations, values, values.takeAccepted() ?? before.map(select) ?? initial())
  }

  /// Creates a mirror of the state, starting with the current one.
  ///
  /// Waits only while a mutation edits the state in place, and then starts with that mutation's commit.
  ///
  /// - Parameter store: The store to mirror.
  public convenience init(_ store: Store<Value>) async {
    let states = store.subscription(.bufferingNewest(1), filter: nil)
    let first: Value = if let state = states.takeAccepted() { state } else { await store.state }
    self.init(store.observations, states, first)
  }

  /// Creates a mirror of the value at a key path, starting with the current one.
  ///
  /// Repeated values are dropped.
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
    let first: Value = if let value = values.takeAccepted() { value } else { await store.state[keyPath: path] }
    self.init(store.observations, values, first)
  }

  /// Creates a mirror of the value that a closure selects, starting with the current one.
  ///
  /// Repeated values are dropped.
  ///
  /// Waits only while a mutation edits the state in place, and then starts with the value of that mutation's commit.
  ///
  /// - Parameters:
  ///   - store: The store to mirror.
  ///   - select: A closure that selects the value. The committing task calls it in its turn, so keep it short.
  public convenience init<State>(
    _ store: Store<State>,
    of select: @escaping @Sendable (State) -> Value
  ) async where Value: Equatable {
    let values: Subscription<Value> = store.subscription(of: select, .bufferingNewest(1), filter: nil)
    let first: Value = if let value = values.takeAccepted() { value } else { select(await store.state) }
    self.init(store.observations, values, first)
  }
}
