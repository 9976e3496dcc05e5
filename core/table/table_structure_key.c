/*
 * table_structure_key.c - keys of structures and the perfect hash from keys to numbers.
 *
 * Weights are random; a key is the sum of the weights of the cycles. Keys are thrown into buckets,
 * about four in each, and bucket after bucket, the fullest first, looks for a displacement that
 * sends all its keys to free slots (the hash-and-displace scheme, CHD, of Belazzougui, Botelho and
 * Dietzfelbinger). At most half of the slots are taken, so that is quick. If two keys are equal, or
 * cannot be told apart within a bucket, all is drawn anew.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_structure_inl.h"
#include "core/table/table_structure_int.h"

enum { N_WEIGHTS = 2 * 256, BUCKET_SIZE = 4, MAX_DRAWS = 1000, MAX_DISPLACEMENTS = 1 << 16 };

/* One draw of weights and what is needed to place the keys. */
struct draw {
    const struct table__orbit *orbit;
    struct table__keys *keys;
    uint64_t random;
    uint32_t count;
    uint64_t *hash;    /* [structure] */
    uint32_t *first;   /* [bucket]: where its structures begin in `member` */
    uint32_t *member;  /* structures by bucket */
    uint32_t *fullest; /* buckets, fullest first */
};

/* splitmix64 */
static uint64_t next_random(struct draw *draw)
{
    uint64_t z = draw->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Plain pieces weigh nothing, so it does not matter how many slots are walked over. */
static void draw_weights(struct draw *draw)
{
    struct table_structure_keys *open = &draw->keys->open;

    open->multiplier = next_random(draw) | 1;
    for (unsigned i = 3; i < N_WEIGHTS; i++)
        draw->keys->weight[i] = next_random(draw);
}

static uint64_t key_of(const struct table__keys *keys, const struct table__cycles *cycles)
{
    uint64_t key = 0;
    for (unsigned length = 1; length <= TABLE__MAX_PIECES; length++) {
        key += cycles->count[0][length] * keys->weight[2 * length];
        key += cycles->count[1][length] * keys->weight[2 * length + 1];
    }
    return key;
}

static bool hash_one(void *arg, uint32_t number, const struct table__cycles *cycles)
{
    struct draw *draw = arg;
    draw->hash[number] = key_of(draw->keys, cycles) * draw->keys->open.multiplier;
    return true;
}

/* ---- placing ---------------------------------------------------------------------------- */

static uint32_t bucket_of(const struct draw *draw, uint32_t structure)
{
    return (uint32_t)(draw->hash[structure] >> draw->keys->open.bucket_shift);
}

static void sort_into_buckets(struct draw *draw)
{
    const uint32_t n_buckets = draw->keys->n_buckets;

    memset(draw->first, 0, (n_buckets + 2) * sizeof *draw->first);
    for (uint32_t i = 0; i < draw->count; i++)
        draw->first[bucket_of(draw, i) + 2]++;
    for (uint32_t b = 2; b <= n_buckets; b++)
        draw->first[b] += draw->first[b - 1];
    for (uint32_t i = 0; i < draw->count; i++)
        draw->member[draw->first[bucket_of(draw, i) + 1]++] = i;
}

static uint32_t bucket_size(const struct draw *draw, uint32_t bucket)
{
    return draw->first[bucket + 1] - draw->first[bucket];
}

static void sort_fullest_first(struct draw *draw)
{
    const uint32_t n_buckets = draw->keys->n_buckets;
    uint32_t largest = 0, at = 0;

    for (uint32_t b = 0; b < n_buckets; b++)
        largest = bucket_size(draw, b) > largest ? bucket_size(draw, b) : largest;
    for (uint32_t size = largest + 1; size-- > 0;) {
        for (uint32_t b = 0; b < n_buckets; b++) {
            if (bucket_size(draw, b) == size)
                draw->fullest[at++] = b;
        }
    }
}

/* Gives the bucket's structures their slots, all or none. While keys are placed, a slot holds
 * number + 1, and 0 if it is free. */
static bool take_slots(struct draw *draw, uint32_t bucket, uint32_t displacement)
{
    const struct table_structure_keys *open = &draw->keys->open;
    const uint32_t *member = &draw->member[draw->first[bucket]];
    uint32_t taken[UINT8_MAX], n = bucket_size(draw, bucket);

    if (n > UINT8_MAX)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t hash = draw->hash[member[i]] >> open->slot_shift;
        taken[i] = (uint32_t)((hash ^ displacement) & open->slot_mask);
        if (draw->keys->number[taken[i]] != 0) {
            while (i-- > 0)
                draw->keys->number[taken[i]] = 0;
            return false;
        }
        draw->keys->number[taken[i]] = member[i] + 1;
    }
    return true;
}

static bool place_bucket(struct draw *draw, uint32_t bucket)
{
    for (uint32_t d = 0; d < MAX_DISPLACEMENTS; d++) {
        if (take_slots(draw, bucket, d)) {
            draw->keys->displacement[bucket] = d;
            return true;
        }
    }
    return false;
}

static bool place_all(struct draw *draw)
{
    struct table__keys *keys = draw->keys;

    draw_weights(draw);
    table__orbit_each(draw->orbit, hash_one, draw);
    sort_into_buckets(draw);
    sort_fullest_first(draw);
    memset(keys->number, 0, keys->n_slots * sizeof *keys->number);
    for (uint32_t b = 0; b < keys->n_buckets; b++) {
        if (!place_bucket(draw, draw->fullest[b]))
            return false;
    }
    for (uint32_t i = 0; i < keys->n_slots; i++)
        keys->number[i] -= keys->number[i] != 0;
    return true;
}

/* ---- life ------------------------------------------------------------------------------- */

static unsigned log_of_at_least(uint32_t n)
{
    unsigned log = 1;
    while ((UINT32_C(1) << log) < n)
        log++;
    return log;
}

static int alloc_keys(struct table__keys *keys, uint32_t count)
{
    const unsigned bucket_log = log_of_at_least(count / BUCKET_SIZE);
    const unsigned slot_log = log_of_at_least(2 * count);

    keys->n_buckets = UINT32_C(1) << bucket_log;
    keys->n_slots = UINT32_C(1) << slot_log;
    keys->displacement = calloc(keys->n_buckets, sizeof *keys->displacement);
    keys->number = calloc(keys->n_slots, sizeof *keys->number);
    keys->weight = calloc(N_WEIGHTS, sizeof *keys->weight);
    keys->open = (struct table_structure_keys){.bucket_shift = 64 - bucket_log,
                                               .slot_shift = 64 - bucket_log - slot_log,
                                               .slot_mask = keys->n_slots - 1,
                                               .displacement = keys->displacement,
                                               .number = keys->number,
                                               .weight = keys->weight};
    return keys->displacement && keys->number && keys->weight ? BASE_OK : BASE_ERR_NOMEM;
}

static int draw_until_placed(struct draw *draw)
{
    for (unsigned n = 0; n < MAX_DRAWS; n++) {
        if (place_all(draw))
            return BASE_OK;
    }
    return BASE_ERR_INTERNAL;
}

int table__keys_init(struct table__keys *keys, const struct table__orbit *orbit, uint32_t count)
{
    int code = alloc_keys(keys, count);
    if (code)
        return code;
    struct draw draw = {.orbit = orbit,
                        .keys = keys,
                        .count = count,
                        .hash = malloc(count * sizeof *draw.hash),
                        .first = malloc((keys->n_buckets + 2) * sizeof *draw.first),
                        .member = malloc(count * sizeof *draw.member),
                        .fullest = malloc(keys->n_buckets * sizeof *draw.fullest)};
    if (draw.hash && draw.first && draw.member && draw.fullest)
        code = draw_until_placed(&draw);
    else
        code = BASE_ERR_NOMEM;
    free(draw.hash);
    free(draw.first);
    free(draw.member);
    free(draw.fullest);
    return code;
}

void table__keys_deinit(struct table__keys *keys)
{
    free(keys->displacement);
    free(keys->number);
    free(keys->weight);
}

uint64_t table__keys_memory(const struct table__keys *keys)
{
    return keys->n_buckets * sizeof *keys->displacement + keys->n_slots * sizeof *keys->number +
           N_WEIGHTS * sizeof *keys->weight;
}

uint32_t table__keys_number(const struct table__keys *keys, const struct table__cycles *cycles)
{
    return table_structure_number(&keys->open, key_of(keys, cycles));
}
