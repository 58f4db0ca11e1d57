/// An action that moves the state to another point of its history, such as an undo.
///
/// Rules that restrict how a state may change, such as "only by events", admit such actions, because they only restore
/// states that the store has had. Conform an action to this protocol only if it does that.
public protocol TimeMove<State>: Action {}
