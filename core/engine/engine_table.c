/*
 * engine_table.c - the resident tables: their list, and one by its key.
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

/* ---- one table ------------------------------------------------------------------------ */

/* What is not spelled like a key is the key of no table. */
static int find(struct engine *engine, const char *key, struct table_info *out)
{
    uint64_t digest;
    if (table_digest_parse(key, strlen(key), &digest) != 0)
        return BASE_ERR_NOT_FOUND;
    return table_store_info(engine->shared.store, digest, out);
}

int engine_table_get(struct engine *engine, const char *key, struct engine_table_info *out)
{
    struct table_info info;
    int code = find(engine, key, &info);
    if (code == 0)
        describe(engine, &info, out);
    return code;
}

int engine_table_pin(struct engine *engine, const char *key, bool pinned)
{
    struct table_info info;
    int code = find(engine, key, &info);
    return code == 0 ? table_store_pin(engine->shared.store, info.key.digest, pinned) : code;
}

static int refuse_busy(const struct table_info *info, struct base_diag *diag)
{
    const char *why = "in use by a job or another process";
    if (info->state == TABLE_STATE_GROWING)
        why = "being filled";
    else if (info->pinned)
        why = "pinned";
    return base_diag_set(diag, 0, BASE_ERR_BUSY, "the table is %s", why);
}

/* What is certain to stay is left mapped: to open a table anew is to read it through. */
int engine_table_remove(struct engine *engine, const char *key, struct base_diag *diag)
{
    struct table_info info;
    int code = find(engine, key, &info);
    if (code != 0)
        return code;
    if (info.state == TABLE_STATE_GROWING || info.pinned)
        return refuse_busy(&info, diag);
    search_bank_close_idle(engine->shared.bank, info.key.digest);
    code = table_store_remove(engine->shared.store, info.key.digest);
    return code == BASE_ERR_BUSY ? refuse_busy(&info, diag) : code;
}
