import ActorStore

/// Waits until a value of a store, a stream, or a store expression meets a condition.
///
/// ```swift
/// try await expect(store) { $0.isLoaded }
/// try await expectEqual(store.values(of: \.count), 3)
/// try await expectNotNil(StoreExpression(of: a, b) { await [a.state, b.state].first { $0.isReady } })
/// ```
///
/// All expectations work like this one. They check the current value and later values as they arrive, without polling.
/// They do not see a value that was committed and replaced before the call. To check such values, pass a stream that
/// you created earlier, which keeps the elements that it buffered. If no value meets the condition in time, if no more
/// values can come, or if the task is canceled, the expectation reports a failure. The failure has the line of the call
/// and the last value that the expectation saw.
///
/// Expectations work in Swift Testing and XCTest. Inside a ``Simulation``, time is virtual by default, and a failure
/// fails the run and is thrown. Elsewhere, expectations throw nothing. A `Task.detached` does not know its test, so a
/// failure there fails the whole test run and names no test.
///
/// - Parameters:
///   - expected: The store, stream, or expression to check.
///   - limit: The maximum time to wait. With a very short limit, the time may be up before the expectation checks the
///     current value. Pass a higher limit for code under test that takes longer, even if its time is virtual.
///   - clock: The clock that measures the time. By default, time is virtual inside a simulation and real elsewhere.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
///   - condition: A closure that returns whether a value is as expected.
/// - Returns: The value that meets the condition, or `nil` if the expectation failed.
/// - Throws: ``TestStoreFailure`` if the expectation fails in a simulation.
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
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await Expectation<Value>.meeting(condition, limits).wait(for: expected)?.value
}

/// Waits until a value is `true`.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expected: The store, stream, or expression to check.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Throws: ``TestStoreFailure`` if the expectation fails in a simulation.
public func expectTrue(
  _ expected: some Expectable<Bool> & Sendable,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  _ = try await Expectation<Bool>.bool(true, limits).wait(for: expected)
}

/// Waits until a value is `false`.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expected: The store, stream, or expression to check.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Throws: ``TestStoreFailure`` if the expectation fails in a simulation.
public func expectFalse(
  _ expected: some Expectable<Bool> & Sendable,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  _ = try await Expectation<Bool>.bool(false, limits).wait(for: expected)
}

/// Waits until a value is `nil`.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expected: The store, stream, or expression to check.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Throws: ``TestStoreFailure`` if the expectation fails in a simulation.
public func expectNil<Wrapped: Sendable>(
  _ expected: some Expectable<Wrapped?> & Sendable,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  _ = try await Expectation<Wrapped?>.none(limits).wait(for: expected)
}

/// Waits until a value is not `nil`, and unwraps it.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expected: The store, stream, or expression to check.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The unwrapped value, or `nil` if the expectation failed.
/// - Throws: ``TestStoreFailure`` if the expectation fails in a simulation.
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
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await Expectation<Wrapped?>.some(limits).wait(for: expected)?.value ?? nil
}

/// Waits until an expression or a stream throws an error.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expected: The store, stream, or expression to check.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The error, or `nil` if the expectation failed.
/// - Throws: ``TestStoreFailure`` if the expectation fails in a simulation.
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
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await Expectation<Value>.error(limits).wait(for: expected)?.error
}

/// Waits until an expression or a stream provides a value without throwing an error.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expected: The store, stream, or expression to check.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The value, or `nil` if the expectation failed.
/// - Throws: ``TestStoreFailure`` if the expectation fails in a simulation.
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
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await Expectation<Value>.noError(limits).wait(for: expected)?.value
}

extension Result where Failure == any Error {
  var value: Success? { try? get() }

  func fits(_ condition: (Success) -> Bool) -> Bool {
    if case .success(let value) = self { condition(value) } else { false }
  }
}
