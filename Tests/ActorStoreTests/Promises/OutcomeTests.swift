import ActorStore
import Testing

/// The methods of `Outcome`.
@Suite struct OutcomeTests {
  @Test func getReturnsTheOutput() throws {
    #expect(try Outcome.committed(3).get() == 3)
  }

  @Test func getThrowsUnlessCommitted() {
    let veto = Veto("no")
    let outcomes: [(Outcome<Int>, NotCommitted)] = [
      (.vetoed(veto), .vetoed(veto)), (.cancelled, .cancelled), (.deferred, .deferred), (.closed, .closed),
    ]
    for (outcome, error) in outcomes {
      #expect(throws: error) { try outcome.get() }
    }
  }
}
