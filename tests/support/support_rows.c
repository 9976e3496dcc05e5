/*
 * support_rows.c - see support_rows.h.
 */
#include "tests/support/support_rows.h"

#include <check.h>
#include <stdlib.h>

#include "tests/support/support_structures.h"

/* Enough that the threads never wait for us. */
enum { IN_FLIGHT = 16 };

struct flight {
    struct support_job job;
    struct support_structure row;
    bool used;
};

struct rows {
    struct support_engine *here;
    const struct puzzle *cube;
    FILE *file;
    const struct support_rows *which;
    unsigned skip; /* rows to leave out before the next one that counts */
    unsigned started;
    struct flight flight[IN_FLIGHT];
};

/* The next row that counts. */
static bool next_row(struct rows *rows, struct support_structure *row)
{
    while (support_structures_next(rows->file, rows->cube, row)) {
        if (row->min_htm < rows->which->least || row->min_htm > rows->which->most)
            continue;
        if (rows->skip-- > 0)
            continue;
        rows->skip = rows->which->step - 1;
        return true;
    }
    return false;
}

static bool start(struct rows *rows, struct flight *flight)
{
    if (!next_row(rows, &flight->row))
        return false;
    struct engine_spec spec = support_spec_all(rows->cube, &flight->row.structure);
    spec.limits.memory_bytes = rows->which->memory_bytes;
    spec.tables = rows->which->tables;
    support_job_submit(rows->here, &spec, &flight->job);
    flight->used = true;
    rows->started++;
    return true;
}

static void finish(struct rows *rows, struct flight *flight)
{
    const struct engine_result *result = engine_job_result(flight->job.job);
    char text[CYCLE_TEXT_BYTES];
    cycle_print(rows->cube, &flight->row.structure, text, sizeof text);
    ck_assert_msg(result->state == ENGINE_SUCCEEDED && result->optimal && result->counted &&
                      result->length == (int)flight->row.min_htm &&
                      result->count[0].sequences == flight->row.words &&
                      result->count[0].canonical == flight->row.traces,
                  "%s: %d moves, %llu words, %llu traces instead of %u, %llu, %llu", text,
                  result->length, (unsigned long long)result->count[0].sequences,
                  (unsigned long long)result->count[0].canonical, flight->row.min_htm,
                  (unsigned long long)flight->row.words, (unsigned long long)flight->row.traces);
    support_job_release(&flight->job);
    flight->used = false;
}

unsigned support_rows_run(struct support_engine *here, const struct puzzle *cube,
                          const struct support_rows *which)
{
    struct rows *rows = calloc(1, sizeof *rows);
    ck_assert_ptr_nonnull(rows);
    *rows = (struct rows){.here = here,
                          .cube = cube,
                          .which = which,
                          .skip = which->first,
                          .file = support_structures_open()};
    unsigned in_flight = 0;
    bool more = true;
    while (more || in_flight > 0) {
        for (unsigned i = 0; i < IN_FLIGHT; i++) {
            struct flight *flight = &rows->flight[i];
            if (flight->used && flight->job.done) {
                finish(rows, flight);
                in_flight--;
            }
            if (!flight->used && more && (more = start(rows, flight)))
                in_flight++;
        }
        if (in_flight > 0)
            support_engine_pump(here, 1);
    }
    unsigned started = rows->started;
    fclose(rows->file);
    free(rows);
    return started;
}
