#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>

// A build asks for memory some hundred thousand times and gives little back.
// Left alone the heap grows by 128 KB, and in threads other than the first by
// a page at a time, each a call of the system: 2,500 of them for ten thousand
// notes. What is not touched costs nothing.
#define STEP (64 * 1024 * 1024)

#ifdef M_TOP_PAD
__attribute__((constructor)) static void grow_in_large_steps(void) { mallopt(M_TOP_PAD, STEP); }
#endif
#endif
