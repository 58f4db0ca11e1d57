import Atoms
import Observation

/// A mirror of an atom on the main actor.
@MainActor final class ChaosModel {
  private let model: AtomModel<Int>
  private let isGrowing: Bool
  private var last: Int
  /// Reads the atom.
  let newest: @Sendable () -> Int
  /// The first value.
  let first: Int
  /// Whether nothing else uses the atom.
  let isOnlyUse: Bool

  init(_ atom: some ReadableAtom<Int>, in store: AtomStore, isGrowing: Bool = false, isOnlyUse: Bool = false) {
    model = AtomModel(atom, in: store)
    self.isGrowing = isGrowing
    self.isOnlyUse = isOnlyUse
    newest = { store.get(atom) }
    first = model.value
    last = first
  }

  /// Reads the mirror, and returns what is wrong.
  func problem() -> String? {
    let former = last
    last = model.value
    if !isGrowing { return nil }
    if last < former { return "a model: saw \(last) after \(former)" }
    let newest = newest()
    return last > newest ? "a model: saw \(last), but the atom has \(newest)" : nil
  }

  /// Waits until the mirror has the given value.
  func reaches(_ value: Int) async {
    while model.value != value {
      await withCheckedContinuation { change in
        withObservationTracking {
          _ = model.value
        } onChange: {
          // This runs before the change. The main actor completes the change before it continues here.
          change.resume()
        }
      }
    }
  }
}
