public import ActorStore

/// An action that cannot be undone, such as a payment.
///
/// Undos and jumps do not go back before its commit. As a member of a transaction, it makes the transaction irreversible
/// as soon as the transaction has returned.
public protocol IrreversibleAction: Action {}
