/*
 * proto_prefer.h - header fields that change how a request is answered. All texts may be hostile;
 * NULL stands for a missing field everywhere.
 */
#ifndef PROTO_PROTO_PREFER_H
#define PROTO_PROTO_PREFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROTO_PREFER_MAX_WAIT = 60, PROTO_ETAG_BYTES = 40 };

/* Seconds of `Prefer: wait=N` (RFC 7240; the first of several counts), at most
 * PROTO_PREFER_MAX_WAIT; -1: no such preference. A malformed preference is ignored. */
int proto_prefer_wait(const char *prefer);

/* Is the body to be read as JSON? Yes for a missing type, application/json (charset utf-8 or none)
 * and application/x-www-form-urlencoded, which is what curl -d sends. */
bool proto_content_type_is_json(const char *content_type);

/* Strong entity tag of a version of a job: "\"ID-17\"". Returns `out` (PROTO_ETAG_BYTES). */
char *proto_etag_print(const char *id, uint64_t version, char *out);

/* Does If-None-Match (a list, or "*") name this tag? By weak comparison, as RFC 9110 says. */
bool proto_etag_matches(const char *if_none_match, const char *etag);

/* Which of the n offered media types the Accept field prefers; the first of equals. -1: none is
 * acceptable. */
int proto_accept_choose(const char *accept, const char *const *offered, size_t n);

#endif
