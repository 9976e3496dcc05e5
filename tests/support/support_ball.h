/*
 * support_ball.h - brute force over states: all that few moves reach, with their distances and the
 * numbers of shortest words, in a hash table. It knows core/perm and the moves, nothing above.
 */
#ifndef TESTS_SUPPORT_SUPPORT_BALL_H
#define TESTS_SUPPORT_SUPPORT_BALL_H

#include <stddef.h>
#include <stdint.h>

#include "core/puzzle/puzzle.h"

enum { SUPPORT_BALL_MAX_RADIUS = 40 };

struct support_ball {
    const struct puzzle *puzzle; /* borrowed */
    size_t bytes;                /* of a state */
    unsigned radius;             /* of the farthest states that are there */
    size_t count;
    size_t
        first[SUPPORT_BALL_MAX_RADIUS + 2]; /* [distance]: the first state; [radius + 1]: count */
    uint8_t *state;                         /* [count * bytes] */
    uint64_t *words;                        /* [count]: shortest ordered words that reach it */
    uint32_t *bucket;                       /* index + 1; 0: empty */
    size_t capacity, mask;
};

/* States up to `radius` moves from `start` (NULL: solved), or all if they are nearer. */
void support_ball_init(struct support_ball *ball, const struct puzzle *puzzle, const uint8_t *start,
                       unsigned radius);
void support_ball_deinit(struct support_ball *ball);

/* Index of a state; -1: it is not in the ball. */
long support_ball_find(const struct support_ball *ball, const uint8_t *state);
unsigned support_ball_distance(const struct support_ball *ball, size_t index);

/* The least number of moves from the centre of one ball to that of the other, whose centre is the
 * solved state; -1: they do not meet. *words: how many ordered words do it. */
int support_ball_meet(const struct support_ball *from, const struct support_ball *solved,
                      uint64_t *words);

#endif
