import ActorStore
import ActorStoreTesting

#if canImport(SwiftUI)
  import SwiftUI
#endif

/// The examples in the article "Coming from The Composable Architecture".
struct ComingFromTCA {
  struct Feature: Equatable, Sendable {
    var count = 0
    var fact: String?
    var isLoading = false
  }

  struct IncrementButtonTapped: Mutation {
    func run(_ feature: inout Feature) {
      feature.count += 1
      feature.fact = nil
    }
  }

  struct FactButtonTapped: ActionGroup {
    let fact: @Sendable (Int) async throws -> String

    func run(with store: Store<Feature>) async throws {
      let count = try await store.dispatch { feature in
        feature.isLoading = true
        return feature.count
      }.get()
      // Sent, so that it also runs if the task is canceled.
      defer { store.send { $0.isLoading = false } }
      let fact = try await fact(count)
      try await store.dispatch { $0.fact = fact }.get()
    }
  }

  struct FeatureView: View {
    let store: Store<Feature>
    let count: ObservableValue<Int>

    var body: some View {
      VStack {
        Text("\(count.value)")
        Button("Increment") { store.send(IncrementButtonTapped()) }
      }
    }
  }

  func incrementing() async throws {
    let store = TestStore(Feature())
    await store.dispatch(IncrementButtonTapped()) { $0.count = 1 }
    try await store.finish()
  }

  /// Runs the group, and returns the state at its end.
  func askingForAFact() async throws -> Feature {
    let store = Store(Feature())
    try await store.dispatch(FactButtonTapped { "\($0) is even" })
    return try await store.select().first(within: .seconds(60)) { !$0.isLoading }
  }
}
