extension Store {
  /// Calls a closure with each committed state and its revision, until the result is called.
  ///
  /// The closure runs in the committing turn, without a lock, and after the subscribers of `states` have been offered
  /// the state. The dispatch returns after it. If a mutation edits the state in place at the moment of the call, the
  /// closure is called with its commit.
  package nonisolated func onCommit(_ body: @escaping @Sendable (AnyPublished, UInt64) -> Void) -> @Sendable () -> Void
  {
    let (hub, queue, hook) = (hub, queue, CommitHook(body))
    queue.subscribe { _, _ in
      _ = hub.admit(SharedSelection(selection: hook, key: nil), isNew: true, after: [])
    } later: {
    }
    return {
      let removed = queue.watch { isWatched in
        let removed = hub.removeIfUnwatched(hook)
        isWatched = !hub.isEmpty
        return removed
      }
      withExtendedLifetime(removed) {}
    }
  }

  /// The committed state and its revision, or `nil` while a mutation edits the state in place.
  package nonisolated var readable: (state: State, revision: UInt64)? {
    var readable: (State, UInt64)?
    return queue.read { readable = (cell.copy(), $0) } ? readable : nil
  }
}
