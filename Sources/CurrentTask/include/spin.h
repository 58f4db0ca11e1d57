#ifndef SPIN_H
#define SPIN_H

/// Tells the processor that the thread is waiting in a loop for another thread.
static inline void spin_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ __volatile__("yield");
#endif
}

/// Lets other threads run on the processor.
void yield_thread(void);

#endif
