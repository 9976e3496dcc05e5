/*
 * server_ticket.c - see server_ticket.h.
 */
#include "server/server_ticket.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"

enum { EXPIRY_DIGITS = 16, SIGNED_BYTES = 128 };

int server_tickets_init(struct server_tickets *tickets)
{
    return server_secret_random(tickets->key);
}

static void sign(const struct server_tickets *tickets, const char *id, const char *name,
                 uint64_t expires_ms, uint8_t out[SERVER_DIGEST_SIZE])
{
    char text[SIGNED_BYTES];
    int length =
        snprintf(text, sizeof(text), "%s.%s.%0*" PRIx64, id, name, EXPIRY_DIGITS, expires_ms);

    /* Ids are at most 64 bytes, names 32: nothing is ever cut off what is signed. */
    server_secret_sign(tickets->key, text, (size_t)length, out);
}

void server_ticket_print(const struct server_tickets *tickets, const char *id, const char *name,
                         uint64_t expires_ms, char out[SERVER_TICKET_BYTES])
{
    uint8_t signature[SERVER_DIGEST_SIZE];
    char hex[SERVER_DIGEST_HEX_BYTES];

    sign(tickets, id, name, expires_ms, signature);
    snprintf(out, SERVER_TICKET_BYTES, "%s.%0*" PRIx64 ".%s", name, EXPIRY_DIGITS, expires_ms,
             server_secret_print(signature, hex));
}

int server_ticket_check(const struct server_tickets *tickets, const char *id, const char *text,
                        uint64_t now_ms, char name[SERVER_TOKEN_NAME_BYTES])
{
    uint8_t given[SERVER_DIGEST_SIZE], ours[SERVER_DIGEST_SIZE];
    size_t length = strcspn(text, ".");
    const char *expiry = text + length + 1;
    uint64_t expires_ms;

    if (length >= SERVER_TOKEN_NAME_BYTES || text[length] != '.' ||
        strspn(expiry, "0123456789abcdef") != EXPIRY_DIGITS || expiry[EXPIRY_DIGITS] != '.' ||
        server_secret_parse(expiry + EXPIRY_DIGITS + 1, given))
        return BASE_ERR_NOT_FOUND;
    memcpy(name, text, length);
    name[length] = '\0';
    expires_ms = strtoull(expiry, NULL, 16);
    sign(tickets, id, name, expires_ms, ours);
    if (!server_secret_equal(given, ours))
        return BASE_ERR_NOT_FOUND;
    return now_ms < expires_ms ? BASE_OK : BASE_ERR_RANGE;
}
