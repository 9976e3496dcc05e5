/*
 * support_graph.c - see support_graph.h.
 *
 * Under s*m the permutation changes by the old permutation and the move alone, and so do the turns
 * (turn'[i] = turn[m.piece[i]] + m.turn[i]): two small tables of successors make the large graph.
 */
#include "tests/support/support_graph.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static uint32_t power(uint32_t base, unsigned exponent)
{
    uint32_t result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

/* ---- permutations and turns ------------------------------------------------------------- */

/* In the order of words; the number counts, for every place, the smaller pieces behind it. */
static uint32_t number_of_perm(const struct support_graph *graph, const uint8_t *perm)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < graph->n; i++) {
        unsigned smaller = 0;
        for (unsigned j = i + 1; j < graph->n; j++)
            smaller += perm[j] < perm[i];
        number = number * (graph->n - i) + smaller;
    }
    return number;
}

static void list_perms(struct support_graph *graph, uint8_t *perm, unsigned at)
{
    if (at == graph->n) {
        memcpy(graph->perm + (size_t)number_of_perm(graph, perm) * graph->n, perm, graph->n);
        return;
    }
    for (unsigned i = at; i < graph->n; i++) {
        uint8_t held = perm[at];
        perm[at] = perm[i], perm[i] = held;
        list_perms(graph, perm, at + 1);
        held = perm[at];
        perm[at] = perm[i], perm[i] = held;
    }
}

static void turns_of(const struct support_graph *graph, uint32_t number, uint8_t *turn)
{
    for (unsigned i = 0; i < graph->n; i++, number /= graph->mod)
        turn[i] = (uint8_t)(number % graph->mod);
}

static uint32_t number_of_turns(const struct support_graph *graph, const uint8_t *turn)
{
    uint32_t number = 0;
    for (unsigned i = graph->n; i-- > 0;)
        number = number * graph->mod + turn[i];
    return number;
}

/* A move on the movable slots. */
struct graph_move {
    uint8_t piece[SUPPORT_GRAPH_MAX], turn[SUPPORT_GRAPH_MAX];
};

static void move_of(const struct support_graph *graph, unsigned m, struct graph_move *move)
{
    const struct perm_orbit *orbit = &puzzle_shape(graph->puzzle)->orbit[graph->orbit];
    const uint8_t *transform = puzzle_move_at(graph->puzzle, m)->transform;
    for (unsigned i = 0; i < graph->n; i++) {
        unsigned piece = perm_pieces(orbit, transform)[graph->slot_of[i]];
        move->turn[i] = perm_orientations(orbit, transform)[graph->slot_of[i]];
        move->piece[i] = 0;
        while (graph->slot_of[move->piece[i]] != piece)
            move->piece[i]++;
    }
}

static void set_successors(struct support_graph *graph, unsigned m)
{
    struct graph_move move;
    uint8_t turn[SUPPORT_GRAPH_MAX], next[SUPPORT_GRAPH_MAX];
    move_of(graph, m, &move);
    for (uint32_t p = 0; p < graph->n_perms; p++) {
        for (unsigned i = 0; i < graph->n; i++)
            next[i] = graph->perm[(size_t)p * graph->n + move.piece[i]];
        graph->perm_next[(size_t)p * graph->n_moves + m] = number_of_perm(graph, next);
    }
    for (uint32_t t = 0; t < graph->n_turns; t++) {
        turns_of(graph, t, turn);
        for (unsigned i = 0; i < graph->n; i++)
            next[i] = (uint8_t)((turn[move.piece[i]] + move.turn[i]) % graph->mod);
        graph->turn_next[(size_t)t * graph->n_moves + m] = number_of_turns(graph, next);
    }
}

static void set_turns_valid(struct support_graph *graph)
{
    bool kept = puzzle_orientation_sum_kept(graph->puzzle, graph->orbit);
    for (uint32_t t = 0; t < graph->n_turns; t++) {
        uint8_t turn[SUPPORT_GRAPH_MAX];
        unsigned sum = 0;
        turns_of(graph, t, turn);
        for (unsigned i = 0; i < graph->n; i++)
            sum += turn[i];
        graph->turns_valid[t] = !kept || sum % graph->mod == 0;
    }
}

/* ---- the graph -------------------------------------------------------------------------- */

struct support_graph *support_graph_new(const struct puzzle *puzzle, unsigned orbit)
{
    struct support_graph *graph = calloc(1, sizeof *graph);
    const struct perm_orbit *shape = &puzzle_shape(puzzle)->orbit[orbit];
    uint8_t perm[SUPPORT_GRAPH_MAX];

    ck_assert_ptr_nonnull(graph);
    *graph = (struct support_graph){.puzzle = puzzle, .orbit = orbit, .mod = shape->mod};
    graph->n_moves = puzzle_move_count(puzzle);
    for (unsigned slot = 0; slot < shape->size; slot++)
        if (puzzle_slot_movable(puzzle, orbit, slot)) {
            ck_assert_uint_lt(graph->n, SUPPORT_GRAPH_MAX);
            graph->slot_of[graph->n++] = (uint8_t)slot;
        }
    graph->n_perms = 1;
    for (unsigned i = 0; i < graph->n; i++) {
        perm[i] = (uint8_t)i;
        graph->n_perms *= i + 1;
    }
    graph->n_turns = power(graph->mod, graph->n);
    graph->n_nodes = graph->n_perms * graph->n_turns;
    graph->perm = malloc((size_t)graph->n_perms * graph->n + 1);
    graph->turns_valid = malloc(graph->n_turns * sizeof *graph->turns_valid);
    graph->perm_next = malloc((size_t)graph->n_perms * graph->n_moves * sizeof(uint32_t));
    graph->turn_next = malloc((size_t)graph->n_turns * graph->n_moves * sizeof(uint32_t));
    ck_assert(graph->perm && graph->turns_valid && graph->perm_next && graph->turn_next);
    list_perms(graph, perm, 0);
    set_turns_valid(graph);
    for (unsigned m = 0; m < graph->n_moves; m++)
        set_successors(graph, m);
    return graph;
}

void support_graph_free(struct support_graph *graph)
{
    free(graph->perm);
    free(graph->turns_valid);
    free(graph->perm_next);
    free(graph->turn_next);
    free(graph);
}

bool support_graph_valid(const struct support_graph *graph, uint32_t node)
{
    return graph->turns_valid[node % graph->n_turns];
}

void support_graph_state(const struct support_graph *graph, uint32_t node, uint8_t *state)
{
    const struct perm_shape *shape = puzzle_shape(graph->puzzle);
    const struct perm_orbit *orbit = &shape->orbit[graph->orbit];
    const uint8_t *perm = graph->perm + (size_t)(node / graph->n_turns) * graph->n;
    uint8_t turn[SUPPORT_GRAPH_MAX];

    turns_of(graph, node % graph->n_turns, turn);
    perm_identity(shape, state);
    for (unsigned i = 0; i < graph->n; i++) {
        state[orbit->offset + graph->slot_of[i]] = graph->slot_of[perm[i]];
        state[orbit->offset + orbit->size + graph->slot_of[i]] = turn[i];
    }
}

/* ---- structures ------------------------------------------------------------------------- */

/* How many cycles of each kind there are, [length][oriented]. */
struct cycle_counts {
    uint8_t count[SUPPORT_GRAPH_MAX + 1][2];
};

/* False: the structure has a cycle that does not fit at all. */
static bool counts_of_structure(const struct support_graph *graph,
                                const struct cycle_structure *structure,
                                struct cycle_counts *counts)
{
    unsigned used = 0;
    memset(counts, 0, sizeof *counts);
    for (unsigned i = 0; i < structure->n_items; i++) {
        const struct cycle_item *item = &structure->item[i];
        if (item->orbit != graph->orbit)
            continue;
        used += item->length;
        if (used > graph->n)
            return false;
        counts->count[item->length][item->oriented]++;
    }
    counts->count[1][0] = (uint8_t)(counts->count[1][0] + graph->n - used);
    return true;
}

static void counts_of_node(const struct support_graph *graph, uint32_t node,
                           struct cycle_counts *counts)
{
    const uint8_t *perm = graph->perm + (size_t)(node / graph->n_turns) * graph->n;
    uint8_t turn[SUPPORT_GRAPH_MAX];
    unsigned seen = 0;
    turns_of(graph, node % graph->n_turns, turn);
    memset(counts, 0, sizeof *counts);
    for (unsigned start = 0; start < graph->n; start++) {
        unsigned length = 0, sum = 0;
        for (unsigned at = start; !(seen >> at & 1); at = perm[at], length++) {
            seen |= 1u << at;
            sum += turn[at];
        }
        if (length > 0)
            counts->count[length][sum % graph->mod != 0]++;
    }
}

bool support_graph_has_structure(const struct support_graph *graph, uint32_t node,
                                 const struct cycle_structure *structure)
{
    struct cycle_counts has, wants;
    counts_of_node(graph, node, &has);
    return counts_of_structure(graph, structure, &wants) && memcmp(&has, &wants, sizeof has) == 0;
}

/* ---- distances -------------------------------------------------------------------------- */

static uint32_t set_targets(const struct support_graph *graph,
                            const struct cycle_structure *structures, size_t n, uint8_t *distance)
{
    uint32_t count = 0;
    for (uint32_t node = 0; node < graph->n_nodes; node++) {
        distance[node] = SUPPORT_UNREACHED;
        for (size_t i = 0; i < n && support_graph_valid(graph, node); i++)
            if (support_graph_has_structure(graph, node, &structures[i])) {
                distance[node] = 0;
                count++;
                break;
            }
    }
    return count;
}

static uint32_t expand(const struct support_graph *graph, uint32_t node, uint8_t next,
                       uint8_t *distance)
{
    const uint32_t *perm_next = graph->perm_next + (size_t)(node / graph->n_turns) * graph->n_moves;
    const uint32_t *turn_next = graph->turn_next + (size_t)(node % graph->n_turns) * graph->n_moves;
    uint32_t count = 0;
    for (unsigned m = 0; m < graph->n_moves; m++) {
        uint8_t *to = &distance[perm_next[m] * graph->n_turns + turn_next[m]];
        if (*to == SUPPORT_UNREACHED) {
            *to = next;
            count++;
        }
    }
    return count;
}

uint8_t *support_graph_distances(const struct support_graph *graph,
                                 const struct cycle_structure *structures, size_t n)
{
    uint8_t *distance = malloc(graph->n_nodes);
    ck_assert_ptr_nonnull(distance);
    uint32_t newest = set_targets(graph, structures, n, distance);
    for (uint8_t layer = 0; newest > 0; layer++) {
        newest = 0;
        for (uint32_t node = 0; node < graph->n_nodes; node++)
            if (distance[node] == layer)
                newest += expand(graph, node, (uint8_t)(layer + 1), distance);
    }
    return distance;
}
