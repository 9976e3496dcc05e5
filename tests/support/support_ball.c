/*
 * support_ball.c - see support_ball.h.
 */
#include "tests/support/support_ball.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_hash.h"

static size_t bucket_of(const struct support_ball *ball, const uint8_t *state)
{
    size_t at = base_hash(state, ball->bytes, 0) & ball->mask;
    while (ball->bucket[at] &&
           memcmp(ball->state + (ball->bucket[at] - 1) * ball->bytes, state, ball->bytes) != 0)
        at = (at + 1) & ball->mask;
    return at;
}

static void grow(struct support_ball *ball)
{
    ball->capacity = ball->capacity ? 2 * ball->capacity : 1024;
    ball->mask = 2 * ball->capacity - 1;
    ball->state = realloc(ball->state, ball->capacity * ball->bytes);
    ball->words = realloc(ball->words, ball->capacity * sizeof *ball->words);
    free(ball->bucket);
    ball->bucket = calloc(2 * ball->capacity, sizeof *ball->bucket);
    ck_assert(ball->state && ball->words && ball->bucket);
    for (size_t i = 0; i < ball->count; i++)
        ball->bucket[bucket_of(ball, ball->state + i * ball->bytes)] = (uint32_t)(i + 1);
}

/* `words` more words reach the state in as many moves as the layer being made has. */
static void add(struct support_ball *ball, const uint8_t *state, uint64_t words, size_t layer)
{
    size_t at = bucket_of(ball, state);
    if (ball->bucket[at]) {
        size_t index = ball->bucket[at] - 1;
        if (index >= layer)
            ball->words[index] += words;
        return;
    }
    if (ball->count == ball->capacity) {
        grow(ball);
        at = bucket_of(ball, state);
    }
    memcpy(ball->state + ball->count * ball->bytes, state, ball->bytes);
    ball->words[ball->count] = words;
    ball->bucket[at] = (uint32_t)++ball->count;
}

void support_ball_init(struct support_ball *ball, const struct puzzle *puzzle, const uint8_t *start,
                       unsigned radius)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    uint8_t state[PERM_MAX_BYTES], next[PERM_MAX_BYTES];
    memset(ball, 0, sizeof *ball);
    ck_assert_uint_le(radius, SUPPORT_BALL_MAX_RADIUS);
    ball->puzzle = puzzle;
    ball->bytes = shape->bytes;
    grow(ball);
    puzzle_apply_word(puzzle, start, NULL, 0, state);
    add(ball, state, 1, 0);
    ball->first[1] = 1;
    for (unsigned d = 0; d < radius; d++) {
        for (size_t i = ball->first[d]; i < ball->first[d + 1]; i++) {
            memcpy(state, ball->state + i * ball->bytes, ball->bytes);
            uint64_t words = ball->words[i];
            for (unsigned m = 0; m < puzzle_move_count(puzzle); m++) {
                perm_compose(shape, state, puzzle_move_at(puzzle, m)->transform, next);
                add(ball, next, words, ball->first[d + 1]);
            }
        }
        if (ball->count == ball->first[d + 1])
            return;
        ball->radius = d + 1;
        ball->first[d + 2] = ball->count;
    }
}

void support_ball_deinit(struct support_ball *ball)
{
    free(ball->state);
    free(ball->words);
    free(ball->bucket);
}

long support_ball_find(const struct support_ball *ball, const uint8_t *state)
{
    return (long)ball->bucket[bucket_of(ball, state)] - 1;
}

unsigned support_ball_distance(const struct support_ball *ball, size_t index)
{
    unsigned d = 0;
    while (index >= ball->first[d + 1])
        d++;
    return d;
}

/* Words through the states at distance d of `from`, which lie `left` moves from the solved state:
 * a state and its inverse are equally far, in equally many ways. */
static uint64_t words_through(const struct support_ball *from, unsigned d,
                              const struct support_ball *solved, unsigned left)
{
    uint64_t words = 0;
    for (size_t i = from->first[d]; i < from->first[d + 1]; i++) {
        long index = support_ball_find(solved, from->state + i * from->bytes);
        if (index >= 0 && support_ball_distance(solved, (size_t)index) == left)
            words += from->words[i] * solved->words[index];
    }
    return words;
}

int support_ball_meet(const struct support_ball *from, const struct support_ball *solved,
                      uint64_t *words)
{
    for (unsigned length = 0; length <= from->radius + solved->radius; length++) {
        unsigned d = length < from->radius ? length : from->radius;
        if (length - d > solved->radius)
            continue;
        *words = words_through(from, d, solved, length - d);
        if (*words > 0)
            return (int)length;
    }
    *words = 0;
    return -1;
}
