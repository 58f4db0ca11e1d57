import ActorStore

#if canImport(SwiftUI)
  import SwiftUI
#endif

struct AccountView: View {
  let store: Store<Account>
  let balance: ObservableValue<Int>  // The balance on the main actor. Create it once, next to the store.

  var body: some View {
    VStack {
      Text("Balance: \(balance.value)")
      Button("Deposit 10") { store.send(Deposit(amount: 10)) }
    }
  }
}
