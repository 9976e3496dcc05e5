/*
 * engine_table.c - the resident tables: their list, and one by its key; and wishes for tables.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "core/engine/engine_int.h"
#include "core/search/search_job_tables.h"

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

/* What the table of an outlook would look like in the store. */
static void outlook_info(const struct search_table_outlook *outlook, struct table_info *info)
{
    memset(info, 0, sizeof *info);
    info->key = outlook->key;
    info->meta = outlook->meta;
    info->state = TABLE_STATE_GROWING;
    info->stored_bytes = outlook->bytes;
    info->pinned = outlook->pinned;
}

static bool is_listed(const struct table_list *list, uint64_t digest)
{
    bool listed = false;
    for (size_t i = 0; i < list->count; i++)
        listed = listed || list->info[i].key.digest == digest;
    return listed;
}

/* Adds the tables that a job will fill. */
static void list_fill(struct table_list *list, const struct engine_job *job)
{
    struct search_table_outlook outlook;
    struct table_info info;
    for (unsigned t = 0; t < SEARCH_PLAN_MAX; t++) {
        if (search_job_table_to_come(job->search, t, &outlook) != 0 ||
            is_listed(list, outlook.key.digest))
            continue;
        outlook_info(&outlook, &info);
        (void)list_add(list, &info);
    }
}

static void release_fills(struct engine_job **jobs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        engine__job_release(jobs[i]);
    free(jobs);
}

static void list_fills(struct table_list *list, struct engine *engine)
{
    size_t count;
    struct engine_job **jobs = engine__fills(engine, &count);
    for (size_t i = 0; i < count; i++)
        list_fill(list, jobs[i]);
    release_fills(jobs, count);
}

/* Is it a fill of this process that has been given up? Then the table is as good as gone. */
static bool is_going(struct engine *engine, const struct table_info *info)
{
    return info->state == TABLE_STATE_GROWING && info->references > 0 &&
           search_bank_interest(engine->shared.bank, info->key.digest) == SEARCH_INTEREST_NONE;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = ((const struct table_info *)a)->key.digest;
    uint64_t y = ((const struct table_info *)b)->key.digest;
    return x < y ? -1 : x > y;
}

static void describe_progress(const struct table_info *info, struct engine_table_info *out)
{
    for (unsigned v = 0; v < TABLE_HISTOGRAM_SIZE; v++)
        out->entries += info->histogram[v];
    if (info->state == TABLE_STATE_SEALED) {
        out->fraction = 1;
        out->seconds = (double)info->fill_ns / 1e9;
    } else if (info->created_unix_us != 0) {
        int64_t spent = base_clock_unix_us() - info->created_unix_us;
        out->fraction = (double)out->entries / (double)info->meta.entry_count;
        out->seconds = spent > 0 ? (double)spent / 1e6 : 0;
    }
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
    snprintf(out->variant, sizeof out->variant, "%s",
             table_variant_name(table_key_variant(&info->key)));
    snprintf(out->encoding, sizeof out->encoding, "%.7s", info->meta.encoding);
    snprintf(out->state, sizeof out->state, "%s",
             info->state == TABLE_STATE_SEALED ? "sealed" : "growing");
    out->bytes = info->stored_bytes;
    out->layers = (unsigned)info->layers;
    out->queries = info->queries;
    describe_progress(info, out);
    out->pinned = info->pinned;
    bool ours = info->state == TABLE_STATE_GROWING && !(info->in_use && info->references == 0);
    out->attached = !ours && !search_bank_has_filled(engine->shared.bank, info->key.digest);
}

void engine_visit_tables(struct engine *engine,
                         void (*visit)(void *, const struct engine_table_info *), void *arg)
{
    struct table_list list = {0};
    (void)table_store_visit(engine->shared.store, list_add, &list);
    list_fills(&list, engine);
    if (list.count > 0)
        qsort(list.info, list.count, sizeof *list.info, compare_keys);
    for (size_t i = 0; i < list.count; i++) {
        struct engine_table_info info;
        if (is_going(engine, &list.info[i]))
            continue;
        describe(engine, &list.info[i], &info);
        visit(arg, &info);
    }
    free(list.info);
}

/* ---- one table ------------------------------------------------------------------------ */

/* What is not spelled like a key is the key of no table. */
static int parse_key(const char *key, uint64_t *digest)
{
    return table_digest_parse(key, strlen(key), digest) == 0 ? 0 : BASE_ERR_NOT_FOUND;
}

/* Of a table that a job will fill. */
static int find_to_come(struct engine *engine, uint64_t digest, struct table_info *out)
{
    struct table_list list = {0};
    int code = BASE_ERR_NOT_FOUND;
    list_fills(&list, engine);
    for (size_t i = 0; i < list.count; i++)
        if (list.info[i].key.digest == digest) {
            *out = list.info[i];
            code = 0;
        }
    free(list.info);
    return code;
}

int engine_table_get(struct engine *engine, const char *key, struct engine_table_info *out)
{
    struct table_info info;
    uint64_t digest;
    int code = parse_key(key, &digest);
    if (code != 0)
        return code;
    code = table_store_info(engine->shared.store, digest, &info);
    if (code == BASE_ERR_NOT_FOUND)
        code = find_to_come(engine, digest, &info);
    if (code == 0 && is_going(engine, &info))
        code = BASE_ERR_NOT_FOUND;
    if (code == 0)
        describe(engine, &info, out);
    return code;
}

/* Of the jobs for tables, how many were still to fill it and have been told so? */
static size_t tell_fills(struct engine *engine, uint64_t digest,
                         bool (*tell)(struct search_job *, uint64_t, bool), bool value)
{
    size_t count, told = 0;
    struct engine_job **jobs = engine__fills(engine, &count);
    for (size_t i = 0; i < count; i++)
        told += tell(jobs[i]->search, digest, value);
    release_fills(jobs, count);
    return told;
}

int engine_table_pin(struct engine *engine, const char *key, bool pinned)
{
    uint64_t digest;
    int code = parse_key(key, &digest);
    if (code != 0)
        return code;
    /* The jobs first: one whose fill begins now pins the table, or leaves it to be found here. */
    size_t told = tell_fills(engine, digest, search_job_pin_table, pinned);
    code = table_store_pin(engine->shared.store, digest, pinned);
    return code == BASE_ERR_NOT_FOUND && told > 0 ? 0 : code;
}

/* ---- removing ------------------------------------------------------------------------- */

static int refuse_busy(const struct table_info *info, struct base_diag *diag)
{
    const char *why = "in use by a job or another process";
    if (info->state == TABLE_STATE_GROWING)
        why = "being filled";
    else if (info->pinned)
        why = "pinned";
    return base_diag_set(diag, 0, BASE_ERR_BUSY, "the table is %s", why);
}

static bool give_up(struct search_job *job, uint64_t digest, bool value)
{
    (void)value;
    return search_job_give_up_table(job, digest);
}

/* What is certain to stay is left mapped: to open a table anew is to read it through. */
static int remove_sealed(struct engine *engine, const struct table_info *info,
                         struct base_diag *diag)
{
    if (info->pinned)
        return refuse_busy(info, diag);
    search_bank_close_idle(engine->shared.bank, info->key.digest);
    int code = table_store_remove(engine->shared.store, info->key.digest);
    return code == BASE_ERR_BUSY ? refuse_busy(info, diag) : code;
}

static int remove_growing(struct engine *engine, const struct table_info *info,
                          struct base_diag *diag)
{
    uint64_t digest = info->key.digest;
    if (search_bank_interest(engine->shared.bank, digest) == SEARCH_INTEREST_SEARCH)
        return refuse_busy(info, diag);
    if (tell_fills(engine, digest, give_up, true) > 0)
        return 0;
    if (!info->in_use) /* left behind by a process that has died */
        return table_store_remove(engine->shared.store, digest);
    return is_going(engine, info) ? BASE_ERR_NOT_FOUND : refuse_busy(info, diag);
}

int engine_table_remove(struct engine *engine, const char *key, struct base_diag *diag)
{
    struct table_info info;
    uint64_t digest;
    int code = parse_key(key, &digest);
    if (code != 0)
        return code;
    code = table_store_info(engine->shared.store, digest, &info);
    if (code == BASE_ERR_NOT_FOUND)
        return tell_fills(engine, digest, give_up, true) > 0 ? 0 : code;
    if (code != 0)
        return code;
    return info.state == TABLE_STATE_SEALED ? remove_sealed(engine, &info, diag)
                                            : remove_growing(engine, &info, diag);
}

/* ---- wishes --------------------------------------------------------------------------- */

/* Makes the plan that the job would have. */
static int try_plan(struct engine *engine, const struct engine_spec *spec,
                    struct search_context *context, struct search_plan *plan,
                    struct base_diag *diag)
{
    const struct perm_shape *shape = puzzle_shape(spec->puzzle);
    uint64_t memory = engine->memory_bytes;
    uint8_t start[PERM_MAX_BYTES];
    perm_identity(shape, start);
    if (spec->start)
        memcpy(start, spec->start, shape->bytes);
    if (spec->limits.memory_bytes && spec->limits.memory_bytes < memory)
        memory = spec->limits.memory_bytes;
    const struct search_plan_target target = {.start = start,
                                              .structures = spec->targets,
                                              .n = spec->n_targets,
                                              .is_cycle_job = perm_is_identity(shape, start),
                                              .wishes = spec->tables};
    const struct search_plan_limits limits = {.memory = memory,
                                              .host = engine->memory_bytes,
                                              .fill_factor = engine->fill_factor,
                                              .store = engine->shared.store};
    return search_plan_make(context, &target, &limits, plan, diag);
}

int engine_check_tables(struct engine *engine, const struct engine_spec *spec,
                        struct base_diag *diag, unsigned *orbit)
{
    struct search_context *context;
    struct search_plan plan;
    *orbit = PERM_MAX_ORBITS;
    if (!search_wishes_any(&spec->tables))
        return 0;
    int code = search_contexts_get(engine->shared.contexts, spec->puzzle, spec->targets,
                                   spec->n_targets, &context);
    if (code != 0)
        return base_diag_set(diag, 0, code, "%s", base_err_text(code));
    code = try_plan(engine, spec, context, &plan, diag);
    *orbit = plan.refused;
    search_context_release(context);
    return code;
}
