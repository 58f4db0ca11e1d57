public import ActorStore

/// A source of values for an expectation: a store, a stream, or a ``StoreExpression``.
public protocol Expectable<Value> {
  /// The type of the values.
  associatedtype Value

  /// Calls a closure with the current value and later values, or with an error that was thrown instead.
  ///
  /// The call returns when the closure returns `true`, when there are no more values, or when the task is canceled.
  ///
  /// - Parameter body: A closure that returns whether to stop.
  func follow(_ body: @escaping @Sendable (Result<Value, any Error>) -> Bool) async
}

extension Store: Expectable {
  /// Calls a closure with the committed states, starting with the current one, without omissions.
  ///
  /// - Parameter body: A closure that returns whether to stop.
  public nonisolated func follow(_ body: @escaping @Sendable (Result<State, any Error>) -> Bool) async {
    await states.follow(body)
  }
}

extension AsyncStream: Expectable {
  /// Calls a closure with the remaining elements, and removes them from the stream.
  ///
  /// An expectation that fails because its time is up ends the stream, as a canceled consumer does.
  ///
  /// - Parameter body: A closure that returns whether to stop.
  public func follow(_ body: @escaping @Sendable (Result<Element, any Error>) -> Bool) async {
    for await element in self where body(.success(element)) { return }
  }
}

extension AsyncThrowingStream: Expectable where Failure == any Error {
  /// Calls a closure with the remaining elements and the error that ends them, and removes them from the stream.
  ///
  /// An expectation that fails because its time is up ends the stream, as a canceled consumer does.
  ///
  /// - Parameter body: A closure that returns whether to stop.
  public func follow(_ body: @escaping @Sendable (Result<Element, any Error>) -> Bool) async {
    do {
      for try await element in self where body(.success(element)) { return }
    } catch {
      _ = body(.failure(error))
    }
  }
}

/// A value that is computed from the states of stores, and recomputed after their commits.
///
/// ```swift
/// let total = StoreExpression(of: checking, savings) { await checking.state.balance + savings.state.balance }
/// try await expectEqual(total, 100)
/// ```
public struct StoreExpression<Value: Sendable>: Expectable, Sendable {
  private let watches: [Watch]
  private let value: @Sendable () async throws -> Value

  /// Signals now and after the commits of a store, until the store is closed or the task is canceled.
  ///
  /// Several commits in a burst may produce only one signal.
  private typealias Watch = @Sendable (_ signal: AsyncStream<Void>.Continuation) async -> Void

  /// Creates an expression.
  ///
  /// - Parameters:
  ///   - stores: The stores whose commits may change the value.
  ///   - value: A closure that computes the value. After several commits in a burst, it may be called only once.
  public init<each State: Sendable>(
    of stores: repeat Store<each State>, value: @escaping @Sendable () async throws -> Value
  ) {
    var watches: [Watch] = []
    repeat watches.append(Self.watch(each stores))
    self.watches = watches
    self.value = value
  }

  private static func watch(_ store: Store<some Sendable>) -> Watch {
    { signal in
      for await _ in store.states(bufferingPolicy: .bufferingNewest(1)) {
        // Several stores can signal to one expression.
        SimulationHooks.ofThread?.touchUntracked()
        signal.yield()
      }
    }
  }

  /// Calls a closure with the current value, and with the value after commits of the stores.
  ///
  /// Several commits in a burst may produce only one value.
  ///
  /// - Parameter body: A closure that returns whether to stop.
  public func follow(_ body: @escaping @Sendable (Result<Value, any Error>) -> Bool) async {
    let (commits, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    // Each store signals once at the start. Without stores, this is the only signal.
    signal.yield()
    await withTaskGroup { group in
      group.addTask {
        await withTaskGroup { group in
          for watch in watches { group.addTask { await watch(signal) } }
        }
        signal.finish()
      }
      for await _ in commits {
        if body(await result) { break }
      }
      group.cancelAll()
    }
  }

  private var result: Result<Value, any Error> {
    get async {
      do { return .success(try await value()) } catch { return .failure(error) }
    }
  }
}
