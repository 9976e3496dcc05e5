/*
 * test_long_bounds.c - tables of every kind in every encoding, held against the known answers: no
 * bound along a shortest solution is higher than the moves that are left. It takes most of an hour;
 * CYCLOSOLVE_FROM=N leaves the first N of its 500 jobs out, to go on with a run that was broken
 * off.
 */
#include <check.h>
#include <stdlib.h>

#include "tests/support/support_engine.h"
#include "tests/support/support_grow.h"
#include "tests/support/support_structures.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum { CORNERS = 0, EDGES = 1, ROWS = 3209, JOBS = 500 };

/* Room for the tables of the last rows, whose corners or edges the next ones may share. */
#define STORE_BYTES ((uint64_t)1 << 30)

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

/* What tables of the cube are made of, one of each kind and size. */
struct shapes {
    struct sym_group *group;
    struct table_coord *exact, *corners, *edges;
    struct table_product *product;
    struct table_structure *steps[2];
};

/* Sizes that are filled in a second: 4 corners, 5 edges, the product without flips. */
static void shapes_init(struct shapes *shapes)
{
    ck_assert_int_eq(sym_group_new(cube, &shapes->group), 0);
    const struct sym_group *group = shapes->group;
    ck_assert_int_eq(table_coord_new_exact(group, CORNERS, UINT64_MAX, &shapes->exact), 0);
    ck_assert_int_eq(table_coord_new_subset(group, CORNERS, 4, UINT64_MAX, &shapes->corners), 0);
    ck_assert_int_eq(table_coord_new_subset(group, EDGES, 5, UINT64_MAX, &shapes->edges), 0);
    ck_assert_int_eq(table_product_new(group, false, TABLE_PRODUCT_FLIP_BITS, &shapes->product), 0);
    for (unsigned orbit = 0; orbit < 2; orbit++)
        ck_assert_int_eq(table_structure_new(cube, orbit, &shapes->steps[orbit]), 0);
}

static void shapes_deinit(struct shapes *shapes)
{
    for (unsigned orbit = 0; orbit < 2; orbit++)
        table_structure_free(shapes->steps[orbit]);
    table_product_free(shapes->product);
    table_coord_free(shapes->edges);
    table_coord_free(shapes->corners);
    table_coord_free(shapes->exact);
    sym_group_free(shapes->group);
}

/* Many rows share their corners or edges. */
static struct table *make(struct table_store *store, const struct table_spec *spec)
{
    struct table *table;
    return table_open(store, spec, &table) == 0 ? table : support_grow(store, spec);
}

/* The solved state lies as many moves from the target as the solution has, and so on. Returns how
 * many bounds there were that were not 0. */
static unsigned check_solution(const struct table *table, const struct engine_solution *solution)
{
    const struct perm_shape *shape = puzzle_shape(cube);
    unsigned told = 0;
    for (unsigned at = 0; at <= solution->length; at++) {
        uint8_t state[PERM_MAX_BYTES], inverse[PERM_MAX_BYTES];
        puzzle_apply_word(cube, NULL, solution->move, at, state);
        perm_invert(shape, state, inverse);
        unsigned bound = table_bound(table, state, inverse);
        ck_assert_uint_le(bound, solution->length - at);
        told += bound > 0;
    }
    return told;
}

struct job {
    struct table_store *store;
    const struct engine_job *job;
    uint64_t n_solutions;
    const struct cycle_structure *target;
};

/* Returns as check_solution. */
static uint64_t check_table(const struct job *job, struct table_spec spec)
{
    uint64_t told = 0;
    spec.structures = job->target;
    spec.n_structures = 1;
    struct table *table = make(job->store, &spec);
    for (uint64_t s = 0; s < job->n_solutions; s++)
        told += check_solution(table, engine_job_solution(job->job, s));
    table_close(table);
    return told;
}

static void check_steps(const struct job *job, const struct shapes *shapes)
{
    for (unsigned orbit = 0; orbit < 2; orbit++)
        check_table(job, (struct table_spec){
                             .steps = shapes->steps[orbit], .puzzle = cube, .orbit = orbit});
}

/* Every kind that can be had in this encoding. The target is a move away at least, which one of
 * them says. */
static void check_encoding(const struct job *job, const struct shapes *shapes,
                           enum table_encoding encoding)
{
    const struct table_spec spec[] = {{.coord = shapes->exact},
                                      {.coord = shapes->corners},
                                      {.coord = shapes->edges},
                                      {.product = shapes->product}};
    uint64_t told = 0;
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        struct table_spec one = spec[i];
        one.encoding = encoding;
        ck_assert(table_pair_is_legal(table_spec_kind(&one), encoding));
        told += check_table(job, one);
    }
    ck_assert_uint_gt(told, 0);
}

/* Against all solutions of the row. */
static void check_row(struct table_store *store, const struct shapes *shapes,
                      const struct support_structure *row)
{
    struct engine_spec spec = support_spec_all(cube, &row->structure);
    struct support_job found;
    spec.limits.solutions = row->words;
    const struct engine_result *result = support_job_run(&here, &spec, &found);
    ck_assert_int_eq(result->length, (int)row->min_htm);
    ck_assert_uint_eq(result->n_solutions, row->words);
    struct job job = {store, found.job, result->n_solutions, &row->structure};
    for (int e = 0; e < TABLE_ENCODING_COUNT; e++)
        check_encoding(&job, shapes, (enum table_encoding)e);
    check_steps(&job, shapes);
    support_job_release(&found);
}

START_TEST(bounds_along_all_solutions_of_500_jobs)
{
    char directory[SUPPORT_DIRECTORY_SIZE];
    struct shapes shapes;
    struct support_structure row;
    struct table_store *store;
    const char *text = getenv("CYCLOSOLVE_FROM");
    unsigned checked = 0, from = text ? (unsigned)strtoul(text, NULL, 10) : 0;
    FILE *file = support_structures_open();
    support_directory_make(directory);
    const struct table_store_config config = {.directory = directory, .budget_bytes = STORE_BYTES};
    ck_assert_int_eq(table_store_open(&config, &store, NULL), 0);
    shapes_init(&shapes);
    for (unsigned number = 0; support_structures_next(file, cube, &row); number++)
        if (row.min_htm > 0 && number % (ROWS / JOBS) == 1 && checked < JOBS) {
            if (checked >= from)
                check_row(store, &shapes, &row);
            checked++;
        }
    ck_assert_uint_eq(checked, JOBS);
    shapes_deinit(&shapes);
    table_store_close(store);
    support_directory_remove(directory);
    fclose(file);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {bounds_along_all_solutions_of_500_jobs};
    return support_suite_run("long_bounds", tests, sizeof tests / sizeof *tests, setup, teardown,
                             3600);
}
