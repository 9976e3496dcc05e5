/*
 * server_tool_token.c - cyclosolve token new: a token, shown once, and its line for the token-file.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/base_err.h"
#include "proto/proto_write.h"
#include "server/server_tokens.h"
#include "server/server_tool.h"

struct made {
    char secret[SERVER_TOKEN_BYTES];
    struct base_buf line; /* for the file, without its end */
};

static int print(const struct server_tool_options *options, const struct made *made)
{
    struct proto_writer writer = {0};

    if (!options->json) {
        printf("The token, which is kept nowhere and shown only here:\n\n    %s\n\n"
               "Its line for the token-file of cyclosolved, which reads it at SIGHUP:\n\n    %s\n",
               made->secret, base_buf_str(&made->line));
        return server_tool_finish(SERVER_TOOL_OK);
    }
    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "token", made->secret);
    proto_write_text(&writer, "line", base_buf_str(&made->line));
    proto_write_object_end(&writer);
    return server_tool_print_json(proto_writer_take(&writer), SERVER_TOOL_OK);
}

/* The line must be one that the daemon takes; its parser says so. */
static int check(const struct base_buf *line)
{
    const struct server_limits none = {0};
    struct server_tokens tokens;
    struct base_diag diag = {0};

    if (line->error || strchr(base_buf_str(line), '\n') ||
        server_tokens_parse(line->data, line->length, &none, &tokens, &diag)) {
        server_tool_complain("this makes no line of a token-file: %s", diag.text);
        return SERVER_TOOL_USAGE;
    }
    server_tokens_deinit(&tokens);
    return SERVER_TOOL_OK;
}

static int make(const struct server_tool_options *options, unsigned scopes, struct made *out)
{
    char have[SERVER_TOKEN_SCOPES_BYTES], hex[SERVER_DIGEST_HEX_BYTES];
    uint8_t digest[SERVER_DIGEST_SIZE];

    if (server_token_new(out->secret, digest)) {
        server_tool_complain("the kernel gives no random bytes");
        return SERVER_TOOL_FAILED;
    }
    base_buf_printf(&out->line, "%s %s %s", options->arg[0],
                    server_token_print_scopes(scopes, have), server_secret_print(digest, hex));
    if (options->limits)
        base_buf_printf(&out->line, " %s", options->limits);
    return check(&out->line);
}

int server_tool_token_new(const struct server_tool_options *options)
{
    struct made made = {0};
    struct base_diag diag = {0};
    unsigned scopes;
    int status;

    if (!server_token_is_name(options->arg[0])) {
        server_tool_complain("'%.40s' is no name: that is 1 to %d of A-Z a-z 0-9 _ and -",
                             options->arg[0], SERVER_TOKEN_NAME_BYTES - 1);
        return SERVER_TOOL_USAGE;
    }
    if (server_token_parse_scopes(options->scopes ? options->scopes : "read,submit", &scopes,
                                  &diag)) {
        server_tool_complain("--scopes: %s", diag.text);
        return SERVER_TOOL_USAGE;
    }
    status = make(options, scopes, &made);
    if (status == SERVER_TOOL_OK)
        status = print(options, &made);
    base_buf_deinit(&made.line);
    return status;
}
