import ActorStore
import Atoms
import SeededRandom

extension ChaosThread {
  /// Performs one random operation in the store of the graph, which is the current one.
  mutating func perform(_ kind: ChaosKind) async {
    switch kind {
    case .readSource: _ = graph.read(random.below(graph.plan.inputs))
    case .readDerived: _ = graph.derived[random.below(graph.derived.count)].value
    case .readOwn: readOwn()
    case .snapshot: check(in: store, known)
    case .setShared: graph.shared[random.below(graph.shared.count)].value = random.below(100)
    case .setOwn: setOwn()
    case .update: increment()
    case .reset: reset()
    case .setGetSet, .setNested, .setWillSet: setDerived(kind)
    case .transaction: transact(fails: false, isNested: false)
    case .failingTransaction: transact(fails: true, isNested: false)
    case .nestedTransaction: transact(fails: false, isNested: true)
    case .transfer: transfer()
    case .readAsync, .reload, .setAsync, .cancel, .result, .element, .sequence: await performAsync(kind)
    case .member, .view: performMember(kind)
    case .object, .actorObject: await change(kind)
    case .observe: observe()
    case .follow, .followOwn: await follow(kind)
    case .inject: inject()
    case .injectSource, .injectAsync: injectInput(kind)
    case .use: use()
    case .setThroughUse: uses[random.below(uses.count)]?.wrappedValue = random.below(100)
    case .advance: clock.advance(by: .milliseconds(random.below(2_000)))
    case .setElement, .append, .bind: changeItems(kind)
    case .dispatch: await dispatch()
    case .setSelection: graph.bankNote.value = random.below(100)
    case .otherStore: actInOtherStore()
    case .step, .readDebounced, .readThrottled, .readSearch, .model, .readModel: await performStep(kind)
    case .setResettable, .resetResettable: performReset(kind)
    case .inspect: inspect()
    }
  }

  // MARK: Reading

  private mutating func readOwn() {
    let slot = random.below(known.own.count)
    expect("own atom", graph.own[index][slot].value, known.own[slot])
    let counter = random.below(graph.counters.count)
    let seen = graph.counters[counter].value
    if seen < greatest[counter] { expect("a counter that only grows", seen, greatest[counter]) }
    greatest[counter] = max(greatest[counter], seen)
  }

  private func inspect() {
    if number % 8 == 0 {
      expect("labels in the graph", store.graph.atoms.contains { $0.label.isEmpty }, false)
    } else {
      expect("former values below zero", store.diagnostics.kept < 0, false)
    }
  }

  // MARK: Setting

  /// Notes that an own atom has a new value, which a stream of it must have.
  mutating func setsOwn(_ slot: Int, _ value: Int) {
    if slot == 0, known.own[slot] != value { ownFollower?.values.append(value) }
    known.own[slot] = value
  }

  private mutating func setOwn() {
    let (slot, value) = (random.below(known.own.count), random.below(100))
    if random.below(4) == 0 {
      graph.own[index][slot].update { $0 = value }
    } else {
      graph.own[index][slot].value = value
    }
    setsOwn(slot, value)
  }

  private mutating func increment() {
    let counter = random.below(graph.counters.count)
    let new = graph.counters[counter].update { value in
      value += 1
      return value
    }
    increments[counter] += 1
    if new <= greatest[counter] { expect("update of a counter", new, greatest[counter] + 1) }
    greatest[counter] = new
  }

  private mutating func reset() {
    if random.below(2) == 0 {
      let slot = random.below(known.own.count)
      graph.own[index][slot].reset()
      setsOwn(slot, 0)
    } else {
      graph.shared[random.below(graph.shared.count)].reset()
    }
  }

  private mutating func setDerived(_ kind: ChaosKind) {
    let value = random.below(200)
    switch kind {
    case .setWillSet:
      known.willSet = random.below(4) == 0 ? nil : value
      if known.willSet == nil { graph.willSets[index].reset() } else { graph.willSets[index].value = value }
    case .setGetSet where !graph.balanced.isEmpty:
      graph.balanced[index].sum.value = value
      known.sum = value
    case .setNested where !graph.balanced.isEmpty:
      graph.balanced[index].twice.value = value
      known.sum = value / 2
    default:
      graph.relay.value = value
    }
  }

  private mutating func changeItems(_ kind: ChaosKind) {
    let (id, value) = (random.below(12), random.below(100))
    switch kind {
    case .append:
      graph.items.update { items in
        if !items.contains(where: { $0.id == id }) {
          items.insert(ChaosItem(id: id, value: value), at: items.count / 2)
        }
      }
    case .bind:
      @UseAtom(graph.items) var items
      guard let item = $items.element(id: id) else { return }
      item.value.wrappedValue = value
      expect("the element of a binding", item.wrappedValue.id, id)
    default:
      let atom = graph.itemAtoms(id)
      atom.value = value % 5 == 0 ? nil : ChaosItem(id: id, value: value)
    }
  }

  private mutating func performMember(_ kind: ChaosKind) {
    let number = random.below(knownMember.count)
    if kind == .view {
      let value = random.below(40)
      let (view, again) = (graph.views(value), graph.views(value))
      _ = view.value
      expect("the identity of a member in use", view.definition === again.definition, true)
      return
    }
    // The name belongs to this thread, and nothing holds the atom between two operations.
    let member = graph.members(index * 100 + number)
    expect("family member", member.value, knownMember[number])
    knownMember[number] = random.below(100)
    member.value = knownMember[number]
  }

  // MARK: Stores

  private mutating func dispatch() async {
    let outcome =
      switch random.below(4) {
      case 0: await graph.bank.send(ChaosDeposit()).outcome
      case 1: await graph.bank.transaction { transaction throws(Veto) in try transaction.run(ChaosDeposit()) }
      default: await graph.bank.dispatch(ChaosDeposit())
      }
    guard case .committed(let count) = outcome else {
      return expect("a deposit was not committed", true, false)
    }
    dispatches += 1
    let seen = graph.bankCount.value
    if seen < count || seen < greatest[2] { expect("selection after a dispatch", seen, max(count, greatest[2])) }
    greatest[2] = seen
  }

  private mutating func actInOtherStore() {
    let (slot, value) = (random.below(known.own.count), random.below(100))
    other.callAsCurrent {
      graph.own[index][slot].value = value
      graph.shared[random.below(graph.shared.count)].value = value
    }
    knownInOther.own[slot] = value
    other.callAsCurrent { check(in: other, knownInOther) }
  }
}
