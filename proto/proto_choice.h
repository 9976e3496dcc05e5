/*
 * proto_choice.h - members of JSON that are one of several names: which names, for the decoder of
 * requests and for the document at /openapi.json alike.
 */
#ifndef PROTO_PROTO_CHOICE_H
#define PROTO_PROTO_CHOICE_H

#include "proto/proto_json.h"

/* X(NAME) */
#define PROTO_CHOICE_LIST(X)                                                                       \
    X(METRIC)                                                                                      \
    X(FIND)                                                                                        \
    X(STATE)                                                                                       \
    X(BATCH_STATE)                                                                                 \
    X(LIMIT)                                                                                       \
    X(TABLE_KIND)                                                                                  \
    X(TABLE_VARIANT)                                                                               \
    X(TABLE_ENCODING)                                                                              \
    X(TABLE_STATE)                                                                                 \
    X(AUTO)                                                                                        \
    X(PROBLEM)

enum proto_choice {
#define PROTO_CHOICE_ENUM(name) PROTO_CHOICE_##name,
    PROTO_CHOICE_LIST(PROTO_CHOICE_ENUM)
#undef PROTO_CHOICE_ENUM
        PROTO_CHOICE_COUNT
};

/* How many names there are, and how many of them, from the first on, are more than understood. */
unsigned proto_choice_count(enum proto_choice choice);
unsigned proto_choice_served(enum proto_choice choice);

/* The name of an index below the count; static. */
const char *proto_choice_name(enum proto_choice choice, unsigned index);

/* Reads a value that must be one of the names, as proto_json_read_choice. */
int proto_choice_read(const struct proto_json_at *at, enum proto_choice choice, unsigned *out);

#endif
