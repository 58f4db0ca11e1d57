/// A synchronous closure as a mutation, which edits the state in place if it cannot throw.
@frozen @usableFromInline
struct ClosureMutation<State: Sendable, Output: Sendable, Failure: Error>: Mutation, CustomStringConvertible {
  @usableFromInline let label: StaticString
  @usableFromInline let body: @Sendable (inout State) throws(Failure) -> Output

  @inlinable
  init(label: StaticString, body: @escaping @Sendable (inout State) throws(Failure) -> Output) {
    self.label = label
    self.body = body
  }

  @inlinable
  func run(_ state: inout State) throws(Failure) -> Output {
    try body(&state)
  }

  @inlinable var _label: StaticString? { label }

  @usableFromInline var description: String { label.description }
}

/// An asynchronous closure as an action.
@frozen @usableFromInline
struct ClosureAction<State: Sendable, Output: Sendable, Failure: Error>: Action, CustomStringConvertible {
  @usableFromInline let label: StaticString
  @usableFromInline let body: @Sendable (inout State) async throws(Failure) -> Output

  @inlinable
  init(label: StaticString, body: @escaping @Sendable (inout State) async throws(Failure) -> Output) {
    self.label = label
    self.body = body
  }

  @inlinable
  func run(_ state: inout State) async throws(Failure) -> Output {
    try await body(&state)
  }

  @inlinable var _label: StaticString? { label }

  @usableFromInline var description: String { label.description }
}
