public import ActorStore

/// A static entry point to a store, for the whole app.
///
/// ```swift
/// enum AppStore: StoreFacade {
///   static func makeDefault() -> Store<App> { Store(App(), guards: [EventsOnly()]) }
/// }
///
/// await AppStore.dispatch(.added("milk"))
/// AppStore.send(.toggled(1))
/// ```
///
/// The first use makes the store, once per process. A process can have any number of facades. A test replaces the store
/// behind a facade for its own task and the tasks that it starts, so any number of tests can run in parallel:
///
/// ```swift
/// await AppStore.withStore(Store(App())) {
///   await AppStore.dispatch(.added("milk"))
/// }
/// ```
public protocol StoreFacade: SendableMetatype {
  /// The state of the store.
  associatedtype State: Sendable

  /// Makes the store that the app uses.
  ///
  /// It is called once per process, at the first use, in the task of the first user, while no lock is held. Other
  /// threads that use the facade block until it returns. So it must not wait for the main thread, which may be one of
  /// them. Before it returns, neither it nor a task that it starts may use its own facade. In a simulation, replace the
  /// store instead, because the default outlives the simulation.
  static func makeDefault() -> Store<State>
}

/// The stores that replace the defaults in the current task.
private let replacements = TaskLocal<[FacadeID: any Sendable]>(wrappedValue: [:])

extension StoreFacade {
  /// The store behind the facade in the current task.
  ///
  /// Use it for methods of the store that the facade does not have, such as `AppStore.current.transaction { ... }`. Do
  /// not keep it. Code that keeps a store does not see the store with which a test replaces it.
  public static var current: Store<State> {
    let id = FacadeID(type: Self.self)
    let store =
      replacements.get()[id]
      ?? Defaults.store(of: id) {
        // The store of the process must not depend on the replacements of one test.
        replacements.withValue([:]) { makeDefault() }
      }
    guard let store = store as? Store<State> else {
      preconditionFailure("ActorStoreEvents: the store of \(Self.self) has another type. This is a bug in ActorStore.")
    }
    return store
  }

  /// Replaces the store behind the facade while a closure runs.
  ///
  /// The replacement is visible in the current task, in its child tasks, and in the tasks that they start with
  /// `Task {}` or that the store starts for them. `Task.detached` does not inherit it.
  ///
  /// - Parameters:
  ///   - store: The store that replaces the default.
  ///   - body: The closure.
  public static func withStore<Result>(
    _ store: Store<State>,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await replacements.withValue(adding(store)) { try await body() }
  }

  /// Replaces the store behind the facade while a closure runs.
  ///
  /// - Parameters:
  ///   - store: The store that replaces the default.
  ///   - body: The closure.
  public static func withStore<Result>(_ store: Store<State>, _ body: () throws -> Result) rethrows -> Result {
    try replacements.withValue(adding(store)) { try body() }
  }

  /// Adds a store to the replacements in the current task.
  private static func adding(_ store: Store<State>) -> [FacadeID: any Sendable] {
    var all = replacements.get()
    all[FacadeID(type: Self.self)] = store
    return all
  }
}
