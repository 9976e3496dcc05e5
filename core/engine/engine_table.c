/*
 * engine_table.c - the list of resident tables.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/engine/engine_int.h"

struct table_list {
    struct table_info *info;
    size_t count, capacity;
};

static int list_add(void *arg, const struct table_info *info)
{
    struct table_list *list = arg;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 16;
        struct table_info *grown = realloc(list->info, capacity * sizeof *grown);
        if (!grown)
            return BASE_ERR_NOMEM;
        list->info = grown;
        list->capacity = capacity;
    }
    list->info[list->count++] = *info;
    return 0;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = ((const struct table_info *)a)->key.digest;
    uint64_t y = ((const struct table_info *)b)->key.digest;
    return x < y ? -1 : x > y;
}

static void describe(struct engine *engine, const struct table_info *info,
                     struct engine_table_info *out)
{
    memset(out, 0, sizeof *out);
    table_digest_format(info->key.digest, out->key);
    snprintf(out->puzzle, sizeof out->puzzle, "%s", info->meta.puzzle);
    snprintf(out->orbits, sizeof out->orbits, "%s", info->meta.orbits);
    snprintf(out->target, sizeof out->target, "%s", info->meta.target);
    snprintf(out->kind, sizeof out->kind, "%.23s", info->meta.kind);
    snprintf(out->encoding, sizeof out->encoding, "%.7s", info->meta.encoding);
    snprintf(out->state, sizeof out->state, "%s",
             info->state == TABLE_STATE_SEALED ? "sealed" : "growing");
    out->bytes = info->stored_bytes;
    out->layers = (unsigned)info->layers;
    out->queries = info->queries;
    out->pinned = info->pinned;
    out->attached = !search_bank_has_filled(engine->shared.bank, info->key.digest);
}

void engine_visit_tables(struct engine *engine,
                         void (*visit)(void *, const struct engine_table_info *), void *arg)
{
    struct table_list list = {0};
    (void)table_store_visit(engine->shared.store, list_add, &list);
    if (list.count > 0)
        qsort(list.info, list.count, sizeof *list.info, compare_keys);
    for (size_t i = 0; i < list.count; i++) {
        struct engine_table_info info;
        describe(engine, &list.info[i], &info);
        visit(arg, &info);
    }
    free(list.info);
}
