import ActorStore

struct Cart: Equatable, Sendable {
  var items: [String] = []
  var isPaid = false
}

struct Add: Mutation {
  let item: String
  func run(_ cart: inout Cart) -> Int {
    cart.items.append(item)
    return cart.items.count
  }
}

struct Declined: Error, Equatable {
  var code = 0
}

struct Pay: Action {
  var amount: Int
  func run(_ cart: inout Cart) async throws(Declined) {
    cart.isPaid = true
    if amount < cart.items.count { throw Declined(code: amount) }
  }
}

/// Dispatches a nested action, which is deferred.
struct AddTwice: Action {
  let store: Store<Cart>
  func run(_ cart: inout Cart) async {
    cart.items.append("first")
    await store.dispatch(Add(item: "second"))
  }
}

struct NoMilk: Guard {
  func veto<A: Action<Cart>>(_ action: A, state: Cart) -> Veto? {
    (action as? Add)?.item == "milk" ? Veto("no milk") : nil
  }
}

struct Restock: ActionGroup {
  func run(with store: Store<Cart>) async -> Int {
    await store.dispatch(Add(item: "a"))
    await store.dispatch { $0.isPaid = false }
    return 2
  }
}
