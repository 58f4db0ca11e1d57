/// An object that renders props, such as a view controller, a terminal screen, or the test double of either.
///
/// Props are the values that a view needs, and nothing else. A *transformer*, which is a `Selection`, computes them
/// from the state. A component knows neither the state nor the store:
///
/// ```swift
/// @MainActor final class CounterLabel: @MainActor Component {
///   var props = "0"
///   var connection: Connection?
///
///   func render() { print(props) }
/// }
///
/// let label = CounterLabel()
/// store.select(\.title).connect(label)
/// ```
///
/// The connection calls the component on the actor on which you called `connect`. To make an actor itself a component,
/// use ``ActorComponent``.
public protocol Component<Props>: AnyObject {
  /// The values that the component renders.
  associatedtype Props: Sendable

  /// The newest props.
  ///
  /// The connection sets them before it calls ``render()``. The initial value is used only if the first props are
  /// missing, as the argument of ``render(missing:)``.
  var props: Props { get set }

  /// The connection that sets the props.
  ///
  /// Declare it as a stored property. The connection ends when the component is deallocated, because nothing else
  /// retains it.
  var connection: Connection? { get set }

  /// Renders the props.
  func render()

  /// Shows that there are no props, because the transformer returned `nil`.
  ///
  /// The default implementation does nothing. The component then continues to show the last props. Implement the method
  /// in the class that declares the conformance, because an implementation only in a subclass is not called.
  ///
  /// - Parameter last: The last props.
  func render(missing last: Props)
}

extension Component {
  /// Keeps the last props.
  public func render(missing last: Props) {}
}

/// An actor that renders props.
///
/// For an object that is isolated to an actor, such as a view controller, use ``Component``.
public protocol ActorComponent<Props>: Actor {
  /// The values that the component renders.
  associatedtype Props: Sendable

  /// The newest props.
  var props: Props { get set }

  /// The connection that sets the props.
  ///
  /// Declare it as a stored property. The connection ends when the component is deallocated, because nothing else
  /// retains it.
  var connection: Connection? { get set }

  /// Renders the props.
  func render()

  /// Shows that there are no props, because the transformer returned `nil`.
  ///
  /// The default implementation does nothing. The component then continues to show the last props.
  ///
  /// - Parameter last: The last props.
  func render(missing last: Props)
}

extension ActorComponent {
  /// Keeps the last props.
  public func render(missing last: Props) {}
}
