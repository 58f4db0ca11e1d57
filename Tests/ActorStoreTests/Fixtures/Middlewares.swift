import ActorStore

/// Records each run, before and after.
struct Tracer: SynchronousMiddleware {
  typealias State = Log

  let name: String
  let seen: Witness<String>

  func run<A: Action<Log>>(
    _ action: A, on log: inout Log, next: inout Next<A>
  ) async throws(Stop<A.Failure>) -> A.Output {
    seen.saw("\(name) before \(log.entries)")
    do throws(Stop<A.Failure>) {
      let output = try await next(action, &log)
      seen.saw("\(name) after \(log.entries)")
      return output
    } catch {
      seen.saw("\(name) threw \(log.entries)")
      throw error
    }
  }

  func run<A: Action<Log>>(
    _ action: A, on log: inout Log, next: inout SynchronousNext<A>
  ) throws(Stop<A.Failure>) -> A.Output {
    seen.saw("\(name) before \(log.entries)")
    do throws(Stop<A.Failure>) {
      let output = try next(action, &log)
      seen.saw("\(name) after \(log.entries)")
      return output
    } catch {
      seen.saw("\(name) threw \(log.entries)")
      throw error
    }
  }
}

/// Suspends before and after every action.
struct Suspending: Middleware {
  typealias State = Log

  func run<A: Action<Log>>(
    _ action: A, on log: inout Log, next: inout Next<A>
  ) async throws(Stop<A.Failure>) -> A.Output {
    await Task.yield()
    let output = try await next(action, &log)
    await Task.yield()
    return output
  }
}

/// Refuses every action, and first changes the state if it may.
struct Refuser: SynchronousMiddleware {
  typealias State = Log

  var changesState = false

  func run<A: Action<Log>>(
    _ action: A, on log: inout Log, next: inout Next<A>
  ) async throws(Stop<A.Failure>) -> A.Output {
    if changesState { log.entries.append(99) }
    throw .vetoed(Veto("no"))
  }

  func run<A: Action<Log>>(
    _ action: A, on log: inout Log, next: inout SynchronousNext<A>
  ) throws(Stop<A.Failure>) -> A.Output {
    if changesState { log.entries.append(99) }
    throw .vetoed(Veto("no"))
  }
}

/// Calls `next` again after a failure.
struct Retrier: SynchronousMiddleware {
  typealias State = Log

  let attempts: Int
  var onFailure: @Sendable (Log) -> Void = { _ in }

  func run<A: Action<Log>>(
    _ action: A, on log: inout Log, next: inout Next<A>
  ) async throws(Stop<A.Failure>) -> A.Output {
    for _ in 1..<attempts {
      do throws(Stop<A.Failure>) {
        return try await next(action, &log)
      } catch {
        onFailure(log)
        if case .vetoed = error { throw error }
        if Task.isCancelled { throw error }
      }
    }
    return try await next(action, &log)
  }

  func run<A: Action<Log>>(
    _ action: A, on log: inout Log, next: inout SynchronousNext<A>
  ) throws(Stop<A.Failure>) -> A.Output {
    for _ in 1..<attempts {
      do throws(Stop<A.Failure>) {
        return try next(action, &log)
      } catch {
        onFailure(log)
        if case .vetoed = error { throw error }
      }
    }
    return try next(action, &log)
  }
}

/// Appends to the state itself, before and after every action.
struct Marker: SynchronousMiddleware {
  typealias State = Log

  var changesState: Bool { true }

  func run<A: Action<Log>>(
    _ action: A, on log: inout Log, next: inout Next<A>
  ) async throws(Stop<A.Failure>) -> A.Output {
    log.entries.append(100)
    let output = try await next(action, &log)
    log.entries.append(101)
    return output
  }

  func run<A: Action<Log>>(
    _ action: A, on log: inout Log, next: inout SynchronousNext<A>
  ) throws(Stop<A.Failure>) -> A.Output {
    log.entries.append(100)
    let output = try next(action, &log)
    log.entries.append(101)
    return output
  }
}

/// Misuses `next` in one way.
struct Misuser: SynchronousMiddleware {
  typealias State = Log

  enum Mistake { case callsTwice, vetoesAfterReturn, vetoesAfterFailure }

  let mistake: Mistake

  func run<A: Action<Log>>(
    _ action: A, on log: inout Log, next: inout Next<A>
  ) async throws(Stop<A.Failure>) -> A.Output {
    do throws(Stop<A.Failure>) {
      let output = try await next(action, &log)
      if mistake == .callsTwice { return try await next(action, &log) }
      if mistake == .vetoesAfterFailure { return output }
    } catch {
      if mistake == .vetoesAfterReturn { throw error }
    }
    throw .vetoed(Veto("too late"))
  }

  func run<A: Action<Log>>(
    _ action: A, on log: inout Log, next: inout SynchronousNext<A>
  ) throws(Stop<A.Failure>) -> A.Output {
    do throws(Stop<A.Failure>) {
      let output = try next(action, &log)
      if mistake == .callsTwice { return try next(action, &log) }
      if mistake == .vetoesAfterFailure { return output }
    } catch {
      if mistake == .vetoesAfterReturn { throw error }
    }
    throw .vetoed(Veto("too late"))
  }
}
