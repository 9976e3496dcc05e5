/*
 * server_ticket.h - short-lived tokens for one event stream, to be sent in a query because
 * EventSource can send no field. They are signed with a key that only this process has ever seen,
 * so that there is nothing to remember and nothing to leak; a restart makes them void.
 *
 *     NAME.EXPIRY.SIGNATURE    of "ID.NAME.EXPIRY"; NAME of the token that it stands for, "" none
 */
#ifndef SERVER_SERVER_TICKET_H
#define SERVER_SERVER_TICKET_H

#include "server/server_tokens.h"

enum {
    SERVER_TICKET_SECONDS = 60,
    SERVER_TICKET_BYTES = SERVER_TOKEN_NAME_BYTES + 18 + SERVER_DIGEST_HEX_BYTES
};

struct server_tickets {
    uint8_t key[SERVER_DIGEST_SIZE];
};

/* BASE_ERR_IO: the kernel gives no random bytes. */
int server_tickets_init(struct server_tickets *tickets);

/* For the job or batch `id`, on behalf of the token `name`. */
void server_ticket_print(const struct server_tickets *tickets, const char *id, const char *name,
                         uint64_t expires_ms, char out[SERVER_TICKET_BYTES]);

/* Writes the name of the token into `name`. BASE_ERR_NOT_FOUND: no ticket of this process for
 * `id`; BASE_ERR_RANGE: it has expired. */
int server_ticket_check(const struct server_tickets *tickets, const char *id, const char *text,
                        uint64_t now_ms, char name[SERVER_TOKEN_NAME_BYTES]);

#endif
