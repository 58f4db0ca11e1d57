/// A rule that forwards events of a parent state to one of its children, or to several.
///
/// ```swift
/// struct App: EventDriven {
///   enum Event: Sendable { case added(String), todo(Int, Todo.Event) }
///
///   static let todo = Forwarding<App, Int, Todo>(to: .elements(of: \.todos)) { event in
///     if case .todo(let id, let event) = event { .one(id, event) } else { nil }
///   }
///
///   var todos: IdentifiedArray<Todo> = []
///
///   mutating func react(to event: Event) {
///     switch event {
///     case .added(let name): todos.append(Todo(id: todos.count, name: name))
///     case .todo: Self.todo.forward(event, to: &self)
///     }
///   }
/// }
/// ```
///
/// A rule is a value, so the stream of a child's events uses the same one as `react`. Other children are neither
/// touched nor copied.
public struct Forwarding<Parent: EventDriven, Key: Hashable & Sendable, Child: EventDriven>: Sendable {
  /// The children that get an event, and the event that they get.
  public enum Recipient: Sendable {
    /// One child.
    case one(Key, Child.Event)
    /// All children, in the order of their collection.
    case all(Child.Event)
  }

  /// The effect of an event for a child that is missing.
  public struct Missing: Sendable {
    enum Effect: Sendable {
      case ignored
      case created(@Sendable (Key) -> Child)
      case refused(@Sendable (Key) -> Parent.Failure)
    }

    let effect: Effect

    /// The event has no effect.
    public static var ignored: Self { Self(effect: .ignored) }
    /// The child is created by its `init()`, and then gets the event.
    public static var created: Self { created { _ in Child() } }
    /// The child is created by a closure, and then gets the event.
    ///
    /// - Parameter child: A closure that creates the child for a key.
    public static func created(by child: @escaping @Sendable (_ key: Key) -> Child) -> Self {
      Self(effect: .created(child))
    }
    /// The parent refuses the event with an error.
    ///
    /// - Parameter error: A closure that returns the error, given the key of the child.
    public static func refused(_ error: @escaping @Sendable (_ key: Key) -> Parent.Failure) -> Self {
      Self(effect: .refused(error))
    }
  }

  let place: ChildPlace<Parent, Key, Child>
  let missing: Missing
  let recipient: @Sendable (Parent.Event) -> Recipient?
  /// Returns the parent's error for an error of a child.
  let failure: @Sendable (Child.Failure) -> Parent.Failure

  /// Passes an event to the children that it is for.
  ///
  /// - Parameters:
  ///   - event: An event of the parent.
  ///   - parent: The parent.
  /// - Returns: Whether the rule applies to the event.
  /// - Throws: The parent's error, if a child refuses the event, or if the child is missing and the rule refuses the
  ///   event. The parent remains unchanged.
  @discardableResult
  public func forward(_ event: Parent.Event, to parent: inout Parent) throws(Parent.Failure) -> Bool {
    guard let recipient = recipient(event) else { return false }
    // A copy that a rule for children that refuse no event does not need.
    let before = Child.Failure.self == Never.self ? nil : parent
    var error: Child.Failure?
    func react(_ child: inout Child, _ event: Child.Event) {
      if error != nil { return }
      do throws(Child.Failure) { try child.react(to: event) } catch let thrown { error = thrown }
    }
    switch recipient {
    case .all(let event): place.updateAll(&parent) { react(&$0, event) }
    case .one(let key, let event):
      if !place.update(&parent, key, { react(&$0, event) }) {
        switch missing.effect {
        case .ignored: break
        case .refused(let error): throw error(key)
        case .created(let create):
          var child = create(key)
          react(&child, event)
          if error == nil { place.insert(&parent, key, child) }
        }
      }
    }
    if let error {
      if let before { parent = before }
      throw failure(error)
    }
    return true
  }
}
