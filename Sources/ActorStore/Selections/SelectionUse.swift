/// The use of a selection of a store by a reader, from `begin` until `end`.
///
/// It does not hold the store.
package final class SelectionUse: Sendable {
  private let hub: SubscriptionHub
  private let queue: TurnQueue
  private let node: any AnySelectionNode
  private let reader: any SelectionReader
  private let place = Locked<Int?>(nil)

  init(_ node: any AnySelectionNode, by reader: any SelectionReader, _ hub: SubscriptionHub, _ queue: TurnQueue) {
    self.node = node
    self.reader = reader
    self.hub = hub
    self.queue = queue
  }

  /// The selections of the store.
  package var selections: SharedSelections { hub.selections }

  /// The newest value, or `nil` until the first state is known.
  package var value: AnyPublished? { place.withLock { $0 }.flatMap(selections.value(forReaderAt:)) }

  /// Begins the use, and returns whether the selection already has a value, which all followers then have, too.
  ///
  /// Otherwise, the caller then calls `compute(from:at:)` until there is a value, and then `updateFollowers()`.
  ///
  /// After this call, commits reach the selection, so a state that the caller then reads is not too old.
  package func begin() -> Bool {
    while true {
      let found = selections.find(node)
      let added = queue.watch { isWatched in
        let added = selections.addReader(reader, to: found)
        if added != nil { isWatched = true }
        return added
      }
      guard let added else { continue }
      place.withLock { $0 = added.place }
      guard let step = added.step else { return false }
      selections.update(step)
      return true
    }
  }

  /// Ends the use, and returns values that the caller releases.
  package func end() -> [AnyPublished] {
    guard let place = place.withLock({ $0.take() }) else { return [] }
    let released = queue.watch { isWatched in
      let released = selections.removeReader(place)
      isWatched = !hub.isEmpty
      return released
    }
    return released.compactMap(\.value)
  }
}
