/*
 * proto_schema.c - see proto_schema.h. The shapes themselves are in proto_schema_request.c,
 * proto_schema_job.c and proto_schema_info.c.
 */
#include "proto/proto_schema_int.h"

#include "core/base/base_assert.h"

enum { MOST_MEMBERS = 32 };

static const struct proto_shape *const shapes[PROTO_SHAPE_COUNT] = {
#define SHAPE_ROW(NAME, object) [PROTO_SHAPE_##NAME] = &proto__shape_##object,
    PROTO_SHAPE_LIST(SHAPE_ROW)
#undef SHAPE_ROW
};

const struct proto_shape *proto_shape_at(enum proto_shape_id id)
{
    return shapes[id];
}

bool proto_shape_has(const struct proto_shape *shape, const struct proto_member *member)
{
    return !member->bodies || (member->bodies & shape->body);
}

int proto__shape_check(const struct proto_json_at *object, enum proto_shape_id id)
{
    const struct proto_shape *shape = shapes[id];
    const char *names[MOST_MEMBERS];
    size_t n = 0;

    for (size_t i = 0; i < shape->n_members; i++) {
        BASE_ASSERT(n < MOST_MEMBERS);
        if (proto_shape_has(shape, &shape->members[i]))
            names[n++] = shape->members[i].name;
    }
    return proto_json_check_members(object, names, n);
}
