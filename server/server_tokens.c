/*
 * server_tokens.c - see server_tokens.h.
 */
#include "server/server_tokens.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/base_attr.h"
#include "core/base/base_buf.h"
#include "core/base/base_err.h"

enum { MAX_FILE_BYTES = 4 << 20, MAX_LINE_BYTES = 1000, MIN_WORDS = 3, MAX_WORDS = 7 };

static const char blanks[] = " \t\r\v\f";

/* ---- scopes --------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum proto_scope scope;
} scopes[] = {
    {"read", PROTO_SCOPE_READ}, {"submit", PROTO_SCOPE_SUBMIT}, {"admin", PROTO_SCOPE_ADMIN}};

static unsigned scope_bit(const char *name, size_t length)
{
    for (size_t i = 0; i < BASE_COUNT(scopes); i++)
        if (strlen(scopes[i].name) == length && !memcmp(scopes[i].name, name, length))
            return 1U << scopes[i].scope;
    return 0;
}

int server_token_parse_scopes(const char *text, unsigned *out, struct base_diag *diag)
{
    *out = 0;
    for (;; text++) {
        size_t length = strcspn(text, ",");
        unsigned bit = scope_bit(text, length);

        if (!bit)
            return base_diag_set(diag, 0, BASE_ERR_SYNTAX,
                                 "scopes are read, submit and admin, separated by commas");
        *out |= bit;
        text += length;
        if (!*text)
            return BASE_OK;
    }
}

char *server_token_print_scopes(unsigned bits, char out[SERVER_TOKEN_SCOPES_BYTES])
{
    size_t length = 0;

    *out = '\0';
    for (size_t i = 0; i < BASE_COUNT(scopes); i++)
        if (bits & 1U << scopes[i].scope)
            length += (size_t)snprintf(out + length, SERVER_TOKEN_SCOPES_BYTES - length, "%s%s",
                                       length ? "," : "", scopes[i].name);
    return out;
}

/* ---- one line ------------------------------------------------------------------------- */

bool server_token_is_name(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789_-");

    return length > 0 && length < SERVER_TOKEN_NAME_BYTES && text[length] == '\0';
}

static void drop_comment(char *line)
{
    for (char *at = line; *at; at++) {
        if (*at == '#' && (at == line || strchr(blanks, at[-1]))) {
            *at = '\0';
            return;
        }
    }
}

/* Cuts the line, in place, into words; one more than `max` if there are more. */
static size_t split(char *line, char **word, size_t max)
{
    size_t n = 0;

    for (line += strspn(line, blanks); *line; line += strspn(line, blanks)) {
        if (n == max)
            return n + 1;
        word[n++] = line;
        line += strcspn(line, blanks);
        if (*line)
            *line++ = '\0';
    }
    return n;
}

static int parse_words(char **word, size_t n, struct server_token *out, struct base_diag *diag)
{
    int code;

    if (n < MIN_WORDS || n > MAX_WORDS)
        return base_diag_set(diag, 0, BASE_ERR_SYNTAX,
                             "a line is NAME SCOPES SHA256-HEX and up to four limits");
    if (!server_token_is_name(word[0]))
        return base_diag_set(diag, 0, BASE_ERR_SYNTAX, "a name is 1 to %d of A-Z a-z 0-9 _ and -",
                             SERVER_TOKEN_NAME_BYTES - 1);
    snprintf(out->name, sizeof(out->name), "%s", word[0]);
    code = server_token_parse_scopes(word[1], &out->scopes, diag);
    if (code)
        return code;
    if (server_secret_parse(word[2], out->digest))
        return base_diag_set(diag, 0, BASE_ERR_SYNTAX,
                             "the third word must be the SHA-256 of the token, 64 hexadecimal "
                             "digits; `cyclosolve token new` prints such a line");
    for (size_t i = MIN_WORDS; i < n && !code; i++)
        code = server_limits_set(&out->limits, word[i], diag);
    return code;
}

/* ---- all lines ------------------------------------------------------------------------ */

static int add(struct server_tokens *tokens, const struct server_token *token,
               struct base_diag *diag)
{
    if (server_tokens_find_name(tokens, token->name))
        return base_diag_set(diag, 0, BASE_ERR_CONFLICT, "the name %s is there already",
                             token->name);
    if (server_tokens_find_digest(tokens, token->digest))
        return base_diag_set(diag, 0, BASE_ERR_CONFLICT, "the token is there already");
    if (tokens->n == SERVER_TOKENS_MAX)
        return base_diag_set(diag, 0, BASE_ERR_TOO_LARGE, "there are more than %d tokens",
                             SERVER_TOKENS_MAX);
    if ((tokens->n & (tokens->n - 1)) == 0) { /* 0 or a power of two: full */
        size_t capacity = tokens->n ? 2 * tokens->n : 1;
        struct server_token *grown = realloc(tokens->token, capacity * sizeof(*grown));

        if (!grown)
            return base_diag_set(diag, 0, BASE_ERR_NOMEM, "out of memory");
        tokens->token = grown;
    }
    tokens->token[tokens->n++] = *token;
    return BASE_OK;
}

static int parse_line(const char *text, size_t length, const struct server_limits *defaults,
                      struct server_tokens *out, struct base_diag *diag)
{
    struct server_token token = {.limits = *defaults};
    char line[MAX_LINE_BYTES + 1], *word[MAX_WORDS];
    size_t n;
    int code;

    if (length > MAX_LINE_BYTES)
        return base_diag_set(diag, 0, BASE_ERR_TOO_LARGE, "the line has more than %d bytes",
                             MAX_LINE_BYTES);
    if (memchr(text, '\0', length))
        return base_diag_set(diag, 0, BASE_ERR_SYNTAX, "there is a NUL byte");
    memcpy(line, text, length);
    line[length] = '\0';
    drop_comment(line);
    n = split(line, word, MAX_WORDS);
    if (!n)
        return BASE_OK;
    code = parse_words(word, n, &token, diag);
    return code ? code : add(out, &token, diag);
}

int server_tokens_parse(const char *text, size_t length, const struct server_limits *defaults,
                        struct server_tokens *out, struct base_diag *diag)
{
    size_t number = 0;
    int code = BASE_OK;

    *out = (struct server_tokens){0};
    while (length && !code) {
        const char *end = memchr(text, '\n', length);
        size_t taken = end ? (size_t)(end - text) : length;

        number++;
        code = parse_line(text, taken, defaults, out, diag);
        taken += end != NULL;
        text += taken;
        length -= taken;
    }
    if (code && diag)
        diag->position = number;
    if (code)
        server_tokens_deinit(out);
    return code;
}

void server_tokens_deinit(struct server_tokens *tokens)
{
    free(tokens->token);
    *tokens = (struct server_tokens){0};
}

/* ---- the file ------------------------------------------------------------------------- */

static int check_file(int fd, struct base_diag *diag)
{
    struct stat status;

    if (fstat(fd, &status))
        return base_diag_set(diag, 0, BASE_ERR_IO, "%s", strerror(errno));
    if (!S_ISREG(status.st_mode))
        return base_diag_set(diag, 0, BASE_ERR_IO, "it is not a regular file");
    if (status.st_uid != 0 && status.st_uid != geteuid())
        return base_diag_set(diag, 0, BASE_ERR_IO,
                             "it belongs to another user, who could add tokens; chown it to root "
                             "or to the user of the daemon");
    if (status.st_mode & (S_IWGRP | S_IWOTH))
        return base_diag_set(diag, 0, BASE_ERR_IO,
                             "others may write it and so add tokens; chmod go-w");
    if (status.st_size > MAX_FILE_BYTES)
        return base_diag_set(diag, 0, BASE_ERR_TOO_LARGE, "it has more than %d bytes",
                             MAX_FILE_BYTES);
    return BASE_OK;
}

/* One byte more than may be there is read, so that a file that grows meanwhile is noticed. */
static int read_all(int fd, struct base_buf *out, struct base_diag *diag)
{
    char piece[4096];
    ssize_t n;

    do {
        n = read(fd, piece, sizeof(piece));
        if (n > 0)
            base_buf_append(out, piece, (size_t)n);
    } while ((n > 0 && out->length <= MAX_FILE_BYTES) || (n < 0 && errno == EINTR));
    if (n < 0)
        return base_diag_set(diag, 0, BASE_ERR_IO, "%s", strerror(errno));
    if (n > 0)
        return base_diag_set(diag, 0, BASE_ERR_TOO_LARGE, "it has more than %d bytes",
                             MAX_FILE_BYTES);
    return out->error ? base_diag_set(diag, 0, BASE_ERR_NOMEM, "out of memory") : BASE_OK;
}

static int read_checked(const char *path, struct base_buf *out, struct base_diag *diag)
{
    /* O_NONBLOCK: a named pipe must not hang the daemon. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int code;

    if (fd < 0)
        return base_diag_set(diag, 0, BASE_ERR_IO, "%s", strerror(errno));
    code = check_file(fd, diag);
    if (!code)
        code = read_all(fd, out, diag);
    close(fd);
    return code;
}

int server_tokens_read(const char *path, const struct server_limits *defaults,
                       struct server_tokens *out, struct base_diag *diag)
{
    struct base_buf text = {0};
    struct base_diag fault = {0};
    int code = read_checked(path, &text, &fault);

    *out = (struct server_tokens){0};
    if (!code)
        code = server_tokens_parse(base_buf_str(&text), text.length, defaults, out, &fault);
    base_buf_deinit(&text);
    if (code && fault.position)
        return base_diag_set(diag, fault.position, code, "token-file %.50s, line %zu: %.120s", path,
                             fault.position, fault.text);
    return code ? base_diag_set(diag, 0, code, "token-file %.50s: %.130s", path, fault.text) : 0;
}

/* ---- finding -------------------------------------------------------------------------- */

const struct server_token *server_tokens_find_digest(const struct server_tokens *tokens,
                                                     const uint8_t digest[SERVER_DIGEST_SIZE])
{
    const struct server_token *found = NULL;

    for (size_t i = 0; i < tokens->n; i++)
        if (server_secret_equal(tokens->token[i].digest, digest))
            found = &tokens->token[i];
    return found;
}

const struct server_token *server_tokens_find(const struct server_tokens *tokens,
                                              const char *secret)
{
    uint8_t digest[SERVER_DIGEST_SIZE];

    server_secret_hash(secret, strlen(secret), digest);
    return server_tokens_find_digest(tokens, digest);
}

const struct server_token *server_tokens_find_name(const struct server_tokens *tokens,
                                                   const char *name)
{
    for (size_t i = 0; i < tokens->n; i++)
        if (!strcmp(tokens->token[i].name, name))
            return &tokens->token[i];
    return NULL;
}

/* ---- new tokens ----------------------------------------------------------------------- */

/* The prefix lets people and scanners of leaked secrets see what it is. */
int server_token_new(char secret[SERVER_TOKEN_BYTES], uint8_t digest[SERVER_DIGEST_SIZE])
{
    uint8_t noise[SERVER_DIGEST_SIZE];
    char hex[SERVER_DIGEST_HEX_BYTES];
    int code = server_secret_random(noise);

    if (code)
        return code;
    snprintf(secret, SERVER_TOKEN_BYTES, "cys_%s", server_secret_print(noise, hex));
    server_secret_hash(secret, strlen(secret), digest);
    return BASE_OK;
}
