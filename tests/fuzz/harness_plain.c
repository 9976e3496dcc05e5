/*
 * harness_plain.c - runs a target as a unit test: first the files of its corpus, tests/fuzz/corpus/
 * and the target's name, then mutations of them, always the same ones, for a third of a second.
 *
 *     fuzz_cycle           the unit test
 *     fuzz_cycle FILE...   the target over files, without a test around it
 *
 * The input that is being tried is in memory shared with the parent process; when the test does not
 * survive it, it is written to a file, which the second form then reproduces.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "tests/fuzz/harness.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"

enum { MAX_FILES = 1000, INPUT_BYTES = 1 << 16, MAX_EDITS = 4, NAME_BYTES = 512 };

static const double MUTATION_SECONDS = 0.3;

static struct fuzz_bytes corpus[MAX_FILES];
static size_t n_files;

static struct {
    size_t size;
    bool tried; /* the target is at it */
    uint8_t data[INPUT_BYTES];
} * now;

/* ---- one input -------------------------------------------------------------------------- */

/* In a block of its own, so that sanitizers see its end. */
static void try_input(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    uint64_t before = base_expect_failures();
    ck_assert_ptr_nonnull(copy);
    memmove(now->data, data, size);
    memcpy(copy, now->data, size);
    now->size = size;
    now->tried = true;
    fuzz_one(copy, size);
    ck_assert_uint_eq(base_expect_failures(), before);
    now->tried = false;
    free(copy);
}

static void write_survivor(const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return;
    fwrite(now->data, 1, now->size, file);
    fclose(file);
    printf("the input that was not survived is in %s\n", path);
}

/* ---- corpus ----------------------------------------------------------------------------- */

static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static size_t read_input(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(2);
    }
    size_t size = fread(now->data, 1, INPUT_BYTES, file);
    fclose(file);
    return size;
}

static void add_file(const char *folder, const char *name)
{
    char path[NAME_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    size_t size = read_input(path);
    corpus[n_files++] = (struct fuzz_bytes){(uint8_t *)fuzz_text(now->data, size), size};
}

/* In the order of the names, on which the mutations depend. */
static void read_corpus(void)
{
    const char *target = strchr(program_invocation_short_name, '_');
    char folder[NAME_BYTES / 2];
    struct dirent **entry;
    snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", target ? target + 1 : "");
    int n = scandir(folder, &entry, not_hidden, alphasort);
    for (int i = 0; i < n; i++) {
        if (n_files < MAX_FILES)
            add_file(folder, entry[i]->d_name);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
}

/* ---- mutations -------------------------------------------------------------------------- */

static const uint8_t interesting[] = {0,  1,  9,  10, 32, 34,  39,  44,
                                      45, 48, 57, 58, 92, 127, 128, 255};

/* Copies of a part of another input, or of itself, over what is there or between it. */
static size_t splice(struct support_random *random, uint8_t *data, size_t size)
{
    const struct fuzz_bytes *other = &corpus[support_random_below(random, (unsigned)n_files)];
    if (!other->size)
        return size;
    size_t from = support_random_below(random, (unsigned)other->size);
    size_t length = 1 + support_random_below(random, (unsigned)(other->size - from));
    size_t at = support_random_below(random, (unsigned)size + 1);
    bool over = support_random_below(random, 2);
    size_t tail = over && at + length >= size ? 0 : over ? size - at - length : size - at;
    if (at + length + tail > INPUT_BYTES)
        return size;
    memmove(data + at + length, data + size - tail, tail);
    memcpy(data + at, other->data + from, length);
    return at + length + tail;
}

static size_t cut(struct support_random *random, uint8_t *data, size_t size)
{
    size_t from = support_random_below(random, (unsigned)size);
    size_t most = size - from < 32 ? size - from : 32;
    size_t length = 1 + support_random_below(random, (unsigned)most);
    memmove(data + from, data + from + length, size - from - length);
    return size - length;
}

static size_t edit(struct support_random *random, uint8_t *data, size_t size)
{
    unsigned kind = size ? support_random_below(random, 5) : 0;
    size_t at = size ? support_random_below(random, (unsigned)size) : 0;
    switch (kind) {
    case 0:
        return splice(random, data, size);
    case 1:
        return cut(random, data, size);
    case 2:
        data[at] ^= (uint8_t)(1u << support_random_below(random, 8));
        return size;
    case 3:
        data[at] = interesting[support_random_below(random, sizeof interesting)];
        return size;
    default:
        data[at] = (uint8_t)(data[at] + support_random_below(random, 7) - 3);
        return size;
    }
}

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- the tests -------------------------------------------------------------------------- */

START_TEST(corpus_is_survived)
{
    ck_assert_uint_gt(n_files, 0);
    for (size_t i = 0; i < n_files; i++)
        try_input(corpus[i].data, corpus[i].size);
}
END_TEST

START_TEST(beginnings_are_survived)
{
    double end = seconds() + MUTATION_SECONDS;
    for (size_t i = 0; i < n_files; i++)
        for (size_t size = 0; size < corpus[i].size && seconds() < end; size++)
            try_input(corpus[i].data, size);
}
END_TEST

START_TEST(mutations_are_survived)
{
    static uint8_t data[INPUT_BYTES];
    struct support_random random = {20240611};
    double end = seconds() + MUTATION_SECONDS;
    while (seconds() < end) {
        const struct fuzz_bytes *from = &corpus[support_random_below(&random, (unsigned)n_files)];
        size_t size = from->size;
        memcpy(data, from->data, size);
        for (unsigned left = 1 + support_random_below(&random, MAX_EDITS); left; left--)
            size = edit(&random, data, size);
        try_input(data, size);
    }
}
END_TEST

static void setup(void)
{
    read_corpus();
}

static void teardown(void)
{
    char path[NAME_BYTES];
    snprintf(path, sizeof path, "build/%s.input", program_invocation_short_name);
    if (now->tried)
        write_survivor(path);
    for (size_t i = 0; i < n_files; i++)
        free((void *)(uintptr_t)corpus[i].data);
}

int main(int argc, char **argv)
{
    const TTest *tests[] = {corpus_is_survived, beginnings_are_survived, mutations_are_survived};

    now = mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (now == MAP_FAILED)
        return 2;
    for (int i = 1; i < argc; i++)
        try_input(now->data, read_input(argv[i]));
    if (argc > 1)
        return 0;
    return support_suite_run_shared(program_invocation_short_name, tests,
                                    sizeof tests / sizeof *tests, setup, teardown, 60);
}
