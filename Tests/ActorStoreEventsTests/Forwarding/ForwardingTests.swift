import ActorStoreEvents
import Testing

@Suite struct ForwardingTests {
  /// A parent whose children can refuse events.
  private struct Bank: EventDriven, Equatable {
    enum Failure: Error, Equatable { case overdrawn(Int), noAccount(String) }
    enum Event: Sendable { case main(Account.Event), named(String, Account.Event), all(Account.Event) }

    static let main = Forwarding(
      to: \Bank.main, missing: .created, failure: { .overdrawn($0.amount) }
    ) { event in
      if case .main(let event) = event { event } else { nil }
    }

    static let named = Forwarding(
      to: \Bank.named, missing: .refused { .noAccount($0) }, failure: { .overdrawn($0.amount) }
    ) { event in
      switch event {
      case .named(let name, let event): .one(name, event)
      case .all(let event): .all(event)
      case .main: nil
      }
    }

    var main: Account?
    var named: [String: Account] = [:]

    mutating func react(to event: Event) throws(Failure) {
      try Self.main.forward(event, to: &self)
      try Self.named.forward(event, to: &self)
    }
  }

  /// The parent is unchanged, even if it catches the error.
  @Test func e4_aChildRefusesAnEvent() throws {
    var bank = Bank(named: ["a": Account(balance: 5), "b": Account(balance: 1)])
    #expect(throws: Bank.Failure.overdrawn(2)) { try bank.react(to: .named("b", .withdrew(3))) }
    #expect(throws: Bank.Failure.overdrawn(2)) { try bank.react(to: .all(.withdrew(3))) }
    #expect(throws: Bank.Failure.noAccount("c")) { try bank.react(to: .named("c", .deposited(1))) }
    #expect(throws: Bank.Failure.overdrawn(1)) { try bank.react(to: .main(.withdrew(1))) }
    #expect(bank == Bank(named: ["a": Account(balance: 5), "b": Account(balance: 1)]))
    try bank.react(to: .main(.deposited(7)))
    try bank.react(to: .all(.withdrew(1)))
    #expect(bank == Bank(main: Account(balance: 7), named: ["a": Account(balance: 4), "b": Account(balance: 0)]))
  }

  /// Otherwise, no later event would reach the child, and each would create another one.
  @Test func e5_aCreatedChildHasTheIDOfTheEvent() async {
    await #expect(processExitsWith: .failure) {
      var state = Counters()
      try Self.rule(\.array, missing: .created).forward(.one("a", 1), to: &state)
    }
  }

  private struct Counter: EventDriven, Equatable, Identifiable {
    var id = "new"
    var count = 0
    mutating func react(to event: Int) { count += event }
  }

  private struct Counters: EventDriven, Equatable {
    struct Missing: Error, Equatable { let text: String }
    enum Event: Sendable { case one(String, Int), all(Int), other }
    typealias Failure = Missing

    var dictionary: [String: Counter] = [:]
    var array: [Counter] = []
    var only = Counter()
    var optional: Counter?
  }

  private static func rule<Children: KeyedCollection<String, Counter>>(
    _ children: any WritableKeyPath<Counters, Children> & Sendable,
    missing: Forwarding<Counters, String, Counter>.Missing = .ignored
  ) -> Forwarding<Counters, String, Counter> {
    Forwarding(to: children, missing: missing) { event in
      switch event {
      case .one(let key, let event): .one(key, event)
      case .all(let event): .all(event)
      case .other: nil
      }
    }
  }

  @Test func e4_oneElementOfAnArrayReacts() throws {
    var state = Counters(array: [Counter(id: "a"), Counter(id: "b")])
    let rule = Self.rule(\.array)
    #expect(try rule.forward(.one("b", 2), to: &state))
    #expect(state.array == [Counter(id: "a"), Counter(id: "b", count: 2)])
    #expect(try rule.forward(.all(1), to: &state))
    #expect(state.array.map(\.count) == [1, 3])
    #expect(try !rule.forward(.other, to: &state))
    #expect(try rule.forward(.one("c", 1), to: &state))
    #expect(state.array.map(\.count) == [1, 3])
  }

  @Test func e4_oneValueOfADictionaryReacts() throws {
    var state = Counters(dictionary: ["a": Counter(), "b": Counter()])
    let rule = Self.rule(\.dictionary)
    try rule.forward(.one("b", 2), to: &state)
    try rule.forward(.all(1), to: &state)
    try rule.forward(.one("c", 1), to: &state)
    #expect(state.dictionary.mapValues(\.count) == ["a": 1, "b": 3])
  }

  @Test func e5_aMissingChildIsCreated() throws {
    var state = Counters()
    try Self.rule(\.dictionary, missing: .created).forward(.one("a", 2), to: &state)
    #expect(state.dictionary == ["a": Counter(id: "new", count: 2)])
    try Self.rule(\.array, missing: .created { Counter(id: $0) }).forward(.one("x", 3), to: &state)
    #expect(state.array == [Counter(id: "x", count: 3)])
  }

  @Test func e5_anEventForAMissingChildIsRefused() {
    var state = Counters()
    let rule = Self.rule(
      \.dictionary, missing: .refused { Counters.Missing(text: $0) })
    #expect(throws: Counters.Missing(text: "a")) {
      try rule.forward(.one("a", 2), to: &state)
    }
    #expect(state == Counters())
  }

  @Test func e4_aChildWithoutSiblingsReacts() throws {
    var state = Counters()
    let event: @Sendable (Counters.Event) -> Int? = { if case .all(let event) = $0 { event } else { nil } }
    try Forwarding(to: \Counters.only, event).forward(.all(2), to: &state)
    #expect(state.only.count == 2)
    try Forwarding(to: \Counters.optional, event).forward(.all(2), to: &state)
    #expect(state.optional == nil)
    try Forwarding(to: \Counters.optional, missing: .created, event).forward(.all(2), to: &state)
    #expect(state.optional?.count == 2)
    try Forwarding(to: \Counters.optional, event).forward(.all(3), to: &state)
    #expect(state.optional?.count == 5)
  }

  /// A child with an array, whose storage a copy would share.
  private struct Log: EventDriven, Identifiable {
    var id = ""
    var entries: [Int] = []
    mutating func react(to event: Int) { entries[0] += event }

    /// The address of the storage, which changes when the storage is copied.
    var address: UnsafeRawPointer? { entries.withUnsafeBytes { $0.baseAddress } }
  }

  private struct Logs: EventDriven {
    enum Event: Sendable { case one(String, Int), all(Int) }

    var array: [Log]
    var identified: IdentifiedArray<Log>
    var dictionary: [String: Log]

    init() { self.init(count: 0) }

    init(count: Int) {
      // A literal array could be a constant, which the first edit copies.
      func logs() -> [Log] {
        (0..<count).map { Log(id: "\($0)", entries: Array(repeating: 0, count: $0 % 3 + 1)) }
      }
      (array, identified) = (logs(), IdentifiedArray(uniqueElements: logs()))
      dictionary = Dictionary(uniqueKeysWithValues: logs().map { ($0.id, $0) })
    }
  }

  /// The storage of the collection and that of each child stay where they are, so nothing is copied.
  private func expectNoCopy<Children: KeyedCollection<String, Log>>(
    _ children: any WritableKeyPath<Logs, Children> & Sendable, _ addresses: (Children) -> [UnsafeRawPointer?]
  ) {
    var state = Logs(count: 100)
    let rule = Forwarding(to: children) { event in
      switch event {
      case .one(let id, let amount): .one(id, amount)
      case .all(let amount): .all(amount)
      }
    }
    let before = addresses(state[keyPath: children])
    rule.forward(.one("50", 1), to: &state)
    rule.forward(.all(2), to: &state)
    let isCopied = addresses(state[keyPath: children]) != before
    #expect(!isCopied)
    #expect(state[keyPath: children][key: "50"]?.entries[0] == 3)
    #expect(state[keyPath: children][key: "51"]?.entries[0] == 2)
  }

  @Test func e4_nothingIsCopied() {
    expectNoCopy(\.array) { array in array.withUnsafeBytes { [$0.baseAddress] } + array.map(\.address) }
    expectNoCopy(\.identified) { array in
      array.elements.withUnsafeBytes { [$0.baseAddress] } + array.map(\.address)
    }
    expectNoCopy(\.dictionary) { dictionary in (0..<100).map { dictionary["\($0)"]?.address } }
  }
}
