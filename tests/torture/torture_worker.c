/*
 * torture_worker.c - one of the processes that share a directory of tables while the driver,
 * torture.py, kills them, restarts them and damages files.
 *
 *     torture_worker names                           what the numbers of a slot are called
 *     torture_worker make PROFILE GOLDEN             finds what is right, prints sizes
 *     torture_worker run PROFILE GOLDEN DIRECTORY SLOTS SLOT SEED
 *                                                    works until SIGTERM
 *     torture_worker finish PROFILE GOLDEN DIRECTORY SLOTS SLOT
 *                                                    completes what was left growing, checks all
 *
 * A worker ends with status 0 only if it has closed everything and left no mapping or descriptor.
 */
#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/base_err.h"
#include "core/base/base_hash.h"
#include "core/table/table_grow.h"
#include "tests/support/support_bench.h"
#include "tests/support/support_engine.h"
#include "tests/support/support_random.h"
#include "tests/torture/torture_catalogue.h"
#include "tests/torture/torture_slot.h"

enum { MOST_HELD = 3, LOOKS = 400 };

struct held {
    struct table *table;
    const struct torture_item *item;
};

struct worker {
    struct torture_catalogue *catalogue;
    struct table_store *store;
    struct torture_slot *slot;
    const char *directory;
    struct support_random random;
    struct held held[MOST_HELD];
    unsigned n_held;
};

static char **arguments;
static volatile sig_atomic_t stopped;

static void stop(int signal_number)
{
    (void)signal_number;
    stopped = 1;
}

static void say(const struct worker *worker, const char *what, const struct torture_item *item,
                const char *detail)
{
    (void)worker;
    fprintf(stderr, "worker %ld: %s: %s %s\n", (long)getpid(), what, item ? item->key.text : "",
            detail);
}

static void log_line(void *arg, enum base_log_level level, const char *text)
{
    (void)arg;
    if (level >= BASE_LOG_WARNING)
        fprintf(stderr, "store of %ld: %s\n", (long)getpid(), text);
}

static const struct base_log store_log = {.write = log_line};

static void open_store(struct worker *worker)
{
    const struct table_store_config config = {.directory = worker->directory,
                                              .budget_bytes =
                                                  worker->catalogue->profile->budget_bytes,
                                              .log = &store_log,
                                              .keep_share = 1e9};
    struct base_diag diag = {0};
    int err = table_store_open(&config, &worker->store, &diag);
    ck_assert_msg(err == 0, "open: %s: %s", base_err_name(err), diag.text);
}

/* ---- one table --------------------------------------------------------------------------- */

/* Is it all that it should be? */
static void check_table(struct worker *worker, const struct table *table,
                        const struct torture_item *item)
{
    const struct torture_golden *golden = &item->golden;
    torture_enter(worker->slot, TORTURE_PHASE_LOOK);
    if (base_hash(table_file_data(table->file), golden->bytes, 0) != golden->hash ||
        table_file_layers(table->file) != (int)golden->layers) {
        torture_count(worker->slot, TORTURE_wrong_entries);
        say(worker, "WRONG entries", item, "");
    }
    torture_count(worker->slot, TORTURE_tables_hashed);
}

static void look_up(struct worker *worker, const struct table *table,
                    const struct torture_item *item)
{
    torture_enter(worker->slot, TORTURE_PHASE_LOOK);
    for (unsigned i = 0; i < LOOKS; i++) {
        unsigned number = support_random_below(&worker->random, TORTURE_SAMPLES);
        const struct torture_sample *sample = &worker->catalogue->sample[number];
        if (table_bound(table, sample->state, sample->inverse) != item->golden.bound[number]) {
            torture_count(worker->slot, TORTURE_wrong_bounds);
            say(worker, "WRONG bound", item, "");
        }
        torture_count(worker->slot, TORTURE_lookups);
    }
    table_file_count_queries(table->file, LOOKS);
}

/* A pass; false: given up in the middle. */
static bool run_pass(struct worker *worker, struct table *table)
{
    unsigned chunks = table_grow_chunks(table);
    bool gives_up = support_random_below(&worker->random, 300) == 0;
    for (unsigned chunk = 0; chunk < chunks; chunk++) {
        table_grow_run(table, chunk);
        torture_count(worker->slot, TORTURE_heartbeat);
        if (gives_up && chunk == chunks / 2)
            return false;
    }
    return true;
}

/* What became of the kept layers of another filler, once they have been counted. */
static void note_recount(struct worker *worker, const struct table *table, int kept)
{
    struct table_grow_report report;
    table_grow_report_get(table, &report);
    torture_count(worker->slot,
                  (int)report.layers == kept ? TORTURE_resumed : TORTURE_restarted_after_recount);
}

/* 0; positive: given up in the middle; negative: the store's error. */
static int fill_table(struct worker *worker, struct table *table)
{
    int kept = table->file ? (int)table_file_kept(table->file)->layers : 0, more = 1;
    torture_enter(worker->slot, kept ? TORTURE_PHASE_RECOUNT : TORTURE_PHASE_FILL);
    for (bool first = true; more > 0; first = false) {
        if (!run_pass(worker, table))
            return 1;
        more = table_grow_next(table, NULL);
        if (first && kept)
            note_recount(worker, table, kept);
        torture_enter(worker->slot, TORTURE_PHASE_FILL);
    }
    return more;
}

/* Counts what may happen, and complains of what may not. */
static void note_error(struct worker *worker, int err, const char *what,
                       const struct torture_item *item)
{
    if (err == BASE_ERR_BUSY) {
        torture_count(worker->slot, TORTURE_busy);
    } else if (err == BASE_ERR_MEMORY_LIMIT) {
        torture_count(worker->slot, TORTURE_over_budget);
    } else if (err != 0 && err != BASE_ERR_NOT_FOUND) {
        torture_count(worker->slot, TORTURE_unexpected_errors);
        say(worker, what, item, base_err_name(err));
    }
}

/* Fills and seals what has been created; NULL if it has been given up. */
static struct table *complete(struct worker *worker, struct table *table,
                              const struct torture_item *item)
{
    int err = fill_table(worker, table);
    if (err != 0) {
        table_close(table);
        torture_count(worker->slot, TORTURE_discarded);
        if (err < 0)
            note_error(worker, err, "encode", item);
        return NULL;
    }
    torture_enter(worker->slot, TORTURE_PHASE_SEAL);
    err = table_seal(table, 1);
    if (err) {
        torture_count(worker->slot, TORTURE_unexpected_errors);
        say(worker, "seal", item, base_err_name(err));
        table_close(table);
        return NULL;
    }
    torture_count(worker->slot, TORTURE_sealed);
    check_table(worker, table, item);
    return table;
}

/* The sealed table, verified; NULL: there is none, or it cannot be had now (*err). */
static struct table *acquire(struct worker *worker, const struct torture_item *item, int *err)
{
    struct table *table = NULL;
    torture_enter(worker->slot, TORTURE_PHASE_ACQUIRE);
    *err = table_open(worker->store, &item->spec, &table);
    if (*err)
        return NULL;
    torture_enter(worker->slot, TORTURE_PHASE_VERIFY);
    if (table_verify(table) != 0) {
        torture_count(worker->slot, TORTURE_damage_found);
        table_close(table);
        *err = BASE_ERR_NOT_FOUND;
        return NULL;
    }
    torture_count(worker->slot, TORTURE_acquired);
    check_table(worker, table, item);
    return table;
}

/* The table, somehow; NULL if it cannot be had. */
static struct table *obtain(struct worker *worker, const struct torture_item *item)
{
    struct table *table = NULL;
    int err;
    table = acquire(worker, item, &err);
    note_error(worker, err, "acquire", item);
    if (table || err != BASE_ERR_NOT_FOUND)
        return table;
    torture_enter(worker->slot, TORTURE_PHASE_CREATE);
    err = table_create(worker->store, &item->spec, &table, NULL);
    note_error(worker, err, "create", item);
    if (err)
        return NULL;
    torture_count(worker->slot, TORTURE_created);
    return complete(worker, table, item);
}

/* ---- what a worker does ------------------------------------------------------------------ */

static const struct torture_item *some_item(struct worker *worker)
{
    unsigned number = support_random_below(&worker->random, worker->catalogue->n_items);
    return &worker->catalogue->item[number];
}

/* Half of the time one that a dead filler has left, if some are found. */
static const struct torture_item *item_to_use(struct worker *worker)
{
    struct table_info info;
    const struct torture_item *item = some_item(worker);
    unsigned tries = support_random_below(&worker->random, 2) * worker->catalogue->n_items;
    while (tries-- > 0) {
        const struct torture_item *other = some_item(worker);
        if (table_store_info(worker->store, other->key.digest, &info) == 0 &&
            info.state == TABLE_STATE_GROWING && !info.in_use)
            return other;
    }
    return item;
}

/* Gives back one of the tables it holds, after a last look. */
static void let_go(struct worker *worker)
{
    if (worker->n_held == 0)
        return;
    unsigned which = support_random_below(&worker->random, worker->n_held);
    struct held held = worker->held[which];
    check_table(worker, held.table, held.item);
    torture_enter(worker->slot, TORTURE_PHASE_RELEASE);
    table_close(held.table);
    worker->held[which] = worker->held[--worker->n_held];
}

static void use_table(struct worker *worker)
{
    const struct torture_item *item = item_to_use(worker);
    if (worker->n_held == MOST_HELD)
        let_go(worker);
    struct table *table = obtain(worker, item);
    if (!table)
        return;
    look_up(worker, table, item);
    worker->held[worker->n_held++] = (struct held){table, item};
    if (support_random_below(&worker->random, 2))
        let_go(worker);
}

static void remove_table(struct worker *worker)
{
    const struct torture_item *item = some_item(worker);
    int err = table_store_remove(worker->store, item->key.digest);
    note_error(worker, err, "remove", item);
    if (err == 0)
        torture_count(worker->slot, TORTURE_removed);
}

/* Pins few and unpins many, lest those whose owner was killed stay for ever. */
static void pin_tables(struct worker *worker)
{
    const struct torture_item *item = some_item(worker);
    int err = table_store_pin(worker->store, item->key.digest, true);
    note_error(worker, err, "pin", item);
    if (err == 0)
        torture_count(worker->slot, TORTURE_pinned);
    for (unsigned i = 0; i < worker->catalogue->n_items; i++)
        if (&worker->catalogue->item[i] != item)
            (void)table_store_pin(worker->store, worker->catalogue->item[i].key.digest, false);
}

static int visit_one(void *arg, const struct table_info *info)
{
    struct worker *worker = arg;
    const struct torture_item *item = torture_catalogue_find(worker->catalogue, info->key.digest);
    if (item && (strcmp(info->key.text, item->key.text) != 0 ||
                 info->meta.payload_bytes != item->golden.bytes)) {
        torture_count(worker->slot, TORTURE_wrong_answers);
        say(worker, "WRONG list", item, info->key.text);
    }
    return 0;
}

static void list_tables(struct worker *worker)
{
    note_error(worker, table_store_visit(worker->store, visit_one, worker), "list", NULL);
    torture_count(worker->slot, TORTURE_listings);
}

static void let_all_go(struct worker *worker)
{
    while (worker->n_held > 0)
        let_go(worker);
}

static void reopen(struct worker *worker)
{
    let_all_go(worker);
    table_store_close(worker->store);
    open_store(worker);
    torture_count(worker->slot, TORTURE_reopened);
}

/* A job whose answer is known, on an engine that shares the directory. */
static void ask_engine(struct worker *worker)
{
    const struct torture_catalogue *catalogue = worker->catalogue;
    const struct support_structure *target =
        &catalogue->target[support_random_below(&worker->random, catalogue->n_targets)];
    struct engine_config config = {.threads = 1 + support_random_below(&worker->random, 2),
                                   .memory_bytes = catalogue->profile->budget_bytes,
                                   .table_dir = worker->directory,
                                   .log = store_log};
    struct engine_spec spec = support_spec_all(catalogue->cube, &target->structure);
    struct support_engine here;
    struct support_job job;
    torture_enter(worker->slot, TORTURE_PHASE_ENGINE);
    support_engine_open(&here, &config);
    torture_count(worker->slot, TORTURE_engine_jobs);
    support_job_submit(&here, &spec, &job);
    while (!job.done) {
        support_engine_pump(&here, 0.5);
        torture_count(worker->slot, TORTURE_heartbeat);
    }
    const struct engine_result *result = engine_job_result(job.job);
    bool right = result->state == ENGINE_SUCCEEDED && result->optimal &&
                 result->length == (int)target->min_htm &&
                 support_count(result, target->min_htm).sequences == target->words &&
                 support_count(result, target->min_htm).canonical == target->traces;
    torture_count(worker->slot, right ? TORTURE_engine_answers : TORTURE_wrong_answers);
    if (!right)
        say(worker, "WRONG answer", NULL, result->error_text);
    support_job_release(&job);
    support_engine_close(&here);
}

static void do_something(struct worker *worker)
{
    unsigned dice = support_random_below(&worker->random, 100);
    torture_count(worker->slot, TORTURE_rounds);
    if (dice < 66)
        use_table(worker);
    else if (dice < 76)
        let_go(worker);
    else if (dice < 82)
        remove_table(worker);
    else if (dice < 86)
        pin_tables(worker);
    else if (dice < 92)
        list_tables(worker);
    else if (dice < 95)
        reopen(worker);
    else
        ask_engine(worker);
    torture_enter(worker->slot, TORTURE_PHASE_IDLE);
}

/* ---- modes ------------------------------------------------------------------------------- */

/* Lines of a list of the kernel, or links of a folder of it, that name the directory. */
static unsigned lines_about(const char *path, const char *directory)
{
    char line[4096];
    unsigned count = 0;
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file))
        count += strstr(line, directory) != NULL;
    fclose(file);
    return count;
}

static unsigned descriptors_about(const char *directory)
{
    char link[64], target[4096];
    unsigned count = 0;
    for (int fd = 0; fd < 1024; fd++) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t length = readlink(link, target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
        count += strstr(target, directory) != NULL;
    }
    return count;
}

static void check_leaks(const struct worker *worker)
{
    unsigned maps = lines_about("/proc/self/maps", worker->directory);
    unsigned descriptors = descriptors_about(worker->directory);
    if (maps == 0 && descriptors == 0)
        return;
    torture_count(worker->slot, TORTURE_leaks);
    fprintf(stderr, "worker %ld: LEAK: %u mappings, %u descriptors\n", (long)getpid(), maps,
            descriptors);
    ck_abort_msg("leaks");
}

/* run and finish: PROFILE GOLDEN DIRECTORY SLOTS SLOT [SEED] */
static void worker_init(struct worker *worker)
{
    int fd = open(arguments[5], O_RDWR | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    struct torture_slot *slots = NULL;
    signal(SIGTERM, stop); /* here, for the check library sets a handler of its own before */
    unsigned number = (unsigned)strtoul(arguments[6], NULL, 10);
    size_t bytes = (number + 1) * sizeof *slots;
    slots = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ck_assert(slots != MAP_FAILED);
    close(fd);
    *worker = (struct worker){.catalogue = torture_catalogue_new(arguments[2]),
                              .slot = &slots[number],
                              .directory = arguments[4]};
    torture_catalogue_load(worker->catalogue, arguments[3]);
    torture_enter(worker->slot, TORTURE_PHASE_IDLE);
    open_store(worker);
}

static void worker_deinit(struct worker *worker)
{
    let_all_go(worker);
    table_store_close(worker->store);
    check_leaks(worker);
    torture_catalogue_free(worker->catalogue);
}

static void run_mode(void)
{
    struct worker worker;
    worker_init(&worker);
    worker.random.state = strtoull(arguments[7], NULL, 10) + 1;
    while (!stopped)
        do_something(&worker);
    worker_deinit(&worker);
}

static int is_left(const struct worker *worker, const struct torture_item *item, bool *sealed)
{
    struct table_info info;
    int err = table_store_info(worker->store, item->key.digest, &info);
    *sealed = err == 0 && info.state == TABLE_STATE_SEALED;
    return err;
}

/* Nobody else is there: whatever has been left growing can be completed, whatever is sealed is
 * right or found to be damaged. */
static void finish_mode(void)
{
    struct worker worker;
    unsigned completed = 0, sealed_tables = 0;
    worker_init(&worker);
    worker.random.state = 1;
    for (unsigned i = 0; i < worker.catalogue->n_items; i++) {
        const struct torture_item *item = &worker.catalogue->item[i];
        bool sealed;
        if (is_left(&worker, item, &sealed) != 0)
            continue;
        struct table *table = NULL;
        for (unsigned tries = 0; !table && tries < 50; tries++) /* some fills are given up */
            table = obtain(&worker, item);
        ck_assert_ptr_nonnull(table);
        table_close(table);
        completed += !sealed;
        sealed_tables += sealed;
    }
    worker_deinit(&worker);
    printf("completed %u, checked %u\n", completed, sealed_tables);
}

static void make_mode(void)
{
    struct torture_catalogue *catalogue = torture_catalogue_new(arguments[2]);
    uint64_t demand = 0;
    torture_catalogue_make(catalogue, arguments[3]);
    for (unsigned i = 0; i < catalogue->n_items; i++)
        demand += catalogue->item[i].golden.bytes;
    printf("tables %u\ndemand_bytes %" PRIu64 "\nbudget_bytes %" PRIu64 "\n", catalogue->n_items,
           demand, catalogue->profile->budget_bytes);
    torture_catalogue_free(catalogue);
}

static void names_mode(void)
{
#define TORTURE_PRINT_NUMBER(name) puts("number " #name);
    TORTURE_NUMBER_LIST(TORTURE_PRINT_NUMBER)
#undef TORTURE_PRINT_NUMBER
#define TORTURE_PRINT_PHASE(name) puts("phase " #name);
    TORTURE_PHASE_LIST(TORTURE_PRINT_PHASE)
#undef TORTURE_PRINT_PHASE
}

static const struct {
    const char *name;
    int arguments;
    void (*body)(void);
} modes[] = {{"names", 2, names_mode},
             {"make", 4, make_mode},
             {"run", 8, run_mode},
             {"finish", 7, finish_mode}};

int main(int argc, char **argv)
{
    arguments = argv;
    for (size_t i = 0; i < BASE_COUNT(modes); i++)
        if (argc >= 2 && strcmp(argv[1], modes[i].name) == 0 && argc == modes[i].arguments)
            return support_bench_main(modes[i].body);
    fprintf(stderr, "usage: see the head of torture_worker.c\n");
    return 2;
}
