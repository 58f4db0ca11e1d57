/// The selections of one store that are in use, and their values of one commit, as pure logic.
///
/// An entry is one distinct selection. Entries without inputs are *leaves*, and each commit visits them. The others
/// are evaluated only if an input has changed, and after all of their inputs. Their *rank* is one more than the highest
/// rank of an input. All values are of the same commit, so readers of several selections never mix two commits.
///
/// A *round* evaluates a commit: first `begin`, then `proceed` until nothing is left to evaluate. The selections are
/// evaluated between these calls, without a lock. The committing task runs a round. So does each thread that adds a
/// selection and needs its value immediately. Rounds of the same commit may be concurrent, and the first one to finish
/// counts. A round never starts over: if others have changed a value, it evaluates only that selection again.
///
/// A `Subscriber` is a stream, which gets the changes of a value one by one. A `Reader` is an atom, which gets the
/// values of a commit together with other readers.
struct SharedSelectionsStateMachine<
  Selection: Sendable, Value: Sendable, Subscriber: Equatable & Sendable, Reader: Sendable
>: Sendable {
  /// A reusable slot and a unique number.
  struct ID: Hashable, Sendable {
    let slot: Int
    let number: UInt64
  }

  /// A selection and its newest value.
  struct Known: Sendable {
    let id: ID
    let selection: Selection
    /// The value, or `nil` until the first round.
    var value: Value?
    /// The step in which the value changed, or 0 if there is none yet.
    var changedAt: UInt64 = 0
  }

  /// A stream that has yet to get its first value.
  struct Pending: Sendable {
    let subscriber: Subscriber
    /// The first revision that the subscriber may see.
    let revision: UInt64
  }

  /// An entry, or a free slot, whose number is 0.
  ///
  /// A free slot is not `nil`, because accesses to the payload of an optional would copy it.
  struct Entry: Sendable {
    var number: UInt64 = 0
    var selection: Selection?
    /// See `Known`.
    var value: Value?
    var changedAt: UInt64 = 0
    var hash = 0
    /// The next entry with the same hash.
    var nextWithHash: Int?
    var inputs: [ID] = []
    var rank = 0
    /// The numbers of the entries that have this one as an input, by slot.
    var dependents = KeyedArray<Int, UInt64>()
    var readers = ReaderList()
    /// Whether streams use the entry.
    var isStreamed = false
    /// Whether the committing task has yet to publish the value to the streams.
    var isDue = false
    /// Whether the entry is in `due`.
    ///
    /// It must be there once, or a value would be published twice.
    var isListed = false
    /// The index among `leaves`, or `nil` for an entry with inputs and for a leaf that waits in `arrivals`.
    var leaf: Int?
    var pending: [Pending] = []

    var isUsed: Bool { isStreamed || !dependents.isEmpty || readers.first != nil }
  }

  /// A selection or a value that the caller releases without a lock, because a `deinit` may be the user's.
  struct Released: Sendable {
    /// The selection, unless only its value has changed.
    var selection: Selection?
    let value: Value?
  }

  var slots: [Entry] = []
  private var freeSlots: [Int] = []
  /// The last added entry with each hash.
  private var byHash: [Int: Int] = [:]
  private var lastNumber: UInt64 = 0
  var readers: [ReaderSlot] = []
  var freeReaders: [Int] = []
  private(set) var isFinished = false

  /// The leaves, in a dense array that rounds read without the lock.
  ///
  /// While a round runs, an added leaf waits in `arrivals`, and the index of a removed leaf waits in `departures`,
  /// because changing the array would copy it under the lock. A round that finishes while another one runs is the only
  /// exception. It changes the array.
  var leaves: [Known] = []
  var arrivals: [ID] = []
  private var departures: [Int] = []
  private var runningRounds = 0
  /// The values that have changed since the first of the running rounds began, and that several rounds have to know.
  private(set) var recent: [Recent] = []

  struct Recent: Hashable, Sendable {
    let id: ID
    let step: UInt64
  }

  /// The entries that had no value when they were added.
  var unknown: [ID] = []
  /// The entries that the committing task has yet to publish, or that have subscribers for it to start.
  var due: [ID] = []
  /// Whether the committing task has installed a state and has yet to finish its round.
  var isCommitting = false
  /// The commit that all values are of.
  var revision: UInt64?
  /// The number of times that values have changed or readers have been added.
  var step: UInt64 = 0
  /// The last step that concerned readers.
  var readStep: UInt64 = 0

  /// The number of entries.
  var count: Int { slots.count - freeSlots.count }
  var isEmpty: Bool { count == 0 }

  /// The selections, in an order that is the same in every run of a simulated schedule.
  var selections: [Selection] { slots.compactMap(\.selection) }

  func isHere(_ id: ID) -> Bool { id.slot < slots.count && slots[id.slot].number == id.number }

  func known(_ id: ID) -> Known? {
    guard isHere(id), let selection = slots[id.slot].selection else { return nil }
    return Known(id: id, selection: selection, value: slots[id.slot].value, changedAt: slots[id.slot].changedAt)
  }

  /// Removes the entries from `unknown` that are gone or have a value.
  mutating func forgetKnown() {
    if !unknown.isEmpty { unknown = unknown.filter(isUnknown) }
  }

  /// Whether an entry has yet to get its first value.
  func isUnknown(_ id: ID) -> Bool { isHere(id) && slots[id.slot].value == nil }

  // MARK: Joining and leaving

  /// The entries with a hash, which the caller compares without a lock.
  func candidates(_ hash: Int) -> [Known] { ids(hash).compactMap(known) }

  /// Whether no entry with a hash has been added since the caller got the candidates.
  func hasOnly(_ compared: Set<ID>, _ hash: Int) -> Bool { ids(hash).allSatisfy(compared.contains) }

  private func ids(_ hash: Int) -> [ID] {
    var (ids, next): ([ID], Int?) = ([], byHash[hash])
    while let slot = next {
      ids.append(ID(slot: slot, number: slots[slot].number))
      next = slots[slot].nextWithHash
    }
    return ids
  }

  /// Removes an entry from the list of those with its hash.
  private mutating func unlist(_ slot: Int) {
    let (hash, next) = (slots[slot].hash, slots[slot].nextWithHash)
    var previous: Int?
    var current = byHash[hash]
    while let other = current, other != slot { (previous, current) = (other, slots[other].nextWithHash) }
    if let previous { slots[previous].nextWithHash = next } else { byHash[hash] = next }
  }

  /// Adds an entry, which the caller uses before it unlocks.
  mutating func add(_ selection: Selection, hash: Int, inputs: [ID] = []) -> ID {
    lastNumber += 1
    let slot = freeSlots.popLast() ?? slots.count
    let id = ID(slot: slot, number: lastNumber)
    let rank = inputs.reduce(-1) { max($0, slots[$1.slot].rank) } + 1
    let entry = Entry(
      number: lastNumber, selection: selection, hash: hash, nextWithHash: byHash[hash], inputs: inputs, rank: rank)
    if slot == slots.count { slots.append(entry) } else { slots[slot] = entry }
    byHash[hash] = slot
    for input in inputs { slots[input.slot].dependents[slot] = lastNumber }
    unknown.append(id)
    if inputs.isEmpty { arrive(id) }
    return id
  }

  /// Notes that streams no longer use an entry.
  mutating func endStreams(_ id: ID) -> [Released] {
    guard isHere(id) else { return [] }
    slots[id.slot].isStreamed = false
    slots[id.slot].pending = []
    return removeIfUnused(id)
  }

  /// Removes an entry without uses, and then its inputs if they have no other uses.
  mutating func removeIfUnused(_ id: ID) -> [Released] {
    var (released, leaving): ([Released], [ID]) = ([], [id])
    while let id = leaving.popLast() {
      guard isHere(id), !slots[id.slot].isUsed, let selection = slots[id.slot].selection else { continue }
      let entry = slots[id.slot]
      unlist(id.slot)
      slots[id.slot] = Entry()
      freeSlots.append(id.slot)
      for input in entry.inputs {
        _ = slots[input.slot].dependents.remove(id.slot)
        leaving.append(input)
      }
      released.append(Released(selection: selection, value: entry.value))
      guard let leaf = entry.leaf else { continue }
      if runningRounds == 0 { removeLeaf(leaf) } else { departures.append(leaf) }
    }
    forgetSlotsIfEmpty()
    return released
  }

  /// Ends all streams, because there will be no more states, and returns the selections.
  mutating func finish() -> [Selection] {
    isFinished = true
    return selections
  }

  private mutating func forgetSlotsIfEmpty() {
    guard isEmpty, runningRounds == 0 else { return }
    (slots, freeSlots, leaves, arrivals, unknown, due) = ([], [], [], [], [], [])
  }

  // MARK: Leaves

  private mutating func arrive(_ id: ID) {
    if runningRounds > 0 { return arrivals.append(id) }
    guard let known = known(id) else { return }
    slots[id.slot].leaf = leaves.count
    leaves.append(known)
  }

  @discardableResult
  private mutating func removeLeaf(_ leaf: Int) -> Known? {
    guard let last = leaves.popLast() else { return nil }
    if leaf == leaves.count { return last }
    let removed = leaves[leaf]
    leaves[leaf] = last
    // The last one may itself have left.
    if isHere(last.id) { slots[last.id.slot].leaf = leaf }
    return removed
  }

  /// Replaces a value, and returns the former one.
  mutating func replace(_ id: ID, _ value: Value) -> Value? {
    let former = slots[id.slot].value
    slots[id.slot].value = value
    slots[id.slot].changedAt = step
    if let leaf = slots[id.slot].leaf {
      leaves[leaf].value = value
      leaves[leaf].changedAt = step
    }
    if runningRounds > 1 { recent.append(Recent(id: id, step: step)) }
    return former
  }

  mutating func beginRound() { runningRounds += 1 }

  /// Lets the leaves come and go that have waited for the end of the running rounds.
  mutating func endRound() -> [Released] {
    runningRounds -= 1
    if runningRounds > 0 { return [] }
    // From the highest index down, so that the leaf that moves never departs later.
    let departed = departures.sorted(by: >).compactMap { removeLeaf($0) }
    let arrived = arrivals
    (departures, arrivals, recent) = ([], [], [])
    for id in arrived { arrive(id) }
    forgetSlotsIfEmpty()
    return departed.map { Released(selection: $0.selection, value: $0.value) }
  }
}

extension SharedSelectionsStateMachine: Equatable, Hashable
where Selection: Hashable, Value: Hashable, Subscriber: Hashable, Reader: Hashable {}
extension SharedSelectionsStateMachine.Entry: Equatable, Hashable
where Selection: Hashable, Value: Hashable, Subscriber: Hashable, Reader: Hashable {}
extension SharedSelectionsStateMachine.Known: Equatable, Hashable
where Selection: Hashable, Value: Hashable, Subscriber: Hashable, Reader: Hashable {}
extension SharedSelectionsStateMachine.Pending: Equatable, Hashable
where Selection: Hashable, Value: Hashable, Subscriber: Hashable, Reader: Hashable {}
