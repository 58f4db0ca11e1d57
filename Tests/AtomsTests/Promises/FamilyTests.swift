import ActorStore
import TestSize
import Testing

@testable import Atoms

/// Families give one atom for a parameter while it is needed (A30, A32).
@Suite struct FamilyTests {
  private let store = AtomStore()
  private let made = Tally()

  private func makeNumbers() -> AtomFamily<Int, Atom<Int>> {
    AtomFamily { [made] number in
      made.add()
      return Atom(number)
    }
  }

  /// Creates so many other members that the store searches for unneeded ones.
  private func crowd(_ family: AtomFamily<Int, Atom<Int>>) {
    for number in 1_000..<1_300 { _ = store.get(family(number)) }
  }

  @Test func a32_anEqualParameterGivesTheSameAtomWhileItIsHeld() {
    let numbers = makeNumbers()
    let one = numbers(1)
    crowd(numbers)
    #expect(numbers(1).definition === one.definition && numbers(2).definition !== one.definition)
  }

  @Test func a32_aMemberWithASetValueStays() {
    let numbers = makeNumbers()
    store.set(numbers(1), 10)
    store.transaction { numbers(2).value = 20 }
    store.update(numbers(3)) { $0 += 27 }
    store.inject(numbers(4), value: 40)
    crowd(numbers)
    #expect((1...4).map { store.get(numbers($0)) } == [10, 20, 30, 40])
    store.resetAll()
    store.removeInjection(of: numbers(4))
    crowd(numbers)
    #expect((1...4).map { store.get(numbers($0)) } == [1, 2, 3, 4])
  }

  @Test func a32_aMemberInUseStays() {
    let numbers = makeNumbers()
    let sum = DerivedAtom { numbers(1).value + numbers(2).value }
    store.callAsCurrent {
      let use = UseAtomValue(sum)
      #expect(use.wrappedValue == 3)
      crowd(numbers)
      let former = made.value
      #expect(numbers(1).value == 1 && numbers(2).value == 2 && made.value == former)
      numbers(1).value = 10
      crowd(numbers)
      #expect(use.wrappedValue == 12)
      withExtendedLifetime(use) {}
    }
    #expect(store.get(numbers(1)) == 1)
  }

  /// A cached value that depends on a member is not computed again at each revision.
  @Test func a7_aMemberThatACachedValueDependsOnStays() {
    let (numbers, runs, other) = (makeNumbers(), Tally(), Atom(0))
    let double = DerivedAtom { () -> Int in
      runs.add()
      return numbers(1).value * 2
    }
    for value in 1...3 {
      #expect(store.get(double) == 2)
      store.set(other, value)
      crowd(numbers)
    }
    #expect(runs.value == 1)
    store.set(numbers(1), 5)
    #expect(store.get(double) == 10)
  }

  @Test func a32_aMemberThatSomeoneHeldStays() {
    let (numbers, factor) = (makeNumbers(), Atom(2))
    let products = AtomFamily { (number: Int) in DerivedAtom { number * factor.value } }
    var held: (Atom<Int>, DerivedAtom<Int>)? = (numbers(1), products(3))
    let isSet = numbers(2)
    store.inject(isSet, value: 9)
    store.removeInjection(of: isSet)
    if let held { #expect(store.get(held.0) == 1 && store.get(held.1) == 6) }
    crowd(numbers)
    store.set(factor, 5)
    store.set(isSet, 20)
    let sum = DerivedAtom { numbers(1).value + products(3).value }
    let observation = store.observe(sum) { _ in }
    held = nil
    #expect(store.get(sum) == 16 && store.get(factor) == 5)
    withExtendedLifetime((observation, held)) {}
  }

  /// The last success is another atom, which does not hold the member.
  @Test func a32_aMemberWhoseLastSuccessIsInUseStays() async throws {
    let (runs, other, numbers, gate) = (Tally(), Atom(0), makeNumbers(), Gate())
    let squares = AtomFamily { [made] (number: Int) in
      made.add()
      return AsyncAtom { () async -> Int in
        await gate.pass()
        return number * number
      }
    }
    let sum = DerivedAtom { () -> Int in
      runs.add()
      return (1...3).reduce(0) { $0 + (squares($1).latest.value ?? 0) }
    }
    let observation = store.observe(sum) { _ in }
    crowd(numbers)
    let former = made.value
    store.set(other, 1)
    #expect(store.get(sum) == 0 && runs.value == 1)
    gate.open()
    for number in 1...3 { #expect(try await store.result(of: squares(number)) == number * number) }
    crowd(numbers)
    #expect(store.get(sum) == 14)
    store.set(other, 2)
    #expect(store.get(sum) == 14 && runs.value <= 4 && made.value == former + 300)
    let wrapper = store.callAsCurrent { UseAtomValue(squares(4).latest) }
    crowd(numbers)
    #expect(try await store.result(of: squares(4)) == 16)
    #expect(wrapper.wrappedValue == 16 && made.value == former + 601)
    withExtendedLifetime((observation, wrapper)) {}
    let held = store.callAsCurrent { () -> DerivedAtom<Int?> in
      store.inject(squares(6).latest, value: 7)
      return squares(5).latest
    }
    crowd(numbers)
    #expect(try await store.result(of: squares(5)) == 25)
    #expect(store.get(held) == 25)
    #expect(store.callAsCurrent { squares(6).latest.value } == 7)
  }

  @Test func a32_unneededMembersWithLastSuccessesLeaveNothingBehind() {
    let squares = AtomFamily { (number: Int) in AsyncAtom { () -> Int in number } }
    let numbers = 0..<TestSize.length(2_000, short: 600)
    for number in numbers { #expect(store.get(squares(number).latest) == nil) }
    for number in numbers { _ = store.callAsCurrent { squares(number).latest } }
    let results = AtomFamily { (number: Int) in squares(number).latest }
    for number in numbers { #expect(store.get(results(number)) == nil) }
    crowd(makeNumbers())
    #expect(store.diagnostics.atoms < 500)
  }

  @Test func a21_aMemberThatASetterHasReadStays() {
    let (numbers, target) = (makeNumbers(), Atom(0))
    let scaled = GetSetAtom {
      target.value
    } set: {
      target.value = $0 * numbers(2).value
    }
    store.set(scaled, 5)
    crowd(numbers)
    store.set(numbers(2), 3)
    #expect(store.get(target) == 15)
  }

  @Test func a32_aMemberIsReleasedAfterItsInjectionAndAReset() {
    let numbers = makeNumbers()
    for number in 0..<500 {
      store.set(numbers(number), -1)
      store.inject(numbers(number), value: -2)
      store.removeInjection(of: numbers(number))
      #expect(store.get(numbers(number)) == -1)
      store.reset(numbers(number))
    }
    crowd(numbers)
    #expect(store.diagnostics.atoms < 400)
  }

  @Test func a32_aMemberOfTwoFamiliesIsReleased() {
    let numbers = makeNumbers()
    let same = AtomFamily { (number: Int) in numbers(number) }
    for number in 0..<500 {
      _ = store.get(numbers(number))
      #expect(same(number).definition === numbers(number).definition)
    }
    crowd(numbers)
    #expect(store.diagnostics.atoms < 400)
  }

  @Test func a32_membersOfEachTypeKeepWhatWasSet() {
    let target = Atom(0)
    let limited = AtomFamily { (limit: Int) in WillSetAtom(0) { min($0, limit) } }
    let factor = Atom(2)
    let scaled = AtomFamily { (scale: Int) in
      GetSetAtom {
        target.value
      } set: {
        target.value = $0 * scale * factor.value
      }
    }
    let doubles = AtomFamily { (number: Int) in DerivedAtom { number * factor.value } }
    store.set(limited(10), 50)
    store.set(scaled(3), 5)
    crowd(makeNumbers())
    #expect(store.get(limited(10)) == 10 && store.get(target) == 30 && store.get(doubles(4)) == 8)
    // The setter is remembered.
    store.set(factor, 3)
    #expect(store.get(target) == 45 && store.get(doubles(4)) == 12)
  }

  @Test func a32_unneededMembersLeaveNothingBehind() {
    let numbers = makeNumbers()
    for number in 0..<10_000 { #expect(store.get(numbers(number)) == number) }
    #expect(store.diagnostics.atoms < 200)
    var kept = (0..<500).map { numbers($0) }
    for atom in kept { store.set(atom, -1) }
    #expect(store.diagnostics.atoms < 1_200)
    kept = []
    #expect((0..<500).allSatisfy { store.get(numbers($0)) == -1 })
    store.resetAll()
    for number in 10_000..<12_000 { _ = store.get(numbers(number)) }
    #expect(store.diagnostics.atoms < 200)
  }

  @Test func a32_membersOfOneSnapshotLeaveNothingBehind() {
    let numbers = makeNumbers()
    store.snapshot { for number in 0..<10_000 { #expect(numbers(number).value == number) } }
    #expect(store.diagnostics.atoms <= 68)
    store.transaction { for number in 10_000..<20_000 { #expect(numbers(number).value == number) } }
    #expect(store.diagnostics.atoms <= 68)
  }

  @Test func a32_unneededMembersInTwoStoresLeaveNothingBehind() {
    let (numbers, other) = (makeNumbers(), AtomStore())
    for number in 0..<2_000 { #expect(store.get(numbers(number)) == other.get(numbers(number))) }
    #expect(store.diagnostics.atoms < 300 && other.diagnostics.atoms < 300)
    // One store still needs them.
    for number in 0..<500 { other.set(numbers(number), -1) }
    for number in 10_000..<11_000 { #expect(store.get(numbers(number)) == other.get(numbers(number))) }
    #expect((0..<500).allSatisfy { other.get(numbers($0)) == -1 })
    #expect(other.diagnostics.atoms < 1_000)
  }

  /// Another thread can get a member at the moment when the store drops it.
  @Test func a7_aMemberThatIsReadWhileItIsDroppedStays() {
    let (numbers, runs, otherRuns) = (makeNumbers(), Tally(), Tally())
    let double = DerivedAtom { () -> Int in
      runs.add()
      return numbers(1).value * 2
    }
    for number in 0..<40 { _ = store.get(numbers(number)) }
    _ = store.get(double)
    _ = store.get(numbers(41))
    var unneeded = store.core.state.withLock { state in
      state.members.searchNow()
      return store.core.dropMembers(&state)
    }
    #expect(unneeded.count > 20)
    let quadruple = DerivedAtom { () -> Int in
      otherRuns.add()
      return numbers(2).value * 4
    }
    #expect(store.get(quadruple) == 8)
    unneeded = []
    crowd(numbers)
    #expect(store.get(quadruple) == 8 && otherRuns.value == 1)
    store.set(numbers(2), 5)
    store.set(numbers(1), 5)
    #expect(store.get(quadruple) == 20 && store.get(double) == 10 && runs.value == 2)
  }

  @Test func a32_storesHoldMembersSeparately() {
    let (numbers, other) = (makeNumbers(), AtomStore())
    store.set(numbers(1), 10)
    #expect(other.get(numbers(1)) == 1)
    other.set(numbers(1), 20)
    store.resetAll()
    crowd(numbers)
    #expect(other.get(numbers(1)) == 20 && store.get(numbers(1)) == 1)
  }

  @Test func a32_aStoreThatGoesReleasesItsMembers() {
    final class Token: Sendable {}
    weak var token: Token?
    do {
      let store = AtomStore()
      let family = AtomFamily { (_: Int) in Atom<Token?>(nil) }
      let new = Token()
      token = new
      store.set(family(1), new)
    }
    #expect(token == nil)
  }

  /// A parameter whose hash values collide, and whose comparison and hash function use a family.
  private struct Colliding: Hashable, Sendable {
    static let family = AtomFamily { (number: Int) in Atom(number) }
    let number: Int

    static func == (one: Colliding, other: Colliding) -> Bool {
      family(0).value == 0 && one.number == other.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(Self.family(0).value) }
  }

  @Test func a5_aParameterCanUseAtoms() {
    let family = AtomFamily { (key: Colliding) in Atom(key.number) }
    let members = (0..<20).map { family(Colliding(number: $0)) }
    #expect(members.indices.allSatisfy { family(Colliding(number: $0)).definition === members[$0].definition })
    #expect(members.map { store.get($0) } == Array(0..<20))
  }

  @Test func a32_threadsGetTheSameAtom() {
    let (numbers, seen) = (makeNumbers(), Recorder<Atom<Int>>())
    inThreads(4) { _ in
      for number in 0..<200 {
        let atom = numbers(number)
        seen.add(atom)
      }
    }
    #expect(Set(seen.all.map { ObjectIdentifier($0.definition) }).count == 200)
  }
}
