import ActorStoreEvents

/// The screens of the app: the list, and an item that opens above it.
enum TodoRoute: Routable {
  static let tabs: [TodoRoute] = [.list]

  case list
  case item(Int)
}
