/*
 * server_auth.c - see server_auth.h.
 */
#include "server/server_auth.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/base_err.h"
#include "server/server.h"

#define REALM "Bearer realm=\"cyclosolve\""

/* ---- the file ------------------------------------------------------------------------- */

static int read_tokens(const struct server *server, struct server_tokens *out,
                       struct base_diag *diag)
{
    struct server_limits limits = server_limits_of(server->config, false);

    return server_tokens_read(server->config->token_file, &limits, out, diag);
}

int server_auth_open(struct server *server, struct base_diag *diag)
{
    struct server_auth *auth = &server->auth;

    server_principals_init(&auth->principals);
    if (server_tickets_init(&auth->tickets))
        return base_diag_set(diag, 0, BASE_ERR_IO, "the kernel gives no random bytes");
    auth->required = server->config->token_file != NULL;
    if (!auth->required)
        return BASE_OK;
    if (read_tokens(server, &auth->tokens, diag))
        return BASE_ERR_IO;
    base_logf(&server->log, auth->tokens.n ? BASE_LOG_INFO : BASE_LOG_WARNING,
              "token-file %s: %zu tokens", server->config->token_file, auth->tokens.n);
    return BASE_OK;
}

void server_auth_close(struct server *server)
{
    if (!server->auth.principals.idle.head.next)
        return; /* never opened */
    server_principals_deinit(&server->auth.principals);
    server_tokens_deinit(&server->auth.tokens);
}

static bool still_allowed(const struct server_tokens *tokens, const struct server_grant *grant)
{
    const struct server_token *token = server_tokens_find_digest(tokens, grant->digest);

    return token && token->scopes & 1U << grant->scope;
}

static size_t end_revoked(struct server *server)
{
    size_t n = 0;

    SERVER_LIST_EACH(node, &server->http.conns.list) {
        struct server_conn *conn = SERVER_LIST_OF(node, struct server_conn, node);

        if (!conn->grant.given || still_allowed(&server->auth.tokens, &conn->grant))
            continue;
        server_conn_end(&server->http.conns, conn);
        n++;
    }
    return n;
}

void server_auth_reload(struct server *server)
{
    struct server_tokens tokens;
    struct base_diag diag = {0};
    size_t n_ended;

    if (!server->auth.required)
        return;
    if (read_tokens(server, &tokens, &diag)) {
        base_logf(&server->log, BASE_LOG_ERROR, "%s; the tokens from before stay in force",
                  diag.text);
        return;
    }
    server_tokens_deinit(&server->auth.tokens);
    server->auth.tokens = tokens;
    n_ended = end_revoked(server);
    base_logf(&server->log, tokens.n ? BASE_LOG_INFO : BASE_LOG_WARNING,
              "token-file %s: %zu tokens; %zu connections ended whose token is no longer good",
              server->config->token_file, tokens.n, n_ended);
}

/* ---- who ------------------------------------------------------------------------------ */

/* What stands behind "Bearer", NULL: the field is of another scheme. */
static const char *bearer(const char *field)
{
    static const char SCHEME[] = "Bearer ";

    if (strncasecmp(field, SCHEME, strlen(SCHEME)) != 0)
        return NULL;
    return field + strspn(field + strlen(SCHEME), " ") + strlen(SCHEME);
}

static void take_token(struct server_request *request, const struct server_token *token,
                       unsigned scopes)
{
    request->credentials = SERVER_CREDENTIALS_GOOD;
    request->scopes = scopes;
    memcpy(request->token_name, token->name, sizeof(token->name));
    memcpy(request->token_digest, token->digest, sizeof(token->digest));
}

static const struct server_token *find_bearer(struct server_request *request)
{
    const char *secret = bearer(request->head.authorization);
    const struct server_token *token =
        secret ? server_tokens_find(&request->server->auth.tokens, secret) : NULL;

    if (token)
        take_token(request, token, token->scopes);
    else
        request->credentials = SERVER_CREDENTIALS_WRONG;
    return token;
}

/* A ticket stands for reading one stream, as long as its token may read. */
static const struct server_token *find_ticket(struct server_request *request, const char *ticket)
{
    const struct server_auth *auth = &request->server->auth;
    const struct server_token *token = NULL;
    char name[SERVER_TOKEN_NAME_BYTES];
    int code = server_ticket_check(&auth->tickets, request->match.capture, ticket,
                                   server_now_ms(request->server), name);

    request->credentials =
        code == BASE_ERR_RANGE ? SERVER_CREDENTIALS_EXPIRED : SERVER_CREDENTIALS_WRONG;
    if (!code)
        token = server_tokens_find_name(&auth->tokens, name);
    if (token)
        take_token(request, token, token->scopes & 1U << PROTO_SCOPE_READ);
    return token;
}

static const struct server_token *find_token(struct server_request *request)
{
    const struct proto_route *route = request->match.route;
    const char *ticket = NULL;

    if (!request->server->auth.required)
        return NULL;
    if (request->head.authorization)
        return find_bearer(request);
    if (route && route->flags & PROTO_ROUTE_TICKET)
        ticket = server_request_query(request, "token");
    return ticket ? find_ticket(request, ticket) : NULL;
}

static const struct sockaddr *address_of(const struct server_request *request)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);

    return info ? info->client_addr : NULL;
}

int server_auth_identify(struct server_request *request, struct proto_problem *problem)
{
    const struct server_token *token = find_token(request);
    char key[SERVER_PRINCIPAL_KEY_BYTES];
    bool trusted = false;

    if (token)
        server_principal_key_of_token(token->name, key);
    else
        trusted = server_principal_key_of_address(address_of(request), key);
    request->principal = server_principal_acquire(&request->server->auth.principals, key);
    if (!request->principal)
        return proto_problem_set_err(problem, BASE_ERR_NOMEM, NULL);
    request->principal->limits =
        token ? token->limits : server_limits_of(request->server->config, trusted);
    return 0;
}

/* ---- how often ------------------------------------------------------------------------ */

int server_auth_charge(struct server_request *request, struct proto_problem *problem)
{
    struct server_principal *principal = request->principal;
    uint64_t quota = principal->limits.requests, now_ms = server_now_ms(request->server);
    unsigned wait_s;

    request->charged = true;
    if (!quota || server_bucket_take(&principal->bucket, quota, now_ms))
        return 0;
    wait_s = server_bucket_look(&principal->bucket, quota, now_ms).next_s;
    request->server->metrics.requests_refused++;
    server_reply_field(request, "Retry-After", "%u", wait_s);
    return proto_problem_set(problem, PROTO_PROBLEM_TOO_MANY_REQUESTS,
                             "%s has sent more than %llu requests in %d seconds; the next one is "
                             "taken in %u s (option max-requests-each)",
                             principal->key, (unsigned long long)quota, SERVER_LIMIT_WINDOW_S,
                             wait_s);
}

static bool submits(const struct server_request *request)
{
    const struct proto_route *route = request->match.route;

    return route && (route->id == PROTO_ROUTE_JOB_SUBMIT || route->id == PROTO_ROUTE_BATCH_SUBMIT);
}

void server_auth_add_fields(struct server_request *request)
{
    struct server_limits limits;
    struct server_bucket_state state = {0};
    char policy[96] = "", now[96] = "";
    size_t at = 0, at_now = 0;

    if (!request->charged)
        return;
    limits = request->principal->limits;
    if (limits.requests) {
        state = server_bucket_look(&request->principal->bucket, limits.requests,
                                   server_now_ms(request->server));
        at = (size_t)snprintf(policy, sizeof(policy), "\"requests\";q=%llu;w=%d",
                              (unsigned long long)limits.requests, SERVER_LIMIT_WINDOW_S);
        at_now = (size_t)snprintf(now, sizeof(now), "\"requests\";r=%llu;t=%u",
                                  (unsigned long long)state.remaining, state.full_s);
    }
    if (limits.jobs && submits(request)) {
        uint64_t n = request->principal->n_jobs;

        snprintf(policy + at, sizeof(policy) - at, "%s\"jobs\";q=%llu", at ? ", " : "",
                 (unsigned long long)limits.jobs);
        snprintf(now + at_now, sizeof(now) - at_now, "%s\"jobs\";r=%llu", at_now ? ", " : "",
                 (unsigned long long)(n < limits.jobs ? limits.jobs - n : 0));
    }
    if (!*policy)
        return;
    server_reply_field(request, "RateLimit-Policy", "%s", policy);
    server_reply_field(request, "RateLimit", "%s", now);
}

/* ---- whether -------------------------------------------------------------------------- */

static const char *name_of(enum proto_scope scope)
{
    static const char *const NAME[] = {
        [PROTO_SCOPE_OPEN] = "",
        [PROTO_SCOPE_READ] = "read",
        [PROTO_SCOPE_SUBMIT] = "submit",
        [PROTO_SCOPE_ADMIN] = "admin",
    };

    return NAME[scope];
}

static int refuse(struct server_request *request, enum proto_scope scope,
                  struct proto_problem *problem)
{
    bool none = request->credentials == SERVER_CREDENTIALS_NONE;

    request->server->metrics.requests_denied++;
    server_reply_field(request, "WWW-Authenticate", REALM "%s",
                       none ? "" : ", error=\"invalid_token\"");
    if (request->credentials == SERVER_CREDENTIALS_EXPIRED)
        return proto_problem_set(problem, PROTO_PROBLEM_UNAUTHORIZED,
                                 "the token in the query is older than %d seconds; POST to "
                                 "events-token for a new one",
                                 SERVER_TICKET_SECONDS);
    return proto_problem_set(problem, PROTO_PROBLEM_UNAUTHORIZED,
                             "%s; send `Authorization: Bearer TOKEN` with one that has the scope "
                             "%s (whoever runs the service makes them with `cyclosolve token new`)",
                             none ? "a token is needed" : "the token is not known here",
                             name_of(scope));
}

int server_auth_permit(struct server_request *request, struct proto_problem *problem)
{
    enum proto_scope scope = request->match.route->scope;
    struct server_grant *grant = &request->conn->grant;
    char have[SERVER_TOKEN_SCOPES_BYTES];

    grant->given = false;
    if (scope == PROTO_SCOPE_OPEN || !request->server->auth.required)
        return 0;
    if (request->credentials != SERVER_CREDENTIALS_GOOD)
        return refuse(request, scope, problem);
    if (request->scopes & 1U << scope) {
        *grant = (struct server_grant){.given = true, .scope = scope};
        memcpy(grant->digest, request->token_digest, sizeof(grant->digest));
        return 0;
    }
    request->server->metrics.requests_denied++;
    server_reply_field(request, "WWW-Authenticate",
                       REALM ", error=\"insufficient_scope\", scope=\"%s\"", name_of(scope));
    return proto_problem_set(problem, PROTO_PROBLEM_FORBIDDEN,
                             "this needs the scope %s; the token '%s' has %s (the second word of "
                             "its line in the token-file)",
                             name_of(scope), request->token_name,
                             server_token_print_scopes(request->scopes, have));
}
