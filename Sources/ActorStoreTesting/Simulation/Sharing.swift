extension Simulation {
  /// The kinds of state that the tasks of a body share.
  ///
  /// They determine how many schedules an exhaustive search needs. The library knows which stores and atoms each step
  /// reads and changes. It does not know which other state the tasks share.
  public enum Sharing: Hashable, Sendable {
    /// The tasks can share any state, so the search tries the steps in every order.
    case anything
    /// The tasks share only stores and atoms, so the search skips schedules that differ only in the order of steps that
    /// do not access the same store.
    ///
    /// By choosing this case, you promise that the result of the body depends on no other state that tasks share:
    ///
    /// - No task reads state that another task writes. The exceptions are stores, their streams, atoms, and memory that
    ///   is accessed only immediately after ``Simulation/point()``.
    /// - No task calls an actor other than a store. If one has to wait for an actor, the search is not complete.
    /// - The result does not depend on which of several tasks ends first, as with `group.next()`.
    /// - The result does not depend on when one task cancels another one.
    ///
    /// If the promise does not hold, the search can miss results, even if it reports that it is complete.
    ///
    /// All atoms of one `AtomStore` count as one object. The search uses dynamic partial-order reduction (Flanagan and
    /// Godefroid, POPL 2005) with source sets (Abdulla, Aronis, Jonsson, and Sagonas, POPL 2014). It tries at least one
    /// schedule of each class of equivalent ones, and sometimes several.
    case storesAndAtoms
  }
}
