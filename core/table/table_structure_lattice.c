/*
 * table_structure_lattice.c - numbers of the lattice's nodes, and the rule in numbers.
 */
#include "core/table/table_structure_lattice_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"

enum {
    MAX_LENGTH = TABLE__LATTICE_MAX_LENGTH,
    MAX_PIECES = TABLE__MAX_PIECES,
    MAX_PARTITIONS = 1 << 18,
    MAX_NODES = 9 << 18
};

/* ---- the rule --------------------------------------------------------------------------- */

/*
 *     one orientation, or two and the sum is kept     always 0: it is what it has to be
 *     two                                             odd or even
 *     three and more                                  0 (zero), 1 (not zero), 2 and more (any)
 */
unsigned table__lattice_next_kind(const struct table__lattice *lattice, unsigned kind)
{
    switch (lattice->n_kinds) {
    case 1:
        return 0;
    case 2:
        return 1 - kind;
    default:
        return kind < 2 ? kind + 1 : 2;
    }
}

unsigned table__lattice_kind_of(const struct table__lattice *lattice, unsigned oriented)
{
    unsigned kind = 0;
    for (unsigned i = 0; i < oriented; i++)
        kind = table__lattice_next_kind(lattice, kind);
    return kind;
}

/* Not zero and not zero make zero as well as not zero where there are three orientations. */
bool table__lattice_kinds_fit(const struct table__lattice *lattice, unsigned before, unsigned after,
                              bool turned)
{
    switch (lattice->n_kinds) {
    case 1:
        return true;
    case 2:
        return (before ^ after) == turned;
    default:
        return turned ? before + after != 0 : before + after != 1;
    }
}

/* May p and q cycles of m pieces together have a divisor that is too large? Each has that many
 * pieces at least, and m divided by it is less than j. */
static bool divisor_matters(unsigned j, unsigned m, unsigned p, unsigned q)
{
    for (unsigned ratio = p > q ? p : q; ratio < j; ratio++) {
        if (m % ratio == 0 && m / ratio > 1)
            return true;
    }
    return false;
}

uint16_t table__lattice_answer(unsigned j, unsigned m, unsigned p)
{
    unsigned answer = 0;
    if (m < j || p > j)
        return 0;
    for (unsigned q = j + 1 - p;; q -= 2) {
        bool tight = p + q == j + 1;
        answer |= (unsigned)TABLE__LATTICE_PERHAPS << q;
        if (!tight || !divisor_matters(j, m, p, q))
            answer |= (unsigned)TABLE__LATTICE_SURE << q;
        if (q <= 2)
            break;
    }
    return (uint16_t)answer;
}

/* ---- partitions ------------------------------------------------------------------------- */

static void count_partitions(struct table__lattice *lattice)
{
    for (unsigned part = 0; part <= lattice->n; part++)
        lattice->up_to[0][part] = 1;
    for (unsigned pieces = 1; pieces <= lattice->n; pieces++) {
        for (unsigned part = 1; part <= lattice->n; part++) {
            lattice->up_to[pieces][part] = lattice->up_to[pieces][part - 1];
            if (part <= pieces)
                lattice->up_to[pieces][part] += lattice->up_to[pieces - part][part];
        }
    }
}

/* Number of the partition with these parts; those with smaller first parts come before it. */
static uint32_t rank_of(const struct table__lattice *lattice, const uint8_t *count, unsigned pieces)
{
    uint32_t rank = 0;
    for (unsigned part = pieces; pieces > 0; part--) {
        for (unsigned i = 0; i < count[part]; i++) {
            rank += lattice->up_to[pieces][part - 1];
            pieces -= part;
        }
    }
    return rank;
}

static void parts_of(const struct table__lattice *lattice, uint32_t rank, unsigned pieces,
                     uint8_t *count)
{
    memset(count, 0, MAX_PIECES + 1);
    for (unsigned part = pieces; pieces > 0;) {
        while (lattice->up_to[pieces][part - 1] > rank)
            part--;
        rank -= lattice->up_to[pieces][part - 1];
        count[part]++;
        pieces -= part;
    }
}

/* The partitions of so many pieces, each with one part more. */
static void list_longer(struct table__lattice *lattice, unsigned pieces)
{
    for (uint32_t rank = 0; rank < table__lattice_partitions(lattice, pieces); rank++) {
        uint8_t count[MAX_PIECES + 1];
        parts_of(lattice, rank, pieces, count);
        for (unsigned length = 1; pieces + length <= lattice->n; length++) {
            count[length]++;
            lattice->longer[lattice->first_longer[pieces][length] + rank] =
                rank_of(lattice, count, pieces + length);
            count[length]--;
        }
    }
}

/* ---- nodes ------------------------------------------------------------------------------ */

uint32_t table__lattice_node_of(const struct table__lattice *lattice,
                                const struct table__cycles *cycles)
{
    unsigned pieces[2] = {0, 0};
    for (unsigned length = 1; length <= lattice->n; length++) {
        pieces[0] += length * cycles->count[0][length];
        pieces[1] += length * cycles->count[1][length];
    }
    return lattice->block[pieces[0]][pieces[1]] +
           rank_of(lattice, cycles->count[0], pieces[0]) *
               table__lattice_partitions(lattice, pieces[1]) +
           rank_of(lattice, cycles->count[1], pieces[1]);
}

static int count_longer(struct table__lattice *lattice)
{
    uint64_t n_partitions = 0, n_longer = 0;
    for (unsigned pieces = 0; pieces <= lattice->n; pieces++) {
        n_partitions += table__lattice_partitions(lattice, pieces);
        if (n_partitions > MAX_PARTITIONS)
            return BASE_ERR_TOO_LARGE;
        for (unsigned length = 1; pieces + length <= lattice->n; length++) {
            lattice->first_longer[pieces][length] = (uint32_t)n_longer;
            n_longer += table__lattice_partitions(lattice, pieces);
        }
    }
    lattice->n_longer = (uint32_t)n_longer;
    return BASE_OK;
}

static int number_nodes(struct table__lattice *lattice)
{
    uint64_t n_nodes = 0;
    for (unsigned plain = 0; plain <= lattice->n; plain++) {
        for (unsigned oriented = 0;
             oriented <= lattice->most_oriented && plain + oriented <= lattice->n; oriented++) {
            const uint32_t n_rows = table__lattice_partitions(lattice, plain);
            lattice->block[plain][oriented] = (uint32_t)n_nodes;
            lattice->row[plain][oriented] = lattice->n_rows;
            lattice->n_rows += n_rows;
            n_nodes += (uint64_t)n_rows * table__lattice_partitions(lattice, oriented);
            if (n_nodes > MAX_NODES)
                return BASE_ERR_TOO_LARGE;
        }
    }
    lattice->n_nodes = (uint32_t)n_nodes;
    return BASE_OK;
}

static bool note_node(void *arg, uint32_t number, const struct table__cycles *cycles)
{
    struct table__lattice *lattice = arg;
    lattice->node[number] = table__lattice_node_of(lattice, cycles);
    return true;
}

/* ---- life ------------------------------------------------------------------------------- */

static int make_lists(struct table__lattice *lattice)
{
    lattice->longer = malloc((lattice->n_longer + 1) * sizeof *lattice->longer);
    lattice->node = malloc(lattice->n_structures * sizeof *lattice->node);
    if (!lattice->longer || !lattice->node)
        return BASE_ERR_NOMEM;
    for (unsigned pieces = 0; pieces <= lattice->n; pieces++)
        list_longer(lattice, pieces);
    table__orbit_each(lattice->orbit, note_node, lattice);
    return BASE_OK;
}

static bool moves_are_short_cycles(const struct table__orbit *orbit)
{
    for (unsigned m = 0; m < orbit->n_moves; m++) {
        if (orbit->move[m].n != 1 || orbit->move[m].length[0] > MAX_LENGTH)
            return false;
    }
    return true;
}

static int init(struct table__lattice *lattice, const struct table__orbit *orbit, uint32_t count)
{
    lattice->orbit = orbit;
    lattice->n_structures = count;
    lattice->n = orbit->n;
    lattice->most_oriented = orbit->mod > 1 ? orbit->n : 0;
    lattice->n_kinds = orbit->mod > 2 ? 3 : (orbit->mod == 2 && !orbit->sum_kept ? 2 : 1);
    for (unsigned m = 0; m < orbit->n_moves; m++)
        lattice->moves[orbit->move[m].length[0]][orbit->move[m].sum[0] != 0] = true;
    count_partitions(lattice);
    int code = count_longer(lattice);
    if (code == BASE_OK)
        code = number_nodes(lattice);
    return code ? code : make_lists(lattice);
}

int table__lattice_new(const struct table__orbit *orbit, uint32_t count,
                       struct table__lattice **out)
{
    *out = NULL;
    if (!moves_are_short_cycles(orbit))
        return BASE_ERR_TOO_LARGE;
    struct table__lattice *lattice = calloc(1, sizeof *lattice);
    if (!lattice)
        return BASE_ERR_NOMEM;
    int code = init(lattice, orbit, count);
    if (code)
        table__lattice_free(lattice);
    else
        *out = lattice;
    return code;
}

void table__lattice_free(struct table__lattice *lattice)
{
    if (!lattice)
        return;
    free(lattice->longer);
    free(lattice->node);
    free(lattice);
}

uint64_t table__lattice_memory(const struct table__lattice *lattice)
{
    return sizeof *lattice + lattice->n_longer * sizeof *lattice->longer +
           lattice->n_structures * sizeof *lattice->node;
}
