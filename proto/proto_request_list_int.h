/*
 * proto_request_list_int.h - the members of a job and of what is like one: bodies of POST /v1/jobs,
 * POST /v1/tables, and targets in that of POST /v1/analyze. Inside proto only.
 *
 * One list for the decoder (proto_request.c), which reads them in this order, because they build
 * on each other, and for the shapes (proto_schema_request.c).
 */
#ifndef PROTO_PROTO_REQUEST_LIST_INT_H
#define PROTO_PROTO_REQUEST_LIST_INT_H

#include "proto/proto_request_int.h"
#include "proto/proto_schema_int.h"

enum {
    PROTO__IN_JOB = PROTO__BODY_JOB,
    PROTO__IN_TABLES = PROTO__BODY_TABLES,
    PROTO__IN_SEARCH = PROTO__BODY_JOB | PROTO__BODY_TABLES,
    PROTO__IN_TARGET = PROTO__BODY_JOB | PROTO__BODY_TARGET,
    PROTO__IN_ALL = PROTO__BODY_JOB | PROTO__BODY_TABLES | PROTO__BODY_TARGET
};

/* X(name, bodies, needs the puzzle?, value, flags, example, "about") - the bodies of PROTO__IN_. */
#define PROTO__JOB_MEMBER_LIST(X)                                                                  \
    X(moves, ALL, true, FILLED(PUZZLE_MAX_MOVES, TEXT(0)), 0, "[\"R\", \"U2\", \"F\"]",            \
      "The moves that may be used: a family stands for all its amounts, and the set is closed "    \
      "under inverses. Default: those of the puzzle.")                                             \
    X(start, TARGET, true, SHAPE(START), PROTO_MEMBER_SOME, "\"R U2 F'\"",                         \
      "Where the sequence begins. Default: solved.")                                               \
    X(cycles, ALL, true, SHAPE(CYCLES), PROTO_MEMBER_SOME, "\"c: (3, 4) / e: (1+, 8+)\"",          \
      "Target: the positions with this cycle structure.")                                          \
    X(like, ALL, true, TEXT(0), PROTO_MEMBER_SOME, "\"U R U' D2 B\"",                              \
      "Target: the cycle structure of this algorithm.")                                            \
    X(order, ALL, true, UINT(1, (double)INT64_MAX), PROTO_MEMBER_SOME, "105",                      \
      "Target: all positions of this order.")                                                      \
    X(any_of, ALL, true, FILLED(PROTO_REQUEST_MAX_TARGETS, SHAPE(CYCLES)), PROTO_MEMBER_SOME,      \
      "[\"c: (4) / e: (4)\", \"c: (3) / e: (3)\"]",                                                \
      "Target: the positions with any of these cycle structures.")                                 \
    X(metric, TARGET, false, CHOICE(METRIC), 0, "\"htm\"",                                         \
      "How moves are counted: htm counts half turns as one.")                                      \
    X(weights, JOB, false, BOOL, PROTO_MEMBER_YET, NULL, "")                                       \
    X(find, JOB, false, CHOICE(FIND), 0, "\"all\"",                                                \
      "One shortest solution, or all of them. Default: one.")                                      \
    X(slack, JOB, false, UINT(0, PROTO_REQUEST_MAX_LENGTH), 0, "1",                                \
      "With all: solutions up to this many moves longer than the shortest, too.")                  \
    X(min_length, JOB, false, UINT(0, PROTO_REQUEST_MAX_LENGTH), 0, "2",                           \
      "Solutions have at least so many moves.")                                                    \
    X(max_length, JOB, false, UINT(0, PROTO_REQUEST_MAX_LENGTH), 0, "12",                          \
      "Solutions have at most so many moves.")                                                     \
    X(identical, JOB, false, BOOL, PROTO_MEMBER_YET, NULL, "")                                     \
    X(limits, JOB, false, SHAPE(JOB_LIMITS), 0, "{\"seconds\": 60}",                               \
      "When to give up, and how much to use.")                                                     \
    X(limits, TABLES, false, SHAPE(TABLES_LIMITS), 0, "{\"memory_mib\": 64}", "How much to use.")  \
    X(tables, SEARCH, true, SHAPE(WISHES), 0,                                                      \
      "{\"corners\": {\"kind\": \"exact\", \"encoding\": \"none\"}}",                              \
      "Which pruning tables to use. They change the time it takes, not the answer.")               \
    X(priority, JOB, false, UINT(0, PROTO_REQUEST_MAX_PRIORITY), 0, "7",                           \
      "Jobs of higher priority run first. Default: 5.")                                            \
    X(fresh, JOB, false, BOOL, 0, "true",                                                          \
      "Search, even if the answer is known or an equal job is running.")                           \
    X(label, JOB, false, TEXT(PROTO_REQUEST_MAX_LABEL), 0, "\"register A, add 1\"",                \
      "Free text, by which jobs can be listed.")                                                   \
    X(pin, TABLES, false, BOOL, 0, "true", "Keep the tables when memory is wanted.")

#endif
