/*
 * engine_table.c - the resident tables: their list, and one by its key; and wishes for tables.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "core/engine/engine_int.h"
#include "core/table/table_listing.h"

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

struct wish_check {
    struct engine *engine;
    const struct puzzle *puzzle;
    struct search_context *context;
    uint64_t limit;
    struct base_diag *diag;
    const struct cycle_structure *structures; /* the target */
    size_t n;
};

enum { SIZE_TEXT = 24 };

static const char *size_text(uint64_t bytes, char text[SIZE_TEXT])
{
    if (bytes >= UINT64_C(1) << 30)
        snprintf(text, SIZE_TEXT, "%.1f GiB", (double)bytes / (1 << 30));
    else if (bytes >= UINT64_C(1) << 20)
        snprintf(text, SIZE_TEXT, "%.1f MiB", (double)bytes / (1 << 20));
    else
        snprintf(text, SIZE_TEXT, "%.1f KiB", (double)bytes / (1 << 10));
    return text;
}

/* The largest table of a subset of the orbit's pieces that fits, in words. */
static void describe_fitting(const struct wish_check *check, unsigned orbit,
                             char text[SIZE_TEXT * 3])
{
    char size[SIZE_TEXT];
    for (unsigned k = TABLE_MAX_PICK; k > 0; k--) {
        uint64_t bytes = table_coord_subset_bytes(check->puzzle, orbit, k);
        uint64_t footprint = table_store_footprint(check->engine->shared.store, bytes);
        if (!table_is_askable(check->puzzle, orbit, k) || bytes == UINT64_MAX ||
            footprint > check->limit)
            continue;
        snprintf(text, SIZE_TEXT * 3, "an approximate one of %u pieces (%s) would fit", k,
                 size_text(footprint, size));
        return;
    }
    snprintf(text, SIZE_TEXT * 3, "only the kind fixed would");
}

static int refuse_memory(const struct wish_check *check, const char *what, uint64_t footprint,
                         const char *would)
{
    char takes[SIZE_TEXT], limit[SIZE_TEXT];
    return base_diag_set(check->diag, 0, BASE_ERR_MEMORY_LIMIT,
                         "%.60s takes %s, the limit is %s; %s", what, size_text(footprint, takes),
                         size_text(check->limit, limit), would);
}

static int check_exact(const struct wish_check *check, unsigned orbit)
{
    const struct table_coord *coord;
    const char *name = puzzle_orbit_name(check->puzzle, orbit);
    char would[SIZE_TEXT * 3], what[64];
    describe_fitting(check, orbit, would);
    if (table_coord_exact_bytes(check->puzzle, orbit, check->context->group->count) == UINT64_MAX)
        return base_diag_set(check->diag, 0, BASE_ERR_UNSUPPORTED,
                             "the %s have too many states for an exact table; %s", name, would);
    int code = search_context_coord(check->context, orbit, 0, &coord);
    if (code != 0)
        return base_diag_set(check->diag, 0, code, "%s", base_err_text(code));
    uint64_t footprint = table_store_footprint(check->engine->shared.store, coord->size);
    snprintf(what, sizeof what, "an exact table of the %.30s", name);
    return footprint > check->limit ? refuse_memory(check, what, footprint, would) : 0;
}

static int check_approximate(const struct wish_check *check, unsigned orbit)
{
    uint64_t bytes = table_coord_subset_bytes(check->puzzle, orbit, 1);
    uint64_t footprint = table_store_footprint(check->engine->shared.store, bytes);
    const char *name = puzzle_orbit_name(check->puzzle, orbit);
    char what[64];
    if (bytes == UINT64_MAX)
        return base_diag_set(check->diag, 0, BASE_ERR_UNSUPPORTED,
                             "the %s are too many pieces for an approximate table; only the kind "
                             "fixed would do",
                             name);
    snprintf(what, sizeof what, "an approximate table of one of the %.20s", name);
    return footprint > check->limit
               ? refuse_memory(check, what, footprint, "only the kind fixed would fit")
               : 0;
}

static int check_hash(const struct wish_check *check, unsigned orbit)
{
    const char *name = puzzle_orbit_name(check->puzzle, orbit);
    uint64_t bytes =
        table_hash_bytes(check->puzzle, orbit, check->context->group->count, TABLE_HASH_LEAST);
    uint64_t footprint = table_store_footprint(check->engine->shared.store, bytes);
    char what[64];
    if (bytes == UINT64_MAX)
        return base_diag_set(check->diag, 0, BASE_ERR_UNSUPPORTED,
                             "the %s are too many pieces for a hash table; a piece subset can be "
                             "used instead",
                             name);
    int code = table_listing_check(check->puzzle, orbit, check->structures, check->n, check->diag);
    if (code != 0)
        return code == BASE_ERR_TOO_LARGE ? BASE_ERR_UNSUPPORTED : code;
    snprintf(what, sizeof what, "a hash table of the %.30s", name);
    return footprint > check->limit
               ? refuse_memory(check, what, footprint, "only the kind fixed would fit")
               : 0;
}

/* Of the kinds that are not there yet, or not for this orbit. */
static int check_available(const struct wish_check *check, unsigned orbit,
                           const struct search_wish *wish)
{
    const char *name = puzzle_orbit_name(check->puzzle, orbit);
    if (wish->kind == TABLE_KIND_CYCLE_STRUCTURE)
        return base_diag_set(check->diag, 0, BASE_ERR_UNSUPPORTED,
                             "tables of the kind cycle_structure are not available yet");
    if (wish->encoding_set && wish->encoding != TABLE_ENCODING_NONE)
        return base_diag_set(check->diag, 0, BASE_ERR_UNSUPPORTED,
                             "the encoding %s is not available yet for %s tables; none is",
                             table_encoding_name(wish->encoding), table_kind_name(wish->kind));
    if (!table_is_askable(check->puzzle, orbit, wish->kind == TABLE_KIND_EXACT ? 0 : 1))
        return base_diag_set(
            check->diag, 0, BASE_ERR_UNSUPPORTED,
            "%s tables of the %s are not available yet for this puzzle; %s ones are",
            table_kind_name(wish->kind), name,
            wish->kind == TABLE_KIND_EXACT ? "approximate" : "exact");
    return 0;
}

static int check_orbit(const struct wish_check *check, unsigned orbit,
                       const struct search_wish *wish)
{
    if (!wish->set || wish->kind == TABLE_KIND_FIXED)
        return 0;
    if (puzzle_movable_count(check->puzzle, orbit) == 0)
        return base_diag_set(check->diag, 0, BASE_ERR_UNSUPPORTED,
                             "no move changes the %s, so they have no table; leave them out",
                             puzzle_orbit_name(check->puzzle, orbit));
    if (wish->variant == TABLE_VARIANT_HASH)
        return check_hash(check, orbit);
    int code = wish->kind == TABLE_KIND_EXACT         ? check_exact(check, orbit)
               : wish->kind == TABLE_KIND_APPROXIMATE ? check_approximate(check, orbit)
                                                      : 0;
    return code == 0 ? check_available(check, orbit, wish) : code;
}

static int check_product(const struct wish_check *check, const struct search_wish *wish)
{
    const struct table_product *product;
    if (!wish->set)
        return 0;
    if (wish->encoding_set && wish->encoding != TABLE_ENCODING_NXOPT)
        return base_diag_set(check->diag, 0, BASE_ERR_UNSUPPORTED,
                             "the encoding %s is not available yet for product tables; nxopt is",
                             table_encoding_name(wish->encoding));
    int code = search_context_product(check->context, false, &product);
    if (code == BASE_ERR_UNSUPPORTED)
        return base_diag_set(check->diag, 0, code,
                             "product tables need the corners and edges of a cube, and moves that "
                             "they are made for; ask for tables of single orbits");
    if (code != 0)
        return base_diag_set(check->diag, 0, code, "%s", base_err_text(code));
    uint64_t footprint = table_store_footprint(check->engine->shared.store, product->bytes);
    uint64_t fill = product->bytes + table_product_scratch(product);
    if (footprint > check->limit)
        return refuse_memory(check, "the smallest product table", footprint,
                             "tables of single orbits can be smaller");
    if (fill > check->engine->memory_bytes)
        return refuse_memory(check, "to fill the smallest product table", fill,
                             "tables of single orbits can be smaller");
    return 0;
}

static bool has_wishes(const struct search_wishes *wishes)
{
    bool any = wishes->product.set;
    for (unsigned o = 0; o < PERM_MAX_ORBITS; o++)
        any = any || wishes->orbit[o].set;
    return any;
}

int engine_check_tables(struct engine *engine, const struct engine_spec *spec,
                        struct base_diag *diag, unsigned *orbit)
{
    struct wish_check check = {.engine = engine,
                               .puzzle = spec->puzzle,
                               .limit = engine->memory_bytes,
                               .diag = diag,
                               .structures = spec->targets,
                               .n = spec->n_targets};
    *orbit = PERM_MAX_ORBITS;
    if (!has_wishes(&spec->tables))
        return 0;
    if (spec->limits.memory_bytes && spec->limits.memory_bytes < check.limit)
        check.limit = spec->limits.memory_bytes;
    int code = search_contexts_get(engine->shared.contexts, spec->puzzle, spec->targets,
                                   spec->n_targets, &check.context);
    if (code != 0)
        return base_diag_set(diag, 0, code, "%s", base_err_text(code));
    code = check_product(&check, &spec->tables.product);
    for (unsigned o = 0; code == 0 && o < puzzle_shape(spec->puzzle)->n_orbits; o++) {
        *orbit = o;
        code = check_orbit(&check, o, &spec->tables.orbit[o]);
    }
    search_context_release(check.context);
    return code;
}
