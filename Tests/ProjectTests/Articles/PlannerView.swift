#if canImport(SwiftUI)
  import ActorStore
  import ActorStoreEvents
  import SwiftUI

  struct PlannerView: View {
    let store: Store<Planner>
    let planner: ObservableValue<Planner>

    /// What SwiftUI pops or pushes becomes an event, and what the store changes appears in SwiftUI.
    var path: Binding<[Place]> {
      let path = planner.value.routes.stack.path
      return Binding {
        path
      } set: { newPath in
        store.send(.routes(.setPath(newPath)))
      }
    }

    var body: some View {
      NavigationStack(path: path) {
        Text("Todos")
          .navigationDestination(for: Place.self) { _ in Text(planner.value.page) }
      }
    }
  }
#endif
