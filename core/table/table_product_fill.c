/*
 * table_product_fill.c - fills a product table: sets of flips as bits, one pass over all lines a
 * layer.
 *
 * Every line of a class pulls from the lines its moves lead to. Symmetry needs no extra care: the
 * newest layer is closed under the symmetries that fix a class's representative, because the target
 * is.
 *
 * The codes of nxopt need the base before the first layer that is written. It is the first distance
 * before which BASE_PERMILLE of the entries have been reached: on the cube the two distances told
 * apart are then the two most common ones, and the largest answer of the six questions, which is
 * what a search goes by, loses next to nothing (measured). Where the layers grow so slowly, as with
 * few moves, that most entries are still vacant after the two, one more layer tells whether the
 * base is to be raised by one, and so on.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/base_err.h"
#include "core/cpu/cpu.h"
#include "core/table/table_fill_int.h"
#include "core/table/table_product_fill_int.h"
#include "core/table/table_trail.h"

enum { BASE_PERMILLE = 15, LARGEST_BASE = 15, FLIP_SLOTS = 12 };

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

/* ---- passes ------------------------------------------------------------------------------ */

/* What a chunk has added to the running layer. */
struct product_added {
    uint64_t entries, positions;
};

/* Takes the layer `distance` of a line: what `next` has beyond `now`. */
static void line_take(const struct table_product_own *own, uint64_t line, unsigned distance,
                      struct product_added *added)
{
    const uint64_t *now = own->now + line * TABLE_PRODUCT_WORDS;
    const uint64_t *next = own->next + line * TABLE_PRODUCT_WORDS;
    uint64_t fresh[TABLE_PRODUCT_WORDS], all = ~(uint64_t)0;
    unsigned count = 0;
    for (unsigned w = 0; w < TABLE_PRODUCT_WORDS; w++) {
        fresh[w] = next[w] & ~now[w];
        all &= next[w];
        count += (unsigned)__builtin_popcountll(fresh[w]);
    }
    own->has_next[line] = count > 0;
    own->is_full[line] = all == ~(uint64_t)0;
    if (count == 0)
        return;
    added->positions += count;
    added->entries += table__product_write(own, line, now, fresh, distance);
}

/* Takes the layer of a class. */
static void class_take(struct table_fill *fill, unsigned chunk, unsigned distance)
{
    const struct table_product_own *own = fill->own;
    uint64_t first = (uint64_t)chunk * own->product->n_layers;
    struct product_added added = {0, 0};
    for (uint32_t r = 0; r < own->product->n_layers; r++)
        line_take(own, first + r, distance, &added);
    /* Relaxed: sums only, read when the pass is over. */
    atomic_fetch_add_explicit(&fill->added, added.entries, memory_order_relaxed);
    atomic_fetch_add_explicit(&fill->hidden, added.positions - added.entries, memory_order_relaxed);
}

static unsigned product_chunks(const struct table_fill *fill)
{
    return ((const struct table_product_own *)fill->own)->product->n_classes;
}

static void product_mark(struct table_fill *fill, unsigned chunk)
{
    struct table_product_own *own = fill->own;
    const struct table_product *product = own->product;
    const size_t words = (size_t)product->n_layers * TABLE_PRODUCT_WORDS;
    table__product_clear_codes(own, chunk);
    for (unsigned t = 0; t < own->n_targets; t++) {
        if (!own->class_fits[(size_t)t * product->n_classes + chunk])
            continue;
        const uint64_t *bits = own->line_fits + t * words;
        uint64_t *next = own->next + chunk * words;
        for (size_t w = 0; w < words; w++)
            next[w] |= bits[w];
    }
    class_take(fill, chunk, 0);
}

static table_product_pull *choose_pull(void)
{
#if defined(__x86_64__)
    if (cpu_has(cpu_detect(), CPU_AVX2))
        return table__product_pull_avx2;
#endif
    return table__product_pull_portable;
}

/* The codes of a class after the base has been raised, which had no code for the newest layer: it
 * is what `now` has and `next`, still of the layer before, has not. */
static void class_raise(const struct table_product_own *own, unsigned chunk)
{
    uint64_t line = (uint64_t)chunk * own->product->n_layers;
    table__product_raise(own, chunk);
    for (uint32_t r = 0; r < own->product->n_layers; r++, line++) {
        const uint64_t *before = own->next + line * TABLE_PRODUCT_WORDS;
        const uint64_t *after = own->now + line * TABLE_PRODUCT_WORDS;
        uint64_t fresh[TABLE_PRODUCT_WORDS];
        if (!own->has_newest[line])
            continue;
        for (unsigned w = 0; w < TABLE_PRODUCT_WORDS; w++)
            fresh[w] = after[w] & ~before[w];
        (void)table__product_write(own, line, before, fresh, own->base + 1);
    }
}

static void product_expand(struct table_fill *fill, unsigned chunk)
{
    struct table_product_own *own = fill->own;
    const size_t words = (size_t)own->product->n_layers * TABLE_PRODUCT_WORDS;
    if (own->is_rising)
        class_raise(own, chunk);
    memcpy(own->next + chunk * words, own->now + chunk * words, words * sizeof *own->next);
    choose_pull()(own, chunk);
    class_take(fill, chunk, fill->newest + 1);
}

/* Sets or raises the base when a layer is complete. */
static void choose_base(struct table_fill *fill)
{
    struct table_product_own *own = fill->own;
    uint64_t entries = own->product->n_entries;
    const uint64_t *count = fill->histogram;
    own->is_rising = false;
    if (own->base == TABLE_PRODUCT_NO_BASE) {
        if (fill->total >= entries / 1000 * BASE_PERMILLE || fill->newest + 1 == LARGEST_BASE)
            own->base = fill->newest + 1;
    } else if (fill->newest == own->base + 2 && count[own->base + 2] > count[own->base] &&
               own->base < LARGEST_BASE) {
        own->base++;
        own->is_rising = true;
    }
}

static void product_swap(struct table_fill *fill)
{
    struct table_product_own *own = fill->own;
    uint64_t *bits = own->now;
    uint8_t *has = own->has_newest;
    own->now = own->next;
    own->has_newest = own->has_next;
    own->next = bits;
    own->has_next = has;
    if (!own->is_bytes)
        choose_base(fill);
}

/* Bytes are complete when every entry is set, though hidden positions be left. Codes are complete
 * once both distances that have codes are there, the rest being "at least base + 2" already, unless
 * that is most of the table. */
static bool product_is_done(const struct table_fill *fill)
{
    const struct table_product_own *own = fill->own;
    const uint64_t entries = own->product->n_entries;
    if (own->is_bytes)
        return fill->total == entries;
    if (own->base == TABLE_PRODUCT_NO_BASE || fill->newest <= own->base)
        return false;
    return fill->newest > own->base + 1 || fill->total >= entries / 2 || own->base == LARGEST_BASE;
}

static void product_finish(struct table_fill *fill)
{
    const struct table_product_own *own = fill->own;
    uint8_t *tail = own->payload + own->product->codes_bytes + own->product->minima_bytes;
    if (own->is_bytes)
        return;
    for (uint32_t c = 0; own->is_rising && c < own->product->n_classes; c++)
        class_raise(own, c);
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
    unmap_bits(own->now, own->product);
    unmap_bits(own->next, own->product);
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

int table__product_own_new(const struct table_fill_product *request, void **out)
{
    const struct table_product *product = request->product;
    struct table_product_own *own = calloc(1, sizeof *own);
    *out = own;
    if (!own)
        return BASE_ERR_NOMEM;
    own->product = product;
    own->payload = request->payload;
    own->is_bytes = request->encoding == TABLE_ENCODING_NONE;
    own->n_moves = puzzle_move_count(product->group->puzzle);
    own->base = TABLE_PRODUCT_NO_BASE;
    own->now = map_bits(bits_bytes(product));
    own->next = map_bits(bits_bytes(product));
    own->has_newest = calloc(product->n_lines, 1);
    own->has_next = calloc(product->n_lines, 1);
    own->is_full = calloc(product->n_lines, 1);
    if (!own->now || !own->next || !own->has_newest || !own->has_next || !own->is_full)
        return BASE_ERR_NOMEM;
    table__product_clear_minima(own);
    int code = maps_init(own);
    return code == 0 ? target_init(own, request->structures, (unsigned)request->n) : code;
}
