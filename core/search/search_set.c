/*
 * search_set.c - closure by breadth-first search over ordered words.
 *
 * The words of one length lie one after another; the queue of the search is the array itself.
 * Neighbours come from a few generators (one rotation step, generators of the symmetry group, one
 * swap at a time), so a class costs about ten look-ups a word.
 */
#include "core/search/search_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/base/base_hash.h"
#include "core/search/search_rank.h"

enum { FIRST_WORDS = 256 }; /* room for them is made first */

/* The words of one length. */
struct word_list {
    uint8_t *words; /* count * length */
    uint32_t *class_of;
    uint32_t *bucket; /* index + 1; 0: empty */
    uint32_t count, capacity, mask;
    uint32_t replaced; /* words whose factors have been replaced */
    struct search_set_counts counts;
};

struct set_class {
    uint8_t length;
    uint32_t best; /* index of its easiest word */
    double rank;
};

struct search_set {
    const struct search_problem *problem;
    uint64_t memory, bytes; /* the limit; what all lists take */
    unsigned n_syms;
    uint16_t sym[SYM_MAX_GENERATORS];
    struct word_list list[SEARCH_MAX_LENGTH + 1];
    struct set_class *class;
    uint32_t n_classes, class_capacity;
};

int search_set_new(const struct search_problem *problem, uint64_t memory, struct search_set **out)
{
    struct search_set *set = calloc(1, sizeof *set);
    *out = set;
    if (!set)
        return BASE_ERR_NOMEM;
    set->problem = problem;
    set->memory = memory ? memory : UINT64_MAX;
    set->n_syms = sym_group_generators(problem->group, set->sym);
    return 0;
}

void search_set_free(struct search_set *set)
{
    if (!set)
        return;
    for (unsigned length = 0; length <= SEARCH_MAX_LENGTH; length++) {
        free(set->list[length].words);
        free(set->list[length].class_of);
        free(set->list[length].bucket);
    }
    free(set->class);
    free(set);
}

/* ---- the list ---------------------------------------------------------------------------- */

static uint32_t list_bucket(const struct word_list *list, const uint8_t *word, unsigned length)
{
    uint32_t at = (uint32_t)base_hash(word, length, 0) & list->mask;
    while (list->bucket[at] &&
           memcmp(list->words + (size_t)(list->bucket[at] - 1) * length, word, length) != 0)
        at = (at + 1) & list->mask;
    return at;
}

static uint64_t list_bytes(const struct word_list *list, uint32_t capacity, unsigned length)
{
    return capacity * (length + sizeof *list->class_of + 2 * sizeof *list->bucket);
}

static int list_grow(struct word_list *list, uint32_t capacity, unsigned length)
{
    if (capacity > UINT32_MAX / 4)
        return BASE_ERR_TOO_LARGE;
    uint8_t *words = realloc(list->words, (size_t)capacity * length + 1);
    if (words)
        list->words = words;
    uint32_t *class_of = realloc(list->class_of, capacity * sizeof *class_of);
    if (class_of)
        list->class_of = class_of;
    uint32_t *bucket = calloc((size_t)capacity * 2, sizeof *bucket);
    if (!words || !class_of || !bucket) {
        free(bucket);
        return BASE_ERR_NOMEM;
    }
    free(list->bucket);
    list->bucket = bucket;
    list->capacity = capacity;
    list->mask = 2 * capacity - 1;
    for (uint32_t i = 0; i < list->count; i++)
        list->bucket[list_bucket(list, list->words + (size_t)i * length, length)] = i + 1;
    return 0;
}

/* Room for one more word of the length. */
static int set_reserve(struct search_set *set, unsigned length)
{
    struct word_list *list = &set->list[length];
    if (list->count < list->capacity)
        return 0;
    uint32_t capacity = list->capacity ? 2 * list->capacity : FIRST_WORDS;
    uint64_t more = list_bytes(list, capacity - list->capacity, length);
    if (more > set->memory - set->bytes)
        return BASE_ERR_MEMORY_LIMIT;
    int code = list_grow(list, capacity, length);
    if (code == 0)
        set->bytes += more;
    return code;
}

static bool list_has(const struct word_list *list, const uint8_t *word, unsigned length)
{
    return list->count > 0 && list->bucket[list_bucket(list, word, length)] != 0;
}

/* ---- classes ----------------------------------------------------------------------------- */

int search_word_compare_text(const struct puzzle *puzzle, const uint8_t *a, const uint8_t *b,
                             unsigned length)
{
    for (unsigned i = 0; i < length; i++) {
        if (a[i] == b[i])
            continue;
        /* A name that ends earlier is followed by a space or the end, which sort before any letter
         * of a name. */
        return strcmp(puzzle_move_at(puzzle, a[i])->name, puzzle_move_at(puzzle, b[i])->name);
    }
    return 0;
}

/* Keeps the easiest word of the class up to date. */
static void class_note(struct search_set *set, uint32_t class_index, uint32_t index,
                       const uint8_t *word, unsigned length)
{
    struct set_class *class = &set->class[class_index];
    const struct puzzle *puzzle = set->problem->puzzle;
    double rank = search_rank(puzzle, word, length);
    const uint8_t *best = set->list[length].words + (size_t) class->best * length;
    if (class->length == 0xff || rank < class->rank ||
        (rank <= class->rank && search_word_compare_text(puzzle, word, best, length) < 0)) {
        class->length = (uint8_t)length;
        class->best = index;
        class->rank = rank;
    }
}

static int class_new(struct search_set *set)
{
    if (set->n_classes == set->class_capacity) {
        uint32_t capacity = set->class_capacity ? 2 * set->class_capacity : 16;
        struct set_class *grown = realloc(set->class, capacity * sizeof *grown);
        if (!grown)
            return BASE_ERR_NOMEM;
        set->class = grown;
        set->class_capacity = capacity;
    }
    set->class[set->n_classes++] = (struct set_class){.length = 0xff};
    return 0;
}

static bool is_solution(const struct search_problem *problem, const uint8_t *word, unsigned length)
{
    uint8_t state[PERM_MAX_BYTES];
    puzzle_apply_word(problem->puzzle, problem->start, word, length, state);
    return search_problem_is_target(problem, state);
}

/* Can no two moves of the word be merged? Optimal words never can; rotations of longer ones may. */
static bool is_reduced(const struct search_problem *problem, const uint8_t *word, unsigned length)
{
    uint8_t normal[PUZZLE_MAX_WORD];
    memcpy(normal, word, length);
    canon_normalise(problem->context->canon, normal, length);
    return canon_accepts(problem->context->canon, normal, length);
}

/* Adds one word to the class being built, unless it is known or not reduced. */
static int word_take(struct search_set *set, const uint8_t *word, unsigned length)
{
    struct word_list *list = &set->list[length];
    if (list_has(list, word, length) || !is_reduced(set->problem, word, length))
        return 0;
    if (!is_solution(set->problem, word, length))
        return BASE_ERR_INTERNAL;
    int code = set_reserve(set, length);
    if (code != 0)
        return code;
    uint32_t index = list->count++;
    memcpy(list->words + (size_t)index * length, word, length);
    list->class_of[index] = set->n_classes - 1;
    list->bucket[list_bucket(list, word, length)] = index + 1;
    list->counts.sequences++;
    list->counts.canonical += canon_accepts(set->problem->context->canon, word, length);
    class_note(set, set->n_classes - 1, index, word, length);
    return 0;
}

static int take_swaps(struct search_set *set, const uint8_t *word, unsigned length)
{
    uint8_t other[PUZZLE_MAX_WORD];
    int code = 0;
    for (unsigned i = 0; code == 0 && i + 1 < length; i++) {
        if (!canon_commute(set->problem->context->canon, word[i], word[i + 1]))
            continue;
        memcpy(other, word, length);
        other[i] = word[i + 1];
        other[i + 1] = word[i];
        code = word_take(set, other, length);
    }
    return code;
}

static int take_images(struct search_set *set, const uint8_t *word, unsigned length)
{
    uint8_t other[PUZZLE_MAX_WORD];
    int code = 0;
    for (unsigned s = 0; code == 0 && s < set->n_syms; s++) {
        for (unsigned i = 0; i < length; i++)
            other[i] = set->problem->group->sym[set->sym[s]].move[word[i]];
        code = word_take(set, other, length);
    }
    return code;
}

static int take_rotation_and_inverse(struct search_set *set, const uint8_t *word, unsigned length)
{
    uint8_t other[PUZZLE_MAX_WORD];
    for (unsigned i = 0; i < length; i++)
        other[i] = word[(i + 1) % length];
    int code = word_take(set, other, length);
    for (unsigned i = 0; i < length; i++)
        other[i] = puzzle_move_at(set->problem->puzzle, word[length - 1 - i])->inverse;
    return code == 0 ? word_take(set, other, length) : code;
}

static int take_neighbours(struct search_set *set, uint32_t index, unsigned length)
{
    uint8_t word[PUZZLE_MAX_WORD]; /* a copy: the list may move */
    memcpy(word, set->list[length].words + (size_t)index * length, length);
    int code = take_swaps(set, word, length);
    if (code == 0)
        code = take_images(set, word, length);
    if (code == 0 && set->problem->is_cycle_job && length > 0)
        code = take_rotation_and_inverse(set, word, length);
    return code;
}

/* Makes the class of a new word. */
static int class_flood(struct search_set *set, const uint8_t *word, unsigned length)
{
    struct word_list *list = &set->list[length];
    uint32_t first = list->count, known = set->n_classes;
    int code = class_new(set);
    if (code == 0)
        code = word_take(set, word, length);
    if (list->count == first) { /* not reduced: nobody asked for such a word; or no room */
        set->n_classes -= set->n_classes > known;
        return code;
    }
    list->counts.classes++;
    for (uint32_t at = first; code == 0 && at < list->count; at++)
        code = take_neighbours(set, at, length);
    return code;
}

/* Replaces every factor of k moves of one word by the other words of the same effect; new words
 * found new classes. */
static int replace_factors(struct search_set *set, uint32_t index, unsigned length)
{
    const struct sym_window *window = set->problem->context->window;
    uint8_t word[PUZZLE_MAX_WORD];
    int code = 0;
    memcpy(word, set->list[length].words + (size_t)index * length, length);
    for (unsigned i = 0; code == 0 && i + window->k <= length; i++) {
        uint32_t effect = window->effect[sym_window_word(window, word + i)];
        if (effect == UINT32_MAX)
            continue;
        for (uint32_t w = window->effect_first[effect];
             code == 0 && w < window->effect_first[effect + 1]; w++) {
            uint8_t other[PUZZLE_MAX_WORD];
            memcpy(other, word, length);
            for (uint32_t j = window->k, number = window->effect_words[w]; j-- > 0;
                 number /= window->n_moves)
                other[i + j] = (uint8_t)(number % window->n_moves);
            if (!list_has(&set->list[length], other, length))
                code = class_flood(set, other, length);
        }
    }
    return code;
}

int search_set_add(struct search_set *set, const uint8_t *word, unsigned length, bool replace)
{
    struct word_list *list = &set->list[length];
    if (list_has(list, word, length))
        return 0;
    int code = class_flood(set, word, length);
    while (code == 0 && replace && list->replaced < list->count)
        code = replace_factors(set, list->replaced++, length);
    return code;
}

/* ---- reading ----------------------------------------------------------------------------- */

uint32_t search_set_classes(const struct search_set *set)
{
    return set->n_classes;
}

void search_set_best(const struct search_set *set, uint32_t class_index, struct search_word *out,
                     double *rank)
{
    const struct set_class *class = &set->class[class_index];
    search_set_word(set, class->length, class->best, out);
    *rank = class->rank;
}

void search_set_counts(const struct search_set *set, unsigned length, struct search_set_counts *out)
{
    *out = set->list[length].counts;
}

uint64_t search_set_size(const struct search_set *set, unsigned length)
{
    return set->list[length].count;
}

void search_set_word(const struct search_set *set, unsigned length, uint64_t index,
                     struct search_word *out)
{
    const struct word_list *list = &set->list[length];
    *out = (struct search_word){.move = list->words + (size_t)index * length,
                                .length = length,
                                .class_index = list->class_of[index]};
}
