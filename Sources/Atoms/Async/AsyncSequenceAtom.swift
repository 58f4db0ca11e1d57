import ActorStore

/// The newest element of an asynchronous sequence.
///
/// ```swift
/// let messageAtom = AsyncSequenceAtom { server.messages(in: roomAtom.value) }
/// ```
///
/// The sequence is made when the atom is read or watched. Each element is a success, and an error is a failure. Streams
/// and callbacks of the atom get every element, up to their buffering policies. The end of the sequence keeps the last
/// element. If there is none, the state is a failure with ``EmptySequence``. See ``isFinished`` and ``lastElement``.
///
/// When an atom that the closure has read changes, the state is loading again. The next read or delivery cancels the
/// sequence and makes another one. Setting the state also cancels the sequence, as for an ``AsyncAtom``.
public struct AsyncSequenceAtom<Element: Sendable>: WritableAtom {
  /// The identity of the atom.
  public let definition: AtomDefinition<AsyncState<Element>>

  /// Creates an atom with the elements of a sequence.
  ///
  /// Each store iterates over the sequence by itself, and does so again after the atom was out of use. Many sequences
  /// support only one iteration, such as an `AsyncStream`. For these, pass a closure that makes a new one.
  ///
  /// - Parameters:
  ///   - sequence: The sequence.
  ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
  ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
  ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  public init<S: AsyncSequence & Sendable>(
    _ sequence: S,
    lifetime: AtomLifetime? = nil,
    keepAlive: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) where S.Element == Element, S: SendableMetatype, S.AsyncIterator: SendableMetatype {
    self.init(lifetime: lifetime, keepAlive: keepAlive, fileID: fileID, line: line) { sequence }
  }

  /// Creates an atom with the elements of sequences that a closure makes.
  ///
  /// - Parameters:
  ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
  ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
  ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  ///   - make: A closure that makes a sequence. The atoms that the closure reads become dependencies. Atoms that the
  ///     sequence reads later do not.
  public init<S: AsyncSequence>(
    lifetime: AtomLifetime? = nil,
    keepAlive: Bool = false,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ make: @escaping @Sendable () -> S
  ) where S.Element == Element, S: SendableMetatype, S.AsyncIterator: SendableMetatype {
    definition = AsyncDefinition(
      fileID, line, lifetime: AtomLifetime(lifetime, keepAlive: keepAlive), throwsOnCancellation: false
    ) { run in
      do {
        let sequence = make()
        run.endReading()
        var isEmpty = true
        for try await element in sequence {
          isEmpty = false
          run.add(RunResult(element), AsyncState.success(element))
        }
        if isEmpty { return RunResult(error: EmptySequence()) }
        run.finish()
        return nil
      } catch {
        return RunResult(error: error)
      }
    }
  }

  /// Creates a copy of an atom from its identity.
  ///
  /// - Parameter definition: The identity of an atom of the same type.
  public init(definition: AtomDefinition<AsyncState<Element>>) { self.definition = definition }

  /// The last element, even while another sequence begins or after an error.
  ///
  /// It is `nil` before the first element. It changes together with the state.
  public var latest: DerivedAtom<Element?> { AsyncDefinition.of(definition).latestForUsers }

  /// Whether the sequence has ended in the current store, with or without an error.
  ///
  /// This is a read: it makes the sequence if the atom has no state yet, and it becomes a dependency of a derivation.
  /// The value is also `true` after the sequence was canceled, or after code has set the state to a success or a
  /// failure. After a change of a dependency, it is `false` again.
  public var isFinished: Bool { AsyncDefinition.of(definition).isFinished }

  /// The last element of the sequence in the current store, after the sequence has ended.
  ///
  /// If the sequence has ended, the call returns without waiting. Otherwise, it waits for the end. If another sequence
  /// replaces this one, it waits for the end of the newest one. The atom is in use while the call waits. In the closure
  /// of an asynchronous atom, the element becomes a dependency, and the wait does not keep the store alive.
  ///
  /// Throws the error of the sequence, or ``EmptySequence``. If the waiting task is canceled, or the store is released,
  /// throws `CancellationError`.
  public nonisolated(nonsending) var lastElement: Element {
    get async throws {
      while true {
        try await waitForEnd()
        if isFinished, let element = try value.result { return element }
      }
    }
  }

  private nonisolated(nonsending) func waitForEnd() async throws {
    let isFinished = DerivedAtom { self.isFinished }
    let (states, endWait) = AtomStore.current.statesUntilTheEnd(of: isFinished.definition, keepsValues: true)
    defer { endWait() }
    for await isFinished in states.stream where isFinished { return }
    throw CancellationError()
  }

  /// Makes another sequence in the current store.
  ///
  /// Before the call returns, the state is loading. See ``AsyncAtom/reload()``.
  public func reload() { AtomStore.current.reload(definition) }

  /// Stops following the sequence in the current store.
  ///
  /// The state becomes the last element or error. If there is none, it becomes a failure with a `CancellationError`.
  public func cancel() { AtomStore.current.cancel(AsyncDefinition.of(definition)) }
}

/// The error of an ``AsyncSequenceAtom`` whose sequence has ended without an element.
public struct EmptySequence: Error, Hashable, CustomStringConvertible {
  /// Creates the error.
  public init() {}

  /// A message that says what happened.
  public var description: String { "Atoms: the sequence has ended without an element." }
}

/// The newest element of a publisher.
///
/// It is an ``AsyncSequenceAtom``, under the name of the older Atoms. It takes any asynchronous sequence.
public typealias PublisherAtom = AsyncSequenceAtom
