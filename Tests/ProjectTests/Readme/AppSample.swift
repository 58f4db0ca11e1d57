import ActorStore
import Atoms

#if canImport(SwiftUI)
  import SwiftUI
#endif

extension Readme {
  struct ShopView: View {
    let shop: Store<Shop>
    let left: ObservableValue<Int>  // Create it once, next to the store: shop.select(\.left).observable(initial: 0)
    @UseAtom(countAtom) var count
    @UseAtomValue(totalAtom) var total

    var body: some View {
      Text("Tickets left: \(left.value)")
      Button("Add ten") { shop.send { $0.left += 10 } }  // A closure is an action, too.
      Button("\(count) tickets cost \(total)") { count += 1 }
    }
  }
}
