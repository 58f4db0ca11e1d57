/// Rules for children with siblings, or that can be missing.
extension Forwarding {
  /// Creates a rule for children with errors of their own.
  ///
  /// - Parameters:
  ///   - place: The place of the children in the parent.
  ///   - missing: The effect of an event for a child that is missing.
  ///   - failure: Returns the parent's error for an error of a child.
  ///   - recipient: Returns the children that get an event, or `nil` if the event is not for them.
  public init(
    to place: ChildPlace<Parent, Key, Child>,
    missing: Missing = .ignored,
    failure: @escaping @Sendable (Child.Failure) -> Parent.Failure,
    _ recipient: @escaping @Sendable (Parent.Event) -> Recipient?
  ) {
    (self.place, self.missing, self.recipient, self.failure) = (place, missing, recipient, failure)
  }

  /// Creates a rule for children whose errors are errors of the parent.
  ///
  /// - Parameters:
  ///   - place: The place of the children in the parent.
  ///   - missing: The effect of an event for a child that is missing.
  ///   - recipient: Returns the children that get an event, or `nil` if the event is not for them.
  @_disfavoredOverload
  public init(
    to place: ChildPlace<Parent, Key, Child>,
    missing: Missing = .ignored,
    _ recipient: @escaping @Sendable (Parent.Event) -> Recipient?
  ) where Child.Failure == Parent.Failure {
    self.init(to: place, missing: missing, failure: { $0 }, recipient)
  }

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
  ) where Child.Failure == Never {
    self.init(to: place, missing: missing, failure: { error -> Parent.Failure in }, recipient)
  }
}

/// Rules for a child without siblings.
extension Forwarding where Key == OnlyChild {
  /// Creates a rule for a child with errors of its own.
  ///
  /// - Parameters:
  ///   - place: The place of the child in the parent.
  ///   - missing: The effect of an event if the child is missing.
  ///   - failure: Returns the parent's error for an error of the child.
  ///   - event: Returns the child's event, or `nil` if the event is not for the child.
  public init(
    to place: ChildPlace<Parent, Key, Child>,
    missing: Missing = .ignored,
    failure: @escaping @Sendable (Child.Failure) -> Parent.Failure,
    _ event: @escaping @Sendable (Parent.Event) -> Child.Event?
  ) {
    self.init(to: place, missing: missing, failure: failure) { (parent) -> Recipient? in
      event(parent).map { .one(OnlyChild(), $0) }
    }
  }

  /// Creates a rule for a child whose errors are errors of the parent.
  ///
  /// - Parameters:
  ///   - place: The place of the child in the parent.
  ///   - missing: The effect of an event if the child is missing.
  ///   - event: Returns the child's event, or `nil` if the event is not for the child.
  @_disfavoredOverload
  public init(
    to place: ChildPlace<Parent, Key, Child>,
    missing: Missing = .ignored,
    _ event: @escaping @Sendable (Parent.Event) -> Child.Event?
  ) where Child.Failure == Parent.Failure {
    self.init(to: place, missing: missing, failure: { $0 }, event)
  }

  /// Creates a rule for a child that refuses no event.
  ///
  /// - Parameters:
  ///   - place: The place of the child in the parent.
  ///   - missing: The effect of an event if the child is missing.
  ///   - event: Returns the child's event, or `nil` if the event is not for the child.
  public init(
    to place: ChildPlace<Parent, Key, Child>,
    missing: Missing = .ignored,
    _ event: @escaping @Sendable (Parent.Event) -> Child.Event?
  ) where Child.Failure == Never {
    self.init(to: place, missing: missing, failure: { error -> Parent.Failure in }, event)
  }
}
