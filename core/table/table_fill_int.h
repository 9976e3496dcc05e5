/*
 * table_fill_int.h - a fill and the strategies that run its passes.
 *
 *   exact   push from the newest layer, then *close*: entries that a symmetry of the line's own
 * representative exchanges are the same state and get the same distance
 *   bits    subsets of two orientations: a line of a layer is a set of bits, translated whole
 *   bytes   subsets of any orientation: pull, entry by entry
 */
#ifndef CORE_TABLE_TABLE_FILL_INT_H
#define CORE_TABLE_TABLE_FILL_INT_H

#include <stdatomic.h>

#include "core/table/table_fill.h"

struct table_fill_strategy {
    int (*init)(struct table_fill *fill);
    void (*deinit)(struct table_fill *fill);
    unsigned (*chunks)(const struct table_fill *fill);
    void (*mark)(struct table_fill *fill, unsigned chunk);
    void (*expand)(struct table_fill *fill, unsigned chunk);
    void (*close)(struct table_fill *fill, unsigned chunk); /* NULL: one pass a layer */
    void (*swap)(struct table_fill *fill); /* after a layer, one thread; may be NULL */
    bool (*is_empty)(
        const struct table_fill *fill);             /* has the layer no state? NULL: no new entry */
    bool (*is_done)(const struct table_fill *fill); /* no further layer is wanted; may be NULL */
    void (*finish)(struct table_fill *fill);        /* after the last layer; may be NULL */
    /* The bytes of complete layers are all that a fill needs to go on with... */
    bool resumable;
    /* ... when it has seen them: those of lines first .. last-1; may be NULL */
    void (*keep)(struct table_fill *fill, uint32_t first, uint32_t last);
};

extern const struct table_fill_strategy table__fill_exact, table__fill_bits, table__fill_bytes,
    table__fill_product;

/* The own part of a product table's fill; *out is to be given to deinit even on failure. */
int table__product_own_new(const struct table_fill_product *request, void **out);

enum table_pass {
    TABLE_PASS_RECOUNT, /* of kept entries */
    TABLE_PASS_WIPE,    /* they were not what they should be */
    TABLE_PASS_MARK,
    TABLE_PASS_EXPAND,
    TABLE_PASS_CLOSE
};

/* What the recount of a fill that is resumed has found; chunks add up once each. */
struct table_recount {
    _Atomic uint64_t counted[TABLE_FILL_MAX_LAYERS];
    _Atomic uint64_t digest;
};

struct table_fill {
    const struct table_coord *coord;
    const struct table_image *image;
    uint8_t *entries;
    const struct table_fill_strategy *strategy;
    void *own; /* of the strategy */
    enum table_pass pass;
    unsigned newest; /* the distance of the newest complete layer */
    unsigned n_moves;
    _Atomic uint64_t added;  /* entries set by the running layer; chunks add up once each */
    _Atomic uint64_t hidden; /* likewise what it has reached and no entry shows: hidden flips */
    uint64_t total;
    uint64_t histogram[TABLE_FILL_MAX_LAYERS];
    struct table_kept kept; /* what it has been told, if it is resumed */
    struct table_recount recount;
};

/* The passes over kept entries; first of the passes RECOUNT and WIPE. */
unsigned table__kept_chunks(const struct table_fill *fill);
void table__kept_recount(struct table_fill *fill, unsigned chunk);
/* The chunk's part of table_fill_digest: they add up. */
uint64_t table__kept_digest(const struct table_fill *fill, unsigned chunk);
void table__kept_wipe(struct table_fill *fill, unsigned chunk);
/* All chunks have been recounted. False: the entries are not those of the layers. */
bool table__kept_is_sound(const struct table_fill *fill);

/* Entry bytes are read while other threads set them: a reader sees the old or the new value, and
 * both are right, because only vacant entries change and a new value is never mistaken for the
 * newest layer. */
static inline uint8_t table__entry_load(const uint8_t *entry)
{
    return __atomic_load_n(entry, __ATOMIC_RELAXED);
}

static inline void table__entry_store(uint8_t *entry, unsigned value)
{
    __atomic_store_n(entry, (uint8_t)value, __ATOMIC_RELAXED);
}

/* A translation of entries, e -> e + c digit by digit, as two small tables. */
enum { TABLE_HALF_MAX = 4096 };
struct table_shift {
    uint32_t low_size;
    uint32_t low[TABLE_HALF_MAX];
    uint32_t high[TABLE_HALF_MAX]; /* times low_size */
};

/* Entries of half a set of digits: low_size and the number of high halves. */
void table__shift_sizes(const struct table_coord *coord, uint32_t *low, uint32_t *high);
void table__shift_set(const struct table_coord *coord, const uint8_t *digits,
                      struct table_shift *shift);

/* How a move acts on the lines of a subset that share a head: where the head goes, and what happens
 * to the values of tails. */
struct table_block {
    uint32_t head;                      /* rank of the image head */
    uint8_t head_turn[TABLE_MAX_PICK];  /* digits added */
    uint8_t tail_value[TABLE_MAX_VIEW]; /* [relative value]: relative value under the image head */
    uint8_t tail_turn[TABLE_MAX_VIEW];  /* [relative value]: digit added */
};

void table__block_set(const struct table_coord *coord, uint32_t head, const uint8_t *move_piece,
                      const uint8_t *move_turn, struct table_block *block);

/* Tails of a subset, unranked: n_tails * (k - head) relative values. New; NULL: out of memory. */
uint8_t *table__tails_new(const struct table_coord *coord);

/* What both ways to fill a subset know of the moves. Deinit also after a failed init. */
struct table_subset_moves {
    struct table_view *move; /* [move] */
    uint8_t *tails;
};
int table__subset_init(const struct table_fill *fill, struct table_subset_moves *moves);
void table__subset_deinit(struct table_subset_moves *moves);

/* Image of a tail under a block's map: its rank; the digits it adds are written to `digits`. */
uint32_t table__tail_image(const struct table_coord *coord, const struct table_block *block,
                           const uint8_t *tail, uint8_t *digits);

/* A move on the view: piece and turn, n each. */
void table__view_move(const struct table_coord *coord, unsigned move, struct table_view *view);

#endif
