/*
 * server_auth.h - who sends a request, whether they may, and whether they ask for too much.
 *
 *   without a token-file    everybody may do everything; the principal is the address
 *   with one                a token that it lists, on loopback too: behind a proxy on this host
 *                           everybody is on loopback. Its scopes count, the principal is the token
 *
 * Streams of a job or a batch can also be read with a ticket (server_ticket.h) in ?token=. No
 * secret is ever written into a log or a reply but the ticket that was asked for.
 */
#ifndef SERVER_SERVER_AUTH_H
#define SERVER_SERVER_AUTH_H

#include "server/server_principal.h"
#include "server/server_ticket.h"

struct server;
struct server_request;
struct proto_problem;

struct server_auth {
    bool required;
    struct server_tokens tokens;
    struct server_tickets tickets;
    struct server_principals principals;
};

enum server_credentials {
    SERVER_CREDENTIALS_NONE,
    SERVER_CREDENTIALS_WRONG,
    SERVER_CREDENTIALS_EXPIRED,
    SERVER_CREDENTIALS_GOOD
};

/* Reads the token-file, if one is configured; server_auth_close is due in any case. */
int server_auth_open(struct server *server, struct base_diag *diag);
void server_auth_close(struct server *server);

/* Reads the file again. A bad one changes nothing and is logged with the line and the fault. With a
 * good one the connections whose last request would no longer be allowed end, streams among them.
 */
void server_auth_reload(struct server *server);

/* The three steps below fill the problem, and fields of the reply, if they refuse. */

/* Fills principal, credentials, scopes and token name of the request. Refuses only without memory.
 */
int server_auth_identify(struct server_request *request, struct proto_problem *problem);

/* 429 if the principal has sent too many requests. */
int server_auth_charge(struct server_request *request, struct proto_problem *problem);

/* 401 or 403 if the route wants more than the credentials give. */
int server_auth_permit(struct server_request *request, struct proto_problem *problem);

/* RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers), if a limit holds. To be
 * called when the reply is ready. */
void server_auth_add_fields(struct server_request *request);

#endif
