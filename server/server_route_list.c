/*
 * server_route_list.c - see server_route_list.h.
 */
#include "server/server_route_list.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_job.h"
#include "proto/proto_page.h"

int server_page_begin(struct server_page *page, struct server_request *request, const char *scope,
                      struct proto_problem *problem)
{
    int token, size;

    *page = (struct server_page){.scope = scope};
    size = proto_page_size_parse(server_request_query(request, "page_size"), &page->size, problem);
    token = proto_page_token_parse(scope, server_request_query(request, "page_token"),
                                   &page->position, problem);
    return size ? size : token;
}

void server_page_deinit(struct server_page *page)
{
    for (size_t i = 0; i < page->n; i++)
        free(page->item[i]);
    free(page->item);
    *page = (struct server_page){.scope = NULL};
}

static bool reserve(struct server_page *page)
{
    size_t capacity = page->capacity ? 2 * page->capacity : 16;
    char **grown;

    if (page->n < page->capacity)
        return true;
    grown = realloc(page->item, capacity * sizeof(*grown));
    if (!grown)
        return false;
    page->item = grown;
    page->capacity = capacity;
    return true;
}

int server_page_add(struct server_page *page, uint64_t next, char *item)
{
    page->more = item && page->n == page->size;
    if (page->more) {
        free(item);
        return 1;
    }
    if (!item || !reserve(page)) {
        free(item);
        return BASE_ERR_NOMEM;
    }
    page->item[page->n++] = item;
    page->next = next;
    return 0;
}

/* ---- the next page -------------------------------------------------------------------- */

static void append_encoded(struct base_buf *out, const char *text)
{
    static const char PLAIN[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~";

    for (; *text; text++) {
        if (strchr(PLAIN, *text))
            base_buf_byte(out, *text);
        else
            base_buf_printf(out, "%%%02X", (unsigned char)*text);
    }
}

static enum MHD_Result append_argument(void *arg, enum MHD_ValueKind kind, const char *name,
                                       const char *value)
{
    struct base_buf *out = arg;

    (void)kind;
    if (!strcmp(name, "page_token"))
        return MHD_YES;
    base_buf_byte(out, '&');
    append_encoded(out, name);
    base_buf_byte(out, '=');
    append_encoded(out, value ? value : "");
    return MHD_YES;
}

/* The address of the next page keeps the filters of this one. */
static void add_link(struct server_request *request, const char *token)
{
    struct base_buf url = {0};

    base_buf_printf(&url, "%s?page_token=", request->path);
    append_encoded(&url, token);
    MHD_get_connection_values(request->connection, MHD_GET_ARGUMENT_KIND, append_argument, &url);
    server_reply_field(request, "Link", "<%s>; rel=\"next\"", base_buf_str(&url));
    base_buf_deinit(&url);
}

static void print_token(const struct server_page *page, struct server_request *request, char *out)
{
    out[0] = '\0';
    if (!page->more)
        return;
    proto_page_token_print(page->scope, page->next, out);
    add_link(request, out);
}

/* ---- replies -------------------------------------------------------------------------- */

void server_page_answer(struct server_page *page, struct server_request *request, const char *name,
                        int status)
{
    char token[PROTO_PAGE_TOKEN_BYTES];

    if (status < 0) {
        server_answer_err(request, status, "the list cannot be read");
    } else {
        print_token(page, request, token);
        server_answer_json(
            request, MHD_HTTP_OK,
            proto_list_encode(name, (const char *const *)page->item, page->n, token));
    }
    server_page_deinit(page);
}

void server_page_answer_text(struct server_page *page, struct server_request *request, int status)
{
    char token[PROTO_PAGE_TOKEN_BYTES];
    char *text = NULL;

    if (status >= 0)
        status = proto_solutions_text((const char *const *)page->item, page->n, &text);
    if (status < 0) {
        server_answer_err(request, status, "the list cannot be read");
    } else {
        print_token(page, request, token);
        server_answer_text(request, MHD_HTTP_OK, "text/plain; charset=utf-8", text);
    }
    server_page_deinit(page);
}
