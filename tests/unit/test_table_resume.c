/*
 * test_table_resume.c - a fill that is broken off at any point, and another that goes on with what
 * it has left.
 */
#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/table/table.h"
#include "core/table/table_grow.h"
#include "tests/support/support_directory.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_fill.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static const struct cycle_structure identity;

/* A table, its image, and what it looks like when it is filled in one go. */
struct subject {
    struct puzzle *puzzle;
    struct sym_group *group;
    struct table_coord *coord;
    struct table_image *image;
    struct support_filled whole;
    struct support_random random;
};

/* Takes the puzzle; k = 0: exact. */
static void subject_init(struct subject *subject, struct puzzle *puzzle, unsigned orbit, unsigned k)
{
    *subject = (struct subject){.puzzle = puzzle, .random = {orbit * 100 + k + 1}};
    ck_assert_int_eq(sym_group_new(puzzle, &subject->group), 0);
    int code = k == 0
                   ? table_coord_new_exact(subject->group, orbit, UINT64_MAX, &subject->coord)
                   : table_coord_new_subset(subject->group, orbit, k, UINT64_MAX, &subject->coord);
    ck_assert_int_eq(code, 0);
    ck_assert_int_eq(table_image_new(subject->coord, &identity, 1, &subject->image), 0);
    support_fill(subject->coord, &identity, 1, SUPPORT_FILL_IN_ORDER, &subject->whole);
}

static void subject_deinit(struct subject *subject)
{
    support_fill_free(&subject->whole);
    table_image_free(subject->image);
    table_coord_free(subject->coord);
    sym_group_free(subject->group);
    puzzle_release(subject->puzzle);
}

/* What a fill has left when it ended. */
struct left {
    uint8_t *entries;
    struct table_kept kept;
    bool complete;
};

static struct table_fill *fill_of(const struct subject *subject, uint8_t *entries)
{
    struct table_fill *fill = NULL;
    ck_assert_int_eq(table_fill_new(subject->coord, subject->image, entries, &fill), 0);
    ck_assert(table_fill_can_resume(fill));
    return fill;
}

/* Some chunks of a pass that does not come to its end. */
static void run_part(struct table_fill *fill, struct support_random *random)
{
    for (unsigned i = 0; i < table_fill_chunks(fill); i++)
        if (support_random_below(random, 2))
            table_fill_run(fill, i);
}

static void note(const struct table_fill *fill, struct table_kept *kept)
{
    kept->layers = table_fill_layers(fill);
    kept->digest = table_fill_digest(fill);
    memcpy(kept->histogram, table_fill_histogram(fill), sizeof kept->histogram);
}

/* Runs `passes` passes and a part of the next, or all there are. */
static void break_off(struct subject *subject, struct table_fill *fill, unsigned passes,
                      struct left *left)
{
    left->complete = false;
    for (unsigned pass = 0; pass < passes && !left->complete; pass++) {
        support_fill_pass(fill, SUPPORT_FILL_SHUFFLED, &subject->random);
        unsigned before = table_fill_layers(fill);
        left->complete = !table_fill_next(fill);
        if (table_fill_layers(fill) > before)
            note(fill, &left->kept);
    }
    if (!left->complete)
        run_part(fill, &subject->random);
    table_fill_free(fill);
}

/* The next fill recounts; then it is to have gone on or started afresh. */
static void recount(struct subject *subject, struct table_fill *fill, const struct left *left,
                    bool sound)
{
    ck_assert_uint_eq(table_fill_layers(fill), 0);
    support_fill_pass(fill, SUPPORT_FILL_SHUFFLED, &subject->random);
    ck_assert(!table_fill_is_resumed(fill));
    ck_assert(table_fill_next(fill));
    ck_assert_int_eq(table_fill_is_resumed(fill), sound);
    ck_assert_uint_eq(table_fill_layers(fill), sound ? left->kept.layers : 0);
    for (uint64_t i = 0; sound && i < subject->coord->size; i++)
        SUPPORT_EXPECT(left->entries[i] <= left->kept.layers);
}

static void finish(struct subject *subject, struct table_fill *fill, const uint8_t *entries)
{
    do
        support_fill_pass(fill, SUPPORT_FILL_THREADS, &subject->random);
    while (table_fill_next(fill));
    ck_assert_int_eq(memcmp(entries, subject->whole.entries, subject->coord->size), 0);
    ck_assert_uint_eq(table_fill_layers(fill), subject->whole.layers);
    ck_assert_uint_eq(table_fill_entries(fill), subject->whole.total);
    ck_assert_mem_eq(table_fill_histogram(fill), subject->whole.histogram,
                     sizeof subject->whole.histogram);
    table_fill_free(fill);
}

/* Breaks off after every number of passes, and goes on. */
static void check_resuming(struct subject *subject)
{
    struct left left = {.complete = false};
    unsigned resumed = 0;
    for (unsigned passes = 1; !left.complete; passes++) {
        left.entries = calloc(subject->coord->size, 1);
        ck_assert_ptr_nonnull(left.entries);
        break_off(subject, fill_of(subject, left.entries), passes, &left);
        if (left.kept.layers > 0) {
            struct table_fill *fill = fill_of(subject, left.entries);
            table_fill_resume(fill, &left.kept);
            recount(subject, fill, &left, true);
            finish(subject, fill, left.entries);
            resumed++;
        }
        free(left.entries);
    }
    ck_assert_uint_ge(resumed, subject->whole.layers);
}

/* Damages what is left in the given way. */
/* Two entries of different layers change places: each layer has as many as before. */
static void exchange(struct left *left, uint64_t at, uint64_t size)
{
    uint64_t other = at;
    do
        other = (other + 1) % size;
    while (left->entries[other] == TABLE_VACANT || left->entries[other] == left->entries[at] ||
           left->entries[other] > left->kept.layers);
    uint8_t entry = left->entries[at];
    left->entries[at] = left->entries[other];
    left->entries[other] = entry;
}

static void damage(struct subject *subject, unsigned way, struct left *left)
{
    uint64_t at = support_random_below(&subject->random, (uint32_t)subject->coord->size);
    uint64_t size = subject->coord->size;
    while (left->entries[at] == TABLE_VACANT || left->entries[at] > left->kept.layers)
        at = (at + 1) % size;
    switch (way) {
    case 0: /* an older page */
        left->entries[at] = TABLE_VACANT;
        break;
    case 1:
        left->entries[at] ^= 1;
        break;
    case 2: /* a layer too many is promised */
        left->kept.layers++;
        break;
    case 3:
        left->kept.histogram[left->kept.layers - 1]++;
        break;
    case 4:
        exchange(left, at, size);
        break;
    case 5:
        left->kept.digest ^= 1;
        break;
    case 6:
        left->kept.layers = TABLE_FILL_MAX_LAYERS + 1;
        break;
    default:
        left->kept.layers = 0;
    }
}

static void check_damage(struct subject *subject)
{
    for (unsigned way = 0; way < 8; way++) {
        struct left left = {.entries = calloc(subject->coord->size, 1)};
        ck_assert_ptr_nonnull(left.entries);
        break_off(subject, fill_of(subject, left.entries), 5, &left);
        damage(subject, way, &left);
        struct table_fill *fill = fill_of(subject, left.entries);
        table_fill_resume(fill, &left.kept);
        if (way < 6)
            recount(subject, fill, &left, false);
        finish(subject, fill, left.entries);
        free(left.entries);
    }
}

static void check(struct puzzle *puzzle, unsigned orbit, unsigned k)
{
    struct subject subject;
    subject_init(&subject, puzzle, orbit, k);
    check_resuming(&subject);
    check_damage(&subject);
    subject_deinit(&subject);
}

START_TEST(exact_tables)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    check(support_puzzle("a 5*2", "A! a(0 1 2+1); B! a(2 3 4+1)"), 0, 0);
    check(support_puzzle_only(pocket, "U R"), 0, 0);
    puzzle_release(pocket);
}
END_TEST

START_TEST(subsets_in_bits)
{
    check(support_builtin("3x3x3"), 1, 1);
    check(support_builtin("3x3x3"), 1, 3);
    check(support_builtin("3x3x3"), 1, 4);
    check(support_puzzle("a 7*2", "A a(0 1+1 2+1 3); B a(3 4+1 5+1 6)"), 0, 7);
}
END_TEST

START_TEST(subsets_in_bytes)
{
    check(support_builtin("3x3x3"), 0, 3);
    check(support_puzzle("a 5*3", "A! a(0 1+1); B! a(2 3 4+1)"), 0, 4);
    check(support_puzzle("a 7", "A a(0 2 3 5); B a(3 4 5)"), 0, 4);
}
END_TEST

/* Broken off again and again, each time by the next fill. */
START_TEST(many_times)
{
    struct subject subject;
    subject_init(&subject, support_builtin("3x3x3"), 1, 4);
    struct left left = {.entries = calloc(subject.coord->size, 1)};
    ck_assert_ptr_nonnull(left.entries);
    break_off(&subject, fill_of(&subject, left.entries), 1, &left);
    for (unsigned i = 0; !left.complete; i++) {
        struct table_fill *fill = fill_of(&subject, left.entries);
        struct left before = left;
        table_fill_resume(fill, &left.kept);
        break_off(&subject, fill, i % 3, &left);
        if (i % 3 == 0) /* in the middle of the recount: nothing new has been noted */
            left = before;
    }
    ck_assert_int_eq(memcmp(left.entries, subject.whole.entries, subject.coord->size), 0);
    free(left.entries);
    subject_deinit(&subject);
}
END_TEST

/* ---- in the store ------------------------------------------------------------------------ */

/* Of a fill's time for keeping what it has. */
#define ALL_OF_IT 1e9
#define NOTHING 1e-9

static struct table *create_table(const char *directory, const struct table_spec *spec,
                                  double share, struct table_store **store)
{
    struct table_store_config config = {.directory = directory, .keep_share = share};
    struct table *table = NULL;
    ck_assert_int_eq(table_store_open(&config, store, NULL), 0);
    ck_assert_int_eq(table_create(*store, spec, &table, NULL), 0);
    return table;
}

/* The first `part` of the chunks of the current pass, in percent. */
static void grow(struct table *table, unsigned part)
{
    unsigned chunks = table_grow_chunks(table);
    for (unsigned chunk = 0; chunk < chunks * part / 100; chunk++)
        table_grow_run(table, chunk);
}

/* Never returns: dies in the middle of the pass after so many. */
static void die_filling(const char *directory, const struct table_spec *spec, double share,
                        unsigned passes)
{
    struct table_store *store;
    struct table *table = create_table(directory, spec, share, &store);
    for (unsigned pass = 0; pass < passes; pass++) {
        grow(table, 100);
        if (table_grow_next(table, NULL) != 1)
            _exit(1);
    }
    grow(table, 50);
    (void)kill(getpid(), SIGKILL);
}

/* A process that is killed after so many passes. */
static void leave_behind(const char *directory, const struct table_spec *spec, double share,
                         unsigned passes)
{
    int status;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        die_filling(directory, spec, share, passes);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* The next that wants the table completes it, from `layers` layers on, which those passes made. */
static void check_killed(struct puzzle *puzzle, unsigned orbit, unsigned k, unsigned passes,
                         unsigned layers)
{
    char directory[SUPPORT_DIRECTORY_SIZE];
    struct subject subject;
    struct table_store *store;
    subject_init(&subject, puzzle, orbit, k);
    struct table_spec spec = {.coord = subject.coord, .structures = &identity, .n_structures = 1};
    support_directory_make(directory);
    leave_behind(directory, &spec, ALL_OF_IT, passes);
    struct table *table = create_table(directory, &spec, ALL_OF_IT, &store);
    const struct table_kept *kept = table_file_kept(table->file);
    ck_assert_uint_eq(kept->layers, layers);
    ck_assert_mem_eq(kept->histogram, subject.whole.histogram, layers * sizeof *kept->histogram);
    struct table_grow_report report;
    grow(table, 100); /* the recount */
    ck_assert_int_eq(table_grow_next(table, NULL), 1);
    table_grow_report_get(table, &report);
    ck_assert_uint_eq(report.layers, layers); /* it goes on, and does not start afresh */
    do
        grow(table, 100);
    while (table_grow_next(table, NULL) == 1);
    ck_assert_int_eq(table_seal(table, 1), 0);
    ck_assert_int_eq(
        memcmp(table_file_data(table->file), subject.whole.entries, subject.coord->size), 0);
    table_close(table);
    table_store_close(store);
    support_directory_remove(directory);
    subject_deinit(&subject);
}

START_TEST(a_killed_process)
{
    struct puzzle *pocket = support_builtin("2x2x2");
    check_killed(support_builtin("3x3x3"), 1, 4, 4, 4);
    /* Two passes a layer: one that is killed between them has the layer before. */
    check_killed(support_puzzle_only(pocket, "U R"), 0, 0, 5, 3);
    check_killed(support_puzzle_only(pocket, "U R"), 0, 0, 6, 3);
    puzzle_release(pocket);
}
END_TEST

/* One that had no time to keep anything leaves nothing to go on with, and does no harm. */
START_TEST(a_killed_process_in_a_hurry)
{
    char directory[SUPPORT_DIRECTORY_SIZE];
    struct subject subject;
    struct table_store *store;
    subject_init(&subject, support_builtin("3x3x3"), 1, 4);
    struct table_spec spec = {.coord = subject.coord, .structures = &identity, .n_structures = 1};
    support_directory_make(directory);
    leave_behind(directory, &spec, NOTHING, 4);
    struct table *table = create_table(directory, &spec, NOTHING, &store);
    ck_assert_uint_eq(table_file_kept(table->file)->layers, 0);
    const uint8_t *entries = table_file_data(table->file);
    for (uint64_t i = 0; i < subject.coord->size; i++)
        SUPPORT_EXPECT(entries[i] == TABLE_VACANT);
    table_close(table);
    table_store_close(store);
    support_directory_remove(directory);
    subject_deinit(&subject);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {exact_tables, subsets_in_bits,  subsets_in_bytes,
                            many_times,   a_killed_process, a_killed_process_in_a_hurry};

    return support_suite_run("table_resume", tests, sizeof tests / sizeof tests[0], NULL, NULL, 60);
}
