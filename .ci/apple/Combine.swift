// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shape of Combine's, so that a platform without it compiles and runs what Atoms adds for
// publishers. Subscribers have unlimited demand, and streams of values keep the newest one.

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
  /// Calls a closure with each element until the result is canceled.
  func receive(_ body: @escaping (Output) -> Void) -> AnyCancellable
}

public final class AnyCancellable: @unchecked Sendable {
  private let body: () -> Void
  public init(_ body: @escaping () -> Void) { self.body = body }
  public func cancel() { body() }
  deinit { body() }
}

extension Publisher where Failure == Never {
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable { receive(receiveValue) }
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }

  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> { Publishers.Buffer(upstream: self) }

  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }

  public func handleEvents(receiveCancel: (() -> Void)? = nil) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(upstream: self, receiveCancel: receiveCancel)
  }

  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

public enum Publishers {
  public enum PrefetchStrategy { case keepFull, byRequest }
  public enum BufferingStrategy<Failure: Error> { case dropNewest, dropOldest }

  public struct Buffer<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    public func receive(_ body: @escaping (Output) -> Void) -> AnyCancellable { upstream.receive(body) }
  }

  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let transform: (Upstream.Output) -> Output?
    public func receive(_ body: @escaping (Output) -> Void) -> AnyCancellable {
      upstream.receive { if let new = transform($0) { body(new) } }
    }
  }

  public struct HandleEvents<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let receiveCancel: (() -> Void)?
    public func receive(_ body: @escaping (Output) -> Void) -> AnyCancellable {
      let canceled = upstream.receive(body)
      return AnyCancellable {
        canceled.cancel()
        receiveCancel?()
      }
    }
  }
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
  private let body: (@escaping (Output) -> Void) -> AnyCancellable
  init(_ publisher: some Publisher<Output, Failure>) { body = { publisher.receive($0) } }
  public func receive(_ body: @escaping (Output) -> Void) -> AnyCancellable { self.body(body) }
}

public struct Deferred<Deferring: Publisher>: Publisher {
  public typealias Output = Deferring.Output
  public typealias Failure = Deferring.Failure
  private let create: () -> Deferring
  public init(createPublisher: @escaping () -> Deferring) { create = createPublisher }
  public func receive(_ body: @escaping (Output) -> Void) -> AnyCancellable { create().receive(body) }
}

public final class CurrentValueSubject<Output, Failure: Error>: Publisher {
  private var bodies: [(Output) -> Void] = []
  private var value: Output
  public init(_ value: Output) { self.value = value }

  public func send(_ value: Output) {
    self.value = value
    for body in bodies { body(value) }
  }

  public func receive(_ body: @escaping (Output) -> Void) -> AnyCancellable {
    body(value)
    bodies.append(body)
    // The check never uses a canceled subscriber again.
    return AnyCancellable {}
  }
}

public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  public typealias Element = P.Output
  private let publisher: P
  init(_ publisher: P) { self.publisher = publisher }
  public func makeAsyncIterator() -> ElementIterator<P> { ElementIterator(publisher) }
}

public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  public typealias Element = P.Output
  private let publisher: P
  init(_ publisher: P) { self.publisher = publisher }
  public func makeAsyncIterator() -> ElementIterator<P> { ElementIterator(publisher) }
}

public struct ElementIterator<P: Publisher>: AsyncIteratorProtocol {
  private struct Item: @unchecked Sendable { let value: P.Output }
  private var base: AsyncStream<Item>.Iterator
  private let canceled: AnyCancellable

  init(_ publisher: P) {
    let (stream, continuation) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .bufferingNewest(1))
    base = stream.makeAsyncIterator()
    canceled = publisher.receive { continuation.yield(Item(value: $0)) }
  }

  public mutating func next() async -> P.Output? { await base.next()?.value }
}

public protocol ObservableObject<ObjectWillChangePublisher>: AnyObject {
  associatedtype ObjectWillChangePublisher: Publisher where ObjectWillChangePublisher.Failure == Never
  var objectWillChange: ObjectWillChangePublisher { get }
}

public final class ObservableObjectPublisher: Publisher {
  public typealias Output = Void
  public typealias Failure = Never
  private let subject = CurrentValueSubject<Void?, Never>(nil)
  public init() {}
  public func send() { subject.send(()) }
  public func receive(_ body: @escaping (Output) -> Void) -> AnyCancellable {
    subject.receive { if $0 != nil { body(()) } }
  }
}

@propertyWrapper public struct Published<Value> {
  private let subject: CurrentValueSubject<Value, Never>
  public init(wrappedValue: Value) { subject = CurrentValueSubject(wrappedValue) }
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  public var wrappedValue: Value {
    get {
      var value: Value?
      _ = subject.receive { value = $0 }
      return value!
    }
    nonmutating set { subject.send(newValue) }
  }

  public var projectedValue: Publisher { Publisher(subject: subject) }

  public struct Publisher: Combine.Publisher {
    public typealias Output = Value
    public typealias Failure = Never
    let subject: CurrentValueSubject<Value, Never>
    public func receive(_ body: @escaping (Value) -> Void) -> AnyCancellable { subject.receive(body) }
  }
}
