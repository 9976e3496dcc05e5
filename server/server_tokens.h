/*
 * server_tokens.h - the file that says which tokens there are and what they may do.
 *
 *     # name   scopes        SHA-256 of the token, in hexadecimal        limits of its own
 *     alice    read,submit   9f86d081884c7d659a2feaa0c55ad015a3bf4f1b... jobs=20 seconds=3600
 *
 * One token a line, words separated by blanks or tabs; '#' at the start of a line or behind white
 * space begins a comment. Names are 1 to 32 of A-Z a-z 0-9 _ - and appear once; they are shown in
 * logs. Scopes do not include each other.
 *
 * Tokens are 256 random bits, so that a plain hash keeps them: it cannot be reversed by guessing,
 * and the file may be read by others. It must not be written by others, who could add a line.
 */
#ifndef SERVER_SERVER_TOKENS_H
#define SERVER_SERVER_TOKENS_H

#include <stddef.h>

#include "core/base/base_diag.h"
#include "proto/proto_route.h"
#include "server/server_limit.h"
#include "server/server_secret.h"

enum {
    SERVER_TOKEN_NAME_BYTES = 33,
    SERVER_TOKEN_BYTES = 4 + SERVER_DIGEST_HEX_BYTES, /* "cys_" and 64 digits */
    SERVER_TOKEN_SCOPES_BYTES = 24,
    SERVER_TOKENS_MAX = 1000
};

struct server_token {
    char name[SERVER_TOKEN_NAME_BYTES];
    unsigned scopes; /* bits 1 << enum proto_scope */
    uint8_t digest[SERVER_DIGEST_SIZE];
    struct server_limits limits;
};

/* All zero: none. */
struct server_tokens {
    struct server_token *token;
    size_t n;
};

/* Parses the bytes of a file, which need not end with NUL; `defaults` are the limits of lines that
 * name none. On success free with server_tokens_deinit; on failure there is nothing to free and
 * `diag` tells the fault, its position being the number of the line (0: of the whole).
 * BASE_ERR_SYNTAX, _CONFLICT, _RANGE, _TOO_LARGE, _NOMEM. */
int server_tokens_parse(const char *text, size_t length, const struct server_limits *defaults,
                        struct server_tokens *out, struct base_diag *diag);

/* The same with the file at `path`, which is named in the text. Also BASE_ERR_IO: it cannot be
 * read, is no file, or others may write it. */
int server_tokens_read(const char *path, const struct server_limits *defaults,
                       struct server_tokens *out, struct base_diag *diag);

void server_tokens_deinit(struct server_tokens *tokens);

/* The row of the token, NULL: there is none. Looks at every row in constant time. */
const struct server_token *server_tokens_find(const struct server_tokens *tokens,
                                              const char *secret);
const struct server_token *server_tokens_find_digest(const struct server_tokens *tokens,
                                                     const uint8_t digest[SERVER_DIGEST_SIZE]);
const struct server_token *server_tokens_find_name(const struct server_tokens *tokens,
                                                   const char *name);

/* "read,submit" -> bits. BASE_ERR_SYNTAX. */
int server_token_parse_scopes(const char *text, unsigned *out, struct base_diag *diag);

/* Bits -> "read,submit". Returns `out`. */
char *server_token_print_scopes(unsigned scopes, char out[SERVER_TOKEN_SCOPES_BYTES]);

bool server_token_is_name(const char *text);

/* A new random token, and its digest. BASE_ERR_IO. */
int server_token_new(char secret[SERVER_TOKEN_BYTES], uint8_t digest[SERVER_DIGEST_SIZE]);

#endif
