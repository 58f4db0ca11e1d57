import Atoms
import TestSize
import Testing

@Suite struct AsyncMisuseTests {
  /// The initializer accepts the identity of any atom whose values have the right type.
  @Test func anAsynchronousAtomFromAnotherIdentityStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let plain = Atom<AsyncState<Int>>(.loading)
      _ = AsyncAtom<Int>(definition: plain.definition).latest
    }
    let text = errorText(of: result)
    #expect(
      text.contains(
        "an AsyncAtom or AsyncSequenceAtom was created from the identity of AtomsTests/AsyncMisuse"))
    #expect(text.contains("Pass the `definition` of an asynchronous atom."))
  }
}
