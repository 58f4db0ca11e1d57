public import ActorStore

/// What an expectation can be about: a store, a stream, an ``StoreExpression`` of stores.
public protocol Expectable<Value> {
  /// What is expected to be so.
  associatedtype Value

  /// Calls `body` with the value of this moment and each after it, or with what was thrown in its place, until `body`
  /// returns true, there is none any more, or the task is cancelled.
  func follow(_ body: @escaping @Sendable (Result<Value, any Error>) -> Bool) async
}

extension Store: Expectable {
  /// The committed states, from the current one on; none is left out.
  public nonisolated func follow(_ body: @escaping @Sendable (Result<State, any Error>) -> Bool) async {
    await states.follow(body)
  }
}

extension AsyncStream: Expectable {
  /// The elements that are left; those that an expectation has looked at are taken.
  ///
  /// An expectation that finds nothing in time ends the stream, as a cancelled consumer does.
  public func follow(_ body: @escaping @Sendable (Result<Element, any Error>) -> Bool) async {
    for await element in self where body(.success(element)) { return }
  }
}

extension AsyncThrowingStream: Expectable where Failure == any Error {
  /// The elements that are left, and the error that ends them; those that an expectation has looked at are taken.
  public func follow(_ body: @escaping @Sendable (Result<Element, any Error>) -> Bool) async {
    do {
      for try await element in self where body(.success(element)) { return }
    } catch {
      _ = body(.failure(error))
    }
  }
}

/// What is computed from the states of some stores, anew after each commit of one of them.
///
/// ```swift
/// let total = StoreExpression(of: checking, savings) { await checking.state.balance + savings.state.balance }
/// try await expectEqual(total, 100)
/// ```
public struct StoreExpression<Value: Sendable>: Expectable, Sendable {
  private let stores: [any WatchedStore]
  private let value: @Sendable () async throws -> Value

  /// Makes an expression.
  ///
  /// - Parameters:
  ///   - stores: Whose commits may change the value.
  ///   - value: Computes it. Of several commits in a burst it may see the last alone.
  public init(of stores: any WatchedStore..., value: @escaping @Sendable () async throws -> Value) {
    self.stores = stores
    self.value = value
  }

  /// The value now, and after each commit of one of the stores.
  public func follow(_ body: @escaping @Sendable (Result<Value, any Error>) -> Bool) async {
    let (commits, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    // The stores begin with a signal each; without stores there is one all the same.
    signal.yield()
    await withTaskGroup { group in
      group.addTask {
        await withTaskGroup { group in
          for store in stores { group.addTask { await store.signalCommits(to: signal) } }
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

/// A store, whatever its state.
public protocol WatchedStore: Sendable {
  /// Signals now and after each commit, until the store is closed or the task is cancelled.
  func signalCommits(to signal: AsyncStream<Void>.Continuation) async
}

extension Store: WatchedStore {
  /// Several commits in a burst may come as one signal.
  public nonisolated func signalCommits(to signal: AsyncStream<Void>.Continuation) async {
    for await _ in states(bufferingPolicy: .bufferingNewest(1)) { signal.yield() }
  }
}
