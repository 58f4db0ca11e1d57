/// A selection of one store, and the streams of its values.
final class SharedSelection: Sendable {
  let node: any AnySelectionNode
  private let simulation: SimulationHooks?
  private let streams = Locked<Broadcast?>(nil)

  init(_ node: any AnySelectionNode, simulation: SimulationHooks?) {
    self.node = node
    self.simulation = simulation
  }

  /// The streams, or `nil` until the first one begins, because atoms need none.
  var existingBroadcast: Broadcast? { streams.withLock { $0 } }

  var broadcast: Broadcast {
    if let existingBroadcast { return existingBroadcast }
    let new = Broadcast(simulation: simulation)
    return streams.withLock { streams in
      if let streams { return streams }
      streams = new
      return new
    }
  }

  var isWithoutStreams: Bool { existingBroadcast?.isEmpty ?? true }
}
