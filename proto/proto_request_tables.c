/*
 * proto_request_tables.c - the `tables` member: which kinds of pruning tables a request wants, and
 * how they are to be stored.
 *
 *     "auto"
 *     {"corners": {"kind": "exact", "encoding": "nxopt"}, "corners+edges": {"kind": "product"}}
 *     {"edges": {"kind": "approximate", "variant": "hash"}}
 *
 * Orbits are named as in the text of a target: in full or by an unambiguous prefix, in any case.
 * Product tables join the puzzle's first two orbits, named in either order.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_product.h"
#include "proto/proto_request_int.h"
#include "proto/proto_schema_int.h"

/* What a key names beside the orbits, which are their index. */
enum { PAIR = PERM_MAX_ORBITS, PAIR_BYTES = 2 * PUZZLE_NAME_BYTES + 2 };

/* ---- names ---------------------------------------------------------------------------- */

static bool has_pair(const struct puzzle *puzzle)
{
    return puzzle_shape(puzzle)->n_orbits > TABLE_PRODUCT_LINES;
}

/* "corners+edges" */
static const char *pair_name(const struct puzzle *puzzle, char name[PAIR_BYTES])
{
    snprintf(name, PAIR_BYTES, "%s+%s", puzzle_orbit_name(puzzle, TABLE_PRODUCT_COLOURS),
             puzzle_orbit_name(puzzle, TABLE_PRODUCT_LINES));
    return name;
}

static const char *subject_name(const struct puzzle *puzzle, int subject, char name[PAIR_BYTES])
{
    return subject == PAIR ? pair_name(puzzle, name) : puzzle_orbit_name(puzzle, (unsigned)subject);
}

/* The orbit's index, or PAIR; negative: the key names nothing. */
static int find_subject(const struct puzzle *puzzle, const char *key)
{
    const char *plus = strchr(key, '+');
    int first, second;

    if (!plus)
        return puzzle_find_orbit(puzzle, key, strlen(key));
    first = puzzle_find_orbit(puzzle, key, (size_t)(plus - key));
    second = puzzle_find_orbit(puzzle, plus + 1, strlen(plus + 1));
    if ((first == TABLE_PRODUCT_COLOURS && second == TABLE_PRODUCT_LINES) ||
        (first == TABLE_PRODUCT_LINES && second == TABLE_PRODUCT_COLOURS))
        return PAIR;
    return BASE_ERR_UNKNOWN_ORBIT;
}

static int refuse_subject(const struct puzzle *puzzle, const struct proto_json_at *at)
{
    struct base_buf names = {0};
    char pair[PAIR_BYTES];
    int code;

    for (unsigned i = 0; i < puzzle_shape(puzzle)->n_orbits; i++)
        base_buf_printf(&names, "%s\"%s\"", i ? ", " : "", puzzle_orbit_name(puzzle, i));
    if (has_pair(puzzle))
        base_buf_printf(&names, ", and for product tables \"%s\"", pair_name(puzzle, pair));
    code = proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                             "names no orbit of %s or several; there are %s", puzzle_name(puzzle),
                             base_buf_str(&names));
    base_buf_deinit(&names);
    return code;
}

/* ---- one wish ------------------------------------------------------------------------- */

static int refuse_product(const struct puzzle *puzzle, const struct proto_json_at *at)
{
    char pair[PAIR_BYTES];

    if (has_pair(puzzle))
        return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "a product table joins two orbits: ask for it under \"%s\"",
                                 pair_name(puzzle, pair));
    return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                             "a product table joins two orbits, and %s has only one",
                             puzzle_name(puzzle));
}

static int read_kind(const struct puzzle *puzzle, int subject, const struct proto_json_at *at,
                     enum table_kind *out)
{
    unsigned kind;
    int code = proto_choice_read(at, PROTO_CHOICE_TABLE_KIND, &kind);

    if (code)
        return code;
    if (subject == PAIR && kind != TABLE_KIND_PRODUCT)
        return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "must be \"product\", the only kind for two orbits together");
    if (subject != PAIR && kind == TABLE_KIND_PRODUCT)
        return refuse_product(puzzle, at);
    *out = (enum table_kind)kind;
    return BASE_OK;
}

static int read_encoding(const struct proto_json_at *at, enum table_encoding *out)
{
    unsigned encoding;
    int code = proto_choice_read(at, PROTO_CHOICE_TABLE_ENCODING, &encoding);

    if (!code)
        *out = (enum table_encoding)encoding;
    return code;
}

static int read_variant(enum table_kind kind, const struct proto_json_at *at,
                        enum table_variant *out)
{
    unsigned variant;
    int code;

    if (kind != TABLE_KIND_APPROXIMATE)
        return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "is for tables of the kind %s only",
                                 table_kind_name(TABLE_KIND_APPROXIMATE));
    code = proto_choice_read(at, PROTO_CHOICE_TABLE_VARIANT, &variant);
    if (!code)
        *out = (enum table_variant)(variant + 1); /* the choices leave out NONE */
    return code;
}

/* Kinds with one legal encoding have it whether it is asked for or not. */
static int settle_encoding(struct search_wish *wish, const struct proto_json_at *at)
{
    bool free = table_pair_is_legal(wish->kind, TABLE_ENCODING_NXOPT);

    if (wish->encoding_set && !table_pair_is_legal(wish->kind, wish->encoding))
        return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "must be \"%s\", the only encoding of the kind %s",
                                 table_encoding_name(TABLE_ENCODING_NONE),
                                 table_kind_name(wish->kind));
    wish->encoding_set |= !free;
    return BASE_OK;
}

/* `at` is the object of the orbit or pair. */
static int read_wish(const struct puzzle *puzzle, int subject, const struct proto_json_at *at,
                     struct search_wish *out)
{
    struct search_wish wish = {.set = true};
    struct proto_json_at member;
    int result = proto_json_read_object(at), code;

    if (result)
        return result;
    result = proto__shape_check(at, PROTO_SHAPE_WISH);
    if (!proto_json_member(at, "kind", &member))
        code = proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "the member \"kind\" is missing");
    else
        code = read_kind(puzzle, subject, &member, &wish.kind);
    if (!code && proto_json_member(at, "variant", &member))
        code = read_variant(wish.kind, &member, &wish.variant);
    result = code ? code : result;
    wish.encoding_set = proto_json_member(at, "encoding", &member);
    code = wish.encoding_set ? read_encoding(&member, &wish.encoding) : BASE_OK;
    result = code ? code : result;
    if (!result)
        result = settle_encoding(&wish, &member);
    if (!result)
        *out = wish;
    return result;
}

/* ---- the member ----------------------------------------------------------------------- */

static struct search_wish *wish_of(struct search_wishes *wishes, int subject)
{
    return subject == PAIR ? &wishes->product : &wishes->orbit[subject];
}

static int read_wishes(const struct puzzle *puzzle, const struct proto_json_at *at,
                       struct search_wishes *out)
{
    bool named[PAIR + 1] = {false};
    char name[PAIR_BYTES];
    const char *key;
    json_t *value;
    int result = BASE_OK;

    json_object_foreach(at->value, key, value)
    {
        struct proto_json_at one = {
            .parent = at, .key = key, .value = value, .problem = at->problem};
        int subject = find_subject(puzzle, key), code;
        if (subject < 0)
            code = refuse_subject(puzzle, &one);
        else if (named[subject])
            code =
                proto_json_refuse(&one, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                  "%s is named a second time", subject_name(puzzle, subject, name));
        else
            code = read_wish(puzzle, subject, &one, wish_of(out, subject));
        if (subject >= 0)
            named[subject] = true;
        result = code ? code : result;
    }
    return result;
}

int proto__request_read_tables(struct proto_request_decoder *decoder,
                               const struct proto_json_at *at)
{
    const char *text = json_string_value(at->value);

    if (text && strcmp(text, "auto") == 0)
        return BASE_OK;
    if (json_is_object(at->value))
        return read_wishes(decoder->base, at, &decoder->out->tables);
    return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                             "must be \"auto\" or an object such as "
                             "{\"%s\": {\"kind\": \"exact\", \"encoding\": \"nxopt\"}}",
                             puzzle_orbit_name(decoder->base, 0));
}

/* ---- writing -------------------------------------------------------------------------- */

static void write_wish(struct proto_writer *writer, const char *name,
                       const struct search_wish *wish)
{
    if (!wish->set)
        return;
    proto_write_object(writer, name);
    proto_write_text(writer, "kind", table_kind_name(wish->kind));
    if (wish->variant != TABLE_VARIANT_NONE)
        proto_write_text(writer, "variant", table_variant_name(wish->variant));
    if (wish->encoding_set)
        proto_write_text(writer, "encoding", table_encoding_name(wish->encoding));
    proto_write_object_end(writer);
}

static bool is_auto(const struct search_wishes *wishes)
{
    bool any = wishes->product.set;

    for (unsigned i = 0; i < PERM_MAX_ORBITS; i++)
        any |= wishes->orbit[i].set;
    return !any;
}

void proto__request_write_tables(struct proto_writer *writer, const struct puzzle *puzzle,
                                 const struct search_wishes *wishes)
{
    char pair[PAIR_BYTES];

    if (is_auto(wishes))
        return;
    proto_write_object(writer, "tables");
    for (unsigned i = 0; i < puzzle_shape(puzzle)->n_orbits; i++)
        write_wish(writer, puzzle_orbit_name(puzzle, i), &wishes->orbit[i]);
    if (wishes->product.set)
        write_wish(writer, pair_name(puzzle, pair), &wishes->product);
    proto_write_object_end(writer);
}

/* ---- refused later -------------------------------------------------------------------- */

int proto_tables_refuse(const char *body, size_t length, const struct puzzle *puzzle,
                        const struct proto_tables_refusal *refusal, struct proto_problem *problem)
{
    struct proto_json_at root, tables, one;
    json_t *document;
    const char *key;
    json_t *value;
    int code = proto_json_parse(body, length, &document, problem);

    if (code)
        return code;
    root = proto_json_root(document, problem);
    one = root;
    if (json_is_object(document) && proto_json_member(&root, "tables", &tables)) {
        one = tables;
        json_object_foreach(tables.value, key, value)
        {
            if (find_subject(puzzle, key) == (int)refusal->orbit)
                one = (struct proto_json_at){
                    .parent = &tables, .key = key, .value = value, .problem = problem};
        }
    }
    code = proto_json_refuse(&one, PROTO_PROBLEM_INVALID_REQUEST, NULL, "%s", refusal->text);
    json_decref(document);
    return code;
}
