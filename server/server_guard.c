/*
 * server_guard.c - see server_guard.h.
 */
#include "server/server_guard.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/base_attr.h"
#include "proto/proto_prefer.h"

/* ---- framing -------------------------------------------------------------------------- */

static bool is_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");

    return digits > 0 && digits <= 18 && text[digits] == '\0';
}

uint64_t server_guard_length(const struct server_head *head)
{
    return head->content_length ? strtoull(head->content_length, NULL, 10) : 0;
}

/* RFC 9110, 5.6.2. A name with a blank in front of its colon is the classic of smuggling. */
static bool is_field_name(const char *name)
{
    return *name && name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789!#$%&'*+-.^_`|~")] == '\0';
}

static bool has_control(const char *value)
{
    for (; *value; value++)
        if (((unsigned char)*value < 0x20 && *value != '\t') || *value == 0x7f)
            return true;
    return false;
}

static void take_known(struct server_head *head, const char *name, const char *value)
{
    const struct {
        const char *name, **value;
        unsigned *n;
    } known[] = {
        {"Host", &head->host, &head->n_host},
        {"Content-Length", &head->content_length, &head->n_content_length},
        {"Transfer-Encoding", &head->transfer_encoding, &head->n_transfer_encoding},
        {"Authorization", &head->authorization, &head->n_authorization},
        {"Origin", &head->origin, NULL},
        {"Content-Type", &head->content_type, NULL},
        {"Content-Encoding", &head->content_encoding, NULL},
    };

    for (size_t i = 0; i < BASE_COUNT(known); i++) {
        if (strcasecmp(name, known[i].name) != 0)
            continue;
        *known[i].value = value;
        if (known[i].n)
            ++*known[i].n;
    }
}

/* libmicrohttpd glues a folded line to the name of the field before it. One that goes on behind the
 * name of a field of framing was "Transfer-Encoding:" and " chunked", and others may read it so. */
static bool is_folded_framing(const char *name)
{
    static const char *const framing[] = {"Content-Length", "Transfer-Encoding"};

    for (size_t i = 0; i < BASE_COUNT(framing); i++)
        if (!strncasecmp(name, framing[i], strlen(framing[i])) && name[strlen(framing[i])])
            return true;
    return false;
}

void server_guard_take_field(struct server_head *head, const char *name, const char *value)
{
    if (!is_field_name(name) || is_folded_framing(name))
        head->odd_name = name;
    if (has_control(value))
        head->odd_value = true;
    take_known(head, name, value);
}

int server_guard_framing(const struct server_head *head, struct proto_problem *problem)
{
    if (head->n_host > 1)
        return proto_problem_set(problem, PROTO_PROBLEM_BAD_REQUEST, "there is more than one Host");
    if (head->odd_name)
        return proto_problem_set(problem, PROTO_PROBLEM_BAD_REQUEST,
                                 "'%.60s' is no name of a field", head->odd_name);
    if (head->odd_value)
        return proto_problem_set(problem, PROTO_PROBLEM_BAD_REQUEST,
                                 "there is a control character in a field");
    if (head->n_authorization > 1)
        return proto_problem_set(problem, PROTO_PROBLEM_BAD_REQUEST,
                                 "there is more than one Authorization");
    if (head->n_transfer_encoding && head->n_content_length)
        return proto_problem_set(problem, PROTO_PROBLEM_BAD_REQUEST,
                                 "Transfer-Encoding and Content-Length exclude each other");
    if (head->n_transfer_encoding > 1 ||
        (head->transfer_encoding && strcasecmp(head->transfer_encoding, "chunked")))
        return proto_problem_set(problem, PROTO_PROBLEM_BAD_REQUEST,
                                 "the only Transfer-Encoding is chunked");
    if (head->n_content_length > 1 || (head->content_length && !is_number(head->content_length)))
        return proto_problem_set(problem, PROTO_PROBLEM_BAD_REQUEST,
                                 "Content-Length must be one number");
    return 0;
}

/* ---- host and origin ------------------------------------------------------------------ */

/* Length of the host without its port; 0: malformed. */
static size_t name_length(const char *host)
{
    const char *end = host[0] == '[' ? strchr(host, ']') : host + strcspn(host, ":");

    if (!end)
        return 0;
    if (*end == ']')
        end++;
    if (*end == ':' && strspn(end + 1, "0123456789") != strlen(end + 1))
        return 0;
    return *end == ':' || *end == '\0' ? (size_t)(end - host) : 0;
}

bool server_guard_is_loopback(const char *host)
{
    size_t length = name_length(host);
    struct in_addr v4;
    char name[64];

    if (length == 0 || length >= sizeof(name))
        return false;
    snprintf(name, sizeof(name), "%.*s", (int)length, host);
    if (!strcasecmp(name, "localhost") || !strcmp(name, "[::1]"))
        return true;
    return inet_pton(AF_INET, name, &v4) == 1 && ntohl(v4.s_addr) >> 24 == 127;
}

/* An entry with a port names that port only. */
static bool host_matches(const char *host, const char *entry)
{
    size_t length = name_length(host);

    return !strcasecmp(host, entry) ||
           (length && strlen(entry) == length && !strncasecmp(host, entry, length));
}

static bool names_listener(const char *host, const struct config_address *address)
{
    size_t length = name_length(host);

    return address->host && length && length == name_length(address->text) &&
           !strncasecmp(host, address->text, length);
}

int server_guard_host(const struct server_head *head, const struct config_list *allowed,
                      const struct config_addresses *listen, struct proto_problem *problem)
{
    if (!head->host)
        return proto_problem_set(problem, PROTO_PROBLEM_BAD_REQUEST, "there is no Host");
    if (server_guard_is_loopback(head->host))
        return 0;
    for (size_t i = 0; i < allowed->n; i++)
        if (host_matches(head->host, allowed->item[i]))
            return 0;
    for (size_t i = 0; i < listen->n; i++)
        if (names_listener(head->host, &listen->item[i]))
            return 0;
    return proto_problem_set(problem, PROTO_PROBLEM_FORBIDDEN,
                             "Host '%.100s' is neither a loopback address nor one of the options "
                             "listen and allow-host",
                             head->host);
}

static bool is_ours(const char *origin, const char *host)
{
    const char *rest = strstr(origin, "://");

    if (!rest || !host)
        return false;
    if (strncmp(origin, "http://", 7) && strncmp(origin, "https://", 8))
        return false;
    return !strcasecmp(rest + 3, host);
}

int server_guard_origin(const struct server_head *head, const struct config_list *allowed,
                        struct proto_problem *problem)
{
    if (!head->origin || is_ours(head->origin, head->host))
        return 0;
    for (size_t i = 0; i < allowed->n; i++)
        if (!strcasecmp(head->origin, allowed->item[i]))
            return 0;
    return proto_problem_set(problem, PROTO_PROBLEM_FORBIDDEN,
                             "Origin '%.100s' is neither this service nor among the allowed "
                             "origins (option allow-origin)",
                             head->origin);
}

/* ---- body ----------------------------------------------------------------------------- */

int server_guard_body(const struct server_head *head, uint64_t max_bytes,
                      struct proto_problem *problem)
{
    if (head->content_encoding && strcasecmp(head->content_encoding, "identity"))
        return proto_problem_set(problem, PROTO_PROBLEM_UNSUPPORTED_MEDIA_TYPE,
                                 "bodies are read uncompressed only, not as '%.60s'",
                                 head->content_encoding);
    if (!proto_content_type_is_json(head->content_type))
        return proto_problem_set(problem, PROTO_PROBLEM_UNSUPPORTED_MEDIA_TYPE,
                                 "the body must be application/json, not '%.100s'",
                                 head->content_type);
    if (server_guard_length(head) > max_bytes)
        return proto_problem_set(problem, PROTO_PROBLEM_PAYLOAD_TOO_LARGE,
                                 "the body has %s bytes; at most %llu are read",
                                 head->content_length, (unsigned long long)max_bytes);
    return 0;
}
