/*
 * test_table_grow.c - tables made through the store in every encoding, and asked: the bounds of an
 * encoded table against those of the same table as it is filled, and against known shortest words.
 */
#include <check.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_codec_inl.h"
#include "core/table/table_grow.h"
#include "tests/support/support_engine.h"
#include "tests/support/support_table.h"
#include "tests/support/support_word.h"

enum { CORNERS = 0, EDGES = 1, FEW_PIECES = 4 };

static struct puzzle *cube, *pocket;
static struct sym_group *group, *pocket_group;

static void open_puzzles(void)
{
    cube = support_builtin("3x3x3");
    pocket = support_builtin("2x2x2");
    ck_assert_int_eq(sym_group_new(cube, &group), 0);
    ck_assert_int_eq(sym_group_new(pocket, &pocket_group), 0);
}

static void close_puzzles(void)
{
    sym_group_free(group);
    sym_group_free(pocket_group);
    puzzle_release(cube);
    puzzle_release(pocket);
}

/* Makes the table of a coordinate, all passes on this thread. */
static struct table *make(const struct table_coord *coord, enum table_encoding encoding,
                          const struct cycle_structure *target)
{
    struct table_spec spec = {
        .coord = coord, .encoding = encoding, .structures = target, .n_structures = 1};
    struct table *table;
    int more;
    ck_assert_int_eq(table_create(support_table_store, &spec, &table, NULL), 0);
    do {
        for (unsigned chunk = 0; chunk < table_grow_chunks(table); chunk++)
            table_grow_run(table, chunk);
        more = table_grow_next(table, NULL);
        ck_assert_int_ge(more, 0);
    } while (more > 0);
    ck_assert_int_eq(table_seal(table, 1), 0);
    ck_assert_uint_le(table_file_meta(table->file)->payload_bytes, table_spec_bytes(&spec));
    return table;
}

/* Every entry of an encoded table against its source's. */
static void compare_entries(const struct table *plain, const struct table *encoded)
{
    bool lossy = table_codec_encoding(encoded->codec) == TABLE_ENCODING_NXOPT;
    uint64_t lower = 0, higher = 0, counted = 0; /* an assertion an entry would take long */
    for (uint64_t i = 0; i < plain->coord->size; i++) {
        unsigned true_bound = table_entry_bound(plain->entries[i]);
        unsigned bound = table_codec_bound(encoded->codec, encoded->entries, i);
        if (lossy && true_bound == TABLE_UNREACHABLE)
            continue; /* also the bytes at the end of lines */
        higher += bound > true_bound;
        lower += bound < true_bound;
        counted++;
    }
    ck_assert_uint_gt(counted, 0);
    ck_assert_uint_eq(higher, 0);
    ck_assert_msg(lossy ? lower * 4 < counted : lower == 0, "%llu of %llu are lower",
                  (unsigned long long)lower, (unsigned long long)counted);
}

static void compare_histograms(const struct table *a, const struct table *b)
{
    uint64_t first[TABLE_HISTOGRAM_SIZE], second[TABLE_HISTOGRAM_SIZE];
    table_file_histogram(a->file, first);
    table_file_histogram(b->file, second);
    ck_assert_mem_eq(first, second, sizeof first);
    ck_assert_int_eq(table_file_layers(a->file), table_file_layers(b->file));
}

/* Reopens a table from the store. */
static struct table *again(struct table *table, const struct table_coord *coord,
                           enum table_encoding encoding, const struct cycle_structure *target)
{
    struct table_spec spec = {
        .coord = coord, .encoding = encoding, .structures = target, .n_structures = 1};
    struct table *opened;
    table_close(table);
    ck_assert_int_eq(table_open(support_table_store, &spec, &opened), 0);
    ck_assert_int_eq(table_verify(opened), 0);
    return opened;
}

static void every_encoding(const struct sym_group *of, unsigned orbit, unsigned k, const char *text)
{
    struct cycle_structure target = support_cycle(of->puzzle, text);
    struct table_coord *coord;
    ck_assert_int_eq(k ? table_coord_new_subset(of, orbit, k, UINT64_MAX, &coord)
                       : table_coord_new_exact(of, orbit, UINT64_MAX, &coord),
                     0);
    struct table *plain = make(coord, TABLE_ENCODING_NONE, &target);
    ck_assert_ptr_null(plain->codec);
    for (int e = TABLE_ENCODING_NXOPT; e < TABLE_ENCODING_COUNT; e++) {
        enum table_encoding encoding = (enum table_encoding)e;
        struct table *encoded = make(coord, encoding, &target);
        compare_entries(plain, encoded);
        compare_histograms(plain, encoded);
        encoded = again(encoded, coord, encoding, &target);
        compare_entries(plain, encoded);
        table_close(encoded);
    }
    table_close(plain);
    table_coord_free(coord);
}

START_TEST(exact)
{
    every_encoding(pocket_group, CORNERS, 0, "c: (3)");
    every_encoding(group, CORNERS, 0, "c: (1+, 5+) / e: (1+, 1+)");
}
END_TEST

START_TEST(subsets)
{
    every_encoding(group, EDGES, FEW_PIECES, "c: (1+, 5+) / e: (1+, 1+)");
    every_encoding(group, CORNERS, FEW_PIECES, "c: (1+, 5+) / e: (1+, 1+)");
    every_encoding(pocket_group, CORNERS, 3, "c: (1+, 5+)");
    every_encoding(group, EDGES, 1, "c: / e:");
}
END_TEST

/* The corners of the identity in half turns: the layers are known (order 88 179 840 as raw states;
 * the table counts classes of permutations, so the orbit sizes weigh them). */
START_TEST(known_corner_distances)
{
    static const uint64_t known[] = {1,       18,      243,      2874,     28000,    205416,
                                     1168516, 5402628, 20776176, 45391616, 15139616, 64736};
    struct cycle_structure solved = support_cycle(cube, "c: / e:");
    struct table_coord *coord;
    uint64_t count[TABLE_HISTOGRAM_SIZE] = {0}, entries = 0;
    ck_assert_int_eq(table_coord_new_exact(group, CORNERS, UINT64_MAX, &coord), 0);
    struct table *table = make(coord, TABLE_ENCODING_TANS, &solved);
    for (uint32_t line = 0; line < coord->n_lines; line++) {
        uint64_t members = 0;
        for (uint32_t rank = 0; rank < 40320; rank++)
            members += coord->line_of_perm[rank] >> TABLE_SYM_BITS == line;
        for (uint32_t e = 0; e < coord->width; e++) {
            uint64_t index = (uint64_t)line * coord->stride + e;
            count[table_codec_bound(table->codec, table->entries, index)] += members;
            entries += members;
        }
    }
    ck_assert_uint_eq(entries, 88179840);
    ck_assert_mem_eq(count, known, sizeof known);
    table_close(table);
    table_coord_free(coord);
}
END_TEST

/* A table that comes out larger than the room that is left is given up, and nothing stays. */
START_TEST(no_room_once_encoded)
{
    struct cycle_structure target = support_cycle(cube, "c: (1+, 5+) / e: (1+, 1+)");
    struct table_coord *coord;
    struct table *table;
    int more;
    ck_assert_int_eq(table_coord_new_subset(group, EDGES, FEW_PIECES, UINT64_MAX, &coord), 0);
    struct table_spec spec = {
        .coord = coord, .encoding = TABLE_ENCODING_NXOPT, .structures = &target, .n_structures = 1};
    support_table_reopen(8192);
    ck_assert_int_eq(table_create(support_table_store, &spec, &table, NULL), 0);
    do {
        for (unsigned chunk = 0; chunk < table_grow_chunks(table); chunk++)
            table_grow_run(table, chunk);
        more = table_grow_next(table, NULL);
    } while (more > 0);
    ck_assert_int_eq(more, BASE_ERR_MEMORY_LIMIT);
    ck_assert_int_eq(table_grow_next(table, NULL), BASE_ERR_MEMORY_LIMIT);
    support_table_reopen(0);
    table_close(table);
    ck_assert_int_eq(support_table_count_names(support_table_directory), 0);
    table_coord_free(coord);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_unchecked_fixture(cases, open_puzzles, close_puzzles);
    tcase_add_test(cases, exact);
    tcase_add_test(cases, subsets);
    tcase_add_test(cases, known_corner_distances);
    tcase_add_test(cases, no_room_once_encoded);
}

int main(void)
{
    return support_table_suite("table_grow", add_tests);
}
