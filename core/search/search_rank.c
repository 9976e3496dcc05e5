/*
 * search_rank.c - see the header.
 */
#include "core/search/search_rank.h"

#include <math.h>
#include <string.h>

static double face_cost(char face)
{
    switch (face) {
    case 'U':
    case 'R':
        return 1.0;
    case 'F':
        return 1.2;
    case 'L':
    case 'D':
        return 1.3;
    case 'B':
        return 1.8;
    default:
        return 1.5;
    }
}

static double amount_cost(const char *name)
{
    size_t length = strlen(name);
    if (strpbrk(name, "23456789"))
        return 1.3;
    return length > 0 && name[length - 1] == '\'' ? 1.05 : 1.0;
}

double search_rank(const struct puzzle *puzzle, const uint8_t *word, unsigned length)
{
    double rank = 0;
    char before = 'U';
    for (unsigned i = 0; i < length; i++) {
        const char *name = puzzle_move_at(puzzle, word[i])->name;
        rank += face_cost(name[0]) * amount_cost(name);
        if (name[0] != 'U' && before != 'U')
            rank += 0.25;
        before = name[0];
    }
    return round(rank * 1000) / 1000; /* words of equal cost tie, whatever the order of the sum */
}
