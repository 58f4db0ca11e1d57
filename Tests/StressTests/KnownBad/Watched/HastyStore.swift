/// Ends its streams when it is closed, though the last state has not been handed to them.
final class HastyStore: FanoutStore {
  let fanout = Fanout()

  func commit() async -> Bool {
    await fanout.takeTurn()
    let state = fanout.advance()
    fanout.handOff()
    await Task.yield()
    if let state { publish(state) }
    return state != nil
  }
}
