import HeapCalls

/// How often a thousand dispatches call the heap, after as many that may have warmed something up.
@concurrent
func heapCalls(_ dispatch: () async -> Void) async -> Int {
  for _ in 0..<1_000 { await dispatch() }
  let before = heap_calls_of_this_thread()
  for _ in 0..<1_000 { await dispatch() }
  return heap_calls_of_this_thread() - before
}
