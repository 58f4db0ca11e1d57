@testable import Atoms

extension GraphThreads {
  // MARK: Setting

  /// Begins a set, or the end of a transaction that has written something.
  mutating func set(_ changes: [Change], _ index: Int) {
    lockedBy = index
    logic.advance()
    var state = states[states.count - 1]
    for change in changes {
      let id = Self.id(change.node)
      logic.replaceValue(
        of: id, old: logic.mustKeep(id) ? state[change.node] : nil, new: change.node == watched ? change.value : nil)
      state[change.node] = change.value
    }
    states.append(state)
    if logic.has(.markLate) { published = logic.revision }
    threads[index].task = .exchange(changes)
  }

  mutating func exchange(_ changes: [Change], _ index: Int) {
    cells[changes[0].node] = Cell(value: changes[0].value, validFrom: logic.revision, dirtyAt: .never)
    threads[index].task = changes.count == 1 ? .mark : .exchange(Array(changes.dropFirst()))
  }

  mutating func mark(_ index: Int) {
    for id in logic.marked where cells[Int(id.index)].dirtyAt == .never {
      cells[Int(id.index)].dirtyAt = logic.revision
    }
    threads[index].task = .publish
  }

  mutating func publish(_ index: Int) {
    published = logic.revision
    lockedBy = nil
    if threads[index].evaluation?.isTransaction == true {
      threads[index].task = .endTransaction
    } else {
      done(index)
    }
  }

  // MARK: Transactions

  private func operations(_ index: Int) -> [Operation] {
    guard case .transact(let operations) = threads[index].calls[0] else { return [] }
    return operations
  }

  /// The node that the running operation reads.
  func transactionTarget(_ index: Int) -> Int {
    guard case .read(let node) = operations(index)[threads[index].position] else { return -1 }
    return node
  }

  mutating func beginTransaction(_ index: Int) {
    threads[index].evaluation = logic.begin(isTransaction: true)
    threads[index].evaluation!.isDeep = isDeep
    (threads[index].results, threads[index].written, threads[index].position) = ([], [:], 0)
    operate(index)
  }

  private mutating func operate(_ index: Int) {
    let (operations, position) = (operations(index), threads[index].position)
    if position == operations.count {
      threads[index].task = .commit
      return
    }
    switch operations[position] {
    case .read(let node): threads[index].task = .need(node)
    case .write(let node, let plus): threads[index].task = .write(node, (threads[index].results.last ?? 0) + plus)
    }
  }

  mutating func write(_ node: Int, _ value: Int, _ index: Int) {
    let version = logic.newVersion()
    _ = threads[index].evaluation!.write(value, version: version, to: Self.id(node))
    threads[index].written[node] = value
    threads[index].position += 1
    operate(index)
  }

  /// Ends a read of a transaction.
  mutating func operated(_ value: Int, _ index: Int) {
    let revision = threads[index].evaluation!.revision
    expect(
      value, transactionTarget(index), at: revision, after: threads[index].written, "a read of a transaction")
    threads[index].results.append(value)
    threads[index].position += 1
    operate(index)
  }

  mutating func commit(_ index: Int) {
    let evaluation = threads[index].evaluation!
    guard logic.isCurrent(evaluation) else {
      end(evaluation)
      return beginTransaction(index)
    }
    expectSerialized(index)
    let state = states[states.count - 1]
    let changes = evaluation.written.compactMap { id -> Change? in
      let node = Int(id.index)
      guard let value = evaluation.own[id]?.value, value != state[node] else { return nil }
      return Change(node: node, value: value)
    }
    if changes.isEmpty {
      threads[index].task = .endTransaction
    } else {
      set(changes, index)
    }
  }

  mutating func endTransaction(_ index: Int) {
    end(threads[index].evaluation!)
    done(index)
  }

  /// Runs the operations in one step on the newest revision, which must give the same values.
  private mutating func expectSerialized(_ index: Int) {
    var (values, written): ([Int], [Int: Int]) = ([], [:])
    for operation in operations(index) {
      switch operation {
      case .read(let node): values.append(plain(node, at: logic.revision, after: written))
      case .write(let node, let plus): written[node] = (values.last ?? 0) + plus
      }
    }
    if values != threads[index].results || written != threads[index].written {
      violation = "a transaction has read \(threads[index].results) and not \(values)"
    }
  }
}
