/*
 * fuzz_facelets.c - the 54 letters: what is read prints as it was. And, by numbers in place of
 * letters, any pieces of the right shape: what prints is read as what it was, or is refused because
 * turns do not lead there.
 */
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_facelets.h"
#include "tests/fuzz/harness.h"
#include "tests/support/support_random.h"

static void read_letters(const struct puzzle *puzzle, const uint8_t *data, size_t size)
{
    uint8_t state[PERM_MAX_BYTES];
    char text[PROTO_FACELETS_BYTES];
    struct base_diag diag = {0};
    if (proto_facelets_parse(puzzle, (const char *)data, size, state, &diag)) {
        BASE_ASSERT(diag.text[0] && diag.position <= size);
        return;
    }
    BASE_ASSERT(size == PROTO_FACELETS_BYTES - 1);
    BASE_ASSERT(proto_facelets_print(puzzle, state, text) == 0);
    BASE_ASSERT(!memcmp(text, data, size));
}

static void read_pieces(const struct puzzle *puzzle, uint32_t seed)
{
    struct support_random random = {1 + (uint64_t)seed};
    uint8_t state[PERM_MAX_BYTES], again[PERM_MAX_BYTES];
    char text[PROTO_FACELETS_BYTES];
    support_random_arrangement(&random, puzzle_shape(puzzle), state);
    BASE_ASSERT(proto_facelets_print(puzzle, state, text) == 0);
    int code = proto_facelets_parse(puzzle, text, strlen(text), again, NULL);
    BASE_ASSERT(code == 0 || code == BASE_ERR_INFEASIBLE);
    BASE_ASSERT(code || !memcmp(state, again, puzzle_shape(puzzle)->bytes));
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    read_letters(fuzz_puzzle(0), data, size);
    if (size == 4)
        read_pieces(fuzz_puzzle(0), fuzz_number(&bytes));
    return 0;
}
