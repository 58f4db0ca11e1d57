public import Observation

/// A mirror on the main actor of a store's state, or of a value selected from it, for views and other code that reads
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
/// `value` follows the commits whenever the main actor is free. It never goes back to an earlier state, and it ends on
/// the last one. After a burst of commits, it may show only the last. SwiftUI, `withObservationTracking`, and
/// `Observations` notice each change. The mirror does not keep the store alive. When the store is closed or
/// deallocated, the last value remains.
@MainActor @Observable public final class ObservableValue<Value: Sendable> {
  /// The latest state, or selected value, that the mirror has received.
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
