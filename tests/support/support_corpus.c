/*
 * support_corpus.c - see support_corpus.h.
 */
#include "tests/support/support_corpus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/puzzle/puzzle_builtin.h"
#include "core/table/table_fill.h"

enum { CORNERS, EDGES };

static const struct {
    const char *name, *structure;
    unsigned orbit, k; /* k = 0: exact */
} tables[SUPPORT_CORPUS_COUNT] = {
    {"corners, identity", "c: / e:", CORNERS, 0},
    {"corners, (1+, 5+)", "c: (1+, 5+)", CORNERS, 0},
    {"5 edges, identity", "c: / e:", EDGES, 5},
    {"6 edges, identity", "c: / e:", EDGES, 6},
    {"6 edges, (1+, 1+)", "e: (1+, 1+)", EDGES, 6},
};

static int fill(const struct table_coord *coord, const struct cycle_structure *structure,
                struct support_corpus *out)
{
    struct table_image *image = NULL;
    struct table_fill *fill = NULL;
    out->n_entries = coord->size;
    out->entries = calloc(coord->size, 1);
    if (!out->entries)
        return BASE_ERR_NOMEM;
    int code = table_image_new(coord, structure, 1, &image);
    if (code == 0)
        code = table_fill_new(coord, image, out->entries, &fill);
    if (code == 0) {
        do
            for (unsigned i = 0; i < table_fill_chunks(fill); i++)
                table_fill_run(fill, i);
        while (table_fill_next(fill));
        memcpy(out->histogram, table_fill_histogram(fill), sizeof out->histogram);
    }
    table_fill_free(fill);
    table_image_free(image);
    return code;
}

static int fill_of_group(unsigned i, const struct sym_group *group, struct support_corpus *out)
{
    struct cycle_structure structure;
    struct table_coord *coord = NULL;
    const char *text = tables[i].structure;
    int code = cycle_parse(group->puzzle, text, strlen(text), &structure, NULL);
    if (code == 0)
        code = tables[i].k
                   ? table_coord_new_subset(group, tables[i].orbit, tables[i].k, UINT64_MAX, &coord)
                   : table_coord_new_exact(group, tables[i].orbit, UINT64_MAX, &coord);
    if (code == 0)
        code = fill(coord, &structure, out);
    table_coord_free(coord);
    return code;
}

int support_corpus_init(unsigned i, struct support_corpus *out)
{
    struct puzzle *cube = NULL;
    struct sym_group *group = NULL;
    *out = (struct support_corpus){.name = tables[i].name};
    int code = puzzle_builtin_new("3x3x3", &cube);
    if (code == 0)
        code = sym_group_new(cube, &group);
    if (code == 0)
        code = fill_of_group(i, group, out);
    sym_group_free(group);
    puzzle_release(cube);
    return code;
}

void support_corpus_deinit(struct support_corpus *corpus)
{
    free(corpus->entries);
    corpus->entries = NULL;
}

double support_corpus_entropy(const uint64_t *histogram, uint64_t n_entries)
{
    double n = (double)n_entries, vacant = n, bits = 0;
    for (unsigned v = 0; v < 64; v++) {
        double count = (double)histogram[v];
        vacant -= count;
        bits += count > 0 ? count * log2(n / count) : 0;
    }
    return (bits + (vacant > 0 ? vacant * log2(n / vacant) : 0)) / n;
}
