@testable import ActorStore

/// The threads that join and leave selections.
extension VirtualSelections {
  mutating func step(_ index: Int) {
    switch joiners[index].step {
    case .join:
      if mistake == .joinsAtAnEarlierRevision, !joiners[index].isReader, isReadable {
        joiners[index].step = .joinAt(revision)
      } else if joiners[index].isReader {
        addReader(index)
      } else {
        subscribe(index, at: revision)
      }
    case .joinAt(let revision): subscribe(index, at: revision)
    case .begin(let earlier):
      let revision = earlier < 0 ? revision : earlier
      joiners[index].step = begin(at: revision).map(Joining.run) ?? next(index)
    case .run(var run):
      guard let finished = proceed(&run) else { return joiners[index].step = .run(run) }
      if mistake == .publishesWhileHelping, finished.isFirst, let due = machine.endCommit() {
        for due in due {
          if due.isChanged { publish(due) }
          settle(due)
        }
      }
      joiners[index].step = next(index)
    case .update:
      updateGraph()
      guard let place = joiners[index].place else { return }
      joiners[index].step = machine.value(forReaderAt: place) == nil ? .begin(revision: -1) : .joined
    case .start:
      if let id = joiners[index].id { startPending(id) }
      joiners[index].step = .joined
    case .joined:
      joiners[index].step = .done
      if joiners[index].leaves { leave(index) }
    case .done: violation = "a finished thread took a step"
    }
  }

  private func next(_ index: Int) -> Joining { joiners[index].isReader ? .update : .start }

  mutating func join(_ selection: Int) -> Machine.ID {
    if let known = machine.candidates(selection).first { return known.id }
    let inputs = Self.inputs[selection].map { join($0) }
    return machine.add(selection, hash: selection, inputs: inputs)
  }

  mutating func subscribe(_ index: Int, at revision: Int) {
    let id = join(joiners[index].selection)
    joiners[index].id = id
    joiners[index].joinedAt = isReadable ? revision : revision + 1
    joiners[index].step = .joined
    if !isReadable { early.append(index) }
    switch machine.subscribe(index, to: id, at: UInt64(revision), isReadable: isReadable) {
    case .now(let value): start(index, value)
    case .evaluate: joiners[index].step = .begin(revision: revision)
    case .wait: break
    }
  }

  private mutating func addReader(_ index: Int) {
    let place = machine.addReader(index, to: join(joiners[index].selection))
    joiners[index].place = place
    joiners[index].step = .update
  }

  mutating func startPending(_ id: Machine.ID) {
    if mistake == .startsStreamsOfDueValues, let value = machine.known(id)?.value, let revision = machine.revision {
      for index in machine.settle(id, at: revision) { start(index, value) }
    } else if let (value, subscribers) = machine.startPending(id) {
      for index in subscribers { start(index, value) }
    }
  }

  mutating func start(_ index: Int, _ value: Int) {
    if joiners[index].hasLeft { return }
    if joiners[index].isStarted { violation = "a stream was started twice" }
    joiners[index].isStarted = true
    joiners[index].received.append(value)
  }

  mutating func leave(_ index: Int) {
    joiners[index].hasLeft = true
    joiners[index].isStarted = false
    if let place = joiners[index].place {
      joiners[index].read = nil
      _ = machine.removeReader(place)
    } else if let id = joiners[index].id, !joiners.contains(where: { $0.id == id && !$0.hasLeft }) {
      _ = machine.endStreams(id)
    }
  }
}
