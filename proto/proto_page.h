/*
 * proto_page.h - pages of lists. A token is opaque to clients; it holds the position to go on from
 * and a check that binds it to the list that gave it out.
 */
#ifndef PROTO_PROTO_PAGE_H
#define PROTO_PROTO_PAGE_H

#include <stdint.h>

#include "proto/proto_problem.h"

enum { PROTO_PAGE_DEFAULT = 100, PROTO_PAGE_MAX = 1000, PROTO_PAGE_TOKEN_BYTES = 28 };

/* `scope` names the list ("jobs", "j_.../solutions"). `out` holds PROTO_PAGE_TOKEN_BYTES. */
void proto_page_token_print(const char *scope, uint64_t position, char *out);

/* NULL and "" are the beginning: *position = 0. Otherwise a token that this list did not give out
 * is refused under the pointer "/page_token". */
int proto_page_token_parse(const char *scope, const char *token, uint64_t *position,
                           struct proto_problem *problem);

/* NULL: the default; more than the maximum is the maximum; 0 and what is not a number is refused
 * under "/page_size". */
int proto_page_size_parse(const char *text, unsigned *out, struct proto_problem *problem);

#endif
