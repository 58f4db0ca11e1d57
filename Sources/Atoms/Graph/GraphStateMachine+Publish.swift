/// The ends of closures, and the validity of their results.
extension GraphStateMachine {
  /// Ends a closure's run whose result becomes the node's value.
  ///
  /// - Parameter isUnchanged: Whether the result equals the former value, which then stays.
  /// - Returns: The new validity, or `nil` if only this evaluation keeps the result, because the atom is gone or has
  ///   got another closure.
  @inline(__always)  // HP24
  mutating func publish(_ evaluation: inout EvaluationState, isUnchanged: Bool) -> Validity? {
    let frame = evaluation.frame
    let node = frame.node
    let records = nodes.places()
    let record = records[Int(node.index)]
    if record.value.isRemoved { return nil }
    if hasFormerFormula(node, at: evaluation.revision), !has(.undoInjection) {
      record.value.claim = .none
      return nil
    }
    evaluation.removeRepeatedReads()
    let mark = record.value.dirtyAt
    let validFrom = max(frame.validFrom, firstRevision(of: node, computedAt: evaluation.revision))
    let version = isUnchanged ? nil : newVersion()
    if !record.value.publish(version: version, validFrom: validFrom, evaluation.tracked, from: frame.start) {
      replaceDependencies(of: node, with: evaluation.tracked, from: frame.start)
    }
    settle(record, records, after: evaluation.revision)
    if has(.loseMark), mark != .never { record.value.dirtyAt = .never }
    evaluation.pop()
    return record.value.validity
  }

  /// Ends a closure's run whose result only this evaluation sees.
  ///
  /// - Parameter version: The version of an equal value that the evaluation could have used before, or `nil`.
  /// - Returns: What the evaluation no longer needs, which the caller releases without the lock.
  mutating func keep(
    _ value: Value, version: Version? = nil, _ evaluation: inout EvaluationState
  ) -> EvaluationState.Own? {
    evaluation.removeRepeatedReads()
    let frame = evaluation.frame
    let dependencies = Array(evaluation.tracked[frame.start...])
    evaluation.pop()
    var validFrom = max(frame.validFrom, firstRevision(of: frame.node, computedAt: evaluation.revision))
    // A node with runs is loading for this evaluation, but it may have had a result at an earlier revision.
    if self[frame.node].flags.contains(.run) { validFrom = evaluation.revision }
    let stamp = ValueStamp(version: version ?? newVersion(), validFrom: validFrom)
    return evaluation.keep(value, stamp, for: frame.node, dependencies)
  }

  /// Decides how long a value is valid.
  ///
  /// The value becomes clean if each dependency is clean and still has the version that was read. Otherwise, it is
  /// valid for the evaluation's revision only. So a change that arrives during a run, before there are edges, is not
  /// lost. The same is true of a dependency that has changed in the meantime and then changed back. It keeps its
  /// version, but it was not valid at the revisions in between.
  mutating func settle(_ node: NodeID, after revision: Revision) {
    let records = nodes.places()
    settle(records[Int(node.index)], records, after: revision)
  }

  @inline(__always)  // HP23
  private func settle(
    _ record: Record, _ records: Records, after revision: Revision
  ) {
    var (count, isClean) = (0, true)
    while let dependency = record.value.dependencies.read(at: count) {
      count += 1
      let other = dependency.node == .none ? nil : records[Int(dependency.node.index)].value.validity
      guard let other, other.version == dependency.version, other.dirtyAt == .never, other.validFrom <= revision else {
        if has(.settleUnchecked) { continue }
        isClean = false
        break
      }
    }
    guard isClean else {
      record.value.dirtyAt = revision + 1
      return
    }
    record.value.dirtyAt = .never
    for index in 0..<count {
      let dependency = record.value.dependencies[index].node
      if dependency != .none { records[Int(dependency.index)].value.flags.formUnion(.cleanDependents) }
    }
  }
}
