import ActorStore

/// A stream of a store's commits, with their events.
///
/// Like the `AsyncStream` of transitions that it is made from, it is for one consumer. It ends when its consumer is
/// canceled, when you release it and its iterators, and, after the remaining elements, when the store is closed or
/// deallocated.
public struct EventStream<Root: Sendable, Element: Sendable>: AsyncSequence, Sendable {
  /// The stream never fails.
  public typealias Failure = Never

  let transitions: AsyncStream<Transition<Root>>
  /// Returns the element for a transition, or `nil` if the stream skips it.
  let element: @Sendable (Transition<Root>) -> Element?

  /// Returns an iterator over the remaining elements.
  public func makeAsyncIterator() -> Iterator {
    Iterator(transitions: transitions.makeAsyncIterator(), element: element)
  }

  /// Iterates over a stream of events.
  public struct Iterator: AsyncIteratorProtocol {
    var transitions: AsyncStream<Transition<Root>>.Iterator
    let element: @Sendable (Transition<Root>) -> Element?

    /// Returns the next element, or `nil` if the stream has ended.
    public mutating func next() async -> Element? {
      await next(isolation: #isolation)
    }

    /// Returns the next element, or `nil` if the stream has ended.
    ///
    /// - Parameter actor: The actor of the caller.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while let transition = await transitions.next(isolation: actor) {
        if let element = element(transition) { return element }
      }
      return nil
    }
  }
}
