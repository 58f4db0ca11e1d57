import ActorStore
import ActorStoreTesting
import Testing

@Test func aDispatchIsNeverLost() throws {
  try Simulation.explore {
    let store = Store(0)
    await withTaskGroup { group in
      for _ in 0..<3 { group.addTask { await store.dispatch { $0 += 1 } } }
    }
    try Simulation.expect(await store.state == 3, "lost an update")
  }
}
