/*
 * test_server_keys.c - idempotency keys: their syntax, and one acceptance per key at a time.
 */
#include <string.h>

#include "core/base/base_attr.h"
#include "core/base/base_err.h"
#include "server/server_keys.h"
#include "tests/support/support_suite.h"

static void check_parse(const char *field, const char *expected)
{
    char key[SERVER_KEY_BYTES];

    ck_assert_int_eq(server_key_parse(field, key), 0);
    ck_assert_str_eq(key, expected);
}

START_TEST(quotes_may_be_left_out)
{
    check_parse("\"8e03978e-40d5\"", "8e03978e-40d5");
    check_parse("8e03978e-40d5", "8e03978e-40d5");
    check_parse("\"with space\"", "with space");
}
END_TEST

START_TEST(malformed_keys_are_refused)
{
    char key[SERVER_KEY_BYTES], longest[SERVER_KEY_BYTES + 1];

    ck_assert_int_eq(server_key_parse("", key), BASE_ERR_SYNTAX);
    ck_assert_int_eq(server_key_parse("\"", key), BASE_ERR_SYNTAX);
    ck_assert_int_eq(server_key_parse("\"\"", key), BASE_ERR_SYNTAX);
    ck_assert_int_eq(server_key_parse("\"open", key), BASE_ERR_SYNTAX);
    ck_assert_int_eq(server_key_parse("tab\there", key), BASE_ERR_SYNTAX);
    ck_assert_int_eq(server_key_parse("\xc3\xa9", key), BASE_ERR_SYNTAX);
    memset(longest, 'a', sizeof(longest));
    longest[SERVER_KEY_BYTES] = '\0';
    ck_assert_int_eq(server_key_parse(longest, key), BASE_ERR_SYNTAX);
    longest[SERVER_KEY_BYTES - 1] = '\0';
    ck_assert_int_eq(server_key_parse(longest, key), 0);
}
END_TEST

START_TEST(keys_of_tokens_are_their_own)
{
    char a[SERVER_SCOPED_KEY_BYTES], b[SERVER_SCOPED_KEY_BYTES], longest[SERVER_KEY_BYTES];

    server_key_scope("", "alice", a);
    ck_assert_str_eq(a, "alice");
    server_key_scope("al", "ice", a);
    server_key_scope("alic", "e", b);
    ck_assert_str_ne(a, b);
    server_key_scope("", "alice", b);
    ck_assert_str_ne(a, b);
    memset(longest, 'a', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    server_key_scope("abcdefghijklmnopqrstuvwxyzabcdef", longest, a);
    ck_assert_uint_eq(strlen(a), sizeof(longest) - 1 + 33);
}
END_TEST

START_TEST(a_key_is_accepted_once_at_a_time)
{
    struct server_keys keys;
    struct server_key *a, *b, *again;

    server_keys_init(&keys);
    ck_assert_int_eq(server_keys_begin(&keys, "a", &a), 0);
    ck_assert_int_eq(server_keys_begin(&keys, "b", &b), 0);
    ck_assert_int_eq(server_keys_begin(&keys, "a", &again), BASE_ERR_BUSY);
    server_keys_end(a);
    ck_assert_int_eq(server_keys_begin(&keys, "a", &again), 0);
    server_keys_end(again);
    server_keys_end(b);
    server_keys_end(NULL);
}
END_TEST

START_TEST(digests_tell_bodies_apart)
{
    char a[SERVER_DIGEST_BYTES], b[SERVER_DIGEST_BYTES], c[SERVER_DIGEST_BYTES];

    server_key_digest("{\"a\":1}", 7, a);
    server_key_digest("{\"a\":2}", 7, b);
    server_key_digest("{\"a\":1}", 7, c);
    ck_assert_str_eq(a, c);
    ck_assert_str_ne(a, b);
    server_key_digest("", 0, b);
    ck_assert_str_ne(a, b);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {quotes_may_be_left_out, malformed_keys_are_refused,
                                  keys_of_tokens_are_their_own, a_key_is_accepted_once_at_a_time,
                                  digests_tell_bodies_apart};

    return support_suite_run("server_keys", tests, BASE_COUNT(tests), NULL, NULL, 10);
}
