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
/// A rule is a value, so the stream of a child's events uses the same one as `react`. Other children are neither touched
/// nor copied.
public struct Forwarding<Parent: EventDriven, Key: Hashable & Sendable, Child: EventDriven>: Sendable {
  /// The children that get an event, and the event that they get.
  public enum Recipient: Sendable {
    /// One child.
    case one(Key, Child.Event)
    /// All children, in order.
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

  init(
    _ place: ChildPlace<Parent, Key, Child>,
    _ missing: Missing,
    _ recipient: @escaping @Sendable (Parent.Event) -> Recipient?,
    failure: @escaping @Sendable (Child.Failure) -> Parent.Failure
  ) {
    (self.place, self.missing, self.recipient, self.failure) = (place, missing, recipient, failure)
  }

  /// Lets the children react that an event is for.
  ///
  /// - Parameters:
  ///   - event: An event of the parent.
  ///   - parent: The parent.
  /// - Returns: Whether the rule applies to the event.
  @discardableResult
  public func forward(_ event: Parent.Event, to parent: inout Parent) throws(Parent.Failure) -> Bool {
    guard let recipient = recipient(event) else { return false }
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
    if let error { throw failure(error) }
    return true
  }
}

extension Forwarding where Child.Failure == Never {
  /// Creates a rule for children that refuse no event.
  ///
  /// - Parameters:
  ///   - place: The place of the children in the parent.
  ///   - missing: The effect of an event for a child that is missing.
  ///   - recipient: Returns the children that get an event, or `nil` if the event is not for them.
  public init(
    to place: ChildPlace<Parent, Key, Child>,
    missing: Missing = .ignored,
    _ recipient: @escaping @Sendable (Parent.Event) -> Recipient?
  ) {
    self.init(place, missing, recipient) { error -> Parent.Failure in }
  }
}

extension Forwarding where Child.Failure == Parent.Failure {
  /// Creates a rule for children whose errors are errors of the parent.
  @_disfavoredOverload
  public init(
    to place: ChildPlace<Parent, Key, Child>,
    missing: Missing = .ignored,
    _ recipient: @escaping @Sendable (Parent.Event) -> Recipient?
  ) {
    self.init(place, missing, recipient) { $0 }
  }
}

extension Forwarding where Key == OnlyChild, Child.Failure == Never {
  /// Creates a rule for a child that refuses no event and has no siblings.
  ///
  /// - Parameters:
  ///   - place: The place of the child in the parent.
  ///   - missing: The effect of an event if the child is missing.
  ///   - event: Returns the child's event, or `nil` if the event is not for the child.
  public init(
    to place: ChildPlace<Parent, Key, Child>,
    missing: Missing = .ignored,
    _ event: @escaping @Sendable (Parent.Event) -> Child.Event?
  ) {
    self.init(to: place, missing: missing) { (parent) -> Recipient? in event(parent).map { .one(OnlyChild(), $0) } }
  }
}
