/*
 * support_fill.c - see support_fill.h.
 */
#include "tests/support/support_fill.h"

#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4 };

static void run_shuffled(struct table_fill *fill, struct support_random *random)
{
    unsigned count = table_fill_chunks(fill);
    unsigned *order = malloc(count * sizeof *order);
    ck_assert_ptr_nonnull(order);
    for (unsigned i = 0; i < count; i++)
        order[i] = i;
    support_random_shuffle(random, order, count);
    for (unsigned i = 0; i < count; i++)
        table_fill_run(fill, order[i]);
    free(order);
}

struct shared_pass {
    struct table_fill *fill;
    unsigned count;
    atomic_uint next;
};

static void *run_some(void *arg)
{
    struct shared_pass *pass = arg;
    unsigned chunk;
    while ((chunk = atomic_fetch_add(&pass->next, 1)) < pass->count)
        table_fill_run(pass->fill, chunk);
    return NULL;
}

static void run_on_threads(struct table_fill *fill)
{
    struct shared_pass pass = {.fill = fill, .count = table_fill_chunks(fill)};
    pthread_t thread[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, run_some, &pass), 0);
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
}

void support_fill_pass(struct table_fill *fill, enum support_fill_how how,
                       struct support_random *random)
{
    if (how == SUPPORT_FILL_SHUFFLED)
        run_shuffled(fill, random);
    else if (how == SUPPORT_FILL_THREADS)
        run_on_threads(fill);
    else
        for (unsigned i = 0; i < table_fill_chunks(fill); i++)
            table_fill_run(fill, i);
}

void support_fill(const struct table_coord *coord, const struct cycle_structure *structures,
                  size_t n, enum support_fill_how how, struct support_filled *out)
{
    struct support_random random = {12345};
    struct table_image *image = NULL;
    struct table_fill *fill = NULL;

    out->entries = calloc(coord->size, 1);
    ck_assert_ptr_nonnull(out->entries);
    ck_assert_int_eq(table_image_new(coord, structures, n, &image), 0);
    ck_assert_int_eq(table_fill_new(coord, image, out->entries, &fill), 0);
    do
        support_fill_pass(fill, how, &random);
    while (table_fill_next(fill));
    out->layers = table_fill_layers(fill);
    out->total = table_fill_entries(fill);
    memcpy(out->histogram, table_fill_histogram(fill), sizeof out->histogram);
    table_fill_free(fill);
    table_image_free(image);
}

void support_fill_free(struct support_filled *filled)
{
    free(filled->entries);
    filled->entries = NULL;
}

void support_fill_table_init(struct table *table, const struct table_coord *coord,
                             const struct support_filled *filled)
{
    struct table_spec spec = {.coord = coord};

    *table =
        (struct table){.kind = table_spec_kind(&spec), .coord = coord, .entries = filled->entries};
    ck_assert_int_eq(table_questions_cube3_new(&spec, &table->cube3), 0);
}

void support_fill_table_deinit(struct table *table)
{
    table_questions_cube3_free(table->cube3);
}
