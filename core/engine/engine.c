/*
 * engine.c - the engine's life, its numbers and its tables.
 */
#include "core/engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/cpu/cpu_host.h"
#include "core/engine/engine_int.h"
#include "core/search/search_phases.h"

#define DEFAULT_SOLUTION_BYTES ((uint64_t)256 << 20)

static const char *const default_table_dir = "/dev/shm/cyclosolve";

static int open_store(struct engine *engine, const struct engine_config *config,
                      struct base_diag *diag)
{
    struct table_store_config store = {.directory = config->table_dir ? config->table_dir
                                                                      : default_table_dir,
                                       .budget_bytes = engine->memory_bytes,
                                       .log = &engine->log};
    return table_store_open(&store, &engine->shared.store, diag);
}

static int open_parts(struct engine *engine, const struct engine_config *config,
                      struct base_diag *diag)
{
    unsigned threads = config->threads ? config->threads : cpu_host_processors();
    engine->shared.features = cpu_detect();
    int code = cpu_leave_out(&engine->shared.features, config->kernels, diag);
    if (code != 0)
        return code;
    engine->memory_bytes = config->memory_bytes ? config->memory_bytes : cpu_host_memory() / 4 * 3;
    engine->fill_factor = config->fill_factor;
    engine->incumbent_seconds = config->incumbent_seconds ? config->incumbent_seconds : 1;
    engine->incumbent_share = config->incumbent_share ? config->incumbent_share : 0.02;
    engine->solution_bytes =
        config->solution_bytes ? config->solution_bytes : DEFAULT_SOLUTION_BYTES;
    engine->checkpoint_words = config->checkpoint_words ? config->checkpoint_words : 100000;
    code = open_store(engine, config, diag);
    if (code != 0)
        return code;
    engine->shared.phases = search_phases_new();
    code = search_contexts_new(&engine->shared.contexts);
    if (code == 0)
        code = search_pool_new(threads, config->pin_threads, &engine->shared.pool);
    if (code == 0)
        code = search_bank_new(engine->shared.store, engine->shared.pool, engine->memory_bytes,
                               &engine->log, &engine->shared.bank);
    return code == 0 ? 0 : base_diag_set(diag, 0, code, "%s", base_err_text(code));
}

int engine_open(const struct engine_config *config, struct engine **out, struct base_diag *diag)
{
    struct engine *engine = calloc(1, sizeof *engine);
    *out = NULL;
    if (!engine)
        return base_diag_set(diag, 0, BASE_ERR_NOMEM, "%s", base_err_text(BASE_ERR_NOMEM));
    engine->log = config->log;
    engine->notify = config->notify;
    engine->notify_arg = config->notify_arg;
    pthread_mutex_init(&engine->mutex, NULL);
    int code = open_parts(engine, config, diag);
    if (code != 0) {
        engine_close(engine);
        return code;
    }
    snprintf(engine->kernels, sizeof engine->kernels, "generic, %s",
             search_kernel_name(search_kernel_cube3(engine->shared.features)));
    *out = engine;
    return 0;
}

/* The pool goes first: its threads call the bank and post events. Jobs that the owner has released
 * may still be ending. */
void engine_close(struct engine *engine)
{
    if (!engine)
        return;
    if (engine->shared.pool)
        search_pool_drain(engine->shared.pool);
    search_bank_free(engine->shared.bank);
    search_pool_free(engine->shared.pool);
    engine__drop_events(engine);
    search_contexts_free(engine->shared.contexts);
    search_phases_free(engine->shared.phases);
    if (engine->shared.store)
        table_store_close(engine->shared.store);
    pthread_mutex_destroy(&engine->mutex);
    free(engine);
}

static int count_table(void *arg, const struct table_info *info)
{
    struct engine_stats *stats = arg;
    stats->table_bytes += info->stored_bytes;
    stats->table_count++;
    return 0;
}

void engine_stats_get(struct engine *engine, struct engine_stats *out)
{
    struct search_bank_stats bank;
    memset(out, 0, sizeof *out);
    search_bank_stats_get(engine->shared.bank, &bank);
    out->threads = search_pool_threads(engine->shared.pool);
    out->busy_threads = out->threads - search_pool_idle(engine->shared.pool);
    out->tables_filled = bank.filled;
    out->tables_attached = bank.attached;
    out->table_fill_seconds = bank.fill_seconds;
    out->memory_bytes = engine->memory_bytes;
    pthread_mutex_lock(&engine->mutex);
    out->jobs_queued = engine->queued;
    out->jobs_running = engine->running;
    out->nodes = engine->nodes;
    pthread_mutex_unlock(&engine->mutex);
    (void)table_store_visit(engine->shared.store, count_table, out);
}

const char *engine_kernels(const struct engine *engine)
{
    return engine->kernels;
}
