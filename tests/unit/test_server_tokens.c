/*
 * test_server_tokens.c - the token-file, whatever its bytes; new tokens; tickets.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "server/server_ticket.h"
#include "server/server_tokens.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"

/* SHA-256 of "secret" and of "other". */
#define SECRET "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"
#define OTHER "d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa"

static const struct server_limits DEFAULTS = {500, 1000, 0, 0};

static int parse(const char *text, struct server_tokens *out, struct base_diag *diag)
{
    *diag = (struct base_diag){0};
    return server_tokens_parse(text, strlen(text), &DEFAULTS, out, diag);
}

START_TEST(hashes_are_sha_256)
{
    uint8_t digest[SERVER_DIGEST_SIZE], again[SERVER_DIGEST_SIZE];
    char hex[SERVER_DIGEST_HEX_BYTES];

    server_secret_hash("secret", 6, digest);
    ck_assert_str_eq(server_secret_print(digest, hex), SECRET);
    ck_assert_int_eq(server_secret_parse(hex, again), 0);
    ck_assert(server_secret_equal(digest, again));
    for (size_t i = 0; i < sizeof(again); i++) {
        again[i] ^= 1;
        ck_assert(!server_secret_equal(digest, again));
        again[i] ^= 1;
    }
}
END_TEST

START_TEST(lines_are_read)
{
    struct server_tokens tokens;
    struct base_diag diag;
    const struct server_token *token;

    ck_assert_int_eq(parse("# who\r\n\n  alice\tread,submit " SECRET
                           " jobs=20 seconds=none # hers\r\nbob admin " OTHER " requests=7 nodes=9",
                           &tokens, &diag),
                     0);
    ck_assert_uint_eq(tokens.n, 2);
    token = server_tokens_find(&tokens, "secret");
    ck_assert_str_eq(token->name, "alice");
    ck_assert_uint_eq(token->scopes, 1U << PROTO_SCOPE_READ | 1U << PROTO_SCOPE_SUBMIT);
    ck_assert_uint_eq(token->limits.jobs, 20);
    ck_assert_uint_eq(token->limits.requests, 500);
    ck_assert_uint_eq(token->limits.seconds, 0);
    token = server_tokens_find_name(&tokens, "bob");
    ck_assert_uint_eq(token->scopes, 1U << PROTO_SCOPE_ADMIN);
    ck_assert_uint_eq(token->limits.requests, 7);
    ck_assert_uint_eq(token->limits.nodes, 9);
    ck_assert_ptr_eq(server_tokens_find(&tokens, "other"), token);
    ck_assert_ptr_null(server_tokens_find(&tokens, "secre"));
    ck_assert_ptr_null(server_tokens_find(&tokens, SECRET)); /* the hash is no token */
    ck_assert_ptr_null(server_tokens_find_name(&tokens, "bo"));
    server_tokens_deinit(&tokens);
    ck_assert_int_eq(parse("", &tokens, &diag), 0);
    ck_assert_uint_eq(tokens.n, 0);
}
END_TEST

START_TEST(faults_are_told_with_their_line)
{
    static const struct {
        const char *text;
        size_t line;
        int code;
        const char *says;
    } cases[] = {
        {"alice", 1, BASE_ERR_SYNTAX, "NAME SCOPES"},
        {"\n\nalice read", 3, BASE_ERR_SYNTAX, "NAME SCOPES"},
        {"a,b read " SECRET, 1, BASE_ERR_SYNTAX, "a name"},
        {"abcdefghijklmnopqrstuvwxyzabcdefg read " SECRET, 1, BASE_ERR_SYNTAX, "a name"},
        {"alice write " SECRET, 1, BASE_ERR_SYNTAX, "scopes are"},
        {"alice read, " SECRET, 1, BASE_ERR_SYNTAX, "scopes are"},
        {"alice ,read " SECRET, 1, BASE_ERR_SYNTAX, "scopes are"},
        {"alice Read " SECRET, 1, BASE_ERR_SYNTAX, "scopes are"},
        {"alice read secret", 1, BASE_ERR_SYNTAX, "SHA-256"},
        {"alice read " SECRET "0", 1, BASE_ERR_SYNTAX, "SHA-256"},
        {"alice read x" OTHER, 1, BASE_ERR_SYNTAX, "SHA-256"},
        {"alice read " SECRET " job=5", 1, BASE_ERR_SYNTAX, "a limit is"},
        {"alice read " SECRET " jobs=", 1, BASE_ERR_RANGE, "jobs="},
        {"alice read " SECRET " jobs=0", 1, BASE_ERR_RANGE, "jobs="},
        {"alice read " SECRET " jobs=-1", 1, BASE_ERR_RANGE, "jobs="},
        {"alice read " SECRET " jobs=99999999999999999999999", 1, BASE_ERR_RANGE, "jobs="},
        {"alice read " SECRET " requests=1000001", 1, BASE_ERR_RANGE, "requests="},
        {"alice read " SECRET " jobs=1 jobs=1 jobs=1 jobs=1 jobs=1", 1, BASE_ERR_SYNTAX, "NAME"},
        {"alice read " SECRET "\nalice read " OTHER, 2, BASE_ERR_CONFLICT, "alice"},
        {"alice read " SECRET "\nbob read " SECRET, 2, BASE_ERR_CONFLICT, "the token"},
    };

    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct server_tokens tokens;
        struct base_diag diag;

        ck_assert_int_eq(parse(cases[i].text, &tokens, &diag), cases[i].code);
        ck_assert_uint_eq(diag.position, cases[i].line);
        ck_assert_msg(strstr(diag.text, cases[i].says), "%s: %s", cases[i].text, diag.text);
        ck_assert_ptr_null(tokens.token);
    }
}
END_TEST

/* Bytes of all kinds, and a good file with some of its bytes replaced: no crash, and what is taken
 * is well-formed. */
START_TEST(hostile_files_do_no_harm)
{
    static const char good[] = "alice read,submit " SECRET " jobs=20\n# x\nbob admin " OTHER "\n";
    static const char alphabet[] = "\0\n\r\t #,=-09afgz\x80\xff";
    struct support_random random = {7};
    unsigned n_taken = 0;

    for (unsigned round = 0; round < 20000; round++) {
        struct server_tokens tokens;
        char text[sizeof(good)];
        size_t length = sizeof(good) - 1;

        memcpy(text, good, sizeof(good));
        for (unsigned n = support_random_below(&random, 4); n; n--)
            text[support_random_below(&random, (unsigned)length)] =
                alphabet[support_random_below(&random, sizeof(alphabet))];
        if (round % 4 == 0)
            length = support_random_below(&random, (unsigned)length);
        if (server_tokens_parse(text, length, &DEFAULTS, &tokens, NULL))
            continue;
        n_taken++;
        for (size_t i = 0; i < tokens.n; i++) {
            ck_assert(server_token_is_name(tokens.token[i].name));
            ck_assert_uint_ne(tokens.token[i].scopes, 0);
        }
        server_tokens_deinit(&tokens);
    }
    ck_assert_uint_gt(n_taken, 1000);
    ck_assert_uint_lt(n_taken, 19000);
}
END_TEST

START_TEST(lines_and_files_have_a_limit)
{
    struct server_tokens tokens;
    struct base_diag diag = {0};
    struct base_buf text = {0};

    for (unsigned i = 0; i < 2000; i++)
        base_buf_byte(&text, ' ');
    ck_assert_int_eq(server_tokens_parse(text.data, text.length, &DEFAULTS, &tokens, &diag),
                     BASE_ERR_TOO_LARGE);
    base_buf_clear(&text);
    for (unsigned i = 0; i <= SERVER_TOKENS_MAX; i++)
        base_buf_printf(&text, "n%u read %064x\n", i, i);
    ck_assert_int_eq(server_tokens_parse(text.data, text.length, &DEFAULTS, &tokens, &diag),
                     BASE_ERR_TOO_LARGE);
    ck_assert_uint_eq(diag.position, SERVER_TOKENS_MAX + 1);
    ck_assert_int_eq(server_tokens_parse("a\0b", 3, &DEFAULTS, &tokens, &diag), BASE_ERR_SYNTAX);
    base_buf_deinit(&text);
}
END_TEST

static int read_with_mode(mode_t mode, struct base_diag *diag)
{
    char path[] = "/tmp/test_server_tokens.XXXXXX";
    struct server_tokens tokens;
    int fd = mkstemp(path), code;

    ck_assert_int_eq(write(fd, "alice read " SECRET "\n", 76), 76);
    ck_assert_int_eq(fchmod(fd, mode), 0);
    close(fd);
    code = server_tokens_read(path, &DEFAULTS, &tokens, diag);
    unlink(path);
    ck_assert_uint_eq(tokens.n, code ? 0 : 1);
    server_tokens_deinit(&tokens);
    return code;
}

START_TEST(files_that_others_may_write_are_refused)
{
    struct server_tokens tokens;
    struct base_diag diag = {0};

    ck_assert_int_eq(read_with_mode(0600, &diag), 0);
    ck_assert_int_eq(read_with_mode(0644, &diag), 0);
    ck_assert_int_eq(read_with_mode(0664, &diag), BASE_ERR_IO);
    ck_assert_int_eq(read_with_mode(0602, &diag), BASE_ERR_IO);
    ck_assert_ptr_nonnull(strstr(diag.text, "chmod go-w"));
    ck_assert_int_eq(server_tokens_read("/tmp", &DEFAULTS, &tokens, &diag), BASE_ERR_IO);
    ck_assert_int_eq(server_tokens_read("/nowhere", &DEFAULTS, &tokens, &diag), BASE_ERR_IO);
    ck_assert_ptr_nonnull(strstr(diag.text, "/nowhere"));
}
END_TEST

START_TEST(new_tokens_are_found_by_their_hash)
{
    char secret[SERVER_TOKEN_BYTES], second[SERVER_TOKEN_BYTES], hex[SERVER_DIGEST_HEX_BYTES];
    uint8_t digest[SERVER_DIGEST_SIZE];
    struct server_tokens tokens;
    struct base_diag diag;
    char line[200];

    ck_assert_int_eq(server_token_new(second, digest), 0);
    ck_assert_int_eq(server_token_new(secret, digest), 0);
    ck_assert_str_ne(secret, second);
    ck_assert_uint_eq(strlen(secret), SERVER_TOKEN_BYTES - 1);
    snprintf(line, sizeof(line), "a read %s", server_secret_print(digest, hex));
    ck_assert_int_eq(parse(line, &tokens, &diag), 0);
    ck_assert_ptr_nonnull(server_tokens_find(&tokens, secret));
    ck_assert_ptr_null(server_tokens_find(&tokens, second));
    server_tokens_deinit(&tokens);
}
END_TEST

START_TEST(tickets_are_for_one_stream_and_a_while)
{
    struct server_tickets ours, others;
    char text[SERVER_TICKET_BYTES], name[SERVER_TOKEN_NAME_BYTES];

    ck_assert_int_eq(server_tickets_init(&ours), 0);
    ck_assert_int_eq(server_tickets_init(&others), 0);
    server_ticket_print(&ours, "j_1", "alice", 5000, text);
    ck_assert_int_eq(server_ticket_check(&ours, "j_1", text, 4999, name), 0);
    ck_assert_str_eq(name, "alice");
    ck_assert_int_eq(server_ticket_check(&ours, "j_1", text, 5000, name), BASE_ERR_RANGE);
    ck_assert_int_eq(server_ticket_check(&ours, "j_2", text, 0, name), BASE_ERR_NOT_FOUND);
    ck_assert_int_eq(server_ticket_check(&others, "j_1", text, 0, name), BASE_ERR_NOT_FOUND);
    server_ticket_print(&ours, "j_1", "", 5000, text);
    ck_assert_int_eq(server_ticket_check(&ours, "j_1", text, 0, name), 0);
    ck_assert_str_eq(name, "");
}
END_TEST

/* Every byte of a ticket counts, and no shortened one is good. */
START_TEST(changed_tickets_are_refused)
{
    struct server_tickets tickets;
    char text[SERVER_TICKET_BYTES], name[SERVER_TOKEN_NAME_BYTES];
    size_t length;

    ck_assert_int_eq(server_tickets_init(&tickets), 0);
    server_ticket_print(&tickets, "j_1", "alice", 5000, text);
    length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        char kept = text[i];

        text[i] = kept == '1' ? '2' : '1';
        ck_assert_int_ne(server_ticket_check(&tickets, "j_1", text, 0, name), 0);
        text[i] = '\0';
        ck_assert_int_ne(server_ticket_check(&tickets, "j_1", text, 0, name), 0);
        text[i] = kept;
    }
    ck_assert_int_eq(server_ticket_check(&tickets, "j_1", text, 0, name), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        hashes_are_sha_256,
        lines_are_read,
        faults_are_told_with_their_line,
        hostile_files_do_no_harm,
        lines_and_files_have_a_limit,
        files_that_others_may_write_are_refused,
        new_tokens_are_found_by_their_hash,
        tickets_are_for_one_stream_and_a_while,
        changed_tickets_are_refused,
    };

    return support_suite_run("server_tokens", tests, BASE_COUNT(tests), NULL, NULL, 10);
}
