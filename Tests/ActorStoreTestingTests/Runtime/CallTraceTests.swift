import Testing

@testable import ActorStoreTesting

/// The client's functions in the calls of a task.
@Suite struct CallTraceTests {
  private typealias Call = CallTrace.Call

  private func call(
    _ symbol: String,
    _ name: String = "",
    isThunk: Bool = false,
    isAwaiting: Bool = true,
    fullName: String = ""
  ) -> Call {
    Call(symbol: symbol, name: name, isThunk: isThunk, address: 0, isAwaiting: isAwaiting) { fullName }
  }

  // The symbols of a dispatch in an async function that a child task calls.
  private var recording: Call { call("$s17ActorStoreTesting9RecordingC4noteyySSF", isAwaiting: false) }
  private var dispatch: Call { call("$s10ActorStore0B0C8dispatch5label6policyTQ0_", "Store.dispatch(label:policy:_:)") }
  private var transfer: Call { call("$s4Bank7ServiceV8transferyyYaFTQ0_", "Service.transfer()") }
  private var child: Call { call("$s4Bank4bodyyyYaKFyScGyytGzYaXEfU_yyYacfU_TQ1_", "closure #1 in body()") }
  private var thunk: Call { call("$s4Bank4bodyyyYaKFyScGyytGzYaXEfU_yyYacfU_TATQ0_", isThunk: true) }
  private var runtime: Call { call("_ZL23completeTaskWithClosurePN5swift12AsyncContextEPNS_10SwiftErrorE") }
  private var executor: Call { call("swift_job_run_on_task_executor", isAwaiting: false) }

  @Test func siteIsTheInnermostFunctionOfTheClient() {
    let trace = CallTrace([recording, dispatch, transfer, child, thunk, runtime], isWhole: true)
    #expect(trace.site?.name == "Service.transfer()")
    #expect(trace.taskFunction?.name == "closure #1 in body()")
    #expect(trace.isComplete)
  }

  /// The calls after an executor's are those of the test that runs the simulation.
  @Test func callsOfTheSurroundingTaskAreDropped() {
    let test = call("$s9BankTests4testyyYaKFTQ0_", "test()")
    let trace = CallTrace([recording, executor, test, runtime], isWhole: true)
    #expect(trace.site == nil && trace.taskFunction == nil && !trace.isComplete)
    let synchronous = call("$s4Bank7ServiceV6sendItyyF", "Service.sendIt()", isAwaiting: false)
    let interrupted = CallTrace([recording, synchronous, executor, test, runtime], isWhole: true)
    #expect(interrupted.site?.name == "Service.sendIt()")
    #expect(interrupted.taskFunction == nil && !interrupted.isComplete)
  }

  @Test func traceWithOmittedCallsIsNotComplete() {
    let trace = CallTrace([dispatch, transfer, child, runtime], isWhole: false)
    #expect(trace.site?.name == "Service.transfer()")
    #expect(trace.taskFunction == nil && !trace.isComplete)
  }

  /// A task that a store starts can run a client's closure, but was not started with it.
  @Test func taskOfAStoreHasNoFunctionOfTheClient() {
    let trace = CallTrace([recording, transfer, dispatch, thunk, runtime], isWhole: true)
    #expect(trace.site?.name == "Service.transfer()")
    #expect(trace.taskFunction == nil && trace.isComplete)
  }

  @Test(arguments: [
    ("$s22ActorStoreTestingTests4bodyyyYaKF", "", CallTrace.Call.Owner.client),
    ("$s10AtomsTests4bodyyyYaKF", "", .client),
    ("$s10ActorStore0B0C3runyyF", "ActorStore.Store.run() -> ()", .library),
    ("$s17ActorStoreTesting9RecordingC4noteyySSF", "", .library),
    ("$s12AtomsTesting4noteyySSF", "", .library),
    // Extensions of a store and of a task, by a client and by the library.
    ("$s10ActorStore0B0C4BankE7deposityyYaF", "(extension in Bank):ActorStore.Store.deposit() async -> ()", .client),
    ("$sScT4BankE7deposityyYaF", "(extension in Bank):Swift.Task.deposit() async -> ()", .client),
    ("$sScT10ActorStoreE10preferringyyF", "static (extension in ActorStore):Swift.Task.preferring() -> ()", .library),
    ("$s10ActorStore0B0C5AtomsE4atomyyF", "(extension in Atoms):ActorStore.Store.atom() -> ()", .library),
    ("$ss13withTaskGroupyyF", "Swift.withTaskGroup() -> ()", .system),
    ("$sIegH_yts5Error_pIegHTrzo_TRTQ0_", "", .system),
    ("_ZL12completeTaskPN5swift12AsyncContextEPNS_10SwiftErrorE", "", .system),
    ("main", "", .system), ("", "", .system), ("$s", "", .system), ("$s99Bank", "", .client),
  ]) func ownerIsTheModuleWithTheCode(symbol: String, fullName: String, owner: CallTrace.Call.Owner) {
    #expect(call(symbol, fullName: fullName).owner == owner)
    #expect(call(symbol, isThunk: true, fullName: fullName).owner == .system)
  }

  @Test(arguments: [
    ("transfer()", "transfer()", "transfer()"),
    ("closure #1 in transfer()", "closure #1 in transfer()", "transfer()"),
    ("closure #2 in closure #1 in static Bank.transfer(_:)", "closure #2 in Bank.transfer(_:)", "Bank.transfer(_:)"),
    ("specialized Bank.transfer(_:)", "Bank.transfer(_:)", "Bank.transfer(_:)"),
    (
      "closure #1 in variable initialization expression of static Tests.body", "closure #1 in Tests.body", "Tests.body"
    ),
    ("", "", ""),
  ]) func functionHasAShortName(name: String, function: String, outermost: String) {
    #expect(call("", name).function == function)
    #expect(call("", name).outermostFunction == outermost)
  }
}
