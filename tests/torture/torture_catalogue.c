/*
 * torture_catalogue.c - see torture_catalogue.h.
 */
#include "tests/torture/torture_catalogue.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_hash.h"
#include "core/cube3/cube3.h"
#include "tests/support/support_fill.h"
#include "tests/support/support_random.h"
#include "tests/support/support_word.h"

enum { MIB = 1 << 20, TARGET_MOVES = 8, TARGET_STEP = 31 };

static const struct torture_profile profiles[] = {{"small", 48 * MIB, 5, 2},
                                                  {"large", 200 * MIB, 24, 20}};

const struct torture_profile *torture_profile_find(const char *name)
{
    for (size_t i = 0; i < BASE_COUNT(profiles); i++)
        if (strcmp(profiles[i].name, name) == 0)
            return &profiles[i];
    return NULL;
}

/* Every so many of the rows that take eight moves, which is worth a table to the engine. */
static void read_targets(struct torture_catalogue *catalogue)
{
    FILE *file = support_structures_open();
    struct support_structure row;
    unsigned seen = 0;
    while (catalogue->n_targets < catalogue->profile->n_targets &&
           support_structures_next(file, catalogue->cube, &row))
        if (row.min_htm == TARGET_MOVES && seen++ % TARGET_STEP == 0)
            catalogue->target[catalogue->n_targets++] = row;
    fclose(file);
    ck_assert_uint_eq(catalogue->n_targets, catalogue->profile->n_targets);
}

/* Targets whose projections agree share a table: it is listed once. */
static void add_item(struct torture_catalogue *catalogue, unsigned target, unsigned orbit,
                     unsigned k)
{
    struct torture_item *item = &catalogue->item[catalogue->n_items];
    ck_assert_uint_lt(catalogue->n_items, TORTURE_MAX_ITEMS);
    item->spec =
        (struct table_spec){.structures = &catalogue->target[target].structure, .n_structures = 1};
    ck_assert_int_eq(search_context_coord(catalogue->context, orbit, k, &item->spec.coord), 0);
    ck_assert_int_eq(table_spec_key(&item->spec, &item->key), 0);
    if (!torture_catalogue_find(catalogue, item->key.digest))
        catalogue->n_items++;
}

static void add_target(struct torture_catalogue *catalogue, unsigned target)
{
    const struct cycle_structure *structure = &catalogue->target[target].structure;
    if (target == 0)
        ck_assert_int_eq(search_context_new(catalogue->cube, structure, 1, &catalogue->context), 0);
    ck_assert(search_context_serves(catalogue->context, catalogue->cube, structure, 1));
    add_item(catalogue, target, CUBE3_CORNERS, 0);
    add_item(catalogue, target, CUBE3_CORNERS, 5);
    add_item(catalogue, target, CUBE3_EDGES, 5);
    if (target < catalogue->profile->n_wide)
        add_item(catalogue, target, CUBE3_EDGES, 6);
}

struct torture_catalogue *torture_catalogue_new(const char *profile)
{
    struct torture_catalogue *catalogue = calloc(1, sizeof *catalogue);
    struct support_random random = {2718};
    ck_assert_ptr_nonnull(catalogue);
    catalogue->profile = torture_profile_find(profile);
    ck_assert_ptr_nonnull(catalogue->profile);
    catalogue->cube = support_builtin("3x3x3");
    read_targets(catalogue);
    for (unsigned target = 0; target < catalogue->n_targets; target++)
        add_target(catalogue, target);
    for (unsigned i = 0; i < TORTURE_SAMPLES; i++) {
        struct torture_sample *sample = &catalogue->sample[i];
        support_random_state(&random, catalogue->cube, sample->state);
        perm_invert(puzzle_shape(catalogue->cube), sample->state, sample->inverse);
    }
    return catalogue;
}

void torture_catalogue_free(struct torture_catalogue *catalogue)
{
    search_context_release(catalogue->context);
    puzzle_release(catalogue->cube);
    free(catalogue);
}

static void find_golden(const struct torture_catalogue *catalogue, struct torture_item *item)
{
    struct support_filled filled;
    struct table table;
    support_fill(item->spec.coord, item->spec.structures, 1, SUPPORT_FILL_IN_ORDER, &filled);
    support_fill_table_init(&table, item->spec.coord, &filled);
    item->golden =
        (struct torture_golden){.digest = item->key.digest,
                                .bytes = item->spec.coord->size,
                                .hash = base_hash(filled.entries, item->spec.coord->size, 0),
                                .layers = filled.layers};
    for (unsigned i = 0; i < TORTURE_SAMPLES; i++)
        item->golden.bound[i] =
            (uint8_t)table_bound(&table, catalogue->sample[i].state, catalogue->sample[i].inverse);
    support_fill_table_deinit(&table);
    support_fill_free(&filled);
}

void torture_catalogue_make(struct torture_catalogue *catalogue, const char *path)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    for (unsigned i = 0; i < catalogue->n_items; i++) {
        struct torture_item *item = &catalogue->item[i];
        find_golden(catalogue, item);
        ck_assert_uint_eq(fwrite(&item->golden, sizeof item->golden, 1, file), 1);
    }
    ck_assert_int_eq(fclose(file), 0);
}

void torture_catalogue_load(struct torture_catalogue *catalogue, const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    for (unsigned i = 0; i < catalogue->n_items; i++) {
        struct torture_item *item = &catalogue->item[i];
        ck_assert_uint_eq(fread(&item->golden, sizeof item->golden, 1, file), 1);
        ck_assert(item->golden.digest == item->key.digest);
    }
    fclose(file);
}

const struct torture_item *torture_catalogue_find(const struct torture_catalogue *catalogue,
                                                  uint64_t digest)
{
    for (unsigned i = 0; i < catalogue->n_items; i++)
        if (catalogue->item[i].key.digest == digest)
            return &catalogue->item[i];
    return NULL;
}
