/*
 * proto_target.c - cycle structures from and to JSON.
 *
 * The object form is decoded item by item into a structure that is not sorted yet, and each item
 * remembers where it came from: so a violated rule is reported under the pointer of the number
 * that violates it.
 */
#include "proto/proto_target_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_assert.h"
#include "core/base/base_err.h"
#include "proto/proto_schema_int.h"

/* ---- lists ---------------------------------------------------------------------------- */

int proto__targets_add(struct proto_targets *targets, const struct cycle_structure *structure)
{
    if (targets->n == targets->capacity) {
        size_t capacity = targets->capacity ? 2 * targets->capacity : 1;
        struct cycle_structure *items = realloc(targets->items, capacity * sizeof(*items));
        if (!items)
            return BASE_ERR_NOMEM;
        targets->items = items;
        targets->capacity = capacity;
    }
    targets->items[targets->n++] = *structure;
    return BASE_OK;
}

void proto__targets_deinit(struct proto_targets *targets)
{
    free(targets->items);
    *targets = (struct proto_targets){0};
}

static int compare_structures(const void *a, const void *b)
{
    return cycle_compare(a, b);
}

void proto__targets_normalise(struct proto_targets *targets)
{
    size_t kept = 0;

    if (!targets->n)
        return;
    qsort(targets->items, targets->n, sizeof(*targets->items), compare_structures);
    for (size_t i = 1; i < targets->n; i++) {
        if (!cycle_equal(&targets->items[kept], &targets->items[i]))
            targets->items[++kept] = targets->items[i];
    }
    targets->n = kept + 1;
}

/* ---- the object form ------------------------------------------------------------------ */

/* Where an item of the structure came from. */
struct origin {
    const char *orbit;
    size_t index;
    bool pair; /* [5, true], else {"length": 5, "oriented": true} */
};

struct cycles_decoder {
    const struct puzzle *puzzle;
    const struct proto_json_at *at;
    struct cycle_structure *structure;
    struct origin origin[CYCLE_MAX_ITEMS];
    int code;
};

static int orbit_by_name(const struct puzzle *puzzle, const char *name)
{
    for (unsigned i = 0; i < puzzle_shape(puzzle)->n_orbits; i++) {
        if (strcmp(puzzle_orbit_name(puzzle, i), name) == 0)
            return (int)i;
    }
    return BASE_ERR_UNKNOWN_ORBIT;
}

static int refuse_orbit(const struct puzzle *puzzle, const struct proto_json_at *at)
{
    struct base_buf names = {0};
    int code;

    for (unsigned i = 0; i < puzzle_shape(puzzle)->n_orbits; i++)
        base_buf_printf(&names, "%s\"%s\"", i ? ", " : "", puzzle_orbit_name(puzzle, i));
    code = proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                             "%s has no such orbit; its orbits are %s", puzzle_name(puzzle),
                             base_buf_str(&names));
    base_buf_deinit(&names);
    return code;
}

/* The length as far as it can be the length of any cycle; the orbit's size is judged later. */
static int read_length(const struct proto_json_at *at, unsigned *out)
{
    json_int_t value = json_integer_value(at->value);

    if (json_is_integer(at->value) && (value < 1 || value > UINT8_MAX))
        return proto_json_refuse(at, PROTO_PROBLEM_INFEASIBLE_TARGET,
                                 cycle_rule_name(CYCLE_RULE_LENGTH),
                                 "%s: the length cannot be %" JSON_INTEGER_FORMAT,
                                 cycle_rule_text(CYCLE_RULE_LENGTH), value);
    if (!json_is_integer(at->value))
        return proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "a length must be a whole number");
    *out = (unsigned)value;
    return BASE_OK;
}

static int read_pair(const struct proto_json_at *item, unsigned *length, bool *oriented)
{
    struct proto_json_at part;
    int code, code_oriented;

    if (json_array_size(item->value) != 2)
        return proto_json_refuse(item, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "a cycle is a pair [length, oriented], such as [5, true]");
    part = proto_json_element(item, 0);
    code = read_length(&part, length);
    part = proto_json_element(item, 1);
    code_oriented = proto_json_read_bool(&part, oriented);
    return code ? code : code_oriented;
}

static int read_item_object(const struct proto_json_at *item, unsigned *length, bool *oriented)
{
    struct proto_json_at member;
    int code = proto__shape_check(item, PROTO_SHAPE_CYCLE_ITEM), found;

    if (proto_json_member(item, "twist", &member))
        code = proto_json_refuse(&member, PROTO_PROBLEM_UNSUPPORTED, NULL,
                                 "an exact twist is not available yet; use \"oriented\"");
    if (proto_json_member(item, "oriented", &member)) {
        found = proto_json_read_bool(&member, oriented);
        code = code ? code : found;
    }
    if (!proto_json_member(item, "length", &member))
        return proto_json_refuse(item, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "the member \"length\" is missing");
    found = read_length(&member, length);
    return code ? code : found;
}

static int read_item(struct cycles_decoder *decoder, unsigned orbit,
                     const struct proto_json_at *item)
{
    struct cycle_structure *structure = decoder->structure;
    unsigned length = 0;
    bool oriented = false;
    bool pair = json_is_array(item->value);
    int code;

    if (!pair && !json_is_object(item->value))
        return proto_json_refuse(item, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "a cycle is [length, oriented] or "
                                 "{\"length\": ..., \"oriented\": ...}");
    code = pair ? read_pair(item, &length, &oriented) : read_item_object(item, &length, &oriented);
    if (code)
        return code;
    if (structure->n_items == CYCLE_MAX_ITEMS)
        return proto_json_refuse(item, PROTO_PROBLEM_INFEASIBLE_TARGET,
                                 cycle_rule_name(CYCLE_RULE_PIECES), "%s",
                                 cycle_rule_text(CYCLE_RULE_PIECES));
    decoder->origin[structure->n_items] =
        (struct origin){puzzle_orbit_name(decoder->puzzle, orbit), item->index, pair};
    return cycle_add(decoder->puzzle, structure, orbit, length, oriented);
}

static int read_orbit(struct cycles_decoder *decoder, const struct proto_json_at *at)
{
    int orbit = orbit_by_name(decoder->puzzle, at->key);
    int code;

    if (orbit < 0)
        return refuse_orbit(decoder->puzzle, at);
    code = proto_json_read_array(at);
    for (size_t i = 0; !code && i < json_array_size(at->value); i++) {
        struct proto_json_at item = proto_json_element(at, i);
        int found = read_item(decoder, (unsigned)orbit, &item);
        decoder->code = found ? found : decoder->code;
    }
    return code;
}

/* Adds a fault under the pointer of what it is about: the number, the orbit, or all of it. */
static void refuse_fault(const struct cycles_decoder *decoder, const struct cycle_fault *fault)
{
    const char *rule = cycle_rule_name(fault->rule);
    struct proto_json_at orbit = *decoder->at, item, part;

    if (fault->orbit >= 0)
        orbit = (struct proto_json_at){
            .parent = decoder->at,
            .key = puzzle_orbit_name(decoder->puzzle, (unsigned)fault->orbit),
            .problem = decoder->at->problem};
    if (fault->orbit >= 0 && fault->item >= 0) {
        const struct origin *origin = &decoder->origin[fault->item];
        bool length = fault->rule != CYCLE_RULE_UNORIENTABLE;
        item = (struct proto_json_at){
            .parent = &orbit, .index = origin->index, .problem = orbit.problem};
        part = (struct proto_json_at){
            .parent = &item, .index = length ? 0 : 1, .problem = orbit.problem};
        if (!origin->pair)
            part.key = length ? "length" : "oriented";
        proto_json_refuse(&part, PROTO_PROBLEM_INFEASIBLE_TARGET, rule, "%s", fault->text);
    } else {
        proto_json_refuse(&orbit, PROTO_PROBLEM_INFEASIBLE_TARGET, rule, "%s", fault->text);
    }
}

static int check_object(const struct cycles_decoder *decoder)
{
    struct cycle_fault faults[CYCLE_MAX_FAULTS];
    size_t n = cycle_check(decoder->puzzle, decoder->structure, faults);

    for (size_t i = 0; i < n && i < CYCLE_MAX_FAULTS; i++)
        refuse_fault(decoder, &faults[i]);
    return n ? BASE_ERR_INFEASIBLE : BASE_OK;
}

static int read_object(const struct puzzle *puzzle, const struct proto_json_at *at,
                       struct cycle_structure *out)
{
    struct cycles_decoder decoder = {.puzzle = puzzle, .at = at, .structure = out};
    const char *key;
    json_t *value;

    json_object_foreach(at->value, key, value)
    {
        struct proto_json_at orbit = {
            .parent = at, .key = key, .value = value, .problem = at->problem};
        int code = read_orbit(&decoder, &orbit);
        decoder.code = code ? code : decoder.code;
    }
    return decoder.code ? decoder.code : check_object(&decoder);
}

/* ---- the text form -------------------------------------------------------------------- */

static int read_text(const struct puzzle *puzzle, const struct proto_json_at *at,
                     struct cycle_structure *out)
{
    const char *text;
    size_t length;
    struct base_diag diag = {0};
    int code = proto_json_read_text(at, SIZE_MAX, &text, &length);

    if (code)
        return code;
    code = cycle_parse(puzzle, text, length, out, &diag);
    if (code == BASE_ERR_RANGE)
        return proto_json_refuse_diag(at, PROTO_PROBLEM_INFEASIBLE_TARGET,
                                      cycle_rule_name(CYCLE_RULE_LENGTH), &diag);
    if (code)
        return proto_json_refuse_diag(at, proto_problem_of_err(code), NULL, &diag);
    return proto__cycles_check(puzzle, at, out);
}

int proto__cycles_check(const struct puzzle *puzzle, const struct proto_json_at *at,
                        const struct cycle_structure *structure)
{
    struct cycle_fault faults[CYCLE_MAX_FAULTS];
    size_t n = cycle_check(puzzle, structure, faults);

    for (size_t i = 0; i < n && i < CYCLE_MAX_FAULTS; i++)
        proto_json_refuse(at, PROTO_PROBLEM_INFEASIBLE_TARGET, cycle_rule_name(faults[i].rule),
                          "%s", faults[i].text);
    return n ? BASE_ERR_INFEASIBLE : BASE_OK;
}

int proto__cycles_read(const struct puzzle *puzzle, const struct proto_json_at *at,
                       struct cycle_structure *out)
{
    int code;

    out->n_items = 0;
    if (json_is_object(at->value))
        code = read_object(puzzle, at, out);
    else if (json_is_string(at->value))
        code = read_text(puzzle, at, out);
    else
        code = proto_json_refuse(at, PROTO_PROBLEM_INVALID_REQUEST, NULL,
                                 "must be an object such as {\"corners\": [[1, true], [5, true]]} "
                                 "or text such as \"c: (1+, 5+) / e: (1+, 1+)\"");
    cycle_canonicalise(out);
    return code;
}

/* ---- writing -------------------------------------------------------------------------- */

static void write_orbit(struct proto_writer *writer, const struct puzzle *puzzle, unsigned orbit,
                        const struct cycle_structure *structure)
{
    proto_write_array(writer, puzzle_orbit_name(puzzle, orbit));
    for (size_t i = 0; i < structure->n_items; i++) {
        const struct cycle_item *item = &structure->item[i];
        if (item->orbit != orbit)
            continue;
        proto_write_array(writer, NULL);
        proto_write_uint(writer, NULL, item->length);
        proto_write_bool(writer, NULL, item->oriented);
        proto_write_array_end(writer);
    }
    proto_write_array_end(writer);
}

void proto__cycles_write(struct proto_writer *writer, const char *key, const struct puzzle *puzzle,
                         const struct cycle_structure *structure)
{
    proto_write_object(writer, key);
    for (unsigned i = 0; i < puzzle_shape(puzzle)->n_orbits; i++)
        write_orbit(writer, puzzle, i, structure);
    proto_write_object_end(writer);
}

char *proto__cycles_text(const struct puzzle *puzzle, const struct cycle_structure *structure)
{
    int length = cycle_print(puzzle, structure, NULL, 0);
    char *text = malloc((size_t)length + 1);

    if (text)
        cycle_print(puzzle, structure, text, (size_t)length + 1);
    return text;
}

/* sum += addend, both decimal; `sum` holds CYCLE_COUNT_BYTES. Counts of an orbit's states are far
 * shorter than that. */
static void add_decimal(char *sum, const char *addend)
{
    size_t n = strlen(sum), m = strlen(addend);
    size_t length = (n > m ? n : m) + 1, skip;
    char digits[CYCLE_COUNT_BYTES + 1];
    unsigned carry = 0;

    for (size_t i = 0; i < length; i++) {
        unsigned digit = carry;
        digit += i < n ? (unsigned)(sum[n - 1 - i] - '0') : 0;
        digit += i < m ? (unsigned)(addend[m - 1 - i] - '0') : 0;
        digits[length - 1 - i] = (char)('0' + digit % 10);
        carry = digit / 10;
    }
    skip = digits[0] == '0';
    BASE_ASSERT(length - skip < CYCLE_COUNT_BYTES);
    memcpy(sum, digits + skip, length - skip);
    sum[length - skip] = '\0';
}

static double log10_of_decimal(const char *decimal)
{
    char head[18];
    size_t digits = strlen(decimal);
    size_t n = digits < sizeof(head) - 1 ? digits : sizeof(head) - 1;

    memcpy(head, decimal, n);
    head[n] = '\0';
    return log10(strtod(head, NULL)) + (double)(digits - n);
}

static void write_order(struct proto_writer *writer, const struct puzzle *puzzle,
                        const struct proto_targets *targets)
{
    uint64_t order = cycle_order(puzzle, &targets->items[0]);

    for (size_t i = 1; i < targets->n; i++) {
        if (cycle_order(puzzle, &targets->items[i]) != order)
            order = UINT64_MAX;
    }
    if (order == UINT64_MAX)
        proto_write_null(writer, "order");
    else
        proto_write_uint(writer, "order", order);
}

/* The states of all targets together, decimal. */
static void sum_states(const struct puzzle *puzzle, const struct cycle_structure *targets, size_t n,
                       char *sum)
{
    struct cycle_count count;

    memcpy(sum, "0", 2);
    for (size_t i = 0; i < n; i++) {
        cycle_count_states(puzzle, &targets[i], &count);
        add_decimal(sum, count.decimal);
    }
}

double proto__targets_log10(const struct puzzle *puzzle, const struct proto_targets *targets)
{
    char sum[CYCLE_COUNT_BYTES];

    sum_states(puzzle, targets->items, targets->n, sum);
    return log10_of_decimal(sum);
}

int proto__targets_write(struct proto_writer *writer, const struct puzzle *puzzle,
                         const struct proto_targets *targets)
{
    char *text = targets->n == 1 ? proto__cycles_text(puzzle, &targets->items[0]) : NULL;
    char sum[CYCLE_COUNT_BYTES];

    if (targets->n == 1 && !text)
        return BASE_ERR_NOMEM;
    proto_write_text(writer, "text", text);
    write_order(writer, puzzle, targets);
    sum_states(puzzle, targets->items, targets->n, sum);
    proto_write_text(writer, "states", sum);
    proto_write_real(writer, "log10_states", log10_of_decimal(sum), 2);
    proto_write_uint(writer, "structures", targets->n);
    free(text);
    return BASE_OK;
}

char *proto__targets_encode(const struct puzzle *puzzle, const struct proto_targets *targets)
{
    struct proto_writer writer = {0};
    int code;

    proto_write_object(&writer, NULL);
    code = proto__targets_write(&writer, puzzle, targets);
    proto_write_object_end(&writer);
    if (code)
        proto_writer_deinit(&writer);
    return code ? NULL : proto_writer_take(&writer);
}
