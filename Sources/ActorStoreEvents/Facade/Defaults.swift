import Dispatch
import Synchronization

/// The default stores of all facades of the process.
///
/// No lock is held while a store is made. In the meantime, other threads wait on a dispatch group, which the maker
/// leaves when the store has been made.
enum Defaults {
  private typealias StateMachine = DefaultsStateMachine<FacadeID, any Sendable, DispatchGroup>

  private static let stateMachine = Mutex(StateMachine())
  /// The facades whose stores the current task is making, from the outermost to the innermost.
  private static let making = TaskLocal<[FacadeID]>(wrappedValue: [])

  static func store(of facade: FacadeID, _ make: () -> any Sendable) -> any Sendable {
    let outer = making.get()
    while true {
      let start = stateMachine.withLock { stateMachine in
        stateMachine.start(facade, madeFor: outer) {
          let group = DispatchGroup()
          group.enter()
          return group
        }
      }
      switch start {
      case .made(let store): return store
      case .wait(let group):
        group.wait()
        stateMachine.withLock { $0.endWait(madeFor: outer) }
      case .make:
        let store = making.withValue(outer + [facade]) { make() }
        stateMachine.withLock { $0.end(facade, store) }?.leave()
        return store
      case .cycle(let facades):
        let names = facades.map { "\($0.type)" }.joined(separator: ", which uses ")
        fatalError(
          "ActorStoreEvents: makeDefault() of a facade uses its own facade: \(names). A store that has yet to be made "
            + "cannot be used. Use a facade only after makeDefault() has returned.")
      }
    }
  }
}

/// The identity of a facade.
struct FacadeID: Hashable, Sendable {
  let type: any StoreFacade.Type

  static func == (one: FacadeID, other: FacadeID) -> Bool { one.type == other.type }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}
