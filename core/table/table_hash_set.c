/*
 * table_hash_set.c - see table_hash_int.h.
 *
 * A slot has a byte, its *tag* (0: empty, else bits of the hash), and the packed arrangement, an
 * arc in as few bits as all arcs need. Two arrangements with the same hash are nearly always of one
 * class, but only trying the symmetries tells; that is quick, for a symmetry that does not map one
 * to the other is found out at the first slot whose piece is not at home.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/base_attr.h"
#include "core/base/base_mem.h"
#include "core/table/table_hash_int.h"

enum {
    MOST_USED = TABLE_STATES_REGION * 15 / 16, /* of a region: probes stay short */
    TRUSTED = TABLE_STATES_REGION * 13 / 16,   /* the fullest of thousands is this much above */
    MAX_KEY_BYTES = 128
};

/* Apart from each other, since threads take them in turn. */
struct states_region {
    BASE_ALIGNED(BASE_CACHE_LINE) pthread_mutex_t mutex; /* guards the region's slots and `used` */
    uint32_t used;
};

struct table_states {
    const struct table_hash *hash;
    unsigned arc_bits, key_bytes;
    uint64_t slots, n_regions, bytes;
    struct states_region *region;
    uint8_t *tag; /* [slot], then the keys: one mapping of `mapped` bytes */
    uint8_t *key; /* [slot * key_bytes] */
    size_t mapped;
};

/* ---- size --------------------------------------------------------------------------------- */

static unsigned arc_bits(const struct table_hash *hash)
{
    unsigned bits = 1;
    while (1u << bits < hash->n_arcs)
        bits++;
    return bits;
}

static unsigned key_bytes(const struct table_hash *hash)
{
    return (hash->view.n * arc_bits(hash) + 7) / 8;
}

static uint64_t region_bytes(const struct table_hash *hash)
{
    return TABLE_STATES_REGION * (1 + (uint64_t)key_bytes(hash)) + sizeof(struct states_region);
}

uint64_t table__states_bytes(const struct table_hash *hash, uint64_t slots)
{
    return slots / TABLE_STATES_REGION * region_bytes(hash);
}

uint64_t table__states_slots(const struct table_hash *hash, uint64_t bytes)
{
    return bytes / region_bytes(hash) * TABLE_STATES_REGION;
}

uint64_t table__states_capacity(uint64_t slots)
{
    return slots / TABLE_STATES_REGION * TRUSTED;
}

/* ---- life --------------------------------------------------------------------------------- */

static bool states_init(struct table_states *states)
{
    states->region = base_mem_new(states->n_regions * sizeof *states->region, BASE_CACHE_LINE);
    if (!states->region)
        return false;
    for (uint64_t r = 0; r < states->n_regions; r++)
        pthread_mutex_init(&states->region[r].mutex, NULL);
    size_t bytes = states->slots * (1 + (size_t)states->key_bytes);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    (void)madvise(memory, bytes, MADV_HUGEPAGE); /* it is touched at random */
    states->mapped = bytes;
    states->tag = memory;
    states->key = states->tag + states->slots;
    return true;
}

struct table_states *table__states_new(const struct table_hash *hash, uint64_t slots)
{
    struct table_states *states = calloc(1, sizeof *states);
    if (!states)
        return NULL;
    states->hash = hash;
    states->arc_bits = arc_bits(hash);
    states->key_bytes = key_bytes(hash);
    states->slots = slots;
    states->n_regions = slots / TABLE_STATES_REGION;
    states->bytes = table__states_bytes(hash, slots);
    if (!states_init(states)) {
        table__states_free(states);
        return NULL;
    }
    return states;
}

void table__states_free(struct table_states *states)
{
    if (!states)
        return;
    for (uint64_t r = 0; states->region && r < states->n_regions; r++)
        pthread_mutex_destroy(&states->region[r].mutex);
    base_mem_free(states->region);
    if (states->mapped)
        munmap(states->tag, states->mapped);
    free(states);
}

/* ---- packing ------------------------------------------------------------------------------ */

static void pack(const struct table_states *states, const struct table_hash_state *state,
                 uint8_t *key)
{
    uint64_t bits = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < states->hash->view.n; i++) {
        bits |= (uint64_t)state->arc[i] << count;
        for (count += states->arc_bits; count >= 8; count -= 8, bits >>= 8)
            *key++ = (uint8_t)bits;
    }
    if (count > 0)
        *key = (uint8_t)bits;
}

static void unpack(const struct table_states *states, const uint8_t *key,
                   struct table_hash_state *state)
{
    const uint8_t *piece_of = states->hash->piece_of;
    uint64_t bits = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < states->hash->view.n; i++) {
        for (; count < states->arc_bits; count += 8)
            bits |= (uint64_t)*key++ << count;
        unsigned arc = bits & ((1u << states->arc_bits) - 1);
        bits >>= states->arc_bits;
        count -= states->arc_bits;
        state->arc[i] = (uint16_t)arc;
        state->piece[i] = piece_of[arc];
    }
}

/* ---- classes ------------------------------------------------------------------------------ */

static unsigned turn_of(const struct table_hash *hash, const struct table_hash_state *state,
                        unsigned slot)
{
    return state->arc[slot] - state->piece[slot] * hash->view.mod;
}

/* The slot whose window has the least number of those that move something; n: none moves. */
static unsigned least_window(const struct table_hash *hash, const struct table_hash_state *state)
{
    unsigned least = hash->view.n;
    uint64_t number = UINT64_MAX;
    for (unsigned i = 0; i < hash->view.n; i++) {
        if (state->arc[i] == i * hash->view.mod)
            continue;
        uint64_t other = table__hash_window(hash, state, i);
        least = other <= number ? i : least;
        number = other <= number ? other : number;
    }
    return least;
}

/* Does the symmetry map a, or the inverse of a, to b? An arc from slot i to piece p goes from pi(i)
 * to pi(p), or that way back with the opposite turn. */
static bool sym_maps(const struct table_hash *hash, unsigned s, bool inverse,
                     const struct table_hash_state *a, const struct table_hash_state *b)
{
    const struct table_view_sym *sym = &hash->view.sym[s];
    const unsigned mod = hash->view.mod;
    for (unsigned i = 0; i < hash->view.n; i++) {
        unsigned p = a->piece[i], slot = inverse ? p : i, piece = inverse ? i : p;
        if (b->piece[sym->slot[slot]] != sym->slot[piece])
            return false;
        if (mod == 1)
            continue;
        unsigned turn = inverse ? mod - turn_of(hash, a, i) : turn_of(hash, a, i);
        unsigned image = sym->factor[slot] * turn + sym->turn[slot] + mod - sym->turn[piece];
        if (turn_of(hash, b, sym->slot[slot]) != image % mod)
            return false;
    }
    return true;
}

static bool some_sym_maps(const struct table_hash *hash, unsigned slot, unsigned image,
                          bool inverse, const struct table_hash_state *a,
                          const struct table_hash_state *b)
{
    const uint32_t *first = &hash->first_sym[slot * hash->view.n + image];
    for (uint32_t i = first[0]; i < first[1]; i++)
        if (sym_maps(hash, hash->sym_at[i], inverse, a, b))
            return true;
    return false;
}

/* Are two different states of one class? What maps one to the other maps windows to such of the
 * same number; so only the symmetries need be tried that take one window of a to one of b. The
 * inverse of a has that window too, starting at its last piece. */
static bool is_same_class(const struct table_hash *hash, const struct table_hash_state *a,
                          const struct table_hash_state *b)
{
    const unsigned n = hash->view.n, at = least_window(hash, a);
    if (at == n)
        return false;
    const unsigned back = a->piece[a->piece[at]];
    const uint64_t number = table__hash_window(hash, a, at);
    for (unsigned image = 0; image < n; image++) {
        if (table__hash_window(hash, b, image) != number)
            continue;
        if (some_sym_maps(hash, at, image, false, a, b) ||
            some_sym_maps(hash, back, image, true, a, b))
            return true;
    }
    return false;
}

/* `packed` is the state itself: most are simply found again. */
static bool is_found(const struct table_states *states, const struct table_hash_state *state,
                     const uint8_t *packed, const uint8_t *key)
{
    struct table_hash_state other;
    if (memcmp(packed, key, states->key_bytes) == 0)
        return true;
    unpack(states, key, &other);
    return is_same_class(states->hash, state, &other);
}

/* ---- finding ------------------------------------------------------------------------------ */

/* Which part of a hash says what: entries go by the highest bits. */
static uint64_t region_of(const struct table_states *states, uint64_t sum)
{
    uint64_t mixed = sum * UINT64_C(0x9e3779b97f4a7c15);
    return (uint64_t)((unsigned __int128)mixed * states->n_regions >> 64);
}

static unsigned place_of(uint64_t sum)
{
    return sum >> 8 & (TABLE_STATES_REGION - 1);
}

static uint8_t tag_of(uint64_t sum)
{
    return (uint8_t)(1 + (sum >> 20) % 255);
}

void table__states_prefetch(const struct table_states *states, uint64_t sum)
{
    uint64_t slot = region_of(states, sum) * TABLE_STATES_REGION + place_of(sum);
    __builtin_prefetch(states->tag + slot);
    __builtin_prefetch(states->key + slot * states->key_bytes);
}

/* The slot of the state's class; if there is none, the empty one where it belongs, and *found is
 * false. A region always has empty slots. */
static uint64_t find(const struct table_states *states, const struct table_hash_state *state,
                     uint64_t sum, const uint8_t *packed, bool *found)
{
    const uint64_t first = region_of(states, sum) * TABLE_STATES_REGION;
    const uint8_t tag = tag_of(sum);
    unsigned place = place_of(sum);
    for (; states->tag[first + place]; place = (place + 1) % TABLE_STATES_REGION) {
        if (states->tag[first + place] != tag)
            continue;
        const uint8_t *key = states->key + (first + place) * states->key_bytes;
        if (is_found(states, state, packed, key)) {
            *found = true;
            return first + place;
        }
    }
    *found = false;
    return first + place;
}

bool table__states_have(const struct table_states *states, const struct table_hash_state *state,
                        uint64_t sum)
{
    uint8_t packed[MAX_KEY_BYTES];
    bool found;
    pack(states, state, packed);
    find(states, state, sum, packed, &found);
    return found;
}

enum table_states_added table__states_add(struct table_states *states,
                                          const struct table_hash_state *state, uint64_t sum)
{
    struct states_region *region = &states->region[region_of(states, sum)];
    enum table_states_added added = TABLE_STATES_KNOWN;
    uint8_t packed[MAX_KEY_BYTES];
    bool found;
    pack(states, state, packed);
    pthread_mutex_lock(&region->mutex);
    uint64_t slot = find(states, state, sum, packed, &found);
    if (!found && region->used == MOST_USED) {
        added = TABLE_STATES_FULL;
    } else if (!found) {
        states->tag[slot] = tag_of(sum);
        memcpy(states->key + slot * states->key_bytes, packed, states->key_bytes);
        region->used++;
        added = TABLE_STATES_NEW;
    }
    pthread_mutex_unlock(&region->mutex);
    return added;
}

/* ---- all of them -------------------------------------------------------------------------- */

uint64_t table__states_slot_count(const struct table_states *states)
{
    return states->slots;
}

uint64_t table__states_count(const struct table_states *states)
{
    uint64_t count = 0;
    for (uint64_t r = 0; r < states->n_regions; r++)
        count += states->region[r].used;
    return count;
}

uint64_t table__states_size(const struct table_states *states)
{
    return states->bytes;
}

bool table__states_at(const struct table_states *states, uint64_t slot,
                      struct table_hash_state *state)
{
    if (states->tag[slot] == 0)
        return false;
    unpack(states, states->key + slot * states->key_bytes, state);
    return true;
}
