/*
 * support_graph.h - one orbit of a puzzle as the graph of all its arrangements, for brute force:
 * every arrangement of the movable slots (with orientation sum zero where the moves keep it) is a
 * node, numbered permutation * n_turns + turns; moves are applied from the right, s*m.
 *
 * It shares no code with core/table, against which it is held.
 */
#ifndef TESTS_SUPPORT_SUPPORT_GRAPH_H
#define TESTS_SUPPORT_SUPPORT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cycle/cycle.h"

enum { SUPPORT_GRAPH_MAX = 10, SUPPORT_UNREACHED = 255 };

struct support_graph {
    const struct puzzle *puzzle; /* borrowed */
    unsigned orbit, n, mod, n_moves;
    uint8_t slot_of[SUPPORT_GRAPH_MAX]; /* the movable slots, ascending */
    uint32_t n_perms, n_turns;
    uint32_t n_nodes;
    uint8_t *perm;       /* [permutation * n]: numbered like slot_of */
    bool *turns_valid;   /* [turns] */
    uint32_t *perm_next; /* [permutation * n_moves + move] */
    uint32_t *turn_next; /* [turns * n_moves + move] */
};

/* New. Fails the running test if the orbit is too large. */
struct support_graph *support_graph_new(const struct puzzle *puzzle, unsigned orbit);
void support_graph_free(struct support_graph *graph);

/* Is the node an arrangement that the invariants allow? */
bool support_graph_valid(const struct support_graph *graph, uint32_t node);

/* A state of the whole puzzle with this arrangement, all other orbits solved. */
void support_graph_state(const struct support_graph *graph, uint32_t node, uint8_t *state);

/* Has the node the structure's cycles in this orbit? */
bool support_graph_has_structure(const struct support_graph *graph, uint32_t node,
                                 const struct cycle_structure *structure);

/* Distance of every node to the nearest one that has one of the structures; SUPPORT_UNREACHED for
 * those from which none is reached and for those that are not valid. New, free with free(). */
uint8_t *support_graph_distances(const struct support_graph *graph,
                                 const struct cycle_structure *structures, size_t n);

#endif
