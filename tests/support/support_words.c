/*
 * support_words.c - see support_words.h.
 */
#include "tests/support/support_words.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- what moves do to each other ----------------------------------------------------------- */

static void product(const struct puzzle *puzzle, unsigned a, unsigned b, uint8_t *out)
{
    perm_compose(puzzle_shape(puzzle), puzzle_move_at(puzzle, a)->transform,
                 puzzle_move_at(puzzle, b)->transform, out);
}

static bool commute(const struct puzzle *puzzle, unsigned a, unsigned b)
{
    uint8_t ab[PERM_MAX_BYTES], ba[PERM_MAX_BYTES];
    product(puzzle, a, b, ab);
    product(puzzle, b, a, ba);
    return perm_equal(puzzle_shape(puzzle), ab, ba);
}

static bool merge(const struct puzzle *puzzle, unsigned a, unsigned b)
{
    uint8_t ab[PERM_MAX_BYTES];
    if (puzzle_move_at(puzzle, a)->family != puzzle_move_at(puzzle, b)->family)
        return false;
    product(puzzle, a, b, ab);
    return perm_is_identity(puzzle_shape(puzzle), ab) || puzzle_find_transform(puzzle, ab) >= 0;
}

/* Both relations, tabled. */
struct relations {
    bool commute[PUZZLE_MAX_MOVES][PUZZLE_MAX_MOVES], merge[PUZZLE_MAX_MOVES][PUZZLE_MAX_MOVES];
};

static struct relations *relations_new(const struct puzzle *puzzle)
{
    struct relations *relations = malloc(sizeof *relations);
    ck_assert_ptr_nonnull(relations);
    for (unsigned a = 0; a < puzzle_move_count(puzzle); a++)
        for (unsigned b = 0; b < puzzle_move_count(puzzle); b++) {
            relations->commute[a][b] = commute(puzzle, a, b);
            relations->merge[a][b] = merge(puzzle, a, b);
        }
    return relations;
}

/* Can word[j] and `move` behind the word be brought together? Not if a chain of moves that do not
 * commute lies between them. */
static bool can_meet(const struct relations *relations, const uint8_t *word, unsigned length,
                     unsigned j, unsigned move)
{
    bool bound[PUZZLE_MAX_WORD] = {false}; /* must stay behind word[j] */
    for (unsigned i = j + 1; i < length; i++) {
        bound[i] = !relations->commute[word[j]][word[i]];
        for (unsigned k = j + 1; k < i && !bound[i]; k++)
            bound[i] = bound[k] && !relations->commute[word[k]][word[i]];
        if (bound[i] && !relations->commute[word[i]][move])
            return false;
    }
    return true;
}

static bool stays_reduced(const struct relations *relations, const uint8_t *word, unsigned length,
                          unsigned move)
{
    for (unsigned j = 0; j < length; j++)
        if (relations->merge[word[j]][move] && can_meet(relations, word, length, j, move))
            return false;
    return true;
}

/* ---- all words --------------------------------------------------------------------------- */

struct finder {
    const struct engine_spec *spec;
    const struct relations *relations;
    struct support_words *words;
    uint8_t word[PUZZLE_MAX_WORD];
};

static bool is_target(const struct engine_spec *spec, const uint8_t *state)
{
    struct cycle_structure structure;
    cycle_of_state(spec->puzzle, state, &structure);
    for (size_t i = 0; i < spec->n_targets; i++)
        if (cycle_equal(&structure, &spec->targets[i]))
            return true;
    return false;
}

static void keep(struct support_words *words, const uint8_t *word)
{
    if (words->count == words->capacity) {
        words->capacity = 2 * words->capacity + 64;
        words->word = realloc(words->word, words->capacity * words->length + 1);
        ck_assert_ptr_nonnull(words->word);
    }
    memcpy(words->word + words->count++ * words->length, word, words->length);
}

static void find(struct finder *finder, unsigned at, const uint8_t *state)
{
    const struct puzzle *puzzle = finder->spec->puzzle;
    uint8_t next[PERM_MAX_BYTES];
    if (at == finder->words->length) {
        if (is_target(finder->spec, state))
            keep(finder->words, finder->word);
        return;
    }
    for (unsigned m = 0; m < puzzle_move_count(puzzle); m++) {
        if (!stays_reduced(finder->relations, finder->word, at, m))
            continue;
        finder->word[at] = (uint8_t)m;
        perm_compose(puzzle_shape(puzzle), state, puzzle_move_at(puzzle, m)->transform, next);
        find(finder, at + 1, next);
    }
}

void support_words_init(struct support_words *words, const struct engine_spec *spec,
                        unsigned length)
{
    struct relations *relations = relations_new(spec->puzzle);
    struct finder finder = {.spec = spec, .relations = relations, .words = words};
    uint8_t state[PERM_MAX_BYTES];
    *words = (struct support_words){.puzzle = spec->puzzle, .length = length};
    puzzle_apply_word(spec->puzzle, spec->start, NULL, 0, state);
    find(&finder, 0, state);
    free(relations);
}

void support_words_deinit(struct support_words *words)
{
    free(words->word);
}

/* ---- up to relations --------------------------------------------------------------------- */

static long place_of(const struct support_words *words, const uint8_t *word)
{
    size_t low = 0, high = words->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = memcmp(words->word + middle * words->length, word, words->length);
        if (order == 0)
            return (long)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

bool support_words_have(const struct support_words *words, const uint8_t *word)
{
    return place_of(words, word) >= 0;
}

/* Sets of words, as trees. */
struct partition {
    const struct support_words *words;
    size_t *parent;
    uint64_t count;
};

static size_t root_of(struct partition *partition, size_t i)
{
    while (partition->parent[i] != i)
        i = partition->parent[i] = partition->parent[partition->parent[i]];
    return i;
}

static void join(struct partition *partition, size_t i, const uint8_t *other)
{
    long place = place_of(partition->words, other);
    if (place < 0)
        return; /* not reduced */
    size_t a = root_of(partition, i), b = root_of(partition, (size_t)place);
    if (a == b)
        return;
    partition->parent[a] = b;
    partition->count--;
}

static void join_swaps(struct partition *partition, size_t i)
{
    const struct support_words *words = partition->words;
    const uint8_t *word = words->word + i * words->length;
    uint8_t other[PUZZLE_MAX_WORD];
    for (unsigned at = 0; at + 1 < words->length; at++) {
        if (!commute(words->puzzle, word[at], word[at + 1]))
            continue;
        memcpy(other, word, words->length);
        other[at] = word[at + 1];
        other[at + 1] = word[at];
        join(partition, i, other);
    }
}

static void join_images(struct partition *partition, size_t i, const struct sym_group *group)
{
    const struct support_words *words = partition->words;
    const uint8_t *word = words->word + i * words->length;
    uint8_t other[PUZZLE_MAX_WORD];
    for (unsigned s = 0; s < group->count; s++) {
        for (unsigned at = 0; at < words->length; at++)
            other[at] = group->sym[s].move[word[at]];
        join(partition, i, other);
    }
}

static void join_rotation_and_inverse(struct partition *partition, size_t i)
{
    const struct support_words *words = partition->words;
    const uint8_t *word = words->word + i * words->length;
    uint8_t other[PUZZLE_MAX_WORD];
    for (unsigned at = 0; at < words->length; at++)
        other[at] = word[(at + 1) % words->length];
    join(partition, i, other);
    for (unsigned at = 0; at < words->length; at++)
        other[at] = puzzle_move_at(words->puzzle, word[words->length - 1 - at])->inverse;
    join(partition, i, other);
}

static void partition_init(struct partition *partition, const struct support_words *words)
{
    partition->words = words;
    partition->count = words->count;
    partition->parent = malloc((words->count + 1) * sizeof *partition->parent);
    ck_assert_ptr_nonnull(partition->parent);
    for (size_t i = 0; i < words->count; i++)
        partition->parent[i] = i;
}

uint64_t support_words_canonical(const struct support_words *words)
{
    struct partition partition;
    partition_init(&partition, words);
    for (size_t i = 0; i < words->count; i++)
        join_swaps(&partition, i);
    free(partition.parent);
    return partition.count;
}

uint64_t support_words_classes(const struct support_words *words, const struct sym_group *group,
                               bool is_cycle_job)
{
    struct partition partition;
    partition_init(&partition, words);
    for (size_t i = 0; i < words->count; i++) {
        join_swaps(&partition, i);
        join_images(&partition, i, group);
        if (is_cycle_job && words->length > 0)
            join_rotation_and_inverse(&partition, i);
    }
    free(partition.parent);
    return partition.count;
}
