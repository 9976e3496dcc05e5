/*
 * base_mem.h - aligned memory and an arena.
 */
#ifndef CORE_BASE_BASE_MEM_H
#define CORE_BASE_BASE_MEM_H

#include <stddef.h>

/* Zeroed memory aligned to `alignment` (a power of two >= sizeof(void *)); NULL: out of memory.
 * Free with base_mem_free. */
void *base_mem_new(size_t bytes, size_t alignment);
void base_mem_free(void *memory);

/*
 * An arena: allocations that live and die together. All-zero is an empty arena.
 */
struct base_arena_block;
struct base_arena {
    struct base_arena_block *head;
    size_t used; /* bytes handed out, for accounting */
};

/* Zeroed, aligned to 16; NULL: out of memory. */
void *base_arena_alloc(struct base_arena *arena, size_t bytes);
/* Copy of `length` bytes with a NUL behind. */
char *base_arena_text(struct base_arena *arena, const char *text, size_t length);
void base_arena_deinit(struct base_arena *arena);

#endif
