/*
 * load_parse.h - replies as they come in, piece by piece: the status, one wanted field, and the
 * body without its chunks. It believes the daemon as little as it must: what it does not
 * understand is an error.
 */
#ifndef TESTS_LOAD_LOAD_PARSE_H
#define TESTS_LOAD_LOAD_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOAD_LINE_BYTES = 256 };

enum load_parse_state {
    LOAD_PARSE_STATUS,
    LOAD_PARSE_FIELDS,
    LOAD_PARSE_BODY,
    LOAD_PARSE_CHUNK_SIZE,
    LOAD_PARSE_CHUNK,
    LOAD_PARSE_CHUNK_END,
    LOAD_PARSE_TRAILER,
    LOAD_PARSE_DONE,
    LOAD_PARSE_BROKEN
};

struct load_parser {
    enum load_parse_state state;
    unsigned status;
    bool chunked, closes;           /* the connection ends with this reply */
    uint64_t left;                  /* bytes of the body, or of the chunk */
    char line[LOAD_LINE_BYTES];     /* the one that is being read; longer ones are cut */
    size_t length;                  /* of it */
    char location[LOAD_LINE_BYTES]; /* "": there was none */
};

/* For the next reply of the connection. */
void load_parser_begin(struct load_parser *parser);

/* Takes bytes up to the end of the reply; returns how many. `body` (may be NULL) gets those of the
 * body. Look at `state` afterwards: DONE, BROKEN, or anything else for "more is to come". */
size_t load_parser_take(struct load_parser *parser, const char *bytes, size_t n,
                        void (*body)(void *arg, const char *bytes, size_t n), void *arg);

#endif
