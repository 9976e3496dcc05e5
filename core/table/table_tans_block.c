/*
 * table_tans_block.c - encodes one block: its entries as letters, lanes of letters as words, words
 * as states and bits; and shows some entries as cheaper letters until all of it fits.
 */
#include "core/base/base_assert.h"
#include "core/table/table_tans_int.h"

enum { MAX_LANE = TABLE__MAX_PER_BLOCK / TABLE_TANS_LANES };

/* A lane in the order of decoding: the first state, then what each word's state takes to become the
 * next. */
struct lane {
    unsigned bits; /* in all */
    unsigned n;
    uint16_t value[MAX_LANE];
    uint8_t width[MAX_LANE];
};

/* ---- lanes ------------------------------------------------------------------------------- */

/* Cuts a lane into words; the last may reach beyond its end. Returns their number. */
static unsigned cut(const struct table_tans_coder *coder, const uint8_t *letter, uint8_t *word)
{
    const struct table__tree *tree = &coder->plan.tree;
    const unsigned per_block = coder->plan.per_block;
    unsigned n = 0, link = 0;
    for (unsigned slot = 0; slot < per_block; slot += TABLE_TANS_LANES) {
        link = tree->link[link + letter[slot]];
        if (link & TABLE__TREE_WORD) {
            word[n++] = (uint8_t)link;
            link = 0;
        }
    }
    if (link != 0) {
        do
            link = tree->link[link];
        while (!(link & TABLE__TREE_WORD));
        word[n++] = (uint8_t)link;
    }
    return n;
}

static void encode_lane(const struct table_tans_coder *coder, const uint8_t *letter,
                        struct lane *lane)
{
    uint8_t word[MAX_LANE];
    unsigned n = cut(coder, letter, word);
    unsigned state = ans_encode_last(&coder->encoder, word[n - 1]);

    lane->n = n;
    lane->bits = coder->plan.log;
    for (unsigned i = n - 1; i-- > 0;) {
        unsigned value, width;
        state = ans_encode(&coder->encoder, state, word[i], &value, &width);
        lane->value[i + 1] = (uint16_t)value;
        lane->width[i + 1] = (uint8_t)width;
        lane->bits += width;
    }
    lane->value[0] = (uint16_t)state;
    lane->width[0] = (uint8_t)coder->plan.log;
}

static unsigned encode_lanes(const struct table_tans_coder *coder, const uint8_t *letter,
                             struct lane lane[TABLE_TANS_LANES])
{
    unsigned bits = TABLE_TANS_HEAD_BITS;
    for (unsigned i = 0; i < TABLE_TANS_LANES; i++) {
        encode_lane(coder, letter + i, &lane[i]);
        bits += lane[i].bits;
    }
    return bits;
}

/* ---- fitting ----------------------------------------------------------------------------- */

/* Shows entries as cheaper letters until about `excess` bits are saved. False: there are none. */
static bool shrink(const struct table_tans_coder *coder, uint8_t *letter, double excess)
{
    const struct table__plan *plan = &coder->plan;
    bool changed = false;
    for (unsigned i = 0; i < plan->n_savings; i++) {
        const struct table__saving *saving = &plan->saving[i];
        for (unsigned slot = 0; slot < plan->per_block; slot++) {
            if (letter[slot] != saving->from)
                continue;
            letter[slot] = saving->to;
            changed = true;
            excess -= saving->bits;
            if (excess <= 0)
                return true;
        }
    }
    return changed;
}

bool table__block_can_fit(const struct table_tans_coder *coder)
{
    const uint8_t letter[TABLE__MAX_PER_BLOCK] = {0};
    struct lane lane[TABLE_TANS_LANES];
    return encode_lanes(coder, letter, lane) <= TABLE_TANS_BLOCK_BITS;
}

/* ---- writing ----------------------------------------------------------------------------- */

/* Bit i of a line is bit i % 8 of its byte i / 8. */
static void put(uint8_t *line, unsigned at, unsigned value)
{
    for (unsigned bits = value << at % 8; bits != 0; bits >>= 8, at += 8)
        line[at / 8] |= (uint8_t)bits;
}

static unsigned put_forward(uint8_t *line, unsigned at, const struct lane *lane)
{
    for (unsigned i = 0; i < lane->n; at += lane->width[i], i++)
        put(line, at, lane->value[i]);
    return at;
}

static void put_backward(uint8_t *line, unsigned at, const struct lane *lane)
{
    for (unsigned i = 0; i < lane->n; i++) {
        at -= lane->width[i];
        put(line, at, lane->value[i]);
    }
}

static void put_block(uint8_t *line, bool is_patched, const struct lane lane[TABLE_TANS_LANES])
{
    unsigned middle = TABLE_TANS_HEAD_BITS + lane[0].bits + lane[1].bits;
    put(line, 0, is_patched | middle << 1);
    put_forward(line, TABLE_TANS_HEAD_BITS, &lane[0]);
    put_backward(line, middle, &lane[1]);
    put_forward(line, middle, &lane[2]);
    put_backward(line, TABLE_TANS_BLOCK_BITS, &lane[3]);
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* Is the entry shown as neither itself nor, where that is allowed, as less? */
bool table__block_is_patched(const struct table_tans_coder *coder, const struct table__block *block,
                             unsigned slot, uint8_t byte)
{
    uint8_t shown = coder->plan.alphabet.byte[block->letter[slot]];
    return shown != byte && (coder->lossless || shown == 0 || shown > byte);
}

/* Counts what is not shown as it is. Returns whether a read has to look for patches at the common
 * value, too. */
static bool judge(const struct table_tans_coder *coder, const uint8_t *bytes,
                  struct table__block *block)
{
    const struct table__alphabet *alphabet = &coder->plan.alphabet;
    bool is_common_patched = false;
    block->n_patches = block->n_lowered = 0;
    for (unsigned slot = 0; slot < coder->plan.per_block; slot++) {
        if (alphabet->byte[block->letter[slot]] == bytes[slot])
            continue;
        if (table__block_is_patched(coder, block, slot, bytes[slot])) {
            block->n_patches++;
            is_common_patched |= block->letter[slot] == 0;
        } else {
            block->n_lowered++;
        }
    }
    return is_common_patched;
}

void table__block_encode(const struct table_tans_coder *coder, const uint8_t *bytes, uint8_t *line,
                         struct table__block *block)
{
    struct lane lane[TABLE_TANS_LANES];
    unsigned bits;

    for (unsigned slot = 0; slot < coder->plan.per_block; slot++)
        block->letter[slot] = coder->plan.alphabet.letter[bytes[slot]];
    while ((bits = encode_lanes(coder, block->letter, lane)) > TABLE_TANS_BLOCK_BITS) {
        bool changed = shrink(coder, block->letter, bits - TABLE_TANS_BLOCK_BITS);
        BASE_ASSERT(changed); /* table__block_can_fit */
    }
    bool is_patched = judge(coder, bytes, block);
    if (line)
        put_block(line, is_patched, lane);
}
