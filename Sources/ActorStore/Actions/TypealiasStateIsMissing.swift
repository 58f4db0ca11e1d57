/// The state of a guard or a middleware that does not declare its state, if the compiler cannot infer it.
///
/// Do not use it. Without this default, the compiler (6.3.1) crashes when such a guard or middleware is passed to a
/// store. With it, the compiler reports an error that contains this name.
public enum _TypealiasStateIsMissing: Sendable {}
