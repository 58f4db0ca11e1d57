import ActorStore
import ActorStoreTesting
import Synchronization

/// The library's store, whose observers `Watching` notifies.
struct ActorStoreSubject<Watching: Watch>: Subject {
  private let store: Store<OrderLog<Int>>
  private let observers: Observers

  init(name: String) {
    observers = Observers()
    store = Store(OrderLog<Int>(), guards: Watching.guards(observers), name: name)
  }

  func dispatch(_ work: Work<Self>) async -> Effect {
    let report: @Sendable (OrderLog<Int>) -> Void = { Watching.committed($0, observers) }
    do {
      return switch (work.suspensions, work.ending) {
      case (0, .append): Effect(await store.dispatch(Append(id: work.id), returning: report))
      case (0, .fail): Effect(try await store.dispatch(FailingAppend(id: work.id), returning: report))
      default: Effect(try await store.dispatch(SlowAppend(work: work), returning: report))
      }
    } catch {
      return .notApplied
    }
  }

  var log: OrderLog<Int> {
    get async { await store.state }
  }

  func observe(_ observer: @escaping @Sendable (OrderPrefix) -> Void) {
    observers.add(observer)
  }

  func close() {
    store.close()
  }

  private struct Failed: Error {}

  private struct Append: Mutation, MayBeRefused {
    let id: Int

    func run(_ log: inout OrderLog<Int>) {
      log.append(id)
    }
  }

  private struct FailingAppend: Mutation {
    let id: Int

    func run(_ log: inout OrderLog<Int>) throws(Failed) {
      log.append(id)
      throw Failed()
    }
  }

  private struct SlowAppend: Action {
    let work: Work<ActorStoreSubject>

    func run(_ log: inout OrderLog<Int>) async throws(Failed) {
      let before = log
      for _ in 0..<work.suspensions { await Task.yield() }
      await work.inside()
      log = before
      log.append(work.id)
      if work.ending == .fail { throw Failed() }
    }
  }
}

/// Notifies the observers of each committed state, within the turn that committed it.
protocol Watch: Sendable {
  static func guards(_ observers: Observers) -> [any Guard<OrderLog<Int>>]
  static func committed(_ log: OrderLog<Int>, _ observers: Observers)
}

/// Notifies the observers from the `returning` closure of the caller.
enum ByCaller: Watch {
  static func guards(_ observers: Observers) -> [any Guard<OrderLog<Int>>] { [] }
  static func committed(_ log: OrderLog<Int>, _ observers: Observers) { observers.notify(log.prefix) }
}

/// Notifies the observers from a guard, next to a guard that vetoes some of the actions.
enum ByGuard: Watch {
  static func guards(_ observers: Observers) -> [any Guard<OrderLog<Int>>] { [Refuse(), Report(observers: observers)] }
  static func committed(_ log: OrderLog<Int>, _ observers: Observers) {}

  private struct Report: Guard {
    let observers: Observers

    func didUpdate<A: Action<OrderLog<Int>>>(_ action: A, old: OrderLog<Int>?, new: OrderLog<Int>) {
      observers.notify(new.prefix)
    }
  }

  private struct Refuse: Guard {
    func veto<A: Action<OrderLog<Int>>>(_ action: A, state: OrderLog<Int>) -> Veto? {
      state.entries.count % 5 == 4 && action is any MayBeRefused ? Veto("every fifth") : nil
    }
  }
}

/// An action that a guard may veto.
protocol MayBeRefused {}

extension Effect {
  fileprivate init(_ outcome: Outcome<Void>) {
    self =
      switch outcome {
      case .committed: .applied
      case .deferred: .unknown
      default: .notApplied
      }
  }
}
