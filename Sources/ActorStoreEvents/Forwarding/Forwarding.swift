/// A rule that forwards events of a parent state to one or more of its children.
///
/// ```swift
/// struct App: EventDriven {
///   enum Event: Sendable { case added(String), todo(Int, Todo.Event) }
///
///   static let todo = Forwarding(to: \App.todos) { event in
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
/// A rule is a value, so a stream of a child's events uses the same rule as `react(to:)`. Children that do not get the
/// event are neither accessed nor copied.
///
/// If children can refuse events, the rule keeps a copy of the child until the child has reacted. For an event for all
/// children, it keeps a copy of the collection. Such a copy shares the collections that a child contains, so an event
/// for one of the child's own children copies their collection.
@frozen public struct Forwarding<Parent: EventDriven, Key: Hashable & Sendable, Child: EventDriven>: Sendable {
  /// The children that get an event, and the event that they get.
  @frozen public enum Recipient: Sendable {
    /// One child.
    case one(Key, Child.Event)
    /// All children, in the order of their collection.
    case all(Child.Event)
  }

  /// The effect of an event for a child that is missing.
  @frozen public struct Missing: Sendable {
    /// Returns a child to add, or `nil` if the event has no effect.
    @usableFromInline let child: @Sendable (Key) throws(Parent.Failure) -> Child?

    @inlinable
    init(_ child: @escaping @Sendable (Key) throws(Parent.Failure) -> Child?) { self.child = child }

    /// The event has no effect.
    @inlinable public static var ignored: Self { Self { _ in nil } }
    /// The child is created by its `init()`, and then gets the event.
    ///
    /// For a child with an ID, use ``created(by:)``, because the program stops if the child's ID differs from the
    /// event's.
    @inlinable public static var created: Self { created { _ in Child() } }
    /// The child is created by a closure, and then gets the event.
    ///
    /// - Parameter child: A closure that creates the child for a key.
    @inlinable public static func created(by child: @escaping @Sendable (_ key: Key) -> Child) -> Self {
      Self { key in child(key) }
    }
    /// The parent refuses the event with an error.
    ///
    /// - Parameter error: A closure that returns the error, given the key of the child.
    @inlinable public static func refused(_ error: @escaping @Sendable (_ key: Key) -> Parent.Failure) -> Self {
      Self { key throws(Parent.Failure) in throw error(key) }
    }
  }

  /// Returns a child, or `nil` if it is missing.
  @usableFromInline let find: @Sendable (Parent, Key) -> Child?
  @usableFromInline let recipient: @Sendable (Parent.Event) -> Recipient?
  @usableFromInline let pass: @Sendable (Recipient, inout Parent) throws(Parent.Failure) -> Void

  @inlinable
  init(
    recipient: @escaping @Sendable (Parent.Event) -> Recipient?,
    find: @escaping @Sendable (Parent, Key) -> Child?,
    pass: @escaping @Sendable (Recipient, inout Parent) throws(Parent.Failure) -> Void
  ) {
    (self.recipient, self.find, self.pass) = (recipient, find, pass)
  }

  /// Passes an event to its recipients.
  ///
  /// - Parameters:
  ///   - event: An event of the parent.
  ///   - parent: The parent.
  /// - Returns: Whether the rule applies to the event.
  /// - Throws: The parent's error, if a child refuses the event, or if the child is missing and the rule refuses the
  ///   event. The parent remains unchanged.
  @inlinable
  @discardableResult
  public func forward(_ event: Parent.Event, to parent: inout Parent) throws(Parent.Failure) -> Bool {
    guard let recipient = recipient(event) else { return false }
    try pass(recipient, &parent)
    return true
  }
}
