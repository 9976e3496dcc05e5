/*
 * table_hash_int.h - hashing an arrangement; and a set of arrangements, up to symmetry and
 * inversion: one layer of a hash table's fill.
 *
 * Arrangements are packed, and found by their hash in an open-addressed array that is cut into
 * *regions*; probing stays inside a region, and each has a lock, under which it is searched and
 * added to. A region that is full makes the set refuse. Whether that happens depends only on which
 * arrangements are offered, not on the order: so a layer fits or not, whatever the threads do.
 */
#ifndef CORE_TABLE_TABLE_HASH_INT_H
#define CORE_TABLE_TABLE_HASH_INT_H

#include "core/table/table_hash.h"

/* An arrangement of the view by its arcs. */
struct table_hash_state {
    uint16_t arc[TABLE_MAX_VIEW];
    uint8_t piece[TABLE_MAX_VIEW]; /* of the arc */
};

/* Number of the class of the window at a slot. */
static inline uint64_t table__hash_window(const struct table_hash *hash,
                                          const struct table_hash_state *state, unsigned slot)
{
    const unsigned n_arcs = hash->n_arcs;
    return hash
        ->window[(slot * n_arcs + state->arc[slot]) * n_arcs + state->arc[state->piece[slot]]];
}

static inline uint64_t table__hash_sum(const struct table_hash *hash,
                                       const struct table_hash_state *state)
{
    const unsigned n = hash->view.n, n_arcs = hash->n_arcs;
    const uint64_t *window = hash->window;
    uint64_t sum = 0;
    for (unsigned i = 0; i < n; i++, window += n_arcs * n_arcs)
        sum += window[state->arc[i] * n_arcs + state->arc[state->piece[i]]];
    return sum;
}

/* The entry of a hash: its highest bits, so that a table of any size is used evenly. */
static inline uint64_t table__hash_entry(const struct table_hash *hash, uint64_t sum)
{
    return (uint64_t)((unsigned __int128)sum * hash->size >> 64);
}

static inline void table__hash_state_set(const struct table_hash *hash,
                                         const struct table_view *view,
                                         struct table_hash_state *state)
{
    for (unsigned i = 0; i < hash->view.n; i++) {
        state->piece[i] = view->piece[i];
        state->arc[i] = (uint16_t)(view->piece[i] * hash->view.mod + view->turn[i]);
    }
}

/* ---- sets --------------------------------------------------------------------------------- */

enum { TABLE_STATES_REGION = 1024 };

struct table_states;

enum table_states_added { TABLE_STATES_NEW, TABLE_STATES_KNOWN, TABLE_STATES_FULL };

/* Bytes of a set of so many slots, a multiple of TABLE_STATES_REGION. */
uint64_t table__states_bytes(const struct table_hash *hash, uint64_t slots);

/* Most slots, such a multiple, that `bytes` are enough for. */
uint64_t table__states_slots(const struct table_hash *hash, uint64_t bytes);

/* Arrangements that so many slots can be trusted to hold. */
uint64_t table__states_capacity(uint64_t slots);

/* `sum` is the hash of `state` in all of these. */

/* New and empty; NULL: out of memory. `hash` is borrowed. */
struct table_states *table__states_new(const struct table_hash *hash, uint64_t slots);
void table__states_free(struct table_states *states);

/* From any thread. */
enum table_states_added table__states_add(struct table_states *states,
                                          const struct table_hash_state *state, uint64_t sum);

/* Is one with the same class in the set? Not while others add. */
bool table__states_have(const struct table_states *states, const struct table_hash_state *state,
                        uint64_t sum);

/* Fetches what add or have will look at first. */
void table__states_prefetch(const struct table_states *states, uint64_t sum);

/* The rest not while others add. */
uint64_t table__states_slot_count(const struct table_states *states);
uint64_t table__states_count(const struct table_states *states);
uint64_t table__states_size(const struct table_states *states); /* bytes */

/* The arrangement in a slot; false: none. */
bool table__states_at(const struct table_states *states, uint64_t slot,
                      struct table_hash_state *state);

#endif
