import HeapCalls

/// Returns how many more heap bytes are in use after `body` than before.
func heapBytes(_ body: () async -> Void) async -> Int {
  let before = heap_bytes_in_use()
  await body()
  return heap_bytes_in_use() - before
}
