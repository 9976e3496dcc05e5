/*
 * fuzz_tokens.c - the file of tokens: what is read, written as lines and read again is the same.
 */
#include <inttypes.h>
#include <string.h>

#include "core/base/base_buf.h"
#include "server/server_tokens.h"
#include "tests/fuzz/harness.h"

static const struct server_limits defaults = {500, 1000, 0, 0};

static void print_limit(struct base_buf *out, const char *name, uint64_t value)
{
    if (value)
        base_buf_printf(out, " %s=%" PRIu64, name, value);
    else
        base_buf_printf(out, " %s=none", name);
}

static void print_line(struct base_buf *out, const struct server_token *token)
{
    char scopes[SERVER_TOKEN_SCOPES_BYTES], digest[SERVER_DIGEST_HEX_BYTES];
    base_buf_printf(out, "%s %s %s", token->name, server_token_print_scopes(token->scopes, scopes),
                    server_secret_print(token->digest, digest));
    print_limit(out, "requests", token->limits.requests);
    print_limit(out, "jobs", token->limits.jobs);
    print_limit(out, "seconds", token->limits.seconds);
    print_limit(out, "nodes", token->limits.nodes);
    base_buf_byte(out, '\n');
}

static void print_all(const struct server_tokens *tokens, struct base_buf *out)
{
    for (size_t i = 0; i < tokens->n; i++)
        print_line(out, &tokens->token[i]);
    BASE_ASSERT(!out->error);
}

static void print_and_parse(const struct server_tokens *tokens)
{
    struct base_buf text = {0}, again_text = {0};
    struct server_tokens again;
    print_all(tokens, &text);
    BASE_ASSERT(!server_tokens_parse(base_buf_str(&text), text.length, &defaults, &again, NULL));
    print_all(&again, &again_text);
    BASE_ASSERT(tokens->n == again.n && !strcmp(base_buf_str(&text), base_buf_str(&again_text)));
    for (size_t i = 0; i < tokens->n; i++)
        BASE_ASSERT(server_tokens_find_name(&again, tokens->token[i].name) == &again.token[i]);
    server_tokens_deinit(&again);
    base_buf_deinit(&text);
    base_buf_deinit(&again_text);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct server_tokens tokens;
    struct base_diag diag = {0};
    if (server_tokens_parse((const char *)data, size, &defaults, &tokens, &diag)) {
        BASE_ASSERT(diag.text[0]);
        return 0;
    }
    print_and_parse(&tokens);
    server_tokens_deinit(&tokens);
    return 0;
}
