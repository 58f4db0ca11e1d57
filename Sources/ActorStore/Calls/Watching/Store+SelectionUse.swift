extension Store {
  /// A use of a selection of this store by a reader, which has yet to begin.
  package nonisolated func selectionUse(
    of node: any AnySelectionNode, by reader: any SelectionReader
  ) -> SelectionUse {
    SelectionUse(node, by: reader, hub, queue)
  }

  /// The committed state and its revision, or `nil` while a mutation edits the state in place.
  package nonisolated var readable: (state: State, revision: UInt64)? {
    var readable: (State, UInt64)?
    return queue.read { readable = (committedState, $0) } ? readable : nil
  }
}
