#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Each chunk holds blocks of 16-byte alignment, each led by its size, which
// realloc needs. Chunks double, so that a large note costs few of them.

#define ALIGN 16
#define FIRST_CHUNK (256 * 1024)

typedef struct chunk {
    struct chunk *older;
    size_t capacity, used;
} chunk;

static _Thread_local chunk *newest;

static size_t rounded(size_t size) { return (size + ALIGN - 1) & ~(size_t)(ALIGN - 1); }

static char *payload(chunk *c) { return (char *)c + rounded(sizeof(chunk)); }

static void *take(size_t size) {
    size_t whole = ALIGN + rounded(size);
    if (whole < size) abort();
    if (!newest || newest->capacity - newest->used < whole) {
        size_t capacity = newest ? newest->capacity * 2 : FIRST_CHUNK;
        while (capacity < whole) capacity *= 2;
        chunk *c = malloc(rounded(sizeof(chunk)) + capacity);
        // cmark itself has no way to go on without memory; it aborts as well.
        if (!c) {
            fputs("daybook: out of memory while parsing Markdown\n", stderr);
            abort();
        }
        c->older = newest;
        c->capacity = capacity;
        c->used = 0;
        newest = c;
    }
    char *block = payload(newest) + newest->used;
    newest->used += whole;
    *(size_t *)block = size;
    return block + ALIGN;
}

static void *arena_calloc(size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) abort();
    void *memory = take(count * size);
    memset(memory, 0, count * size);
    return memory;
}

static void *arena_realloc(void *old, size_t size) {
    if (!old) return take(size);
    size_t had = *(size_t *)((char *)old - ALIGN);
    if (size <= had) return old;
    // The block that was handed out last can grow where it is.
    char *end = (char *)old + rounded(had);
    size_t more = rounded(size) - rounded(had);
    if (newest && end == payload(newest) + newest->used
        && newest->capacity - newest->used >= more) {
        newest->used += more;
        *(size_t *)((char *)old - ALIGN) = size;
        return old;
    }
    void *memory = take(size);
    memcpy(memory, old, had);
    return memory;
}

static void arena_free(void *memory) { (void)memory; }

static cmark_mem mem = {arena_calloc, arena_realloc, arena_free};

cmark_mem *daybook_arena_mem(void) { return &mem; }

void daybook_arena_reset(void) {
    // The newest chunk is the largest: keep it, unless one huge note made it so.
    chunk *keep = newest;
    if (!keep) return;
    chunk *c = keep->older;
    while (c) {
        chunk *older = c->older;
        free(c);
        c = older;
    }
    if (keep->capacity > 64u * 1024 * 1024) {
        free(keep);
        newest = NULL;
        return;
    }
    keep->older = NULL;
    keep->used = 0;
}
