import ActorStore

/// A state that records the order of its changes.
struct Log: Sendable, Equatable {
  var entries: [Int] = []
}

/// Appends in one step.
struct Append: Mutation {
  let entry: Int

  init(_ entry: Int) {
    self.entry = entry
  }

  func run(_ log: inout Log) -> Int {
    log.entries.append(entry)
    return log.entries.count
  }
}

/// Appends with a suspension between reading and writing, so two concurrent runs cause a lost update.
struct SlowAppend: Action {
  let entry: Int

  init(_ entry: Int) {
    self.entry = entry
  }

  func run(_ log: inout Log) async -> Int {
    let before = log.entries
    await Task.yield()
    log.entries = before + [entry]
    return log.entries.count
  }
}

struct Boom: Error, Equatable {
  var code = 0
}

/// Changes the state, suspends, and throws.
struct FailHalfway: Action {
  func run(_ log: inout Log) async throws(Boom) {
    log.entries.append(-1)
    await Task.yield()
    throw Boom()
  }
}

struct FailingMutation: Mutation {
  func run(_ log: inout Log) throws(Boom) {
    log.entries.append(-1)
    throw Boom()
  }
}
