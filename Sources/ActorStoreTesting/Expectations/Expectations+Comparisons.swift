import ActorStore

/// Waits until a value equals another value.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expected: The store, stream, or expression to check.
///   - other: The value to compare with.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The value that meets the condition, or `nil` if the expectation failed.
/// - Throws: ``TestStoreFailure`` if the expectation fails in a simulation.
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
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await Expectation<Value>.equal(to: other, limits).wait(for: expected)?.value
}

/// Waits until a value differs from another value.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expected: The store, stream, or expression to check.
///   - other: The value to compare with.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The value that meets the condition, or `nil` if the expectation failed.
/// - Throws: ``TestStoreFailure`` if the expectation fails in a simulation.
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
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await Expectation<Value>.different(from: other, limits).wait(for: expected)?.value
}

/// Waits until a value is greater than another value.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expected: The store, stream, or expression to check.
///   - other: The value to compare with.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The value that meets the condition, or `nil` if the expectation failed.
/// - Throws: ``TestStoreFailure`` if the expectation fails in a simulation.
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
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await Expectation<Value>.greater(than: other, limits).wait(for: expected)?.value
}

/// Waits until a value is greater than or equal to another value.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expected: The store, stream, or expression to check.
///   - other: The value to compare with.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The value that meets the condition, or `nil` if the expectation failed.
/// - Throws: ``TestStoreFailure`` if the expectation fails in a simulation.
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
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await Expectation<Value>.atLeast(other, limits).wait(for: expected)?.value
}

/// Waits until a value is less than another value.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expected: The store, stream, or expression to check.
///   - other: The value to compare with.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The value that meets the condition, or `nil` if the expectation failed.
/// - Throws: ``TestStoreFailure`` if the expectation fails in a simulation.
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
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await Expectation<Value>.less(than: other, limits).wait(for: expected)?.value
}

/// Waits until a value is less than or equal to another value.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expected: The store, stream, or expression to check.
///   - other: The value to compare with.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The value that meets the condition, or `nil` if the expectation failed.
/// - Throws: ``TestStoreFailure`` if the expectation fails in a simulation.
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
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await Expectation<Value>.atMost(other, limits).wait(for: expected)?.value
}
