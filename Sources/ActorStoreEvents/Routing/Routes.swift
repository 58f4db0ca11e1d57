/// The navigation of an app as a value: tabs with a stack of routes each, and sheets above them.
///
/// ```swift
/// struct App: EventDriven {
///   enum Event: Sendable { case routes(Routes<Page>.Event), loggedIn }
///
///   static let routes = Forwarding(to: \App.routes) { event in
///     if case .routes(let event) = event { event } else { nil }
///   }
///
///   var routes = Routes<Page>()
///   ...
/// }
///
/// store.send(.routes(.push(.todo(7))))
/// ```
///
/// Changes apply to the topmost stack: that of the last sheet, or without sheets that of the selected tab. Each change
/// is a method, which tells whether it had an effect, and an event. A ``Router`` refuses an event that would have no
/// effect, so its caller is told, too.
public struct Routes<Route: Routable>: Hashable, Sendable {
  /// A tab, which is identified by its initial root.
  public struct Tab: Hashable, Sendable, Identifiable {
    /// The route that identifies the tab.
    public let id: Route
    /// The routes of the tab.
    public internal(set) var stack: RouteStack<Route>
  }

  /// A sheet above the tabs and other sheets.
  public struct Sheet: Hashable, Sendable {
    /// The routes of the sheet.
    public internal(set) var stack: RouteStack<Route>
    /// The event that a rule redirected to this sheet, and that ``Routes/Event/resumed`` applies.
    public internal(set) var target: Event?
  }

  /// A question that a rule asks before an event.
  public struct Question: Hashable, Sendable {
    /// The question.
    public let text: String
    /// The event that follows if the answer is yes.
    public let event: Event

    /// Creates a question.
    ///
    /// - Parameters:
    ///   - text: The question.
    ///   - event: The event that follows if the answer is yes.
    public init(_ text: String, _ event: Event) { (self.text, self.event) = (text, event) }
  }

  /// The tabs, in order.
  public internal(set) var tabs: [Tab]
  /// The ID of the selected tab.
  public internal(set) var selectedTab: Route
  /// The sheets, of which the last is at the top.
  public internal(set) var sheets: [Sheet] = []
  /// The question of a rule that waits for an answer.
  public internal(set) var question: Question?

  /// Creates the initial routes: the roots of all tabs.
  public init() {
    tabs = Route.tabs.map { Tab(id: $0, stack: RouteStack($0)) }
    guard let first = tabs.first, Set(Route.tabs).count == tabs.count else {
      preconditionFailure(
        "ActorStoreEvents: the tabs of \(Route.self) are \(Route.tabs). Declare at least one tab, and no tab twice.")
    }
    selectedTab = first.id
  }

  /// The topmost stack.
  public internal(set) var stack: RouteStack<Route> {
    get { sheets.last?.stack ?? tabs[selectedIndex].stack }
    _modify {
      if sheets.isEmpty { yield &tabs[selectedIndex].stack } else { yield &sheets[sheets.count - 1].stack }
    }
  }

  /// The route at the top, which is the page to show.
  public var current: Route { stack.top }

  private var selectedIndex: Int {
    guard let index = tabs.firstIndex(where: { $0.id == selectedTab }) else {
      preconditionFailure("ActorStoreEvents: the selected tab does not exist. This is a bug in ActorStoreEvents.")
    }
    return index
  }
}

extension Routes: Codable where Route: Codable {
  private enum Key: CodingKey {
    case tabs, selectedTab, sheets, question
  }

  /// Decodes routes.
  ///
  /// - Throws: An error if the tabs are not those of ``Routable/tabs``, or if the selected one does not exist.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    tabs = try values.decode([Tab].self, forKey: .tabs)
    selectedTab = try values.decode(Route.self, forKey: .selectedTab)
    sheets = try values.decode([Sheet].self, forKey: .sheets)
    question = try values.decodeIfPresent(Question.self, forKey: .question)
    if tabs.map(\.id) != Route.tabs || !Route.tabs.contains(selectedTab) {
      throw DecodingError.dataCorruptedError(
        forKey: .tabs, in: values,
        debugDescription: "the tabs are \(tabs.map(\.id)) with \(selectedTab) selected, but must be \(Route.tabs)")
    }
  }

  /// Encodes the routes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(tabs, forKey: .tabs)
    try values.encode(selectedTab, forKey: .selectedTab)
    try values.encode(sheets, forKey: .sheets)
    try values.encodeIfPresent(question, forKey: .question)
  }
}
extension Routes.Tab: Codable where Route: Codable {}
extension Routes.Sheet: Codable where Route: Codable {}
extension Routes.Question: Codable where Route: Codable {}
