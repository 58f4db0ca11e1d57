#if canImport(Combine)
  import ActorStore
  public import Combine

  extension AsyncSequenceAtom {
    /// Creates an atom with the elements of publishers that a closure makes.
    ///
    /// It works like the initializer with sequences. If elements arrive faster than the atom takes them, the newest
    /// one wins.
    ///
    /// - Parameters:
    ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
    ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
    ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
    ///   - fileID: The file for the label.
    ///   - line: The line for the label.
    ///   - make: A closure that makes a publisher. The atoms that it reads become dependencies.
    public init<P: Publisher & SendableMetatype>(
      lifetime: AtomLifetime? = nil,
      keepAlive: Bool = false,
      fileID: StaticString = #fileID,
      line: UInt = #line,
      _ make: @escaping @Sendable () -> P
    ) where P.Output == Element {
      self.init(lifetime: lifetime, keepAlive: keepAlive, fileID: fileID, line: line) { make().newest.values }
    }
  }

  extension ObservableObjectAtom where Object: ObservableObject {
    /// Creates an atom with an object that publishes its changes with Combine.
    ///
    /// The atom and everything derived from it follow each change of the object after a hop. As with `@Observable`
    /// objects, a derivation can run on any thread, and runs several times for each change. The atom does not follow
    /// changes of an injected object.
    ///
    /// - Parameters:
    ///   - object: The object. Each store evaluates the expression at the first use of the atom, and again at the next
    ///     use after a release.
    ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
    ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
    ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
    ///   - fileID: The file for the label.
    ///   - line: The line for the label.
    @_disfavoredOverload
    public init(
      _ object: @autoclosure @escaping @Sendable () -> Object,
      lifetime: AtomLifetime? = nil,
      keepAlive: Bool = false,
      fileID: StaticString = #fileID,
      line: UInt = #line
    ) where Object.ObjectWillChangePublisher == ObservableObjectPublisher {
      let base = DerivedAtom(lifetime: lifetime, keepAlive: keepAlive, fileID: fileID, line: line, object)
      let changes = RunDefinition(followsObject: true) { run in
        let changes = base.value.objectWillChange.newest.values
        run.endReading()
        for await _ in changes { run.setRepeatedly(RunResult(())) }
        return nil
      }
      definition = FollowerDefinition(
        fileID, line, lifetime: AtomLifetime(lifetime, keepAlive: keepAlive), changes, base: base.definition
      ) {
        _ = AtomStore.currentValue(of: changes)
        return base.value
      }
    }
  }

  extension PublishedAtom {
    /// Creates an atom with the values of a `@Published` property.
    ///
    /// ```swift
    /// let volumeAtom = PublishedAtom(initialValue: 0, publisher: settings.$volume)
    /// ```
    ///
    /// - Parameters:
    ///   - initialValue: The value until the property has published one.
    ///   - publisher: The publisher of the property.
    ///   - lifetime: How long a value lives after its last use. `nil` is like ``AtomLifetime/whileUsed``, but debug
    ///     builds warn when a set value is reset. See A30 in <doc:AtomPromises>.
    ///   - keepAlive: The older spelling of `lifetime: .kept`. It has no effect if you pass a lifetime.
    ///   - fileID: The file for the label.
    ///   - line: The line for the label.
    public init(
      initialValue: Value,
      publisher: @autoclosure @escaping @Sendable () -> Combine.Published<Value>.Publisher,
      lifetime: AtomLifetime? = nil,
      keepAlive: Bool = false,
      fileID: StaticString = #fileID,
      line: UInt = #line
    ) {
      self.init(fileID, line, lifetime: AtomLifetime(lifetime, keepAlive: keepAlive), initialValue) { run in
        for await value in publisher().newest.values { run.set(RunResult(value)) }
      }
    }
  }

  extension Publisher {
    /// The elements, with a buffer that keeps only the newest one.
    fileprivate var newest: Publishers.Buffer<Self> { buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest) }
  }
#endif
