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
#include "tests/support/support_random.h"
#include "tests/support/support_table.h"
#include "tests/support/support_wings.h"
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

/* Makes the table of a spec in this encoding, all passes on this thread. */
static struct table *make(struct table_spec spec, enum table_encoding encoding)
{
    struct table *table;
    spec.encoding = encoding;
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
    uint64_t size = plain->hash ? plain->hash->size : plain->coord->size;
    for (uint64_t i = 0; i < size; i++) {
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
static struct table *again(struct table *table, struct table_spec spec,
                           enum table_encoding encoding)
{
    struct table *opened;
    spec.encoding = encoding;
    table_close(table);
    ck_assert_int_eq(table_open(support_table_store, &spec, &opened), 0);
    ck_assert_int_eq(table_verify(opened), 0);
    return opened;
}

/* All encodings of the spec's table; the plain one. */
static struct table *every_encoding_of(const struct table_spec *spec)
{
    struct table *plain = make(*spec, TABLE_ENCODING_NONE);
    ck_assert_ptr_null(plain->codec);
    for (int e = TABLE_ENCODING_NXOPT; e < TABLE_ENCODING_COUNT; e++) {
        enum table_encoding encoding = (enum table_encoding)e;
        struct table *encoded = make(*spec, encoding);
        compare_entries(plain, encoded);
        compare_histograms(plain, encoded);
        encoded = again(encoded, *spec, encoding);
        compare_entries(plain, encoded);
        table_close(encoded);
    }
    return plain;
}

static void every_encoding(const struct sym_group *of, unsigned orbit, unsigned k, const char *text)
{
    struct cycle_structure target = support_cycle(of->puzzle, text);
    struct table_coord *coord;
    ck_assert_int_eq(k ? table_coord_new_subset(of, orbit, k, UINT64_MAX, &coord)
                       : table_coord_new_exact(of, orbit, UINT64_MAX, &coord),
                     0);
    const struct table_spec spec = {.coord = coord, .structures = &target, .n_structures = 1};
    table_close(every_encoding_of(&spec));
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

/* After so many moves from the target's only state, no bound is higher. */
static void check_words(const struct table *table, const struct puzzle *puzzle)
{
    struct support_random random = {7};
    uint8_t state[PERM_MAX_BYTES], inverse[PERM_MAX_BYTES], word[12];
    for (unsigned i = 0; i < 2000; i++) {
        unsigned length = i % 12;
        for (unsigned j = 0; j < length; j++)
            word[j] = (uint8_t)support_random_below(&random, puzzle_move_count(puzzle));
        puzzle_apply_word(puzzle, NULL, word, length, state);
        perm_invert(puzzle_shape(puzzle), state, inverse);
        unsigned bound = table_bound(table, state, inverse);
        ck_assert_uint_le(bound, length);
        ck_assert_uint_eq(bound, table_bound(table, inverse, state));
        ck_assert(length == 0 || bound > 0 || perm_is_identity(puzzle_shape(puzzle), state));
    }
}

/* A table that is too small for all states: none of its entries is vacant, and those that were not
 * reached count as the layer behind the complete ones. */
static void check_rest(const struct table *table)
{
    uint64_t histogram[TABLE_HISTOGRAM_SIZE], sum = 0;
    table_file_histogram(table->file, histogram);
    unsigned layers = (unsigned)table_file_layers(table->file);
    for (unsigned v = 0; v <= layers; v++) {
        ck_assert_uint_gt(histogram[v], 0);
        sum += histogram[v];
    }
    ck_assert_uint_eq(sum, table->hash->size);
    for (uint64_t i = 0; i < table->hash->size; i++)
        histogram[table_entry_bound(table->entries[i])]--;
    for (unsigned v = 0; v <= layers; v++)
        ck_assert_uint_eq(histogram[v], 0);
}

static void every_hash(const struct sym_group *of, unsigned orbit, uint64_t size, const char *text)
{
    struct cycle_structure target = support_cycle(of->puzzle, text);
    struct table_hash *hash;
    ck_assert_int_eq(table_hash_new(of, orbit, size, &hash), 0);
    const struct table_spec spec = {.hash = hash, .structures = &target, .n_structures = 1};
    ck_assert_uint_eq(table_grow_bytes(&spec), size + table_hash_scratch(size));
    struct table *plain = every_encoding_of(&spec);
    ck_assert_int_eq(table_file_meta(plain->file)->resumable, false);
    ck_assert_str_eq(table_file_meta(plain->file)->kind, "approximate");
    check_rest(plain);
    if (target.n_items == 0)
        check_words(plain, of->puzzle);
    table_close(plain);
    table_hash_free(hash);
}

START_TEST(hashes)
{
    struct puzzle *wings = support_wings(NULL);
    struct sym_group *of_wings;
    ck_assert_int_eq(sym_group_new(wings, &of_wings), 0);
    every_hash(of_wings, 0, 300007, "w:");
    every_hash(of_wings, 0, 300007, "w: (3)");
    every_hash(group, EDGES, 1 << 20, "c: / e:");
    every_hash(group, EDGES, 4096, "c: / e: (1+, 1+)");
    sym_group_free(of_wings);
    puzzle_release(wings);
}
END_TEST

/* The keys of hash tables that differ in anything; and which variant a key is for. */
START_TEST(keys_of_hashes)
{
    struct cycle_structure targets[] = {support_cycle(cube, "c: / e:"),
                                        support_cycle(cube, "c: / e: (1+, 1+)"),
                                        support_cycle(cube, "c: (3) / e:")};
    struct table_hash *hash[2];
    struct table_coord *coord;
    struct table_key key[4], same, other;
    ck_assert_int_eq(table_hash_new(group, EDGES, 8192, &hash[0]), 0);
    ck_assert_int_eq(table_hash_new(group, EDGES, 4096, &hash[1]), 0);
    ck_assert_int_eq(table_coord_new_subset(group, EDGES, 1, UINT64_MAX, &coord), 0);
    const struct table_spec spec[] = {
        {.hash = hash[0], .structures = targets, .n_structures = 1},
        {.hash = hash[1], .structures = targets, .n_structures = 1},
        {.hash = hash[0], .structures = targets + 1, .n_structures = 1},
        {.hash = hash[0],
         .structures = targets,
         .n_structures = 1,
         .encoding = TABLE_ENCODING_NXOPT},
    };
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_int_eq(table_spec_key(&spec[i], &key[i]), 0);
        ck_assert_int_eq(table_key_variant(&key[i]), TABLE_VARIANT_HASH);
        for (unsigned j = 0; j < i; j++)
            ck_assert_str_ne(key[i].text, key[j].text);
    }
    struct table_spec also = spec[0]; /* the corners do not matter */
    also.structures = targets + 2;
    ck_assert_int_eq(table_spec_key(&also, &same), 0);
    ck_assert_str_eq(same.text, key[0].text);
    const struct table_spec subset = {.coord = coord, .structures = targets, .n_structures = 1};
    ck_assert_int_eq(table_spec_key(&subset, &other), 0);
    ck_assert_int_eq(table_key_variant(&other), TABLE_VARIANT_SUBSET);
    ck_assert_str_eq(table_variant_name(table_key_variant(&(struct table_key){.text = ""})), "");
    table_coord_free(coord);
    table_hash_free(hash[0]);
    table_hash_free(hash[1]);
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
    const struct table_spec spec = {.coord = coord, .structures = &solved, .n_structures = 1};
    struct table *table = make(spec, TABLE_ENCODING_TANS);
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
    tcase_add_test(cases, hashes);
    tcase_add_test(cases, keys_of_hashes);
    tcase_add_test(cases, known_corner_distances);
    tcase_add_test(cases, no_room_once_encoded);
}

int main(void)
{
    return support_table_suite("table_grow", add_tests);
}
