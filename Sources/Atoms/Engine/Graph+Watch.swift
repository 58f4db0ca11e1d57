import ActorStore

/// The watchers of atoms.
extension Graph {
  /// Adds a watcher, which starts with the current value in the next delivery.
  ///
  /// `body` runs under the lock and must not call user code.
  ///
  /// - Parameter isHandler: Whether the watcher lives as long as the atom.
  func watch(
    _ definition: AnyAtomDefinition, skip: Int, isHandler: Bool = false, _ body: (Broadcast) -> Watch.Body
  ) -> Int {
    point("watches \(definition.label)")
    let cell = cell(of: definition)
    let (number, mustDeliver) = state.withLockBackingOff { state in
      hold(definition, &state)
      return (addWatcher(cell, skip: skip, isHandler: isHandler, body, &state), beginDelivery(&state))
    }
    if mustDeliver { deliver() }
    return number
  }

  private func addWatcher(
    _ cell: Cell, skip: Int, isHandler: Bool, _ body: (Broadcast) -> Watch.Body, _ state: inout GraphState
  ) -> Int {
    state.lastWatcher += 1
    let watch = state.makeWatch(cell)
    watch.add(state.lastWatcher, skip: skip, isHandler: isHandler, body(watch.broadcast))
    state.logic.watch(cell.node)
    if state.logic[cell.node].isSource, let value = cell.makeBox() {
      state.logic.deliveries.add(.init(node: cell.node, value: value, starting: state.lastWatcher))
    } else {
      state.logic.deliveries.add(.init(node: cell.node, watcher: state.lastWatcher))
    }
    return state.lastWatcher
  }

  func addWatcher(_ handler: AnyAtomDefinition.UpdateHandler, _ cell: Cell, _ state: inout GraphState) {
    _ = addWatcher(cell, skip: handler.skip, isHandler: true, { _ in .callback(handler.body) }, &state)
  }

  /// Removes a watcher, if there still is one with this number.
  ///
  /// - Parameters:
  ///   - definition: The watched atom.
  ///   - number: The number of the watcher.
  ///   - keepsValues: Whether the atoms that come out of use keep their values.
  func unwatch(_ definition: AnyAtomDefinition, _ number: Int, keepsValues: Bool = false) {
    // This has no points, because a stream calls it when it ends, while the standard library holds a lock.
    SimulationHooks.withoutPoints { removeWatcher(definition, number, keepsValues: keepsValues) }
  }

  private func removeWatcher(_ definition: AnyAtomDefinition, _ number: Int, keepsValues: Bool) {
    touch()
    var unused = Unused()
    var removed = state.withLockBackingOff { state -> (Watch, Watch.Body?, [AnyPublished], Bool)? in
      guard let cell = find(definition)?.retained, let watch = state.watch(cell.node) else {
        return nil
      }
      let removed = watch.remove(number)
      if watch.count > 0 { return (watch, removed, [], false) }
      _ = state.removeWatch(cell)
      let values = state.logic.unwatch(cell.node, keepsValues: keepsValues)
      releaseUnused(to: &unused, &state)
      return (watch, removed, values, beginDelivery(&state))
    }
    let mustDeliver = removed?.3 ?? false
    unused.release()
    // The closure can hold other observations.
    ReleaseQueue.release((removed?.1.take()).map { Published($0) })
    withExtendedLifetime(removed) {}
    if mustDeliver { deliver() }
  }
}
