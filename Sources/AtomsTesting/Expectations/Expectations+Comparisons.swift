import ActorStoreTesting
import Atoms

/// Waits until the value of an expression over atoms equals another value.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expression: The expression to check.
///   - other: The value to compare with.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The value that meets the condition, or `nil` if the expectation failed.
/// - Throws: `TestStoreFailure` if the expectation fails in a simulation.
@discardableResult
public func expectEqual<Value: Equatable & Sendable>(
  _ expression: @autoclosure () throws -> Value,
  _ other: Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Value? {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await wait(for: expression, .equal(to: other, limits))?.value
}

/// Waits until the value of an expression over atoms differs from another value.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expression: The expression to check.
///   - other: The value to compare with.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The value that meets the condition, or `nil` if the expectation failed.
/// - Throws: `TestStoreFailure` if the expectation fails in a simulation.
@discardableResult
public func expectNotEqual<Value: Equatable & Sendable>(
  _ expression: @autoclosure () throws -> Value,
  _ other: Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Value? {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await wait(for: expression, .different(from: other, limits))?.value
}

/// Waits until the value of an expression over atoms is greater than another value.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expression: The expression to check.
///   - other: The value to compare with.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The value that meets the condition, or `nil` if the expectation failed.
/// - Throws: `TestStoreFailure` if the expectation fails in a simulation.
@discardableResult
public func expectGreaterThan<Value: Comparable & Sendable>(
  _ expression: @autoclosure () throws -> Value,
  _ other: Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Value? {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await wait(for: expression, .greater(than: other, limits))?.value
}

/// Waits until the value of an expression over atoms is greater than or equal to another value.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expression: The expression to check.
///   - other: The value to compare with.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The value that meets the condition, or `nil` if the expectation failed.
/// - Throws: `TestStoreFailure` if the expectation fails in a simulation.
@discardableResult
public func expectGreaterThanOrEqual<Value: Comparable & Sendable>(
  _ expression: @autoclosure () throws -> Value,
  _ other: Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Value? {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await wait(for: expression, .atLeast(other, limits))?.value
}

/// Waits until the value of an expression over atoms is less than another value.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expression: The expression to check.
///   - other: The value to compare with.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The value that meets the condition, or `nil` if the expectation failed.
/// - Throws: `TestStoreFailure` if the expectation fails in a simulation.
@discardableResult
public func expectLessThan<Value: Comparable & Sendable>(
  _ expression: @autoclosure () throws -> Value,
  _ other: Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Value? {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await wait(for: expression, .less(than: other, limits))?.value
}

/// Waits until the value of an expression over atoms is less than or equal to another value.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expression: The expression to check.
///   - other: The value to compare with.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The value that meets the condition, or `nil` if the expectation failed.
/// - Throws: `TestStoreFailure` if the expectation fails in a simulation.
@discardableResult
public func expectLessThanOrEqual<Value: Comparable & Sendable>(
  _ expression: @autoclosure () throws -> Value,
  _ other: Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Value? {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await wait(for: expression, .atMost(other, limits))?.value
}
