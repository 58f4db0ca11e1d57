extension TransactionAction {
  @inlinable var _label: StaticString? { label }
}

extension TransactionMutation {
  @inlinable var _label: StaticString? { label }
}
