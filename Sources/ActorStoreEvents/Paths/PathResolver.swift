/// Finds the path that fits keys and names, or explains why there is none.
///
/// A failed search is repeated with fewer conditions, to report the first problem from the root down. Only failures pay
/// for that.
struct PathResolver<Root: Sendable, Leaf: ChildState> {
  /// A chain of paths with the keys that fit, from the root down.
  private struct Bound {
    var steps: [PathStep] = []
    /// The number of keys that fit.
    var keyCount = 0
    /// The problem with the next key or with the number of keys, if any.
    var problem: StatePathError?
  }

  /// Errors mention only paths that need at most this many more keys than the caller gave.
  private static var maxMissingKeys: Int { 32 }

  private let keys: [PathKey]
  private let names: [String]

  init(_ root: Root.Type, _ leaf: Leaf.Type, _ keys: [PathKey], _ names: [String]) {
    self.keys = keys
    self.names = names
  }

  /// The only path that fits the keys and the names.
  func path() throws(StatePathError) -> StatePath<Root, Leaf> {
    let found = PathSearch(Root.self, Leaf.self, keys, names, limit: 2).found
    guard let chain = found.first else { throw failure }
    guard found.count == 1 else { throw ambiguity(found) }
    var rest: (any Sendable)? = StatePath<Leaf, Leaf>()
    var keys = keys[...]
    for link in chain.reversed() {
      let key = link.keyType == nil ? nil : keys.popLast()
      rest = rest.flatMap { link.prepended(to: $0, leaf: Leaf.self, key) }
    }
    // The search has verified the types.
    guard let path = rest as? StatePath<Root, Leaf> else { throw failure }
    return path
  }

  private func ambiguity(_ chains: [[any ParentLink]]) -> StatePathError {
    let paths = chains.map { bind($0).steps }
    let common = zip(paths[0], paths[1]).prefix { $0 == $1 }.count
    return StatePathError(paths[0][..<common].pathDescription, .ambiguous(paths.map { $0[...].pathDescription }))
  }

  /// The reason why no path fits.
  ///
  /// The declared path that can use most of the keys is probably the one that was meant. Among equals, it is the one
  /// with the right number of keys.
  private var failure: StatePathError {
    let more = keys.count + 1...keys.count + Self.maxMissingKeys
    let fewer = (0..<keys.count).reversed()
    let candidates =
      chains(count: keys.count, via: names) + firstChains(more, via: names) + firstChains(fewer, via: names)
    if let problem = candidates.map(bind).max(by: { $0.keyCount < $1.keyCount })?.problem { return problem }
    let isDeclared = !firstChains(0...Self.maxMissingKeys, via: []).isEmpty
    return StatePathError("self", isDeclared ? .noPathNamed(names) : .noPath(to: "\(Leaf.self)"))
  }

  /// The chains for the first number of keys that has any.
  private func firstChains(_ counts: some Sequence<Int>, via names: [String]) -> [[any ParentLink]] {
    counts.lazy.map { chains(count: $0, via: names) }.first { !$0.isEmpty } ?? []
  }

  /// Chains that need a number of keys, of any types.
  private func chains(count: Int, via names: [String]) -> [[any ParentLink]] {
    PathSearch(Root.self, Leaf.self, count: count, names, limit: 16).found
  }

  /// Gives the keys to a chain from the root down, up to the first one that does not fit.
  private func bind(_ chain: [any ParentLink]) -> Bound {
    var bound = Bound()
    for link in chain {
      let key = link.keyType == nil || bound.keyCount == keys.count ? nil : keys[bound.keyCount]
      guard let steps = link.steps(key) else {
        let collection = (bound.steps + [PathStep(named: link.name)])[...].pathDescription
        bound.problem = StatePathError(collection, key.map { Self.reason($0, link) } ?? .tooFewKeys)
        return bound
      }
      bound.steps += steps
      if link.keyType != nil { bound.keyCount += 1 }
    }
    if bound.keyCount < keys.count {
      let rest = keys[bound.keyCount...].map(describe)
      bound.problem = StatePathError(bound.steps[...].pathDescription, .tooManyKeys(rest))
    }
    return bound
  }

  private static func reason(_ key: PathKey, _ link: any ParentLink) -> StatePathError.Reason {
    .wrongKey(describe(key), type: "\(type(of: key))", expected: link.keyType.map { "\($0)" } ?? "")
  }
}
