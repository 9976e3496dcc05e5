/*
 * base_mem.c - aligned memory and an arena.
 *
 * An arena is a list of blocks, newest first; only the newest is filled. A request that does not
 * fit into the rest of it opens a new block, of the usual size or of its own if it is larger:
 *
 *     head -> [ header | used ... | free ] -> [ header | used ... ] -> NULL
 */
#include "core/base/base_mem.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_ALIGN = 16, ARENA_BLOCK_BYTES = 16 * 1024 };

struct base_arena_block {
    struct base_arena_block *next;
    size_t size; /* of data */
    size_t used;
    alignas(ARENA_ALIGN) unsigned char data[];
};

void *base_mem_new(size_t bytes, size_t alignment)
{
    void *memory = NULL;
    if (posix_memalign(&memory, alignment, bytes ? bytes : 1) != 0)
        return NULL;
    return memset(memory, 0, bytes);
}

void base_mem_free(void *memory)
{
    free(memory);
}

static struct base_arena_block *block_new(struct base_arena_block *next, size_t need)
{
    size_t size = need > ARENA_BLOCK_BYTES ? need : ARENA_BLOCK_BYTES;
    struct base_arena_block *block;

    if (size > SIZE_MAX - sizeof *block)
        return NULL;
    block = calloc(1, sizeof *block + size);
    if (block) {
        block->next = next;
        block->size = size;
    }
    return block;
}

void *base_arena_alloc(struct base_arena *arena, size_t bytes)
{
    struct base_arena_block *block = arena->head;
    void *memory;
    size_t need;

    if (bytes > SIZE_MAX - ARENA_ALIGN)
        return NULL;
    need = (bytes + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
    if (!block || block->size - block->used < need) {
        block = block_new(arena->head, need);
        if (!block)
            return NULL;
        arena->head = block;
    }
    memory = block->data + block->used;
    block->used += need;
    arena->used += need;
    return memory;
}

char *base_arena_text(struct base_arena *arena, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? base_arena_alloc(arena, length + 1) : NULL;
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

void base_arena_deinit(struct base_arena *arena)
{
    while (arena->head) {
        struct base_arena_block *next = arena->head->next;
        free(arena->head);
        arena->head = next;
    }
    arena->used = 0;
}
