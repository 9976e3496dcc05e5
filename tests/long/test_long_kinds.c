/*
 * test_long_kinds.c - hard structures have one answer whatever tables and memory their jobs get.
 */
#include <check.h>

#include "tests/support/support_engine.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum { CORNERS = 0, EDGES = 1, MIB = 1 << 20 };

static struct puzzle *cube;
static struct support_engine here;

static void setup(void)
{
    struct engine_config config = {.threads = 2, .memory_bytes = (uint64_t)2 << 30};
    cube = support_builtin("3x3x3");
    support_engine_open(&here, &config);
}

static void teardown(void)
{
    support_engine_close(&here);
    puzzle_release(cube);
}

/* Structures of twelve to fourteen moves, and what their jobs said without any wish. */
struct hard {
    const char *text;
    int length;
    uint64_t sequences, canonical, classes;
};

static struct search_wish of_kind(enum table_kind kind)
{
    return (struct search_wish){.set = true, .kind = kind};
}

/* Runs one with these tables and this memory; its counts are those of the first run. */
static void check_hard(struct hard *hard, const struct search_wishes *wishes, uint64_t memory)
{
    struct cycle_structure target = support_cycle(cube, hard->text);
    struct engine_spec spec = support_spec_all(cube, &target);
    struct support_job job;
    spec.limits.memory_bytes = memory;
    spec.tables = *wishes;
    const struct engine_result *result = support_job_run(&here, &spec, &job);
    ck_assert_msg(result->state == ENGINE_SUCCEEDED && result->counted, "%s: %s", hard->text,
                  result->error_text);
    ck_assert_msg(result->length == hard->length, "%s: %d", hard->text, result->length);
    struct engine_count count = support_count(result, (unsigned)hard->length);
    if (hard->sequences == 0) {
        hard->sequences = count.sequences;
        hard->canonical = count.canonical;
        hard->classes = count.classes;
    }
    ck_assert_uint_gt(count.sequences, 0);
    ck_assert_uint_eq(count.sequences, hard->sequences);
    ck_assert_uint_eq(count.canonical, hard->canonical);
    ck_assert_uint_eq(count.classes, hard->classes);
    support_job_release(&job);
}

START_TEST(ten_hard_structures_whatever_the_tables)
{
    static struct hard hard[] = {
        {.text = "c: (1+, 1+)", .length = 12},
        {.text = "c: (2+, 2+)", .length = 12},
        {.text = "e: (1+, 1+, 1+, 1+)", .length = 12},
        {.text = "e: (1+) x8", .length = 12},
        {.text = "c: (1+) x4 / e: (1+, 1+)", .length = 12},
        {.text = "e: (1+, 1+)", .length = 13},
        {.text = "c: (1+, 1+, 1+)", .length = 13},
        {.text = "c: (1+) x3 / e: (1+) x4", .length = 13},
        {.text = "c: (1+, 1+) / e: (1+, 1+)", .length = 14},
        {.text = "c: (1+) x4", .length = 14},
    };
    const struct search_wishes wishes[] = {{.orbit = {{0}}},
                                           {.orbit = {[CORNERS] = of_kind(TABLE_KIND_EXACT)}},
                                           {.orbit = {[CORNERS] = of_kind(TABLE_KIND_APPROXIMATE),
                                                      [EDGES] = of_kind(TABLE_KIND_APPROXIMATE)}},
                                           {.product = of_kind(TABLE_KIND_PRODUCT)}};
    for (size_t h = 0; h < sizeof hard / sizeof *hard; h++)
        for (size_t w = 0; w < sizeof wishes / sizeof *wishes; w++) {
            check_hard(&hard[h], &wishes[w], (uint64_t)64 * MIB);
            check_hard(&hard[h], &wishes[w], (uint64_t)1 << 30);
        }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {ten_hard_structures_whatever_the_tables};
    return support_suite_run("long_kinds", tests, sizeof tests / sizeof *tests, setup, teardown,
                             3600);
}
