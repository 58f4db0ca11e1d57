/// A place in an app, such as a page.
///
/// ```swift
/// enum Page: Routable {
///   static let tabs: [Page] = [.todos, .settings]
///
///   case todos, todo(Int), settings, login
///
///   var parent: Page? { if case .todo = self { .todos } else { nil } }
/// }
/// ```
public protocol Routable: Hashable, Sendable {
  /// The roots of the tabs, of which the first is selected initially.
  ///
  /// They are different. An app without tabs has one.
  static var tabs: [Self] { get }

  /// The route below this one when it is opened by a link, or `nil` if it is opened above the current tab's root.
  var parent: Self? { get }
}

extension Routable {
  /// No parent.
  public var parent: Self? { nil }
}
