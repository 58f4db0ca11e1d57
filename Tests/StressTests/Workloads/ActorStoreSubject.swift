import ActorStore
import ActorStoreTesting
import Synchronization

/// This library's store.
struct ActorStoreSubject: Subject {
  private typealias Log = OrderLog<Int>
  private let store: Store<OrderLog<Int>>
  private let observers = Observers()

  init(name: String) {
    store = Store(OrderLog<Int>(), name: name)
  }

  func dispatch(_ work: Work<Self>) async -> Effect {
    // The observers are told inside the turn, of exactly the state that is committed.
    let report: @Sendable (OrderLog<Int>) -> Void = { observers.notify($0.prefix) }
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

  private struct Refused: Error {}

  private struct Append: Mutation {
    let id: Int

    func run(_ log: inout OrderLog<Int>) {
      log.append(id)
    }
  }

  private struct FailingAppend: Mutation {
    let id: Int

    func run(_ log: inout OrderLog<Int>) throws(Refused) {
      log.append(id)
      throw Refused()
    }
  }

  private struct SlowAppend: Action {
    let work: Work<ActorStoreSubject>

    func run(_ log: inout OrderLog<Int>) async throws(Refused) {
      let before = log
      for _ in 0..<work.suspensions { await Task.yield() }
      await work.inside()
      log = before
      log.append(work.id)
      if work.ending == .fail { throw Refused() }
    }
  }
}

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
