/// Handles to parts of a store's state.
extension Store {
  /// Returns a handle to the whole state.
  ///
  /// ```swift
  /// store.select().observe(self) { view, state in view.title = state.title }
  /// ```
  ///
  /// Each commit counts as a change, as in ``states``.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for the labels of atoms.
  ///   - line: The line of the call, for the labels of atoms.
  public nonisolated func select(fileID: StaticString = #fileID, line: UInt = #line) -> Selected<State, State> {
    select(Selection(\.self), .always, fileID: fileID, line: line)
  }

  /// Returns a handle to the value at a key path, without repeated values.
  ///
  /// ```swift
  /// for await balance in account.select(\.balance).values { show(balance) }
  /// ```
  ///
  /// All consumers of equal key paths share one selection. To select the value of a closure, of several inputs, or of a
  /// type that is not `Equatable`, pass a ``Selection``.
  ///
  /// - Parameters:
  ///   - path: The key path of the value. The committing task reads it in its turn, once per commit, so keep computed
  ///     properties short.
  ///   - fileID: The file of the call, for the labels of atoms.
  ///   - line: The line of the call, for the labels of atoms.
  public nonisolated func select<Value: Equatable & Sendable>(
    _ path: any KeyPath<State, Value> & Sendable,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Selected<State, Value> {
    select(Selection(path), fileID: fileID, line: line)
  }

  /// Returns a handle to a selection, without repeated values.
  ///
  /// ```swift
  /// let total = Selection(\Order.lines, \.prices) { lines, prices in price(of: lines, prices) }
  /// order.select(total).observe(self) { view, total in view.total = total }
  /// ```
  ///
  /// The store compares values with `==`. A value that is not equal to itself, such as NaN, counts as a repeat if it is
  /// unchanged. See P15 in <doc:Promises>.
  ///
  /// - Parameters:
  ///   - selection: The selection.
  ///   - fileID: The file of the call, for the labels of atoms.
  ///   - line: The line of the call, for the labels of atoms.
  public nonisolated func select<Value: Equatable & Sendable>(
    _ selection: Selection<State, Value>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Selected<State, Value> {
    Selected(self, selection.node.withoutRepeats(), CallSite(fileID: fileID, line: line, column: 0))
  }

  /// Returns a handle to a selection, with a comparison for repeated values.
  ///
  /// ```swift
  /// let route = navigation.select(Selection(\.route), .by { $0.id == $1.id })
  /// let image = camera.select(Selection(\.image), .always)
  /// ```
  ///
  /// - Parameters:
  ///   - selection: The selection.
  ///   - comparison: Decides which values are repeats. All consumers that pass a comparison share one computation of
  ///     the value.
  ///   - fileID: The file of the call, for the labels of atoms.
  ///   - line: The line of the call, for the labels of atoms.
  public nonisolated func select<Value: Sendable>(
    _ selection: Selection<State, Value>,
    _ comparison: SelectionComparison<Value>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Selected<State, Value> {
    Selected(
      self, selection.node.compared(by: comparison.equality), CallSite(fileID: fileID, line: line, column: 0))
  }
}
