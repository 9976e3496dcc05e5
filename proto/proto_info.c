/*
 * proto_info.c - replies that are not about a job: tables, puzzles, analysis, version.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/base_err.h"
#include "proto/proto_facelets.h"
#include "proto/proto_job.h"
#include "proto/proto_target_int.h"
#include "proto/proto_write.h"

static void write_links(struct proto_writer *writer, const char *key)
{
    char self[32 + ENGINE_KEY_BYTES];

    snprintf(self, sizeof(self), "/v1/tables/%s", key);
    proto_write_object(writer, "links");
    proto_write_text(writer, "self", self);
    proto_write_object_end(writer);
}

char *proto_table_encode(const struct engine_table_info *table)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "key", table->key);
    proto_write_text(&writer, "puzzle", table->puzzle);
    proto_write_text(&writer, "orbits", table->orbits);
    proto_write_text(&writer, "target", table->target);
    proto_write_text(&writer, "kind", table->kind);
    if (*table->variant)
        proto_write_text(&writer, "variant", table->variant);
    proto_write_text(&writer, "encoding", table->encoding);
    proto_write_uint(&writer, "bytes", table->bytes);
    proto_write_uint(&writer, "layers", table->layers);
    proto_write_text(&writer, "state", table->state);
    proto_write_real(&writer, "fraction", table->fraction, 6);
    proto_write_uint(&writer, "entries", table->entries);
    proto_write_real(&writer, "seconds", table->seconds, 3);
    proto_write_uint(&writer, "queries", table->queries);
    proto_write_bool(&writer, "pinned", table->pinned);
    proto_write_bool(&writer, "attached", table->attached);
    write_links(&writer, table->key);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}

char *proto_tables_encode(const char *const *tables, size_t n, const char *plan)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    proto_write_array(&writer, "tables");
    for (size_t i = 0; i < n; i++)
        proto_write_raw(&writer, NULL, tables[i]);
    proto_write_array_end(&writer);
    proto_write_raw(&writer, "plan", plan);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}

/* ---- puzzles -------------------------------------------------------------------------- */

static void write_orbits(struct proto_writer *writer, const struct puzzle *puzzle)
{
    const struct perm_shape *shape = puzzle_shape(puzzle);

    proto_write_array(writer, "orbits");
    for (unsigned i = 0; i < shape->n_orbits; i++) {
        proto_write_object(writer, NULL);
        proto_write_text(writer, "name", puzzle_orbit_name(puzzle, i));
        proto_write_uint(writer, "pieces", shape->orbit[i].size);
        proto_write_uint(writer, "orientations", shape->orbit[i].mod);
        proto_write_object_end(writer);
    }
    proto_write_array_end(writer);
}

static void write_count(struct proto_writer *writer, const char *name, const char *log_name,
                        const struct cycle_count *count)
{
    proto_write_text(writer, name, count->decimal);
    proto_write_real(writer, log_name, count->log10, 2);
}

/* Only where there are any. */
static void write_aliases(struct proto_writer *writer, const struct puzzle *puzzle)
{
    if (puzzle_alias_count(puzzle) == 0)
        return;
    proto_write_object(writer, "aliases");
    for (unsigned i = 0; i < puzzle_alias_count(puzzle); i++) {
        unsigned move;
        const char *alias = puzzle_alias_at(puzzle, i, &move);
        proto_write_text(writer, alias, puzzle_move_at(puzzle, move)->name);
    }
    proto_write_object_end(writer);
}

char *proto_puzzle_encode(const struct puzzle *puzzle, unsigned n_symmetries)
{
    struct proto_writer writer = {0};
    struct cycle_count positions;

    cycle_count_positions(puzzle, &positions);
    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "name", puzzle_name(puzzle));
    write_orbits(&writer, puzzle);
    proto_write_array(&writer, "moves");
    for (unsigned i = 0; i < puzzle_move_count(puzzle); i++)
        proto_write_text(&writer, NULL, puzzle_move_at(puzzle, i)->name);
    proto_write_array_end(&writer);
    write_aliases(&writer, puzzle);
    if (n_symmetries)
        proto_write_uint(&writer, "symmetries", n_symmetries);
    else
        proto_write_null(&writer, "symmetries");
    write_count(&writer, "positions", "log10_positions", &positions);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}

/* ---- analysis ------------------------------------------------------------------------- */

static void write_parity(struct proto_writer *writer, const struct puzzle *puzzle,
                         const struct cycle_structure *structure)
{
    proto_write_object(writer, "parity");
    for (unsigned i = 0; i < puzzle_shape(puzzle)->n_orbits; i++)
        proto_write_uint(writer, puzzle_orbit_name(puzzle, i), cycle_parity(structure, i));
    proto_write_object_end(writer);
}

static void write_order(struct proto_writer *writer, const struct proto_analyze_request *request)
{
    uint64_t order = perm_order(puzzle_shape(request->puzzle), request->state);

    if (order == UINT64_MAX)
        proto_write_null(writer, "order");
    else
        proto_write_uint(writer, "order", order);
}

/* Null for a puzzle that has no such form. */
static void write_facelets(struct proto_writer *writer, const struct proto_analyze_request *request)
{
    char facelets[PROTO_FACELETS_BYTES];
    int code = proto_facelets_print(request->puzzle, request->state, facelets);

    proto_write_text(writer, "facelets", code ? NULL : facelets);
}

char *proto_analyze_encode(const struct proto_analyze_request *request)
{
    struct proto_writer writer = {0};
    struct cycle_structure structure;
    struct cycle_count states;
    char *text;

    cycle_of_state(request->puzzle, request->state, &structure);
    cycle_count_states(request->puzzle, &structure, &states);
    text = proto__cycles_text(request->puzzle, &structure);
    if (!text)
        return NULL;
    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "puzzle", puzzle_name(request->puzzle));
    proto__cycles_write(&writer, "cycles", request->puzzle, &structure);
    proto_write_text(&writer, "text", text);
    write_order(&writer, request);
    write_parity(&writer, request->puzzle, &structure);
    proto_write_text(&writer, "canonical", request->canonical);
    write_facelets(&writer, request);
    write_count(&writer, "states", "log10_states", &states);
    proto_write_bool(&writer, "solved",
                     perm_is_identity(puzzle_shape(request->puzzle), request->state));
    proto_write_object_end(&writer);
    free(text);
    return proto_writer_take(&writer);
}

char *proto_version_encode(const struct proto_version_view *view)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "version", view->version);
    proto_write_text(&writer, "commit", view->commit);
    proto_write_text(&writer, "compiler", view->compiler);
    proto_write_text(&writer, "kernels", view->kernels);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}
