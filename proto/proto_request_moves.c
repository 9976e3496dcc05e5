/*
 * proto_request_moves.c - the `moves` member: a set of moves of the puzzle and of algorithms that
 * count as one move each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "proto/proto_request_int.h"

enum { ALG_NAME_BYTES = PUZZLE_NAME_BYTES - 1 }; /* leaves room for the prime of the inverse */

/* A bracketed algorithm: a move of its own. */
struct alg_move {
    char name[ALG_NAME_BYTES];
    uint8_t transform[PERM_MAX_BYTES];
};

struct move_set {
    const struct puzzle *base;
    bool chosen[PUZZLE_MAX_MOVES]; /* of the puzzle's moves */
    size_t n_algs;
    struct alg_move alg[PUZZLE_MAX_MOVES];
};

/* ---- one entry ------------------------------------------------------------------------ */

/* The puzzle's move that begins a family and is called just this; -1: none is. */
static int find_family(const struct puzzle *base, const char *text, size_t length)
{
    int move = puzzle_find_move(base, text, length);

    return move >= 0 && puzzle_move_at(base, (unsigned)move)->amount == 1 ? move : -1;
}

static void choose_family(struct move_set *set, int move)
{
    unsigned family = puzzle_move_at(set->base, (unsigned)move)->family;

    for (unsigned i = 0; i < puzzle_move_count(set->base); i++)
        set->chosen[i] |= puzzle_move_at(set->base, i)->family == family;
}

/* The name becomes part of solutions: what it takes to print one there on a line and read it back.
 */
static int check_alg_name(const struct proto_json_at *at, const char *text, size_t length)
{
    if (length >= ALG_NAME_BYTES)
        return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "an algorithm that is to be a move has at most %d bytes",
                                 ALG_NAME_BYTES - 1);
    for (size_t i = 0; i < length; i++) {
        if (text[i] < ' ' || text[i] > '~' || text[i] == '.' || strncmp(text + i, "//", 2) == 0)
            return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                     "position %zu: an algorithm that is to be a move is one line "
                                     "of ASCII without comments and pauses",
                                     i);
    }
    return BASE_OK;
}

static int choose_alg(struct move_set *set, const struct proto_json_at *at, const char *text,
                      size_t length, const struct proto_move_alg *alg)
{
    struct alg_move *move = &set->alg[set->n_algs];
    int code = check_alg_name(at, text, length);

    if (code)
        return code;
    if (perm_is_identity(puzzle_shape(set->base), alg->state))
        return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "this algorithm changes nothing");
    snprintf(move->name, sizeof(move->name), "%.*s", (int)length, text);
    memcpy(move->transform, alg->state, sizeof(move->transform));
    set->n_algs++;
    return BASE_OK;
}

static int choose_entry(struct move_set *set, const struct proto_json_at *at, const char *text,
                        size_t length)
{
    struct proto_move_alg alg;
    int family = find_family(set->base, text, length);
    int code;

    if (family >= 0) {
        choose_family(set, family);
        return BASE_OK;
    }
    code = proto__request_read_alg(set->base, at, &alg);
    if (code)
        return code;
    if (alg.n_items == 1 && (text[0] == '[' || text[0] == '('))
        code = choose_alg(set, at, text, length, &alg);
    else if (alg.n_moves == 1)
        set->chosen[alg.moves[0]] = true;
    else
        code = proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "must be one move, or an algorithm in brackets that counts as one "
                                 "move, such as \"[R: U]\" or \"(R U)\"");
    proto_move_alg_deinit(&alg);
    return code;
}

/* ---- the set -------------------------------------------------------------------------- */

static int read_entries(struct move_set *set, const struct proto_json_at *at)
{
    int result = BASE_OK;

    for (size_t i = 0; i < json_array_size(at->value); i++) {
        struct proto_json_at entry = proto_json_element(at, i);
        const char *text;
        size_t length;
        int code = proto_json_read_text(&entry, SIZE_MAX, &text, &length);
        if (!code)
            code = choose_entry(set, &entry, text, length);
        result = code ? code : result;
    }
    return result;
}

static int derive(const struct move_set *set, const struct proto_json_at *at, struct puzzle **out)
{
    struct puzzle_choice choices[2 * PUZZLE_MAX_MOVES];
    struct base_diag diag = {0};
    size_t n = 0;
    int code;

    for (unsigned i = 0; i < puzzle_move_count(set->base); i++) {
        const struct puzzle_move *move = puzzle_move_at(set->base, i);
        if (set->chosen[i])
            choices[n++] = (struct puzzle_choice){move->name, move->transform, move->weight};
    }
    for (size_t i = 0; i < set->n_algs; i++)
        choices[n++] = (struct puzzle_choice){set->alg[i].name, set->alg[i].transform, 1};
    code = puzzle_derive(set->base, choices, n, out, &diag);
    if (code)
        return proto_json_refuse(at, proto_problem_of_err(code), NULL, "%s", diag.text);
    return BASE_OK;
}

int proto__request_read_moves(struct proto_request_decoder *decoder, const struct proto_json_at *at)
{
    struct puzzle *derived;
    struct move_set *set;
    size_t n = json_array_size(at->value);
    int code = proto_json_read_array(at);

    if (code)
        return code;
    if (n < 1 || n > PUZZLE_MAX_MOVES)
        return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL, "must hold 1 to %d moves",
                                 PUZZLE_MAX_MOVES);
    set = calloc(1, sizeof(*set));
    if (!set)
        return proto_json_refuse(at, PROTO_PROBLEM_UNAVAILABLE, NULL, "out of memory");
    set->base = decoder->base;
    code = read_entries(set, at);
    if (!code)
        code = derive(set, at, &derived);
    if (!code) {
        puzzle_release(decoder->out->puzzle);
        decoder->out->puzzle = derived;
    }
    free(set);
    return code;
}
