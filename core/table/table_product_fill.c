/*
 * table_product_fill.c - fills a product table: sets of flips as bits, one pass over all lines a
 * layer.
 *
 * Every line of a class pulls from the lines its moves lead to. Symmetry needs no extra care: the
 * newest layer is closed under the symmetries that fix a class's representative, because the target
 * is.
 *
 * The codes need the base before the first layer that is written: it is the first distance before
 * which BASE_PERMILLE of all entries have been reached, so that the two distances told apart are
 * the two most common ones.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/base_err.h"
#include "core/cpu/cpu.h"
#include "core/table/table_fill_int.h"
#include "core/table/table_product_fill_int.h"
#include "core/table/table_trail.h"

enum { BASE_PERMILLE = 4, LARGEST_BASE = 15, FLIP_SLOTS = 12 };

/* ---- memory ------------------------------------------------------------------------------ */

/* Zeroed, in huge pages where the kernel gives them: the passes touch all of it at random. */
static void *map_bits(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

static size_t bits_bytes(const struct table_product *product)
{
    return product->n_lines * TABLE_PRODUCT_WORDS * sizeof(uint64_t);
}

static void unmap_bits(uint64_t *memory, const struct table_product *product)
{
    if (memory)
        munmap(memory, bits_bytes(product));
}

/* ---- maps of lines ----------------------------------------------------------------------- */

/* P as exchanges: (P x) at q is x at source[q]; each exchange puts one slot right. */
static void program_set(struct table_bits_program *program, uint8_t *source)
{
    program->count = 0;
    for (unsigned q = 0; q < FLIP_SLOTS; q++)
        while (source[q] != q) {
            uint8_t r = source[q];
            program->a[program->count] = (uint8_t)(q < r ? q : r);
            program->b[program->count++] = (uint8_t)(q < r ? r : q);
            source[q] = source[r];
            source[r] = r;
        }
}

/* Move m, then symmetry h: slot pi(j) of the image holds what was in slot m.piece[j]. */
static void map_set(const struct table_product_own *own, unsigned move, unsigned h,
                    struct table_line_map *map)
{
    const struct table_product *product = own->product;
    const struct puzzle *puzzle = product->group->puzzle;
    const struct perm_orbit *orbit = &puzzle_shape(puzzle)->orbit[TABLE_PRODUCT_LINES];
    const uint8_t *transform = puzzle_move_at(puzzle, move)->transform;
    const struct sym *sym = &product->group->sym[product->sym[h].sym];
    const uint8_t *slot = sym->slot + product->group->first_slot[TABLE_PRODUCT_LINES];
    const uint8_t *turn = sym->turn + product->group->first_slot[TABLE_PRODUCT_LINES];
    const uint8_t *flip_of = product->sym[h].flip_of;
    uint8_t source[FLIP_SLOTS];
    map->constant = 0;
    for (unsigned j = 0; j < FLIP_SLOTS; j++) {
        unsigned flip = perm_orientations(orbit, transform)[j] ^ turn[j] ^ flip_of[0];
        source[slot[j]] = perm_pieces(orbit, transform)[j];
        map->constant |= (uint16_t)(flip << slot[j]);
    }
    map->by_layer = flip_of[0] != flip_of[1] ? 0xffff : 0;
    for (uint32_t r = 0; r < product->n_layers; r++) {
        unsigned image = 0;
        for (unsigned q = 0; q < FLIP_SLOTS; q++)
            image |= (product->layer_slots[r] >> source[q] & 1u) << q;
        map->layer_to[r] = product->layer_rank[image];
    }
    program_set(&map->program, source);
}

static int maps_init(struct table_product_own *own)
{
    const struct table_product *product = own->product;
    size_t n = (size_t)own->n_moves * product->n_syms;
    own->map = calloc(n, sizeof *own->map);
    own->layer_to = malloc(n * product->n_layers * sizeof *own->layer_to);
    if (!own->map || !own->layer_to)
        return BASE_ERR_NOMEM;
    for (unsigned m = 0; m < own->n_moves; m++)
        for (unsigned h = 0; h < product->n_syms; h++) {
            size_t at = (size_t)m * product->n_syms + h;
            own->map[at].layer_to = own->layer_to + at * product->n_layers;
            map_set(own, m, h, &own->map[at]);
        }
    return 0;
}

/* ---- the target's image ------------------------------------------------------------------ */

static void class_fits_set(const struct table_product_own *own, unsigned target,
                           struct table_trail_rule *rule)
{
    const struct table_product *product = own->product;
    for (uint32_t c = 0; c < product->n_classes; c++) {
        struct table_product_parts parts;
        struct table_arcs arcs = {{{0}}};
        table_product_raw_parts(product, product->rep[c], &parts);
        for (unsigned i = 0; i < 8; i++) {
            unsigned own_colour = product->fine ? product->block >> i & 1 : 0;
            arcs.count[2 * own_colour + parts.colour[i]][parts.turn[i]]++;
        }
        own->class_fits[(size_t)target * product->n_classes + c] =
            table_trail_rule_fits(rule, &arcs);
    }
}

static void line_fits_set(const struct table_product_own *own, unsigned target,
                          struct table_trail_rule *rule)
{
    const struct table_product *product = own->product;
    uint64_t *bits = own->line_fits + (size_t)target * product->n_layers * TABLE_PRODUCT_WORDS;
    for (uint32_t r = 0; r < product->n_layers; r++, bits += TABLE_PRODUCT_WORDS)
        for (unsigned x = 0; x < TABLE_PRODUCT_FLIPS; x++) {
            struct table_arcs arcs = {{{0}}};
            unsigned flips = x | (unsigned)__builtin_parity(x) << (FLIP_SLOTS - 1);
            for (unsigned i = 0; i < FLIP_SLOTS; i++) {
                unsigned from = product->layer >> i & 1, to = product->layer_slots[r] >> i & 1;
                arcs.count[2 * from + to][flips >> i & 1]++;
            }
            if (table_trail_rule_fits(rule, &arcs))
                bits[x >> 6] |= (uint64_t)1 << (x & 63);
        }
}

static int target_init(struct table_product_own *own, const struct cycle_structure *structures,
                       unsigned n)
{
    const struct table_product *product = own->product;
    own->n_targets = n;
    own->class_fits = calloc((size_t)n * product->n_classes, 1);
    own->line_fits = calloc((size_t)n * product->n_layers * TABLE_PRODUCT_WORDS, sizeof(uint64_t));
    if (!own->class_fits || !own->line_fits)
        return BASE_ERR_NOMEM;
    for (unsigned t = 0; t < n; t++) {
        struct table_trail_rule *rule;
        int code = table_trail_rule_new(&structures[t], TABLE_PRODUCT_COLOURS, 8, 3, &rule);
        if (code != 0)
            return code;
        class_fits_set(own, t, rule);
        table_trail_rule_free(rule);
        code = table_trail_rule_new(&structures[t], TABLE_PRODUCT_LINES, FLIP_SLOTS, 2, &rule);
        if (code != 0)
            return code;
        line_fits_set(own, t, rule);
        table_trail_rule_free(rule);
    }
    return 0;
}

/* ---- codes ------------------------------------------------------------------------------- */

/* Bits of the low half of x, two bits apart. */
static inline uint64_t spread(uint64_t x)
{
    x &= 0xffffffff;
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & 0x5555555555555555;
}

/* Turns the codes of the entries in `bits`, which are all 3, into `code`. */
static void write_codes(uint8_t *line, const uint64_t *bits, unsigned code)
{
    for (unsigned w = 0; w < TABLE_PRODUCT_WORDS; w++) {
        uint64_t pair[2];
        if (!bits[w])
            continue;
        memcpy(pair, line + 16 * w, sizeof pair);
        pair[0] ^= spread(bits[w]) * (3 ^ code);
        pair[1] ^= spread(bits[w] >> 32) * (3 ^ code);
        memcpy(line + 16 * w, pair, sizeof pair);
    }
}

/* Keeps the least distance of every 256 entries; they come in ascending order, and 15 stands for
 * none yet. */
static void write_minima(uint8_t *minima, const uint64_t *bits, unsigned distance)
{
    for (unsigned g = 0; g < TABLE_PRODUCT_FLIPS / 256; g++) {
        unsigned shift = (g & 1) * 4;
        bool any = bits[4 * g] | bits[4 * g + 1] | bits[4 * g + 2] | bits[4 * g + 3];
        if (any && (minima[g >> 1] >> shift & 15) == 15)
            minima[g >> 1] = (uint8_t)((minima[g >> 1] & ~(15u << shift)) | distance << shift);
    }
}

/* Takes the entries in `next` of one line into the layer `distance`; returns how many are new. */
static unsigned line_take(const struct table_product_own *own, uint64_t line, unsigned distance)
{
    const struct table_product *product = own->product;
    uint64_t *next = own->next + line * TABLE_PRODUCT_WORDS;
    uint64_t *visited = own->visited + line * TABLE_PRODUCT_WORDS;
    unsigned count = 0;
    uint64_t all = ~(uint64_t)0;
    for (unsigned w = 0; w < TABLE_PRODUCT_WORDS; w++) {
        next[w] &= ~visited[w];
        visited[w] |= next[w];
        all &= visited[w];
        count += (unsigned)__builtin_popcountll(next[w]);
    }
    own->has_next[line] = count > 0;
    own->is_full[line] = all == ~(uint64_t)0;
    if (count == 0)
        return 0;
    unsigned code = own->base == TABLE_PRODUCT_NO_BASE ? 0 : distance - own->base + 1;
    write_codes(own->payload + line * TABLE_PRODUCT_LINE_BYTES, next, code);
    if (code == 0)
        write_minima(own->payload + product->codes_bytes + line * (TABLE_PRODUCT_FLIPS / 512), next,
                     distance);
    return count;
}

/* ---- passes ------------------------------------------------------------------------------ */

static unsigned product_chunks(const struct table_fill *fill)
{
    return ((const struct table_product_own *)fill->own)->product->n_classes;
}

static void product_mark(struct table_fill *fill, unsigned chunk)
{
    struct table_product_own *own = fill->own;
    const struct table_product *product = own->product;
    uint64_t first = (uint64_t)chunk * product->n_layers, added = 0;
    memset(own->payload + first * TABLE_PRODUCT_LINE_BYTES, 0xff,
           (size_t)product->n_layers * TABLE_PRODUCT_LINE_BYTES);
    memset(own->payload + product->codes_bytes + first * (TABLE_PRODUCT_FLIPS / 512), 0xff,
           (size_t)product->n_layers * (TABLE_PRODUCT_FLIPS / 512));
    for (unsigned t = 0; t < own->n_targets; t++) {
        if (!own->class_fits[(size_t)t * product->n_classes + chunk])
            continue;
        const uint64_t *bits = own->line_fits + (size_t)t * product->n_layers * TABLE_PRODUCT_WORDS;
        uint64_t *next = own->next + first * TABLE_PRODUCT_WORDS;
        for (size_t w = 0; w < (size_t)product->n_layers * TABLE_PRODUCT_WORDS; w++)
            next[w] |= bits[w];
    }
    for (uint32_t r = 0; r < product->n_layers; r++)
        added += line_take(own, first + r, 0);
    atomic_fetch_add_explicit(&fill->added, added, memory_order_relaxed);
}

static table_product_pull *choose_pull(void)
{
#if defined(__x86_64__)
    if (cpu_has(cpu_detect(), CPU_AVX2))
        return table__product_pull_avx2;
#endif
    return table__product_pull_portable;
}

static void product_expand(struct table_fill *fill, unsigned chunk)
{
    struct table_product_own *own = fill->own;
    const struct table_product *product = own->product;
    uint64_t first = (uint64_t)chunk * product->n_layers, added = 0;
    memset(own->next + first * TABLE_PRODUCT_WORDS, 0,
           (size_t)product->n_layers * TABLE_PRODUCT_WORDS * sizeof *own->next);
    choose_pull()(own, chunk);
    for (uint32_t r = 0; r < product->n_layers; r++)
        added += line_take(own, first + r, fill->newest + 1);
    atomic_fetch_add_explicit(&fill->added, added, memory_order_relaxed);
}

static void product_swap(struct table_fill *fill)
{
    struct table_product_own *own = fill->own;
    uint64_t *bits = own->newest;
    uint8_t *has = own->has_newest;
    own->newest = own->next;
    own->has_newest = own->has_next;
    own->next = bits;
    own->has_next = has;
    uint64_t entries = own->product->n_lines * TABLE_PRODUCT_FLIPS;
    if (own->base == TABLE_PRODUCT_NO_BASE &&
        (fill->total >= entries / 1000 * BASE_PERMILLE || fill->newest + 1 == LARGEST_BASE))
        own->base = fill->newest + 1;
}

/* Complete once both distances that have codes are there: the rest is "at least base + 2" already.
 */
static bool product_is_done(const struct table_fill *fill)
{
    const struct table_product_own *own = fill->own;
    return own->base != TABLE_PRODUCT_NO_BASE && fill->newest >= own->base + 1;
}

static void product_finish(struct table_fill *fill)
{
    const struct table_product_own *own = fill->own;
    uint8_t *tail = own->payload + own->product->codes_bytes + own->product->minima_bytes;
    memset(tail, 0, TABLE_PRODUCT_TAIL_BYTES);
    /* If the target reaches too little for a base, nothing is vacant but what cannot be reached: 3
     * then means that. */
    tail[0] = (uint8_t)(own->base == TABLE_PRODUCT_NO_BASE ? fill->newest : own->base);
}

static int product_init(struct table_fill *fill)
{
    (void)fill; /* made by table_fill_new_product */
    return 0;
}

static void product_deinit(struct table_fill *fill)
{
    struct table_product_own *own = fill->own;
    if (!own)
        return;
    unmap_bits(own->newest, own->product);
    unmap_bits(own->next, own->product);
    unmap_bits(own->visited, own->product);
    free(own->map);
    free(own->layer_to);
    free(own->has_newest);
    free(own->has_next);
    free(own->is_full);
    free(own->class_fits);
    free(own->line_fits);
    free(own);
}

const struct table_fill_strategy table__fill_product = {
    .init = product_init,
    .deinit = product_deinit,
    .chunks = product_chunks,
    .mark = product_mark,
    .expand = product_expand,
    .swap = product_swap,
    .is_done = product_is_done,
    .finish = product_finish,
};

int table__product_own_new(const struct table_product *product,
                           const struct cycle_structure *structures, size_t n, uint8_t *payload,
                           void **out)
{
    struct table_product_own *own = calloc(1, sizeof *own);
    *out = own;
    if (!own)
        return BASE_ERR_NOMEM;
    own->product = product;
    own->payload = payload;
    own->n_moves = puzzle_move_count(product->group->puzzle);
    own->base = TABLE_PRODUCT_NO_BASE;
    own->newest = map_bits(bits_bytes(product));
    own->next = map_bits(bits_bytes(product));
    own->visited = map_bits(bits_bytes(product));
    own->has_newest = calloc(product->n_lines, 1);
    own->has_next = calloc(product->n_lines, 1);
    own->is_full = calloc(product->n_lines, 1);
    if (!own->newest || !own->next || !own->visited || !own->has_newest || !own->has_next ||
        !own->is_full)
        return BASE_ERR_NOMEM;
    int code = maps_init(own);
    return code == 0 ? target_init(own, structures, (unsigned)n) : code;
}
