import HeapCalls

/// Returns the number of heap calls of a thousand dispatches, after another thousand to warm up.
@concurrent
func heapCalls(_ dispatch: () async -> Void) async -> Int {
  for _ in 0..<1_000 { await dispatch() }
  let before = heap_calls_of_this_thread()
  for _ in 0..<1_000 { await dispatch() }
  return heap_calls_of_this_thread() - before
}
