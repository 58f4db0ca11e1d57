import ActorStore
import Observation

/// An observable object that any thread can use.
final class ChaosSettings: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let stored = Locked(0)

  var volume: Int {
    get {
      registrar.access(self, keyPath: \.volume)
      return stored.withLock { $0 }
    }
    set { registrar.withMutation(of: self, keyPath: \.volume) { stored.withLock { $0 = newValue } } }
  }
}

/// An actor with an observable object.
actor ChaosPlayer {
  let settings = ChaosSettings()

  func add() { settings.volume += 1 }
}

/// A source of asynchronous sequences, each of which begins with the newest element.
final class ChaosFeed: Sendable {
  private struct State: Sendable {
    var newest = 1
    var last = 0
    var streams: [Int: AsyncStream<Int>.Continuation] = [:]
  }

  private let state = Locked(State())

  var newest: Int { state.withLock { $0.newest } }

  func elements() -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let (number, newest) = state.withLock { state in
      state.last += 1
      state.streams[state.last] = continuation
      return (state.last, state.newest)
    }
    continuation.yield(newest)
    continuation.onTermination = { [weak self] _ in
      let former = self?.state.withLock { $0.streams.removeValue(forKey: number) }
      withExtendedLifetime(former) {}
    }
    return stream
  }

  /// Adds an element to all sequences.
  ///
  /// If several threads call this method, elements can arrive in another order.
  func add() {
    let (newest, streams) = state.withLock { state in
      state.newest += 1
      return (state.newest, Array(state.streams.values))
    }
    // Without the lock, because `yield` takes the lock of the task that it resumes, under which `onTermination` runs.
    for stream in streams { stream.yield(newest) }
  }
}

/// The state of a store whose atoms the graph reads.
struct ChaosBank: Equatable, Sendable {
  var count = 0
  /// Twice the count, in each commit.
  var twice = 0
  var note = 0
}

/// A mutation of the bank that returns the new count.
struct ChaosDeposit: Mutation {
  func run(_ bank: inout ChaosBank) -> Int {
    bank.count += 1
    bank.twice += 2
    return bank.count
  }
}

/// An element of a collection.
struct ChaosItem: Identifiable, Equatable, Sendable {
  let id: Int
  var value: Int
}
