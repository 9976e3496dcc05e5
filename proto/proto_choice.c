/*
 * proto_choice.c - see proto_choice.h. Where another module knows the names, it is asked.
 */
#include "proto/proto_choice.h"

#include "core/base/base_assert.h"
#include "core/engine/engine.h"
#include "core/table/table_codec.h"
#include "core/table/table_kind.h"
#include "proto/proto_batch.h"
#include "proto/proto_job.h"

enum { MOST_NAMES = 32 };

struct choice_row {
    unsigned n, served; /* served 0: all */
    const char *(*name_of)(unsigned index);
    const char *const *names; /* instead */
};

static const char *state_name(unsigned index)
{
    return proto_state_name((enum engine_state)index);
}

static const char *batch_state_name(unsigned index)
{
    return proto_batch_state_name((enum proto_batch_state)index);
}

/* Without that of "no limit". */
static const char *limit_name(unsigned index)
{
    return proto_limit_name((enum engine_limit)(index + 1));
}

static const char *kind_name(unsigned index)
{
    return table_kind_name((enum table_kind)index);
}

/* Without that of "no variant". */
static const char *variant_name(unsigned index)
{
    return table_variant_name((enum table_variant)(index + 1));
}

static const char *encoding_name(unsigned index)
{
    return table_encoding_name((enum table_encoding)index);
}

static const char *problem_name(unsigned index)
{
    return proto_problem_type((enum proto_problem_kind)index);
}

static const char *const metrics[] = {"htm", "qtm"};
static const char *const finds[] = {"one", "all"};
static const char *const table_states[] = {"missing", "growing", "sealed"};
static const char *const autos[] = {"auto"};

static const struct choice_row rows[PROTO_CHOICE_COUNT] = {
    [PROTO_CHOICE_METRIC] = {BASE_COUNT(metrics), .served = 1, .names = metrics},
    [PROTO_CHOICE_FIND] = {BASE_COUNT(finds), .names = finds},
    [PROTO_CHOICE_STATE] = {ENGINE_CANCELLED + 1, .name_of = state_name},
    [PROTO_CHOICE_BATCH_STATE] = {PROTO_BATCH_ENDED + 1, .name_of = batch_state_name},
    [PROTO_CHOICE_LIMIT] = {ENGINE_LIMIT_MEMORY, .name_of = limit_name},
    [PROTO_CHOICE_TABLE_KIND] = {TABLE_KIND_COUNT, .name_of = kind_name},
    [PROTO_CHOICE_TABLE_VARIANT] = {TABLE_VARIANT_HASH, .name_of = variant_name},
    [PROTO_CHOICE_TABLE_ENCODING] = {TABLE_ENCODING_COUNT, .name_of = encoding_name},
    [PROTO_CHOICE_TABLE_STATE] = {BASE_COUNT(table_states), .names = table_states},
    [PROTO_CHOICE_AUTO] = {BASE_COUNT(autos), .names = autos},
    [PROTO_CHOICE_PROBLEM] = {PROTO_PROBLEM_COUNT, .name_of = problem_name},
};

unsigned proto_choice_count(enum proto_choice choice)
{
    return rows[choice].n;
}

unsigned proto_choice_served(enum proto_choice choice)
{
    return rows[choice].served ? rows[choice].served : rows[choice].n;
}

const char *proto_choice_name(enum proto_choice choice, unsigned index)
{
    const struct choice_row *row = &rows[choice];

    return row->name_of ? row->name_of(index) : row->names[index];
}

int proto_choice_read(const struct proto_json_at *at, enum proto_choice choice, unsigned *out)
{
    const char *names[MOST_NAMES];
    unsigned n = proto_choice_count(choice);

    BASE_ASSERT(n <= MOST_NAMES);
    for (unsigned i = 0; i < n; i++)
        names[i] = proto_choice_name(choice, i);
    return proto_json_read_choice(at, names, n, out);
}
