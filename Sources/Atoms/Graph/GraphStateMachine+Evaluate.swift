extension GraphStateMachine {
  typealias EvaluationState = EvaluationStateMachine<Value>

  /// The next step of an evaluation that needs a value.
  enum Step: Hashable {
    /// The value is available.
    case done
    /// The caller runs the node's closure without the lock, and then calls `publish` or `keep`.
    case compute(NodeID, isPrivate: Bool)
    /// The caller calls `keepBeforeRevalidation` with the value of a node with runs.
    case keep(NodeID)
    /// The value of this node depends on itself.
    ///
    /// `EvaluationStateMachine.path(to:)` returns the path.
    case cycle(NodeID)
  }

  /// Where an evaluation finds a value.
  enum Found {
    /// In the store.
    case current(ValueStamp)
    /// In the evaluation, or among the former values.
    case kept(ValueStamp, Value)

    var stamp: ValueStamp {
      switch self {
      case .current(let stamp), .kept(let stamp, _): stamp
      }
    }
  }

  /// The value that an evaluation sees, or `nil` if it must be computed.
  @inline(__always)  // HP13
  func find(_ node: NodeID, for evaluation: borrowing EvaluationState) -> Found? {
    if evaluation.hasOwn, let own = evaluation.own[node] {
      let isUsable =
        !evaluation.hasWritten || own.isWritten || evaluation.isVerified(node, own.stamp.version)
      return isUsable ? .kept(own.stamp, own.value) : nil
    }
    if isUsable(node, for: evaluation) { return .current(self[node].stamp) }
    if let old = old(node, at: evaluation.revision) { return .kept(old.stamp, old.value) }
    return nil
  }

  /// Whether an evaluation sees a value of a node whose newest value has this validity.
  @inline(__always)  // HP19
  private func canUse(_ node: NodeID, _ validity: Validity, for evaluation: borrowing EvaluationState) -> Bool {
    if !evaluation.hasOwn, !has(.readNewest) {
      return validity.isValid(at: evaluation.revision) || old(node, at: evaluation.revision) != nil
    }
    return find(node, for: evaluation) != nil
  }

  /// The stamp of the value that an evaluation sees, or `nil` if the value must be computed.
  @inline(__always)  // HP13
  private func stamp(_ node: NodeID, for evaluation: borrowing EvaluationState) -> ValueStamp? {
    if !evaluation.hasOwn, isUsable(node, for: evaluation) { return self[node].stamp }
    return find(node, for: evaluation)?.stamp
  }

  @inline(__always)  // HP13
  private func isUsable(_ node: NodeID, for evaluation: borrowing EvaluationState) -> Bool {
    if evaluation.hasWritten, !self[node].isSource { return evaluation.isVerified(node, self[node].version) }
    if has(.readNewest), self[node].isSource { return true }
    return self[node].isValid(at: evaluation.revision)
  }

  /// Brings nodes up to date until a closure must run, or until all visits after the first `base` are done.
  ///
  /// It uses the evaluation's stack of visits instead of recursion. Each node is visited after its dependencies.
  ///
  /// - Parameters:
  ///   - evaluation: The evaluation.
  ///   - base: The number of visits that belong to the derivations around it.
  ///   - claimsRuns: Whether it may claim a node with runs. Otherwise, it returns `done` before such a node.
  @inline(__always)  // HP23
  mutating func step(_ evaluation: inout EvaluationState, base: Int, claimsRuns: Bool = true) -> Step {
    if canCompareOnly(for: evaluation), let step = compareOnly(&evaluation, base: base) { return step }
    return stepInGeneral(&evaluation, base: base, claimsRuns: claimsRuns)
  }

  @inline(never)  // HP23
  private mutating func stepInGeneral(_ evaluation: inout EvaluationState, base: Int, claimsRuns: Bool) -> Step {
    while evaluation.visits.count > base {
      let top = evaluation.visits.count - 1
      let node = evaluation.visits[top].node
      let (validity, claim, flags) = nodes[Int(node.index)].status
      if canUse(node, validity, for: evaluation) {
        evaluation.endVisit()
        continue
      }
      if !claimsRuns, flags.contains(.run) { return .done }
      if claim == evaluation.id || evaluation.isComputedPrivately(node) {
        if evaluation.endVisitsAhead(after: base) { continue }
        return .cycle(node)
      }
      let isFormer = hasFormerFormula(node, at: evaluation.revision)
      // Another evaluation computes it, or has computed it for a later revision.
      let isForeign =
        claim != .none || validity.validFrom > evaluation.revision || flags.contains(.removed) || isFormer
      let isPrivate = isForeign || evaluation.hasWritten
      if validity.version == 0 || isFormer, !evaluation.hasWritten || evaluation.own[node] == nil {
        return compute(node, isPrivate: isPrivate, evaluation)
      }
      switch compare(node, top, &evaluation) {
      case .visit(let dependency): evaluation.visits.append(EvaluationState.Visit(node: dependency))
      case .changed:
        if evaluation.isDeep, let dependency = nextAhead(of: node, top, &evaluation) {
          evaluation.visits.append(EvaluationState.Visit(node: dependency, isAhead: true))
          continue
        }
        return compute(node, isPrivate: isPrivate, evaluation)
      case .unchanged:
        if evaluation.hasWritten {
          evaluation.verify(node, evaluation.own[node]?.stamp.version ?? self[node].version)
        } else if isForeign {
          // The dependencies are up to date now, so the closure does not recurse.
          return compute(node, isPrivate: true, evaluation)
        } else if mustKeepBeforeRevalidation(node) {
          return .keep(node)
        } else {
          revalidate(node, for: evaluation)
        }
        evaluation.endVisit()
      }
    }
    return .done
  }

  private mutating func compute(_ node: NodeID, isPrivate: Bool, _ evaluation: borrowing EvaluationState) -> Step {
    if !isPrivate { self[node].claim = evaluation.id }
    return .compute(node, isPrivate: isPrivate)
  }

  /// Whether `compareOnly` may take the next steps of an evaluation.
  ///
  /// At the newest revision, no evaluation needs a former value or closure.
  @inline(__always)  // HP23
  private func canCompareOnly(for evaluation: borrowing EvaluationState) -> Bool {
    evaluation.seesOnlyStore && !has(.readNewest)
      && (evaluation.revision == revision || keptCount == 0 && formulaStarts.isEmpty)
  }

  /// Takes steps as long as they only compare the versions of dependencies or claim nodes without a value.
  ///
  /// Usually, no other steps are needed. Returns `nil` if `stepInGeneral` must take the next step.
  @inline(never)  // HP23
  private mutating func compareOnly(_ evaluation: inout EvaluationState, base: Int) -> Step? {
    let (records, revision) = (nodes.places(), evaluation.revision)
    visiting: while let visit = evaluation.visits.last, evaluation.visits.count > base {
      let record = records[Int(visit.node.index)]
      if record.value.isValid(at: revision) {
        evaluation.visits.removeLast()
        continue
      }
      if !record.value.canCompareOnly(at: revision) { return nil }
      if record.value.version == 0 {
        record.value.claim = evaluation.id
        return .compute(visit.node, isPrivate: false)
      }
      var index = record.value.index(of: visit.place)
      while let dependency = record.value.dependencies.read(at: index) {
        let read = dependency.node == .none ? nil : records[Int(dependency.node.index)]
        if let read, !read.value.isValid(at: revision) {
          let place = record.value.place(of: index)
          if place != visit.place { evaluation.visits[evaluation.visits.count - 1].place = place }
          evaluation.visits.append(EvaluationState.Visit(node: dependency.node, place: read.value.place(of: 0)))
          continue visiting
        }
        if read?.value.version != dependency.version {
          record.value.claim = evaluation.id
          return .compute(visit.node, isPrivate: false)
        }
        index += 1
      }
      revalidate(visit.node, for: evaluation)
      evaluation.visits.removeLast()
    }
    return .done
  }

  /// Fast path.
  ///
  /// Claims the reader of a node whose value has just been published, and returns it. The reader is the node of the
  /// last visit, which stopped at the published node. It must be computed if it has read another version.
  ///
  /// Returns `nil`, changing nothing, if `step` must decide what follows.
  @inline(__always)  // HP24
  mutating func claimReader(
    of published: NodeID, _ version: Version, _ evaluation: inout EvaluationState, base: Int
  ) -> NodeID? {
    guard evaluation.visits.count > base, let visit = evaluation.visits.last else { return nil }
    let record = nodes.places()[Int(visit.node.index)]
    if record.value.isValid(at: evaluation.revision) || !canCompareOnly(for: evaluation)
      || !record.value.canCompareOnly(at: evaluation.revision)
    {
      return nil
    }
    guard let dependency = record.value.dependencies.read(at: record.value.index(of: visit.place)),
      dependency.node == published, dependency.version != version
    else { return nil }
    record.value.claim = evaluation.id
    return visit.node
  }

  private enum Verdict {
    case unchanged
    case changed
    case visit(NodeID)
  }

  /// Compares the versions of a node's dependencies with those that it read.
  ///
  /// Compares in the order of the reads, up to the first that differs. A read after that may no longer happen.
  private mutating func compare(_ node: NodeID, _ visit: Int, _ evaluation: inout EvaluationState) -> Verdict {
    let isAssigned = isAssignedRun(node)
    var index = self[node].index(of: evaluation.visits[visit].place)
    while let dependency = dependency(index, of: node, for: evaluation) {
      if dependency.node == .none { return .changed }
      guard let stamp = stamp(dependency.node, for: evaluation) else {
        evaluation.visits[visit].place = self[node].place(of: index)
        return .visit(dependency.node)
      }
      if evaluation.hasWritten {
        evaluation.noteRead(dependency.node, stamp.version, isSource: self[dependency.node].isSource)
      }
      if isAssigned, evaluation.own[node] == nil {
        if !isUnchanged(index, of: node, stamp, for: evaluation) { return .changed }
      } else if stamp.version != dependency.version {
        return .changed
      }
      index += 1
    }
    return .unchanged
  }

  /// The next dependency to bring up to date before a closure runs on a deep stack, so that its reads do not recurse.
  ///
  /// The closure may no longer read the dependency. For this reason, this does not happen on other stacks, and a
  /// dependency whose last reads lead to a running derivation is skipped instead of being reported as a cycle. A new
  /// read of a running derivation is still reported.
  private func nextAhead(of node: NodeID, _ visit: Int, _ evaluation: inout EvaluationState) -> NodeID? {
    if evaluation.visits[visit].ahead == 0, !evaluation.beginAhead(node) { return nil }
    while let dependency = dependency(Int(evaluation.visits[visit].ahead), of: node, for: evaluation) {
      evaluation.visits[visit].ahead += 1
      if dependency.node != .none, stamp(dependency.node, for: evaluation) == nil { return dependency.node }
    }
    return nil
  }

  /// A dependency of the value that an evaluation would use if it is still right.
  @inline(__always)  // HP13
  private func dependency(
    _ index: Int, of node: NodeID, for evaluation: borrowing EvaluationState
  ) -> EvaluationState.Tracked? {
    if evaluation.hasWritten, let own = evaluation.own[node] {
      return index < own.dependencies.count ? own.dependencies[index] : nil
    }
    return self[node].dependencies.read(at: index).map { EvaluationState.Tracked(node: $0.node, version: $0.version) }
  }

  /// Makes a value valid at an evaluation's revision, because no dependency has changed.
  private mutating func revalidate(_ node: NodeID, for evaluation: borrowing EvaluationState) {
    var validFrom = firstRevision(of: node, computedAt: evaluation.revision)
    // A run has set the value later than what it has read.
    if self[node].flags.contains(.run) { validFrom = self[node].validFrom }
    for index in self[node].reads {
      if let stamp = stamp(self[node].dependencies[index].node, for: evaluation) {
        validFrom = max(validFrom, stamp.validFrom)
      }
    }
    self[node].validFrom = validFrom
    settle(node, after: evaluation.revision)
  }
}
