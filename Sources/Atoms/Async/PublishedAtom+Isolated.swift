import ActorStore
import Observation

extension PublishedAtom {
  /// Creates an atom with a value that is read on an actor.
  ///
  /// ```swift
  /// let volumeAtom = PublishedAtom(on: player, initialValue: 0) { $0.settings.volume }
  /// ```
  ///
  /// The first read or watcher makes the actor read the value. The value follows each change after a hop to the actor.
  ///
  /// - Parameters:
  ///   - actor: The actor. For the main actor, use ``init(initialValue:lifetime:keepAlive:fileID:line:_:)``.
  ///   - initialValue: The value until the actor has read it.
  ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
  ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
  ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  ///   - read: A closure that reads properties of `@Observable` objects. The atoms that it reads do not become
  ///     dependencies.
  public init<Owner: Actor>(
    on actor: Owner,
    initialValue: Value,
    lifetime: AtomLifetime? = nil,
    keepAlive: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ read: @escaping @Sendable (isolated Owner) -> Value
  ) {
    self.init(fileID, line, lifetime: AtomLifetime(lifetime, keepAlive: keepAlive), initialValue) { run in
      await Self.follow(on: actor, read) { run.set(RunResult($0)) }
    }
  }

  /// Creates an atom with a value that is read on the main actor.
  ///
  /// ```swift
  /// let volumeAtom = PublishedAtom(initialValue: 0) { settings.volume }
  /// ```
  ///
  /// The first read or watcher makes the main actor read the value. The value follows each change after a hop to the
  /// main actor.
  ///
  /// - Parameters:
  ///   - initialValue: The value until the main actor has read it.
  ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
  ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
  ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  ///   - read: A closure that reads properties of `@Observable` objects. The atoms that it reads do not become
  ///     dependencies.
  public init(
    initialValue: Value,
    lifetime: AtomLifetime? = nil,
    keepAlive: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ read: @escaping @MainActor @Sendable () -> Value
  ) {
    self.init(fileID, line, lifetime: AtomLifetime(lifetime, keepAlive: keepAlive), initialValue) { run in
      await Self.followOnMainActor(read) { run.set(RunResult($0)) }
    }
  }

  /// Creates an atom whose runs set its value.
  init(
    _ file: StaticString, _ line: UInt, lifetime: AtomLifetime, _ initialValue: Value,
    _ follow: @escaping @Sendable @concurrent (Run) async -> Void
  ) {
    let run = RunDefinition(followsObject: true) { run in
      run.endReading()
      await follow(run)
      return nil
    }
    definition = FollowerDefinition(file, line, lifetime: lifetime, run) {
      AtomStore.currentValue(of: run).latest(as: Value.self) ?? initialValue
    }
  }

  /// Reads a value and passes it to a closure, now and after each change, until the task is canceled.
  private static func follow<Owner: Actor>(
    on actor: isolated Owner, _ read: (isolated Owner) -> Value, _ body: (Value) -> Void
  ) async {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    var iterator = changes.makeAsyncIterator()
    repeat {
      // The task resumes after the change is complete, because the code that changes the object does not suspend.
      body(
        withObservationTracking {
          read(actor)
        } onChange: {
          continuation.yield()
        })
    } while await iterator.next(isolation: actor) != nil
  }

  @MainActor private static func followOnMainActor(_ read: @MainActor () -> Value, _ body: (Value) -> Void) async {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    var iterator = changes.makeAsyncIterator()
    repeat {
      body(
        withObservationTracking {
          read()
        } onChange: {
          continuation.yield()
        })
    } while await iterator.next(isolation: MainActor.shared) != nil
  }
}
