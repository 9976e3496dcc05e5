/*
 * test_engine_tables.c - tables that are shared, found, damaged, too large, or in the way: the
 * answers stay the same.
 */
#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/base_err.h"
#include "tests/support/support_engine.h"
#include "tests/support/support_structures.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum { MIB = 1 << 20 };

static struct puzzle *cube;
static struct cycle_structure target; /* eight moves: worth a table of the edges */
static char directory[80];

static void setup(void)
{
    cube = support_builtin("3x3x3");
    target = support_cycle(cube, "c: (3) / e:");
    support_directory_make(directory);
}

static void teardown(void)
{
    support_directory_remove(directory);
    puzzle_release(cube);
}

static struct engine_config config_here(void)
{
    return (struct engine_config){.threads = 2, .memory_bytes = 256 * MIB, .table_dir = directory};
}

static void expect_864(struct support_engine *here, struct support_job *job)
{
    struct engine_spec spec = support_spec_all(cube, &target);
    const struct engine_result *result = support_job_run(here, &spec, job);
    ck_assert_int_eq(result->length, 8);
    ck_assert(result->optimal && result->limit_hit == ENGINE_LIMIT_NONE);
    ck_assert_uint_eq(result->count[0].sequences, 864);
}

/* The job in an engine of its own; its numbers at the end. */
static struct engine_stats run_once(const struct engine_config *config)
{
    struct support_engine here;
    struct support_job job;
    support_engine_open(&here, config);
    expect_864(&here, &job);
    struct engine_stats stats = support_engine_stats(&here);
    support_job_release(&job);
    support_engine_close(&here);
    return stats;
}

/* ---- shared and found --------------------------------------------------------------------- */

START_TEST(filled_once_for_many)
{
    enum { JOBS = 6 };
    struct engine_config config = config_here();
    struct support_engine here;
    struct support_job job[JOBS];
    struct engine_spec spec = support_spec_all(cube, &target);
    support_engine_open(&here, &config);
    for (unsigned i = 0; i < JOBS; i++)
        support_job_submit(&here, &spec, &job[i]);
    for (unsigned i = 0; i < JOBS; i++)
        ck_assert_uint_eq(support_job_wait(&here, &job[i])->count[0].sequences, 864);
    struct engine_stats stats = support_engine_stats(&here);
    ck_assert_uint_ge(stats.tables_filled, 1);
    ck_assert_uint_eq(stats.tables_filled, stats.table_count);
    ck_assert_uint_eq(stats.tables_attached, 0);
    ck_assert(stats.table_fill_seconds > 0);
    for (unsigned i = 0; i < JOBS; i++)
        support_job_release(&job[i]);
    support_engine_close(&here);
}
END_TEST

struct seen {
    unsigned tables, attached, corners;
    char last[ENGINE_KEY_BYTES];
};

static void see_table(void *arg, const struct engine_table_info *info)
{
    struct seen *seen = arg;
    seen->tables++;
    seen->attached += info->attached;
    seen->corners += strcmp(info->orbits, "corners") == 0;
    ck_assert_str_eq(info->puzzle, "3x3x3");
    ck_assert_str_eq(info->state, "sealed");
    ck_assert_str_ne(info->kind, "");
    ck_assert_uint_gt(info->bytes, 0);
    ck_assert_int_gt(strcmp(info->key, seen->last), 0);
    snprintf(seen->last, sizeof seen->last, "%s", info->key);
}

START_TEST(found_after_restart)
{
    struct engine_config config = config_here();
    struct engine_stats first = run_once(&config);
    ck_assert_uint_ge(first.tables_filled, 1);
    struct engine_stats second = run_once(&config);
    ck_assert_uint_eq(second.tables_filled, 0);
    ck_assert_uint_ge(second.tables_attached, 1);
    ck_assert_uint_eq(second.table_count, first.table_count);
    struct support_engine here;
    struct support_job job;
    struct seen seen = {0};
    support_engine_open(&here, &config);
    expect_864(&here, &job);
    ck_assert_uint_eq(job.n_tables, 0); /* no fill, no event of one */
    engine_visit_tables(here.engine, see_table, &seen);
    ck_assert_uint_eq(seen.tables, first.table_count);
    ck_assert_uint_eq(seen.attached, seen.tables);
    ck_assert_uint_eq(seen.corners, 1);
    support_job_release(&job);
    support_engine_close(&here);
}
END_TEST

/* Another engine of this process, at the same time. */
START_TEST(two_engines)
{
    struct engine_config config = config_here();
    struct support_engine a, b;
    struct support_job job_a, job_b;
    struct engine_spec spec = support_spec_all(cube, &target);
    support_engine_open(&a, &config);
    support_engine_open(&b, &config);
    support_job_submit(&a, &spec, &job_a);
    support_job_submit(&b, &spec, &job_b);
    ck_assert_uint_eq(support_job_wait(&a, &job_a)->count[0].sequences, 864);
    ck_assert_uint_eq(support_job_wait(&b, &job_b)->count[0].sequences, 864);
    support_job_release(&job_a);
    support_job_release(&job_b);
    support_engine_close(&a);
    support_engine_close(&b);
}
END_TEST

static pid_t start_process(void)
{
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child > 0)
        return child;
    struct engine_config config = config_here();
    struct engine *engine;
    struct engine_job *job;
    struct engine_event event = {.kind = ENGINE_EVENT_STATE};
    struct engine_spec spec = support_spec_all(cube, &target);
    if (engine_open(&config, &engine, NULL) != 0 || engine_submit(engine, &spec, &job, NULL) != 0)
        _exit(1);
    while (event.kind != ENGINE_EVENT_DONE)
        if (!engine_poll(engine, &event))
            usleep(1000);
    const struct engine_result *result = engine_job_result(job);
    bool good = result->length == 8 && result->count[0].sequences == 864;
    engine_job_release(job);
    engine_close(engine);
    _exit(good ? 0 : 1);
}

START_TEST(many_processes)
{
    enum { PROCESSES = 3 };
    pid_t child[PROCESSES];
    for (unsigned i = 0; i < PROCESSES; i++)
        child[i] = start_process();
    for (unsigned i = 0; i < PROCESSES; i++) {
        int status;
        ck_assert_int_eq(waitpid(child[i], &status, 0), child[i]);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    struct engine_config config = config_here();
    ck_assert_uint_eq(run_once(&config).tables_filled, 0);
}
END_TEST

/* A process that is killed while it fills. */
START_TEST(killed_while_filling)
{
    for (unsigned i = 0; i < 4; i++) {
        int status;
        pid_t child = start_process();
        usleep(60000 + i * 60000);
        kill(child, SIGKILL);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        struct engine_config config = config_here();
        run_once(&config);
        support_directory_remove(directory);
    }
}
END_TEST

/* ---- damaged ------------------------------------------------------------------------------ */

/* Calls `harm` for every file of the directory; returns how many. */
static unsigned harm_files(void (*harm)(int fd, off_t size))
{
    DIR *listing = opendir(directory);
    const struct dirent *item;
    unsigned count = 0;
    ck_assert_ptr_nonnull(listing);
    while ((item = readdir(listing)) != NULL) {
        struct stat info;
        if (item->d_name[0] == '.')
            continue;
        int fd = openat(dirfd(listing), item->d_name, O_RDWR);
        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(fstat(fd, &info), 0);
        harm(fd, info.st_size);
        close(fd);
        count++;
    }
    closedir(listing);
    return count;
}

static void flip_byte(int fd, off_t at)
{
    uint8_t byte;
    ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
    byte ^= 0x5a;
    ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
}

static void harm_middle(int fd, off_t size)
{
    flip_byte(fd, size / 2);
}

static void harm_header(int fd, off_t size)
{
    (void)size;
    flip_byte(fd, 17);
}

static void harm_length(int fd, off_t size)
{
    ck_assert_int_eq(ftruncate(fd, size / 2), 0);
}

static void harm_all(int fd, off_t size)
{
    ck_assert_int_eq(ftruncate(fd, 0), 0);
    ck_assert_int_eq(ftruncate(fd, size), 0);
}

START_TEST(damaged)
{
    void (*const harms[])(int, off_t) = {harm_middle, harm_header, harm_length, harm_all};
    struct engine_config config = config_here();
    uint64_t tables = run_once(&config).table_count;
    for (unsigned i = 0; i < sizeof harms / sizeof *harms; i++) {
        ck_assert_uint_eq(harm_files(harms[i]), tables);
        struct engine_stats stats = run_once(&config);
        ck_assert_uint_eq(stats.tables_filled, tables);
        ck_assert_uint_eq(stats.tables_attached, 0);
        ck_assert_uint_eq(run_once(&config).tables_attached, tables);
    }
}
END_TEST

/* ---- too large ---------------------------------------------------------------------------- */

static unsigned count_kind(const struct engine_plan *plan, const char *kind)
{
    unsigned count = 0;
    for (unsigned t = 0; t < plan->n_tables; t++)
        count += strcmp(plan->table[t].kind, kind) == 0;
    return count;
}

/* The plan keeps to the limit, and says why it is what it is. */
static void check_plan(const struct engine_plan *plan, uint64_t limit)
{
    uint64_t bytes = 0;
    ck_assert_uint_ge(plan->n_tables, 2);
    for (unsigned t = 0; t < plan->n_tables; t++) {
        ck_assert_str_ne(plan->table[t].why, "");
        ck_assert_str_ne(plan->table[t].orbits, "");
        bytes += plan->table[t].bytes;
    }
    ck_assert_uint_le(bytes, limit);
    ck_assert_uint_gt(plan->estimated_length, 0);
    ck_assert(plan->estimated_nodes > 0);
}

START_TEST(memory_of_a_job)
{
    static const uint64_t limits[] = {4096, 100 << 10, 1 * MIB, 4 * MIB, 64 * MIB};
    static struct engine_snapshot snapshot;
    unsigned fixed = 3;
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct support_engine here;
        struct support_job job;
        struct engine_spec spec = support_spec_all(cube, &target);
        spec.limits.memory_bytes = limits[i];
        support_engine_open(&here, NULL);
        ck_assert_uint_eq(support_job_run(&here, &spec, &job)->count[0].sequences, 864);
        engine_job_snapshot(job.job, &snapshot);
        check_plan(&snapshot.plan, limits[i]);
        unsigned now = count_kind(&snapshot.plan, "fixed");
        ck_assert_uint_le(now, fixed);
        fixed = now;
        ck_assert_uint_le(support_engine_stats(&here).table_bytes, limits[i]);
        support_job_release(&job);
        support_engine_close(&here);
    }
    ck_assert_uint_eq(fixed, 0);
}
END_TEST

/* Many jobs, whose tables do not fit together. */
START_TEST(eviction)
{
    struct engine_config config = config_here();
    struct support_engine here;
    struct support_structure row;
    struct support_job job;
    FILE *file = support_structures_open();
    config.memory_bytes = 5 * MIB;
    support_engine_open(&here, &config);
    for (unsigned i = 0; i < 240; i++) {
        ck_assert(support_structures_next(file, cube, &row));
        if (i % 12 != 0)
            continue;
        struct engine_spec spec = support_spec_all(cube, &row.structure);
        const struct engine_result *result = support_job_run(&here, &spec, &job);
        ck_assert_int_eq(result->length, (int)row.min_htm);
        ck_assert_uint_eq(result->count[0].sequences, row.words);
        ck_assert_uint_le(support_engine_stats(&here).table_bytes, config.memory_bytes);
        support_job_release(&job);
    }
    fclose(file);
    ck_assert_uint_gt(support_engine_stats(&here).tables_filled, 3);
    support_engine_close(&here);
}
END_TEST

/* A small file system at `directory`, that only this process sees; only root may have one. */
static bool mount_small(void)
{
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("small", directory, "tmpfs", 0, "size=1m,mode=0700") == 0;
}

/* The limit allows what the file system does not hold. */
START_TEST(full_file_system)
{
    static struct engine_snapshot snapshot;
    struct support_engine here;
    struct support_job job;
    struct engine_config config = config_here();
    if (!mount_small()) {
        printf("full_file_system: skipped, mounting is not allowed here\n");
        return;
    }
    support_engine_open(&here, &config);
    expect_864(&here, &job);
    engine_job_snapshot(job.job, &snapshot);
    for (unsigned t = 0; t < snapshot.plan.n_tables; t++)
        if (snapshot.plan.table[t].bytes > MIB &&
            strcmp(snapshot.plan.table[t].orbits, "corners") == 0) {
            ck_assert_str_eq(snapshot.plan.table[t].state, "missing");
            ck_assert_msg(strncmp(snapshot.plan.table[t].why, "not used: ", 10) == 0, "%s",
                          snapshot.plan.table[t].why);
        }
    ck_assert_uint_eq(support_engine_stats(&here).tables_filled, 0);
    support_job_release(&job);
    support_engine_close(&here);
    ck_assert_int_eq(umount(directory), 0);
}
END_TEST

START_TEST(bad_directory)
{
    struct engine *engine;
    struct base_diag diag = {0};
    struct engine_config config = {.threads = 1, .table_dir = "/proc/no/such/place"};
    ck_assert_int_lt(engine_open(&config, &engine, &diag), 0);
    ck_assert_ptr_null(engine);
    ck_assert_str_ne(diag.text, "");
    config = (struct engine_config){.threads = 1, .table_dir = directory, .kernels = "sse9"};
    ck_assert_int_eq(engine_open(&config, &engine, &diag), BASE_ERR_RANGE);
    ck_assert_ptr_null(engine);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        filled_once_for_many,
        found_after_restart,
        two_engines,
        many_processes,
        killed_while_filling,
        damaged,
        eviction,
        memory_of_a_job,
        full_file_system,
        bad_directory,
    };
    return support_suite_run("engine_tables", tests, sizeof tests / sizeof *tests, setup, teardown,
                             60);
}
