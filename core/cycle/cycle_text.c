/*
 * cycle_text.c - cycle structures as text.
 *
 *     text   = part { ("/" | new line) part }
 *     part   = orbit ":" { group }
 *     group  = "(" [ item { "," item } ] ")" [ sign number ]
 *     item   = number [ "+" | "o" ]
 *     sign   = "x" | "X" | "×"                                  on the line of its group
 *
 * White space may stand between any two of these. The input is bytes from a stranger: it may hold
 * NULs, be cut off anywhere and be as long as its sender likes; every byte is looked at a bounded
 * number of times and no figure is computed before it is bounded.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/cycle/cycle_int.h"

/* ---- printing ------------------------------------------------------------------------- */

void cycle__print(struct cycle_text *text, const char *format, ...)
{
    bool room = text->used < text->size;
    va_list args;

    va_start(args, format);
    int length = vsnprintf(room ? text->out + text->used : NULL, room ? text->size - text->used : 0,
                           format, args);
    va_end(args);
    text->used += (size_t)length;
}

static int shortest_prefix(const struct puzzle *puzzle, unsigned k)
{
    const char *name = puzzle_orbit_name(puzzle, k);
    int length = 1;

    while (puzzle_find_orbit(puzzle, name, (size_t)length) != (int)k)
        length++;
    return length;
}

int cycle_print(const struct puzzle *puzzle, const struct cycle_structure *structure, char *out,
                size_t size)
{
    struct cycle_text text = {out, size, 0};
    unsigned i = 0;

    for (unsigned k = 0; k < puzzle_shape(puzzle)->n_orbits; k++) {
        const char *before = " (";
        const unsigned first = i;

        cycle__print(&text, "%s%.*s:", k ? " / " : "", shortest_prefix(puzzle, k),
                     puzzle_orbit_name(puzzle, k));
        for (; i < structure->n_items && structure->item[i].orbit == k; i++, before = ", ")
            cycle__print(&text, "%s%u%s", before, structure->item[i].length,
                         structure->item[i].oriented ? "+" : "");
        cycle__print(&text, "%s", i > first ? ")" : "");
    }
    return (int)text.used;
}

/* ---- reading -------------------------------------------------------------------------- */

struct parser {
    const struct puzzle *puzzle;
    const char *text;
    size_t length;
    size_t at;
    bool line_ended; /* in the blanks skipped last */
    unsigned orbit;  /* of the part that is being read */
    uint32_t named;  /* orbits that had their part, one bit each */
    struct cycle_structure *out;
    struct base_diag *diag;
};

enum { BIGGEST_NUMBER = 1000000 };

/* The byte here; NUL at the end (and for a NUL, which no rule accepts). */
static char peek(const struct parser *p)
{
    return p->at < p->length ? p->text[p->at] : '\0';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_byte(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

static void skip_blanks(struct parser *p)
{
    p->line_ended = false;
    while (is_blank(peek(p)))
        p->line_ended |= p->text[p->at++] == '\n';
}

static bool accept(struct parser *p, char c)
{
    if (peek(p) != c)
        return false;
    p->at++;
    return true;
}

/* "expected WHAT, found ...", without repeating bytes that may not print. */
static int expected(struct parser *p, const char *what)
{
    char found = peek(p);

    if (p->at >= p->length)
        return base_diag_set(p->diag, p->at, BASE_ERR_SYNTAX, "expected %s, but the text ends",
                             what);
    if (found > ' ' && found < 0x7f)
        return base_diag_set(p->diag, p->at, BASE_ERR_SYNTAX, "expected %s, found '%c'", what,
                             found);
    return base_diag_set(p->diag, p->at, BASE_ERR_SYNTAX, "expected %s, found byte 0x%02x", what,
                         (unsigned char)found);
}

/* A number, however many digits it has: what is above BIGGEST_NUMBER is given as just that. */
static int parse_number(struct parser *p, const char *what, unsigned *number)
{
    *number = 0;
    if (!is_digit(peek(p)))
        return expected(p, what);
    for (; is_digit(peek(p)); p->at++) {
        if (*number < BIGGEST_NUMBER)
            *number = *number * 10 + (unsigned)(peek(p) - '0');
    }
    return BASE_OK;
}

/* ---- items and groups ----------------------------------------------------------------- */

static int parse_item(struct parser *p)
{
    const size_t start = p->at;
    unsigned length;
    int rc = parse_number(p, "the length of a cycle", &length);

    if (rc)
        return rc;
    if (length < 1 || length > UINT8_MAX)
        return base_diag_set(p->diag, start, BASE_ERR_RANGE,
                             "the length of a cycle is 1 to %u in this orbit",
                             puzzle_shape(p->puzzle)->orbit[p->orbit].size);
    skip_blanks(p);
    bool oriented = accept(p, '+') || accept(p, 'o');
    if (cycle_add(p->puzzle, p->out, p->orbit, length, oriented))
        return base_diag_set(p->diag, start, BASE_ERR_RANGE, "more than %d cycles",
                             CYCLE_MAX_ITEMS);
    return BASE_OK;
}

static int parse_items(struct parser *p)
{
    skip_blanks(p);
    if (accept(p, ')'))
        return BASE_OK;
    for (;;) {
        int rc = parse_item(p);
        if (rc)
            return rc;
        skip_blanks(p);
        if (accept(p, ')'))
            return BASE_OK;
        if (!accept(p, ','))
            return expected(p, "',' or ')'");
        skip_blanks(p);
    }
}

/* The multiplication sign is two bytes of UTF-8. */
static bool accept_sign(struct parser *p)
{
    static const char sign[] = "\xc3\x97";

    if (p->length - p->at >= 2 && memcmp(p->text + p->at, sign, 2) == 0) {
        p->at += 2;
        return true;
    }
    return accept(p, 'x') || accept(p, 'X');
}

/* `first`: where the items of the group begin in the structure. */
static int parse_repetition(struct parser *p, unsigned first)
{
    const unsigned end = p->out->n_items;
    unsigned times;

    skip_blanks(p);
    const size_t start = p->at;
    int rc = parse_number(p, "how often the group is repeated", &times);
    if (rc)
        return rc;
    if (times < 1 || times > CYCLE_MAX_ITEMS)
        return base_diag_set(p->diag, start, BASE_ERR_RANGE, "a group is repeated 1 to %d times",
                             CYCLE_MAX_ITEMS);
    for (unsigned n = 1; n < times; n++) {
        for (unsigned i = first; i < end; i++) {
            const struct cycle_item *item = &p->out->item[i];
            if (cycle_add(p->puzzle, p->out, item->orbit, item->length, item->oriented))
                return base_diag_set(p->diag, start, BASE_ERR_RANGE,
                                     "repeated so often the group makes more than %d cycles",
                                     CYCLE_MAX_ITEMS);
        }
    }
    return BASE_OK;
}

/* ---- parts ---------------------------------------------------------------------------- */

/* "corners, edges", as far as it fits. */
static void list_orbits(const struct puzzle *puzzle, char *out, size_t size)
{
    struct cycle_text text = {out, size, 0};

    for (unsigned k = 0; k < puzzle_shape(puzzle)->n_orbits; k++)
        cycle__print(&text, "%s%s", k ? ", " : "", puzzle_orbit_name(puzzle, k));
}

static int parse_orbit(struct parser *p)
{
    const size_t start = p->at;
    char orbits[100];

    while (is_name_byte(peek(p)))
        p->at++;
    if (p->at == start)
        return expected(p, "the name of an orbit");
    int k = puzzle_find_orbit(p->puzzle, p->text + start, p->at - start);
    if (k < 0) {
        list_orbits(p->puzzle, orbits, sizeof orbits);
        return base_diag_set(
            p->diag, start, k, "'%.*s' names no orbit or several; there are: %s",
            (int)(p->at - start < PUZZLE_NAME_BYTES ? p->at - start : PUZZLE_NAME_BYTES),
            p->text + start, orbits);
    }
    if (p->named >> k & 1)
        return base_diag_set(p->diag, start, BASE_ERR_SYNTAX,
                             "orbit %s is named a second time; put its groups after one colon",
                             puzzle_orbit_name(p->puzzle, (unsigned)k));
    p->named |= UINT32_C(1) << k;
    p->orbit = (unsigned)k;
    return BASE_OK;
}

static int parse_group(struct parser *p)
{
    const unsigned first = p->out->n_items;
    int rc = parse_items(p);

    if (rc)
        return rc;
    skip_blanks(p);
    if (p->line_ended || !accept_sign(p))
        return BASE_OK;
    rc = parse_repetition(p, first);
    skip_blanks(p);
    return rc;
}

/* Leaves the blanks behind the part skipped. */
static int parse_part(struct parser *p)
{
    int rc = parse_orbit(p);

    if (rc)
        return rc;
    skip_blanks(p);
    if (!accept(p, ':'))
        return expected(p, "':'");
    skip_blanks(p);
    while (!rc && accept(p, '('))
        rc = parse_group(p);
    return rc;
}

static int parse_parts(struct parser *p)
{
    skip_blanks(p);
    for (;;) {
        int rc = parse_part(p);

        if (rc)
            return rc;
        if (accept(p, '/'))
            skip_blanks(p);
        else if (p->at >= p->length)
            return BASE_OK;
        else if (!p->line_ended)
            return expected(p, "'(', '/' or a new line");
    }
}

int cycle_parse(const struct puzzle *puzzle, const char *text, size_t length,
                struct cycle_structure *out, struct base_diag *diag)
{
    struct parser parser = {
        .puzzle = puzzle, .text = text, .length = length, .out = out, .diag = diag};

    out->n_items = 0;
    return parse_parts(&parser);
}
