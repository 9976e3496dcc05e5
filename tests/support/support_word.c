/*
 * support_word.c - see support_word.h.
 */
#include "tests/support/support_word.h"

#include <check.h>
#include <string.h>

#include "core/puzzle/puzzle_builtin.h"

unsigned support_word_parse(const struct puzzle *puzzle, const char *text,
                            uint8_t word[SUPPORT_MAX_WORD])
{
    unsigned n = 0;

    for (const char *at = text + strspn(text, " "); *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        int move = puzzle_find_move(puzzle, at, length);

        ck_assert_msg(move >= 0 && n < SUPPORT_MAX_WORD, "'%s' at '%s'", text, at);
        word[n++] = (uint8_t)move;
        at += length;
    }
    return n;
}

void support_word_state(const struct puzzle *puzzle, const char *text, uint8_t *state)
{
    uint8_t word[SUPPORT_MAX_WORD];
    unsigned n = support_word_parse(puzzle, text, word);

    puzzle_apply_word(puzzle, NULL, word, n, state);
}

struct puzzle *support_builtin(const char *name)
{
    struct puzzle *puzzle = NULL;

    ck_assert_int_eq(puzzle_builtin_new(name, &puzzle), 0);
    return puzzle;
}
