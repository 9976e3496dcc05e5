/*
 * table_tans_plan.c - chooses the parameters of the `tans` encoding: letters, words, states, and
 * entries per block, from the histogram of the table alone.
 *
 * The search tries numbers of letters, sizes of the tree, numbers of states, and how close to the
 * limit an average block may come, and keeps what takes the fewest bits an entry. It treats the
 * entries of a block as drawn independently, which is what spreading a block's entries over the
 * table is good for:
 *
 *     size of a block ~ normal(mean, sd)
 *     excess          = sd * (phi(z) - z*Q(z))  bits over the limit,  z = (512 - mean) / sd
 *
 * and counts 24 bits for every entry that has to be patched.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/table/table_tans_int.h"

enum {
    MIN_LOG = 6,
    PATCH_BITS = 24,
    MIN_PER_BLOCK = TABLE_TANS_LANES,
    Z_STEPS = 25, /* z = 0, 1/8, ... 3 */
    SLICES = 16,
    SLICE_BITS = 4
};

/* Of all entries, that the plan of a lossy table may expect to lower; half of what is promised. */
#define MOST_LOWERED 0.0025

/* Space worth a step less of an average read, as a share of the whole. */
#define STEP_WORTH 0.0005

/* Bits of a saving at least, for the order: rare bytes may make the marker seem cheaper than it is.
 */
#define LEAST_SAVED 0.01

/* An entry is not lowered for fewer bits. */
#define LEAST_LOWERED 1.0

/* ---- letters ----------------------------------------------------------------------------- */

struct source {
    unsigned n;                             /* source bytes that occur */
    uint8_t byte[TABLE_CODEC_VALUES];       /* the most frequent first */
    double probability[TABLE_CODEC_VALUES]; /* [place in `byte`] */
    bool lossless;
};

static void source_init(struct source *source, const uint64_t *count, bool lossless)
{
    double total = 0;
    source->n = 0;
    source->lossless = lossless;
    for (unsigned byte = 0; byte < TABLE_CODEC_VALUES; byte++) {
        total += (double)count[byte];
        if (count[byte] == 0)
            continue;
        unsigned at = source->n++; /* insertion sort */
        for (; at > 0 && count[source->byte[at - 1]] < count[byte]; at--)
            source->byte[at] = source->byte[at - 1];
        source->byte[at] = (uint8_t)byte;
    }
    for (unsigned i = 0; i < source->n; i++)
        source->probability[i] = (double)count[source->byte[i]] / total;
}

/* May `shown` stand for `byte` without a patch? */
static bool may_show(bool lossless, uint8_t byte, uint8_t shown)
{
    return shown == byte || (!lossless && shown != 0 && shown < byte);
}

/* The largest letter that may stand for the byte; false: there is none. */
static bool find_lower(const struct table__alphabet *alphabet, bool lossless, uint8_t byte,
                       unsigned *letter)
{
    bool found = false;
    for (unsigned i = 0; i < alphabet->n_letters; i++)
        if (may_show(lossless, byte, alphabet->byte[i]) &&
            (!found || alphabet->byte[i] > alphabet->byte[*letter])) {
            *letter = i;
            found = true;
        }
    return found;
}

/* Probabilities of entries that are lowered or patched. */
struct rare {
    double lowered, patched;
};

/* Makes the rarest letter the marker if a byte of the source needs one. */
static struct rare judge_rare(struct table__alphabet *alphabet, const struct source *source)
{
    struct rare rare = {0, 0};
    unsigned letter;
    for (unsigned i = alphabet->n_letters; i < source->n; i++)
        if (find_lower(alphabet, source->lossless, source->byte[i], &letter))
            rare.lowered += source->probability[i];
        else
            rare.patched += source->probability[i];
    alphabet->marker = rare.patched > 0 ? alphabet->n_letters - 1 : 0;
    return rare;
}

static struct rare alphabet_init(struct table__alphabet *alphabet, const struct source *source,
                                 unsigned n_letters)
{
    alphabet->n_letters = n_letters;
    memcpy(alphabet->byte, source->byte, n_letters);
    memcpy(alphabet->probability, source->probability, n_letters * sizeof(double));
    struct rare rare = judge_rare(alphabet, source);
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned letter;
        if (!find_lower(alphabet, source->lossless, (uint8_t)byte, &letter))
            letter = alphabet->marker;
        alphabet->letter[byte] = (uint8_t)letter;
    }
    for (unsigned i = n_letters; i < source->n; i++)
        alphabet->probability[alphabet->letter[source->byte[i]]] += source->probability[i];
    return rare;
}

/* ---- savings ----------------------------------------------------------------------------- */

static int by_bits(const void *a, const void *b)
{
    const struct table__saving *x = a, *y = b;
    if (x->bits != y->bits)
        return x->bits > y->bits ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static void add_saving(struct table__plan *plan, unsigned from, unsigned to, double least)
{
    const double *p = plan->alphabet.probability;
    double bits = fmax(log2(p[to] / p[from]), LEAST_SAVED);
    if (bits >= least)
        plan->saving[plan->n_savings++] = (struct table__saving){(uint8_t)from, (uint8_t)to, bits};
}

/* Every letter as the most frequent of those that may stand for it. What is shown as the marker may
 * be something else, and stays what tells to look for a patch. */
static void add_lowering(struct table__plan *plan)
{
    const struct table__alphabet *alphabet = &plan->alphabet;
    for (unsigned from = 1; from < alphabet->n_letters; from++) {
        unsigned to = 0;
        while (to < from && !may_show(false, alphabet->byte[from], alphabet->byte[to]))
            to++;
        if (to < from && from != alphabet->marker)
            add_saving(plan, from, to, LEAST_LOWERED);
    }
}

/* First lower, if that is allowed; when nothing is left to lower, show everything as the most
 * frequent letter, and patch. */
static void savings_init(struct table__plan *plan, bool lossless)
{
    plan->n_savings = 0;
    if (!lossless)
        add_lowering(plan);
    unsigned first = plan->n_savings;
    for (unsigned from = 1; from < plan->alphabet.n_letters; from++)
        add_saving(plan, from, 0, 0);
    qsort(plan->saving, first, sizeof *plan->saving, by_bits);
    qsort(plan->saving + first, plan->n_savings - first, sizeof *plan->saving, by_bits);
}

/* Entries of a block of n that have to be shown as others to save so many bits, times `weight`. */
static void add_shown(const struct table__plan *plan, bool lossless, double n, double bits,
                      double weight, struct rare *rare)
{
    const struct table__alphabet *alphabet = &plan->alphabet;
    for (unsigned i = 0; i < plan->n_savings && bits > 0; i++) {
        const struct table__saving *saving = &plan->saving[i];
        double have = n * alphabet->probability[saving->from];
        double used = saving->bits * have > bits ? bits / saving->bits : have;
        bits -= saving->bits * used;
        if (may_show(lossless, alphabet->byte[saving->from], alphabet->byte[saving->to]))
            rare->lowered += weight * used;
        else
            rare->patched += weight * used;
    }
}

/* ---- what a plan costs ------------------------------------------------------------------- */

/* Of the size of a block with n entries: mean = fixed + n * slope; variance = n * variance. */
struct size {
    double fixed, slope, variance;
    double length; /* entries of a word on average */
};

/* A lane starts with a state, which pays for its last word; that one may reach beyond the lane's
 * end by `over` entries on average. */
static struct size block_size(const struct table__plan *plan)
{
    const struct table__tree *tree = &plan->tree;
    double bits = 0, length = 0, square = 0, entropy = 0, entropy_square = 0;
    for (unsigned i = 0; i < tree->n_words; i++) {
        double entries = tree->length[i], p = tree->weight[i];
        bits += p * ans_cost(plan->freq[i], plan->log);
        length += p * entries;
        square += p * entries * entries;
    }
    for (unsigned i = 0; i < plan->alphabet.n_letters; i++) {
        double p = plan->alphabet.probability[i], cost = -log2(p);
        entropy += p * cost;
        entropy_square += p * cost * cost;
    }
    double over = (square / length - 1) / 2;
    return (struct size){.fixed = TABLE_TANS_HEAD_BITS +
                                  TABLE_TANS_LANES * (plan->log + bits * (over / length - 1)),
                         .slope = bits / length,
                         .variance = entropy_square - entropy * entropy,
                         .length = length};
}

/* Entries with which the mean stays z standard deviations below the limit. */
static double entries_at(const struct size *size, double z)
{
    double room = TABLE_TANS_BLOCK_BITS - size->fixed, half = z * sqrt(size->variance) / 2;
    if (size->slope <= 0)
        return TABLE__MAX_PER_BLOCK;
    double root = (sqrt(half * half + size->slope * room) - half) / size->slope;
    double n = root * root;
    return n < TABLE__MAX_PER_BLOCK ? n : TABLE__MAX_PER_BLOCK;
}

/* Chance that a normal variable is more than z standard deviations above its mean. */
static double tail(double z)
{
    return erfc(z / sqrt(2)) / 2;
}

/* What has to be shown as others in a block of n entries on average: the rare ones, and those that
 * did not fit, one slice of the distribution of sizes after the other. */
static struct rare expect_rare(const struct table__plan *plan, const struct rare *rare,
                               const struct size *size, bool lossless, double n)
{
    const double mean = size->fixed + n * size->slope, sd = sqrt(n * size->variance) + 1e-9;
    struct rare all = {.lowered = n * rare->lowered, .patched = n * rare->patched};
    for (unsigned slice = 0; slice < SLICES; slice++) {
        double low = slice * SLICE_BITS, high = low + SLICE_BITS;
        double z = (TABLE_TANS_BLOCK_BITS - mean) / sd;
        double weight = tail(z + low / sd) - tail(z + high / sd);
        add_shown(plan, lossless, n, low + SLICE_BITS, weight, &all);
    }
    return all;
}

/* Best number of entries per block for the given letters, words and states. */
static void choose_per_block(struct table__plan *plan, const struct rare *rare, bool lossless)
{
    const struct size size = block_size(plan);
    plan->cost = INFINITY;
    for (unsigned step = 0; step < Z_STEPS; step++) {
        double n = floor(entries_at(&size, step / 8.0) / TABLE_TANS_LANES) * TABLE_TANS_LANES;
        if (n < MIN_PER_BLOCK)
            n = MIN_PER_BLOCK;
        struct rare all = expect_rare(plan, rare, &size, lossless, n);
        double bits = (TABLE_TANS_BLOCK_BITS + PATCH_BITS * all.patched) / n;
        double steps = n / (2 * TABLE_TANS_LANES * size.length);
        double cost = bits * (1 + STEP_WORTH * steps);
        if (cost < plan->cost && all.lowered <= MOST_LOWERED * n) {
            plan->cost = cost;
            plan->bits = bits;
            plan->lowered = all.lowered / n;
            plan->per_block = (unsigned)n;
        }
    }
}

/* ---- search ------------------------------------------------------------------------------ */

static void try_states(struct table__plan *plan, const struct rare *rare, bool lossless,
                       struct table__plan *best)
{
    for (plan->log = MIN_LOG; plan->log <= TABLE_TANS_MAX_LOG; plan->log++) {
        if (ans_normalise(plan->tree.weight, plan->tree.n_words, plan->log, plan->freq) != 0)
            continue;
        choose_per_block(plan, rare, lossless);
        if (plan->cost < best->cost)
            *best = *plan;
    }
}

void table__plan_choose(const uint64_t *count, bool lossless, struct table__plan *best)
{
    struct source source;
    struct table__plan plan;
    source_init(&source, count, lossless);
    best->cost = INFINITY;
    for (unsigned n_letters = 1; n_letters <= source.n; n_letters++) {
        struct rare rare = alphabet_init(&plan.alphabet, &source, n_letters);
        savings_init(&plan, lossless);
        table__tree_init(&plan.tree, plan.alphabet.probability, n_letters);
        unsigned next = n_letters;
        do {
            if (plan.tree.n_words < next)
                continue;
            next = plan.tree.n_words + plan.tree.n_words / 4 + 1;
            try_states(&plan, &rare, lossless, best);
        } while (table__tree_grow(&plan.tree, plan.alphabet.probability));
    }
}
