extension Selected {
  /// A mirror of the value on the main actor, starting with the current one.
  ///
  /// Each access creates a mirror. The access waits only while a mutation edits the state in place. The mirror then
  /// starts with the value of that mutation's commit.
  @MainActor public var observable: ObservableValue<Value> {
    get async {
      let values = subscription(.bufferingNewest(1))
      let first: Value = if let value = values.takeAccepted() { value } else { await current }
      return ObservableValue(store.observations, values, first)
    }
  }

  /// Creates a mirror of the value on the main actor without waiting.
  ///
  /// - Parameter initial: The first value if a mutation is editing the state in place at this moment. Otherwise, it is
  ///   not evaluated.
  @MainActor public func observable(initial: @autoclosure () -> Value) -> ObservableValue<Value> {
    let before = store.readable?.state
    let values = subscription(.bufferingNewest(1))
    let known = values.takeAccepted() ?? before.map { node.value(in: Published($0)).value(as: Value.self) }
    return ObservableValue(store.observations, values, known ?? initial())
  }
}
