/*
 * table_hash_fill.c - fills a hash table forward, layer by layer, from the listed target.
 *
 *     mark    the target's image into the table and, up to symmetry and inversion, into a set
 *     expand  the newest layer's set: its neighbours into the table, and the new ones into the next
 *             set
 *     ...     as long as the next set fits into the scratch memory; one layer more goes into the
 *             table alone
 *     rest    what is vacant gets "at least all complete layers", unless all states were reached
 *
 * A layer D is closed under symmetries and inversion, so one state of each class stands for it. Its
 * class's neighbours are the classes of s*m and, since s is 1/s as well, of (1/s)*m, which is that
 * of (1/m)*s: moves from the right and from the left.
 *
 * A neighbour of D is in D, in the layer before it or in the one behind it; so two sets are enough
 * to tell what is new. Most of the time the table itself tells: a state whose entry was vacant when
 * the layer began is in no set yet. The entries that are set, and whether a set is full, depend on
 * the layers as sets of states alone: any order of the chunks gives the same bytes.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_fill_int.h"
#include "core/table/table_hash_int.h"
#include "core/table/table_listing.h"

enum {
    CHUNK_RANKS = 512,    /* of the listing */
    CHUNK_SLOTS = 256,    /* of a set: a millisecond or two */
    CHUNK_REST = 1 << 20, /* entries */
    MOST_NEIGHBOURS = 2 * PUZZLE_MAX_MOVES,
    SMALL_SET = 1 << 18, /* states: a set this small need not be estimated */
    SPARE = 3,           /* a set is made for so many times what growth lets expect ... */
    OPTIMISM = 2,        /* ... and not made if that is so many times what fits */
    FULL_SHARE = 16,     /* enough when only one entry in so many is vacant */
    FLOOD = 3            /* or when the next layer would leave less: e to the minus so much */
};

/* What a move does to the orbit: slot[j] gets the piece from from[j], turned by turn[j]; so do the
 * places of pieces, seen from the left: the piece slot[j] becomes from[j]. */
struct hash_action {
    unsigned n_moved;
    uint8_t slot[TABLE_MAX_VIEW], from[TABLE_MAX_VIEW], turn[TABLE_MAX_VIEW];
};

struct hash_own {
    const struct table_hash *hash;
    struct table_listing *listing;
    uint8_t *entries;
    uint64_t scratch;
    unsigned n_actions;
    struct hash_action *action; /* of the moves, each once */
    /* the layers; NULL: not kept */
    struct table_states *older, *newest, *next;
    uint64_t n_older, n_newest;
    atomic_bool is_full; /* the next layer does not fit; only ever set, and read between passes or
                            to save work: relaxed */
    bool is_resting;
};

/* ---- one state ---------------------------------------------------------------------------- */

/* Neighbours are made in place, one after the other: a move changes few slots of many. */
struct neighbours {
    const struct hash_own *own;
    struct table_hash_state parent, state; /* state: the parent, or a neighbour of it */
    uint8_t where[TABLE_MAX_VIEW];         /* [piece]: its slot in the parent */
};

static void slot_put(struct neighbours *at, unsigned slot, unsigned piece, unsigned turn)
{
    const unsigned mod = at->own->hash->view.mod;
    at->state.piece[slot] = (uint8_t)piece;
    at->state.arc[slot] = (uint16_t)(piece * mod + (turn >= mod ? turn - mod : turn));
}

static unsigned turn_in(const struct neighbours *at, unsigned slot)
{
    return at->parent.arc[slot] - at->parent.piece[slot] * at->own->hash->view.mod;
}

/* state = parent * m */
static void move_right(struct neighbours *at, const struct hash_action *m)
{
    for (unsigned j = 0; j < m->n_moved; j++) {
        unsigned from = m->from[j];
        slot_put(at, m->slot[j], at->parent.piece[from], turn_in(at, from) + m->turn[j]);
    }
}

static void undo_right(struct neighbours *at, const struct hash_action *m)
{
    for (unsigned j = 0; j < m->n_moved; j++) {
        at->state.piece[m->slot[j]] = at->parent.piece[m->slot[j]];
        at->state.arc[m->slot[j]] = at->parent.arc[m->slot[j]];
    }
}

/* state = m * parent */
static void move_left(struct neighbours *at, const struct hash_action *m)
{
    for (unsigned j = 0; j < m->n_moved; j++) {
        unsigned slot = at->where[m->slot[j]];
        slot_put(at, slot, m->from[j], turn_in(at, slot) + m->turn[j]);
    }
}

static void undo_left(struct neighbours *at, const struct hash_action *m)
{
    for (unsigned j = 0; j < m->n_moved; j++) {
        unsigned slot = at->where[m->slot[j]];
        at->state.piece[slot] = at->parent.piece[slot];
        at->state.arc[slot] = at->parent.arc[slot];
    }
}

/* Sets an entry if it is vacant; returns its value before. Of threads that set the same entry one
 * sees it vacant: `added` must count it once. Relaxed: nothing else is read through it. */
static uint8_t entry_take(uint8_t *entry, unsigned value)
{
    uint8_t before = table__entry_load(entry);
    if (before == TABLE_VACANT)
        __atomic_compare_exchange_n(entry, &before, (uint8_t)value, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
    return before;
}

static void keep(struct hash_own *own, const struct table_hash_state *state, uint64_t sum)
{
    if (!own->next || atomic_load_explicit(&own->is_full, memory_order_relaxed))
        return;
    if (table__states_add(own->next, state, sum) == TABLE_STATES_FULL)
        atomic_store_explicit(&own->is_full, true, memory_order_relaxed);
}

/* Is a neighbour of the newest layer, whose entry was `before`, in a layer that is complete? */
static bool is_old(const struct table_fill *fill, const struct table_hash_state *state,
                   uint64_t sum, uint8_t before)
{
    const struct hash_own *own = fill->own;
    if (before == TABLE_VACANT || before > fill->newest + 1)
        return false;
    if (before <= fill->newest && own->older && table__states_have(own->older, state, sum))
        return true;
    return table__states_have(own->newest, state, sum);
}

static void prefetch(const struct hash_own *own, uint64_t sum)
{
    __builtin_prefetch(own->entries + table__hash_entry(own->hash, sum), 1);
    if (own->next)
        table__states_prefetch(own->next, sum);
}

/* Hashes of all neighbours, by s*m and m*s in turn; and fetches what they need. */
static void neighbours_hash(struct neighbours *at, uint64_t *sums)
{
    const struct hash_own *own = at->own;
    for (unsigned m = 0; m < own->n_actions; m++) {
        const struct hash_action *action = &own->action[m];
        move_right(at, action);
        prefetch(own, *sums++ = table__hash_sum(own->hash, &at->state));
        undo_right(at, action);
        move_left(at, action);
        prefetch(own, *sums++ = table__hash_sum(own->hash, &at->state));
        undo_left(at, action);
    }
}

/* Takes the neighbour number c into the table; returns what was there before. */
static uint8_t neighbour_mark(const struct table_fill *fill, uint64_t sum)
{
    const struct hash_own *own = fill->own;
    return entry_take(own->entries + table__hash_entry(own->hash, sum), fill->newest + 2);
}

/* Takes a neighbour into the next set, if it is new. */
static void neighbour_keep(struct table_fill *fill, struct neighbours *at, unsigned c, uint64_t sum,
                           uint8_t before)
{
    struct hash_own *own = fill->own;
    const struct hash_action *action = &own->action[c / 2];
    if (c % 2)
        move_left(at, action);
    else
        move_right(at, action);
    if (!is_old(fill, &at->state, sum, before))
        keep(own, &at->state, sum);
    if (c % 2)
        undo_left(at, action);
    else
        undo_right(at, action);
}

static unsigned expand_state(struct table_fill *fill, struct neighbours *at)
{
    uint64_t sum[MOST_NEIGHBOURS];
    unsigned added = 0;
    at->state = at->parent;
    for (unsigned i = 0; i < at->own->hash->view.n; i++)
        at->where[at->parent.piece[i]] = (uint8_t)i;
    neighbours_hash(at, sum);
    for (unsigned c = 0; c < 2 * at->own->n_actions; c++) {
        uint8_t before = neighbour_mark(fill, sum[c]);
        added += before == TABLE_VACANT;
        if (at->own->next)
            neighbour_keep(fill, at, c, sum[c], before);
    }
    return added;
}

/* ---- passes ------------------------------------------------------------------------------- */

static unsigned chunks_of(uint64_t items, unsigned size)
{
    return items ? (unsigned)((items + size - 1) / size) : 1;
}

static uint64_t chunk_end(uint64_t items, unsigned size, unsigned chunk)
{
    uint64_t end = ((uint64_t)chunk + 1) * size;
    return end < items ? end : items;
}

static unsigned hash_chunks(const struct table_fill *fill)
{
    const struct hash_own *own = fill->own;
    if (fill->pass == TABLE_PASS_MARK)
        return chunks_of(table_listing_size(own->listing), CHUNK_RANKS);
    if (own->is_resting)
        return chunks_of(own->hash->size, CHUNK_REST);
    return chunks_of(table__states_slot_count(own->newest), CHUNK_SLOTS);
}

static void hash_mark(struct table_fill *fill, unsigned chunk)
{
    struct hash_own *own = fill->own;
    const uint64_t end = chunk_end(table_listing_size(own->listing), CHUNK_RANKS, chunk);
    uint64_t added = 0;
    for (uint64_t rank = (uint64_t)chunk * CHUNK_RANKS; rank < end; rank++) {
        struct table_view view;
        struct table_hash_state state;
        table_listing_at(own->listing, rank, &view);
        table__hash_state_set(own->hash, &view, &state);
        uint64_t sum = table__hash_sum(own->hash, &state);
        added += entry_take(own->entries + table__hash_entry(own->hash, sum), 1) == TABLE_VACANT;
        keep(own, &state, sum);
    }
    atomic_fetch_add_explicit(&fill->added, added, memory_order_relaxed);
}

/* Nobody else touches the chunk's entries in this pass, so they need no care. */
static void rest(struct table_fill *fill, unsigned chunk)
{
    const struct hash_own *own = fill->own;
    const uint64_t end = chunk_end(own->hash->size, CHUNK_REST, chunk);
    const uint8_t value = (uint8_t)(fill->newest + 2);
    for (uint64_t i = (uint64_t)chunk * CHUNK_REST; i < end; i++)
        own->entries[i] = own->entries[i] == TABLE_VACANT ? value : own->entries[i];
}

static void hash_expand(struct table_fill *fill, unsigned chunk)
{
    const struct hash_own *own = fill->own;
    if (own->is_resting) {
        rest(fill, chunk);
        return;
    }
    const uint64_t end = chunk_end(table__states_slot_count(own->newest), CHUNK_SLOTS, chunk);
    struct neighbours at = {.own = own};
    uint64_t added = 0;
    for (uint64_t slot = (uint64_t)chunk * CHUNK_SLOTS; slot < end; slot++)
        if (table__states_at(own->newest, slot, &at.parent))
            added += expand_state(fill, &at);
    atomic_fetch_add_explicit(&fill->added, added, memory_order_relaxed);
}

/* ---- between passes ----------------------------------------------------------------------- */

/* How many states the layer behind the newest can be expected to have, if layers go on growing. Of
 * the neighbours of the target's image, about half are the same. */
static double expected_next(const struct hash_own *own)
{
    const double newest = (double)own->n_newest, most = newest * 2 * own->n_actions;
    if (own->n_older == 0)
        return most / 2;
    double grown = newest * (newest / (double)own->n_older);
    return grown < most ? grown : most;
}

/* Makes the set for a layer of at most `most` states, `expected` by estimate; none if that is
 * hopeless. */
static void next_new(struct hash_own *own, double most, double expected)
{
    uint64_t used = (own->older ? table__states_size(own->older) : 0) +
                    (own->newest ? table__states_size(own->newest) : 0);
    uint64_t room = table__states_slots(own->hash, own->scratch > used ? own->scratch - used : 0);
    double wanted = expected * SPARE > SMALL_SET ? expected * SPARE : SMALL_SET;
    own->next = NULL;
    if (room == 0 || expected > OPTIMISM * (double)table__states_capacity(room))
        return;
    if (wanted > most)
        wanted = most;
    wanted = wanted * 5 / 4 + TABLE_STATES_REGION;
    uint64_t slots = wanted < (double)room ? (uint64_t)wanted : room;
    own->next = table__states_new(own->hash, slots - slots % TABLE_STATES_REGION);
}

/* Is a further layer out of reach, or not worth its time? */
static bool is_enough(const struct table_fill *fill)
{
    const struct hash_own *own = fill->own;
    const double size = (double)own->hash->size;
    return !own->newest || fill->newest + 1 == TABLE_HASH_MAX_BOUND ||
           size - (double)fill->total < size / FULL_SHARE || expected_next(own) > FLOOD * size;
}

/* A layer is complete, and has states. */
static void hash_swap(struct table_fill *fill)
{
    struct hash_own *own = fill->own;
    bool is_full = atomic_load_explicit(&own->is_full, memory_order_relaxed);
    table__states_free(own->older);
    own->older = own->newest;
    own->n_older = own->n_newest;
    own->newest = own->next;
    own->next = NULL;
    if (is_full) {
        table__states_free(own->newest);
        own->newest = NULL;
    }
    own->n_newest = own->newest ? table__states_count(own->newest) : 0;
    own->is_resting = is_enough(fill);
    if (!own->is_resting)
        next_new(own, (double)own->n_newest * 2 * own->n_actions, expected_next(own));
}

/* A layer that is not kept in a set may have states although it has set no entry. */
static bool hash_is_empty(const struct table_fill *fill)
{
    const struct hash_own *own = fill->own;
    if (own->is_resting)
        return true;
    if (fill->pass == TABLE_PASS_MARK)
        return table_listing_size(own->listing) == 0;
    return own->next && !atomic_load_explicit(&own->is_full, memory_order_relaxed) &&
           table__states_count(own->next) == 0;
}

static bool hash_is_done(const struct table_fill *fill)
{
    const struct hash_own *own = fill->own;
    return own->is_resting && fill->total == own->hash->size;
}

/* After the rest pass nothing is vacant. */
static void hash_finish(struct table_fill *fill)
{
    const struct hash_own *own = fill->own;
    if (!own->is_resting)
        return;
    fill->histogram[fill->newest + 1] = own->hash->size - fill->total;
    fill->total = own->hash->size;
}

/* ---- life --------------------------------------------------------------------------------- */

static void action_set(const struct table_coord *coord, unsigned move, struct hash_action *action)
{
    struct table_view view;
    table__view_move(coord, move, &view);
    memset(action, 0, sizeof *action);
    for (unsigned i = 0; i < coord->n; i++) {
        if (view.piece[i] == i && view.turn[i] == 0)
            continue;
        action->slot[action->n_moved] = (uint8_t)i;
        action->from[action->n_moved] = view.piece[i];
        action->turn[action->n_moved++] = view.turn[i];
    }
}

static int actions_init(struct hash_own *own)
{
    const struct puzzle *puzzle = own->hash->view.group->puzzle;
    const unsigned n_moves = puzzle_move_count(puzzle);
    own->action = calloc(n_moves + 1, sizeof *own->action);
    if (!own->action)
        return BASE_ERR_NOMEM;
    for (unsigned m = 0; m < n_moves; m++) {
        struct hash_action *action = &own->action[own->n_actions];
        action_set(&own->hash->view, m, action);
        bool is_known = action->n_moved == 0;
        for (unsigned i = 0; !is_known && i < own->n_actions; i++)
            is_known = memcmp(action, &own->action[i], sizeof *action) == 0;
        own->n_actions += !is_known;
    }
    return 0;
}

static int own_init(struct hash_own *own, const struct table_hash_target *target,
                    struct base_diag *diag)
{
    const struct table_coord *coord = &target->hash->view;
    own->hash = target->hash;
    own->scratch = target->scratch ? target->scratch : table_hash_scratch(target->hash->size);
    int code = table_listing_new(coord->group->puzzle, coord->orbit, target->structures, target->n,
                                 &own->listing, diag);
    if (code == 0)
        code = actions_init(own);
    if (code == 0) {
        double listed = (double)table_listing_size(own->listing);
        next_new(own, listed, listed / (2.0 * coord->n_syms));
    }
    return code;
}

static int hash_init(struct table_fill *fill)
{
    (void)fill; /* made by table_fill_new_hash */
    return 0;
}

static void hash_deinit(struct table_fill *fill)
{
    struct hash_own *own = fill->own;
    if (!own)
        return;
    table_listing_free(own->listing);
    table__states_free(own->older);
    table__states_free(own->newest);
    table__states_free(own->next);
    free(own->action);
    free(own);
}

static const struct table_fill_strategy strategy = {
    .init = hash_init,
    .deinit = hash_deinit,
    .chunks = hash_chunks,
    .mark = hash_mark,
    .expand = hash_expand,
    .swap = hash_swap,
    .is_empty = hash_is_empty,
    .is_done = hash_is_done,
    .finish = hash_finish,
};

int table_fill_new_hash(const struct table_hash_target *target, uint8_t *entries,
                        struct table_fill **out, struct base_diag *diag)
{
    struct table_fill *fill = calloc(1, sizeof *fill);
    struct hash_own *own = calloc(1, sizeof *own);
    *out = NULL;
    if (!fill || !own) {
        free(fill);
        free(own);
        return BASE_ERR_NOMEM;
    }
    fill->strategy = &strategy;
    fill->pass = TABLE_PASS_MARK;
    fill->own = own;
    own->entries = entries;
    int code = own_init(own, target, diag);
    if (code != 0) {
        table_fill_free(fill);
        return code;
    }
    *out = fill;
    return 0;
}

/* Layers grow by 10 and more, the last is not kept, and a kept state takes some 20 bytes: with half
 * the table's bytes the last layer fills about a half of the table. */
uint64_t table_hash_scratch(uint64_t size)
{
    enum { LEAST = 1 << 20 };
    return size / 2 > LEAST ? size / 2 : LEAST;
}
