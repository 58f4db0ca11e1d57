import ActorStore
import Atoms
import SeededRandom

/// A random graph of atoms of all types.
///
/// Its inputs are the nodes of the plan that atoms store, or that come from elsewhere. The formulas of the plan give the
/// values of the other nodes.
struct ChaosGraph: Sendable {
  static let ownPerThread = 3
  static let balance = 100

  let threads: Int
  let plan: ChaosPlan

  /// The atoms that one thread sets, for each thread.
  let own: [[Atom<Int>]]
  /// Atoms that all threads set, of which the first two are always kept.
  let shared: [Atom<Int>]
  /// Atoms that only grow.
  let counters: [Atom<Int>]
  /// Atoms between which transactions move amounts.
  let accounts: [Atom<Int>]
  /// Atoms that transform what one thread sets, for each thread.
  let willSets: [WillSetAtom<Int>]
  let derived: [DerivedAtom<Int>]
  /// An atom that callbacks set.
  let echo = Atom(0, lifetime: .kept)

  /// The parts of one sum, whose setter keeps it as it was set, for each thread, or nothing.
  let balanced: [ChaosBalance]
  /// An atom that reads and sets a shared one.
  let relay: GetSetAtom<Int>

  let loads: [ChaosLoad]
  /// An asynchronous atom that threads cancel, so that it can return to an older result.
  let canceled: ChaosLoad
  let feed = ChaosFeed()
  let elements: AsyncSequenceAtom<Int>

  let members: AtomFamily<Int, Atom<Int>>
  let views: AtomFamily<Int, DerivedAtom<Int>>

  /// Objects that one thread changes, for each thread, or nothing.
  let settings: [ChaosSettings]
  let volumes: [PublishedAtom<Int>]
  let player = ChaosPlayer()
  let playerVolume: PublishedAtom<Int>

  let audit = ChaosAudit()
  var bank: Store<ChaosBank> { audit.bank }
  let bankCount: DerivedAtom<Int>
  let bankTwice: DerivedAtom<Int>
  let bankNote: StoreAtom<Int>

  let items: Atom<[ChaosItem]>
  let itemAtoms: AtomElements<Int, GetSetAtom<ChaosItem?>>

  /// For each thread, the atom that it increases, with its followers.
  let steps: [ChaosSteps]
  /// For each thread, the atoms with `onReset` closures that it sets and resets.
  let resets: [ChaosResets]

  private let inputs: [@Sendable () -> Int]

  init(threads: Int, hasSetters: Bool, hasObjects: Bool, isWrong: Bool, _ clock: ChaosClock, _ random: inout SplitMix64)
  {
    self.threads = threads
    own = (0..<threads).map { _ in (0..<Self.ownPerThread).map { _ in Atom(0, lifetime: .kept) } }
    let shared = (0..<6).map { index in
      Atom(
        index,
        lifetime: [.kept, .kept, .whileUsed, .whileUsed, .kept(for: .seconds(1)), .kept(for: .seconds(3))][index])
    }
    self.shared = shared
    counters = (0..<2).map { _ in Atom(0, lifetime: .kept) }
    accounts = (0..<6).map { _ in Atom(Self.balance, lifetime: .kept) }
    willSets = (0..<threads).map { _ in
      WillSetAtom(-1, lifetime: .kept) { ChaosGraph.transformed($0, shared[0].value) }
    }
    let bank = audit.bank
    let bankCount = bank.select(\.count).atom.debugLabel("bank count")
    self.bankCount = bankCount
    bankTwice = bank.select(\.twice).atom.debugLabel("bank twice")
    bankNote = bank.select(\.note).atom { $0.note = $1 }

    var inputs: [@Sendable () -> Int] = []
    for atom in own.joined() { inputs.append { atom.value } }
    for atom in shared + counters + accounts { inputs.append { atom.value } }
    for atom in willSets { inputs.append { atom.value } }
    inputs.append { bankCount.value }
    self.inputs = inputs

    plan = ChaosPlan(inputs: inputs.count, derived: 32, isWrong: isWrong, &random)
    var derived: [DerivedAtom<Int>] = []
    for node in 0..<plan.count {
      let (plan, read) = (plan, Self.reader(inputs, derived))
      derived.append(DerivedAtom { plan.formula(node, read) })
    }
    self.derived = derived

    balanced = hasSetters ? (0..<threads).map { _ in ChaosBalance(beside: shared[0]) } : []
    relay = GetSetAtom {
      shared[1].value &* 2
    } set: {
      shared[1].value = $0 / 2
    }
    loads = (0..<3).map { [random = random.below(plan.count)] index in
      ChaosLoad(of: derived[(random + index) % derived.count], and: shared[index])
    }
    canceled = ChaosLoad(of: derived[random.below(plan.count)], and: shared[0])
    let feed = feed
    elements = AsyncSequenceAtom(lifetime: .whileUsed) { feed.elements() }
    members = AtomFamily { number in Atom(0).debugLabel("member \(number)") }
    views = AtomFamily { number in
      DerivedAtom { shared[number % shared.count].value &* number }.debugLabel("view \(number)")
    }

    let settings = hasObjects ? (0..<threads).map { _ in ChaosSettings() } : []
    self.settings = settings
    volumes = settings.map { PublishedAtom($0, \.volume, lifetime: .kept) }
    playerVolume = PublishedAtom(on: player, initialValue: 0) { $0.settings.volume }
    let items = Atom<[ChaosItem]>([], lifetime: .kept)
    self.items = items
    itemAtoms = items.split(id: \.id)
    steps = (0..<threads).map { _ in ChaosSteps(clock) }
    resets = steps.map { ChaosResets($0.atom, shared[0]) }
  }

  static func transformed(_ value: Int, _ other: Int) -> Int { value % 50 &+ other }

  /// Returns a closure that reads a node in the current store.
  private static func reader(
    _ inputs: [@Sendable () -> Int], _ derived: [DerivedAtom<Int>]
  ) -> @Sendable (Int) -> Int {
    { $0 < inputs.count ? inputs[$0]() : derived[$0 - inputs.count].value }
  }

  /// Reads all inputs.
  func readInputs() -> [Int] { inputs.map { $0() } }

  func read(_ node: Int) -> Int { node < inputs.count ? inputs[node]() : derived[node - inputs.count].value }

  /// Injects a value that differs from that of the formula.
  ///
  /// The closure holds only earlier nodes.
  func inject(_ node: Int, in store: AtomStore) {
    let (plan, read) = (plan, Self.reader(inputs, Array(derived[..<node])))
    store.inject(derived[node]) { plan.injected(node, read) }
  }
}
