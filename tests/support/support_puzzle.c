/*
 * support_puzzle.c - see support_puzzle.h.
 */
#include "tests/support/support_puzzle.h"

#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support_word.h"

enum { MAX_NAME = 16 };

/* The text that is still to be read, and the shape so far. */
struct reader {
    const char *at;
    struct puzzle_builder *builder;
    struct perm_shape shape;
    char orbit[PERM_MAX_ORBITS][MAX_NAME];
};

static void skip_space(struct reader *reader)
{
    reader->at += strspn(reader->at, " ");
}

/* Is this character next? Then it is behind us. */
static bool take(struct reader *reader, char c)
{
    skip_space(reader);
    if (*reader->at != c)
        return false;
    reader->at++;
    return true;
}

static unsigned take_number(struct reader *reader)
{
    char *end;
    skip_space(reader);
    unsigned long number = strtoul(reader->at, &end, 10);
    ck_assert_msg(end != reader->at, "a number is missing at '%s'", reader->at);
    reader->at = end;
    return (unsigned)number;
}

static void take_name(struct reader *reader, char name[MAX_NAME])
{
    unsigned length = 0;
    skip_space(reader);
    for (; isalnum((unsigned char)*reader->at); reader->at++) {
        ck_assert_uint_lt(length, MAX_NAME - 1);
        name[length++] = *reader->at;
    }
    ck_assert_msg(length > 0, "a name is missing at '%s'", reader->at);
    name[length] = '\0';
}

static void read_orbits(struct reader *reader)
{
    do {
        char *name = reader->orbit[reader->shape.n_orbits];
        take_name(reader, name);
        unsigned size = take_number(reader);
        unsigned mod = take(reader, '*') ? take_number(reader) : 1;
        ck_assert_int_eq(puzzle_builder_add_orbit(reader->builder, name, size, mod, NULL), 0);
        ck_assert_int_eq(perm_shape_add_orbit(&reader->shape, size, mod), 0);
    } while (take(reader, ','));
}

static const struct perm_orbit *take_orbit(struct reader *reader)
{
    char name[MAX_NAME];
    take_name(reader, name);
    for (unsigned k = 0; k < reader->shape.n_orbits; k++)
        if (strcmp(name, reader->orbit[k]) == 0)
            return &reader->shape.orbit[k];
    ck_abort_msg("no orbit %s", name);
}

/* One cycle, behind its orbit's name. */
static void read_cycle(struct reader *reader, const struct perm_orbit *orbit, uint8_t *transform)
{
    uint8_t slot[256], turn[256];
    unsigned length = 0;
    ck_assert_msg(take(reader, '('), "'(' is missing at '%s'", reader->at);
    while (!take(reader, ')')) {
        slot[length] = (uint8_t)take_number(reader);
        turn[length++] = (uint8_t)(take(reader, '+') ? take_number(reader) : 0);
    }
    for (unsigned i = 0; i < length; i++) {
        transform[orbit->offset + slot[(i + 1) % length]] = slot[i];
        transform[orbit->offset + orbit->size + slot[i]] = turn[i];
    }
}

static void read_moves(struct reader *reader)
{
    do {
        char name[MAX_NAME];
        uint8_t transform[PERM_MAX_BYTES];
        struct base_diag diag = {0};
        take_name(reader, name);
        bool alone = take(reader, '!');
        perm_identity(&reader->shape, transform);
        while (skip_space(reader), isalnum((unsigned char)*reader->at))
            read_cycle(reader, take_orbit(reader), transform);
        int code = alone ? puzzle_builder_add_move(reader->builder, name, transform, 1, &diag)
                         : puzzle_builder_add_face(reader->builder, name, transform, &diag);
        ck_assert_msg(code == 0, "%s: %s", name, diag.text);
    } while (take(reader, ';'));
}

struct puzzle *support_puzzle(const char *orbits, const char *moves)
{
    struct reader reader = {.at = orbits, .builder = puzzle_builder_new("small")};
    struct puzzle *puzzle = NULL;
    struct base_diag diag = {0};

    ck_assert_ptr_nonnull(reader.builder);
    read_orbits(&reader);
    ck_assert_str_eq(reader.at, "");
    reader.at = moves;
    read_moves(&reader);
    ck_assert_str_eq(reader.at, "");
    int code = puzzle_builder_finish(reader.builder, &puzzle, &diag);
    ck_assert_msg(code == 0, "%s", diag.text);
    return puzzle;
}

/* ---- fewer moves ------------------------------------------------------------------------ */

static struct puzzle *derive(const struct puzzle *puzzle, const bool *wanted)
{
    struct puzzle_choice choice[PUZZLE_MAX_MOVES];
    struct puzzle *derived = NULL;
    size_t n = 0;

    for (unsigned m = 0; m < puzzle_move_count(puzzle); m++) {
        const struct puzzle_move *move = puzzle_move_at(puzzle, m);
        if (wanted[m])
            choice[n++] = (struct puzzle_choice){move->name, move->transform, move->weight};
    }
    ck_assert_int_eq(puzzle_derive(puzzle, choice, n, &derived, NULL), 0);
    return derived;
}

struct puzzle *support_puzzle_only(const struct puzzle *puzzle, const char *moves)
{
    uint8_t word[SUPPORT_MAX_WORD];
    bool wanted[PUZZLE_MAX_MOVES] = {false};
    unsigned n = support_word_parse(puzzle, moves, word);

    for (unsigned i = 0; i < n; i++)
        wanted[word[i]] = true;
    return derive(puzzle, wanted);
}

struct puzzle *support_puzzle_faces(const struct puzzle *puzzle, const char *faces)
{
    uint8_t word[SUPPORT_MAX_WORD];
    bool wanted[PUZZLE_MAX_MOVES] = {false};
    unsigned n = support_word_parse(puzzle, faces, word);

    for (unsigned i = 0; i < n; i++)
        for (unsigned m = 0; m < puzzle_move_count(puzzle); m++)
            if (puzzle_move_at(puzzle, m)->family == puzzle_move_at(puzzle, word[i])->family)
                wanted[m] = true;
    return derive(puzzle, wanted);
}
