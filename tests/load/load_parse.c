/*
 * load_parse.c - see load_parse.h.
 */
#include "tests/load/load_parse.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void load_parser_begin(struct load_parser *parser)
{
    memset(parser, 0, offsetof(struct load_parser, line));
    parser->length = 0;
    parser->location[0] = '\0';
}

/* The value if the line is this field. */
static const char *value_of(const char *line, const char *name)
{
    size_t length = strlen(name);

    if (strncasecmp(line, name, length) || line[length] != ':')
        return NULL;
    return line + length + 1 + strspn(line + length + 1, " ");
}

static enum load_parse_state read_status(struct load_parser *parser)
{
    if (strncmp(parser->line, "HTTP/1.1 ", 9))
        return LOAD_PARSE_BROKEN;
    parser->status = (unsigned)strtoul(parser->line + 9, NULL, 10);
    return LOAD_PARSE_FIELDS;
}

static enum load_parse_state end_head(const struct load_parser *parser)
{
    if (parser->status == 100)
        return LOAD_PARSE_STATUS;
    if (parser->chunked)
        return LOAD_PARSE_CHUNK_SIZE;
    return parser->left && parser->status != 304 ? LOAD_PARSE_BODY : LOAD_PARSE_DONE;
}

static enum load_parse_state read_field(struct load_parser *parser)
{
    const char *value;

    if (!parser->line[0])
        return end_head(parser);
    if ((value = value_of(parser->line, "Content-Length")))
        parser->left = strtoull(value, NULL, 10);
    else if ((value = value_of(parser->line, "Transfer-Encoding")))
        parser->chunked = !strcasecmp(value, "chunked");
    else if ((value = value_of(parser->line, "Connection")))
        parser->closes = !strcasecmp(value, "close");
    else if ((value = value_of(parser->line, "Location")))
        memcpy(parser->location, value, strlen(value) + 1);
    return LOAD_PARSE_FIELDS;
}

static enum load_parse_state read_chunk_size(struct load_parser *parser)
{
    char *end;

    parser->left = strtoull(parser->line, &end, 16);
    if (end == parser->line)
        return LOAD_PARSE_BROKEN;
    return parser->left ? LOAD_PARSE_CHUNK : LOAD_PARSE_TRAILER;
}

static enum load_parse_state read_line(struct load_parser *parser)
{
    switch (parser->state) {
    case LOAD_PARSE_STATUS:
        return read_status(parser);
    case LOAD_PARSE_FIELDS:
        return read_field(parser);
    case LOAD_PARSE_CHUNK_SIZE:
        return read_chunk_size(parser);
    case LOAD_PARSE_CHUNK_END:
        return parser->line[0] ? LOAD_PARSE_BROKEN : LOAD_PARSE_CHUNK_SIZE;
    case LOAD_PARSE_TRAILER:
        return parser->line[0] ? LOAD_PARSE_TRAILER : LOAD_PARSE_DONE;
    default:
        return LOAD_PARSE_BROKEN;
    }
}

/* Bytes up to and with the line's end. */
static size_t take_line(struct load_parser *parser, const char *bytes, size_t n)
{
    const char *end = memchr(bytes, '\n', n);
    size_t taken = end ? (size_t)(end - bytes) + 1 : n;
    size_t kept = end ? taken - 1 : taken;

    if (kept > LOAD_LINE_BYTES - 1 - parser->length)
        kept = LOAD_LINE_BYTES - 1 - parser->length;
    memcpy(parser->line + parser->length, bytes, kept);
    parser->length += kept;
    if (!end)
        return taken;
    if (parser->length && parser->line[parser->length - 1] == '\r')
        parser->length--;
    parser->line[parser->length] = '\0';
    parser->length = 0;
    parser->state = read_line(parser);
    return taken;
}

size_t load_parser_take(struct load_parser *parser, const char *bytes, size_t n,
                        void (*body)(void *arg, const char *bytes, size_t n), void *arg)
{
    size_t taken = 0;

    while (taken < n && parser->state != LOAD_PARSE_DONE && parser->state != LOAD_PARSE_BROKEN) {
        bool plain = parser->state == LOAD_PARSE_BODY || parser->state == LOAD_PARSE_CHUNK;
        size_t piece = n - taken < parser->left ? n - taken : (size_t)parser->left;

        if (!plain) {
            taken += take_line(parser, bytes + taken, n - taken);
            continue;
        }
        if (body)
            body(arg, bytes + taken, piece);
        taken += piece;
        parser->left -= piece;
        if (!parser->left)
            parser->state =
                parser->state == LOAD_PARSE_BODY ? LOAD_PARSE_DONE : LOAD_PARSE_CHUNK_END;
    }
    return taken;
}
