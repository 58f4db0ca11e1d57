import Testing

@testable import Atoms

/// The graphs that an atom knows (A32).
@Suite struct WeakReferencesTests {
  @Test func keepsTheLivingOnes() {
    let graphs = (0..<100).map { _ in AtomStore() }
    var references = WeakReferences()
    for graph in graphs {
      references.append(graph.core.reference)
      // Others come and go.
      for _ in 0..<10 { references.append(AtomStore().core.reference) }
    }
    let living = references.living.compactMap { $0.handle?.graph }.map(ObjectIdentifier.init)
    #expect(living.count == 100 && Set(living) == Set(graphs.map { ObjectIdentifier($0.core) }))
    #expect(references.count <= 2 * 100 + 2)
  }

  @Test func removesTheOnesThatAreGone() {
    var references = WeakReferences()
    for _ in 0..<1_000 { references.append(AtomStore().core.reference) }
    #expect(references.count <= 2)
    #expect(references.living.isEmpty)
  }
}
