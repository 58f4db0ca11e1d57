import ActorStoreTesting
import Atoms

/// Waits until the value of an expression over atoms meets a condition.
///
/// ```swift
/// try await expect(cartAtom.value) { $0.count == 2 }
/// try await expectEqual(totalAtom.value, 30)
/// ```
///
/// All expectations work like this one. They evaluate the expression at once, and again after each revision of the
/// current store, without polling. The expression runs only inside the call, on the caller's actor. It may use `.value`
/// and all wrappers. An atom that only the expression reads is not in use. If no value meets the condition in time, or
/// if the task is canceled, the expectation reports a failure. The failure has the line of the call and the last value.
///
/// Expectations work in Swift Testing and XCTest. Inside a `Simulation`, time is virtual by default, and a failure
/// fails the run and is thrown. Elsewhere, expectations throw nothing.
///
/// - Parameters:
///   - expression: The expression to check. It may read atoms of the current store, and must not set any.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
///   - condition: A closure that returns whether a value is as expected.
/// - Returns: The value that meets the condition, or `nil` if the expectation failed.
/// - Throws: `TestStoreFailure` if the expectation fails in a simulation.
@discardableResult
public func expect<Value: Sendable>(
  _ expression: @autoclosure () throws -> Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ condition: @escaping @Sendable (Value) -> Bool
) async throws -> Value? {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await wait(for: expression, .meeting(condition, limits))?.value
}

/// Waits until an expression over atoms is `true`.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expression: The expression to check.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Throws: `TestStoreFailure` if the expectation fails in a simulation.
public func expectTrue(
  _ expression: @autoclosure () throws -> Bool,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  _ = try await wait(for: expression, .bool(true, limits))
}

/// Waits until an expression over atoms is `false`.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expression: The expression to check.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Throws: `TestStoreFailure` if the expectation fails in a simulation.
public func expectFalse(
  _ expression: @autoclosure () throws -> Bool,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  _ = try await wait(for: expression, .bool(false, limits))
}

/// Waits until an expression over atoms is `nil`.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expression: The expression to check.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Throws: `TestStoreFailure` if the expectation fails in a simulation.
public func expectNil<Wrapped: Sendable>(
  _ expression: @autoclosure () throws -> Wrapped?,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  _ = try await wait(for: expression, Expectation<Wrapped?>.none(limits))
}

/// Waits until an expression over atoms is not `nil`, and unwraps it.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expression: The expression to check.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The unwrapped value, or `nil` if the expectation failed.
/// - Throws: `TestStoreFailure` if the expectation fails in a simulation.
@discardableResult
public func expectNotNil<Wrapped: Sendable>(
  _ expression: @autoclosure () throws -> Wrapped?,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Wrapped? {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await wait(for: expression, Expectation<Wrapped?>.some(limits))?.value ?? nil
}

/// Waits until an expression over atoms throws an error.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expression: The expression to check.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The error, or `nil` if the expectation failed.
/// - Throws: `TestStoreFailure` if the expectation fails in a simulation.
@discardableResult
public func expectThrowsError<Value: Sendable>(
  _ expression: @autoclosure () throws -> Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> (any Error)? {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await wait(for: expression, .error(limits))?.error
}

/// Waits until an expression over atoms has a value and throws no error.
///
/// See ``expect(_:within:clock:fileID:filePath:line:column:_:)``.
///
/// - Parameters:
///   - expression: The expression to check.
///   - limit: The maximum time to wait.
///   - clock: The clock that measures the time, or `nil` for the default clock.
///   - fileID: The file ID of the call, for failure reports.
///   - filePath: The file path of the call, for failure reports.
///   - line: The line of the call, for failure reports.
///   - column: The column of the call, for failure reports.
/// - Returns: The value, or `nil` if the expectation failed.
/// - Throws: `TestStoreFailure` if the expectation fails in a simulation.
@discardableResult
public func expectNoThrow<Value: Sendable>(
  _ expression: @autoclosure () throws -> Value,
  within limit: Duration = .seconds(10),
  clock: (any Clock<Duration>)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async throws -> Value? {
  let limits = ExpectationLimits(limit, clock, CallSite(fileID, filePath, line, column))
  return try await wait(for: expression, .noError(limits))?.value
}

/// Evaluates an expression after each revision of the current store until the result meets a condition.
func wait<Value: Sendable>(
  for expression: () throws -> Value, _ expectation: Expectation<Value>
) async throws -> Result<Value, any Error>? {
  let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  let stop = AtomStore.current.signalRevisions(to: signal)
  defer { stop() }
  return try await expectation.wait(for: expression, after: signals, signal)
}

extension Result where Failure == any Error {
  var value: Success? { try? get() }
  var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
