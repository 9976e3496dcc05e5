/*
 * table_listing.c - counting and unranking the arrangements of a structure.
 *
 * The cycles of a structure (fixed pieces included, as plain cycles of length 1) come in *kinds*,
 * (length, oriented). A permutation with left[k] cycles of each kind on m slots is built by asking
 * which cycle the least free slot is in. Of N permutations,
 *
 *     N * length * left / m       have it in a cycle of the kind,
 *
 * (by symmetry, every slot is equally often in one), equally many for each of the (m-1)(m-2)...
 * ways to choose the rest of that cycle. So the rank is split digit by digit, and each permutation
 * comes once. Turns follow: all of a cycle but the last are free, and the last makes the cycle's
 * sum, which is 0 for a plain cycle and anything else for an oriented one.
 */
#include "core/table/table_listing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"

enum { MAX_KINDS = 2 * TABLE_MAX_VIEW };

struct listing_kind {
    uint8_t length, oriented, count;
};

/* One structure's part: the ranks first .. first + perms * turns * sums - 1. */
struct listing_part {
    uint64_t first;
    uint64_t perms;
    uint64_t turns; /* choices of the free turns */
    uint64_t sums;  /* choices of the oriented cycles' sums */
    unsigned n_kinds, n_oriented;
    struct listing_kind kind[MAX_KINDS];
};

struct table_listing {
    unsigned n, mod;
    bool sum_kept;
    /* [c]: ways to give c oriented cycles sums of total zero, and of one given other total; capped,
     * as larger ones do not occur in a listing */
    uint64_t zero[TABLE_MAX_VIEW + 1], other[TABLE_MAX_VIEW + 1];
    uint64_t size;
    size_t n_parts;
    struct listing_part part[];
};

/* ---- counting ---------------------------------------------------------------------------- */

/* Kinds of the orbit's cycles, fixed pieces last. False: they have more pieces than the orbit. */
static bool part_init(struct listing_part *part, unsigned n, const struct cycle_structure *orbit)
{
    unsigned points = 0;
    memset(part, 0, sizeof *part);
    for (unsigned i = 0; i < orbit->n_items; i++) {
        const struct cycle_item *item = &orbit->item[i];
        struct listing_kind *kind = &part->kind[part->n_kinds];
        points += item->length;
        if (points > n)
            return false;
        /* Canonical: equal items are neighbours. */
        if (part->n_kinds > 0 && kind[-1].length == item->length &&
            kind[-1].oriented == item->oriented)
            kind[-1].count++;
        else
            part->kind[part->n_kinds++] = (struct listing_kind){item->length, item->oriented, 1};
        part->n_oriented += item->oriented;
    }
    if (points < n)
        part->kind[part->n_kinds++] = (struct listing_kind){1, 0, (uint8_t)(n - points)};
    return true;
}

/* Doubles hold all that can become a listing exactly, and the rest well enough: at most 64! 127^64.
 */
static double count_perms(const struct listing_part *part, unsigned n)
{
    double count = 1;
    unsigned left = n;
    for (unsigned k = 0; k < part->n_kinds; k++) {
        if (part->kind[k].length == 1 && !part->kind[k].oriented)
            continue; /* what is left */
        for (unsigned c = 1; c <= part->kind[k].count; c++) {
            for (unsigned i = 0; i < part->kind[k].length; i++)
                count *= left--;
            count /= part->kind[k].length * c;
        }
    }
    return count;
}

static double count_turns(const struct listing_part *part, unsigned mod)
{
    double count = 1;
    for (unsigned k = 0; k < part->n_kinds; k++)
        for (unsigned i = 0; i < part->kind[k].count * (part->kind[k].length - 1u); i++)
            count *= mod;
    return count;
}

static double count_sums(const struct listing_part *part, unsigned mod, bool sum_kept)
{
    double zero = 1, others = 0;
    for (unsigned i = 0; i < part->n_oriented; i++) {
        double before = zero;
        zero = others;
        others = others * (mod - 2.0) + before * (mod - 1.0);
    }
    return sum_kept ? zero : zero + others;
}

static int compare_structures(const void *a, const void *b)
{
    return cycle_compare(a, b);
}

/* The structures cut down to the orbit, sorted, each once. New; NULL: out of memory. */
static struct cycle_structure *project(unsigned orbit, const struct cycle_structure *structures,
                                       size_t n, size_t *count)
{
    struct cycle_structure *list = calloc(n + 1, sizeof *list);
    if (!list)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        cycle_project(&structures[i], orbit, &list[i]);
        cycle_canonicalise(&list[i]);
    }
    qsort(list, n, sizeof *list, compare_structures);
    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || !cycle_equal(&list[i], &list[*count - 1]))
            list[(*count)++] = list[i];
    return list;
}

/* Counts a part, and if it can be listed, sets its figures. */
static double part_count(struct listing_part *part, unsigned n, unsigned mod, bool sum_kept,
                         const struct cycle_structure *orbit)
{
    if (!part_init(part, n, orbit))
        return 0;
    double perms = count_perms(part, n), turns = count_turns(part, mod);
    double sums = count_sums(part, mod, sum_kept), all = perms * turns * sums;
    if (all > 0 && all <= TABLE_LISTING_MAX) {
        part->perms = (uint64_t)llround(perms);
        part->turns = (uint64_t)llround(turns);
        part->sums = (uint64_t)llround(sums);
    }
    return all;
}

/* Numbers of states of all structures together; with a listing, takes the parts into it. */
static double count_all(const struct puzzle *puzzle, unsigned orbit,
                        const struct cycle_structure *list, size_t n, struct table_listing *listing)
{
    const unsigned movable = puzzle_movable_count(puzzle, orbit);
    const unsigned mod = puzzle_shape(puzzle)->orbit[orbit].mod;
    const bool sum_kept = puzzle_orientation_sum_kept(puzzle, orbit);
    double all = 0;
    if (movable > TABLE_MAX_VIEW)
        return INFINITY;
    for (size_t i = 0; i < n && all <= INT64_C(1) << 53; i++) {
        struct listing_part part;
        double count = part_count(&part, movable, mod, sum_kept, &list[i]);
        if (listing && count > 0 && all + count <= TABLE_LISTING_MAX) {
            part.first = (uint64_t)llround(all);
            listing->part[listing->n_parts++] = part;
        }
        all += count;
    }
    return all;
}

static int count_projected(const struct puzzle *puzzle, unsigned orbit,
                           const struct cycle_structure *structures, size_t n, double *all)
{
    size_t n_projected;
    struct cycle_structure *list = project(orbit, structures, n, &n_projected);
    if (!list)
        return BASE_ERR_NOMEM;
    *all = count_all(puzzle, orbit, list, n_projected, NULL);
    free(list);
    return 0;
}

int table_listing_count(const struct puzzle *puzzle, unsigned orbit,
                        const struct cycle_structure *structures, size_t n, uint64_t *count)
{
    double all;
    int code = count_projected(puzzle, orbit, structures, n, &all);
    if (code == 0)
        *count = all > INT64_C(1) << 53 ? UINT64_MAX : (uint64_t)llround(all);
    return code;
}

/* ---- life -------------------------------------------------------------------------------- */

/* As in count_sums, but of one given total other than zero. */
static void sum_ways_init(struct table_listing *listing)
{
    const uint64_t mod = listing->mod;
    listing->zero[0] = 1;
    for (unsigned c = 1; c <= TABLE_MAX_VIEW; c++) {
        uint64_t zero = (mod - 1) * listing->other[c - 1];
        uint64_t other = listing->zero[c - 1] + (mod > 2 ? mod - 2 : 0) * listing->other[c - 1];
        listing->zero[c] = zero < UINT32_MAX ? zero : UINT32_MAX;
        listing->other[c] = mod == 1 ? 0 : other < UINT32_MAX ? other : UINT32_MAX;
    }
}

static int too_large(const struct puzzle *puzzle, unsigned orbit, double all,
                     struct base_diag *diag)
{
    return base_diag_set(diag, 0, BASE_ERR_TOO_LARGE,
                         "the target has %.3g states in orbit %.40s, and a hash table lists at "
                         "most %d; a piece subset can be used instead",
                         all, puzzle_orbit_name(puzzle, orbit), TABLE_LISTING_MAX);
}

int table_listing_check(const struct puzzle *puzzle, unsigned orbit,
                        const struct cycle_structure *structures, size_t n, struct base_diag *diag)
{
    double all;
    int code = count_projected(puzzle, orbit, structures, n, &all);
    if (code != 0)
        return base_diag_set(diag, 0, code, "%s", base_err_text(code));
    return all > TABLE_LISTING_MAX ? too_large(puzzle, orbit, all, diag) : 0;
}

int table_listing_new(const struct puzzle *puzzle, unsigned orbit,
                      const struct cycle_structure *structures, size_t n,
                      struct table_listing **out, struct base_diag *diag)
{
    const unsigned movable = puzzle_movable_count(puzzle, orbit);
    size_t n_projected = 0;
    *out = NULL;
    if (movable == 0 || movable > TABLE_MAX_VIEW)
        return base_diag_set(diag, 0, BASE_ERR_RANGE,
                             "orbit %.40s has %u movable pieces, tables handle 1 to %d",
                             puzzle_orbit_name(puzzle, orbit), movable, TABLE_MAX_VIEW);
    struct cycle_structure *list = project(orbit, structures, n, &n_projected);
    struct table_listing *listing =
        list ? calloc(1, sizeof *listing + n_projected * sizeof listing->part[0]) : NULL;
    if (!listing) {
        free(list);
        return BASE_ERR_NOMEM;
    }
    listing->n = movable;
    listing->mod = puzzle_shape(puzzle)->orbit[orbit].mod;
    listing->sum_kept = puzzle_orientation_sum_kept(puzzle, orbit);
    sum_ways_init(listing);
    double all = count_all(puzzle, orbit, list, n_projected, listing);
    free(list);
    if (all > TABLE_LISTING_MAX) {
        free(listing);
        return too_large(puzzle, orbit, all, diag);
    }
    listing->size = (uint64_t)llround(all);
    *out = listing;
    return 0;
}

void table_listing_free(struct table_listing *listing)
{
    free(listing);
}

uint64_t table_listing_size(const struct table_listing *listing)
{
    return listing->size;
}

/* ---- unranking --------------------------------------------------------------------------- */

static const struct listing_part *find_part(const struct table_listing *listing, uint64_t rank)
{
    size_t low = 0, high = listing->n_parts;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (listing->part[middle].first <= rank)
            low = middle;
        else
            high = middle;
    }
    return &listing->part[low];
}

/* What is still to be decided. */
struct unranking {
    const struct table_listing *listing;
    struct table_view *view;
    uint64_t perm, turn, sum; /* ranks among what is left */
    uint64_t perms;           /* permutations of what is left */
    unsigned oriented, total; /* cycles left, and what their sums must sum to */
    unsigned n_free;
    uint8_t free[TABLE_MAX_VIEW]; /* slots, ascending */
    uint8_t left[MAX_KINDS];      /* cycles of each kind */
};

/* The kind of the cycle that the least free slot is in; *perms: how many permutations have that. */
static unsigned take_kind(struct unranking *at, const struct listing_part *part, uint64_t *perms)
{
    for (unsigned k = 0;; k++) {
        *perms = at->perms * part->kind[k].length * at->left[k] / at->n_free;
        if (at->perm < *perms) {
            at->left[k]--;
            return k;
        }
        at->perm -= *perms;
    }
}

static uint8_t take_slot(struct unranking *at, unsigned index)
{
    uint8_t slot = at->free[index];
    at->n_free--;
    memmove(at->free + index, at->free + index + 1, at->n_free - index);
    return slot;
}

/* The slots of the cycle, the least free one first. */
static void take_slots(struct unranking *at, unsigned length, uint64_t perms, uint8_t *slot)
{
    uint64_t ways = 1;
    for (unsigned j = 1; j < length; j++)
        ways *= at->n_free - j;
    at->perms = perms / ways;
    uint64_t way = at->perm / at->perms;
    at->perm %= at->perms;
    slot[0] = take_slot(at, 0);
    for (unsigned j = 1; j < length; j++) {
        unsigned n_free = at->n_free;
        slot[j] = take_slot(at, (unsigned)(way % n_free));
        way /= n_free;
    }
}

/* The sum of the next oriented cycle. */
static unsigned take_sum(struct unranking *at)
{
    const struct table_listing *listing = at->listing;
    const unsigned mod = listing->mod;
    unsigned sum = 1;
    at->oriented--;
    if (!listing->sum_kept) {
        sum = 1 + (unsigned)(at->sum % (mod - 1));
        at->sum /= mod - 1;
        return sum;
    }
    for (;; sum++) {
        uint64_t ways =
            sum == at->total ? listing->zero[at->oriented] : listing->other[at->oriented];
        if (at->sum < ways)
            break;
        at->sum -= ways;
    }
    at->total = (at->total + mod - sum) % mod;
    return sum;
}

static void place_cycle(struct unranking *at, const uint8_t *slot, unsigned length, unsigned sum)
{
    const unsigned mod = at->listing->mod;
    for (unsigned j = 0; j < length; j++) {
        unsigned turn = sum;
        at->view->piece[slot[j]] = slot[(j + 1) % length];
        if (j + 1 < length) {
            turn = (unsigned)(at->turn % mod);
            at->turn /= mod;
            sum = (sum + mod - turn) % mod;
        }
        at->view->turn[slot[j]] = (uint8_t)turn;
    }
}

void table_listing_at(const struct table_listing *listing, uint64_t rank, struct table_view *view)
{
    const struct listing_part *part = find_part(listing, rank);
    struct unranking at = {.listing = listing, .view = view, .perms = part->perms};
    rank -= part->first;
    at.sum = rank % part->sums;
    at.turn = rank / part->sums % part->turns;
    at.perm = rank / part->sums / part->turns;
    at.oriented = part->n_oriented;
    at.n_free = listing->n;
    for (unsigned i = 0; i < listing->n; i++)
        at.free[i] = (uint8_t)i;
    for (unsigned k = 0; k < part->n_kinds; k++)
        at.left[k] = part->kind[k].count;
    while (at.n_free > 0) {
        uint8_t slot[TABLE_MAX_VIEW];
        uint64_t perms;
        unsigned k = take_kind(&at, part, &perms);
        take_slots(&at, part->kind[k].length, perms, slot);
        place_cycle(&at, slot, part->kind[k].length, part->kind[k].oriented ? take_sum(&at) : 0);
    }
}
