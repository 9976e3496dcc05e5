/*
 * fuzz_move.c - texts of algorithms: parsed, printed, parsed again. The first byte chooses the
 * puzzle.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/proto_move.h"
#include "tests/fuzz/harness.h"

static void print_and_parse(const struct puzzle *puzzle, const struct proto_move_alg *alg)
{
    struct proto_move_alg again;
    char *text = proto_move_print(puzzle, alg->moves, alg->n_moves);
    BASE_ASSERT(text);
    BASE_ASSERT(proto_move_parse(puzzle, text, strlen(text), &again, NULL) == 0);
    BASE_ASSERT(again.n_moves == alg->n_moves && again.n_items == alg->n_moves);
    BASE_ASSERT(!alg->n_moves || !memcmp(again.moves, alg->moves, alg->n_moves));
    BASE_ASSERT(!memcmp(again.state, alg->state, puzzle_shape(puzzle)->bytes));
    proto_move_alg_deinit(&again);
    free(text);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    const struct puzzle *puzzle = fuzz_puzzle(fuzz_byte(&bytes));
    struct proto_move_alg alg;
    struct base_diag diag = {0};
    if (proto_move_parse(puzzle, (const char *)bytes.data, bytes.size, &alg, &diag)) {
        BASE_ASSERT(diag.text[0] && diag.position <= bytes.size);
        return 0;
    }
    BASE_ASSERT(alg.n_moves <= PROTO_MOVE_MAX_WORD);
    print_and_parse(puzzle, &alg);
    proto_move_alg_deinit(&alg);
    return 0;
}
