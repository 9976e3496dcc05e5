/*
 * proto_request_print.c - what a decoded request says about itself: echo, target and key.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_facelets.h"
#include "proto/proto_request_int.h"

const struct puzzle *proto__request_judge(const struct proto_request_decoder *decoder)
{
    return decoder->has_start ? decoder->base : decoder->out->puzzle;
}

/* ---- parts ---------------------------------------------------------------------------- */

/* Does the set hold all moves of the family, under their own names? */
static bool family_is_complete(const struct puzzle *base, const struct puzzle *puzzle,
                               unsigned family)
{
    for (unsigned i = 0; i < puzzle_move_count(base); i++) {
        const struct puzzle_move *move = puzzle_move_at(base, i);
        if (move->family == family && puzzle_find_move(puzzle, move->name, strlen(move->name)) < 0)
            return false;
    }
    return true;
}

/* A bare family in a request stands for all its amounts. So the first move of a family that the set
 * holds in part ({R, R'}) is left out: its inverse is listed and brings it in. */
static bool would_say_family(const struct proto_request_decoder *decoder, const char *name)
{
    int found = puzzle_find_move(decoder->base, name, strlen(name));
    const struct puzzle_move *move;

    if (found < 0)
        return false;
    move = puzzle_move_at(decoder->base, (unsigned)found);
    return move->amount == 1 &&
           !family_is_complete(decoder->base, decoder->out->puzzle, move->family);
}

static void write_moves(struct proto_writer *writer, const struct proto_request_decoder *decoder)
{
    const struct puzzle *puzzle = decoder->out->puzzle;

    proto_write_array(writer, "moves");
    for (unsigned i = 0; i < puzzle_move_count(puzzle); i++) {
        const char *name = puzzle_move_at(puzzle, i)->name;
        if (!would_say_family(decoder, name))
            proto_write_text(writer, NULL, name);
    }
    proto_write_array_end(writer);
}

static bool target_is_solved(const struct proto_request_decoder *decoder)
{
    return decoder->targets.n == 1 && decoder->targets.items[0].n_items == 0;
}

static void write_target(struct proto_writer *writer, const struct proto_request_decoder *decoder)
{
    const struct proto_targets *targets = &decoder->targets;

    if (decoder->order) {
        proto_write_uint(writer, "order", decoder->order);
    } else if (targets->n == 1) {
        if (!decoder->out->has_start || !target_is_solved(decoder))
            proto__cycles_write(writer, "cycles", decoder->base, &targets->items[0]);
    } else {
        proto_write_array(writer, "any_of");
        for (size_t i = 0; i < targets->n; i++)
            proto__cycles_write(writer, NULL, decoder->base, &targets->items[i]);
        proto_write_array_end(writer);
    }
}

/* The members that make two requests equal, but for the target. */
static void write_search(struct proto_writer *writer, const struct proto_job_request *request)
{
    proto_write_text(writer, "metric", "htm");
    proto_write_text(writer, "find", request->find == ENGINE_FIND_ALL ? "all" : "one");
    proto_write_uint(writer, "slack", request->slack);
    proto_write_uint(writer, "min_length", request->min_length);
    if (request->max_length_set)
        proto_write_uint(writer, "max_length", request->max_length);
}

static void write_limits(struct proto_writer *writer, const struct engine_limits *limits)
{
    if (!(limits->seconds > 0) && !limits->nodes && !limits->memory_bytes && !limits->solutions)
        return;
    proto_write_object(writer, "limits");
    if (limits->seconds > 0)
        proto_write_real(writer, "seconds", limits->seconds, 9);
    if (limits->nodes)
        proto_write_uint(writer, "nodes", limits->nodes);
    if (limits->memory_bytes)
        proto_write_real(writer, "memory_mib", (double)limits->memory_bytes / PROTO_REQUEST_MIB, 9);
    if (limits->solutions)
        proto_write_uint(writer, "solutions", limits->solutions);
    proto_write_object_end(writer);
}

/* ---- the three texts ------------------------------------------------------------------ */

/* As it was told: a start that is no solved state and has no moves came as facelets. */
static int write_start(struct proto_writer *writer, const struct proto_request_decoder *decoder)
{
    char facelets[PROTO_FACELETS_BYTES];
    char *text;

    if (decoder->start.n_moves) {
        text = proto_move_print(decoder->base, decoder->start.moves, decoder->start.n_moves);
        proto_write_text(writer, "start", text);
        free(text);
        return text ? BASE_OK : BASE_ERR_NOMEM;
    }
    proto_facelets_print(decoder->base, decoder->out->start, facelets);
    proto_write_object(writer, "start");
    proto_write_text(writer, "facelets", facelets);
    proto_write_object_end(writer);
    return BASE_OK;
}

static char *print_echo(const struct proto_request_decoder *decoder)
{
    const struct proto_job_request *request = decoder->out;
    struct proto_writer writer = {0};
    int code;

    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "puzzle", puzzle_name(decoder->base));
    write_target(&writer, decoder);
    code = request->has_start ? write_start(&writer, decoder) : BASE_OK;
    if (decoder->has_moves)
        write_moves(&writer, decoder);
    write_search(&writer, request);
    write_limits(&writer, &request->limits);
    proto__request_write_tables(&writer, decoder->base, &request->tables);
    proto_write_uint(&writer, "priority", request->priority);
    proto_write_bool(&writer, "fresh", request->fresh);
    if (request->label)
        proto_write_text(&writer, "label", request->label);
    proto_write_object_end(&writer);
    if (code)
        proto_writer_deinit(&writer);
    return code ? NULL : proto_writer_take(&writer);
}

static void write_key_moves(struct proto_writer *writer, const struct puzzle *puzzle)
{
    char digest[17];

    snprintf(digest, sizeof(digest), "%016llx", (unsigned long long)puzzle_digest(puzzle));
    proto_write_text(writer, "puzzle", puzzle_name(puzzle));
    proto_write_text(writer, "digest", digest);
    proto_write_array(writer, "moves");
    for (unsigned i = 0; i < puzzle_move_count(puzzle); i++)
        proto_write_text(writer, NULL, puzzle_move_at(puzzle, i)->name);
    proto_write_array_end(writer);
}

static void write_key_start(struct proto_writer *writer, const struct proto_job_request *request)
{
    char hex[2 * PERM_MAX_BYTES + 1];
    unsigned bytes = puzzle_shape(request->puzzle)->bytes;

    for (unsigned i = 0; i < bytes; i++)
        snprintf(hex + 2 * i, 3, "%02x", request->start[i]);
    proto_write_text(writer, "start", hex);
}

/* The canonical form of all that makes requests equal. The names of the moves belong to it, since
 * an answer is told in them. */
static char *print_key(const struct proto_request_decoder *decoder)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    write_key_moves(&writer, decoder->out->puzzle);
    write_target(&writer, decoder);
    if (decoder->out->has_start)
        write_key_start(&writer, decoder->out);
    write_search(&writer, decoder->out);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}

int proto__request_print(struct proto_request_decoder *decoder)
{
    struct proto_job_request *request = decoder->out;

    request->echo = print_echo(decoder);
    request->target = proto__targets_encode(proto__request_judge(decoder), &decoder->targets);
    request->key = print_key(decoder);
    return request->echo && request->target && request->key ? BASE_OK : BASE_ERR_NOMEM;
}
