/*
 * table_cube3.c - prepares the questions of a table for the 3x3x3 in a register.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/base/base_mem.h"
#include "core/table/table.h"

_Static_assert((int)CUBE3_SYM_BITS == (int)TABLE_SYM_BITS, "line_of_perm is shared");

/* ---- exact corners ----------------------------------------------------------------------- */

/* Slots of the view first, then those that nothing moves, so that every register byte has a place.
 */
static void view_slots(const struct table_coord *coord, unsigned size, uint8_t *select,
                       uint8_t *relabel)
{
    bool seen[16] = {false};
    unsigned count = coord->n;
    for (unsigned i = 0; i < coord->n; i++) {
        select[i] = coord->slot_of[i];
        seen[coord->slot_of[i]] = true;
    }
    for (unsigned slot = 0; slot < size; slot++)
        if (!seen[slot])
            select[count++] = (uint8_t)slot;
    for (unsigned i = size; i < 16; i++)
        select[i] = (uint8_t)i;
    for (unsigned i = 0; i < 16; i++)
        relabel[select[i]] = (uint8_t)i;
}

/* Lehmer rank of the eight view places split in two: what places 0..3 add, and what places 4..7
 * add. The latter depends only on the order of their own pieces. Places beyond the view hold their
 * own numbers and add nothing. */
static void exact_ranks(const struct table_coord *coord, struct cube3_exact *exact)
{
    uint32_t weight[8]; /* of the Lehmer digit at each place */
    for (unsigned i = 8, product = 1; i-- > 0;) {
        weight[i] = i < coord->n ? product : 0;
        product *= i < coord->n ? coord->n - i : 1;
    }
    for (unsigned field = 0; field < 4096; field++) {
        uint32_t head = 0, tail = 0;
        for (unsigned i = 0; i < 4; i++) {
            unsigned value = field >> 3 * i & 7, head_digit = value, tail_digit = 0;
            for (unsigned j = 0; j < 4; j++) {
                unsigned other = field >> 3 * j & 7;
                head_digit -= j < i && other < value;
                tail_digit += j > i && other < value;
            }
            head += head_digit * weight[i];
            tail += tail_digit * weight[4 + i];
        }
        exact->head[field] = (uint16_t)head;
        exact->tail[field] = (uint16_t)tail;
    }
}

static void exact_sym(const struct table_coord *coord, const struct table_view_sym *sym,
                      struct cube3_sym *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < coord->n; i++) {
        out->turn[i] = sym->turn[i];
        out->from[sym->slot[i]] = (uint8_t)i;
    }
    for (unsigned value = 0; value < coord->mod; value++)
        out->product[value] = (uint8_t)(value * sym->factor[0] % coord->mod);
}

/* The register form multiplies all slots by one factor. */
static bool factors_agree(const struct table_coord *coord)
{
    for (unsigned s = 0; s < coord->n_syms; s++)
        for (unsigned i = 1; i < coord->n; i++)
            if (coord->sym[s].factor[i] != coord->sym[s].factor[0])
                return false;
    return true;
}

static int exact_questions(const struct table_coord *coord, struct cube3_exact *exact)
{
    exact->line_of_perm = coord->line_of_perm;
    exact->stride = coord->stride;
    exact->sym = base_mem_new(coord->n_syms * sizeof *exact->sym, 16);
    if (!exact->sym)
        return BASE_ERR_NOMEM;
    view_slots(coord, 8, exact->select, exact->relabel);
    exact_ranks(coord, exact);
    for (unsigned s = 0; s < coord->n_syms; s++)
        exact_sym(coord, &coord->sym[s], &exact->sym[s]);
    for (unsigned set = 0; set < 256; set++) {
        uint32_t weight = 1;
        for (unsigned j = 0; j < coord->n_digits; j++, weight *= coord->mod)
            if (set >> j & 1)
                exact->weight[set] = (uint16_t)(exact->weight[set] + weight);
    }
    return 0;
}

/* ---- edge subsets ------------------------------------------------------------------------ */

static void subset_question(const struct table_coord *coord, unsigned s,
                            const struct table_questions_cube3 *questions,
                            struct cube3_subset *subset)
{
    const struct table_view_sym *sym = &coord->sym[s];
    uint8_t back[TABLE_MAX_VIEW]; /* [view]: the place that the symmetry takes there */
    memset(subset, 0, sizeof *subset);
    memset(subset->select, 0x80, sizeof subset->select);
    for (unsigned i = 0; i < coord->n; i++) {
        unsigned slot = coord->slot_of[i];
        subset->label[slot] = (uint8_t)(sym->slot[i] | sym->turn[i] << 4);
        subset->turn[slot] = (uint8_t)(sym->turn[i] << 4);
        back[sym->slot[i]] = (uint8_t)i;
    }
    for (unsigned j = 0; j < coord->k; j++)
        subset->select[j < coord->head ? j : 4 + j - coord->head] =
            coord->slot_of[back[coord->pick[j]]];
    subset->n_tails = coord->n_tails;
    subset->k = (uint8_t)coord->k;
    subset->head_count = (uint8_t)coord->head;
    subset->tail_count = (uint8_t)(coord->k - coord->head);
    subset->head = questions->head;
    subset->relative = questions->relative;
    subset->tail = questions->tail;
}

/* Ranks of all arrangements of `count` values below n, addressed by their four-bit fields. New. */
static uint16_t *field_ranks(unsigned count, unsigned n, uint32_t n_ranks)
{
    uint16_t *ranks = calloc((size_t)1 << 4 * count, sizeof *ranks);
    for (uint32_t rank = 0; ranks && rank < n_ranks; rank++) {
        uint8_t values[TABLE_MAX_PICK];
        uint32_t field = 0;
        table_unrank(rank, count, n, values);
        for (unsigned j = 0; j < count; j++)
            field |= (uint32_t)values[j] << 4 * j;
        ranks[field] = (uint16_t)rank;
    }
    return ranks;
}

/* For every head, the numbers of the pieces among those it leaves, four bits each. New. */
static uint64_t *relative_fields(const struct table_coord *coord)
{
    uint64_t *fields = calloc(coord->n_heads, sizeof *fields);
    for (uint32_t head = 0; fields && head < coord->n_heads; head++) {
        uint8_t values[TABLE_MAX_PICK];
        uint32_t used = 0;
        table_unrank(head, coord->head, coord->n, values);
        for (unsigned j = 0; j < coord->head; j++)
            used |= 1u << values[j];
        for (unsigned v = 0, next = 0; v < coord->n; v++)
            if (!(used >> v & 1))
                fields[head] |= (uint64_t)next++ << 4 * v;
    }
    return fields;
}

static int subset_questions(const struct table_coord *coord,
                            struct table_questions_cube3 *questions)
{
    questions->head = field_ranks(coord->head, coord->n, coord->n_heads);
    questions->tail = field_ranks(coord->k - coord->head, coord->n - coord->head, coord->n_tails);
    questions->relative = relative_fields(coord);
    if (!questions->head || !questions->tail || !questions->relative)
        return BASE_ERR_NOMEM;
    questions->n_questions = coord->partner != 0 ? 2 : 1;
    subset_question(coord, 0, questions, &questions->subset[0]);
    subset_question(coord, coord->partner, questions, &questions->subset[1]);
    return 0;
}

/* ---- products ---------------------------------------------------------------------------- */

static const struct sym *product_sym(const struct table_product *product, unsigned sym)
{
    return &product->group->sym[sym];
}

/* The cube as seen after a symmetry of the whole group. */
static void product_axis(const struct table_product *product, unsigned s, struct cube3_axis *axis)
{
    const struct sym *sym = product_sym(product, s);
    const uint16_t *first = product->group->first_slot;
    memset(axis, 0, sizeof *axis);
    for (unsigned i = 0; i < 8; i++) {
        unsigned at = first[CUBE3_CORNERS] + i;
        axis->corner_block[i] = product->fine ? product->block >> sym->slot[at] & 1 : 0;
        axis->corner_turn[i] = sym->turn[at];
        axis->corner_from[sym->slot[at]] = (uint8_t)i;
    }
    for (unsigned value = 0; value < 3; value++)
        axis->corner_product[value] = (uint8_t)(value * sym->factor[first[CUBE3_CORNERS]] % 3);
}

/* The edges after a symmetry of the whole group and one of those that keep the layer. */
static void product_edge_view(const struct table_product *product, unsigned axis, unsigned h,
                              struct cube3_edge_view *view)
{
    const struct sym *first = product_sym(product, axis);
    const struct sym *then = product_sym(product, product->sym[h].sym);
    unsigned edges = product->group->first_slot[CUBE3_EDGES];
    memset(view, 0, sizeof *view);
    memset(view->from, 0x80, sizeof view->from);
    for (unsigned i = 0; i < 12; i++) {
        unsigned slot = first->slot[edges + i], in = product->layer >> slot & 1;
        view->label[i] =
            (uint8_t)(in | (first->turn[edges + i] ^ product->sym[h].flip_of[in]) << 4);
        view->turn[i] = (uint8_t)((first->turn[edges + i] ^ then->turn[edges + slot]) << 4);
        view->from[then->slot[edges + slot]] = (uint8_t)i;
    }
}

/* Is the part of a state, seen along an axis, that of the solved state? */
static bool keeps_part(const struct table_product *product, unsigned a, const uint8_t *state)
{
    uint8_t solved[PERM_MAX_BYTES], image[PERM_MAX_BYTES];
    struct table_product_parts parts, home;
    perm_identity(puzzle_shape(product->group->puzzle), solved);
    sym_apply(product->group, product->axis[a], state, image);
    table_product_parts_of(product, image, &parts);
    table_product_parts_of(product, solved, &home);
    return table_product_raw(product, &parts) == table_product_raw(product, &home) &&
           parts.layer == home.layer && parts.flips == home.flips;
}

/* (1/m) * x and (1/n) * x have the same part if (1/m) * n keeps the solved one's. */
static bool is_same(const struct table_product *product, unsigned a, unsigned m, unsigned n)
{
    const struct puzzle *puzzle = product->group->puzzle;
    const struct puzzle_move *move = puzzle_move_at(puzzle, m);
    uint8_t both[PERM_MAX_BYTES];
    perm_compose(puzzle_shape(puzzle), puzzle_move_at(puzzle, move->inverse)->transform,
                 puzzle_move_at(puzzle, n)->transform, both);
    return keeps_part(product, a, both);
}

/* What moves from the left do: the parts are the cosets of the states that keep the solved one's,
 * because they are closed under moves from the right. */
static void product_left_moves(const struct table_product *product, unsigned a,
                               struct cube3_product *out)
{
    const struct puzzle *puzzle = product->group->puzzle;
    unsigned n = puzzle_move_count(puzzle);
    n = n < CUBE3_LEFT_MOVES ? n : (unsigned)CUBE3_LEFT_MOVES;
    out->keeps[a] = 0;
    for (unsigned m = 0; m < n; m++) {
        bool keeps = keeps_part(product, a, puzzle_move_at(puzzle, m)->transform);
        out->keeps[a] |= (uint32_t)keeps << m;
        out->same[a][m] = 0;
        for (unsigned other = 0; other < n; other++)
            out->same[a][m] |= (uint32_t)is_same(product, a, m, other) << other;
    }
}

/* Product coordinates are only made for puzzles that fit the register, and one factor serves all
 * corners. */
static int product_questions(const struct table_product *product,
                             struct table_questions_cube3 *questions)
{
    struct cube3_product *out = &questions->product;
    out->view[0] =
        base_mem_new((size_t)CUBE3_MAX_AXES * product->n_syms * sizeof *out->view[0], 64);
    if (!out->view[0])
        return BASE_ERR_NOMEM;
    questions->n_questions = out->n_axes =
        product->n_axes < CUBE3_MAX_AXES ? product->n_axes : (unsigned)CUBE3_MAX_AXES;
    for (unsigned a = 0; a < out->n_axes; a++) {
        product_axis(product, product->axis[a], &out->axis[a]);
        out->view[a] = out->view[0] + (size_t)a * product->n_syms;
        for (unsigned h = 0; h < product->n_syms; h++)
            product_edge_view(product, product->axis[a], h, &out->view[a][h]);
    }
    for (unsigned a = 0; a < out->n_axes; a++)
        product_left_moves(product, a, out);
    out->class_of = product->class_of;
    out->layer_rank = product->layer_rank;
    out->n_layers = product->n_layers;
    out->flip_bits = product->flip_bits;
    out->flip_shift = product->flip_shift;
    out->flip_mask = (1u << product->flip_bits) - 1;
    for (unsigned set = 0; set < 256; set++) {
        out->block[set] = product->fine ? product->block_rank[set] * product->n_turns : 0;
        out->weight[set] = 0;
        for (unsigned j = 0, weight = 1; j < 7; j++, weight *= 3)
            out->weight[set] = (uint16_t)(out->weight[set] + (set >> j & 1) * weight);
    }
    return 0;
}

/* ---- all --------------------------------------------------------------------------------- */

bool table_is_askable(const struct puzzle *puzzle, unsigned orbit, unsigned k)
{
    return !cube3_fits(puzzle) || (k == 0) == (orbit == CUBE3_CORNERS);
}

/* Hash tables are asked by the reference code: they are for orbits that the register has not. */
static bool can_ask(const struct table_spec *spec)
{
    const struct table_coord *coord = spec->coord;
    if (spec->hash)
        return false;
    if (spec->steps)
        return cube3_has_structures(spec->puzzle);
    if (spec->product)
        return cube3_fits(spec->product->group->puzzle);
    if (!cube3_fits(coord->group->puzzle))
        return false;
    if (coord->kind == TABLE_COORD_EXACT)
        return coord->orbit == CUBE3_CORNERS && factors_agree(coord);
    return coord->orbit == CUBE3_EDGES && coord->n_heads <= UINT16_MAX;
}

int table_questions_cube3_new(const struct table_spec *spec, struct table_questions_cube3 **out)
{
    *out = NULL;
    if (!can_ask(spec))
        return 0;
    struct table_questions_cube3 *questions = base_mem_new(sizeof *questions, 32);
    if (!questions)
        return BASE_ERR_NOMEM;
    int code = 0;
    questions->kind = table_spec_kind(spec);
    questions->orbit = spec->orbit;
    if (questions->kind == TABLE_KIND_CYCLE_STRUCTURE)
        questions->keys = table_structure_keys(spec->steps);
    else if (questions->kind == TABLE_KIND_PRODUCT)
        code = product_questions(spec->product, questions);
    else if (questions->kind == TABLE_KIND_EXACT)
        code = exact_questions(spec->coord, &questions->exact);
    else
        code = subset_questions(spec->coord, questions);
    if (code != 0) {
        table_questions_cube3_free(questions);
        return code;
    }
    *out = questions;
    return 0;
}

void table_questions_cube3_free(struct table_questions_cube3 *questions)
{
    if (!questions)
        return;
    base_mem_free(questions->exact.sym);
    base_mem_free(questions->product.view[0]);
    free(questions->head);
    free(questions->relative);
    free(questions->tail);
    base_mem_free(questions);
}
