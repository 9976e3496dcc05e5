/*
 * test_cycle_text.c - cycle structures as text: what is accepted, what is refused and where.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/cycle/cycle.h"
#include "tests/support/support_suite.h"
#include "tests/support/support_word.h"

static struct puzzle *cube;

static void setup(void)
{
    cube = support_builtin("3x3x3");
}

static void teardown(void)
{
    puzzle_release(cube);
}

static void expect_bytes(const struct puzzle *puzzle, const char *text, size_t length,
                         const char *printed)
{
    struct cycle_structure structure;
    struct base_diag diag = {0, ""};
    char out[CYCLE_TEXT_BYTES];

    int rc = cycle_parse(puzzle, text, length, &structure, &diag);
    ck_assert_msg(rc == 0, "%s: %s at %zu", text, diag.text, diag.position);
    cycle_canonicalise(&structure);
    ck_assert_int_eq(cycle_print(puzzle, &structure, out, sizeof out), (int)strlen(printed));
    ck_assert_str_eq(out, printed);
}

static void expect_text(const char *text, const char *printed)
{
    expect_bytes(cube, text, strlen(text), printed);
}

static void refuse_bytes(const char *text, size_t length, int code, size_t position)
{
    struct cycle_structure structure;
    struct base_diag diag = {0, ""};

    int rc = cycle_parse(cube, text, length, &structure, &diag);
    ck_assert_msg(rc == code, "%s: %d (%s)", text, rc, diag.text);
    ck_assert_msg(diag.position == position, "%s: at %zu", text, diag.position);
    ck_assert_str_ne(diag.text, "");
    ck_assert_int_eq(cycle_parse(cube, text, length, &structure, NULL), code);
}

static void refuse(const char *text, int code, size_t position)
{
    refuse_bytes(text, strlen(text), code, position);
}

START_TEST(canonical_text_is_printed_as_it_came)
{
    expect_text("c: (1+, 5+) / e: (1+, 1+)", "c: (1+, 5+) / e: (1+, 1+)");
    expect_text("c: / e:", "c: / e:");
    expect_text("c: (3) / e:", "c: (3) / e:");
    expect_text("c: / e: (2, 2+, 12)", "c: / e: (2, 2+, 12)");
}
END_TEST

START_TEST(text_is_accepted_liberally)
{
    static const char *const same[] = {
        "corners: (1+, 5+) / edges: (1+, 1+)",
        "COR:(5+,1+)/E:(1+,1+)",
        "e: (1o, 1o) / c: (5o, 1+)",
        "c: (1+) (5+) / e: (1+)x2",
        "c: (5+)(1+)\ne: (1+) X 2",
        "c: (1+, 5+) / e: (1+) × 2",
        "c: (1+, 5+) / e: (1+)×02",
        " \t c \r\n : \n ( 1 + \n , 5 \v + ) \f / \n\n e:(1+,1+) () \n\n",
        "c: (1+, 1, 5+, 1) / e: (1+)x1 (1+)",
        "c: (1+, 5+)\n\n/ e: (1+, 1+)",
        "c:\n(1+,\n5+)\ne: (1+, 1+)",
    };

    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        expect_text(same[i], "c: (1+, 5+) / e: (1+, 1+)");
    expect_text("e: (1+)x12", "c: / e: (1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+, 1+)");
    expect_text("e: (1+, 2)x2", "c: / e: (1+, 1+, 2, 2)");
    expect_text("c: ()x9", "c: / e:");
    expect_text("c:", "c: / e:");
}
END_TEST

START_TEST(items_keep_their_order_until_canonicalised)
{
    static const struct cycle_item expected[] = {
        {1, 5, 1}, {1, 1, 0}, {1, 5, 1}, {1, 1, 0}, {0, 9, 0}};
    static const char text[] = "e: (5+, 1) x2 / c: (9)";
    struct cycle_structure structure;

    ck_assert_int_eq(cycle_parse(cube, text, strlen(text), &structure, NULL), 0);
    ck_assert_uint_eq(structure.n_items, 5);
    ck_assert_mem_eq(structure.item, expected, sizeof expected);
}
END_TEST

START_TEST(syntax_is_refused_where_it_breaks)
{
    refuse("", BASE_ERR_SYNTAX, 0);
    refuse(" \n ", BASE_ERR_SYNTAX, 3);
    refuse("/", BASE_ERR_SYNTAX, 0);
    refuse("c", BASE_ERR_SYNTAX, 1);
    refuse("c (3)", BASE_ERR_SYNTAX, 2);
    refuse("c: 3", BASE_ERR_SYNTAX, 3);
    refuse("c: (3", BASE_ERR_SYNTAX, 5);
    refuse("c: (3,", BASE_ERR_SYNTAX, 6);
    refuse("c: (3,)", BASE_ERR_SYNTAX, 6);
    refuse("c: (,3)", BASE_ERR_SYNTAX, 4);
    refuse("c: (3 3)", BASE_ERR_SYNTAX, 6);
    refuse("c: (-3)", BASE_ERR_SYNTAX, 4);
    refuse("c: (3++)", BASE_ERR_SYNTAX, 6);
    refuse("c: (3O)", BASE_ERR_SYNTAX, 5);
    refuse("c: ((3))", BASE_ERR_SYNTAX, 4);
    refuse("c: (3))", BASE_ERR_SYNTAX, 6);
    refuse("c: (3) e: (2)", BASE_ERR_SYNTAX, 7);
    refuse("c: (3) /", BASE_ERR_SYNTAX, 8);
    refuse("c: (3) // e: (2)", BASE_ERR_SYNTAX, 8);
    refuse("c: (3)x", BASE_ERR_SYNTAX, 7);
    refuse("c: (3)x+", BASE_ERR_SYNTAX, 7);
    refuse("c: (3)x2x2", BASE_ERR_SYNTAX, 8);
    refuse("c: (3)\nx2", BASE_ERR_UNKNOWN_ORBIT, 7);
    refuse("c: (3)\xc3", BASE_ERR_SYNTAX, 6);
    refuse("c: (3)\xc3\x98", BASE_ERR_SYNTAX, 6);
    refuse("c: (3) / c: (3)", BASE_ERR_SYNTAX, 9);
    refuse("c: (3)\ncorners:", BASE_ERR_SYNTAX, 7);
    refuse("\xef\xbb\xbf"
           "c: (3)",
           BASE_ERR_SYNTAX, 0);
    refuse("[[1,true]]", BASE_ERR_SYNTAX, 0);
}
END_TEST

START_TEST(unknown_orbits_are_refused)
{
    struct cycle_structure structure;
    struct base_diag diag;

    refuse("x: (3)", BASE_ERR_UNKNOWN_ORBIT, 0);
    refuse("c: (3) / centers: (2)", BASE_ERR_UNKNOWN_ORBIT, 9);
    refuse("cornerss:", BASE_ERR_UNKNOWN_ORBIT, 0);
    ck_assert_int_lt(cycle_parse(cube, "wing:", 5, &structure, &diag), 0);
    ck_assert_ptr_nonnull(strstr(diag.text, "wing"));
    ck_assert_ptr_nonnull(strstr(diag.text, "corners, edges"));
}
END_TEST

START_TEST(figures_out_of_range_are_refused)
{
    refuse("c: (0)", BASE_ERR_RANGE, 4);
    refuse("c: (3, 256)", BASE_ERR_RANGE, 7);
    refuse("c: (99999999999999999999999999)", BASE_ERR_RANGE, 4);
    refuse("c: (4294967297)", BASE_ERR_RANGE, 4);
    refuse("c: (1)x0", BASE_ERR_RANGE, 7);
    refuse("c: (1+)x257", BASE_ERR_RANGE, 8);
    refuse("c: (1+)x18446744073709551617", BASE_ERR_RANGE, 8);
    refuse("c: ()x4000000000", BASE_ERR_RANGE, 6);
    refuse("c: (1+, 1+)x129", BASE_ERR_RANGE, 12);
}
END_TEST

START_TEST(hostile_bytes_are_refused)
{
    const size_t size = 1 << 20;
    char *text = malloc(size);

    ck_assert_ptr_nonnull(text);
    refuse_bytes("c: (3)\0", 7, BASE_ERR_SYNTAX, 6);
    refuse_bytes("c\0: (3)", 7, BASE_ERR_SYNTAX, 1);
    refuse_bytes("\0", 1, BASE_ERR_SYNTAX, 0);
    refuse_bytes("c: (3)\0 / e:", 12, BASE_ERR_SYNTAX, 6);
    memset(text, 'c', size);
    refuse_bytes(text, size, BASE_ERR_UNKNOWN_ORBIT, 0);
    memset(text, ' ', size);
    refuse_bytes(text, size, BASE_ERR_SYNTAX, size);
    memset(text, '(', size);
    memcpy(text, "c:", 2);
    refuse_bytes(text, size, BASE_ERR_SYNTAX, 3);
    memset(text, '9', size);
    memcpy(text, "c:(", 3);
    refuse_bytes(text, size, BASE_ERR_RANGE, 3);
    for (size_t i = 0; i < size; i += 4)
        memcpy(text + i, i ? "1,1," : "c: (", 4);
    refuse_bytes(text, size, BASE_ERR_RANGE, 4 + 2 * CYCLE_MAX_ITEMS);
    free(text);
}
END_TEST

/* Every prefix of a text, and the text with every byte changed, is either read or refused at a
 * position inside; a text that is read prints and reads again as the same. */
static void probe(const char *text, size_t length)
{
    struct cycle_structure structure;
    struct cycle_structure again;
    struct base_diag diag;
    char out[CYCLE_TEXT_BYTES];

    if (cycle_parse(cube, text, length, &structure, &diag)) {
        ck_assert_uint_le(diag.position, length);
        return;
    }
    cycle_canonicalise(&structure);
    int printed = cycle_print(cube, &structure, out, sizeof out);
    ck_assert_int_eq(cycle_parse(cube, out, (size_t)printed, &again, &diag), 0);
    ck_assert(cycle_equal(&structure, &again));
}

START_TEST(mutilated_text_is_survived)
{
    static const char whole[] = "corners: (1+, 5o)x2 / e: (2,1+) \xc3\x97 12 (3)\n";
    char text[sizeof whole];

    for (size_t length = 0; length < sizeof whole; length++) {
        char *exact = malloc(length + 1);
        memcpy(exact, whole, length);
        probe(exact, length);
        free(exact);
    }
    for (size_t i = 0; i < sizeof whole - 1; i++) {
        memcpy(text, whole, sizeof whole);
        for (unsigned byte = 0; byte < 256; byte++) {
            text[i] = (char)byte;
            probe(text, sizeof whole - 1);
        }
    }
}
END_TEST

START_TEST(printing_is_like_snprintf)
{
    static const char text[] = "c: (1+, 5+) / e: (7)";
    struct cycle_structure structure;
    char out[sizeof text];

    ck_assert_int_eq(cycle_parse(cube, text, strlen(text), &structure, NULL), 0);
    for (size_t size = 1; size <= sizeof text; size++) {
        ck_assert_int_eq(cycle_print(cube, &structure, out, size), (int)strlen(text));
        ck_assert_uint_eq(strlen(out), size - 1);
        ck_assert_int_eq(strncmp(out, text, size - 1), 0);
    }
    ck_assert_int_eq(cycle_print(cube, &structure, NULL, 0), (int)strlen(text));
}
END_TEST

/* "centers" and "corners" share a letter, "c2" is a name with a shorter one inside it. */
START_TEST(prefixes_are_the_shortest_that_tell)
{
    static const char *const names[] = {"corners", "centers", "C-x", "edges", "edge"};
    static const uint8_t swap[20] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    struct puzzle_builder *builder = puzzle_builder_new("names");
    struct puzzle *puzzle = NULL;
    struct cycle_structure structure;
    struct base_diag diag;

    for (size_t i = 0; i < 5; i++)
        ck_assert_int_eq(puzzle_builder_add_orbit(builder, names[i], 2, 2, NULL), 0);
    ck_assert_int_eq(puzzle_builder_add_move(builder, "S", swap, 1, NULL), 0);
    ck_assert_int_eq(puzzle_builder_finish(builder, &puzzle, NULL), 0);
    expect_bytes(puzzle, "EDGE: (2)", 9, "co: / ce: / C-: / edges: / edge: (2)");
    expect_bytes(puzzle, "edges: (2) / c-:", 16, "co: / ce: / C-: / edges: (2) / edge:");
    ck_assert_int_eq(cycle_parse(puzzle, "co:/c:", 6, &structure, &diag), BASE_ERR_UNKNOWN_ORBIT);
    ck_assert_uint_eq(diag.position, 4);
    puzzle_release(puzzle);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        canonical_text_is_printed_as_it_came,
        text_is_accepted_liberally,
        items_keep_their_order_until_canonicalised,
        syntax_is_refused_where_it_breaks,
        unknown_orbits_are_refused,
        figures_out_of_range_are_refused,
        hostile_bytes_are_refused,
        mutilated_text_is_survived,
        printing_is_like_snprintf,
        prefixes_are_the_shortest_that_tell,
    };

    return support_suite_run("cycle_text", tests, sizeof tests / sizeof tests[0], setup, teardown,
                             20);
}
