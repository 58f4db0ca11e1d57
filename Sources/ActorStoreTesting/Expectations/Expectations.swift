import ActorStore

/// Waits until a store, a stream or an expression of stores has a value that fits a condition.
///
/// ```swift
/// try await expect(store) { $0.isLoaded }
/// try await expectEqual(store.values(of: \.count), 3)
/// try await expectNotNil(StoreExpression(of: a, b) { await [a.state, b.state].first { $0.isReady } })
/// ```
///
/// All expectations work like this one. They look at the value of the moment and at each that comes after it, as it
/// comes: nothing is polled. A value that was committed before the call and is gone is not seen; begin with a stream,
/// which keeps what has yet to be taken. When no value fits in time, or none can come any more, that is reported at the
/// line of the call, with the last value that was seen.
///
/// For Swift Testing and XCTest alike. Inside a ``Simulation`` the time is virtual, and what is wrong fails the run and
/// is thrown; elsewhere nothing is thrown. A `Task.detached` does not know its test: what is found there fails the run
/// of all tests, and names none.
///
/// - Parameters:
///   - expected: What is looked at.
///   - limit: How long to wait at most; the value of the moment is looked at in any case.
///   - clock: What measures that; by default virtual time inside a simulation, real time elsewhere. Inside a simulation
///     give more where the code under test takes longer.
///   - condition: Whether a value is as it is to be.
/// - Returns: The value that fitted; nil, and it has been reported, when none did.
@discardableResult
public func expect<Value: Sendable>(
  _ expected: some Expectable<Value> & Sendable,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ condition: @escaping @Sendable (Value) -> Bool
) async throws -> Value? {
  let expectation = Expectation<Value>(
    wanted: { "as expected" }, limit: limit, clock: clock, site: CallSite(fileID, filePath, line, column),
    fits: { $0.fits(condition) })
  return try await expectation.wait(for: expected)?.value
}

/// Waits until a value is equal to another; see ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
@discardableResult
public func expectEqual<Value: Equatable & Sendable>(
  _ expected: some Expectable<Value> & Sendable,
  _ other: Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Value? {
  let expectation = Expectation<Value>(
    wanted: { "equal to \(Dump.text(of: other))" }, limit: limit, clock: clock,
    site: CallSite(fileID, filePath, line, column),
    describe: { "(- expected, + seen):\n\(Dump.difference(from: other, to: $0) ?? "")" },
    fits: { $0.fits { $0 == other } })
  return try await expectation.wait(for: expected)?.value
}

/// Waits until a value is another than this; see ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
@discardableResult
public func expectNotEqual<Value: Equatable & Sendable>(
  _ expected: some Expectable<Value> & Sendable,
  _ other: Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Value? {
  let expectation = Expectation<Value>(
    wanted: { "other than \(Dump.text(of: other))" }, limit: limit, clock: clock,
    site: CallSite(fileID, filePath, line, column), fits: { $0.fits { $0 != other } })
  return try await expectation.wait(for: expected)?.value
}

/// Waits until a value is greater than another; see ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
@discardableResult
public func expectGreaterThan<Value: Comparable & Sendable>(
  _ expected: some Expectable<Value> & Sendable,
  _ other: Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Value? {
  let expectation = Expectation<Value>(
    wanted: { "greater than \(Dump.text(of: other))" }, limit: limit, clock: clock,
    site: CallSite(fileID, filePath, line, column), fits: { $0.fits { $0 > other } })
  return try await expectation.wait(for: expected)?.value
}

/// Waits until a value is at least another; see ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
@discardableResult
public func expectGreaterThanOrEqual<Value: Comparable & Sendable>(
  _ expected: some Expectable<Value> & Sendable,
  _ other: Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Value? {
  let expectation = Expectation<Value>(
    wanted: { "at least \(Dump.text(of: other))" }, limit: limit, clock: clock,
    site: CallSite(fileID, filePath, line, column), fits: { $0.fits { $0 >= other } })
  return try await expectation.wait(for: expected)?.value
}

/// Waits until a value is less than another; see ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
@discardableResult
public func expectLessThan<Value: Comparable & Sendable>(
  _ expected: some Expectable<Value> & Sendable,
  _ other: Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Value? {
  let expectation = Expectation<Value>(
    wanted: { "less than \(Dump.text(of: other))" }, limit: limit, clock: clock,
    site: CallSite(fileID, filePath, line, column), fits: { $0.fits { $0 < other } })
  return try await expectation.wait(for: expected)?.value
}

/// Waits until a value is at most another; see ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
@discardableResult
public func expectLessThanOrEqual<Value: Comparable & Sendable>(
  _ expected: some Expectable<Value> & Sendable,
  _ other: Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Value? {
  let expectation = Expectation<Value>(
    wanted: { "at most \(Dump.text(of: other))" }, limit: limit, clock: clock,
    site: CallSite(fileID, filePath, line, column), fits: { $0.fits { $0 <= other } })
  return try await expectation.wait(for: expected)?.value
}

/// Waits until the value is true; see ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
public func expectTrue(
  _ expected: some Expectable<Bool> & Sendable,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws {
  let expectation = Expectation<Bool>(
    wanted: { "true" }, limit: limit, clock: clock, site: CallSite(fileID, filePath, line, column),
    fits: { $0.fits { $0 } })
  _ = try await expectation.wait(for: expected)
}

/// Waits until the value is false; see ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
public func expectFalse(
  _ expected: some Expectable<Bool> & Sendable,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws {
  let expectation = Expectation<Bool>(
    wanted: { "false" }, limit: limit, clock: clock, site: CallSite(fileID, filePath, line, column),
    fits: { $0.fits { !$0 } })
  _ = try await expectation.wait(for: expected)
}

/// Waits until there is no value; see ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
public func expectNil<Wrapped: Sendable>(
  _ expected: some Expectable<Wrapped?> & Sendable,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws {
  let expectation = Expectation<Wrapped?>(
    wanted: { "nil" }, limit: limit, clock: clock, site: CallSite(fileID, filePath, line, column),
    fits: { $0.fits { $0 == nil } })
  _ = try await expectation.wait(for: expected)
}

/// Waits until there is a value, and returns it; see ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
@discardableResult
public func expectNotNil<Wrapped: Sendable>(
  _ expected: some Expectable<Wrapped?> & Sendable,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Wrapped? {
  let expectation = Expectation<Wrapped?>(
    wanted: { "other than nil" }, limit: limit, clock: clock, site: CallSite(fileID, filePath, line, column),
    fits: { $0.fits { $0 != nil } })
  return try await expectation.wait(for: expected)?.value ?? nil
}

/// Waits until an expression throws, and returns the error; see
/// ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
@discardableResult
public func expectThrowsError<Value: Sendable>(
  _ expected: some Expectable<Value> & Sendable,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> (any Error)? {
  let expectation = Expectation<Value>(
    wanted: { "thrown an error" }, limit: limit, clock: clock, site: CallSite(fileID, filePath, line, column),
    fits: { $0.error != nil })
  return try await expectation.wait(for: expected)?.error
}

/// Waits until an expression does not throw; see ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
@discardableResult
public func expectNoThrow<Value: Sendable>(
  _ expected: some Expectable<Value> & Sendable,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Value? {
  let expectation = Expectation<Value>(
    wanted: { "without an error" }, limit: limit, clock: clock, site: CallSite(fileID, filePath, line, column),
    fits: { $0.error == nil })
  return try await expectation.wait(for: expected)?.value
}

extension Result where Failure == any Error {
  fileprivate var value: Success? { try? get() }

  fileprivate var error: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }

  fileprivate func fits(_ condition: (Success) -> Bool) -> Bool {
    if case .success(let value) = self { condition(value) } else { false }
  }
}
