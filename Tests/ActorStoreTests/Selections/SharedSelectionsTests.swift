import Testing

@testable import ActorStore

/// What other threads do to selections between two steps of a thread (P11).
@Suite struct SharedSelectionsTests {
  private final class Reader: SelectionReader {}

  private let selections = SharedSelections(of: ObjectIdentifier(StoreExtras.self), simulation: nil)
  private let node = SelectionNode<Int, Int>(\.self).withoutRepeats()

  /// Otherwise, the committing task could publish a value to a stream that started with it.
  @Test func p11_aSelectionThatHasLeftDoesNotReturn() {
    let first = selections.find(node)
    let early = join(first)
    let found = selections.find(node)
    first.selection.broadcast.leave(early.id)
    let removed = selections.removeIfUnwatched(first.selection)
    let late = join(found)
    let place = selections.addReader(Reader(), to: found)?.place
    #expect(early.mustEvaluate == true && found.selection === first.selection && removed.count == 1)
    #expect(late.mustEvaluate == nil && place == nil)
    let next = selections.find(node)
    #expect(next.selection !== first.selection && join(next).mustEvaluate == true)
  }

  /// A new selection must have all of its inputs.
  @Test func p15_anInputThatHasLeftIsFoundAgain() {
    let input = selections.find(node)
    let early = join(input)
    let composed = SelectionNode<Int, Int>(of: SelectionInputs(node)) { $0[0].value(as: Int.self) }
    let found = selections.find(composed)
    input.selection.broadcast.leave(early.id)
    _ = selections.removeIfUnwatched(input.selection)
    #expect(join(found).mustEvaluate == nil && selections.counts.selections == 0)
    #expect(join(selections.find(composed)).mustEvaluate == true && selections.counts.selections == 2)
  }

  @Test func p15_threadsThatAddEqualSelectionsShareOne() {
    let (one, other) = (selections.find(node), selections.find(SelectionNode<Int, Int>(\.self).withoutRepeats()))
    let (first, second) = (join(one), join(other))
    #expect(first.mustEvaluate == true && second.mustEvaluate == nil && one.selection !== other.selection)
    #expect(selections.find(node).selection === one.selection && selections.counts.selections == 1)
  }

  private final class Follower: SelectionFollower {
    let updates = Locked<[SelectionStep?]>([])
    let next: @Sendable (_ number: Int, SharedSelections) -> Void

    init(_ next: @escaping @Sendable (_ number: Int, SharedSelections) -> Void = { _, _ in }) { self.next = next }

    func update(from source: SharedSelections, _ last: SelectionStep?) -> Bool {
      let number = updates.withLock { updates in
        updates.append(last)
        return updates.count
      }
      next(number, source)
      return true
    }

    func forget(_ source: ObjectIdentifier) {}
  }

  /// A dispatch that returns has updated all followers, even if another thread has evaluated its commit.
  @Test func aFasterThreadHasYetToUpdateAFollower() {
    let late = Follower()
    let seen = Locked<[Int]>([])
    let early = Follower { number, source in
      if number > 1 { return }
      source.compute(from: Published(1), at: 1)
      let updates = late.updates.withLock { $0.count }
      seen.withLock { $0.append(updates) }
    }
    let place = selections.addReader(Reader(), to: selections.find(node))?.place
    selections.compute(from: Published(0), at: 0)
    for follower in [early, late] { _ = selections.values(after: nil, for: follower) }
    selections.compute(from: Published(1), at: 1)
    #expect(place == 0 && seen.withLock { $0 } == [1])
  }

  /// Otherwise, a follower that has missed a step would not notice.
  @Test func aStepNamesTheStepBeforeIt() {
    let follower = Follower()
    _ = selections.values(after: nil, for: follower)
    for revision: UInt64 in 0..<3 {
      if let step = selections.addReader(Reader(), to: selections.find(node))?.step { selections.update(step) }
      selections.compute(from: Published(Int(revision)), at: revision)
    }
    let steps = follower.updates.withLock { $0.compactMap { $0 } }
    #expect(steps.map(\.step) == [1, 2, 3, 4, 5] && steps.map(\.since) == [0, 1, 2, 3, 4])
    #expect(steps.map(\.values.count) == [1, 1, 2, 1, 3])
  }

  private func join(_ found: FoundSelection) -> (id: SubscriptionID, mustEvaluate: Bool?) {
    let id = found.selection.broadcast.reserve(.unbounded, filter: nil, isInGroup: false)
    return (id, selections.subscribe(id, to: found, at: 0, isReadable: true))
  }

  private typealias Machine = SharedSelectionsStateMachine<Int, Int, Int, Int>

  /// Two threads evaluate one commit, and get different values from a closure that is not a function of the state.
  ///
  /// If the second value counted, no task would publish it, and new streams would wait for the next commit.
  @Test func p11_theFirstRoundOfACommitCounts() {
    var machine = Machine()
    let id = machine.add(0, hash: 0)
    _ = machine.subscribe(0, to: id, at: 0, isReadable: true)
    run(&machine, at: 0, [5])
    _ = machine.startPending(id)
    let mustEvaluate = machine.beginCommit()
    guard var slow = machine.begin(at: 1), let known = slow.takeLeaves().first else {
      Issue.record("no round")
      return
    }
    run(&machine, at: 1, [])
    let due = machine.endCommit()
    let finished = machine.proceed(&slow, with: [Machine.Change(known, 6)])
    guard case .finished(let finished) = finished, case .now(5) = machine.subscribe(1, to: id, at: 1, isReadable: true)
    else {
      Issue.record("not started")
      return
    }
    #expect(mustEvaluate && due?.count == 0 && !finished.isFirst && machine.due.isEmpty)
  }

  /// A thread gives a selection its first value while another one evaluates the next commit, which changes no input.
  ///
  /// Without a comparison, the selection counts as changed when it is computed again, but only if an input has changed.
  @Test func p11_aSelectionWithoutAComparisonRepeatsNothing() {
    var machine = Machine()
    let input = machine.add(0, hash: 0)
    let id = machine.add(1, hash: 1, inputs: [input])
    _ = machine.subscribe(0, to: id, at: 0, isReadable: true)
    guard var first = machine.begin(at: 0), machine.beginCommit(), var second = machine.begin(at: 1),
      let early = first.takeLeaves().first, let late = second.takeLeaves().first
    else {
      Issue.record("no round")
      return
    }
    var progress = machine.proceed(&first, with: [Machine.Change(early, 5)])
    while case .evaluate(let work) = progress {
      progress = machine.proceed(&first, with: work.map { Machine.Change($0.known, 50) })
    }
    let started = machine.startPending(id)
    progress = machine.proceed(&second, with: [Machine.Change(late, 5)])
    while case .evaluate(let work) = progress {
      // The input compares equal to its value, and the other one has no comparison.
      progress = machine.proceed(
        &second, with: work.filter { $0.known.selection == 1 }.map { Machine.Change($0.known, 50) })
    }
    let due = machine.endCommit()
    #expect(started?.value == 50 && started?.subscribers == [0])
    #expect(due?.contains { $0.isChanged } == false)
  }

  /// Readers of one selection are in a list, and their places are used again for readers of others.
  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func readersLeaveInAnyOrder(_ order: [Int]) {
    var machine = Machine()
    let (id, other) = (machine.add(0, hash: 0), machine.add(1, hash: 1))
    var places = (0..<3).map { machine.addReader($0, to: id) }
    places += [machine.addReader(3, to: other)]
    for (count, reader) in order.enumerated() {
      _ = machine.removeReader(places[reader])
      _ = machine.addReader(4 + count, to: other)
      let step = machine.step
      run(&machine, at: UInt64(count), [count, 10 + count])
      let (rest, others) = (order[(count + 1)...].sorted(), Array(3...(4 + count)))
      let readings = machine.readings(after: step)
      #expect(readings.map(\.reader).sorted() == rest + others)
      #expect(readings.allSatisfy { $0.value == ($0.reader < 3 ? count : 10 + count) })
    }
    #expect(machine.count == 1)
  }

  /// Two threads evaluate the first value of a selection, which its readers get once.
  @Test func p15_theFirstValueOfASelectionCountsOnce() {
    var machine = Machine()
    _ = machine.addReader(0, to: machine.add(0, hash: 0))
    guard var slow = machine.begin(at: 0), let known = slow.takeLeaves().first else {
      Issue.record("no round")
      return
    }
    run(&machine, at: 0, [5])
    let step = machine.step
    guard case .finished(let finished) = machine.proceed(&slow, with: [Machine.Change(known, 5)]) else {
      Issue.record("not finished")
      return
    }
    #expect(finished.readings.isEmpty && machine.step == step)
  }

  /// Runs a round in which the values of the selections with the lowest numbers change.
  private func run(_ machine: inout Machine, at revision: UInt64, _ values: [Int]) {
    guard var round = machine.begin(at: revision) else { return }
    let changed = round.takeLeaves().filter { $0.selection < values.count }
    let changes = changed.map { Machine.Change($0, values[$0.selection]) }
    while case .evaluate = machine.proceed(&round, with: changes) {}
  }
}
