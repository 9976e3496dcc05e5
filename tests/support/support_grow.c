/*
 * support_grow.c - see support_grow.h.
 */
#include "tests/support/support_grow.h"

#include <check.h>
#include <pthread.h>
#include <stdatomic.h>

struct pass {
    struct table *table;
    unsigned chunks;
    atomic_uint next;
};

static void *run_chunks(void *arg)
{
    struct pass *pass = arg;
    unsigned chunk;
    while ((chunk = atomic_fetch_add(&pass->next, 1)) < pass->chunks)
        table_grow_run(pass->table, chunk);
    return NULL;
}

static void run_pass(struct table *table)
{
    struct pass pass = {.table = table, .chunks = table_grow_chunks(table)};
    pthread_t other;
    ck_assert_int_eq(pthread_create(&other, NULL, run_chunks, &pass), 0);
    run_chunks(&pass);
    pthread_join(other, NULL);
}

struct table *support_grow(struct table_store *store, const struct table_spec *spec)
{
    struct table *table;
    int more;
    ck_assert_int_eq(table_create(store, spec, &table, NULL), 0);
    do {
        run_pass(table);
        more = table_grow_next(table, NULL);
        ck_assert_int_ge(more, 0);
    } while (more > 0);
    ck_assert_int_eq(table_seal(table, 1), 0);
    return table;
}
