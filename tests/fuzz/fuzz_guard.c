/*
 * fuzz_guard.c - heads of requests: lines "Name: value" in the way they come from the HTTP library,
 * judged by all guards and by the router. The first line is method and path.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/proto_route.h"
#include "server/server_guard.h"
#include "tests/fuzz/harness.h"

static const struct config_list hosts = {1, {"cube.example.org"}};
static const struct config_list origins = {1, {"https://page.example.org"}};
static const struct config_addresses listening = {1, {{"192.0.2.5:0", "192.0.2.5", NULL, 0}}};

static void judge(const struct server_head *head)
{
    struct proto_problem problem = {0};
    int code = server_guard_framing(head, &problem);
    if (code) {
        fuzz_refused(code, &problem);
        return;
    }
    BASE_ASSERT(head->n_content_length <= 1 && head->n_transfer_encoding <= 1);
    BASE_ASSERT(!head->content_length || !head->transfer_encoding);
    if ((code = server_guard_host(head, &hosts, &listening, &problem)))
        fuzz_refused(code, &problem);
    if ((code = server_guard_origin(head, &origins, &problem)))
        fuzz_refused(code, &problem);
    if ((code = server_guard_body(head, 65536, &problem)))
        fuzz_refused(code, &problem);
    else
        BASE_ASSERT(server_guard_length(head) <= 65536);
}

static void route(char *line)
{
    struct proto_route_match match;
    char *path = strchr(line, ' ');
    if (path)
        *path++ = '\0';
    if (proto_route_find(line, path ? path : "", &match) == 0)
        BASE_ASSERT(strlen(match.capture) < sizeof match.capture && match.allow[0]);
}

static void take_line(struct server_head *head, char *line)
{
    char *value = strchr(line, ':');
    if (value) {
        *value++ = '\0';
        value += strspn(value, " \t");
    }
    server_guard_take_field(head, line, value ? value : "");
}

int fuzz_one(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *rest = text, *line = strsep(&rest, "\n");
    struct server_head head = {0};
    route(line);
    while ((line = strsep(&rest, "\n")))
        take_line(&head, line);
    judge(&head);
    free(text);
    return 0;
}
