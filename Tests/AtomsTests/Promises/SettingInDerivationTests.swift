import Testing

@testable import Atoms

/// A set in a derivation or a snapshot has no effect, and is reported with both labels (A10).
@Suite struct SettingInDerivationTests {
  private let store = AtomStore()
  private let problems = Recorder<AtomProblem>()
  private let target = Atom(0).debugLabel("target")

  init() {
    store.onProblem = { [problems] in problems.add($0) }
  }

  private static func inWrong(_ atom: String) -> AtomProblem { .setInDerivation(atom, in: "wrong") }

  /// Reads a derived atom that does something else than reading.
  private func derive(_ body: @escaping @Sendable () -> Void) {
    let wrong = DerivedAtom { [target] () -> Int in
      body()
      return target.value
    }.debugLabel("wrong")
    #expect(store.get(wrong) == store.get(target))
  }

  @Test func a10_aSetInADerivationHasNoEffect() {
    store.set(target, 1)
    derive { [target] in target.value = 2 }
    #expect(store.get(target) == 1)
    #expect(problems.all == [Self.inWrong("target")])
  }

  @Test func a10_otherWaysToSetHaveNoEffect() {
    store.set(target, 1)
    derive { [target] in target.update { $0 += 1 } }
    derive { [target] in target.reset() }
    derive { [target] in AtomStore.current.transaction { target.value = 3 } }
    #expect(store.get(target) == 1)
    #expect(problems.all == Array(repeating: Self.inWrong("target"), count: 3))
  }

  @Test func a10_setsOfOtherKindsOfAtomsHaveNoEffect() {
    let percent = WillSetAtom(1) { min($0, 100) }.debugLabel("percent")
    let copy = GetSetAtom { [target] in
      target.value
    } set: { [target] in
      target.value = $0
    }.debugLabel("copy")
    derive { percent.value = 300 }
    derive { copy.value = 300 }
    derive { copy.reset() }
    #expect(store.get(percent) == 1 && store.get(copy) == 0 && store.get(target) == 0)
    #expect(problems.all == [Self.inWrong("percent"), Self.inWrong("copy"), Self.inWrong("copy")])
  }

  @Test func a10_aTransformationAndAGetterAreDerivations() {
    let percent = WillSetAtom(0) { [target] new in
      target.value = new
      return new
    }.debugLabel("percent")
    let copy = GetSetAtom { [target] () -> Int in
      target.value = 5
      return target.value
    } set: { _ in
    }.debugLabel("copy")
    store.set(percent, 1)
    #expect(store.get(percent) == 1 && store.get(copy) == 0 && store.get(target) == 0)
    #expect(problems.all == [.setInDerivation("target", in: "percent"), .setInDerivation("target", in: "copy")])
  }

  @Test func a10_theInnermostDerivationIsReported() {
    let wrong = DerivedAtom { [target] () -> Int in
      target.value = 5
      return 1
    }.debugLabel("wrong")
    let outer = DerivedAtom { wrong.value + 1 }.debugLabel("outer")
    #expect(store.get(outer) == 2)
    #expect(problems.all == [Self.inWrong("target")])
  }

  @Test func a10_aSetInADerivationInATransactionHasNoEffect() {
    let wrong = DerivedAtom { [target] () -> Int in
      target.value += 100
      return target.value
    }.debugLabel("wrong")
    let seen = store.transaction { [target] () -> Int in
      target.value = 1
      return wrong.value
    }
    #expect(seen == 1 && store.get(target) == 1)
    #expect(problems.all == [Self.inWrong("target")])
  }

  @Test func a10_aSetInASnapshotHasNoEffect() {
    let seen = store.snapshot { () -> Int in
      target.value = 6
      target.update { $0 += 1 }
      return target.value
    }
    #expect(seen == 0 && store.get(target) == 0)
    let problem = AtomProblem.setInDerivation("target", in: "a snapshot")
    #expect(problems.all == [problem, problem])
  }

  @Test func a10_aSetInTheDerivationOfAnotherStoreHasNoEffect() {
    let other = AtomStore()
    derive { [target] in other.set(target, 5) }
    #expect(other.get(target) == 0 && store.get(target) == 0)
    #expect(problems.all == [Self.inWrong("target")])
  }

  @Test func a10_theDefaultTrapsInADebugBuild() async {
    #if DEBUG
      let expected = ExitTest.Condition.failure
    #else
      let expected = ExitTest.Condition.success
    #endif
    let result = await #expect(processExitsWith: expected, observing: [\.standardErrorContent]) {
      let target = Atom(0).debugLabel("target")
      let wrong = DerivedAtom { () -> Int in
        target.value = 5
        return target.value
      }.debugLabel("wrong")
      precondition(wrong.value == 0)
    }
    let message = string(from: result?.standardErrorContent)
    #expect(message.contains("Atoms: target was set in wrong, which must only read."), "\(message)")
  }

  @Test func a10_aSetInASnapshotInATransactionHasNoEffect() {
    store.transaction {
      target.value = 1
      store.snapshot {
        target.value = 2
        store.resetAll()
      }
      #expect(target.value == 1)
      target.value += 2
    }
    #expect(store.get(target) == 3)
    let labels = ["target", "every atom"]
    #expect(problems.all == labels.map { .setInDerivation($0, in: "a snapshot") })
  }

  @Test func a10_aResetHasNoEffect() {
    let percent = WillSetAtom(1) { min($0, 100) }.debugLabel("percent")
    store.transaction {
      percent.value = 50
      target.value = 1
    }
    let wrong = DerivedAtom { [target] () -> [Int] in
      percent.reset()
      AtomStore.current.resetAll()
      return [percent.value, target.value]
    }.debugLabel("wrong")
    #expect(store.get(wrong) == [50, 1])
    #expect(problems.all == [Self.inWrong("percent"), Self.inWrong("every atom")])
  }

  @Test func a10_aHandlerOfProblemsMaySet() {
    let (count, store) = (Atom(0), AtomStore())
    store.onProblem = { _ in store.update(count) { $0 += 1 } }
    let wrong = DerivedAtom { [target] () -> Int in
      target.value = 1
      return target.value
    }
    #expect(store.get(wrong) == 0 && store.get(count) == 1)
  }
}
