/*
 * table_fill_bits.c - fills a piece-subset table of two orientations.
 *
 * A line is the set of its entries. The entries of a layer are bits of a few words, and translating
 * them by c means exchanging bit e with bit e XOR c: a handful of shifts moves 64 entries at once.
 * A pass pulls into every line the newest layer's entries of the lines that moves lead to.
 *
 * What makes a pass cheap:
 *   - A chunk is all heads with the same *set* of pieces: how a move acts on the tails depends on
 *     that set only, so it is worked out once for all orders of the pieces.
 *   - Tails are sorted by the digits the move adds to them, so that c is the same for a run of
 *     lines.
 *   - Blocks (lines of one head) without an entry of the newest layer are not pulled from: most of
 *     them while the layer is thin. Blocks with no vacant entry left are not pulled into.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_fill_int.h"

enum { BATCH = 1024, MAX_TURNS = 1 << TABLE_MAX_PICK / 2 };

struct bits_own {
    struct table_subset_moves moves;
    unsigned words;                 /* of a line */
    uint64_t whole;                 /* a word with all its entries */
    uint64_t *newest;               /* [line * words]: entries of the newest layer */
    uint64_t *next;                 /* of the one being made */
    uint64_t *visited;              /* of all layers */
    uint8_t *newest_has, *next_has; /* [head]: any entry in the block? */
    uint8_t *is_full;               /* [head]: no vacant one? */
    uint32_t *head;                 /* [set * per_set + i] */
    unsigned n_sets, per_set;
};

static uint32_t binomial(unsigned n, unsigned k)
{
    uint64_t result = 1;
    for (unsigned i = 1; i <= k; i++)
        result = result * (n - k + i) / i;
    return (uint32_t)result;
}

/* Number of a set of pieces among those of that size. */
static uint32_t set_rank(const struct table_coord *coord, uint32_t head)
{
    uint8_t piece[TABLE_MAX_PICK];
    uint64_t members = 0;
    uint32_t rank = 0;
    table_unrank(head, coord->head, coord->n, piece);
    for (unsigned j = 0; j < coord->head; j++)
        members |= (uint64_t)1 << piece[j];
    for (unsigned i = 1; members; members &= members - 1, i++)
        rank += binomial((unsigned)__builtin_ctzll(members), i);
    return rank;
}

static int list_heads(const struct table_coord *coord, struct bits_own *own)
{
    own->n_sets = binomial(coord->n, coord->head);
    own->per_set = coord->n_heads / own->n_sets;
    own->head = malloc(coord->n_heads * sizeof *own->head);
    uint32_t *count = calloc(own->n_sets, sizeof *count);
    for (uint32_t head = 0; own->head && count && head < coord->n_heads; head++) {
        uint32_t set = set_rank(coord, head);
        own->head[set * own->per_set + count[set]++] = head;
    }
    int code = own->head && count ? 0 : BASE_ERR_NOMEM;
    free(count);
    return code;
}

static int bits_init(struct table_fill *fill)
{
    const struct table_coord *coord = fill->coord;
    struct bits_own *own = fill->own = calloc(1, sizeof *own);
    if (!own)
        return BASE_ERR_NOMEM;
    int code = table__subset_init(fill, &own->moves);
    if (code == 0)
        code = list_heads(coord, own);
    if (code != 0)
        return code;
    own->words = (coord->width + 63) / 64;
    own->whole = coord->width < 64 ? ((uint64_t)1 << coord->width) - 1 : ~(uint64_t)0;
    size_t words = (size_t)coord->n_lines * own->words;
    own->newest = calloc(words, sizeof *own->newest);
    own->next = calloc(words, sizeof *own->next);
    own->visited = calloc(words, sizeof *own->visited);
    own->newest_has = calloc(coord->n_heads, 1);
    own->next_has = calloc(coord->n_heads, 1);
    own->is_full = calloc(coord->n_heads, 1);
    return own->newest && own->next && own->visited && own->newest_has && own->next_has &&
                   own->is_full
               ? 0
               : BASE_ERR_NOMEM;
}

static void bits_deinit(struct table_fill *fill)
{
    struct bits_own *own = fill->own;
    if (!own)
        return;
    table__subset_deinit(&own->moves);
    free(own->head);
    free(own->newest);
    free(own->next);
    free(own->visited);
    free(own->newest_has);
    free(own->next_has);
    free(own->is_full);
    free(own);
}

static unsigned bits_chunks(const struct table_fill *fill)
{
    const struct bits_own *own = fill->own;
    return own->n_sets;
}

/* ---- bits and bytes ---------------------------------------------------------------------- */

/* Bit i becomes byte i, 0 or 1. */
static inline uint64_t spread(unsigned bits)
{
    uint64_t bytes = bits * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    return ((bytes + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7) & UINT64_C(0x0101010101010101);
}

/* Eight entries at once; readers of single ones see each change or not, as with single stores. */
typedef uint64_t eight_entries __attribute__((may_alias));

static void store_many(uint8_t *entries, uint64_t bits, unsigned value)
{
    for (unsigned i = 0; i < 64; i += 8) {
        eight_entries *at = (eight_entries *)(void *)(entries + i);
        uint64_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
        __atomic_store_n(at, old | spread(bits >> i & 255) * value, __ATOMIC_RELAXED);
    }
}

/* Sets the vacant entries of the bits to `value` in one line of the table; returns how many there
 * are. A line of 64 entries or more starts at a multiple of eight bytes. */
static unsigned store_bits(uint8_t *line, const uint64_t *bits, const struct bits_own *own,
                           unsigned value)
{
    enum { MANY = 12 };
    unsigned all = 0;
    for (unsigned w = 0; w < own->words; w++) {
        unsigned count = (unsigned)__builtin_popcountll(bits[w]);
        all += count;
        if (count >= MANY && own->whole == ~(uint64_t)0) {
            store_many(line + 64 * w, bits[w], value);
            continue;
        }
        for (uint64_t rest = bits[w]; rest; rest &= rest - 1)
            table__entry_store(line + 64 * w + (unsigned)__builtin_ctzll(rest), value);
    }
    return all;
}

/* ---- marking ----------------------------------------------------------------------------- */

struct bits_target {
    uint64_t *words;
};

static void mark_bit(void *arg, uint32_t entry)
{
    struct bits_target *target = arg;
    target->words[entry >> 6] |= (uint64_t)1 << (entry & 63);
}

static uint64_t mark_head(struct table_fill *fill, uint32_t head)
{
    const struct table_coord *coord = fill->coord;
    struct bits_own *own = fill->own;
    uint64_t added = 0;
    for (uint32_t t = 0; t < coord->n_tails; t++) {
        uint32_t line = head * coord->n_tails + t;
        size_t at = (size_t)line * own->words;
        struct bits_target target = {.words = own->next + at};
        memset(target.words, 0, own->words * sizeof *target.words);
        table_image_mark(fill->image, line, mark_bit, &target);
        memcpy(own->visited + at, own->next + at, own->words * sizeof *own->next);
        added += store_bits(fill->entries + (uint64_t)line * coord->stride, own->next + at, own, 1);
    }
    own->next_has[head] = added > 0;
    return added;
}

static void bits_mark(struct table_fill *fill, unsigned chunk)
{
    const struct bits_own *own = fill->own;
    uint64_t added = 0;
    for (unsigned i = 0; i < own->per_set; i++)
        added += mark_head(fill, own->head[chunk * own->per_set + i]);
    atomic_fetch_add_explicit(&fill->added, added, memory_order_relaxed);
}

/* The bits of the lines' entries, as they are after the newest layer. */
static void bits_keep(struct table_fill *fill, uint32_t first, uint32_t last)
{
    const struct table_coord *coord = fill->coord;
    struct bits_own *own = fill->own;
    for (uint32_t line = first; line < last; line++) {
        const uint8_t *entries = fill->entries + (uint64_t)line * coord->stride;
        uint64_t *newest = own->newest + (size_t)line * own->words;
        uint64_t *visited = own->visited + (size_t)line * own->words, any = 0;
        memset(newest, 0, own->words * sizeof *newest);
        memset(visited, 0, own->words * sizeof *visited);
        for (uint32_t e = 0; e < coord->width; e++) {
            unsigned value = table__entry_load(entries + e);
            visited[e >> 6] |= (uint64_t)(value != TABLE_VACANT) << (e & 63);
            newest[e >> 6] |= (uint64_t)(value == fill->kept.layers) << (e & 63);
        }
        for (unsigned w = 0; w < own->words; w++)
            any |= newest[w];
        if (any) /* the lines of a head can be in two chunks, which both only ever write 1 */
            __atomic_store_n(&own->newest_has[line / coord->n_tails], 1, __ATOMIC_RELAXED);
    }
}

/* ---- expanding --------------------------------------------------------------------------- */

/* Bit e of the result is bit e XOR c of the word, c < 64. */
static inline uint64_t word_exchange(uint64_t x, unsigned c)
{
    if (c & 1)
        x = (x & 0x5555555555555555u) << 1 | (x >> 1 & 0x5555555555555555u);
    if (c & 2)
        x = (x & 0x3333333333333333u) << 2 | (x >> 2 & 0x3333333333333333u);
    if (c & 4)
        x = (x & 0x0f0f0f0f0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0f0f0f0f0fu);
    if (c & 8)
        x = (x & 0x00ff00ff00ff00ffu) << 8 | (x >> 8 & 0x00ff00ff00ff00ffu);
    if (c & 16)
        x = (x & 0x0000ffff0000ffffu) << 16 | (x >> 16 & 0x0000ffff0000ffffu);
    if (c & 32)
        x = x << 32 | x >> 32;
    return x;
}

static inline unsigned bits_of_digits(const uint8_t *digits, unsigned count)
{
    unsigned bits = 0;
    for (unsigned j = 0; j < count; j++)
        bits |= (unsigned)digits[j] << j;
    return bits;
}

/* How a move acts on some tails, in runs of equal digits added: run c is start[c] .. start[c+1]-1.
 */
struct tail_runs {
    unsigned start[MAX_TURNS + 1];
    uint32_t tail[BATCH], image[BATCH];
};

static void tail_runs_set(const struct table_fill *fill, const struct table_block *block,
                          uint32_t first, uint32_t last, struct tail_runs *runs)
{
    const struct table_coord *coord = fill->coord;
    const struct bits_own *own = fill->own;
    unsigned count = coord->k - coord->head, at[MAX_TURNS + 1] = {0};
    uint32_t image[BATCH];
    uint8_t turn[BATCH];
    for (uint32_t t = first; t < last; t++) {
        uint8_t digits[TABLE_MAX_PICK];
        const uint8_t *tail = own->moves.tails + (size_t)t * count;
        image[t - first] = table__tail_image(coord, block, tail, digits);
        turn[t - first] = (uint8_t)bits_of_digits(digits, count);
        at[turn[t - first] + 1]++;
    }
    runs->start[0] = 0;
    for (unsigned c = 0; c < MAX_TURNS; c++)
        runs->start[c + 1] = at[c + 1] += at[c];
    for (uint32_t i = 0; i < last - first; i++) {
        unsigned to = at[turn[i]]++;
        runs->tail[to] = first + i;
        runs->image[to] = image[i];
    }
}

/* Adds to each line `to` the newest entries that move to it: those of the image line, moved back.
 * XOR undoes itself. */
static void pull_run(const struct bits_own *own, const uint64_t *from, uint64_t *to,
                     const struct tail_runs *runs, unsigned turn, unsigned c)
{
    for (unsigned w = 0; w < own->words; w++)
        for (unsigned i = runs->start[turn]; i < runs->start[turn + 1]; i++) {
            uint64_t moved = from[(size_t)runs->image[i] * own->words + (w ^ c >> 6)];
            if (moved)
                to[(size_t)runs->tail[i] * own->words + w] |= word_exchange(moved, c & 63);
        }
}

/* A head, where a move takes it, and the digits that adds. */
struct head_pull {
    uint32_t head, image;
    unsigned turn;
};

/* The heads of a set to pull into along one move; `block` is the move's map for all of them. */
static unsigned find_pulls(const struct table_fill *fill, unsigned set, unsigned move,
                           struct table_block *block, struct head_pull *pulls)
{
    const struct table_coord *coord = fill->coord;
    const struct bits_own *own = fill->own;
    const struct table_view *view = &own->moves.move[move];
    unsigned count = 0;
    for (unsigned i = 0; i < own->per_set; i++) {
        uint32_t head = own->head[set * own->per_set + i];
        if (own->is_full[head])
            continue;
        table__block_set(coord, head, view->piece, view->turn, block);
        if (own->newest_has[block->head])
            pulls[count++] = (struct head_pull){head, block->head,
                                                bits_of_digits(block->head_turn, coord->head)};
    }
    return count;
}

/* Pulls along one move into all lines of the set. */
static void pull_move(const struct table_fill *fill, unsigned set, unsigned move)
{
    const struct table_coord *coord = fill->coord;
    const struct bits_own *own = fill->own;
    struct head_pull pulls[24]; /* orders of TABLE_MAX_PICK / 2 pieces */
    struct table_block block;
    struct tail_runs runs;
    size_t words = (size_t)coord->n_tails * own->words;
    unsigned count = find_pulls(fill, set, move, &block, pulls);
    for (uint32_t first = 0, last; count > 0 && first < coord->n_tails; first = last) {
        last = coord->n_tails - first < BATCH ? coord->n_tails : first + BATCH;
        tail_runs_set(fill, &block, first, last, &runs);
        for (unsigned i = 0; i < count; i++)
            for (unsigned turn = 0; turn < 1u << (coord->k - coord->head); turn++)
                pull_run(own, own->newest + pulls[i].image * words,
                         own->next + pulls[i].head * words, &runs, turn,
                         pulls[i].turn | turn << coord->head);
    }
}

/* Keeps what is new of the pulled entries, and sets it in the table; returns how many there are. */
static uint64_t settle_head(struct table_fill *fill, uint32_t head)
{
    const struct table_coord *coord = fill->coord;
    struct bits_own *own = fill->own;
    uint64_t added = 0, common = own->whole;
    size_t first = (size_t)head * coord->n_tails;
    for (size_t line = first; line < first + coord->n_tails; line++) {
        uint64_t *next = own->next + line * own->words, *visited = own->visited + line * own->words;
        for (unsigned w = 0; w < own->words; w++) {
            next[w] &= ~visited[w];
            visited[w] |= next[w];
            common &= visited[w];
        }
        added += store_bits(fill->entries + line * coord->stride, next, own, fill->newest + 2);
    }
    own->next_has[head] = added > 0;
    own->is_full[head] = common == own->whole;
    return added;
}

static void bits_expand(struct table_fill *fill, unsigned chunk)
{
    struct bits_own *own = fill->own;
    size_t words = (size_t)fill->coord->n_tails * own->words;
    const uint32_t *head = own->head + chunk * own->per_set;
    uint64_t added = 0;
    for (unsigned i = 0; i < own->per_set; i++)
        memset(own->next + head[i] * words, 0, words * sizeof *own->next);
    for (unsigned m = 0; m < fill->n_moves; m++)
        pull_move(fill, chunk, m);
    for (unsigned i = 0; i < own->per_set; i++)
        added += settle_head(fill, head[i]);
    atomic_fetch_add_explicit(&fill->added, added, memory_order_relaxed);
}

static void bits_swap(struct table_fill *fill)
{
    struct bits_own *own = fill->own;
    uint64_t *newest = own->newest;
    uint8_t *newest_has = own->newest_has;
    own->newest = own->next;
    own->next = newest;
    own->newest_has = own->next_has;
    own->next_has = newest_has;
}

const struct table_fill_strategy table__fill_bits = {
    .init = bits_init,
    .deinit = bits_deinit,
    .chunks = bits_chunks,
    .mark = bits_mark,
    .expand = bits_expand,
    .swap = bits_swap,
    .resumable = true,
    .keep = bits_keep,
};
