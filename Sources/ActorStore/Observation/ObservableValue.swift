public import Observation

/// A mirror of a store, or of a value selected from it, on the main actor, for views and other code that reads
/// synchronously.
///
/// ```swift
/// struct CounterView: View {
///   let store: Store<Counter>
///   let counter: ObservableValue<Counter>  // created once, next to the store
///
///   var body: some View {
///     Button("\(counter.value.count)") { store.send(Increment()) }
///   }
/// }
/// ```
///
/// `value` follows the commits as soon as the main actor is free. It never goes back to an earlier state, and it ends
/// on the last one. From a burst of commits, it may show only the last. SwiftUI, `withObservationTracking`, and
/// `Observations` notice each change. The mirror does not keep the store alive. When the store is closed or
/// deallocated, the last value remains.
@MainActor @Observable public final class ObservableValue<Value: Sendable> {
  /// The state, or the selected value, as last seen by the main actor.
  public private(set) var value: Value
  @ObservationIgnored private var token: ObservationToken?

  /// - Parameter current: The first value of the subscription, or an older one if that is not known yet.
  init(_ observations: ObservationRegistry, _ subscription: Subscription<Value>, _ current: Value) {
    value = current
    let actor = MainActor.shared
    let id = ObservationID(nil, of: OfMirror(), CallSite(fileID: #fileID, line: #line, column: #column))
    token = observations.observe(self, id: id, on: actor, calledOn: actor, { subscription }, { $0.value = $1 })
  }

  deinit {
    token?.cancel()
  }
}
