/*
 * table_product.c - finds the parts in the definition and numbers them.
 */
#include "core/table/table_product_inl.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_codec_inl.h"

enum { UNSEEN = UINT32_MAX, COLOURED = 8, LINED = 12, LAYER = 4, BLOCK = 4 };
enum { MOST_HIGH_BITS = 6 }; /* so many visible flips or fewer are the high ones */

static const struct sym *group_sym(const struct table_product *product, unsigned h)
{
    return &product->group->sym[product->sym[h].sym];
}

/* First slot of an orbit in the arrays of a symmetry. */
static unsigned first_slot(const struct table_product *product, unsigned orbit)
{
    return product->group->first_slot[orbit];
}

/* ---- finding the parts ------------------------------------------------------------------- */

static bool has_shape(const struct puzzle *puzzle)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    return shape->n_orbits == 2 && shape->orbit[0].size == COLOURED && shape->orbit[0].mod == 3 &&
           shape->orbit[1].size == LINED && shape->orbit[1].mod == 2 &&
           puzzle_movable_count(puzzle, 0) == COLOURED &&
           puzzle_movable_count(puzzle, 1) == LINED && puzzle_orientation_sum_kept(puzzle, 0) &&
           puzzle_orientation_sum_kept(puzzle, 1);
}

static bool moves_commute(const struct puzzle *puzzle, unsigned a, unsigned b)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    uint8_t ab[PERM_MAX_BYTES], ba[PERM_MAX_BYTES];
    perm_compose(shape, puzzle_move_at(puzzle, a)->transform, puzzle_move_at(puzzle, b)->transform,
                 ab);
    perm_compose(shape, puzzle_move_at(puzzle, b)->transform, puzzle_move_at(puzzle, a)->transform,
                 ba);
    return perm_equal(shape, ab, ba);
}

/* The slots of the second orbit that neither the first move nor any that commutes with it moves. */
static uint16_t find_layer(const struct puzzle *puzzle)
{
    const struct perm_orbit *orbit = &puzzle_shape(puzzle)->orbit[TABLE_PRODUCT_LINES];
    uint16_t layer = (1 << LINED) - 1;
    for (unsigned m = 0; m < puzzle_move_count(puzzle); m++) {
        if (!moves_commute(puzzle, 0, m))
            continue;
        const uint8_t *piece = perm_pieces(orbit, puzzle_move_at(puzzle, m)->transform);
        for (unsigned i = 0; i < LINED; i++)
            if (piece[i] != i)
                layer &= (uint16_t) ~(1u << i);
    }
    return layer;
}

/* The slots of the first orbit that squares of moves cannot bring to slot 0. */
static uint16_t find_block(const struct puzzle *puzzle)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);
    uint16_t reached = 1;
    for (unsigned round = 0; round < COLOURED; round++)
        for (unsigned m = 0; m < puzzle_move_count(puzzle); m++) {
            uint8_t square[PERM_MAX_BYTES];
            perm_power(shape, puzzle_move_at(puzzle, m)->transform, 2, square);
            const uint8_t *piece = perm_pieces(&shape->orbit[TABLE_PRODUCT_COLOURS], square);
            for (unsigned i = 0; i < COLOURED; i++)
                if (reached >> piece[i] & 1)
                    reached |= (uint16_t)(1u << i);
        }
    return (uint16_t)(~reached & 0xff);
}

static uint16_t image_of_set(const uint8_t *slot, unsigned n, uint16_t set)
{
    uint16_t image = 0;
    for (unsigned i = 0; i < n; i++)
        if (set >> i & 1)
            image |= (uint16_t)(1u << slot[i]);
    return image;
}

/* Is `b` the same for all slots of a set and for all others? Writes both values. */
static bool turns_follow(const uint8_t *turn, unsigned n, uint16_t set, uint8_t of[2])
{
    bool seen[2] = {false, false};
    for (unsigned i = 0; i < n; i++) {
        unsigned in = set >> i & 1;
        if (seen[in] && of[in] != turn[i])
            return false;
        seen[in] = true;
        of[in] = turn[i];
    }
    return true;
}

/* Checks that a symmetry which keeps the layer acts on the parts alone, and notes how. */
static bool sym_fits(const struct table_product *product, unsigned s, struct table_product_sym *out)
{
    const struct sym *sym = &product->group->sym[s];
    unsigned colours = first_slot(product, TABLE_PRODUCT_COLOURS);
    unsigned lines = first_slot(product, TABLE_PRODUCT_LINES);
    uint16_t image = image_of_set(sym->slot + colours, COLOURED, product->block);
    out->sym = (uint16_t)s;
    out->colour_swap = image != product->block;
    for (unsigned i = 1; i < COLOURED; i++)
        if (sym->factor[colours + i] != sym->factor[colours])
            return false;
    return (image == product->block || image == (uint16_t)(~product->block & 0xff)) &&
           turns_follow(sym->turn + colours, COLOURED, product->fine ? product->block : 0,
                        out->turn_of) &&
           turns_follow(sym->turn + lines, LINED, product->layer, out->flip_of);
}

/* Splits the group: symmetries that keep the layer, and one for each other place it can be taken
 * from. */
static int find_syms(struct table_product *product)
{
    const struct sym_group *group = product->group;
    uint16_t seen[TABLE_PRODUCT_MAX_AXES];
    product->sym = calloc(group->count, sizeof *product->sym);
    if (!product->sym)
        return BASE_ERR_NOMEM;
    for (unsigned s = 0; s < group->count; s++) {
        if (group->sym[s].orbit[0] != 0)
            return BASE_ERR_UNSUPPORTED;
        const uint8_t *slot = group->sym[group->sym[s].inverse].slot + first_slot(product, 1);
        uint16_t from =
            image_of_set(slot, LINED, product->layer); /* s takes this set to the layer */
        if (from == product->layer && !sym_fits(product, s, &product->sym[product->n_syms++]))
            return BASE_ERR_UNSUPPORTED;
        bool known = false;
        for (unsigned a = 0; !known && a < product->n_axes; a++)
            known = seen[a] == from;
        if (known)
            continue;
        if (product->n_axes == TABLE_PRODUCT_MAX_AXES)
            return BASE_ERR_UNSUPPORTED;
        seen[product->n_axes] = from;
        product->axis[product->n_axes++] = (uint16_t)s;
    }
    return 0;
}

/* ---- numbers ----------------------------------------------------------------------------- */

/* Ranks all sets of `ones` out of n slots in ascending order; returns how many there are. */
static uint32_t rank_sets(unsigned n, unsigned ones, uint16_t *rank, uint16_t *slots)
{
    uint32_t count = 0;
    for (uint32_t set = 0; set < 1u << n; set++)
        if ((unsigned)__builtin_popcount(set) == ones) {
            slots[count] = (uint16_t)set;
            rank[set] = (uint16_t)count++;
        }
    return count;
}

uint32_t table_product_raw(const struct table_product *product,
                           const struct table_product_parts *parts)
{
    uint32_t turns = 0;
    unsigned held = 0;
    for (unsigned i = COLOURED - 1; i-- > 0;)
        turns = turns * 3 + parts->turn[i];
    for (unsigned i = 0; i < COLOURED; i++)
        held |= (unsigned)parts->colour[i] << i;
    return (product->fine ? product->block_rank[held] * product->n_turns : 0) + turns;
}

void table_product_raw_parts(const struct table_product *product, uint32_t raw,
                             struct table_product_parts *parts)
{
    uint32_t turns = raw % product->n_turns, sum = 0;
    unsigned held = product->fine ? product->block_slots[raw / product->n_turns] : 0;
    for (unsigned i = 0; i < COLOURED; i++) {
        parts->colour[i] = held >> i & 1;
        parts->turn[i] = (uint8_t)(i + 1 < COLOURED ? turns % 3 : (3 - sum % 3) % 3);
        sum += parts->turn[i];
        turns /= 3;
    }
}

/* The first part's image. */
static void colours_image(const struct table_product *product, unsigned h,
                          const struct table_product_parts *in, struct table_product_parts *out)
{
    const struct sym *sym = group_sym(product, h);
    const struct table_product_sym *own = &product->sym[h];
    unsigned first = first_slot(product, TABLE_PRODUCT_COLOURS);
    for (unsigned i = 0; i < COLOURED; i++) {
        unsigned slot = sym->slot[first + i];
        unsigned turned = sym->factor[first + i] * in->turn[i] + sym->turn[first + i] + 3 -
                          own->turn_of[in->colour[i]];
        out->colour[slot] = product->fine ? in->colour[i] ^ own->colour_swap : 0;
        out->turn[slot] = (uint8_t)(turned % 3);
    }
}

static int classify(struct table_product *product)
{
    product->class_of = malloc(product->n_raw * sizeof *product->class_of);
    product->rep = malloc(product->n_raw * sizeof *product->rep);
    if (!product->class_of || !product->rep)
        return BASE_ERR_NOMEM;
    memset(product->class_of, 0xff, product->n_raw * sizeof *product->class_of);
    for (uint32_t raw = 0; raw < product->n_raw; raw++) {
        if (product->class_of[raw] != UNSEEN)
            continue;
        struct table_product_parts parts, image;
        table_product_raw_parts(product, raw, &parts);
        product->rep[product->n_classes] = raw;
        for (unsigned h = 0; h < product->n_syms; h++) {
            colours_image(product, h, &parts, &image);
            uint32_t *to = &product->class_of[table_product_raw(product, &image)];
            if (*to == UNSEEN)
                *to = product->n_classes << TABLE_PRODUCT_SYM_BITS | h;
        }
        product->n_classes++;
    }
    return 0;
}

/* classify noted what leads from the representative; a look-up needs the way back. */
static void turn_around(struct table_product *product)
{
    unsigned back[SYM_MAX] = {0};
    for (unsigned h = 0; h < product->n_syms; h++)
        for (unsigned g = 0; g < product->n_syms; g++)
            if (product->sym[g].sym == group_sym(product, h)->inverse)
                back[h] = g;
    const uint32_t mask = (1u << TABLE_PRODUCT_SYM_BITS) - 1;
    for (uint32_t raw = 0; raw < product->n_raw; raw++)
        product->class_of[raw] =
            (product->class_of[raw] & ~mask) | back[product->class_of[raw] & mask];
}

/* Of the encoding nxopt. */
static uint64_t minima_bytes(uint64_t n_entries)
{
    return (n_entries + 511) / 512;
}

static void set_sizes(struct table_product *product, unsigned flip_bits)
{
    product->flip_bits = flip_bits;
    product->flip_shift = flip_bits <= MOST_HIGH_BITS ? TABLE_PRODUCT_FLIP_BITS - flip_bits : 0;
    product->n_lines = (uint64_t)product->n_classes * product->n_layers;
    product->n_entries = product->n_lines << flip_bits;
    product->codes_bytes = product->n_entries / 4;
    product->minima_bytes = minima_bytes(product->n_entries);
    product->bytes = table_product_bytes(product, flip_bits, TABLE_ENCODING_NXOPT);
}

uint64_t table_product_bytes(const struct table_product *product, unsigned flip_bits,
                             enum table_encoding encoding)
{
    uint64_t n_entries = product->n_lines << flip_bits;
    if (encoding != TABLE_ENCODING_NXOPT)
        return n_entries;
    return n_entries / 4 + minima_bytes(n_entries) + TABLE_PRODUCT_TAIL_BYTES;
}

static int number_parts(struct table_product *product)
{
    uint16_t blocks[256];
    product->layer_slots = malloc(4096 * sizeof *product->layer_slots);
    product->block_slots = malloc(256);
    if (!product->layer_slots || !product->block_slots)
        return BASE_ERR_NOMEM;
    product->n_layers = rank_sets(LINED, LAYER, product->layer_rank, product->layer_slots);
    uint32_t n_blocks = rank_sets(COLOURED, BLOCK, product->block_rank, blocks);
    for (uint32_t b = 0; b < n_blocks; b++)
        product->block_slots[b] = (uint8_t)blocks[b];
    product->n_turns = 2187;
    product->n_raw = (product->fine ? n_blocks : 1) * product->n_turns;
    return classify(product);
}

int table_product_new(const struct sym_group *group, bool fine, unsigned flip_bits,
                      struct table_product **out)
{
    *out = NULL;
    if (flip_bits < TABLE_PRODUCT_MIN_FLIP_BITS || flip_bits > TABLE_PRODUCT_FLIP_BITS)
        return BASE_ERR_RANGE;
    if (!has_shape(group->puzzle))
        return BASE_ERR_UNSUPPORTED;
    struct table_product *product = calloc(1, sizeof *product);
    if (!product)
        return BASE_ERR_NOMEM;
    product->group = group;
    product->fine = fine;
    product->layer = find_layer(group->puzzle);
    product->block = find_block(group->puzzle);
    bool found = __builtin_popcount(product->layer) == LAYER &&
                 (!fine || __builtin_popcount(product->block) == BLOCK);
    int code = found ? find_syms(product) : BASE_ERR_UNSUPPORTED;
    if (code == 0)
        code = number_parts(product);
    if (code != 0) {
        table_product_free(product);
        return code;
    }
    turn_around(product);
    set_sizes(product, flip_bits);
    *out = product;
    return 0;
}

void table_product_free(struct table_product *product)
{
    if (!product)
        return;
    free(product->sym);
    free(product->block_slots);
    free(product->class_of);
    free(product->rep);
    free(product->layer_slots);
    free(product);
}

uint64_t table_product_scratch(const struct table_product *product)
{
    return product->n_lines * (2 * TABLE_PRODUCT_FLIPS / 8 + 3);
}

/* ---- states ------------------------------------------------------------------------------ */

void table_product_parts_of(const struct table_product *product, const uint8_t *state,
                            struct table_product_parts *parts)
{
    const struct perm_shape *shape = puzzle_shape(product->group->puzzle);
    const struct perm_orbit *colours = &shape->orbit[TABLE_PRODUCT_COLOURS];
    const struct perm_orbit *lines = &shape->orbit[TABLE_PRODUCT_LINES];
    parts->layer = parts->flips = 0;
    for (unsigned i = 0; i < COLOURED; i++) {
        parts->colour[i] = product->fine ? product->block >> perm_pieces(colours, state)[i] & 1 : 0;
        parts->turn[i] = perm_orientations(colours, state)[i];
    }
    for (unsigned i = 0; i < LINED; i++) {
        parts->layer |= (uint16_t)((product->layer >> perm_pieces(lines, state)[i] & 1) << i);
        parts->flips |= (uint16_t)(perm_orientations(lines, state)[i] << i);
    }
}

uint64_t table_product_index(const struct table_product *product, const uint8_t *state)
{
    struct table_product_parts parts;
    table_product_parts_of(product, state, &parts);
    uint32_t found = product->class_of[table_product_raw(product, &parts)];
    unsigned h = found & ((1u << TABLE_PRODUCT_SYM_BITS) - 1);
    const struct sym *sym = group_sym(product, h);
    unsigned first = first_slot(product, TABLE_PRODUCT_LINES);
    unsigned layer = 0, flips = 0;
    for (unsigned i = 0; i < LINED; i++) {
        unsigned in = parts.layer >> i & 1, slot = sym->slot[first + i];
        layer |= in << slot;
        flips |= ((parts.flips >> i & 1u) ^ sym->turn[first + i] ^ product->sym[h].flip_of[in])
                 << slot;
    }
    uint64_t line = (uint64_t)(found >> TABLE_PRODUCT_SYM_BITS) * product->n_layers +
                    product->layer_rank[layer];
    return line << product->flip_bits | table_product_visible(product, flips);
}

unsigned table_product_bound(const struct table_product *product, const struct table_codec *codec,
                             const uint8_t *payload, const uint8_t *state, const uint8_t *inverse)
{
    unsigned bound = 0;
    for (unsigned a = 0; a < 2 * product->n_axes; a++) {
        uint8_t image[PERM_MAX_BYTES];
        sym_apply(product->group, product->axis[a / 2], a & 1 ? inverse : state, image);
        uint64_t index = table_product_index(product, image);
        unsigned answer = codec ? table_codec_bound(codec, payload, index)
                                : table_product_read(product, payload, index);
        if (answer > bound)
            bound = answer;
    }
    return bound;
}
