/// Whether values of a type may hold a vector, and so must not pass through specialized async code.
///
/// In optimized builds, compilers before 6.4 give some async functions less memory than they use: functions that keep a
/// vector of more than 16 bytes (`SIMD4<Double>`) across a suspension. The end of the function's frame then lies in memory
/// of the task that is somebody else's. Generic code that is not specialized is safe, because it never looks into its
/// values. `docs/VectorsInAsyncFunctions.md` has the details.
///
/// A vector's alignment is 16, as is that of a few harmless types such as `Int128`: for those the test costs some speed.
@inlinable
@inline(__always)
func mayHoldVector<Value>(_: Value.Type) -> Bool {
  #if compiler(>=6.4)
    false
  #else
    MemoryLayout<Value>.alignment > 8
  #endif
}
