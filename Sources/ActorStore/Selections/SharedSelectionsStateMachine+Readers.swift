/// The readers of the values, which take the changes of all selections together.
extension SharedSelectionsStateMachine {
  /// A reader, in the list of its entry.
  struct ReaderSlot: Sendable {
    /// The reader, or `nil` if the slot is free.
    var reader: Reader?
    let entry: ID
    /// The step in which the reader came.
    let addedAt: UInt64
    var previous: Int?
    var next: Int?
  }

  /// The ends of the list of an entry's readers.
  struct ReaderList: Hashable, Sendable {
    var first: Int?
    var last: Int?
  }

  /// A reader and its newest value.
  typealias Reading = (reader: Reader, value: Value)

  /// Adds a reader of an entry, and returns its place.
  ///
  /// If the entry has a value, the reader gets it in a separate step.
  mutating func addReader(_ reader: Reader, to id: ID) -> Int {
    if slots[id.slot].value != nil {
      step += 1
      readStep = step
    }
    let last = slots[id.slot].readers.last
    let new = ReaderSlot(reader: reader, entry: id, addedAt: step, previous: last)
    let place = freeReaders.popLast() ?? readers.count
    if place == readers.count { readers.append(new) } else { readers[place] = new }
    if let last { readers[last].next = place } else { slots[id.slot].readers.first = place }
    slots[id.slot].readers.last = place
    return place
  }

  /// Removes a reader, and its entry if it has no other uses.
  mutating func removeReader(_ place: Int) -> [Released] {
    let (id, previous, next) = (readers[place].entry, readers[place].previous, readers[place].next)
    if let previous { readers[previous].next = next } else { slots[id.slot].readers.first = next }
    if let next { readers[next].previous = previous } else { slots[id.slot].readers.last = previous }
    readers[place].reader = nil
    freeReaders.append(place)
    if freeReaders.count == readers.count { (readers, freeReaders) = ([], []) }
    return removeIfUnused(id)
  }

  /// The newest value for a reader, or `nil` if there is none yet.
  func value(forReaderAt place: Int) -> Value? { known(readers[place].entry)?.value }

  /// The newest values of the readers that have changed, or come, after a step.
  func readings(after step: UInt64) -> [Reading] {
    if step >= readStep { return [] }
    var readings: [Reading] = []
    for entry in slots {
      guard let value = entry.value else { continue }
      addReadings(of: entry.readers, value, to: &readings) { entry.changedAt > step || $0.addedAt > step }
    }
    return readings
  }

  /// Appends a value for each reader in a list.
  func addReadings(
    of list: ReaderList, _ value: Value, to readings: inout [Reading],
    where isIncluded: (ReaderSlot) -> Bool = { _ in true }
  ) {
    var next = list.first
    while let place = next {
      let slot = readers[place]
      if let reader = slot.reader, isIncluded(slot) { readings.append((reader, value)) }
      next = slot.next
    }
  }
}

extension SharedSelectionsStateMachine.ReaderSlot: Equatable, Hashable
where Selection: Hashable, Value: Hashable, Subscriber: Hashable, Reader: Hashable {}
