/// Publishes a state after handing off the turn, so a close may end the streams before they receive the last state.
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
