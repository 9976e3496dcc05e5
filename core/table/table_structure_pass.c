/*
 * table_structure_pass.c - one layer of a table by the lattice.
 *
 * The layer goes down the lattice: a node learns by how many cycles it is smaller than some
 * structure of the layer, and of which kind their total is. There the rule turns these p cycles
 * into all q, and these go up again, one cycle a step, and end at structures. Nodes of a row move
 * at once; rows that know nothing are passed over.
 *
 * Where the divisor may matter (few m), going up says only *perhaps*. Structures that get no better
 * answer are looked at one by one.
 */
#include <string.h>

#include "core/table/table_structure_lattice_int.h"

enum {
    MAX_LENGTH = TABLE__LATTICE_MAX_LENGTH,
    MAX_KINDS = TABLE__LATTICE_MAX_KINDS,
    SURE = TABLE__LATTICE_SURE,
    PERHAPS = TABLE__LATTICE_PERHAPS,
    END_OF_MOVES = 2 * (MAX_LENGTH + 1) /* of move = 2 * length + turned, from 2 on */
};

/* Bits that are left, in each of eight bytes, when they have been shifted for one cycle taken away
 * and for one put back. */
#define DOWN_BITS UINT64_C(0xfefefefefefefefe)
#define UP_BITS UINT64_C(0x7f7f7f7f7f7f7f7f)

/* What the nodes know. Bit p of down[kind][node]: the node is a structure of the layer without p
 * cycles whose total is of that kind. up[kind][node]: bits SURE << q and PERHAPS << q, the node and
 * q cycles of that kind make a neighbour of the layer. */
struct pass {
    const struct table__lattice *lattice;
    uint8_t *down[MAX_KINDS];
    uint16_t *up[MAX_KINDS];
    bool *down_row, *up_row;                    /* [row]: does any of its nodes know anything? */
    uint16_t answer[MAX_KINDS][MAX_KINDS][256]; /* [kind before][after][bits of down] */
};

struct row {
    unsigned plain, oriented; /* pieces */
    uint32_t rank;            /* of the plain lengths */
    uint32_t number;
    uint32_t node; /* the first of its `width` nodes */
    uint32_t width;
};

static struct row row_at(const struct table__lattice *lattice, unsigned plain, unsigned oriented,
                         uint32_t rank)
{
    const uint32_t width = table__lattice_partitions(lattice, oriented);
    return (struct row){.plain = plain,
                        .oriented = oriented,
                        .rank = rank,
                        .number = lattice->row[plain][oriented] + rank,
                        .node = lattice->block[plain][oriented] + rank * width,
                        .width = width};
}

static const uint32_t *longer_ones(const struct table__lattice *lattice, unsigned pieces,
                                   unsigned length)
{
    return &lattice->longer[lattice->first_longer[pieces][length]];
}

/* The row whose nodes have one plain cycle more; with an oriented one more, the row is the one
 * `length` pieces on, and longer_ones(row->oriented, length) tells which nodes of it. */
static struct row row_above(const struct table__lattice *lattice, const struct row *row,
                            unsigned length, bool oriented)
{
    if (oriented)
        return row_at(lattice, row->plain, row->oriented + length, row->rank);
    return row_at(lattice, row->plain + length, row->oriented,
                  longer_ones(lattice, row->plain, length)[row->rank]);
}

/* Calls `step` with all rows of so many pieces. */
static void each_row(struct pass *pass, unsigned pieces,
                     void (*step)(struct pass *pass, const struct row *row))
{
    const struct table__lattice *lattice = pass->lattice;
    for (unsigned plain = 0; plain <= pieces; plain++) {
        if (pieces - plain > lattice->most_oriented)
            continue;
        for (uint32_t rank = 0; rank < table__lattice_partitions(lattice, plain); rank++) {
            struct row row = row_at(lattice, plain, pieces - plain, rank);
            step(pass, &row);
        }
    }
}

/* ---- down ------------------------------------------------------------------------------- */

static void mark_row(struct pass *pass, const struct row *row)
{
    pass->down_row[row->number] = memchr(pass->down[0] + row->node, 1, row->width) != NULL;
}

static void take_plain(struct pass *pass, const struct row *to, const struct row *from)
{
    for (unsigned k = 0; k < pass->lattice->n_kinds; k++) {
        uint8_t *below = pass->down[k] + to->node;
        const uint8_t *above = pass->down[k] + from->node;
        uint32_t at = 0;
        for (; at + 8 <= to->width; at += 8) {
            uint64_t bits, known;
            memcpy(&bits, above + at, sizeof bits);
            memcpy(&known, below + at, sizeof known);
            known |= bits << 1 & DOWN_BITS;
            memcpy(below + at, &known, sizeof known);
        }
        for (; at < to->width; at++)
            below[at] |= (uint8_t)(above[at] << 1);
    }
}

static void take_oriented(struct pass *pass, const struct row *to, const struct row *from)
{
    const struct table__lattice *lattice = pass->lattice;
    const uint32_t *longer = longer_ones(lattice, to->oriented, from->oriented - to->oriented);
    for (unsigned k = 0; k < lattice->n_kinds; k++) {
        uint8_t *below = pass->down[table__lattice_next_kind(lattice, k)] + to->node;
        const uint8_t *above = pass->down[k] + from->node;
        for (uint32_t i = 0; i < to->width; i++)
            below[i] |= (uint8_t)(above[longer[i]] << 1);
    }
}

static void step_down(struct pass *pass, const struct row *row)
{
    const struct table__lattice *lattice = pass->lattice;
    const unsigned left = lattice->n - row->plain - row->oriented;

    for (unsigned length = 1; length <= left; length++) {
        struct row above = row_above(lattice, row, length, false);
        if (pass->down_row[above.number]) {
            pass->down_row[row->number] = true;
            take_plain(pass, row, &above);
        }
        if (lattice->most_oriented == 0)
            continue;
        above = row_above(lattice, row, length, true);
        if (pass->down_row[above.number]) {
            pass->down_row[row->number] = true;
            take_oriented(pass, row, &above);
        }
    }
}

/* ---- the rule --------------------------------------------------------------------------- */

static uint16_t answer_to_all(unsigned j, unsigned m, unsigned ps)
{
    unsigned answer = 0;
    for (unsigned p = 1; p <= MAX_LENGTH; p++) {
        if (ps >> p & 1)
            answer |= table__lattice_answer(j, m, p);
    }
    return (uint16_t)answer;
}

static void make_answers(struct pass *pass, unsigned m)
{
    const struct table__lattice *lattice = pass->lattice;

    memset(pass->answer, 0, sizeof pass->answer);
    for (unsigned move = 2; move < END_OF_MOVES; move++) {
        const unsigned j = move / 2, turned = move % 2;
        if (!lattice->moves[j][turned])
            continue;
        for (unsigned ps = 0; ps < 256; ps++) {
            uint16_t answer = answer_to_all(j, m, ps);
            for (unsigned k = 0; k < lattice->n_kinds * lattice->n_kinds; k++) {
                unsigned before = k / lattice->n_kinds, after = k % lattice->n_kinds;
                if (table__lattice_kinds_fit(lattice, before, after, turned))
                    pass->answer[before][after][ps] |= answer;
            }
        }
    }
}

static void answer(struct pass *pass, const struct row *row)
{
    const struct table__lattice *lattice = pass->lattice;

    if (!pass->down_row[row->number])
        return;
    pass->up_row[row->number] = true;
    for (unsigned before = 0; before < lattice->n_kinds; before++) {
        for (unsigned after = 0; after < lattice->n_kinds; after++) {
            const uint8_t *down = pass->down[before] + row->node;
            uint16_t *up = pass->up[after] + row->node;
            for (uint32_t o = 0; o < row->width; o++)
                up[o] |= pass->answer[before][after][down[o]];
        }
    }
}

/* ---- up --------------------------------------------------------------------------------- */

static void put_plain(struct pass *pass, const struct row *to, const struct row *from)
{
    for (unsigned k = 0; k < pass->lattice->n_kinds; k++) {
        uint16_t *above = pass->up[k] + to->node;
        const uint16_t *below = pass->up[k] + from->node;
        uint32_t at = 0;
        for (; at + 4 <= to->width; at += 4) {
            uint64_t bits, known;
            memcpy(&bits, below + at, sizeof bits);
            memcpy(&known, above + at, sizeof known);
            known |= bits >> 1 & UP_BITS;
            memcpy(above + at, &known, sizeof known);
        }
        for (; at < to->width; at++)
            above[at] |= (uint16_t)(below[at] >> 1 & UP_BITS);
    }
}

/* A total that lacks one oriented cycle less is of the kind that comes before. */
static void put_oriented(struct pass *pass, const struct row *to, const struct row *from)
{
    const struct table__lattice *lattice = pass->lattice;
    const uint32_t *longer = longer_ones(lattice, from->oriented, to->oriented - from->oriented);
    for (unsigned k = 0; k < lattice->n_kinds; k++) {
        uint16_t *above = pass->up[k] + to->node;
        const uint16_t *below = pass->up[table__lattice_next_kind(lattice, k)] + from->node;
        for (uint32_t i = 0; i < from->width; i++)
            above[longer[i]] |= (uint16_t)(below[i] >> 1 & UP_BITS);
    }
}

static void step_up(struct pass *pass, const struct row *row)
{
    const struct table__lattice *lattice = pass->lattice;
    const unsigned left = lattice->n - row->plain - row->oriented;

    if (!pass->up_row[row->number])
        return;
    for (unsigned length = 1; length <= left; length++) {
        struct row above = row_above(lattice, row, length, false);
        pass->up_row[above.number] = true;
        put_plain(pass, &above, row);
        if (lattice->most_oriented == 0)
            continue;
        above = row_above(lattice, row, length, true);
        pass->up_row[above.number] = true;
        put_oriented(pass, &above, row);
    }
}

/* ---- when the divisor matters ------------------------------------------------------------ */

/* A structure, some of whose cycles have been taken away, and what has been taken. */
struct doubt {
    const struct pass *pass;
    struct table__cycles rest;
    unsigned q, m, oriented, divisor;
};

/* A cycle of j pieces may have made the cycles taken from p others, of which some are put back. */
struct partner {
    unsigned j;
    unsigned p;       /* cycles still to be put back, */
    unsigned left;    /* their pieces, */
    unsigned longest; /* the longest of them, */
    unsigned kind;    /* of their total */
    unsigned divisor; /* of the cycles taken and those put back */
};

static unsigned gcd(unsigned a, unsigned b)
{
    while (b) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Does the layer have a structure like that, so that no too large divisor is left? The nodes on the
 * way tell whether it has any. */
static bool has_partner(const struct doubt *doubt, struct table__cycles *cycles,
                        struct partner partner)
{
    const struct pass *pass = doubt->pass;
    const struct table__lattice *lattice = pass->lattice;

    if (!(pass->down[partner.kind][table__lattice_node_of(lattice, cycles)] >> partner.p & 1))
        return false;
    if (doubt->m >= partner.j * partner.divisor)
        return true;
    const unsigned longest = partner.longest < partner.left ? partner.longest : partner.left;
    for (unsigned length = partner.p > 0 ? longest : 0; length > 0; length--) {
        struct partner next = {.j = partner.j,
                               .p = partner.p - 1,
                               .left = partner.left - length,
                               .longest = length,
                               .kind = partner.kind,
                               .divisor = gcd(partner.divisor, length)};
        cycles->count[0][length]++;
        bool found = has_partner(doubt, cycles, next);
        cycles->count[0][length]--;
        cycles->count[1][length]++;
        for (unsigned k = 0; k < lattice->n_kinds && lattice->most_oriented > 0 && !found; k++) {
            next.kind = k;
            found = table__lattice_next_kind(lattice, k) == partner.kind &&
                    has_partner(doubt, cycles, next);
        }
        cycles->count[1][length]--;
        if (found)
            return true;
    }
    return false;
}

/* Can the cycles taken have come from the layer by a cycle of j that meets j + 1 - q? */
static bool came_by(const struct doubt *doubt, unsigned j, unsigned turned)
{
    const struct table__lattice *lattice = doubt->pass->lattice;
    const unsigned after = table__lattice_kind_of(lattice, doubt->oriented);
    struct table__cycles cycles = doubt->rest;

    if (doubt->q > j || doubt->m < j)
        return false;
    for (unsigned k = 0; k < lattice->n_kinds; k++) {
        struct partner partner = {.j = j,
                                  .p = j + 1 - doubt->q,
                                  .left = doubt->m,
                                  .longest = doubt->m,
                                  .kind = k,
                                  .divisor = doubt->divisor};
        if (table__lattice_kinds_fit(lattice, k, after, turned) &&
            has_partner(doubt, &cycles, partner))
            return true;
    }
    return false;
}

/* Takes away cycles in all ways, from `least` (2 * length + oriented) on. */
static bool is_neighbour(struct doubt *doubt, unsigned least)
{
    const struct table__lattice *lattice = doubt->pass->lattice;

    for (unsigned move = 2; doubt->q > 0 && move < END_OF_MOVES; move++) {
        if (lattice->moves[move / 2][move % 2] && came_by(doubt, move / 2, move % 2))
            return true;
    }
    for (unsigned kind = least; kind <= 2 * lattice->n + 1 && doubt->q < MAX_LENGTH; kind++) {
        const unsigned length = kind / 2, oriented = kind % 2;
        const struct doubt before = *doubt;
        if (doubt->rest.count[oriented][length] == 0)
            continue;
        doubt->rest.count[oriented][length]--;
        doubt->q++;
        doubt->m += length;
        doubt->oriented += oriented;
        doubt->divisor = gcd(doubt->divisor, length);
        bool found = is_neighbour(doubt, kind);
        *doubt = before;
        if (found)
            return true;
    }
    return false;
}

/* ---- together --------------------------------------------------------------------------- */

struct harvest {
    const struct pass *pass;
    uint8_t *entries;
    unsigned layer;
    uint64_t found;
    bool doubts;
};

static void note_found(struct harvest *harvest, uint32_t number)
{
    harvest->entries[number] = (uint8_t)(harvest->layer + 1);
    harvest->found++;
}

static void harvest_sure(struct harvest *harvest)
{
    const struct table__lattice *lattice = harvest->pass->lattice;
    for (uint32_t i = 0; i < lattice->n_structures; i++) {
        unsigned up = harvest->pass->up[0][lattice->node[i]];
        if (harvest->entries[i] != 0)
            continue;
        if (up & SURE)
            note_found(harvest, i);
        else if (up & PERHAPS)
            harvest->doubts = true;
    }
}

static bool harvest_doubtful(void *arg, uint32_t number, const struct table__cycles *cycles)
{
    struct harvest *harvest = arg;
    const struct pass *pass = harvest->pass;
    if (harvest->entries[number] == 0 && pass->up[0][pass->lattice->node[number]] & PERHAPS) {
        struct doubt doubt = {.pass = pass, .rest = *cycles};
        if (is_neighbour(&doubt, 2))
            note_found(harvest, number);
    }
    return true;
}

/* Working memory: up, down, and the flags of rows. */
uint64_t table__lattice_work_bytes(const struct table__lattice *lattice)
{
    return (uint64_t)lattice->n_kinds * lattice->n_nodes * (sizeof(uint8_t) + sizeof(uint16_t)) +
           2 * lattice->n_rows * sizeof(bool);
}

static void pass_init(struct pass *pass, const struct table__lattice *lattice, void *work)
{
    const size_t cells = (size_t)lattice->n_kinds * lattice->n_nodes;
    uint16_t *up = work;
    uint8_t *down = (uint8_t *)(up + cells);

    memset(work, 0, table__lattice_work_bytes(lattice));
    pass->lattice = lattice;
    for (unsigned k = 0; k < lattice->n_kinds; k++) {
        pass->up[k] = up + (size_t)k * lattice->n_nodes;
        pass->down[k] = down + (size_t)k * lattice->n_nodes;
    }
    pass->down_row = (bool *)(down + cells);
    pass->up_row = pass->down_row + lattice->n_rows;
}

uint64_t table__lattice_deepen(const struct table__lattice *lattice, void *work, uint8_t *entries,
                               unsigned layer)
{
    struct pass pass;
    struct harvest harvest = {.pass = &pass, .entries = entries, .layer = layer};

    pass_init(&pass, lattice, work);
    for (uint32_t i = 0; i < lattice->n_structures; i++)
        pass.down[0][lattice->node[i]] = entries[i] == layer;
    each_row(&pass, lattice->n, mark_row);
    for (unsigned pieces = lattice->n; pieces-- > 0;)
        each_row(&pass, pieces, step_down);
    for (unsigned pieces = 0; pieces <= lattice->n; pieces++) {
        make_answers(&pass, lattice->n - pieces);
        each_row(&pass, pieces, answer);
        each_row(&pass, pieces, step_up);
    }
    harvest_sure(&harvest);
    if (harvest.doubts)
        table__orbit_each(lattice->orbit, harvest_doubtful, &harvest);
    return harvest.found;
}
