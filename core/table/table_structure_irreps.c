/*
 * table_structure_irreps.c - tuples of partitions and their rim hooks.
 *
 * A partition is a set of n beads on a line, bead i at its i-th part + n - i (parts in descending
 * order, zeroes at the end). Removing a rim hook of l boxes moves a bead l places down to a free
 * place, and the hook's height is the number of beads jumped over.
 */
#include "core/table/table_structure_irreps_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_assert.h"
#include "core/base/base_bits.h"
#include "core/base/base_err.h"

enum { MAX_PIECES = TABLE__IRREPS_MAX_PIECES, MAX_MOD = TABLE__IRREPS_MAX_MOD };

/* All partitions of up to n boxes, by boxes, then by set of beads. */
struct partitions {
    unsigned n;
    uint32_t first[MAX_PIECES + 2]; /* [boxes] */
    uint64_t *beads;
    uint8_t *boxes;
};

struct counts {
    uint64_t of[MAX_MOD + 1][MAX_PIECES + 1]; /* [colours][boxes]: tuples */
};

/* One tuple, and what is being made of all of them. */
struct tuples {
    struct table__irreps *irreps;
    const struct partitions *partitions;
    const struct counts *counts;
    bool sum_kept;
    unsigned boxes;
    uint32_t number; /* of the tuple: they come in ascending order */
    uint32_t id[MAX_MOD];
    int code;
};

/* ---- counting --------------------------------------------------------------------------- */

/* Partitions of up to n boxes, by the largest part; n is small, so nothing overflows. */
static void count_partitions(unsigned n, uint64_t *of)
{
    memset(of, 0, (n + 1) * sizeof *of);
    of[0] = 1;
    for (unsigned part = 1; part <= n; part++) {
        for (unsigned boxes = part; boxes <= n; boxes++)
            of[boxes] += of[boxes - part];
    }
}

/* False: a count would not fit into 32 bits. */
static bool count_tuples(unsigned n, unsigned mod, struct counts *counts)
{
    uint64_t partitions[MAX_PIECES + 1];

    count_partitions(n, partitions);
    memset(counts, 0, sizeof *counts);
    counts->of[0][0] = 1;
    for (unsigned c = 1; c <= mod; c++) {
        for (unsigned boxes = 0; boxes <= n; boxes++) {
            for (unsigned first = 0; first <= boxes; first++)
                counts->of[c][boxes] += partitions[first] * counts->of[c - 1][boxes - first];
            if (counts->of[c][boxes] > UINT32_MAX)
                return false;
        }
    }
    return true;
}

uint64_t table__irreps_count(unsigned n, unsigned mod)
{
    struct counts counts;
    if (n > MAX_PIECES || mod > MAX_MOD || !count_tuples(n, mod, &counts))
        return UINT64_MAX;
    return counts.of[mod][n];
}

/* ---- partitions ------------------------------------------------------------------------- */

struct lister {
    struct partitions *partitions;
    unsigned boxes;
    uint32_t at;
};

/* Partitions whose first `parts` parts are in `beads`, the last of them `least`; those with `left`
 * boxes more. */
static void list_partitions(struct lister *lister, uint64_t beads, unsigned parts, unsigned least,
                            unsigned left)
{
    struct partitions *partitions = lister->partitions;
    const unsigned home = partitions->n - 1 - parts; /* of the next bead */

    if (left == 0) {
        partitions->boxes[lister->at] = (uint8_t)lister->boxes;
        partitions->beads[lister->at++] = beads | ((UINT64_C(1) << (home + 1)) - 1);
        return;
    }
    for (unsigned part = least < left ? least : left; part > 0; part--)
        list_partitions(lister, beads | UINT64_C(1) << (part + home), parts + 1, part, left - part);
}

static int compare_beads(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int partitions_init(struct partitions *partitions, unsigned n)
{
    uint64_t of[MAX_PIECES + 1];

    partitions->n = n;
    count_partitions(n, of);
    partitions->first[0] = 0;
    for (unsigned boxes = 0; boxes <= n; boxes++)
        partitions->first[boxes + 1] = partitions->first[boxes] + (uint32_t)of[boxes];
    partitions->beads = malloc(partitions->first[n + 1] * sizeof *partitions->beads);
    partitions->boxes = malloc(partitions->first[n + 1]);
    if (!partitions->beads || !partitions->boxes)
        return BASE_ERR_NOMEM;
    for (unsigned boxes = 0; boxes <= n; boxes++) {
        struct lister lister = {partitions, boxes, partitions->first[boxes]};
        list_partitions(&lister, 0, 0, boxes, boxes);
        BASE_ASSERT(lister.at == partitions->first[boxes + 1]);
        qsort(&partitions->beads[partitions->first[boxes]], (size_t)of[boxes],
              sizeof *partitions->beads, compare_beads);
    }
    return BASE_OK;
}

static void partitions_deinit(struct partitions *partitions)
{
    free(partitions->beads);
    free(partitions->boxes);
}

static uint32_t partition_of(const struct partitions *partitions, unsigned boxes, uint64_t beads)
{
    const uint64_t *begin = &partitions->beads[partitions->first[boxes]];
    size_t n = partitions->first[boxes + 1] - partitions->first[boxes];
    const uint64_t *found = bsearch(&beads, begin, n, sizeof *begin, compare_beads);
    BASE_ASSERT(found);
    return (uint32_t)(found - partitions->beads);
}

/* ---- tuples ----------------------------------------------------------------------------- */

/* How many tuples of the same boxes are before it: those with a smaller first partition, and so on.
 */
static uint32_t number_of(const struct tuples *tuples, const uint32_t *id, unsigned boxes)
{
    const struct partitions *partitions = tuples->partitions;
    const unsigned mod = tuples->irreps->mod;
    uint64_t number = 0;

    for (unsigned c = 0; c < mod; c++) {
        const uint64_t *rest = tuples->counts->of[mod - c - 1];
        unsigned mine = partitions->boxes[id[c]];
        for (unsigned fewer = 0; fewer < mine; fewer++)
            number +=
                (partitions->first[fewer + 1] - partitions->first[fewer]) * rest[boxes - fewer];
        number += (id[c] - partitions->first[mine]) * rest[boxes - mine];
        boxes -= mine;
    }
    return (uint32_t)number;
}

static void add_hook(struct tuples *tuples, unsigned length, struct table__hook hook)
{
    struct table__hooks *hooks = &tuples->irreps->hooks[tuples->boxes][length];

    if (hooks->n == hooks->room) {
        uint32_t room = hooks->room ? 2 * hooks->room : 64;
        struct table__hook *grown = realloc(hooks->hook, room * sizeof *grown);
        if (!grown) {
            tuples->code = BASE_ERR_NOMEM;
            return;
        }
        hooks->hook = grown;
        hooks->room = room;
    }
    hooks->hook[hooks->n++] = hook;
}

/* Moves one bead of one partition down to each free place. */
static void add_hooks_of_bead(struct tuples *tuples, uint32_t to, unsigned colour, unsigned bead)
{
    const struct partitions *partitions = tuples->partitions;
    const uint32_t id = tuples->id[colour];
    const uint64_t beads = partitions->beads[id];
    uint32_t rest[MAX_MOD];

    memcpy(rest, tuples->id, tuples->irreps->mod * sizeof *rest);
    for (unsigned place = bead; place-- > 0;) {
        unsigned length = bead - place;
        if (beads >> place & 1)
            continue;
        uint64_t jumped = beads & ((UINT64_C(1) << bead) - 1) & ~((UINT64_C(1) << place) - 1);
        uint64_t moved = (beads ^ UINT64_C(1) << bead) | UINT64_C(1) << place;
        rest[colour] = partition_of(partitions, partitions->boxes[id] - length, moved);
        add_hook(tuples, length,
                 (struct table__hook){.to = to,
                                      .from = number_of(tuples, rest, tuples->boxes - length),
                                      .colour = (uint8_t)colour,
                                      .odd = base_bits_count(jumped) & 1});
    }
}

/* The partition with rows and columns exchanged: gaps become beads, seen from the other end. */
static uint32_t transposed(const struct partitions *partitions, uint32_t id)
{
    const unsigned places = 2 * partitions->n;
    uint64_t beads = 0;
    for (unsigned place = 0; place < places; place++) {
        if (!(partitions->beads[id] >> place & 1))
            beads |= UINT64_C(1) << (places - 1 - place);
    }
    return partition_of(partitions, partitions->boxes[id], beads);
}

/* Compares `id`, turned around by so many places, with the tuple. */
static int compare_turned(const struct tuples *tuples, const uint32_t *id, unsigned by)
{
    const unsigned mod = tuples->irreps->mod;
    unsigned c = 0;
    while (c < mod && id[(c + by) % mod] == tuples->id[c])
        c++;
    if (c == mod)
        return 0;
    return id[(c + by) % mod] < tuples->id[c] ? -1 : 1;
}

/* How many different tuples come of this one by turning around and transposing; 0 if one of them is
 * before it. */
static unsigned kin_count(const struct tuples *tuples)
{
    const unsigned mod = tuples->irreps->mod, turns = tuples->sum_kept ? mod : 1;
    uint32_t other[MAX_MOD];
    unsigned same = 0;

    for (unsigned c = 0; c < mod; c++)
        other[c] = transposed(tuples->partitions, tuples->id[c]);
    for (unsigned by = 0; by < turns; by++) {
        int straight = compare_turned(tuples, tuples->id, by);
        int crossed = compare_turned(tuples, other, by);
        if (straight < 0 || crossed < 0)
            return 0;
        same += (straight == 0) + (crossed == 0);
    }
    return 2 * turns / same;
}

static void visit_tuple(struct tuples *tuples)
{
    struct table__irreps *irreps = tuples->irreps;
    uint32_t to = tuples->number++;

    if (tuples->boxes == irreps->n) {
        unsigned multiplicity = kin_count(tuples);
        if (multiplicity == 0)
            return;
        to = irreps->n_columns++;
        irreps->multiplicity[to] = multiplicity;
    }
    for (unsigned c = 0; c < irreps->mod; c++) {
        BASE_BITS_EACH(bead, tuples->partitions->beads[tuples->id[c]])
        add_hooks_of_bead(tuples, to, c, bead);
    }
}

/* All tuples whose first `colour` partitions are as they are, with `left` boxes more. */
static void visit_tuples(struct tuples *tuples, unsigned colour, unsigned left)
{
    const uint32_t *first = tuples->partitions->first;
    const bool last = colour + 1 == tuples->irreps->mod;

    for (uint32_t id = last ? first[left] : 0; id < first[left + 1]; id++) {
        tuples->id[colour] = id;
        if (last)
            visit_tuple(tuples);
        else
            visit_tuples(tuples, colour + 1, left - tuples->partitions->boxes[id]);
    }
}

/* ---- life ------------------------------------------------------------------------------- */

static int list_hooks(struct table__irreps *irreps, const struct partitions *partitions,
                      const struct counts *counts, bool sum_kept)
{
    struct tuples tuples = {
        .irreps = irreps, .partitions = partitions, .counts = counts, .sum_kept = sum_kept};

    for (unsigned boxes = 0; boxes <= irreps->n; boxes++) {
        irreps->count[boxes] = (uint32_t)counts->of[irreps->mod][boxes];
        tuples.boxes = boxes;
        tuples.number = 0;
        visit_tuples(&tuples, 0, boxes);
    }
    return tuples.code;
}

int table__irreps_init(struct table__irreps *irreps, unsigned n, unsigned mod, bool sum_kept)
{
    struct partitions partitions = {0};
    struct counts counts;

    bool fits = n <= MAX_PIECES && mod <= MAX_MOD && count_tuples(n, mod, &counts);
    BASE_ASSERT(fits);
    memset(irreps, 0, sizeof *irreps);
    irreps->n = n;
    irreps->mod = mod;
    irreps->multiplicity = calloc(counts.of[mod][n], sizeof *irreps->multiplicity);
    int code = irreps->multiplicity ? partitions_init(&partitions, n) : BASE_ERR_NOMEM;
    if (code == BASE_OK)
        code = list_hooks(irreps, &partitions, &counts, sum_kept);
    partitions_deinit(&partitions);
    return code;
}

void table__irreps_deinit(struct table__irreps *irreps)
{
    for (unsigned boxes = 0; boxes <= irreps->n; boxes++) {
        for (unsigned length = 0; length <= irreps->n; length++)
            free(irreps->hooks[boxes][length].hook);
    }
    free(irreps->multiplicity);
}
