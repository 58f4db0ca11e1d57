#if canImport(SwiftUI)
  import ActorStore
  import ActorStoreEvents
  import SwiftUI

  struct PlannerView: View {
    let store: Store<Planner>
    let planner: ObservableValue<Planner>

    /// The path of a tab, of which each push and pop in SwiftUI becomes an event.
    func path(of tab: Place) -> Binding<[Place]> {
      let path = planner.value.routes.stack(ofTab: tab)?.path ?? []
      return Binding {
        path
      } set: { newPath in
        store.send(.routes(.setTabPath(tab, newPath)))
      }
    }

    /// The topmost sheet, of which a dismissal in SwiftUI becomes an event.
    var sheet: Binding<Routes<Place>.Sheet?> {
      let sheet = planner.value.routes.sheets.last
      return Binding {
        sheet
      } set: { newSheet in
        if newSheet == nil, let sheet { store.send(.routes(.dismissSheet(sheet.id))) }
      }
    }

    var body: some View {
      NavigationStack(path: path(of: .list)) {
        Text(planner.value.page(at: .list))
          .navigationDestination(for: Place.self) { place in Text(planner.value.page(at: place)) }
      }
      .sheet(item: sheet) { sheet in
        Text(planner.value.page(at: sheet.stack.top)).interactiveDismissDisabled(sheet.target != nil)
      }
    }
  }
#endif
