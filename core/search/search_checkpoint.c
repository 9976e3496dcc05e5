/*
 * search_checkpoint.c - the bytes of a checkpoint.
 */
#include "core/search/search_checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_buf.h"
#include "core/base/base_err.h"
#include "core/base/base_hash.h"

enum {
    MAGIC = 0x6b635343, /* "CSck" */
    HEAD_BYTES = 24,
    TASK_BYTES = 12,
    LEAST_BRANCH_BYTES = 4 + 1 + 1
};

static const double WEIGHT_UNIT = 4294967296.0;

/* ---- out ---------------------------------------------------------------------------------- */

static void put(struct base_buf *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        base_buf_byte(out, (char)(value >> 8 * i & 0xff));
}

static void put_double(struct base_buf *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(out, bits, 8);
}

static void put_word(struct base_buf *out, const uint8_t *move, unsigned length)
{
    put(out, length, 1);
    base_buf_append(out, move, length);
}

static uint64_t weight_units(double weight)
{
    double units = weight * WEIGHT_UNIT;
    return units >= WEIGHT_UNIT ? UINT32_MAX : (uint64_t)units;
}

static void put_tasks(struct base_buf *out, const struct search_checkpoint *from)
{
    for (uint32_t t = 0; t < from->count; t++) {
        put(out, from->task[t].nodes, 8);
        put(out, weight_units(from->task[t].weight), 4);
    }
    for (uint32_t t = 0; t < from->count; t += 8) {
        unsigned bits = 0;
        for (uint32_t i = t; i < from->count && i < t + 8; i++)
            bits |= (unsigned)from->task[i].finished << (i - t);
        put(out, bits, 1);
    }
}

static void put_branch(struct base_buf *out, const struct search_branch *branch, unsigned n_moves)
{
    put(out, branch->task, 4);
    put_word(out, branch->word, branch->at);
    for (unsigned m = 0; m < n_moves; m += 8)
        put(out, branch->todo.bits[m >> 6] >> (m & 63) & 0xff, 1);
}

static void put_depth(struct base_buf *out, const struct search_checkpoint *from)
{
    put(out, from->frontier, 8);
    put(out, from->tables, 8);
    put(out, from->other_tables, 1);
    put(out, from->depth_nodes, 8);
    put(out, from->depth_ns, 8);
    put(out, from->has_best ? (uint64_t)from->best_task + 1 : 0, 4);
    put_word(out, from->best.move, from->has_best ? from->best.length : 0);
    put_tasks(out, from);
    put(out, from->n_branches, 4);
    for (uint32_t i = 0; i < from->n_branches; i++)
        put_branch(out, &from->branch[i], from->n_moves);
}

static void put_body(struct base_buf *out, const struct search_checkpoint *from)
{
    put(out, from->problem, 8);
    put(out, from->nodes, 8);
    put(out, from->spent_ns, 8);
    put(out, from->n_moves, 4);
    put(out, from->lower_bound, 1);
    put(out, from->length, 1);
    put(out, from->skipped, 1);
    put(out, (uint64_t)(from->found_length + 1), 1);
    put_double(out, from->expected);
    put_word(out, from->incumbent.move, from->incumbent.length);
    put(out, from->n_words, 4);
    for (uint32_t i = 0; i < from->n_words; i++)
        put_word(out, from->word[i].move, from->word[i].length);
    put(out, from->count, 4);
    if (from->count > 0)
        put_depth(out, from);
}

uint8_t *search_checkpoint_encode(const struct search_checkpoint *checkpoint, size_t *bytes)
{
    struct base_buf body = {0}, all = {0};
    put_body(&body, checkpoint);
    put(&all, MAGIC, 4);
    put(&all, SEARCH_CHECKPOINT_VERSION, 4);
    put(&all, HEAD_BYTES + body.length, 8);
    put(&all, body.error ? 0 : base_hash(body.data, body.length, 0), 8);
    base_buf_append(&all, base_buf_str(&body), body.length);
    if (body.error)
        base_buf_deinit(&all);
    base_buf_deinit(&body);
    return (uint8_t *)base_buf_take(&all, bytes);
}

/* ---- in ----------------------------------------------------------------------------------- */

/* What is still to be read. After the first read that does not fit all others give 0. */
struct reader {
    const uint8_t *at, *end;
    bool bad;
};

static size_t left(const struct reader *in)
{
    return in->bad ? 0 : (size_t)(in->end - in->at);
}

static uint64_t get(struct reader *in, unsigned bytes)
{
    uint64_t value = 0;
    in->bad |= left(in) < bytes;
    if (in->bad)
        return 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)*in->at++ << 8 * i;
    return value;
}

/* A number that is at most `most`. */
static uint64_t get_up_to(struct reader *in, unsigned bytes, uint64_t most)
{
    uint64_t value = get(in, bytes);
    in->bad |= value > most;
    return in->bad ? 0 : value;
}

/* The number of things to come, each at least so long: no more than can be there. */
static uint32_t get_count(struct reader *in, size_t least_bytes)
{
    uint64_t count = get(in, 4);
    in->bad |= count > left(in) / least_bytes;
    return in->bad ? 0 : (uint32_t)count;
}

static double get_double(struct reader *in)
{
    uint64_t bits = get(in, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    in->bad |= !(value >= 0 && value < 1e30); /* nor what is no number */
    return in->bad ? 0 : value;
}

/* Moves of a puzzle that has so many. Returns the length. */
static uint8_t get_word(struct reader *in, unsigned n_moves, uint8_t *move)
{
    uint8_t length = (uint8_t)get_up_to(in, 1, SEARCH_MAX_LENGTH);
    for (unsigned i = 0; i < length; i++) {
        move[i] = (uint8_t)get(in, 1);
        in->bad |= move[i] >= n_moves;
    }
    return in->bad ? 0 : length;
}

static void *make(struct reader *in, size_t count, size_t bytes, bool *no_memory)
{
    void *array = in->bad ? NULL : calloc(count + 1, bytes);
    *no_memory |= !in->bad && !array;
    in->bad |= !array;
    return array;
}

static void get_tasks(struct reader *in, struct search_checkpoint *to)
{
    for (uint32_t t = 0; t < to->count && !in->bad; t++) {
        to->task[t].nodes = get(in, 8);
        to->task[t].weight = (double)get(in, 4) / WEIGHT_UNIT;
    }
    for (uint32_t t = 0; t < to->count && !in->bad; t += 8) {
        uint32_t n = to->count - t < 8 ? to->count - t : 8;
        uint64_t bits = get_up_to(in, 1, ((uint64_t)1 << n) - 1);
        for (uint32_t i = 0; i < n; i++)
            to->task[t + i].finished = bits >> i & 1;
    }
}

static void get_branch(struct reader *in, const struct search_checkpoint *to,
                       struct search_branch *branch)
{
    branch->task = (uint32_t)get_up_to(in, 4, to->count - 1);
    branch->at = get_word(in, to->n_moves, branch->word);
    for (unsigned m = 0; m < to->n_moves; m += 8) {
        unsigned n = to->n_moves - m < 8 ? to->n_moves - m : 8;
        branch->todo.bits[m >> 6] |= get_up_to(in, 1, (1u << n) - 1) << (m & 63);
    }
    in->bad |= to->task[branch->task].finished;
}

static void get_depth(struct reader *in, struct search_checkpoint *to, bool *no_memory)
{
    to->frontier = get(in, 8);
    to->tables = get(in, 8);
    to->other_tables = get_up_to(in, 1, 1);
    to->depth_nodes = get_up_to(in, 8, to->nodes);
    to->depth_ns = get_up_to(in, 8, to->spent_ns);
    uint32_t best = (uint32_t)get_up_to(in, 4, to->count);
    to->has_best = best > 0;
    to->best_task = best - to->has_best;
    to->best.length = get_word(in, to->n_moves, to->best.move);
    in->bad |= to->best.length != (to->has_best ? to->length : 0);
    to->task = make(in, to->count, sizeof *to->task, no_memory);
    get_tasks(in, to);
    to->n_branches = get_count(in, LEAST_BRANCH_BYTES);
    to->branch = make(in, to->n_branches, sizeof *to->branch, no_memory);
    for (uint32_t i = 0; i < to->n_branches && !in->bad; i++)
        get_branch(in, to, &to->branch[i]);
}

static void get_body(struct reader *in, struct search_checkpoint *to, bool *no_memory)
{
    to->problem = get(in, 8);
    to->nodes = get(in, 8);
    to->spent_ns = get_up_to(in, 8, INT64_MAX);
    to->n_moves = (unsigned)get_up_to(in, 4, PUZZLE_MAX_MOVES);
    to->lower_bound = (unsigned)get_up_to(in, 1, SEARCH_MAX_LENGTH);
    to->length = (unsigned)get_up_to(in, 1, SEARCH_MAX_LENGTH);
    to->skipped = get_up_to(in, 1, 1);
    to->found_length = (int)get_up_to(in, 1, to->length + 1) - 1;
    to->expected = get_double(in);
    to->incumbent.length = get_word(in, to->n_moves, to->incumbent.move);
    to->n_words = get_count(in, 1);
    to->word = make(in, to->n_words, sizeof *to->word, no_memory);
    for (uint32_t i = 0; i < to->n_words && !in->bad; i++)
        to->word[i].length = get_word(in, to->n_moves, to->word[i].move);
    to->count = get_count(in, TASK_BYTES);
    if (to->count > 0)
        get_depth(in, to, no_memory);
}

/* The size is written down, so that a checkpoint with something behind it is refused, too. */
static int check_head(const uint8_t *bytes, size_t length)
{
    struct reader head = {.at = bytes, .end = bytes + length};
    uint64_t magic = get(&head, 4), version = get(&head, 4), size = get(&head, 8);
    uint64_t checksum = get(&head, 8);
    if (head.bad || magic != MAGIC)
        return BASE_ERR_CORRUPT;
    if (version != SEARCH_CHECKPOINT_VERSION)
        return BASE_ERR_VERSION;
    bool whole = size == length && checksum == base_hash(head.at, left(&head), 0);
    return whole ? 0 : BASE_ERR_CORRUPT;
}

int search_checkpoint_decode(const uint8_t *bytes, size_t length, struct search_checkpoint **out)
{
    bool no_memory = false;
    *out = NULL;
    int code = check_head(bytes, length);
    if (code != 0)
        return code;
    struct search_checkpoint *checkpoint = calloc(1, sizeof *checkpoint);
    if (!checkpoint)
        return BASE_ERR_NOMEM;
    struct reader in = {.at = bytes + HEAD_BYTES, .end = bytes + length};
    get_body(&in, checkpoint, &no_memory);
    if (in.bad || in.at != in.end) {
        search_checkpoint_free(checkpoint);
        return no_memory ? BASE_ERR_NOMEM : BASE_ERR_CORRUPT;
    }
    *out = checkpoint;
    return 0;
}

void search_checkpoint_free(struct search_checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    free(checkpoint->word);
    free(checkpoint->task);
    free(checkpoint->branch);
    free(checkpoint);
}
