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
  /// The roots of the tabs, starting with the tab that is selected initially.
  ///
  /// The roots must be distinct. An app without tabs has one root.
  static var tabs: [Self] { get }

  /// The route below this one when a link opens it, or `nil` if it opens above the root of the selected tab.
  var parent: Self? { get }
}

extension Routable {
  /// No parent.
  public var parent: Self? { nil }
}
