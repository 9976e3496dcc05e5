/*
 * search_forecast.c - see the header.
 */
#include "core/search/search_forecast.h"

#include <math.h>
#include <string.h>

#include "core/base/base_hash.h"
#include "core/cube3/cube3.h"
#include "core/table/table_file.h"
#include "core/table/table_image.h"

/* ---- rates ------------------------------------------------------------------------------- */

/*
 * Processor time, measured on two shared cores of 2020 (AVX2): nodes by the deep searches of
 * bench_policy and bench_plan, fills by jobs that do little else. They are for ratios; another
 * machine is faster or slower in all of them.
 */
static const struct {
    double node_read;    /* a node without tables, whose structure is read */
    double node_exact;   /* a node, only exact tables asked: in the cache */
    double node_subset;  /* subsets are asked besides: several questions in memory */
    double node_product; /* product tables, likewise */
    double node_generic; /* by the portable expansion loop */
    double leaf;         /* a leaf that all tables let through: reference code */
    double fill_exact;   /* of each byte of entries */
    double fill_subset;
    double fill_product;
    double fill_hash; /* of 36 moves, in both directions; less with fewer */
    double start;     /* of a job: contexts, window ranks */
} cost = {10e-9, 25e-9, 100e-9, 150e-9, 400e-9, 400e-9, 70e-9, 38e-9, 25e-9, 120e-9, 0.03};

/* What a second thread and each further one add. */
static const double thread_worth = 0.85;

/* How many independent questions those asked of a lossy table are worth: subsets are asked four,
 * products six. */
static const double subset_questions = 3, product_questions = 6;

/* Where the driver looks ahead: search_step.c, expected_nodes. */
static const double expected_growth = 0.75;

enum {
    NONE = SEARCH_PLAN_MAX,
    QUANTILES = 5,
    MOST_OUTCOMES = SEARCH_ESTIMATE_LENGTHS * QUANTILES + 1
};

/* The share of the states of which a bound is at most r: [r]. */
struct cumulative {
    double at[SEARCH_ESTIMATE_LENGTHS];
};

struct forecast {
    const struct search_forecast_spec *spec;
    double scale; /* of nodes, from the depth that has been searched */
    struct search_words words;
    struct search_words plain; /* above the optimum; only with slack */
    struct cumulative table[SEARCH_PLAN_MAX];
    bool is_cube3;
};

/* What the driver has done so far in the game, and where it stands. */
struct play {
    bool has[SEARCH_PLAN_MAX];
    double nodes, seconds; /* processor's */
    double before;         /* nodes of the depth before with the same tables; 0: not known */
};

/* ---- tables ------------------------------------------------------------------------------ */

static void from_histogram(const struct table *table, struct cumulative *out)
{
    uint64_t histogram[TABLE_HISTOGRAM_SIZE], sum = 0, total = 0;
    table_file_histogram(table->file, histogram);
    for (unsigned r = 0; r < TABLE_HISTOGRAM_SIZE; r++)
        total += histogram[r];
    for (unsigned r = 0; r < SEARCH_ESTIMATE_LENGTHS; r++) {
        sum += r < TABLE_HISTOGRAM_SIZE ? histogram[r] : 0;
        out->at[r] = total ? (double)sum / (double)total : 1;
    }
}

/* Entries of a table, of which each stands for the same number of states. */
static double log10_entries(const struct forecast *forecast, const struct search_plan_table *table)
{
    const struct search_context *context = forecast->spec->context;
    const struct perm_orbit *orbit = &puzzle_shape(context->puzzle)->orbit[table->orbit];
    unsigned n = puzzle_movable_count(context->puzzle, table->orbit);
    if (search_plan_variant(table) == TABLE_VARIANT_HASH)
        return log10((double)table->entries * 2 * context->group->count); /* of classes */
    unsigned k = table->kind == TABLE_KIND_EXACT ? n : table->k;
    double positions = lgamma(n + 1.0) - lgamma(n - k + 1.0) + k * log(orbit->mod);
    return positions / log(10);
}

enum { SAMPLES = 1024, ENOUGH_HITS = 4 };

/* How many of so many entries of a subset table, tried at random and always the same, belong to the
 * target; 0 also where there was no memory. */
static unsigned sample_image(const struct forecast *forecast, const struct search_plan_table *table)
{
    const struct search_plan_target *target = forecast->spec->target;
    const struct table_coord *coord;
    struct table_image *image;
    struct table_partial partial = {.known = table->k};
    uint64_t random = 1;
    unsigned hits = 0;
    if (search_context_coord(forecast->spec->context, table->orbit, table->k, &coord) != 0)
        return 0;
    if (table_image_new(coord, target->structures, target->n, &image) != 0)
        return 0;
    for (unsigned i = 0; i < SAMPLES; i++) {
        uint8_t left[TABLE_MAX_VIEW], sums[TABLE_MAX_VIEW];
        struct table_trails trails;
        for (unsigned j = 0; j < coord->n; j++)
            left[j] = (uint8_t)j;
        for (unsigned j = 0; j < table->k; j++) {
            unsigned at = (unsigned)((random = base_hash_mix(random, j)) % (coord->n - j));
            partial.slot[j] = coord->pick[j];
            partial.piece[j] = left[at];
            left[at] = left[coord->n - 1 - j];
        }
        table_trails_find(coord, &partial, &trails);
        for (unsigned c = 0; c < trails.n_closed; c++)
            sums[c] = (uint8_t)((random = base_hash_mix(random, c)) % coord->mod);
        hits += table_image_has(image, &trails, sums);
    }
    table_image_free(image);
    return hits;
}

/* The share of the entries that are the target's own. */
static double image_share(const struct forecast *forecast, const struct search_plan_table *table)
{
    const struct search_plan_target *target = forecast->spec->target;
    const struct puzzle *puzzle = forecast->spec->context->puzzle;
    double sum = 0;
    for (size_t i = 0; i < target->n; i++) {
        const struct cycle_structure *structure = &target->structures[i];
        double states = search_estimate_orbit(puzzle, structure, table->orbit), entries;
        if (table->kind == TABLE_KIND_PRODUCT) {
            /* two bits an entry, of which symmetries of one axis leave a sixteenth */
            states = search_estimate_orbit(puzzle, structure, TABLE_PRODUCT_COLOURS) +
                     search_estimate_orbit(puzzle, structure, TABLE_PRODUCT_LINES);
            entries = log10((double)table->bytes * 4 * 16);
        } else {
            entries = log10_entries(forecast, table);
        }
        sum += pow(10, states - entries);
    }
    if (search_plan_variant(table) != TABLE_VARIANT_SUBSET)
        return sum;
    /* Many states of a large class share an entry. */
    unsigned hits = sample_image(forecast, table);
    return hits >= ENOUGH_HITS ? (double)hits / SAMPLES : fmin(sum, (double)ENOUGH_HITS / SAMPLES);
}

/* A table's layers grow more slowly than words: a class of states is closed under conjugation, so
 * many words lead from one to another, and moves that touch none of the picked pieces lead nowhere.
 * By comparison with histograms. */
static const double layer_growth = 0.7;

/* A hash table's fill ends a layer after the last that fits into its scratch memory, which are this
 * share of its entries. */
static const double hash_kept = 1.0 / 40;

/* Each layer holds its growth times what is within the layer before, until the table is full. */
static void from_growth(const struct forecast *forecast, const struct search_plan_table *table,
                        struct cumulative *out)
{
    bool is_hash = search_plan_variant(table) == TABLE_VARIANT_HASH, is_over = false;
    double share = image_share(forecast, table), ball = 0, slower = 1;
    for (unsigned r = 0; r < SEARCH_ESTIMATE_LENGTHS; r++, slower *= layer_growth) {
        bool is_last = is_hash && share * ball > hash_kept;
        ball += forecast->words.canonical[r] * slower;
        out->at[r] = is_over ? 1 : -expm1(-share * ball);
        is_over = is_over || is_last;
    }
}

static void look_at_tables(struct forecast *forecast)
{
    const struct search_forecast_spec *spec = forecast->spec;
    for (unsigned t = 0; t < spec->plan->n; t++) {
        const struct search_plan_table *table = &spec->plan->table[t];
        if (table->kind == TABLE_KIND_FIXED)
            continue;
        /* Of product tables only the bounds of a few bits are kept, and no histogram. */
        if (spec->table[t] && table->kind != TABLE_KIND_PRODUCT)
            from_histogram(spec->table[t], &forecast->table[t]);
        else
            from_growth(forecast, table, &forecast->table[t]);
    }
}

/* ---- nodes ------------------------------------------------------------------------------- */

/* The share of states that the tables let through with r moves left. Tables of single orbits judge
 * independently of each other; a product judges the same orbits once more, so the stricter of the
 * two counts. */
static double let_through(const struct forecast *forecast, const bool *has, unsigned r)
{
    const struct search_plan *plan = forecast->spec->plan;
    double single = 1, product = 1;
    for (unsigned t = 0; t < plan->n; t++) {
        if (!has[t])
            continue;
        double share = forecast->table[t].at[r];
        if (plan->table[t].kind == TABLE_KIND_PRODUCT)
            product = fmin(product, pow(share, product_questions));
        else
            single *= search_plan_variant(&plan->table[t]) == TABLE_VARIANT_SUBSET
                          ? pow(share, subset_questions)
                          : share;
    }
    return fmin(single, product);
}

/* A word leads away from the start by as many moves as it has, or by fewer: of the words of a
 * level, about this share for each move less. Fitted to searches that begin one move from the
 * target's corners. */
static const double less_far_exact = 0.42, less_far_all = 0.33;

/* The share of a level's states that are let through at least, because they are near the start. */
static double let_through_near_start(const struct forecast *forecast, const bool *has,
                                     unsigned level, unsigned r)
{
    unsigned farthest = forecast->spec->start_bound + level;
    double less_far = less_far_exact;
    for (unsigned t = 0; t < forecast->spec->plan->n; t++)
        if (has[t] && forecast->spec->plan->table[t].kind != TABLE_KIND_EXACT)
            less_far = less_far_all;
    return farthest <= r ? 1 : pow(less_far, farthest - r);
}

static double depth_nodes(const struct forecast *forecast, const bool *has, unsigned depth)
{
    const struct search_words *words = &forecast->words;
    double sum = depth >= words->k ? words->inner[words->k] : words->inner[depth];
    for (unsigned level = words->k + 1; level <= depth; level++)
        sum += words->inner[level] *
               fmax(let_through(forecast, has, depth - level + 1),
                    let_through_near_start(forecast, has, level - 1, depth - level + 1));
    return forecast->scale * sum;
}

static bool has_any(const struct forecast *forecast, const bool *has)
{
    for (unsigned t = 0; t < forecast->spec->plan->n; t++)
        if (has[t])
            return true;
    return false;
}

/* Processor seconds of a depth. */
static double depth_seconds(const struct forecast *forecast, const bool *has, unsigned depth,
                            double nodes)
{
    const struct search_plan *plan = forecast->spec->plan;
    double node = cost.node_exact;
    for (unsigned t = 0; t < plan->n; t++)
        if (has[t] && plan->table[t].kind == TABLE_KIND_PRODUCT)
            node = fmax(node, cost.node_product);
        else if (has[t] && plan->table[t].kind == TABLE_KIND_APPROXIMATE)
            node = fmax(node, cost.node_subset);
    if (!forecast->is_cube3)
        node = cost.node_generic;
    else if (!has_any(forecast, has))
        return cost.node_read * nodes;
    double leaves = forecast->words.inner[depth] * let_through(forecast, has, 0);
    return node * nodes + cost.leaf * fmin(leaves, nodes);
}

/* ---- the driver -------------------------------------------------------------------------- */

double search_forecast_fill(const struct search_plan_table *table)
{
    static const double encoded = 4; /* entries a byte, nearly */
    double bytes = (double)table->bytes;
    if (table->kind == TABLE_KIND_PRODUCT)
        return bytes * cost.fill_product;
    if (table->encoding != TABLE_ENCODING_NONE)
        bytes *= encoded;
    if (search_plan_variant(table) == TABLE_VARIANT_HASH)
        return (double)table->entries * cost.fill_hash;
    return bytes * (table->kind == TABLE_KIND_EXACT ? cost.fill_exact : cost.fill_subset);
}

static void play_fill(const struct forecast *forecast, struct play *play, unsigned t)
{
    play->has[t] = true;
    play->before = 0;
    play->seconds += search_forecast_fill(&forecast->spec->plan->table[t]);
}

/* The table that is next to be filled; NONE: none is left. */
static unsigned next_table(const struct forecast *forecast, const struct play *play)
{
    const struct search_plan *plan = forecast->spec->plan;
    unsigned next = NONE;
    for (unsigned t = 0; t < plan->n; t++)
        if (!play->has[t] && !forecast->spec->denied[t] &&
            plan->table[t].kind != TABLE_KIND_FIXED && isfinite(plan->table[t].worth_nodes) &&
            (next == NONE || plan->table[t].worth_nodes < plan->table[next].worth_nodes))
            next = t;
    return next;
}

/* Fills what the depth is worth, as search_step.c does; returns the depth's nodes with the tables
 * that are there then. */
static double play_tables(const struct forecast *forecast, struct play *play, unsigned depth)
{
    const struct search_plan *plan = forecast->spec->plan;
    double foreseen =
        play->before * expected_growth * puzzle_move_count(forecast->spec->context->puzzle);
    for (;;) {
        double nodes = depth_nodes(forecast, play->has, depth);
        unsigned next = next_table(forecast, play);
        if (next == NONE || fmax(nodes, foreseen) <= plan->table[next].worth_nodes)
            return nodes;
        if (foreseen <= plan->table[next].worth_nodes) { /* begun in vain */
            play->nodes += plan->table[next].worth_nodes;
            play->seconds +=
                depth_seconds(forecast, play->has, depth, plan->table[next].worth_nodes);
        }
        play_fill(forecast, play, next);
        foreseen = 0;
    }
}

static void play_begin(const struct forecast *forecast, struct play *play)
{
    const struct search_forecast_spec *spec = forecast->spec;
    memset(play, 0, sizeof *play);
    for (unsigned t = 0; t < spec->plan->n; t++) {
        play->has[t] = spec->table[t] != NULL;
        if (!play->has[t] && spec->at_once[t] && !spec->denied[t])
            play_fill(forecast, play, t);
    }
}

/* ---- outcomes ---------------------------------------------------------------------------- */

/* What may happen, and how likely it is. */
struct outcomes {
    unsigned n;
    double chance[MOST_OUTCOMES], nodes[MOST_OUTCOMES], seconds[MOST_OUTCOMES];
};

static void add_outcome(struct outcomes *outcomes, double chance, double nodes, double seconds)
{
    if (chance < 1e-4) /* cannot matter */
        return;
    unsigned i = outcomes->n++;
    outcomes->chance[i] = chance;
    outcomes->nodes[i] = fmax(nodes, 1);
    outcomes->seconds[i] = seconds;
}

/* The last depth of a search for one solution ends at the first; where that lies is luck, and the
 * sooner the more there are. */
static void add_last_depth(const struct forecast *forecast, struct outcomes *outcomes,
                           const struct play *before, const struct play *after, double chance)
{
    for (unsigned q = 0; q < QUANTILES; q++) {
        double part = forecast->spec->find_all ? 1 : (q + 0.5) / QUANTILES;
        add_outcome(outcomes, chance / QUANTILES,
                    before->nodes + part * (after->nodes - before->nodes),
                    before->seconds + part * (after->seconds - before->seconds));
    }
}

/* Above the optimum plain canonical words are searched. */
static void play_slack(const struct forecast *forecast, struct play *play, unsigned length)
{
    struct forecast plain = *forecast;
    plain.words = forecast->plain;
    for (unsigned n = length + 1; n <= length + forecast->spec->slack; n++) {
        if (n > forecast->spec->most || n >= SEARCH_ESTIMATE_LENGTHS)
            break;
        double nodes = play_tables(&plain, play, n);
        play->nodes += nodes;
        play->seconds += depth_seconds(&plain, play->has, n, nodes);
    }
}

static void play_all(const struct forecast *forecast, const double *chance,
                     struct outcomes *outcomes)
{
    const struct search_forecast_spec *spec = forecast->spec;
    struct play play;
    double left = 1;
    outcomes->n = 0;
    play_begin(forecast, &play);
    play.before = spec->seen_depth + 1 == spec->from ? spec->seen_nodes : 0;
    for (unsigned n = spec->from; n <= spec->most && n < SEARCH_ESTIMATE_LENGTHS; n++) {
        double nodes = play_tables(forecast, &play, n);
        struct play after = play;
        after.nodes += nodes;
        after.seconds += depth_seconds(forecast, play.has, n, nodes);
        after.before = nodes;
        struct play end = after;
        if (spec->slack > 0 && chance[n] > 1e-6)
            play_slack(forecast, &end, n);
        add_last_depth(forecast, outcomes, spec->slack ? &end : &play, &end, chance[n]);
        left -= chance[n];
        play = after;
    }
    add_outcome(outcomes, left, play.nodes, play.seconds);
}

/* The value that most of the outcomes lie within a factor of three of; of several, the one in the
 * middle. */
static double best_guess(const double *value, const double *chance, unsigned n)
{
    static const double tolerance = 3, step = 1.05, equal = 1e-9;
    double least = INFINITY, most = 0, best = 0, first = 0, last = 0;
    bool going_on = false;
    for (unsigned i = 0; i < n; i++) {
        least = fmin(least, value[i]);
        most = fmax(most, value[i]);
    }
    for (double guess = least; guess <= most * step; guess *= step) {
        double sum = 0;
        for (unsigned i = 0; i < n; i++)
            if (value[i] <= tolerance * guess && value[i] >= guess / tolerance)
                sum += chance[i];
        if (sum > best + equal) {
            best = sum;
            first = guess;
            going_on = true;
        }
        going_on = going_on && sum >= best - equal;
        if (going_on)
            last = guess;
    }
    return best > 0 ? sqrt(first * last) : most;
}

static unsigned likeliest(const double *chance, unsigned from, unsigned most)
{
    unsigned best = from;
    for (unsigned n = from; n <= most; n++)
        if (chance[n] > chance[best])
            best = n;
    return best;
}

/* ---- all --------------------------------------------------------------------------------- */

/* What the model is off by where the search has been. The frontier's own nodes tell nothing. */
static void calibrate(struct forecast *forecast)
{
    const struct search_forecast_spec *spec = forecast->spec;
    bool has[SEARCH_PLAN_MAX];
    for (unsigned t = 0; t < spec->plan->n; t++)
        has[t] = spec->table[t] != NULL;
    if (spec->seen_nodes > 0)
        forecast->scale = spec->seen_nodes / depth_nodes(forecast, has, spec->seen_depth);
}

static void forecast_init(const struct search_forecast_spec *spec, struct forecast *forecast)
{
    memset(forecast, 0, sizeof *forecast);
    forecast->spec = spec;
    forecast->is_cube3 = cube3_fits(spec->context->puzzle);
    search_estimate_words(spec->context, spec->target->is_cycle_job, &forecast->words);
    if (spec->slack > 0)
        search_estimate_words(spec->context, false, &forecast->plain);
    look_at_tables(forecast);
    forecast->scale = 1;
    calibrate(forecast);
}

void search_forecast_make(const struct search_forecast_spec *spec, struct search_forecast *out)
{
    struct forecast forecast;
    struct outcomes outcomes;
    double chance[SEARCH_ESTIMATE_LENGTHS];
    forecast_init(spec, &forecast);
    search_estimate_lengths(&forecast.words, search_estimate_share(spec->context, spec->target),
                            spec->from, chance);
    play_all(&forecast, chance, &outcomes);
    out->length = likeliest(chance, spec->from, SEARCH_ESTIMATE_LENGTHS - 1);
    if (out->length > spec->most)
        out->length = spec->most + 1;
    for (unsigned i = 0; i < outcomes.n; i++) {
        outcomes.nodes[i] += spec->spent_nodes;
        outcomes.seconds[i] = outcomes.seconds[i] / (1 + thread_worth * (spec->threads - 1)) +
                              fmax(spec->spent_seconds, cost.start);
    }
    out->nodes = best_guess(outcomes.nodes, outcomes.chance, outcomes.n);
    out->seconds = best_guess(outcomes.seconds, outcomes.chance, outcomes.n);
}

double search_forecast_depth(const struct search_forecast_spec *spec, unsigned depth)
{
    struct forecast forecast;
    bool has[SEARCH_PLAN_MAX];
    forecast_init(spec, &forecast);
    for (unsigned t = 0; t < spec->plan->n; t++)
        has[t] = spec->table[t] != NULL;
    return depth_nodes(&forecast, has, depth);
}
