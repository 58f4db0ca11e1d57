import ActorStore
public import Observation

/// A mirror on the main actor of an atom's value, for views and other code that reads synchronously.
///
/// ```swift
/// struct CountView: View {
///   @State private var count = AtomModel(countAtom)
///
///   var body: some View { Text("\(count.value)") }
/// }
/// ```
///
/// `value` follows the atom whenever the main actor is free. It never goes back to an earlier value, and it ends on the
/// last one. After several changes in a burst, it may show only the last. SwiftUI, `withObservationTracking`, and
/// `Observations` notice each change. The atom is in use while the mirror exists. When its last use ends, the store
/// resets the value, even if code has set it (A30 in <doc:AtomPromises>). The mirror does not keep the store alive.
@MainActor @Observable public final class AtomModel<Value: Sendable> {
  /// The latest value that the mirror has received.
  public private(set) var value: Value
  @ObservationIgnored private var token: ObservationToken?

  /// Creates a mirror of an atom.
  ///
  /// - Parameters:
  ///   - atom: The atom to mirror.
  ///   - store: The store with the value, or `nil` for the current one.
  public init(_ atom: some ReadableAtom<Value>, in store: AtomStore? = nil) {
    let store = store ?? .current
    value = store.get(atom)
    token = store.observe(self, atom, bufferingPolicy: .bufferingNewest(1)) { model, value in model.value = value }
  }

  deinit { token?.cancel() }
}
