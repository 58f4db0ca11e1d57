import ActorStore
import ActorStoreEvents
import ActorStoreEventsTesting
import ActorStoreHistory
import ActorStoreOptimistic
import ActorStoreTesting
import Atoms
import AtomsTesting
import Synchronization

// Makes many kinds of calls and checks their results, because code built in another mode must also run correctly.

struct Account: Equatable, Sendable {
  var balance = 0
}

struct Overdrawn: Error, Equatable {
  let missing: Int
}

struct Deposit: Mutation {
  let amount: Int
  func run(_ account: inout Account) { account.balance += amount }
}

struct Withdraw: Mutation {
  let amount: Int
  func run(_ account: inout Account) throws(Overdrawn) -> Int {
    account.balance -= amount
    if account.balance < 0 { throw Overdrawn(missing: -account.balance) }
    return account.balance
  }
}

struct AddInterest: Action {
  func run(_ account: inout Account) async {
    await Task.yield()
    account.balance += account.balance / 10
  }
}

struct PayDay: ActionGroup {
  func run(with store: Store<Account>) async -> Int {
    await store.dispatch(Deposit(amount: 1_000), returning: { $0.balance }).output ?? 0
  }
}

struct Limit: Guard {
  func veto<A: Action<Account>>(_ action: A, state: Account) -> Veto? {
    state.balance > 10_000 ? Veto("too rich") : nil
  }
}

actor Reader {
  private(set) var last = -1
  func follow(_ store: Store<Account>) {
    store.select(\.balance).observe(self) { $0.last = $1 }
  }
}

let digits = Selection(\Account.balance, \.balance.description.count) { balance, count in [balance, count] }
let decades = Selection.family { (size: Int) in Selection { (account: Account) in account.balance / size } }
let both = Selection.combine(digits.appending(\.count), decades(10).map { $0 * 10 })

func runSelections() async {
  let store = Store(Account())
  check(await store.select(digits).current == [0, 1])
  await store.dispatch(Deposit(amount: 1_234))
  check(await store.select(both, .by(==)).current == (2, 1_230))
  check(await store.select(Selection(\.self), .always).current.balance == 1_234)
}

func check(_ isRight: Bool, _ line: Int = #line) {
  if !isRight { fatalError("the check at line \(line) failed") }
}

func runAtoms() {
  let store = AtomStore()
  let (price, count) = (Atom(100), Atom(2))
  let total = DerivedAtom { price.value * count.value }
  let percent = WillSetAtom(0) { min(max($0, 0), 100) }
  let half = GetSetAtom {
    total.value / 2
  } set: {
    price.value = $0 * 2 / count.value
  }
  store.callAsCurrent {
    check(total.value == 200)
    count.value = 3
    price.update { $0 += 10 }
    check(total.value == 330)
    percent.value = 300
    half.value = 300
    check(percent.value == 100 && price.value == 200 && store.graph.atoms.count > 4)
    store.resetAll()
    check(total.value == 200)
  }
  check(total.value == 200)
}

func runWrappers() {
  let atom = Atom(Account(balance: 1))
  let isRich = DerivedAtom {
    @UseAtomValue(atom) var account
    return account.balance > 10
  }
  AtomStore().callAsCurrent {
    @UseAtom(atom) var account
    account.balance += 10
    check(account.balance == 11 && isRich.value)
    #if !canImport(SwiftUI)
      func edit(_ body: (AtomBinding<Int>) -> Void) { body($account.balance) }
      edit { $balance in balance = 5 }
      check(account.balance == 5 && !isRich.value)
    #endif
  }
}

@concurrent func runAsyncAtoms() async throws {
  let (text, factor) = (Atom("a"), Atom(2))
  let length = AsyncAtom { () async throws -> Int in
    @UseAtomValue(text, debounce: .milliseconds(500)) var text
    await Task.yield()
    if text.isEmpty { throw Overdrawn(missing: 1) }
    return text.count
  }
  let product = AsyncAtom { try await length.result * factor.value }
  let numbers = AsyncSequenceAtom { AsyncStream(unfolding: { 7 }) }
  try await AtomStore().callAsCurrent { () async throws in
    check(name(length.value) == "loading")
    check(try await length.result == 1)
    check(try await product.result == 2)
    text.value = "abc"
    // The quiet time is long enough for this check on a busy machine.
    check(length.value.loading && length.latest.value == 1)
    check(try await product.result == 6)
    check(length.value.map { $0 + 1 } == .success(4))
    factor.value = 3
    check(try await product.result == 9)
    text.value = ""
    do {
      _ = try await length.result
      check(false)
    } catch {
      check(error as? Overdrawn == Overdrawn(missing: 1) && length.value.failure is Overdrawn)
    }
    text.value = "ab"
    length.cancel()
    length.reload()
    check(try await length.result == 2 && name(length.value) == "success")
    for await state in numbers.values where state.value == 7 { break }
  }
  try await TestStore { store in
    store.inject(length) { 10 }
    factor.value = 4
    try await expectEqual(product.value, .success(40))
  }
}

final class Journal: ReportGuard {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func note(_ line: String) { lines.withLock { $0.append(line) } }

  func didEnd<A: Action<Account>>(_ action: A, report: ActionReport<Account>) {
    let member = report.member.map { " of member \($0)" } ?? ""
    note("\(name(report.outcome))\(member) at \(report.revision)")
  }

  func didEnd<G: Sendable>(group: G, report: GroupReport) { note("\(G.self) \(name(report.outcome))") }
}

func runFollowers() async {
  let (reports, records, metrics) = (Journal(), Journal(), StoreMetrics())
  let sink = LogSink(backlog: 10) { record in
    let difference = (record.difference ?? "-").split { $0.isWhitespace }.joined(separator: " ")
    records.note("\(record.payload ?? record.label) \(record.outcome): \(difference)")
  }
  let logger = ActionLogger<Account>(
    to: sink, filter: .all.excluding(PayDay.self), showsPayloads: true, differenceLines: 5, clock: nil)
  let store = Store(Account(), guards: [reports, logger, metrics.makeGuard()], name: "bank")
  let transitions = store.transitions()
  await store.dispatch(Deposit(amount: 10))
  _ = try? await store.dispatch(Withdraw(amount: 20))
  _ = try? await store.transaction { transaction in
    try await transaction.run(Deposit(amount: 5))
    try await transaction.run(AddInterest())
  }
  await store.dispatch(PayDay())
  store.close()
  await store.dispatch(AddInterest())
  check(
    reports.all == [
      "committed at 1", "failed(10) at 1", "committed of member 1 at 2", "committed of member 2 at 2", "committed at 2",
      "committed at 3", "PayDay committed", "closed at 3",
    ])
  check(
    records.all == [
      "Deposit(amount: 10) committed: Account( - balance: 0 + balance: 10 )", "Withdraw(amount: 20) failed: -",
      "Deposit(amount: 5) committed: -", "AddInterest committed: -",
      "transaction committed: Account( - balance: 10 + balance: 16 )",
      "Deposit(amount: 1000) committed: Account( - balance: 16 + balance: 1016 )", "AddInterest closed: -",
    ])
  check(
    metrics.actions.map { "\($0.name) \($0.counts[.committed] ?? 0) \($0.ran.count)" }
      == ["AddInterest 1 1", "Deposit 3 3", "Withdraw 0 1", "transaction 1 1"])
  check(metrics.prometheusText.contains("actorstore_stores{store=\"bank\"} 1"))
  var commits: [String] = []
  for await transition in transitions {
    let old = transition.old.map { "\($0.balance)" } ?? "-"
    commits.append("\(transition.revision) \(transition.members.count) \(old) \(transition.new.balance)")
  }
  check(commits == ["0 0 - 0", "1 0 0 10", "2 2 10 16", "3 0 16 1016"])
}

/// A `switch` over a frozen enum needs no default, even with library evolution.
func name(_ outcome: ReportedOutcome) -> String {
  switch outcome {
  case .committed: "committed"
  case .failed(let error): "failed(\((error as? Overdrawn)?.missing ?? 0))"
  case .vetoed(let veto): "vetoed(\(veto.reason))"
  case .cancelled: "cancelled"
  case .deferred: "deferred"
  case .givenUp: "given up"
  case .closed: "closed"
  case .undone: "undone"
  }
}

/// A `switch` over a frozen enum needs no default, even with library evolution.
func name<Value>(_ state: AsyncState<Value>) -> String {
  switch state {
  case .loading: "loading"
  case .success: "success"
  case .failure: "failure"
  }
}

@concurrent func run() async throws {
  runAtoms()
  runWrappers()
  try await runAsyncAtoms()
  await runSelections()
  await runFollowers()
  let store = Store(Account(), guards: [Limit()], name: "account")
  let reader = Reader()
  await reader.follow(store)
  let balances = store.select(\.balance).values

  check(await store.dispatch(Deposit(amount: 100)).isCommitted)
  check(await store.dispatch(AddInterest()).isCommitted)
  check(await store.dispatch { $0.balance } == .committed(110))
  check(await store.dispatch { account async in account.balance } == .committed(110))
  check(try await store.dispatch(Withdraw(amount: 10)) == .committed(100))
  do throws(Overdrawn) {
    try await store.dispatch(Withdraw(amount: 500))
    check(false)
  } catch {
    check(error == Overdrawn(missing: 400))
  }
  let ticket = store.send(AddInterest())
  check(await ticket.outcome.isCommitted)
  check(await store.dispatch(PayDay()) == .committed(1_110))
  check(await store.dispatch(AddInterest(), policy: .overlapping).isCommitted)
  check(try await store.dispatch(Deposit(amount: 0), returning: { $0.balance }).get() > 0)
  check(await Task.inheritingExecutor { await store.dispatch(Deposit(amount: 0)).isCommitted }.value)
  try await store.transaction { transaction in
    try await transaction.run(Deposit(amount: 9))
    try await transaction.run(Withdraw(amount: 230))
  }
  try await store.transaction { transaction in
    try transaction.run(Deposit(amount: 5))
    try transaction.run(Withdraw(amount: 5))
  }
  await withTaskGroup { group in
    for _ in 0..<100 { group.addTask { await store.dispatch(Deposit(amount: 1)) } }
    for _ in 0..<10 { group.addTask { await store.dispatch(AddInterest()) } }
  }
  check(try await store.select(\.balance).first { $0 > 1_100 } > 1_100)
  await store.dispatch { $0.balance = 20_000 }
  guard case .vetoed(let veto) = await store.dispatch(Deposit(amount: 1)) else { return check(false) }
  check(veto == Veto("too rich", by: Limit.self))
  store.close()
  var last = 0
  for await balance in balances { last = balance }
  check(last == 20_000)
  while await reader.last != 20_000 { await Task.yield() }

  try Simulation.explore(schedules: 50, body: incrementTwice)
  try await store.closeAndDrain()
  check(name(await store.dispatch { $0.balance += 1 }) == "closed")
}

/// A `switch` over a frozen enum needs no default, even with library evolution.
func name<Output>(_ outcome: Outcome<Output>) -> String {
  switch outcome {
  case .committed: "committed"
  case .vetoed: "vetoed"
  case .cancelled: "cancelled"
  case .deferred: "deferred"
  case .closed: "closed"
  }
}

func incrementTwice() async throws {
  let counter = Store(0)
  async let one = counter.dispatch { $0 += 1 }
  async let other = Task.inheritingExecutor { await counter.dispatch { $0 += 1 } }.value
  _ = await (one, other)
  try Simulation.expect(await counter.state == 2, "lost an update")
}

struct Lights: EventDriven, Equatable {
  enum Event: Sendable { case light(Int, Light.Event), all(Light.Event) }

  static let light = Forwarding(to: \Lights.lights) { event in
    switch event {
    case .light(let id, let event): .one(id, event)
    case .all(let event): .all(event)
    }
  }

  var lights: IdentifiedArray<Light> = [Light(id: 0), Light(id: 1)]

  mutating func react(to event: Event) { Self.light.forward(event, to: &self) }
}

struct Light: EventDriven, ChildState, Identifiable, Equatable {
  enum Event: Sendable, Equatable { case switched }

  static let parents: [ParentPath<Light>] = [.element(of: \Lights.lights)]

  var id = 0
  var isOn = false

  mutating func react(to event: Event) { isOn.toggle() }
}

enum LightStore: StoreFacade {
  static func makeDefault() -> Store<Lights> { Store(Lights(), guards: [EventsOnly()]) }
}

func switchLights() async throws {
  let events = LightStore.current.events(of: Lights.light[1])
  await LightStore.dispatch(.light(1, .switched))
  LightStore.send(.all(.switched))
  check(try select(Light.self, from: await LightStore.current.state, 0).isOn)
  check(await LightStore.current.select(StatePath(\Lights.lights)[key: 1]).current == Light(id: 1))
  var seen: [[Light.Event]] = []
  for await commit in events {
    seen.append(commit.events)
    if seen.count == 3 { break }
  }
  check(seen == [[], [.switched], [.switched]])
  let store = TestStore(Lights())
  await store.dispatch(.all(.switched)) { $0.lights = [Light(id: 0, isOn: true), Light(id: 1, isOn: true)] }
  try await store.finish()
}

enum Room: Routable {
  static let tabs: [Room] = [.hall]
  static let links = DeepLinks<Room>(
    LinkPattern("/", .hall),
    LinkPattern("/rooms/:number?light", route: Room.room) {
      if case .room(let number, let light) = $0 { (number, light) } else { nil }
    })

  case hall, room(Int, Bool?)
}

final class RoomSign: Component {
  var props = ""
  var connection: Connection?
  let shown = AsyncStream<String>.makeStream()
  func render() { shown.continuation.yield(props) }
}

actor House {
  let sign = RoomSign()
  func show(_ store: Store<Routes<Room>>) -> AsyncStream<String> {
    store.select(Selection { (try? Room.links.link(to: $0.current)) ?? "" })
      .connect(sign, strategy: .throttled(for: .nanoseconds(1)))
    return sign.shown.stream
  }
}

func walk() async throws {
  let history = History<Routes<Room>>()
  let store = Store(Routes<Room>(), guards: [history])
  let house = House()
  var signs = await house.show(store).makeAsyncIterator()
  check(await signs.next() == "/")
  await store.dispatch(.push(try Room.links.route(for: "/rooms/7?light=true")))
  check(await signs.next() == "/rooms/7?light=true")
  await store.dispatch(history.undo())
  check(await signs.next() == "/")
  check(history.canRedo && !history.canUndo)
}

struct Page: Sendable {
  var title = Optimistic("Untitled")
}

func rename() async throws {
  let store = Store(Page())
  try await store.dispatch(OptimisticUpdate(\.title, to: "Draft") { _, _ in await Task.yield() }).get()
  check(await store.state.title == Optimistic("Draft"))
}

try await run()
try await switchLights()
try await rename()
try await walk()
print("all checks passed")
