import ActorStore
import TestSize
import Testing

@testable import Atoms

/// The release of a chain does not recurse, however each atom holds the next one (A12).
///
/// The tests run on small stacks, so that even a short chain would overflow one.
@Suite struct ReleasedChainTests {
  /// What holds the next link of a chain.
  enum Link: CaseIterable, Sendable {
    case derived, getter, setter, setterOfStoreAtom, willSet, onUpdate, onReset, onResetOfWillSet, onResetOfGetSet
    case run, sequence, follower, wrapper, pacedWrapper, family, member, value, injection, observation

    /// Makes the next link, and uses it in a store.
    func make(holding next: any Sendable, in store: AtomStore?) -> any Sendable {
      let hold: @Sendable () -> Int = { withExtendedLifetime(next) { 1 } }
      switch self {
      case .derived: return used(DerivedAtom { hold() }, in: store)
      case .getter: return set(GetSetAtom(get: hold) { _ in }, in: store)
      case .setter: return set(GetSetAtom(get: { 1 }, set: { _ in _ = hold() }), in: store)
      case .setterOfStoreAtom: return used(Store(0).select(\.self).atom { $0 = $1 + hold() }, in: store)
      case .willSet: return set(WillSetAtom(0) { $0 + hold() }, in: store)
      case .onUpdate: return set(Atom(0).onUpdate { _ in _ = hold() }, in: store)
      case .onReset: return set(Atom(0).onReset { $0 = hold() }, in: store)
      case .onResetOfWillSet: return set(WillSetAtom(0) { $0 }.onReset { $0 = hold() }, in: store)
      case .onResetOfGetSet: return set(GetSetAtom(get: { 1 }, set: { _ in }).onReset { $0 = hold() }, in: store)
      case .run: return used(AsyncAtom { hold() }, in: store)
      case .sequence: return used(AsyncSequenceAtom { holdingStream(hold) }, in: store)
      case .follower: return used(PublishedAtom(initialValue: 0) { @MainActor in hold() }, in: store)
      case .wrapper:
        let wrapper = wrapper(of: DerivedAtom { hold() }, in: store) { UseAtomValue($0) }
        return used(DerivedAtom { wrapper.wrappedValue }, in: store)
      case .pacedWrapper:
        let wrapper = wrapper(of: DerivedAtom { hold() }, in: store) { UseAtomValue($0, debounce: 1) }
        return used(DerivedAtom { wrapper.wrappedValue }, in: store)
      case .family:
        let family = AtomFamily { (start: Int) in Atom(start + hold()) }
        _ = used(family(1), in: store)
        return family
      case .member: return used(AtomFamily { (start: Int) in DerivedAtom { start + hold() } }(1), in: store)
      case .value:
        let atom = Atom<(any Sendable)?>(nil)
        (store ?? AtomStore()).set(atom, next)
        return atom
      case .injection:
        let atom = Atom(0)
        store?.inject(atom, hold)
        return used(atom, in: store)
      case .observation: return (store ?? AtomStore()).observe(Atom(0)) { _ in _ = hold() }
      }
    }

    private func used(_ atom: some ReadableAtom, in store: AtomStore?) -> any Sendable {
      _ = store?.get(atom)
      return atom
    }

    private func set(_ atom: some WritableAtom<Int>, in store: AtomStore?) -> any Sendable {
      store?.set(atom, 2)
      return used(atom, in: store)
    }

    private func wrapper(
      of atom: DerivedAtom<Int>, in store: AtomStore?, _ make: (DerivedAtom<Int>) -> UseAtomValue<Int>
    ) -> UseAtomValue<Int> {
      (store ?? AtomStore()).callAsCurrent { make(atom) }
    }

    private func holdingStream(_ hold: @Sendable () -> Int) -> AsyncStream<Int> {
      AsyncStream {
        $0.yield(hold())
        $0.finish()
      }
    }
  }

  /// What happens to the links of a chain before its release.
  enum Use: CaseIterable, Sendable {
    case none, reading, readingAndReleasingInASnapshot
  }

  private final class Token: Sendable {}

  /// Makes a chain, releases it, and returns whether its end is gone.
  private func release(_ links: [Link], _ use: Use) -> Bool {
    weak var token: Token?
    do {
      let store = use == .none ? nil : AtomStore()
      let end = Token()
      token = end
      var last: any Sendable = end
      for link in links { last = link.make(holding: last, in: store) }
      let release = { last = 0 }
      if use == .readingAndReleasingInASnapshot { store?.snapshot(release) } else { release() }
    }
    return token == nil
  }

  private let stackSize = 256 << 10

  /// At full size, a chain has about as many links per byte of stack as 300,000 links on a stack of 8 MB.
  private let length = TestSize.length(10_000, short: 5_000)

  @Test(arguments: Link.allCases, Use.allCases) func a12_aChainGoesWithoutRecursion(link: Link, use: Use) {
    // Runs, and stores with a family or an attachment, take long to make.
    let length = [.derived, .getter, .setter, .willSet, .onUpdate, .onReset].contains(link) ? length : 2_500
    let isGone = Recorder<Bool>()
    inThreads(1, stackSize: stackSize) { _ in
      isGone.add(release(Array(repeating: link, count: length), use))
    }
    // A run that has not ended holds its closure.
    let mayRemain = use != .none && [.run, .sequence, .follower, .pacedWrapper].contains(link)
    #expect(isGone.all == [true] || mayRemain)
  }

  @Test(arguments: Use.allCases) func a12_aMixedChainGoesWithoutRecursion(use: Use) {
    let links = (0..<length).map { Link.allCases[($0 * 7) % Link.allCases.count] }
    inThreads(1, stackSize: stackSize) { _ in _ = release(links, use) }
  }
}
