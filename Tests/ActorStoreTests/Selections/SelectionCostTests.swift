import Testing

@testable import ActorStore

/// What a commit does for the selections of a store, counted (P14, P15).
@Suite struct SelectionCostTests {
  private typealias Machine = SharedSelectionsStateMachine<Int, Int, Int, Int>

  private static let counts = [1_000, 10_000]

  /// Runs a round in which the values of leaves are those of a dictionary, or 0, and returns the evaluated selections.
  ///
  /// The value of a selection with inputs is their sum.
  private func evaluate(_ machine: inout Machine, at revision: UInt64, _ values: [Int: Int] = [:]) -> [Int] {
    guard var round = machine.begin(at: revision) else { return [] }
    var (changes, evaluated): ([Machine.Change], [Int]) = ([], [])
    func compare(_ known: Machine.Known, _ new: Int) {
      evaluated.append(known.selection)
      if known.value != new { changes.append(Machine.Change(known, new)) }
    }
    for known in round.takeLeaves() { compare(known, values[known.selection] ?? 0) }
    while case .evaluate(let work) = machine.proceed(&round, with: changes) {
      changes = []
      for work in work {
        compare(work.known, work.inputs.isEmpty ? values[work.known.selection] ?? 0 : work.inputs.reduce(0, +))
      }
    }
    return evaluated
  }

  @Test(arguments: counts) func p15_aCommitEvaluatesASelectionOnceForAllItsStreams(_ count: Int) {
    var machine = Machine()
    let id = machine.add(0, hash: 0)
    _ = machine.subscribe(0, to: id, at: 0, isReadable: true)
    let first = evaluate(&machine, at: 0)
    let started = machine.startPending(id)?.subscribers
    #expect(first == [0] && started == [0])
    for subscriber in 1..<count {
      guard case .now(0) = machine.subscribe(subscriber, to: id, at: 0, isReadable: true) else {
        Issue.record("not started")
        return
      }
    }
    // The second commit does not change the value, so it is not published.
    for (revision, published) in [(1, [1]), (2, [])] {
      let mustEvaluate = machine.beginCommit()
      let evaluated = evaluate(&machine, at: UInt64(revision), [0: 1])
      let due = machine.endCommit()
      _ = machine.settle(id, at: UInt64(revision))
      #expect(mustEvaluate && evaluated == [0] && due?.map(\.known.value) == published)
    }
  }

  @Test(arguments: counts) func p15_aCommitEvaluatesSelectionsWithChangedInputs(_ count: Int) {
    var machine = Machine()
    let inputs = (0..<10).map { machine.add($0, hash: $0) }
    for number in 10..<count {
      let id = machine.add(number, hash: number, inputs: [inputs[number % 9], inputs[9]])
      _ = machine.addReader(number, to: id)
    }
    let all = evaluate(&machine, at: 0)
    let unchanged = evaluate(&machine, at: 1)
    let one = evaluate(&machine, at: 2, [3: 1])
    let readings = machine.readings(after: machine.step - 1)
    let common = evaluate(&machine, at: 3, [3: 1, 9: 1])
    let due = machine.endCommit()
    let dependents = (10..<count).filter { $0 % 9 == 3 }
    #expect(all.count == count && unchanged == Array(0..<10) && common.count == count)
    #expect(due?.count == 0)
    #expect(one == Array(0..<10) + dependents && readings.count == dependents.count)
  }

  /// A thread that joins or leaves would otherwise copy all selections under the store's lock.
  @Test(arguments: counts) func joiningAndLeavingDuringARoundCopiesNothing(_ count: Int) {
    var machine = Machine()
    let places = (0..<count).map { machine.addReader($0, to: machine.add($0, hash: $0)) }
    _ = evaluate(&machine, at: 0)
    func address() -> UInt { machine.leaves.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
    let before = address()
    guard var round = machine.begin(at: 1) else {
      Issue.record("no round")
      return
    }
    do {
      let leaves = round.takeLeaves()
      _ = machine.removeReader(places[0])
      _ = machine.addReader(count, to: machine.add(count, hash: count))
      #expect(address() == before && leaves.count == count)
    }
    _ = machine.proceed(&round, with: [])
    #expect(machine.leaves.count == count && machine.count == count)
    #expect(machine.leaves.last?.selection == count)
    #expect(machine.leaves.first?.selection == count - 1)
  }

  @Test(arguments: [100, 10_000]) func p14_pastSelectionsLeaveNothingBehind(_ count: Int) {
    var machine = Machine()
    let permanent = machine.add(-1, hash: -1)
    _ = machine.addReader(-1, to: permanent)
    for number in 0..<count {
      let (one, other) = (machine.add(number, hash: number), machine.add(-number - 2, hash: number))
      let both = machine.add(number, hash: -number - 2, inputs: [one, other])
      let place = machine.addReader(0, to: both)
      _ = evaluate(&machine, at: UInt64(number))
      let (count, removed) = (machine.count, machine.removeReader(place))
      #expect(count == 4 && removed.count == 3)
    }
    _ = evaluate(&machine, at: UInt64(count))
    #expect(machine.count == 1 && machine.slots.count == 4 && machine.readers.count == 2)
    #expect(machine.unknown.isEmpty && machine.leaves.count == 1 && machine.candidates(0).isEmpty)
    _ = machine.removeReader(0)
    #expect(machine.slots.isEmpty && machine.readers.isEmpty && machine.leaves.isEmpty)
  }

  /// A stream that joins during an edit that a guard then refuses does not wait for a commit.
  @Test func p14_streamsOfRefusedEditsLeaveNothingBehind() {
    var machine = Machine()
    _ = machine.addReader(0, to: machine.add(-1, hash: -1))
    for number in 0..<10 {
      let id = machine.add(number, hash: number)
      _ = machine.subscribe(number, to: id, at: 0, isReadable: false)
      guard case .evaluate = machine.subscribeAfterEdit(number, to: id, at: 0) else {
        Issue.record("not evaluated")
        return
      }
      _ = evaluate(&machine, at: 0)
      let (started, removed) = (machine.startPending(id)?.subscribers, machine.endStreams(id))
      #expect(started == [number] && removed.count == 1)
    }
    #expect(machine.due.isEmpty && machine.count == 1)
  }

  /// The last use of a chain ends the uses of its inputs, without recursion.
  @Test func aLongChainOfInputsLeaves() {
    let count = 20_000
    var machine = Machine()
    var id = machine.add(0, hash: 0)
    for number in 1..<count { id = machine.add(number, hash: number, inputs: [id]) }
    let place = machine.addReader(0, to: id)
    let evaluated = evaluate(&machine, at: 0)
    let removed = machine.removeReader(place)
    #expect(evaluated.count == count && removed.count == count && machine.isEmpty)
  }
}
