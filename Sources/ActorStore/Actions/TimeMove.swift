/// An action that moves the state to another point of its history, such as an undo.
///
/// Guards that restrict how a state may change, for example to events only, admit such actions, because they only
/// restore states that the store has had before. Conform an action to this protocol only if it does that.
public protocol TimeMove<State>: Action {}
