/*
 * sym_group.c - finds the symmetries of a move set.
 *
 * A backtracking over the images of one base move per family, cut by what every symmetry keeps
 * (weight, cycle structure, whether two moves commute, the order of their product), and by the
 * relabelling of slots that causes the map of the moves so far: there must be one. Once the image
 * of one slot of a connected set is chosen, the moves determine the rest. Two families that have
 * pieces in common leave little choice to all others, so the search is about as large as its
 * result: 24 wings with 12 families have 96 symmetries, while the orders of products alone let
 * through more maps than can be tried.
 *
 * Whether there is a relabelling can be told set by set: those that can be mapped to each other at
 * all are alike, so it does not matter which is mapped to which.
 *
 * A map of moves may be caused by several relabellings (turn every corner's frame by one: no move
 * notices); they act alike on every state that the moves can reach, so the first one stands for
 * all.
 */
#include "core/sym/sym.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_assert.h"
#include "core/base/base_err.h"

/* Relabellings after which we give up looking for symmetries. */
enum { SYM_MAX_STEPS = 100000, SYM_UNSET = 255 };

struct sym_search {
    const struct puzzle *puzzle;
    const struct perm_shape *shape;
    struct sym_group *group;
    unsigned n_families;
    uint8_t base[PUZZLE_MAX_MOVES];  /* [family]: its first move */
    uint8_t image[PUZZLE_MAX_MOVES]; /* [family]: chosen image of the base move */
    uint16_t *pair_order;            /* [a * n_moves + b]: order of the product, cut to 16 bits */
    uint32_t *shape_hash;            /* [move]: what every symmetry keeps of a single move */
    unsigned n_moves;
    unsigned steps;
};

static unsigned mod_multiply(unsigned a, unsigned b, unsigned mod)
{
    return a * b % mod;
}

/* ---- applying -------------------------------------------------------------------------- */

void sym_apply(const struct sym_group *group, unsigned sym, const uint8_t *state, uint8_t *out)
{
    const struct perm_shape *shape = puzzle_shape(group->puzzle);
    const struct sym *s = &group->sym[sym];
    for (unsigned k = 0; k < shape->n_orbits; k++) {
        const struct perm_orbit *from = &shape->orbit[k];
        const struct perm_orbit *to = &shape->orbit[s->orbit[k]];
        const uint8_t *slot = s->slot + group->first_slot[k];
        const uint8_t *turn = s->turn + group->first_slot[k];
        const uint8_t *factor = s->factor + group->first_slot[k];
        const uint8_t *piece = perm_pieces(from, state);
        const uint8_t *orientation = perm_orientations(from, state);
        for (unsigned i = 0; i < from->size; i++) {
            unsigned p = piece[i];
            unsigned turned = factor[i] * orientation[i] + turn[i] + from->mod - turn[p];
            out[to->offset + slot[i]] = slot[p];
            out[to->offset + to->size + slot[i]] = (uint8_t)(turned % from->mod);
        }
    }
}

bool sym_fixes_state(const struct sym_group *group, unsigned sym, const uint8_t *state)
{
    uint8_t image[PERM_MAX_BYTES];
    sym_apply(group, sym, state, image);
    return perm_equal(puzzle_shape(group->puzzle), image, state);
}

bool sym_keeps_structures(const struct sym_group *group, unsigned sym,
                          const struct cycle_structure *structures, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct cycle_structure image = structures[i];
        for (unsigned j = 0; j < image.n_items; j++)
            image.item[j].orbit = group->sym[sym].orbit[image.item[j].orbit];
        cycle_canonicalise(&image);
        bool found = false;
        for (size_t j = 0; !found && j < n; j++)
            found = cycle_equal(&image, &structures[j]);
        if (!found)
            return false;
    }
    return true;
}

/* ---- the relabelling that causes a map of moves ------------------------------------------ */

/* Records pi(i), b(i), a(i), or checks it against what is recorded. */
static bool slot_assign(struct sym *sym, unsigned at, unsigned slot, unsigned turn, unsigned factor)
{
    if (sym->slot[at] == SYM_UNSET) {
        sym->slot[at] = (uint8_t)slot;
        sym->turn[at] = (uint8_t)turn;
        sym->factor[at] = (uint8_t)factor;
        return true;
    }
    return sym->slot[at] == slot && sym->turn[at] == turn && sym->factor[at] == factor;
}

static bool slot_is_taken(const struct sym_search *search, const struct sym *sym, unsigned k,
                          unsigned slot)
{
    const struct perm_orbit *orbit = &search->shape->orbit[k];
    const uint8_t *known = sym->slot + search->group->first_slot[k];
    for (unsigned i = 0; i < orbit->size; i++)
        if (known[i] == slot)
            return true;
    return false;
}

/* Follows all moves that have an image from slot i of orbit k, whose image is known: under move m
 * the slot receives piece p, so under the image of m slot pi(i) must receive pi(p), which gives
 * pi(p) and b(p). Appends p to the queue when it is new. */
static bool slot_follow(const struct sym_search *search, struct sym *sym, unsigned k, unsigned i,
                        uint8_t *queue, unsigned *queued)
{
    const struct perm_orbit *from = &search->shape->orbit[k];
    const struct perm_orbit *to = &search->shape->orbit[sym->orbit[k]];
    unsigned first = search->group->first_slot[k];
    unsigned factor = sym->factor[first + i];
    for (unsigned m = 0; m < search->n_moves; m++) {
        if (sym->move[m] == SYM_UNSET)
            continue;
        const uint8_t *move = puzzle_move_at(search->puzzle, m)->transform;
        const uint8_t *image = puzzle_move_at(search->puzzle, sym->move[m])->transform;
        unsigned slot = sym->slot[first + i];
        unsigned p = perm_pieces(from, move)[i];
        unsigned turned = mod_multiply(factor, perm_orientations(from, move)[i], from->mod);
        unsigned turn =
            (turned + sym->turn[first + i] + from->mod - perm_orientations(to, image)[slot]) %
            from->mod;
        bool is_new = sym->slot[first + p] == SYM_UNSET;
        /* The moves alone would let a whole set collapse onto a slot that nothing moves. */
        if (is_new && slot_is_taken(search, sym, k, perm_pieces(to, image)[slot]))
            return false;
        if (!slot_assign(sym, first + p, perm_pieces(to, image)[slot], turn, factor))
            return false;
        if (is_new)
            queue[(*queued)++] = (uint8_t)p;
    }
    return true;
}

/* Tries slot i -> (slot, factor) with b = 0 and fills the connected set of i; undoes it on failure.
 */
static bool component_try(const struct sym_search *search, struct sym *sym, unsigned k, unsigned i,
                          unsigned slot, unsigned factor)
{
    uint8_t queue[SYM_MAX_SLOTS];
    unsigned queued = 0, first = search->group->first_slot[k];
    slot_assign(sym, first + i, slot, 0, factor);
    queue[queued++] = (uint8_t)i;
    bool good = true;
    for (unsigned at = 0; good && at < queued; at++)
        good = slot_follow(search, sym, k, queue[at], queue, &queued);
    for (unsigned at = 0; !good && at < queued; at++)
        sym->slot[first + queue[at]] = SYM_UNSET;
    return good;
}

static bool is_unit(unsigned a, unsigned mod)
{
    while (mod) {
        unsigned rest = a % mod;
        a = mod;
        mod = rest;
    }
    return a == 1;
}

static bool component_find(const struct sym_search *search, struct sym *sym, unsigned k, unsigned i,
                           unsigned factor)
{
    const struct perm_orbit *orbit = &search->shape->orbit[k];
    for (unsigned step = 0; step < orbit->size; step++) {
        /* Start with slot i itself, so that slots nothing moves stay where they are. */
        unsigned slot = (i + step) % orbit->size;
        if (!slot_is_taken(search, sym, k, slot) && component_try(search, sym, k, i, slot, factor))
            return true;
    }
    return false;
}

static bool components_find(const struct sym_search *search, struct sym *sym, unsigned k,
                            unsigned factor)
{
    const struct perm_orbit *orbit = &search->shape->orbit[k];
    unsigned first = search->group->first_slot[k];
    memset(sym->slot + first, SYM_UNSET, orbit->size);
    for (unsigned i = 0; i < orbit->size; i++)
        if (sym->slot[first + i] == SYM_UNSET && !component_find(search, sym, k, i, factor))
            return false;
    return true;
}

/* Relabels orbit k onto sym->orbit[k]. One factor must serve the whole orbit: with one for each
 * connected set, the image of a state that mixes the sets (a scramble may) would not be a conjugate
 * of it. */
static bool orbit_find(const struct sym_search *search, struct sym *sym, unsigned k)
{
    unsigned mod = search->shape->orbit[k].mod;
    for (unsigned factor = 1; factor <= (mod > 1 ? mod - 1u : 1u); factor++)
        if (is_unit(factor, mod) && components_find(search, sym, k, factor))
            return true;
    return false;
}

/* Chooses the image orbit of orbit k and of those behind it. */
static bool orbits_find(const struct sym_search *search, struct sym *sym, unsigned k,
                        unsigned taken)
{
    const struct perm_shape *shape = search->shape;
    if (k == shape->n_orbits)
        return true;
    for (unsigned step = 0; step < shape->n_orbits; step++) {
        unsigned to = (k + step) % shape->n_orbits;
        if (taken >> to & 1 || shape->orbit[to].size != shape->orbit[k].size ||
            shape->orbit[to].mod != shape->orbit[k].mod)
            continue;
        sym->orbit[k] = (uint8_t)to;
        if (orbit_find(search, sym, k) && orbits_find(search, sym, k + 1, taken | 1u << to))
            return true;
    }
    return false;
}

/* ---- maps of moves ----------------------------------------------------------------------- */

static uint32_t move_shape_hash(const struct puzzle *puzzle, unsigned move)
{
    /* Orbits that could be exchanged must hash alike, so items are hashed without the orbit's
     * number and added up. */
    const struct perm_shape *shape = puzzle_shape(puzzle);
    struct cycle_structure structure;
    cycle_of_state(puzzle, puzzle_move_at(puzzle, move)->transform, &structure);
    uint32_t hash = puzzle_move_at(puzzle, move)->weight;
    for (unsigned i = 0; i < structure.n_items; i++) {
        const struct cycle_item *item = &structure.item[i];
        const struct perm_orbit *orbit = &shape->orbit[item->orbit];
        uint32_t mixed = item->length * 2654435761u + item->oriented * 40503u + orbit->size * 97u +
                         orbit->mod * 1543u;
        hash += mixed ^ mixed >> 15;
    }
    return hash;
}

static int search_prepare(struct sym_search *search)
{
    unsigned n = search->n_moves;
    search->pair_order = malloc((size_t)n * n * sizeof *search->pair_order);
    search->shape_hash = malloc(n * sizeof *search->shape_hash);
    if (!search->pair_order || !search->shape_hash)
        return BASE_ERR_NOMEM;
    for (unsigned a = 0; a < n; a++) {
        search->shape_hash[a] = move_shape_hash(search->puzzle, a);
        for (unsigned b = 0; b < n; b++) {
            uint8_t product[PERM_MAX_BYTES];
            perm_compose(search->shape, puzzle_move_at(search->puzzle, a)->transform,
                         puzzle_move_at(search->puzzle, b)->transform, product);
            search->pair_order[a * n + b] = (uint16_t)perm_order(search->shape, product);
        }
    }
    return 0;
}

/* Extends the image of a family's base move to all of the family; false if a power has no image. */
static bool family_extend(const struct sym_search *search, struct sym *sym, unsigned family)
{
    const uint8_t *base = puzzle_move_at(search->puzzle, search->image[family])->transform;
    for (unsigned m = 0; m < search->n_moves; m++) {
        const struct puzzle_move *move = puzzle_move_at(search->puzzle, m);
        if (move->family != family)
            continue;
        uint8_t power[PERM_MAX_BYTES];
        perm_power(search->shape, base, move->amount, power);
        int found = puzzle_find_transform(search->puzzle, power);
        if (found < 0 || puzzle_move_at(search->puzzle, (unsigned)found)->weight != move->weight)
            return false;
        sym->move[m] = (uint8_t)found;
    }
    return true;
}

static bool image_fits(const struct sym_search *search, unsigned family, unsigned image)
{
    unsigned n = search->n_moves, base = search->base[family];
    if (search->shape_hash[image] != search->shape_hash[base])
        return false;
    for (unsigned f = 0; f < family; f++) {
        unsigned b = search->base[f], i = search->image[f];
        if (puzzle_move_at(search->puzzle, i)->family ==
            puzzle_move_at(search->puzzle, image)->family)
            return false;
        if (search->pair_order[b * n + base] != search->pair_order[i * n + image])
            return false;
        unsigned inverse_base = puzzle_move_at(search->puzzle, base)->inverse;
        unsigned inverse_image = puzzle_move_at(search->puzzle, image)->inverse;
        if (search->pair_order[b * n + inverse_base] != search->pair_order[i * n + inverse_image])
            return false;
    }
    return true;
}

static int group_append(struct sym_group *group, const struct sym *sym)
{
    if (group->count == SYM_MAX)
        return BASE_ERR_TOO_LARGE;
    group->sym[group->count++] = *sym;
    return 0;
}

/* Tries all images of the base moves of `family` and those behind it; `sym` is a relabelling for
 * the families before. */
static int images_search(struct sym_search *search, unsigned family, const struct sym *sym)
{
    if (family == search->n_families)
        return group_append(search->group, sym);
    for (unsigned m = 0; m < search->n_moves; m++) {
        struct sym next = *sym;
        if (!image_fits(search, family, m))
            continue;
        search->image[family] = (uint8_t)m;
        if (!family_extend(search, &next, family))
            continue;
        if (++search->steps > SYM_MAX_STEPS)
            return BASE_ERR_TOO_LARGE;
        int code = orbits_find(search, &next, 0, 0) ? images_search(search, family + 1, &next) : 0;
        if (code != 0)
            return code;
    }
    return 0;
}

/* ---- groups ------------------------------------------------------------------------------ */

static bool moves_are_identity(const struct sym *sym, unsigned n_moves)
{
    for (unsigned m = 0; m < n_moves; m++)
        if (sym->move[m] != m)
            return false;
    return true;
}

static void sym_set_identity(const struct sym_group *group, struct sym *sym)
{
    const struct perm_shape *shape = puzzle_shape(group->puzzle);
    memset(sym, 0, sizeof *sym);
    for (unsigned k = 0; k < shape->n_orbits; k++) {
        sym->orbit[k] = (uint8_t)k;
        for (unsigned i = 0; i < shape->orbit[k].size; i++) {
            sym->slot[group->first_slot[k] + i] = (uint8_t)i;
            sym->factor[group->first_slot[k] + i] = 1;
        }
    }
    for (unsigned m = 0; m < puzzle_move_count(group->puzzle); m++)
        sym->move[m] = (uint8_t)m;
}

/* Puts the identity first and finds inverses, by the maps of moves. */
static void group_arrange(struct sym_group *group)
{
    unsigned n_moves = puzzle_move_count(group->puzzle);
    for (unsigned i = 0; i < group->count; i++)
        if (moves_are_identity(&group->sym[i], n_moves)) {
            group->sym[i] = group->sym[0];
            sym_set_identity(group, &group->sym[0]);
        }
    for (unsigned i = 0; i < group->count; i++) {
        bool found = false;
        for (unsigned j = 0; !found && j < group->count; j++) {
            found = true;
            for (unsigned m = 0; found && m < n_moves; m++)
                found = group->sym[j].move[group->sym[i].move[m]] == m;
            if (found)
                group->sym[i].inverse = (uint16_t)j;
        }
        BASE_ASSERT(found);
    }
}

static struct sym_group *group_alloc(const struct puzzle *puzzle, unsigned capacity)
{
    struct sym_group *group = calloc(1, sizeof *group);
    if (!group)
        return NULL;
    group->puzzle = puzzle_acquire(puzzle);
    group->sym = calloc(capacity, sizeof *group->sym);
    if (!group->sym) {
        sym_group_free(group);
        return NULL;
    }
    const struct perm_shape *shape = puzzle_shape(puzzle);
    for (unsigned k = 1; k < shape->n_orbits; k++)
        group->first_slot[k] = (uint16_t)(group->first_slot[k - 1] + shape->orbit[k - 1].size);
    return group;
}

static int search_all(struct sym_search *search)
{
    struct sym none;
    sym_set_identity(search->group, &none);
    memset(none.move, SYM_UNSET, sizeof none.move);
    return images_search(search, 0, &none);
}

int sym_group_new(const struct puzzle *puzzle, struct sym_group **out)
{
    struct sym_search search = {.puzzle = puzzle, .shape = puzzle_shape(puzzle)};
    search.n_moves = puzzle_move_count(puzzle);
    search.n_families = puzzle_family_count(puzzle);
    for (unsigned m = search.n_moves; m-- > 0;)
        search.base[puzzle_move_at(puzzle, m)->family] = (uint8_t)m;
    *out = NULL;
    search.group = group_alloc(puzzle, SYM_MAX);
    int code = search.group ? search_prepare(&search) : BASE_ERR_NOMEM;
    if (code == 0)
        code = search_all(&search);
    if (code == BASE_ERR_TOO_LARGE) {
        search.group->count = 1;
        sym_set_identity(search.group, &search.group->sym[0]);
        code = 0;
    }
    free(search.pair_order);
    free(search.shape_hash);
    if (code != 0) {
        sym_group_free(search.group);
        return code;
    }
    group_arrange(search.group);
    *out = search.group;
    return 0;
}

int sym_group_filter(const struct sym_group *group,
                     bool (*keep)(const struct sym_group *, unsigned sym, void *arg), void *arg,
                     struct sym_group **out)
{
    struct sym_group *kept = group_alloc(group->puzzle, group->count);
    *out = kept;
    if (!kept)
        return BASE_ERR_NOMEM;
    for (unsigned i = 0; i < group->count; i++)
        if (keep(group, i, arg))
            kept->sym[kept->count++] = group->sym[i];
    group_arrange(kept);
    return 0;
}

/* Number of the symmetry "first a, then b", by the maps of moves. */
static unsigned group_product(const struct sym_group *group, unsigned a, unsigned b)
{
    unsigned n_moves = puzzle_move_count(group->puzzle);
    for (unsigned s = 0; s < group->count; s++) {
        bool is_product = true;
        for (unsigned m = 0; is_product && m < n_moves; m++)
            is_product = group->sym[s].move[m] == group->sym[b].move[group->sym[a].move[m]];
        if (is_product)
            return s;
    }
    BASE_ASSERT(!"the symmetries are a group");
    return 0;
}

/* Marks all products of the generators; returns their number. */
static unsigned generate(const struct sym_group *group, const uint16_t *generators, unsigned n,
                         bool *reached)
{
    uint16_t queue[SYM_MAX];
    unsigned queued = 1;
    memset(reached, 0, SYM_MAX * sizeof *reached);
    queue[0] = 0;
    reached[0] = true;
    for (unsigned at = 0; at < queued; at++)
        for (unsigned g = 0; g < n; g++) {
            unsigned product = group_product(group, queue[at], generators[g]);
            if (!reached[product]) {
                reached[product] = true;
                queue[queued++] = (uint16_t)product;
            }
        }
    return queued;
}

/* Each generator taken at least doubles what is reached, so 2^16 symmetries would fit. */
unsigned sym_group_generators(const struct sym_group *group, uint16_t *out)
{
    bool reached[SYM_MAX];
    unsigned n = 0, count = generate(group, out, n, reached);
    while (count < group->count) {
        unsigned next = 0;
        while (reached[next])
            next++;
        out[n++] = (uint16_t)next;
        count = generate(group, out, n, reached);
    }
    return n;
}

void sym_group_free(struct sym_group *group)
{
    if (!group)
        return;
    puzzle_release(group->puzzle);
    free(group->sym);
    free(group);
}
