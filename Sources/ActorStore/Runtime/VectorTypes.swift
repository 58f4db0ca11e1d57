/// Whether values of a type may contain a vector, and so must not pass through specialized async code.
///
/// In optimized builds, compilers before 6.4 allocate frames that are too small for some async functions that keep a
/// vector of more than 16 bytes, such as `SIMD4<Double>`, across a suspension. The end of such a frame overlaps task
/// memory that belongs to another function. Unspecialized generic code is safe, because it never inspects its values.
/// For details, see `docs/VectorsInAsyncFunctions.md`.
///
/// The alignment of such a vector is 16. A few harmless types, such as `Int128`, have the same alignment, so the check
/// costs them some speed.
@inlinable
@inline(__always)  // HP5
func mayHoldVector<Value>(_: Value.Type) -> Bool {
  #if compiler(>=6.4)
    false
  #else
    MemoryLayout<Value>.alignment > 8
  #endif
}
