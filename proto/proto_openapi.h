/*
 * proto_openapi.h - the description of the service at /openapi.json: an OpenAPI 3.1 document, made
 * from the routes (proto_route.h), what they take and give (proto_operation.h) and the shapes of
 * that (proto_schema.h).
 *
 * The specification has no place for the events of a stream; they are told under "x-events" of
 * their media type: {"depth": {"description": ..., "x-numbered": true, "schema": {...}}, ...}.
 */
#ifndef PROTO_PROTO_OPENAPI_H
#define PROTO_PROTO_OPENAPI_H

/* The document, of this version of the program: new text (free), NULL: out of memory. */
char *proto_openapi_encode(const char *version);

#endif
