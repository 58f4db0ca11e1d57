import ActorStoreEvents
import Foundation
import SeededRandom
import Testing

@Suite struct RoutesTests {
  /// The routes as plain arrays of pages, each with its root.
  private struct Model {
    var tabs: [[Page]] = [[.todos], [.settings]]
    var selected = 0
    var sheets: [[Page]] = []

    var stack: [Page] {
      get { sheets.last ?? tabs[selected] }
      set { if sheets.isEmpty { tabs[selected] = newValue } else { sheets[sheets.count - 1] = newValue } }
    }
  }

  private static func randomPage(_ random: inout SplitMix64) -> Page {
    switch random.below(6) {
    case 0: .todos
    case 1: .settings
    case 2: .login
    case 3: .edit(random.below(3))
    default: .todo(random.below(3))
    }
  }

  /// Makes a random change of both, and compares what the change returns.
  private static func change(_ routes: inout Routes<Page>, _ model: inout Model, _ random: inout SplitMix64) {
    let page = randomPage(&random)
    let (before, isAtRoot) = (model.stack, model.stack.count == 1)
    switch random.below(12) {
    case 0, 1:
      routes.push(page)
      model.stack.append(page)
    case 2:
      #expect(routes.pop() == (isAtRoot ? nil : before.last))
      if !isAtRoot { model.stack.removeLast() }
    case 3:
      let index = before.lastIndex(of: page)
      #expect(routes.pop(to: page) == (index != nil))
      if let index { model.stack = Array(before[...index]) }
    case 4:
      #expect(routes.popToRoot() == Array(before.dropFirst()))
      model.stack = [before[0]]
    case 5:
      routes.replace(with: page)
      model.stack[before.count - 1] = page
    case 6:
      routes.present(page)
      model.sheets.append([page])
    case 7, 8:
      #expect(routes.dismiss() == model.sheets.last?[0])
      _ = model.sheets.popLast()
    case 9:
      let index = Page.tabs.firstIndex(of: page)
      #expect(routes.select(tab: page) == (index != nil))
      if let index { model.selected = index }
    case 10:
      let path = (0..<random.below(3)).map { _ in randomPage(&random) }
      routes.setPath(path)
      model.stack = [before[0]] + path
    default:
      routes.open(page)
      model.sheets = []
      switch page {
      case .todos: (model.selected, model.tabs[0]) = (0, [.todos])
      case .settings: (model.selected, model.tabs[1]) = (1, [.settings])
      case .todo: (model.selected, model.tabs[0]) = (0, [.todos, page])
      case .edit(let id): (model.selected, model.tabs[0]) = (0, [.todos, .todo(id), page])
      default: model.stack = [model.stack[0], page]
      }
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>) func e15_changesAreThoseOfPlainArrays(_ seed: UInt64) {
    var (random, routes, model) = (SplitMix64(seed), Routes<Page>(), Model())
    for _ in 0..<10_000 {
      Self.change(&routes, &model, &random)
      let tabs = routes.tabs.map { [$0.stack.root] + $0.stack.path }
      let sheets = routes.sheets.map { [$0.stack.root] + $0.stack.path }
      guard tabs == model.tabs, sheets == model.sheets, routes.current == model.stack.last,
        routes.selectedTab == Page.tabs[model.selected]
      else {
        Issue.record("\(routes) is not \(model)")
        return
      }
    }
  }

  @Test func e15_aRootIsNotPopped() {
    var routes = Routes<Page>()
    #expect(routes.pop() == nil)
    routes.push(.todo(1))
    #expect(routes.pop() == .todo(1))
    routes.present(.login)
    #expect(routes.pop() == nil)
    #expect(routes.current == .login)
  }

  @Test func e15_eventsAreTheChanges() {
    var routes = Routes<Page>()
    for event: Routes<Page>.Event in [
      .push(.todo(1)), .push(.edit(1)), .pop, .push(.edit(1)), .popTo(.todo(1)), .replace(.todo(2)),
      .present(.login), .push(.settings), .popToRoot, .dismiss, .selectTab(.settings), .setPath([.login]),
    ] {
      routes.react(to: event)
    }
    #expect(routes.tabs.map(\.stack.path) == [[.todo(2)], [.login]])
    #expect(routes.current == .login)
    routes.react(to: .open(.edit(3)))
    #expect(routes.tabs[0].stack.path == [.todo(3), .edit(3)])
    #expect(routes.selectedTab == .todos)
  }

  @Test func e15_routesAreCodable() throws {
    var routes = Routes<Page>()
    routes.react(to: .open(.edit(3)))
    routes.react(to: .redirected(to: .login, .open(.todo(7))))
    routes.present(.settings)
    let data = try JSONEncoder().encode(routes)
    #expect(try JSONDecoder().decode(Routes<Page>.self, from: data) == routes)
    let text = String(decoding: data, as: UTF8.self)
    let foreign = text.replacing(#""selectedTab":{"todos":{}}"#, with: #""selectedTab":{"login":{}}"#)
    #expect(foreign != text)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Routes<Page>.self, from: Data(foreign.utf8)) }
  }

  private enum Looped: Routable {
    static let tabs: [Looped] = [.home]
    case home, a, b
    var parent: Looped? { self == .a ? .b : self == .b ? .a : nil }
  }

  @Test func e15_parentsThatRepeatEnd() {
    var routes = Routes<Looped>()
    routes.open(.a)
    #expect(routes.stack.path == [.b, .a])
  }

  private enum Twice: Routable {
    static let tabs: [Twice] = [.one, .one]
    case one
  }

  @Test func e15_tabsAreDifferent() async {
    await #expect(processExitsWith: .failure) { _ = Routes<Twice>() }
  }
}
