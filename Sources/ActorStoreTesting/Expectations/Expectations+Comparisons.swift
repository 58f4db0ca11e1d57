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
  let expectation = Expectation<Value>(
    wanted: { "a value equal to \(Dump.text(of: other))" }, limit: limit, clock: clock,
    site: CallSite(fileID, filePath, line, column),
    describe: { "(- expected, + seen):\n\(Dump.difference(from: other, to: $0) ?? "")" },
    fits: { $0.fits { $0 == other } })
  return try await expectation.wait(for: expected)?.value
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
  let expectation = Expectation<Value>(
    wanted: { "a value other than \(Dump.text(of: other))" }, limit: limit, clock: clock,
    site: CallSite(fileID, filePath, line, column), fits: { $0.fits { $0 != other } })
  return try await expectation.wait(for: expected)?.value
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
  let expectation = Expectation<Value>(
    wanted: { "a value greater than \(Dump.text(of: other))" }, limit: limit, clock: clock,
    site: CallSite(fileID, filePath, line, column), fits: { $0.fits { $0 > other } })
  return try await expectation.wait(for: expected)?.value
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
  let expectation = Expectation<Value>(
    wanted: { "a value of at least \(Dump.text(of: other))" }, limit: limit, clock: clock,
    site: CallSite(fileID, filePath, line, column), fits: { $0.fits { $0 >= other } })
  return try await expectation.wait(for: expected)?.value
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
  let expectation = Expectation<Value>(
    wanted: { "a value less than \(Dump.text(of: other))" }, limit: limit, clock: clock,
    site: CallSite(fileID, filePath, line, column), fits: { $0.fits { $0 < other } })
  return try await expectation.wait(for: expected)?.value
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
  let expectation = Expectation<Value>(
    wanted: { "a value of at most \(Dump.text(of: other))" }, limit: limit, clock: clock,
    site: CallSite(fileID, filePath, line, column), fits: { $0.fits { $0 <= other } })
  return try await expectation.wait(for: expected)?.value
}
