import Testing

@testable import Atoms

/// Property wrappers in types and in closures.
@Suite struct WrapperTests {
  private let store = AtomStore()

  // MARK: Dependencies

  @Test func a8_onlyWrappersThatAreReadAreDependencies() {
    let (used, unused, captured, runs) = (Atom(1), Atom(2), Atom(3), Tally())
    let sum = DerivedAtom { () -> Int in
      @UseAtom(used) var first
      @UseAtomValue(unused) var second
      @CaptureAtom(captured) var third
      @CaptureAtomValue(captured) var fourth
      runs.add()
      return first + third + fourth
    }.debugLabel("sum")
    #expect(store.get(sum) == 7)
    store.set(unused, 20)
    store.set(captured, 30)
    #expect(store.get(sum) == 7 && runs.value == 1 && store.graph.node("sum")?.dependencies.count == 1)
    store.set(used, 2)
    #expect(store.get(sum) == 62 && runs.value == 2)
  }

  /// Each read of the wrapper returns a new stream.
  @Test func a8_aCapturedPublisherIsNoDependency() async {
    let (atom, runs, streams) = (Atom(1), Tally(), Recorder<AsyncStream<Int>>())
    let derived = DerivedAtom { () -> Int in
      @CaptureAtomPublisher(atom) var values
      streams.add(values)
      streams.add(values)
      return runs.next()
    }.debugLabel("derived")
    #expect(store.get(derived) == 1)
    store.set(atom, 2)
    #expect(store.get(derived) == 1 && store.graph.node("derived")?.dependencies.isEmpty == true)
    for stream in streams.all {
      var values = stream.makeAsyncIterator()
      #expect(await values.next() == 1)
      #expect(await values.next() == 2)
    }
    streams.reset()
  }

  @Test func a3_aCapturedValueIsOfTheRevisionOfTheRun() {
    let (used, captured) = (Atom(1), Atom(1))
    let pair = DerivedAtom { () -> [Int] in
      let first = used.value
      Evaluation.setAside {
        store.transaction {
          used.value += 10
          captured.value += 10
        }
      }
      @CaptureAtomValue(captured) var second
      return [first, second]
    }
    #expect(store.get(pair) == [1, 1])
  }

  /// A reader at a former revision does not get a result that was computed from a newer captured value.
  @Test func a2_aResultIsNotOlderThanWhatItHasCaptured() {
    let (used, captured) = (Atom(1), Atom(1))
    let pair = DerivedAtom { () -> [Int] in
      @CaptureAtomValue(captured) var second
      return [used.value, second]
    }
    let seen = store.snapshot { () -> [Int] in
      let first = captured.value
      Evaluation.setAside {
        store.set(captured, 2)
        #expect(store.get(pair) == [1, 2])
      }
      return [first] + pair.value
    }
    #expect(seen == [1, 1, 1] && store.get(pair) == [1, 2])
  }

  @Test func a15_aCapturedValueIsPartOfATransaction() {
    let (captured, copy, tries) = (Atom(1), Atom(0), Tally())
    store.transaction {
      @CaptureAtomValue(captured) var value
      if tries.next() == 1 {
        _ = value
        Evaluation.setAside { store.set(captured, 5) }
      }
      copy.value = value
    }
    #expect(store.get(copy) == 5 && tries.value == 2)
  }

  @Test func a10_aSetThroughAWrapperInADerivationHasNoEffect() {
    let (target, problems) = (Atom(0).debugLabel("target"), Recorder<AtomProblem>())
    store.onProblem = { problems.add($0) }
    let wrong = DerivedAtom { () -> Int in
      @UseAtom(target) var first
      @CaptureAtom(target) var second
      first = 1
      second = 2
      $first.wrappedValue = 3
      return first
    }.debugLabel("wrong")
    #expect(store.get(wrong) == 0)
    #expect(problems.all == Array(repeating: .setInDerivation("target", in: "wrong"), count: 3))
  }

  // MARK: Stores

  @Test func aWrapperKeepsTheStoreWhereItWasCreated() {
    let (atom, other) = (Atom(0), AtomStore())
    let capture = store.callAsCurrent { CaptureAtom(atom) }
    other.callAsCurrent { capture.wrappedValue = 5 }
    let seen = DerivedAtom { capture.wrappedValue }
    #expect(store.get(atom) == 5 && other.get(atom) == 0 && other.get(seen) == 5)
  }

  // MARK: Bindings

  @Test func aBindingSetsAPartInOneStep() {
    struct Size: Equatable, Sendable {
      var width = 1
      var height = 2
    }
    struct Settings: Sendable {
      var size = Size()
      var names = ["a", "b"]
    }
    let atom = Atom(Settings())
    let use = store.callAsCurrent { UseAtom(atom) }
    let binding = use.projectedValue
    binding.size.width.wrappedValue += 10
    binding.names[1].wrappedValue = "c"
    #expect(store.get(atom).size == Size(width: 11, height: 2) && store.get(atom).names == ["a", "c"])
    #expect(binding.projectedValue.names.wrappedValue == ["a", "c"])
    func edit(_ body: (AtomBinding<Int>) -> Void) { body(binding.size.height) }
    edit { $height in
      height += 1
      #expect($height.wrappedValue == 3)
      height = 2
    }
    inThreads(2) { index in
      for _ in 0..<200 {
        if index == 0 { binding.size.width.wrappedValue = 0 } else { binding.size.height.wrappedValue += 1 }
      }
    }
    #expect(store.get(atom).size == Size(width: 0, height: 202))
  }

  @Test func aBindingOfASetterCallsIt() {
    let celsius = Atom(20.0)
    let fahrenheit = GetSetAtom {
      @UseAtomValue(celsius) var celsius
      return celsius * 9 / 5 + 32
    } set: {
      @UseAtom(celsius) var celsius
      celsius = ($0 - 32) * 5 / 9
    }
    let use = store.callAsCurrent { UseAtom(fahrenheit) }
    use.projectedValue.wrappedValue = 212
    #expect(use.wrappedValue == 212 && store.get(celsius) == 100)
  }
}
