import ActorStore
import ActorStoreTesting
import XCTest

/// Simulations, test stores, and expectations in XCTest.
final class XCTestTests: XCTestCase {
  func testPasses() throws {
    try Simulation.explore(schedules: 50) {
      let store = Store(Account())
      async let one = store.dispatch(Deposit())
      async let other = store.dispatch(Deposit())
      _ = await (one, other)
      try Simulation.expect(await store.state.balance == 2)
    }
  }

  func testTestStore() async throws {
    let store = TestStore(Account())
    await store.dispatch(Deposit()) { $0.balance = 1 }
    try await store.finish()
  }

  func testExpectation() async throws {
    let store = Store(Account())
    async let reached = expectEqual(store.select(\.balance).values, 3)
    for _ in 0..<3 { await store.dispatch(Deposit()) }
    let balance = try await reached
    XCTAssertEqual(balance, 3)
    try await expectEqual(StoreExpression(of: store) { await store.state.balance * 2 }, 6)
  }

  #if !canImport(Darwin)
    private var failures: [(text: String, file: String, line: Int)]?

    override func recordFailure(
      withDescription description: String,
      inFile filePath: String,
      atLine lineNumber: Int,
      expected: Bool
    ) {
      if failures == nil {
        super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      } else {
        failures?.append((description, filePath, lineNumber))
      }
    }

    /// A failure is reported at the line of the call.
    func testReportsAtTheLineOfTheCall() async throws {
      failures = []
      let store = TestStore(Account())
      await store.dispatch(Deposit()) { $0.balance = 2 }
      let seen = failures ?? []
      failures = nil
      XCTAssertEqual(seen.map(\.line), [#line - 3])
      XCTAssertTrue(seen.first?.file.hasSuffix("XCTestTests.swift") == true)
      XCTAssertTrue(seen.first?.text.contains("-   balance: 2\n+   balance: 1") == true)
    }
  #endif

  func testThrowsTheFailure() {
    XCTAssertThrowsError(try Simulation.explore(schedules: 50) { throw CancellationError() }) { error in
      XCTAssert((error as? Simulation.Failure)?.error is CancellationError)
    }
  }
}
