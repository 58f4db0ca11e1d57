/// The parts of a store that only some stores need.
///
/// A store creates them on first use.
final class StoreExtras: Sendable {
  let hub: SubscriptionHub
  let observations = ObservationRegistry()
  /// What another module of this package keeps for the store.
  private let attachment = Locked<(any AnyObject & Sendable)?>(nil)

  init(_ queue: TurnQueue) {
    hub = SubscriptionHub(of: queue)
  }

  // The store has been released, because nothing else keeps its extras.
  deinit { hub.finish() }

  /// The object that another module keeps, or a new one.
  func attachment<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
    if let known = attachment.withLock({ $0 }) as? Object { return known }
    let new = make()
    return attachment.withLock { attachment in
      if let known = attachment as? Object { return known }
      attachment = new
      return new
    }
  }
}

extension Store {
  @usableFromInline nonisolated var hub: SubscriptionHub { extras.hub }

  nonisolated var observations: ObservationRegistry { extras.observations }

  /// The object that another module keeps for this store, or a new one.
  ///
  /// The store holds it.
  package nonisolated func attachment<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
    extras.attachment(make)
  }

  private nonisolated var extras: StoreExtras { existingExtras.withLock { $0 } ?? makeExtras() }

  private nonisolated func makeExtras() -> StoreExtras {
    let new = StoreExtras(queue)
    let extras = existingExtras.withLock { existing in
      if let existing { return existing }
      existing = new
      return new
    }
    // If the last action has already ended, the streams end now.
    if extras === new { queue.onQuiet { [hub = extras.hub] in hub.finish(groupsOnly: !$0) } }
    return extras
  }
}
