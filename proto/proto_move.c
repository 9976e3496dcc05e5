/*
 * proto_move.c - a recursive-descent parser that expands as it goes.
 *
 *     sequence  = { move | group | bracket | pause }
 *     move      = NAME [amount]                      NAME as the puzzle has it
 *     group     = "(" sequence ")" [amount]
 *     bracket   = "[" sequence ("," | ":") sequence "]" [amount]
 *     amount    = digits ["'"] | "'"
 *
 * The word grows at its end only: a group is a segment of it that is then repeated in place, so
 * the cap on the length is the cap on the work, however deep the repetitions are nested.
 */
#include "proto/proto_move.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"

struct parser {
    const struct puzzle *puzzle;
    const char *text;
    size_t length, at;
    unsigned depth;
    struct base_diag *diag;
    size_t n_items; /* of the outermost sequence */
    size_t n_moves;
    uint8_t word[PROTO_MOVE_MAX_WORD];
    uint8_t copy[PROTO_MOVE_MAX_WORD]; /* of a segment that is being repeated or inverted */
};

struct amount {
    unsigned times;
    bool inverse;
};

static int parse_sequence(struct parser *p, const char *closing);

/* ---- text ----------------------------------------------------------------------------- */

static int peek(const struct parser *p)
{
    return p->at < p->length ? (unsigned char)p->text[p->at] : -1;
}

static bool looking_at(const struct parser *p, const char *token)
{
    size_t length = strlen(token);

    return p->length - p->at >= length && memcmp(p->text + p->at, token, length) == 0;
}

static bool take(struct parser *p, const char *token)
{
    if (!looking_at(p, token))
        return false;
    p->at += strlen(token);
    return true;
}

/* White space, comments and pauses: all that may stand between moves. */
static void skip_blank(struct parser *p)
{
    for (;;) {
        int byte = peek(p);
        if (byte == ' ' || (byte >= '\t' && byte <= '\r') || byte == '.') {
            p->at++;
        } else if (looking_at(p, "//")) {
            while (peek(p) >= 0 && peek(p) != '\n')
                p->at++;
        } else {
            return;
        }
    }
}

/* ---- amounts -------------------------------------------------------------------------- */

static int parse_amount(struct parser *p, struct amount *out)
{
    size_t start = p->at;
    unsigned times = 0;

    for (; isdigit(peek(p)); p->at++) {
        times = times * 10 + (unsigned)(peek(p) - '0');
        if (times > PROTO_MOVE_MAX_WORD)
            return base_diag_set(p->diag, start, BASE_ERR_RANGE, "the amount is above %d",
                                 PROTO_MOVE_MAX_WORD);
    }
    if (p->at > start && times == 0)
        return base_diag_set(p->diag, start, BASE_ERR_RANGE, "the amount is 0");
    out->times = p->at > start ? times : 1;
    out->inverse = take(p, "'") || take(p, "\xE2\x80\x99"); /* U+2019 */
    return BASE_OK;
}

/* ---- the word ------------------------------------------------------------------------- */

static int append_moves(struct parser *p, size_t from, const uint8_t *moves, size_t n)
{
    if (n > PROTO_MOVE_MAX_WORD - p->n_moves)
        return base_diag_set(p->diag, from, BASE_ERR_TOO_LARGE,
                             "the algorithm has more than %d moves when it is written out",
                             PROTO_MOVE_MAX_WORD);
    memcpy(p->word + p->n_moves, moves, n);
    p->n_moves += n;
    return BASE_OK;
}

/* Copies the word from `start` on to p->copy, inverted if asked for. Returns its length. */
static size_t copy_segment(struct parser *p, size_t start, bool inverse)
{
    size_t n = p->n_moves - start;
    const uint8_t *word = p->word + start;

    for (size_t i = 0; i < n; i++)
        p->copy[i] = inverse ? puzzle_move_at(p->puzzle, word[n - 1 - i])->inverse : word[i];
    return n;
}

/* Makes the segment from `start` on what the amount says. `from`: where its text begins. */
static int repeat_segment(struct parser *p, size_t start, const struct amount *amount, size_t from)
{
    size_t n = copy_segment(p, start, amount->inverse);
    int code = BASE_OK;

    p->n_moves = start;
    for (unsigned i = 0; n && i < amount->times && !code; i++)
        code = append_moves(p, from, p->copy, n);
    return code;
}

/* ---- moves ---------------------------------------------------------------------------- */

/* A move whose name, or one of whose names, is at the reading position. */
struct found {
    int move; /* -1: none */
    size_t length;
};

static void find_longer(const struct parser *p, struct found *found, const char *name,
                        unsigned move, bool first_of_family)
{
    size_t length = strlen(name);

    if (length <= found->length || !looking_at(p, name) ||
        (first_of_family && puzzle_move_at(p->puzzle, move)->amount != 1))
        return;
    *found = (struct found){(int)move, length};
}

/* The longest name at the reading position among all moves, or only among those that a family
 * begins with. */
static struct found find_name(const struct parser *p, bool first_of_family)
{
    struct found found = {-1, 0};

    for (unsigned i = 0; i < puzzle_move_count(p->puzzle); i++)
        find_longer(p, &found, puzzle_move_at(p->puzzle, i)->name, i, first_of_family);
    for (unsigned i = 0; i < puzzle_alias_count(p->puzzle); i++) {
        unsigned move;
        const char *name = puzzle_alias_at(p->puzzle, i, &move);
        find_longer(p, &found, name, move, first_of_family);
    }
    return found;
}

/* The move `amount` times `base` (taken mod the order of its family, which `amount` must not
 * reach); -1: none. */
static int find_amount(const struct puzzle *puzzle, const struct puzzle_move *base, unsigned amount)
{
    for (unsigned i = 0; i < puzzle_move_count(puzzle); i++) {
        const struct puzzle_move *move = puzzle_move_at(puzzle, i);
        if (move->family == base->family && move->amount == amount)
            return (int)i;
    }
    return -1;
}

static int refuse_amount(struct parser *p, const struct puzzle_move *base, size_t at)
{
    return base_diag_set(p->diag, at, BASE_ERR_RANGE, "the puzzle has no move of %s by this amount",
                         base->name);
}

/* The word at `at` is a move of another puzzle or notation. */
static int refuse_foreign(struct parser *p, size_t at)
{
    int n = 0;

    while (n < 16 && at + (size_t)n < p->length && isalnum((unsigned char)p->text[at + (size_t)n]))
        n++;
    return base_diag_set(p->diag, at, BASE_ERR_UNKNOWN_MOVE,
                         "\"%.*s\" is no move of %s: only the moves that the puzzle lists are "
                         "accepted, and no rotations, wide or slice moves besides",
                         n, p->text + at, puzzle_name(p->puzzle));
}

/* No move begins at the reading position. */
static int refuse_name(struct parser *p)
{
    int byte = peek(p);

    if (isdigit(byte) || byte == '\'' || looking_at(p, "\xE2\x80\x99"))
        return base_diag_set(p->diag, p->at, BASE_ERR_SYNTAX,
                             "an amount must stand right behind its move, and the puzzle lists "
                             "no move of layers so numbered");
    if (isalpha(byte))
        return refuse_foreign(p, p->at);
    if (byte > 0x20 && byte < 0x7F)
        return base_diag_set(p->diag, p->at, BASE_ERR_SYNTAX, "'%c' is not expected here", byte);
    return base_diag_set(p->diag, p->at, BASE_ERR_SYNTAX, "the byte 0x%02x is not expected here",
                         (unsigned)byte);
}

/* A letter right behind a move that begins no move ("Uw"): the text means another move. */
static int check_behind(struct parser *p, size_t start)
{
    if (peek(p) < 0 || !isalpha(peek(p)) || find_name(p, false).move >= 0)
        return BASE_OK;
    return refuse_foreign(p, start);
}

static int parse_move(struct parser *p)
{
    size_t start = p->at;
    struct found found = find_name(p, true);
    const struct puzzle_move *base;
    struct amount amount = {.times = 1};
    uint8_t move;
    int code;

    if (found.move < 0)
        found = find_name(p, false);
    if (found.move < 0)
        return refuse_name(p);
    base = puzzle_move_at(p->puzzle, (unsigned)found.move);
    p->at += found.length;
    code = parse_amount(p, &amount);
    if (code)
        return code;
    if (amount.times > 1)
        found.move = base->amount == 1 ? find_amount(p->puzzle, base, amount.times) : -1;
    if (found.move < 0)
        return refuse_amount(p, base, start);
    move = (uint8_t)found.move;
    if (amount.inverse)
        move = puzzle_move_at(p->puzzle, move)->inverse;
    code = check_behind(p, start);
    return code ? code : append_moves(p, start, &move, 1);
}

/* ---- groups and brackets -------------------------------------------------------------- */

static int parse_group(struct parser *p, size_t from)
{
    size_t start = p->n_moves;
    struct amount amount = {.times = 1};
    int code = parse_sequence(p, ")");

    if (!code)
        code = parse_amount(p, &amount);
    return code ? code : repeat_segment(p, start, &amount, from);
}

/* [A, B] = A B A' B', [A: B] = A B A'. */
static int parse_bracket(struct parser *p, size_t from)
{
    size_t a = p->n_moves, b, n_a, n_b;
    struct amount amount = {.times = 1};
    bool commutator;
    int code = parse_sequence(p, ",:");

    if (code)
        return code;
    commutator = p->text[p->at - 1] == ',';
    b = p->n_moves;
    code = parse_sequence(p, "]");
    if (code)
        return code;
    n_a = b - a;
    n_b = copy_segment(p, a, true) - n_a; /* the copy is B' A' */
    code = append_moves(p, from, p->copy + n_b, n_a);
    if (!code && commutator)
        code = append_moves(p, from, p->copy, n_b);
    if (!code)
        code = parse_amount(p, &amount);
    return code ? code : repeat_segment(p, a, &amount, from);
}

static int parse_item(struct parser *p)
{
    size_t from = p->at;
    int code;

    p->n_items += p->depth == 0;
    if (peek(p) != '(' && peek(p) != '[')
        return parse_move(p);
    if (p->depth == PROTO_MOVE_MAX_DEPTH)
        return base_diag_set(p->diag, from, BASE_ERR_TOO_LARGE,
                             "brackets are nested deeper than %d levels", PROTO_MOVE_MAX_DEPTH);
    p->depth++;
    p->at++;
    code = p->text[from] == '(' ? parse_group(p, from) : parse_bracket(p, from);
    p->depth--;
    return code;
}

/* Up to and over one of the closing bytes, or up to the end of the text if there are none. */
static int parse_sequence(struct parser *p, const char *closing)
{
    for (;;) {
        int byte, code;
        skip_blank(p);
        byte = peek(p);
        if (byte < 0 && !*closing)
            return BASE_OK;
        if (byte < 0)
            return base_diag_set(p->diag, p->at, BASE_ERR_SYNTAX, "the text ends where '%c' is due",
                                 *closing);
        if (byte && strchr(closing, byte)) {
            p->at++;
            return BASE_OK;
        }
        code = parse_item(p);
        if (code)
            return code;
    }
}

/* ---- public --------------------------------------------------------------------------- */

int proto_move_parse(const struct puzzle *puzzle, const char *text, size_t length,
                     struct proto_move_alg *out, struct base_diag *diag)
{
    struct parser p;
    int code;

    p.puzzle = puzzle;
    p.text = text;
    p.length = length;
    p.at = 0;
    p.depth = 0;
    p.diag = diag;
    p.n_items = 0;
    p.n_moves = 0;
    code = parse_sequence(&p, "");
    if (code)
        return code;
    out->moves = malloc(p.n_moves + 1);
    if (!out->moves)
        return base_diag_set(diag, 0, BASE_ERR_NOMEM, "out of memory");
    memcpy(out->moves, p.word, p.n_moves);
    out->n_items = p.n_items;
    out->n_moves = p.n_moves;
    puzzle_apply_word(puzzle, NULL, p.word, (unsigned)p.n_moves, out->state);
    return BASE_OK;
}

void proto_move_alg_deinit(struct proto_move_alg *alg)
{
    free(alg->moves);
    alg->moves = NULL;
    alg->n_moves = 0;
}

char *proto_move_print(const struct puzzle *puzzle, const uint8_t *moves, size_t n)
{
    int length = puzzle_word_print(puzzle, moves, (unsigned)n, NULL, 0);
    char *text = malloc((size_t)length + 1);

    if (text)
        puzzle_word_print(puzzle, moves, (unsigned)n, text, (size_t)length + 1);
    return text;
}
