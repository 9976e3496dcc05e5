/*
 * server_route_list.h - one page of a list on its way into a reply.
 */
#ifndef SERVER_SERVER_ROUTE_LIST_H
#define SERVER_SERVER_ROUTE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/server_request.h"

struct server_page {
    const char *scope; /* of the token: which list this is */
    unsigned size;     /* asked for */
    uint64_t position; /* where the page begins: what the token held, 0 for the first one */
    uint64_t next;     /* where the next one would */
    bool more;         /* there is a next one */
    char **item;       /* JSON each, owned */
    size_t n, capacity;
};

/* Reads page_size and page_token. On failure the problem is set; deinit is due in any case. */
int server_page_begin(struct server_page *page, struct server_request *request, const char *scope,
                      struct proto_problem *problem);
void server_page_deinit(struct server_page *page);

/* Takes an item; `next` is where a page that begins behind it begins. 0; 1: the page was full
 * before, the walk can end; BASE_ERR_NOMEM, also for an item NULL. */
int server_page_add(struct server_page *page, uint64_t next, char *item);

/* Answers the request with the page (which is deinitialised), or with the error if `status` is
 * negative. */
void server_page_answer(struct server_page *page, struct server_request *request, const char *name,
                        int status);
void server_page_answer_text(struct server_page *page, struct server_request *request, int status);

/* server_route_jobs.c: answers with jobs, as the query filters them: those of a batch in its order,
 * or, with NULL, all, newest first. */
void server_route_list_jobs(struct server_request *request, const char *batch);

#endif
