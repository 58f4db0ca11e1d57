import ActorStore
import ActorStoreTesting
import XCTest

/// The same inside XCTest.
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

  func testThrowsWhatItFound() {
    XCTAssertThrowsError(try Simulation.explore(schedules: 50) { throw CancellationError() }) { error in
      XCTAssert((error as? Simulation.Failure)?.error is CancellationError)
    }
  }
}
