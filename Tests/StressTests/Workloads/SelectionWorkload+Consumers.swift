import Atoms
import SeededRandom

@testable import ActorStore

/// The consumers of the selections.
extension SelectionWorkload {
  // MARK: Streams

  func stream(_ choice: Choice, _ random: inout SplitMix64, _ group: inout TaskGroup<Void>) async {
    let before = await version
    let kind = random.below(6)
    let isNewest = kind == 4
    let selected = choice.select(store)
    let values = isNewest ? selected.values(bufferingPolicy: .bufferingNewest(1)) : selected.values
    let after = await version
    if kind == 5 { return }
    let count = random.below(5) + 1
    let received = Locked<[[Int]]>([])
    let isWhole = Locked(false)
    let follow: @Sendable () async -> Void = {
      for await value in values {
        let isEnough = received.withLock { received in
          received.append(value)
          return kind == 1 && received.count == count
        }
        if isEnough { return }
      }
      if !Task.isCancelled { isWhole.withLock { $0 = true } }
    }
    switch kind {
    case 2:
      await withTaskGroup { group in
        group.addTask { await follow() }
        for _ in 0..<count { await Task.yield() }
        group.cancelAll()
      }
    default:
      group.addTask { await follow() }
    }
    check { history in
      let (received, isWhole) = (received.withLock { $0 }, isWhole.withLock { $0 })
      return history.problem(of: choice, received, from: before...after, isWhole: isWhole, canSkip: isNewest)
        .map { "a stream of kind \(kind): \($0)" }
    }
  }

  // MARK: Observations and mirrors

  private actor Observer {
    private(set) var received: [[Int]] = []

    func add(_ value: [Int]) { received.append(value) }
  }

  func observe(_ choice: Choice, _ random: inout SplitMix64) async {
    let before = await version
    let observer = Observer()
    let token = choice.select(store).observe(observer, id: 0) { observer, value in observer.add(value) }
    let after = await version
    let kind = random.below(4)
    switch kind {
    case 0: token.cancel()
    case 1: return
    default: break
    }
    check { history in
      history.problem(of: choice, await observer.received, from: before...after, isWhole: kind > 1)
        .map { "an observation: \($0)" }
    }
  }

  @MainActor private func makeMirror(
    _ choice: Choice, isImmediate: Bool
  ) async -> (mirror: ObservableValue<[Int]>, first: [Int]) {
    let selected = choice.select(store)
    // The empty value is that of a mirror that is made during an edit.
    let mirror = isImmediate ? selected.observable(initial: []) : await selected.observable
    return (mirror, mirror.value)
  }

  func mirror(_ choice: Choice, _ random: inout SplitMix64) async {
    let before = await version
    let isImmediate = random.below(2) == 0
    let (mirror, first) = await makeMirror(choice, isImmediate: isImmediate)
    let after = await version
    check { history in
      if isImmediate, first == [] { return nil }
      return history.problem(of: choice, first, in: before...after).map { "a mirror: \($0)" }
    }
    if random.below(2) == 0 { return }
    check { history in
      await history.problem(of: choice, mirror.value, in: history.last...history.last).map { "a late mirror: \($0)" }
    }
  }

  // MARK: Atoms

  func atom(_ choice: Choice, _ random: inout SplitMix64) async {
    let before = settledVersion
    let atom = choice.select(store).atom
    let value = atoms.get(atom)
    let after = await version
    check { history in history.problem(of: choice, value, in: before...after).map { "an atom: \($0)" } }
    let kind = random.below(3)
    if kind == 0 { return }
    check { [atoms] history in
      history.problem(of: choice, atoms.get(atom), in: history.last...history.last).map { "a late atom: \($0)" }
    }
    if kind == 1 { return }
    let received = Locked<[[Int]]>([])
    keep(atoms.observe(atom) { value in received.withLock { $0.append(value) } })
    let later = await version
    check { history in
      let received = received.withLock { $0 }
      return history.problem(of: choice, received, from: before...later, isWhole: true, canSkip: true)
        .map { "an observed atom: \($0)" }
    }
  }

  /// Reads two atoms, which never mix two commits.
  func derive(_ one: Choice, _ other: Choice, _ random: inout SplitMix64) async {
    let before = settledVersion
    let (first, second) = (one.select(store).atom, other.select(store).atom)
    let both = DerivedAtom { [first.value, second.value] }
    let values = atoms.get(both)
    let after = await version
    check { history in
      (before...after).contains { version in
        history.value(of: one, at: version) == one.compared(values[0])
          && history.value(of: other, at: version) == other.compared(values[1])
      } ? nil : "atoms of \(one.name) and \(other.name) mix commits: \(values) in \(before...after)"
    }
    if random.below(2) == 0 { keep(atoms.observe(both) { _ in }) }
  }

  // MARK: Single values

  func current(_ choice: Choice) async {
    let before = await version
    let value = await choice.select(store).current
    let after = await version
    check { history in history.problem(of: choice, value, in: before...after).map { "current: \($0)" } }
  }

  /// Waits for a value, and sometimes cancels the wait.
  func first(_ choice: Choice, _ random: inout SplitMix64) async {
    let (before, rest, yields) = (await version, random.below(3), random.below(4))
    let isIt: @Sendable ([Int]) -> Bool = { $0.reduce(0, +) % 3 == rest }
    let value = await withTaskGroup(of: [Int]?.self) { [store] group in
      group.addTask { try? await choice.select(store).first(where: isIt) }
      for _ in 0..<yields { await Task.yield() }
      group.cancelAll()
      return await group.next() ?? nil
    }
    guard let value else { return }
    check { history in
      isIt(value) ? history.problem(of: choice, value, in: before...history.last) : "first ignores the condition"
    }
  }
}
