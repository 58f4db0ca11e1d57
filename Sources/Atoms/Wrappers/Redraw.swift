#if canImport(SwiftUI)
  import ActorStore
  import Observation
  import SwiftUI

  /// Follows the atom of a property wrapper in a view, which SwiftUI draws again after each change.
  final class Redraw: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let followed = Locked<Followed?>(nil)

    private struct Followed: Sendable {
      let atom: ObjectIdentifier
      let store: AtomStore
      let token: ObservationToken
    }

    /// Stands for the value in the registrar.
    private var changes: Void { () }

    deinit { followed.withLock { $0 }?.token.cancel() }

    /// Notes that a view depends on the atom, if one is being drawn.
    func noteRead() { registrar.access(self, keyPath: \.changes) }

    /// Follows an atom from now on, and no other.
    ///
    /// Called on the main thread.
    func follow<Value>(_ reference: AtomReference<Value>) {
      // With a pace, the value that the view shows changes later than the atom does.
      let atom = ObjectIdentifier(reference.followed)
      let former = followed.withLock { $0 }
      if let former, former.atom == atom, former.store == reference.store { return }
      former?.token.cancel()
      let token = reference.store.core.observations.observe(
        self, id: ObservationID(atom, of: atom, CallSite(fileID: #fileID, line: #line, column: #column)),
        on: MainActor.shared, calledOn: MainActor.shared,
        {
          let values = reference.store.subscription(to: reference.followed, .bufferingNewest(1))
          // The view is about to be drawn with this value or a later one.
          _ = values.takeAccepted()
          return values
        }
      ) { redraw, _ in redraw.registrar.withMutation(of: redraw, keyPath: \.changes) {} }
      followed.withLock { $0 = Followed(atom: atom, store: reference.store, token: token) }
    }
  }
#endif
