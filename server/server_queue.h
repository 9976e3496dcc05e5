/*
 * server_queue.h - queued jobs in the order in which claims take them, so that the place of each in
 * line is known at once, however long the line is.
 *
 * A treap (Seidel and Aragon, "Randomized search trees", 1996) whose nodes count what hangs below
 * them: to add, to remove and to count those in front take time in the logarithm of the length. The
 * random weights are a hash of `seq`, so nothing is kept besides.
 */
#ifndef SERVER_SERVER_QUEUE_H
#define SERVER_SERVER_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lives inside the thing that waits. The key may not change while it is in the queue. */
struct server_place {
    unsigned priority; /* higher ones first, */
    int64_t turn, seq; /* then lower turns, then lower seqs, of which each is there once */
    struct server_place *left, *right;
    size_t n; /* of this subtree; 0: in no queue */
};

/* All zero: empty. */
struct server_queue {
    struct server_place *root;
};

/* `place` must be in no queue. */
void server_queue_add(struct server_queue *queue, struct server_place *place);

/* Nothing happens to a place that is in no queue. */
void server_queue_remove(struct server_queue *queue, struct server_place *place);

/* How many are in front of the place, which must be in the queue. */
size_t server_queue_before(const struct server_queue *queue, const struct server_place *place);

#endif
