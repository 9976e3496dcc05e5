/*
 * server_keys.c - see server_keys.h.
 */
#include "server/server_keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/base/base_hash.h"

void server_keys_init(struct server_keys *keys)
{
    server_list_init(&keys->list);
}

static bool is_printable(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] < 0x20 || text[i] > 0x7e)
            return false;
    return true;
}

int server_key_parse(const char *field, char *out)
{
    size_t length = strlen(field);

    if (field[0] == '"') {
        if (length < 2 || field[length - 1] != '"')
            return BASE_ERR_SYNTAX;
        field++;
        length -= 2;
    }
    if (length == 0 || length >= SERVER_KEY_BYTES || !is_printable(field, length))
        return BASE_ERR_SYNTAX;
    memcpy(out, field, length);
    out[length] = '\0';
    return 0;
}

/* Neither names nor keys have line breaks. */
void server_key_scope(const char *token_name, const char *key, char *out)
{
    snprintf(out, SERVER_SCOPED_KEY_BYTES, "%s%s%s", token_name, *token_name ? "\n" : "", key);
}

int server_keys_begin(struct server_keys *keys, const char *text, struct server_key **out)
{
    struct server_key *key;

    SERVER_LIST_EACH(node, &keys->list)
        if (!strcmp(SERVER_LIST_OF(node, struct server_key, node)->text, text))
            return BASE_ERR_BUSY;
    key = calloc(1, sizeof(*key));
    if (!key)
        return BASE_ERR_NOMEM;
    snprintf(key->text, sizeof(key->text), "%s", text);
    server_list_append(&keys->list, &key->node);
    *out = key;
    return 0;
}

void server_keys_end(struct server_key *key)
{
    if (!key)
        return;
    server_list_remove(&key->node);
    free(key);
}

/* Two independent hashes and the length: bodies of honest clients do not collide, and dishonest
 * ones deceive only themselves. */
void server_key_digest(const char *body, size_t length, char *out)
{
    snprintf(out, SERVER_DIGEST_BYTES, "%016" PRIx64 "%016" PRIx64 "-%zx",
             base_hash(body, length, 1), base_hash(body, length, 2), length);
}
