/*
 * cross_kernels.c - the kernels of core/cube3 against the reference, as a program that needs no
 * library: it is compiled for another architecture and run by an emulator (make check-neon).
 */
#include <stdio.h>

#include "core/puzzle/puzzle_builtin.h"
#include "tests/support/support_reader.h"

enum { ROUNDS = 20000 };

int main(void)
{
    const struct cube3_reader *reader[SUPPORT_READER_MAX];
    unsigned n = support_reader_all(reader), passed = 0;
    struct puzzle *cube;
    if (puzzle_builtin_new("3x3x3", &cube) != 0)
        return 1;
    for (unsigned i = 0; i < n; i++) {
        char fault[200] = "";
        unsigned states = support_reader_check(cube, reader[i], ROUNDS, fault);
        printf("%s: %u states %s\n", reader[i]->name, states, fault);
        passed += states > 0;
    }
    puzzle_release(cube);
    /* The portable one alone would mean that the architecture's own has not been built. */
    unsigned failed = n - passed + (n < 2);
    printf("%u passed, %u failed\n", passed, failed);
    return failed ? 1 : 0;
}
