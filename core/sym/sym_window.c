/*
 * sym_window.c - groups the words of k moves by effect, symmetry and inversion.
 *
 * The effects of all shorter words go into a hash set first; a k-move word whose effect is in it
 * has no rank. The other effects are numbered, and joined (union-find) with the effects of the
 * symmetric images and of the reversed word of inverses, both found by mapping the letters of a
 * word rather than the state.
 */
#include "core/sym/sym_window.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/base/base_hash.h"

enum { NO_EFFECT = UINT32_MAX };

/* ---- a hash set of states, numbered in the order of their coming ------------------------- */

struct state_set {
    const struct perm_shape *shape;
    uint32_t *bucket; /* number + 1; 0: empty */
    uint8_t *states;
    uint32_t count, capacity, mask;
};

static int state_set_init(struct state_set *set, const struct perm_shape *shape, uint32_t capacity)
{
    uint32_t buckets = 16;
    while (buckets < 2 * capacity)
        buckets *= 2;
    *set = (struct state_set){.shape = shape, .capacity = capacity, .mask = buckets - 1};
    set->bucket = calloc(buckets, sizeof *set->bucket);
    set->states = malloc((size_t)capacity * shape->bytes);
    return set->bucket && set->states ? 0 : BASE_ERR_NOMEM;
}

static void state_set_deinit(struct state_set *set)
{
    free(set->bucket);
    free(set->states);
}

/* Number of the state; added if new, which *added says. */
static uint32_t state_set_find(struct state_set *set, const uint8_t *state, bool *added)
{
    uint32_t at = (uint32_t)base_hash(state, set->shape->bytes, 0) & set->mask;
    for (; set->bucket[at]; at = (at + 1) & set->mask) {
        uint32_t number = set->bucket[at] - 1;
        if (memcmp(set->states + (size_t)number * set->shape->bytes, state, set->shape->bytes) ==
            0) {
            *added = false;
            return number;
        }
    }
    memcpy(set->states + (size_t)set->count * set->shape->bytes, state, set->shape->bytes);
    set->bucket[at] = ++set->count;
    *added = true;
    return set->count - 1;
}

/* ---- building ---------------------------------------------------------------------------- */

struct window_build {
    struct sym_window *window;
    const struct puzzle *puzzle;
    const struct sym_group *group;
    const struct perm_shape *shape;
    struct state_set set;
    uint32_t n_shorter; /* states that fewer than k moves reach: the first ones of the set */
    uint32_t *parent;   /* union-find over effects */
};

static void word_letters(const struct sym_window *window, uint32_t number, uint8_t *word)
{
    for (unsigned i = window->k; i-- > 0;) {
        word[i] = (uint8_t)(number % window->n_moves);
        number /= window->n_moves;
    }
}

/* Adds all states that exactly one more move reaches; breadth-first, so the set's order is by
 * length. */
static void add_layer(struct window_build *build, uint32_t from, uint32_t to)
{
    uint8_t state[PERM_MAX_BYTES];
    bool added;
    for (uint32_t i = from; i < to; i++)
        for (unsigned m = 0; m < build->window->n_moves; m++) {
            perm_compose(build->shape, build->set.states + (size_t)i * build->shape->bytes,
                         puzzle_move_at(build->puzzle, m)->transform, state);
            state_set_find(&build->set, state, &added);
        }
}

static void add_shorter(struct window_build *build)
{
    uint8_t state[PERM_MAX_BYTES];
    bool added;
    perm_identity(build->shape, state);
    state_set_find(&build->set, state, &added);
    uint32_t from = 0;
    for (unsigned length = 1; length < build->window->k; length++) {
        uint32_t to = build->set.count;
        add_layer(build, from, to);
        from = to;
    }
    build->n_shorter = build->set.count;
}

/* Numbers the effects of all words whose first moves are `prefix` (`depth` letters), depth first.
 */
static void number_effects(struct window_build *build, uint32_t prefix, unsigned depth,
                           const uint8_t *state)
{
    struct sym_window *window = build->window;
    if (depth == window->k) {
        bool added;
        uint32_t number = state_set_find(&build->set, state, &added);
        window->effect[prefix] =
            number < build->n_shorter ? (uint32_t)NO_EFFECT : number - build->n_shorter;
        return;
    }
    for (unsigned m = 0; m < window->n_moves; m++) {
        uint8_t child[PERM_MAX_BYTES];
        perm_compose(build->shape, state, puzzle_move_at(build->puzzle, m)->transform, child);
        number_effects(build, prefix * window->n_moves + m, depth + 1, child);
    }
}

static uint32_t find_root(uint32_t *parent, uint32_t x)
{
    while (parent[x] != x)
        x = parent[x] = parent[parent[x]];
    return x;
}

/* Joins two effects; the lower number becomes the root. */
static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = find_root(parent, a);
    b = find_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* Lists the words of every effect (a counting sort). */
static int list_effect_words(struct window_build *build)
{
    struct sym_window *window = build->window;
    window->n_effects = build->set.count - build->n_shorter;
    window->effect_first = calloc((size_t)window->n_effects + 2, sizeof *window->effect_first);
    window->effect_words = malloc(((size_t)window->n_words + 1) * sizeof *window->effect_words);
    if (!window->effect_first || !window->effect_words)
        return BASE_ERR_NOMEM;
    uint32_t *end = window->effect_first + 1;
    for (uint32_t w = 0; w < window->n_words; w++)
        if (window->effect[w] != NO_EFFECT)
            end[window->effect[w] + 1]++;
    for (uint32_t e = 0; e < window->n_effects; e++)
        end[e + 1] += end[e];
    for (uint32_t w = 0; w < window->n_words; w++)
        if (window->effect[w] != NO_EFFECT)
            window->effect_words[end[window->effect[w]]++] = w;
    return 0;
}

/* Joins the effect of one word with those of its images and its inverse. */
static void join_images(struct window_build *build, uint32_t effect)
{
    const struct sym_window *window = build->window;
    uint8_t word[SYM_WINDOW_MAX_K], image[SYM_WINDOW_MAX_K];
    word_letters(window, window->effect_words[window->effect_first[effect]], word);
    for (unsigned s = 1; s < build->group->count; s++) {
        for (unsigned i = 0; i < window->k; i++)
            image[i] = build->group->sym[s].move[word[i]];
        join(build->parent, effect, window->effect[sym_window_word(window, image)]);
    }
    for (unsigned i = 0; i < window->k; i++)
        image[i] = puzzle_move_at(build->puzzle, word[window->k - 1 - i])->inverse;
    join(build->parent, effect, window->effect[sym_window_word(window, image)]);
}

struct window_class {
    uint32_t root, words, first_word;
};

static int compare_classes(const void *a, const void *b)
{
    const struct window_class *x = a, *y = b;
    if (x->words != y->words)
        return x->words > y->words ? -1 : 1;
    return x->first_word < y->first_word ? -1 : x->first_word > y->first_word;
}

/* Collects the classes, indexed by root in `slot`. */
static uint32_t collect_classes(struct window_build *build, struct window_class *classes,
                                uint32_t *slot)
{
    const struct sym_window *window = build->window;
    uint32_t count = 0;
    for (uint32_t e = 0; e < window->n_effects; e++) {
        uint32_t root = find_root(build->parent, e);
        uint32_t first = window->effect_words[window->effect_first[e]];
        if (root == e) {
            slot[e] = count;
            classes[count++] = (struct window_class){.root = e, .first_word = first};
        }
        struct window_class *class = &classes[slot[root]];
        class->words += window->effect_first[e + 1] - window->effect_first[e];
        if (first < class->first_word)
            class->first_word = first;
    }
    return count;
}

static int rank_classes(struct window_build *build, struct window_class *classes, uint32_t *slot)
{
    struct sym_window *window = build->window;
    window->n_classes = collect_classes(build, classes, slot);
    if (window->n_classes >= UINT16_MAX)
        return BASE_ERR_TOO_LARGE;
    qsort(classes, window->n_classes, sizeof *classes, compare_classes);
    window->prefix = malloc((size_t)window->n_classes * window->k + 1);
    window->class_words = malloc((window->n_classes + 1) * sizeof *window->class_words);
    if (!window->prefix || !window->class_words)
        return BASE_ERR_NOMEM;
    for (uint32_t c = 0; c < window->n_classes; c++) {
        slot[classes[c].root] = c;
        window->class_words[c] = classes[c].words;
        word_letters(window, classes[c].first_word, window->prefix + (size_t)c * window->k);
    }
    for (uint32_t w = 0; w < window->n_words; w++)
        if (window->effect[w] != NO_EFFECT)
            window->rank[w] = (uint16_t)(1 + slot[find_root(build->parent, window->effect[w])]);
    return 0;
}

static int join_and_rank(struct window_build *build)
{
    struct sym_window *window = build->window;
    int code = list_effect_words(build);
    if (code != 0)
        return code;
    size_t n = (size_t)window->n_effects + 1;
    struct window_class *classes = malloc(n * sizeof *classes);
    uint32_t *slot = malloc(n * sizeof *slot);
    build->parent = malloc(n * sizeof *build->parent);
    code = BASE_ERR_NOMEM;
    if (classes && slot && build->parent) {
        for (uint32_t e = 0; e < window->n_effects; e++)
            build->parent[e] = e;
        for (uint32_t e = 0; e < window->n_effects; e++)
            join_images(build, e);
        code = rank_classes(build, classes, slot);
    }
    free(classes);
    free(slot);
    free(build->parent);
    return code;
}

/* Lists the ranks once more by the last j moves of the words. */
static int rank_wraps(struct sym_window *window, unsigned j)
{
    uint32_t tails = 1, between;
    window->wrap[j] = calloc(window->n_words + 32, sizeof *window->rank);
    if (!window->wrap[j])
        return BASE_ERR_NOMEM;
    for (unsigned i = 0; i < j; i++)
        tails *= window->n_moves;
    between = window->n_words / tails; /* words of the other moves */
    for (uint32_t w = 0; w < window->n_words; w++)
        window->wrap[j][w % tails * between + w / tails] = window->rank[w];
    return 0;
}

unsigned sym_window_length(unsigned n_moves)
{
    enum { MOST_WORDS = 120000 };
    unsigned k = 1;
    uint64_t words = n_moves;
    while (k < SYM_WINDOW_MAX_K && words * n_moves <= MOST_WORDS) {
        words *= n_moves;
        k++;
    }
    return k;
}

static int window_build_all(struct window_build *build)
{
    struct sym_window *window = build->window;
    window->effect = malloc(window->n_words * sizeof *window->effect);
    window->rank = calloc(window->n_words + 32, sizeof *window->rank);
    if (!window->effect || !window->rank)
        return BASE_ERR_NOMEM;
    int code = state_set_init(&build->set, build->shape, 2 * window->n_words + 2);
    if (code != 0)
        return code;
    uint8_t solved[PERM_MAX_BYTES];
    perm_identity(build->shape, solved);
    add_shorter(build);
    number_effects(build, 0, 0, solved);
    code = join_and_rank(build);
    for (unsigned j = 1; code == 0 && j < window->k; j++)
        code = rank_wraps(window, j);
    return code;
}

int sym_window_new(const struct sym_group *group, struct sym_window **out)
{
    struct sym_window *window = calloc(1, sizeof *window);
    *out = window;
    if (!window)
        return BASE_ERR_NOMEM;
    window->n_moves = puzzle_move_count(group->puzzle);
    window->k = sym_window_length(window->n_moves);
    window->n_words = 1;
    for (unsigned i = 0; i < window->k; i++)
        window->n_words *= window->n_moves;
    window->n_rows = window->n_words / window->n_moves;
    struct window_build build = {.window = window,
                                 .puzzle = group->puzzle,
                                 .group = group,
                                 .shape = puzzle_shape(group->puzzle)};
    int code = window_build_all(&build);
    state_set_deinit(&build.set);
    if (code != 0) {
        sym_window_free(window);
        *out = NULL;
    }
    return code;
}

void sym_window_free(struct sym_window *window)
{
    if (!window)
        return;
    free(window->rank);
    for (unsigned j = 1; j < SYM_WINDOW_MAX_K; j++)
        free(window->wrap[j]);
    free(window->prefix);
    free(window->class_words);
    free(window->effect);
    free(window->effect_first);
    free(window->effect_words);
    free(window);
}

bool sym_window_wraps(const struct sym_window *window, const uint8_t *word, unsigned length,
                      unsigned least)
{
    for (unsigned start = length - window->k + 1; start < length; start++) {
        uint32_t number = 0;
        for (unsigned i = 0; i < window->k; i++)
            number = number * window->n_moves + word[(start + i) % length];
        if (window->rank[number] < least)
            return false;
    }
    return true;
}
