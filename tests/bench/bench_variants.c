/*
 * bench_variants.c - approximate tables of both variants at the same limit of memory, byte by byte
 * (encoding none): what the fill takes, and what a search visits and takes once the table is there.
 * Wings are what hash tables are for; their subsets take so long to fill that the limit is low. The
 * edges of the 3x3x3, of which a subset knows half, and which a kernel of their own asks, are for
 * comparison: beside exact corners. Times are of two threads, by the clock.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_random.h"
#include "tests/support/support_wings.h"
#include "tests/support/support_word.h"

enum { MIB = 1 << 20, CORNERS_MIB = 3, EDGES = 1 };

static const struct cycle_structure solved;

static void see_table(void *arg, const struct engine_table_info *info)
{
    struct engine_table_info *out = arg;
    if (strcmp(info->kind, "approximate") == 0)
        *out = *info;
}

/* The job with such a table in an engine of its own: once to fill it, and again. */
static void measure(const char *name, const struct engine_spec *spec, unsigned orbit,
                    enum table_variant variant, uint64_t memory)
{
    struct engine_config config = {.threads = 2, .memory_bytes = 4 * memory};
    struct engine_spec wished = *spec;
    struct engine_table_info info = {.kind = ""};
    struct support_engine here;
    struct support_job job;
    support_engine_open(&here, &config);
    wished.limits.memory_bytes = memory;
    wished.tables.orbit[orbit] = (struct search_wish){
        .set = true, .kind = TABLE_KIND_APPROXIMATE, .variant = variant, .encoding_set = true};
    support_job_run(&here, &wished, &job);
    support_job_release(&job);
    engine_visit_tables(here.engine, see_table, &info);
    uint64_t began = base_clock_ns();
    const struct engine_result *result = support_job_run(&here, &wished, &job);
    double seconds = support_bench_since(began);
    printf("%-26s %-7s %7.1f MiB  fill %7.2f s  %2d moves  %10llu nodes  %8.3f s  %6.0f ns a node  "
           "%016llx\n",
           name, table_variant_name(variant), (double)info.bytes / MIB, info.seconds,
           result->length, (unsigned long long)result->nodes, seconds,
           seconds * 1e9 / (double)result->nodes, (unsigned long long)support_bench_hash(result));
    fflush(stdout);
    support_job_release(&job);
    support_engine_close(&here);
}

static void compare(const char *name, const struct engine_spec *spec, unsigned orbit, unsigned mib)
{
    measure(name, spec, orbit, TABLE_VARIANT_SUBSET, (uint64_t)mib * MIB);
    measure(name, spec, orbit, TABLE_VARIANT_HASH, (uint64_t)mib * MIB);
}

/* A start so many random moves away, and all ways back. */
static void wings(const char *layers, const char *name, unsigned length)
{
    struct puzzle *puzzle = support_wings(layers);
    struct support_random random = {11};
    struct engine_spec spec = support_spec_all(puzzle, &solved);
    uint8_t start[PERM_MAX_BYTES], word[PUZZLE_MAX_WORD];
    for (unsigned i = 0; i < length; i++)
        word[i] = (uint8_t)support_random_below(&random, puzzle_move_count(puzzle));
    puzzle_apply_word(puzzle, NULL, word, length, start);
    spec.start = start;
    compare(name, &spec, 0, 1);
    puzzle_release(puzzle);
}

static void edges(const struct puzzle *cube, const char *name, const char *target,
                  const char *scramble)
{
    static const unsigned mib[] = {4, 41}; /* subsets of 5 pieces and 6 leave little of it */
    struct cycle_structure structure = support_cycle(cube, target);
    struct engine_spec spec = support_spec_all(cube, &structure);
    uint8_t start[PERM_MAX_BYTES];
    if (scramble) {
        support_word_state(cube, scramble, start);
        spec.start = start;
    }
    for (unsigned i = 0; i < 2; i++)
        compare(name, &spec, EDGES, mib[i] + CORNERS_MIB);
}

static void body(void)
{
    struct puzzle *cube = support_builtin("3x3x3");
    wings(NULL, "wings, 36 moves", 8);
    wings("X4 Y4 Z4 X3", "wings, 12 moves", 13);
    edges(cube, "c: (3) / e:", "c: (3) / e:", NULL);
    edges(cube, "c: (1+, 5+) / e: (1+, 1+)", "c: (1+, 5+) / e: (1+, 1+)", NULL);
    edges(cube, "a scramble of 13 moves", "c: / e:", "R L F B U D2 R' F2 U B2 L D F");
    puzzle_release(cube);
}

int main(void)
{
    return support_bench_main(body);
}
