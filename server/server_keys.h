/*
 * server_keys.h - idempotency keys of requests that are being accepted. Once the job is stored, the
 * store knows its key; until then this set does, so that a second request with the key is told to
 * come again.
 */
#ifndef SERVER_SERVER_KEYS_H
#define SERVER_SERVER_KEYS_H

#include <stddef.h>

#include "server/server_list_inl.h"
#include "server/server_tokens.h"

enum {
    SERVER_KEY_BYTES = 256,
    SERVER_SCOPED_KEY_BYTES = SERVER_KEY_BYTES + SERVER_TOKEN_NAME_BYTES,
    SERVER_DIGEST_BYTES = 56
};

struct server_keys {
    struct server_list list;
};

struct server_key {
    struct server_node node;
    char text[SERVER_SCOPED_KEY_BYTES];
};

void server_keys_init(struct server_keys *keys);

/* Reads the Idempotency-Key field: a quoted string, or the same without quotes, of 1 to 255
 * printable characters. `out` holds SERVER_KEY_BYTES. BASE_ERR_SYNTAX. */
int server_key_parse(const char *field, char *out);

/* The key as one of a token's own, so that two who choose the same one do not get each other's job.
 * `token_name` "": of nobody in particular. `out` holds SERVER_SCOPED_KEY_BYTES. */
void server_key_scope(const char *token_name, const char *key, char *out);

/* Enters the key until server_keys_end. BASE_ERR_BUSY: it is there; BASE_ERR_NOMEM. */
int server_keys_begin(struct server_keys *keys, const char *text, struct server_key **out);
void server_keys_end(struct server_key *key); /* NULL is allowed */

/* Digest of a body; `out` holds SERVER_DIGEST_BYTES. */
void server_key_digest(const char *body, size_t length, char *out);

#endif
