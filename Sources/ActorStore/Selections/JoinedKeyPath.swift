/// Joins a key path and the key path of a part of its value.
func joined<Root, Value, Part>(
  _ path: any KeyPath<Root, Value> & Sendable, _ part: any KeyPath<Value, Part> & Sendable
) -> any KeyPath<Root, Part> & Sendable {
  let joined: KeyPath<Root, Part> = path.appending(path: part)
  // Invariant: a key path that is joined from sendable key paths has only their captures. `Sendable` has no
  // representation at run time.
  return unsafe unsafeBitCast(joined, to: (any KeyPath<Root, Part> & Sendable).self)
}
