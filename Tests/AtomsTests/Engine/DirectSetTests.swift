import Synchronization
import Testing

@testable import Atoms

extension AtomStore {
  /// Makes the store open an atom when it is set for the second time, instead of after many revisions.
  func openEagerly() { core.state.withLock { $0.directSets = DirectSets(baseCount: 0, countPerAtom: 0) } }

  /// Whether threads may set an atom without the lock of the store.
  func isOpen(_ atom: some ReadableAtom) -> Bool { core.find(atom.definition)?.with { $0.isOpen } ?? false }
}

/// Unseen sets, which can do without the store's lock.
@Suite struct DirectSetTests {
  // MARK: The policy

  @Test func anAtomOpensOnlyAfterEnoughRevisions() {
    var sets = DirectSets()
    #expect(!sets.canOpen(at: 64) && sets.canOpen(at: 65))
    sets.add(NodeID(index: 1))
    sets.add(NodeID(index: 2))
    sets.noteClosing(at: 100)
    #expect(sets.open.isEmpty)
    // Two atoms were open, so more revisions must follow.
    #expect(!sets.isSinceClosing(100) && sets.isSinceClosing(101))
    #expect(!sets.canOpen(at: 100 + 64 + 16) && sets.canOpen(at: 101 + 64 + 16))
    sets.noteClosing(at: 1_000)
    #expect(!sets.canOpen(at: 1_064) && sets.canOpen(at: 1_065))
  }

  @Test func theNumberOfOpenAtomsIsLimited() {
    var sets = DirectSets(baseCount: 0, countPerAtom: 0)
    for index in 0..<DirectSets.maxOpenCount {
      #expect(sets.canOpen(at: 1))
      sets.add(NodeID(index: Int32(index)))
    }
    #expect(!sets.canOpen(at: 1))
    // If the program sets other atoms instead, those can open later.
    #expect(!sets.isOutdated(at: 65_536) && sets.isOutdated(at: 65_537))
    sets.noteClosing(at: 65_537)
    #expect(!sets.isOutdated(at: 1_000_000) && sets.canOpen(at: 65_538))
  }

  @Test func otherAtomsOpenAfterTheMaximumNumber() {
    let store = AtomStore()
    let atoms = (0...DirectSets.maxOpenCount).map { _ in Atom(0) }
    for value in 0..<2 { for atom in atoms { store.set(atom, value) } }
    let last = atoms[DirectSets.maxOpenCount]
    #expect(store.isOpen(atoms[0]) && !store.isOpen(last))
    var count = 0
    while !store.isOpen(last), count < 100_000 {
      count += 1
      store.set(last, count)
    }
    #expect(store.isOpen(last) && !store.isOpen(atoms[0]))
  }

  @Test func aStoreThatRecordsOpensNone() {
    let store = AtomStore(isRecording: true, clock: ContinuousClock())
    store.openEagerly()
    let atom = Atom(0)
    for value in 1...5 { store.set(atom, value) }
    #expect(!store.isOpen(atom) && store.get(atom) == 5)
  }

  @Test func onlyRepeatedSetsOpenAnAtom() {
    let store = AtomStore()
    let (often, once) = (Atom(0), Atom(0))
    for value in 0..<64 { store.set(often, value) }
    #expect(!store.isOpen(often))
    store.set(once, 1)
    #expect(!store.isOpen(once))
    store.set(often, 64)
    #expect(store.isOpen(often) && !store.isOpen(once))
    store.set(once, 2)
    #expect(store.isOpen(once))
    #expect(store.get(often) == 64 && store.get(once) == 2)
    // A read of a number takes no lock.
    #expect(store.isOpen(often))
  }

  // A new store often has the address of a former one. A read that follows announced changes would close atoms.
  @Test func aNewStoreHasNoAnnouncedChanges() {
    for _ in 0..<10 {
      let store = AtomStore()
      #expect(!CurrentThread.hasAnnounced(to: store.core))
      CurrentThread.noteAnnouncement(to: store.core)
    }
  }

  // MARK: The sets

  #if DEBUG
    @Test func directSetsNeedNoLockedSection() {
      let store = AtomStore()
      let (number, text) = (Atom(0), Atom(""))
      for value in 0..<200 {
        store.set(number, value)
        store.set(text, "\(value)")
      }
      let before = CurrentThread.sections
      store.set(number, 1_000)
      store.set(text, "1000")
      #expect(CurrentThread.sections == before)
      #expect(store.get(number) == 1_000 && store.get(text) == "1000")
    }
  #endif

  @Test func eachDirectSetIsARevision() throws {
    let store = AtomStore()
    let (atom, other) = (Atom(0).debugLabel("atom"), Atom(0).debugLabel("other"))
    store.set(atom, 0)
    store.set(other, 0)
    let before = store.graph
    for value in 1...1_000 { store.set(atom, value) }
    #expect(store.isOpen(atom))
    let after = store.graph
    #expect(!store.isOpen(atom))
    #expect(after.revision == before.revision + 1_000)
    let (old, new) = (try #require(before.node("atom")), try #require(after.node("atom")))
    #expect(new.version > old.version && new.value as? Int == 1_000)
    #expect(after.node("other")?.version == before.node("other")?.version)
    // Closing an atom that no thread has set directly creates no revision.
    store.openEagerly()
    store.set(other, 1)
    #expect(store.isOpen(other))
    let opened = store.core.state.revision.load(ordering: .relaxed)
    #expect(store.graph.revision == opened)
    // Readers without the lock see all revisions.
    for value in 2...9 { store.set(other, value) }
    #expect(store.isOpen(other))
    let closed = store.graph.revision
    #expect(closed == opened + 8 && store.core.state.revision.load(ordering: .relaxed) == closed)
  }

  /// A thread can find an atom open, and then get the lock of the cell after another thread has closed the atom.
  @Test func aClosedAtomIsNotSetDirectly() {
    let store = AtomStore()
    store.openEagerly()
    let (number, text) = (Atom(1), Atom("one"))
    for _ in 0..<3 {
      store.set(number, 1)
      store.set(text, "one")
    }
    let cells = (store.core.cell(of: number.definition), store.core.cell(of: text.definition))
    #expect(store.isOpen(number) && store.isOpen(text))
    #expect(ValueSlot.with(2) { cells.0.setIfOpen($0) } && store.get(number) == 2)
    _ = store.graph
    #expect(!store.isOpen(number) && !store.isOpen(text))
    #expect(!ValueSlot.with(3) { cells.0.setIfOpen($0) } && store.get(number) == 2)
    #expect(!ValueSlot.with("two") { cells.1.setIfOpen($0) } && store.get(text) == "one")
  }

  @Test func anAtomOpensDuringASnapshot() {
    let store = AtomStore()
    store.openEagerly()
    let (atom, other) = (Atom(0, lifetime: .kept), Atom(0, lifetime: .kept))
    let seen = store.snapshot { () -> [Int] in
      let first = atom.value
      onAnotherThread { for value in 1...5 { store.set(atom, value) } }
      #expect(store.isOpen(atom))
      onAnotherThread { for value in 1...5 { store.set(other, value) } }
      return [first, atom.value, other.value]
    }
    #expect(seen == [0, 0, 0] && store.get(atom) == 5 && store.get(other) == 5)
    #expect(!store.diagnostics.isPinned && store.diagnostics.kept == 0)
  }

  @Test func consecutiveDirectSetsShareOneNewVersion() throws {
    let store = AtomStore()
    store.openEagerly()
    let atom = Atom(0)
    func version() throws -> UInt64 { try #require(store.graph.atoms.first).version }
    store.set(atom, 1)
    let before = try version()
    // Two sets take the lock, and the second one opens the atom.
    for value in 2...3 { store.set(atom, value) }
    #expect(store.isOpen(atom))
    let opened = try version()
    #expect(opened == before + 2)
    for value in 4...9 { store.set(atom, value) }
    #expect(store.isOpen(atom))
    // Two more sets take the lock and get a version each. All direct sets share a third one.
    #expect(try version() == opened + 3)
  }

  @Test func formerValuesAreReleased() {
    final class Object: Sendable {}
    let store = AtomStore()
    store.openEagerly()
    let atom = Atom(Object())
    for _ in 0..<3 { store.set(atom, Object()) }
    #expect(store.isOpen(atom))
    weak var former: Object?
    do {
      let object = Object()
      former = object
      store.set(atom, object)
    }
    #expect(former != nil)
    store.set(atom, Object())
    #expect(former == nil && store.isOpen(atom))
  }

  // MARK: Closing

  /// An operation on a store with open atoms.
  ///
  /// It must see their values, and see or deliver the values set later.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Runs the operation, and returns a closure that checks the result after two more sets of each atom.
    let run: @Sendable (_ store: AtomStore, _ number: Atom<Int>, _ text: Atom<String>) -> () -> Void

    init(_ name: String, _ run: @escaping @Sendable (AtomStore, Atom<Int>, Atom<String>) -> () -> Void) {
      testDescription = name
      self.run = run
    }
  }

  static let cases = [
    Case("a derived read") { store, number, text in
      let derived = DerivedAtom { "\(number.value) \(text.value)" }
      #expect(store.get(derived) == "7 seven")
      return { #expect(store.get(derived) == "9 nine") }
    },
    Case("an observation") { store, number, text in
      let (numbers, texts) = (Recorder<Int>(), Recorder<String>())
      let observations = [store.observe(number) { numbers.add($0) }, store.observe(text) { texts.add($0) }]
      return {
        #expect(numbers.all == [7, 8, 9] && texts.all == ["seven", "eight", "nine"])
        for observation in observations { observation.cancel() }
      }
    },
    Case("a log") { store, number, text in
      let lines = Recorder<String>()
      store.enableAtomLogging { lines.add("\($0.new)") }
      return {
        #expect(lines.all == ["8", "eight", "9", "nine"])
        store.disableAtomLogging()
      }
    },
    Case("a transaction") { store, number, text in
      let sum = store.transaction { () -> Int in
        number.value += 1
        text.value += "!"
        return number.value
      }
      #expect(sum == 8 && store.get(text) == "seven!")
      return {}
    },
    Case("an update") { store, number, _ in
      let new = store.update(number) { value in
        value += 1
        return value
      }
      #expect(new == 8)
      return {}
    },
    Case("a reset") { store, number, text in
      store.reset(number)
      store.reset(text)
      #expect(store.get(number) == 0 && store.get(text) == "")
      return {}
    },
    Case("an injection") { store, number, _ in
      store.inject(number, value: 70)
      #expect(store.get(number) == 70)
      return {}
    },
    Case("a setter") { store, number, _ in
      let double = GetSetAtom {
        2 * number.value
      } set: {
        number.value = $0 / 2
      }
      store.set(double, 16)
      #expect(store.get(number) == 8 && store.get(double) == 16)
      return { #expect(store.get(double) == 18) }
    },
    Case("a closure for updates") { store, number, _ in
      let numbers = Recorder<Int>()
      _ = number.onUpdate(skip: 0) { numbers.add($0) }
      return { #expect(numbers.all.suffix(2) == [8, 9]) }
    },
    Case("a snapshot while another thread sets the atoms") { store, number, text in
      store.snapshot {
        #expect(number.value == 7)
        onAnotherThread {
          for value in [70, 71, 72] { store.set(number, value) }
          for value in ["a", "b", "c"] { store.set(text, value) }
        }
        #expect(store.isOpen(text))
        #expect(number.value == 7 && text.value == "seven")
      }
      #expect(store.get(number) == 72 && store.get(text) == "c")
      return {}
    },
  ]

  @Test(arguments: cases) func otherOperationsSeeDirectSets(_ one: Case) {
    let store = AtomStore()
    store.openEagerly()
    let (number, text) = (Atom(0, lifetime: .kept), Atom("", lifetime: .kept))
    for value in 5...7 {
      store.set(number, value)
      store.set(text, ["five", "six", "seven"][value - 5])
    }
    #expect(store.isOpen(number) && store.isOpen(text))
    let check = one.run(store, number, text)
    #expect(!store.isOpen(number) && !store.isOpen(text))
    store.set(number, 8)
    store.set(text, "eight")
    store.set(number, 9)
    store.set(text, "nine")
    #expect(store.get(number) == 9 && store.get(text) == "nine")
    check()
  }

  @Test func anOpenAtomCanBeReleased() {
    let store = AtomStore()
    store.openEagerly()
    let rest = Atom(0)
    for round in 0..<10 {
      let atom = Atom(0)
      for value in 1...3 {
        store.set(atom, value)
        store.set(rest, 10 * round + value)
      }
      #expect(store.isOpen(atom) && store.isOpen(rest))
    }
    #expect(!store.isOpen(rest) && store.get(rest) == 93)
    #expect(store.graph.atoms.count == 1)
  }

  @Test func aStoreWithOpenAtomsCanBeReleased() {
    let atom = Atom(0)
    for _ in 0..<3 {
      let store = AtomStore()
      store.openEagerly()
      for value in 1...3 { store.set(atom, value) }
      #expect(store.isOpen(atom))
    }
    #expect(AtomStore().get(atom) == 0)
  }

  /// A delivery pins its revision in the section that sets the atom, after that section has closed all atoms.
  @Test func aDeliverySeesOneRevision() {
    let store = AtomStore()
    store.openEagerly()
    let (atom, other) = (Atom(0, lifetime: .kept), Atom(0, lifetime: .kept))
    let derived = DerivedAtom { () -> Int in
      if atom.value == 0 { return 0 }
      #expect(!store.isOpen(other))
      onAnotherThread { for value in 4...6 { store.set(other, value) } }
      return other.value
    }
    let seen = Recorder<Int>()
    let observation = store.observe(derived) { seen.add($0) }
    for value in 1...3 { store.set(other, value) }
    #expect(store.isOpen(other))
    store.set(atom, 1)
    #expect(seen.all.prefix(2) == [0, 3])
    observation.cancel()
  }

  /// After its first eight reads, a derivation notes reads in the cells, in the property that counts direct sets.
  @Test func aDerivationNotesItsReadsOnce() {
    let store = AtomStore()
    store.openEagerly()
    let atoms = (0..<12).map { _ in Atom(0, lifetime: .kept) }
    let isFirst = Atomic(true)
    let sum = DerivedAtom { () -> Int in
      let sum = atoms.reduce(0) { $0 + $1.value }
      if isFirst.exchange(false, ordering: .relaxed) {
        Evaluation.setAside {
          for value in 1...4 { store.set(atoms[11], value) }
          _ = store.graph
        }
      }
      return sum + atoms.reduce(0) { $0 + $1.value }
    }
    // The first run reads at its pinned revision.
    #expect(store.get(sum) == 0)
    let node = store.core.cell(of: sum.definition).node
    #expect(store.core.state.withLock { $0.logic[node].dependencies.count } == 12)
    #expect(store.get(sum) == 8)
  }

  @Test func aDerivationCannotSetAnOpenAtom() {
    let store = AtomStore()
    let problems = Recorder<String>()
    store.onProblem = { problems.add("\($0)") }
    store.openEagerly()
    let other = AtomStore()
    let atom = Atom(0)
    for value in 1...3 { store.set(atom, value) }
    #expect(store.isOpen(atom))
    let derived = DerivedAtom { () -> Int in
      store.set(atom, 100)
      return 1
    }
    other.onProblem = { problems.add("\($0)") }
    #expect(other.get(derived) == 1 && problems.all.count == 1)
    #expect(store.get(atom) == 3)
  }
}
