#pragma once

#include <cmark.h>

// A bump allocator for cmark, one per thread. cmark's allocator interface
// carries no context pointer, so the arena has to be thread-local, and Swift
// has no thread-local storage: that is the only reason for this C target.

/// The allocator to give to `cmark_parser_new_with_mem`. Its `free` does
/// nothing: memory returns with `daybook_arena_reset`.
cmark_mem *daybook_arena_mem(void);

/// Takes back all that the calling thread allocated. Nodes made before are
/// dangling from here on. Keeps one chunk for the next document.
void daybook_arena_reset(void);
