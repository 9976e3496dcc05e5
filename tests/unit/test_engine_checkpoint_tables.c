/*
 * test_engine_checkpoint_tables.c - checkpoints of jobs with tables: those that one engine has left
 * are found and verified by the next, or are not there any more.
 */
#include <check.h>

#include "tests/support/support_puzzle.h"
#include "tests/support/support_story.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static struct puzzle *cube;

static void setup(void)
{
    cube = support_builtin("3x3x3");
}

static void teardown(void)
{
    puzzle_release(cube);
}

static void fill_tables(const struct engine_config *config, const struct engine_spec *spec)
{
    struct support_engine here;
    struct support_job job;
    support_engine_open(&here, config);
    support_job_run(&here, spec, &job);
    support_job_release(&job);
    support_engine_close(&here);
}

/* With tables that the piece before has left, and wide where there is a product: that of all
 * corners is asked, too, or alone. */
static void check_with_tables(struct engine_spec *spec, uint64_t memory, bool product)
{
    char directory[SUPPORT_DIRECTORY_SIZE];
    support_directory_make(directory);
    const struct engine_config config = {
        .threads = 2, .memory_bytes = memory, .table_dir = directory};
    spec->tables.product = (struct search_wish){.set = product, .kind = TABLE_KIND_PRODUCT};
    fill_tables(&config, spec);
    support_story_check(spec, &config, spec->find == ENGINE_FIND_ALL);
    support_directory_remove(directory);
}

START_TEST(with_tables)
{
    struct cycle_structure solved = {0};
    struct engine_spec spec = support_spec_all(cube, &solved);
    uint8_t start[PERM_MAX_BYTES];
    support_word_state(cube, "U R2 F' D L B2 U R D2 L F B'", start);
    spec.start = start;
    check_with_tables(&spec, 40 << 20, false);
}
END_TEST

START_TEST(wide_walks)
{
    struct cycle_structure target = support_cycle(cube, "c: / e: (1+, 1+)");
    struct engine_spec spec = support_spec_one(cube, &target);
    check_with_tables(&spec, 200 << 20, true);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {with_tables, wide_walks};

    return support_suite_run("engine_checkpoint_tables", tests, sizeof tests / sizeof tests[0],
                             setup, teardown, 120);
}
