import ActorStoreEvents

/// The screens of the app: the list, and the screen of an item, which opens on top of it.
enum TodoRoute: Routable {
  static let tabs: [TodoRoute] = [.list]

  case list
  case item(Int)
}
