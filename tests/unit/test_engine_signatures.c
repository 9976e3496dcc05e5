/*
 * test_engine_signatures.c - tests/data/signatures.txt: how many nodes fixed jobs take, exactly.
 *
 *     test_engine_signatures            compares
 *     test_engine_signatures FILE       writes the file anew
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support_engine.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

enum { LINE_BYTES = 1024 };

/* Sanitizers, under which nodes are counted alike, see a third of the jobs. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STEP = 3 };
#else
enum { STEP = 1 };
#endif

static const char *const path = "tests/data/signatures.txt";
static const char *path_to_write; /* NULL: compare */

enum column { PUZZLE, MIB, FIND, TARGET, START, NODES, COLUMNS };

static void split(char *line, char *column[COLUMNS])
{
    unsigned n = 0;
    for (char *rest = line; rest;) {
        ck_assert_uint_lt(n, COLUMNS);
        column[n++] = strsep(&rest, "\t");
    }
    ck_assert_uint_eq(n, COLUMNS);
}

/* "3x3x3", "3x3x3 R U F". New. */
static struct puzzle *puzzle_of(const char *text)
{
    char name[16] = "";
    size_t length = strcspn(text, " ");
    memcpy(name, text, length < sizeof name ? length : sizeof name - 1);
    struct puzzle *all = support_builtin(name);
    if (text[length] == '\0')
        return all;
    struct puzzle *faces = support_puzzle_faces(all, text + length);
    puzzle_release(all);
    return faces;
}

/* The job in an engine of its own: once to fill its tables, once to be counted. */
static void run(char *column[COLUMNS], char *out, size_t size)
{
    struct puzzle *puzzle = puzzle_of(column[PUZZLE]);
    struct cycle_structure target = support_cycle(puzzle, column[TARGET]);
    struct engine_spec spec = support_spec_one(puzzle, &target);
    struct engine_config config = {.threads = 1,
                                   .memory_bytes = strtoull(column[MIB], NULL, 10) << 20};
    struct support_engine here;
    struct support_job job;
    uint8_t start[PERM_MAX_BYTES];
    size_t at = 0;
    support_word_state(puzzle, column[START], start);
    spec.start = start;
    spec.find = strcmp(column[FIND], "all") == 0 ? ENGINE_FIND_ALL : ENGINE_FIND_ONE;
    support_engine_open(&here, &config);
    support_job_run(&here, &spec, &job);
    support_job_release(&job);
    support_job_run(&here, &spec, &job);
    out[0] = '\0';
    for (unsigned i = 0; i < job.n_depths && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%u:%llu", i ? " " : "", job.depth[i].depth,
                               (unsigned long long)job.depth[i].nodes);
    ck_assert_uint_lt(at, size);
    ck_assert_uint_gt(job.n_depths, 0);
    support_job_release(&job);
    support_engine_close(&here);
    puzzle_release(puzzle);
}

/* One line, which is written to `out` unless that is NULL. False: it differs. */
static bool check_line(char *line, FILE *out)
{
    char copy[LINE_BYTES], nodes[LINE_BYTES / 2], *column[COLUMNS];
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#') {
        if (out)
            fprintf(out, "%s\n", line);
        return true;
    }
    snprintf(copy, sizeof copy, "%s", line);
    split(copy, column);
    run(column, nodes, sizeof nodes);
    if (out) {
        for (unsigned c = 0; c < NODES; c++)
            fprintf(out, "%s\t", column[c]);
        fprintf(out, "%s\n", nodes);
    } else if (strcmp(nodes, column[NODES]) != 0) {
        printf("%s, %s, from \"%s\":\n    %s\n    instead of\n    %s\n", column[FIND],
               column[TARGET], column[START], nodes, column[NODES]);
        return false;
    }
    return true;
}

START_TEST(signatures)
{
    char *text = NULL, line[LINE_BYTES];
    size_t bytes = 0;
    unsigned lines = 0, differ = 0;
    FILE *file = fopen(path, "r"), *out = path_to_write ? open_memstream(&text, &bytes) : NULL;
    ck_assert_msg(file != NULL, "run from the root of the repository");
    for (; fgets(line, sizeof line, file); lines++)
        if (out || lines % STEP == 0)
            differ += !check_line(line, out);
    fclose(file);
    ck_assert_uint_ge(lines, 30); /* with the comment */
    if (out) {
        fclose(out);
        out = fopen(path_to_write, "w");
        ck_assert(out != NULL && fwrite(text, 1, bytes, out) == bytes && fclose(out) == 0);
        free(text);
    }
    ck_assert_msg(differ == 0, "%u signatures differ", differ);
}
END_TEST

int main(int argc, char **argv)
{
    const TTest *const tests[] = {signatures};
    path_to_write = argc > 1 ? argv[1] : NULL;
    return support_suite_run("engine_signatures", tests, 1, NULL, NULL, 120);
}
