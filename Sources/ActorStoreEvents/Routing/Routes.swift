/// A value that holds the navigation of an app, with a stack of routes for each tab and each sheet.
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
/// Unless a change names a tab or a sheet, it applies to the topmost stack. This is the stack of the last sheet, or of
/// the selected tab if there are no sheets. Each change is available as a method and as an event. The result of the
/// method tells whether the change was possible. A ``Router`` vetoes an impossible event, so its caller finds out, too.
public struct Routes<Route: Routable>: Hashable, Sendable {
  /// A tab, which is identified by its initial root.
  public struct Tab: Hashable, Sendable, Identifiable {
    /// The route that identifies the tab.
    public let id: Route
    /// The routes of the tab.
    public internal(set) var stack: RouteStack<Route>
  }

  /// A sheet above the tabs and other sheets.
  public struct Sheet: Hashable, Sendable, Identifiable {
    /// A number that no other sheet has.
    public internal(set) var id: Int
    /// The routes of the sheet.
    public internal(set) var stack: RouteStack<Route>
    /// The event that a rule redirected to this sheet, which follows after ``Routes/Event/resumed``.
    public internal(set) var target: Event?
  }

  /// A question that a rule asks before an event.
  public struct Question: Hashable, Sendable {
    /// The question.
    public let text: String
    /// The event that follows if the answer is yes.
    public let event: Event
    /// The questions about the event that the user has already answered with yes.
    let agreed: [String]

    init(_ text: String, _ event: Event, agreed: [String] = []) {
      (self.text, self.event, self.agreed) = (text, event, agreed)
    }
  }

  /// The tabs, in order.
  public internal(set) var tabs: [Tab]
  /// The ID of the selected tab.
  public internal(set) var selectedTab: Route
  /// The sheets, of which the last is at the top.
  public internal(set) var sheets: [Sheet] = []
  /// The unanswered question of a rule, or `nil` if there is none.
  ///
  /// Any event other than an answer withdraws the question.
  public internal(set) var question: Question?
  /// The redirected event of the sheet that ``Event/resumed`` dismissed, until the next event.
  var continuing: Event?
  private var lastSheetID = 0

  /// Creates the initial routes: the roots of all tabs.
  public init() {
    tabs = Route.tabs.map { Tab(id: $0, stack: RouteStack($0)) }
    guard let first = tabs.first, Set(Route.tabs).count == tabs.count else {
      fatalError(
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

  mutating func addSheet(_ root: Route, target: Event? = nil) {
    lastSheetID += 1
    sheets.append(Sheet(id: lastSheetID, stack: RouteStack(root), target: target))
  }

  /// The stack of a tab, or `nil` if there is no such tab.
  ///
  /// - Parameter tab: The ID of the tab.
  public func stack(ofTab tab: Route) -> RouteStack<Route>? { tabs.first { $0.id == tab }?.stack }

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
    case tabs, selectedTab, sheets, lastSheetID, question, continuing
  }

  /// Decodes routes.
  ///
  /// If the last sheet ID is larger than 2^53, the sheets get new IDs.
  ///
  /// - Throws: An error if the tabs are not those of ``Routable/tabs``, if the selected one does not exist, or if the IDs
  ///   of the sheets are negative, repeated, or larger than the last one.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    tabs = try values.decode([Tab].self, forKey: .tabs)
    selectedTab = try values.decode(Route.self, forKey: .selectedTab)
    sheets = try values.decode([Sheet].self, forKey: .sheets)
    lastSheetID = try values.decode(Int.self, forKey: .lastSheetID)
    question = try values.decodeIfPresent(Question.self, forKey: .question)
    continuing = try values.decodeIfPresent(Event.self, forKey: .continuing)
    let ids = sheets.map(\.id)
    if Set(ids).count < ids.count || ids.contains(where: { !(0...max(0, lastSheetID) ~= $0) }) || lastSheetID < 0 {
      throw DecodingError.dataCorruptedError(
        forKey: .sheets, in: values,
        debugDescription: "the sheets have the IDs \(ids), and the last ID is \(lastSheetID)")
    }
    if tabs.map(\.id) != Route.tabs || !Route.tabs.contains(selectedTab) {
      throw DecodingError.dataCorruptedError(
        forKey: .tabs, in: values,
        debugDescription: "the tabs are \(tabs.map(\.id)) with \(selectedTab) selected, but must be \(Route.tabs)")
    }
    // Leave room for future sheets, so that these routes can be encoded and decoded again.
    if lastSheetID > Self.largestDecodedID {
      for index in sheets.indices { sheets[index].id = index + 1 }
      lastSheetID = sheets.count
    }
  }

  private static var largestDecodedID: Int { 1 << 53 }

  /// Encodes the routes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(tabs, forKey: .tabs)
    try values.encode(selectedTab, forKey: .selectedTab)
    try values.encode(sheets, forKey: .sheets)
    try values.encode(lastSheetID, forKey: .lastSheetID)
    try values.encodeIfPresent(question, forKey: .question)
    try values.encodeIfPresent(continuing, forKey: .continuing)
  }
}
extension Routes.Tab: Codable where Route: Codable {}
extension Routes.Sheet: Codable where Route: Codable {}
extension Routes.Question: Codable where Route: Codable {}
