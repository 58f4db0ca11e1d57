/// A consumer of one selection that takes its values together with those of other selections, such as an atom.
package protocol SelectionReader: AnyObject, Sendable {}

/// A consumer that takes the changed values of all readers in one step, such as a graph of atoms.
package protocol SelectionFollower: AnyObject, Sendable {
  /// Brings the follower up to date, and returns whether it still exists.
  ///
  /// Called without a lock.
  ///
  /// - Parameters:
  ///   - source: The selections of a store.
  ///   - last: The values of the last step. A follower that has the previous step does not have to ask for them.
  func update(from source: SharedSelections, _ last: SelectionStep?) -> Bool

  /// Forgets the selections of a store that is gone.
  func forget(_ source: ObjectIdentifier)
}

/// The values that have changed after one step and up to another.
package struct SelectionStep: Sendable {
  package let since: UInt64
  package let step: UInt64
  package let values: [(reader: any SelectionReader, value: AnyPublished)]

  package init(since: UInt64, step: UInt64, values: [(reader: any SelectionReader, value: AnyPublished)]) {
    (self.since, self.step) = (since, step)
    self.values = values
  }
}
