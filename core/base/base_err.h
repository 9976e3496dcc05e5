/*
 * base_err.h - the one list of errors.
 *
 * Functions of this project return 0 or a negative code of this list and write
 * results to out-parameters. `proto` maps every code to a wire name and `server`
 * maps it to an HTTP status; static assertions there keep the three in step.
 */
#ifndef CORE_BASE_BASE_ERR_H
#define CORE_BASE_BASE_ERR_H

/* X(NAME, "text for a person") - append only; a code's number is never written to disk. */
#define BASE_ERR_LIST(X)                                                                           \
    X(NOMEM, "out of memory")                                                                      \
    X(SYNTAX, "the text cannot be parsed")                                                         \
    X(TYPE, "a value has the wrong type")                                                          \
    X(RANGE, "a value is out of range")                                                            \
    X(UNKNOWN_MEMBER, "a member is not known here")                                                \
    X(UNKNOWN_PUZZLE, "no puzzle has this name")                                                   \
    X(UNKNOWN_ORBIT, "the puzzle has no such orbit")                                               \
    X(UNKNOWN_MOVE, "the puzzle has no such move")                                                 \
    X(CONFLICT, "two values contradict each other")                                                \
    X(INFEASIBLE, "no state of the puzzle has this cycle structure")                               \
    X(UNSUPPORTED, "this is not supported yet")                                                    \
    X(TOO_LARGE, "the input is larger than the limit")                                             \
    X(NOT_FOUND, "nothing has this name or id")                                                    \
    X(BUSY, "the resource is busy")                                                                \
    X(CANCELLED, "the work was cancelled")                                                         \
    X(NO_SPACE, "no space left where it must be stored")                                           \
    X(MEMORY_LIMIT, "the memory limit does not allow it")                                          \
    X(CORRUPT, "stored data is damaged")                                                           \
    X(VERSION, "stored data has a foreign version")                                                \
    X(IO, "an operating system call failed")                                                       \
    X(INTERNAL, "an internal check failed")

enum base_err_index {
#define BASE_ERR_INDEX(name, text) BASE_ERR_INDEX_##name,
    BASE_ERR_LIST(BASE_ERR_INDEX)
#undef BASE_ERR_INDEX
        BASE_ERR_COUNT
};

enum base_err {
    BASE_OK = 0,
#define BASE_ERR_CODE(name, text) BASE_ERR_##name = -1 - BASE_ERR_INDEX_##name,
    BASE_ERR_LIST(BASE_ERR_CODE)
#undef BASE_ERR_CODE
};

/* "NOMEM", ...; "OK" for 0; "UNKNOWN" for a number that is not in the list. Static strings. */
const char *base_err_name(int code);

/* The text for a person. Static strings. */
const char *base_err_text(int code);

#endif
