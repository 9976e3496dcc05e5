/*
 * test_server_limit.c - token buckets on a clock of their own, principals, and connections that
 * make room for each other.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/base_attr.h"
#include "server/server_conn.h"
#include "server/server_limit.h"
#include "server/server_principal.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"

/* ---- buckets -------------------------------------------------------------------------- */

static unsigned take_all(struct server_bucket *bucket, uint64_t quota, uint64_t now_ms)
{
    unsigned n = 0;

    while (server_bucket_take(bucket, quota, now_ms))
        n++;
    return n;
}

START_TEST(a_bucket_starts_full_and_fills_in_the_window)
{
    struct server_bucket bucket = {0};

    ck_assert_uint_eq(take_all(&bucket, 20, 1000), 20);
    ck_assert_uint_eq(take_all(&bucket, 20, 1499), 0);
    ck_assert_uint_eq(take_all(&bucket, 20, 1500), 1); /* one in half a second */
    ck_assert_uint_eq(take_all(&bucket, 20, 3500), 4);
    ck_assert_uint_eq(take_all(&bucket, 20, 13499), 19);
    ck_assert_uint_eq(take_all(&bucket, 20, UINT64_MAX), 20);
}
END_TEST

START_TEST(refusals_cost_nothing)
{
    struct server_bucket bucket = {0};

    ck_assert_uint_eq(take_all(&bucket, 1, 0), 1);
    for (uint64_t now_ms = 1; now_ms < 10000; now_ms++)
        ck_assert(!server_bucket_take(&bucket, 1, now_ms));
    ck_assert(server_bucket_take(&bucket, 1, 10000));
}
END_TEST

START_TEST(a_client_is_told_when_to_come_again)
{
    struct server_bucket bucket = {0};
    struct server_bucket_state state = server_bucket_look(&bucket, 5, 0);

    ck_assert_uint_eq(state.remaining, 5);
    ck_assert_uint_eq(state.full_s, 0);
    ck_assert_uint_eq(state.next_s, 0);
    ck_assert_uint_eq(take_all(&bucket, 5, 0), 5);
    state = server_bucket_look(&bucket, 5, 0);
    ck_assert_uint_eq(state.remaining, 0);
    ck_assert_uint_eq(state.full_s, 10);
    ck_assert_uint_eq(state.next_s, 2);
    state = server_bucket_look(&bucket, 5, 1500);
    ck_assert_uint_eq(state.next_s, 1);
    ck_assert_uint_eq(state.full_s, 9);
    ck_assert(!server_bucket_take(&bucket, 5, 1999));
    ck_assert(server_bucket_take(&bucket, 5, 2000)); /* as was told */
}
END_TEST

START_TEST(a_quota_may_change)
{
    struct server_bucket bucket = {0};

    ck_assert_uint_eq(take_all(&bucket, 1000, 0), 1000);
    ck_assert_uint_eq(take_all(&bucket, 2, 5000), 1); /* half a window, however deep it was */
    ck_assert_uint_eq(take_all(&bucket, 1000000, 5000), 999998);
}
END_TEST

/* Whatever the pace: never more than the quota and what has flowed in. */
START_TEST(no_pace_gets_more)
{
    struct support_random random = {5};

    for (unsigned round = 0; round < 200; round++) {
        uint64_t quota = 1 + support_random_below(&random, 50), now_ms = 0, n = 0;
        struct server_bucket bucket = {0};

        for (unsigned i = 0; i < 500; i++) {
            now_ms += support_random_below(&random, 2000);
            n += server_bucket_take(&bucket, quota, now_ms);
            ck_assert_uint_le(n, quota + quota * now_ms / 10000);
        }
    }
}
END_TEST

START_TEST(limits_depend_on_who_asks)
{
    struct config config = {.max_requests_each = CONFIG_LIMIT_AUTO,
                            .max_jobs_each = CONFIG_LIMIT_AUTO,
                            .max_job_seconds = 60};
    struct server_limits limits = server_limits_of(&config, true);

    ck_assert_uint_eq(limits.requests + limits.jobs, 0);
    ck_assert_uint_eq(limits.seconds, 60);
    limits = server_limits_of(&config, false);
    ck_assert_uint_eq(limits.requests, 500);
    ck_assert_uint_eq(limits.jobs, 1000);
    config.max_requests_each = 7;
    ck_assert_uint_eq(server_limits_of(&config, true).requests, 7);
    config.max_requests_each = CONFIG_LIMIT_NONE;
    ck_assert_uint_eq(server_limits_of(&config, false).requests, 0);
}
END_TEST

/* ---- principals ----------------------------------------------------------------------- */

static struct server_principals principals;

START_TEST(principals_are_remembered_while_there_is_room)
{
    struct server_principal *busy, *other;
    char key[SERVER_PRINCIPAL_KEY_BYTES];

    server_principals_init(&principals);
    busy = server_principal_acquire(&principals, "token busy");
    ck_assert(server_bucket_take(&busy->bucket, 1, 0));
    other = server_principal_acquire(&principals, "token old");
    server_principal_release(other);
    ck_assert_ptr_eq(server_principal_acquire(&principals, "token old"), other);
    server_principal_release(other);
    for (unsigned i = 0; i < 2 * SERVER_PRINCIPALS_IDLE; i++) {
        snprintf(key, sizeof(key), "address %u", i);
        server_principal_release(server_principal_acquire(&principals, key));
    }
    ck_assert_uint_eq(principals.n_idle, SERVER_PRINCIPALS_IDLE);
    ck_assert_uint_eq(principals.n, SERVER_PRINCIPALS_IDLE + 1);
    ck_assert_ptr_eq(server_principal_acquire(&principals, "token busy"), busy);
    server_principal_release(busy);
    server_principal_release(busy);
    server_principals_deinit(&principals);
    ck_assert_uint_eq(principals.n, 0);
}
END_TEST

START_TEST(jobs_keep_their_principal)
{
    struct server_principal *principal;

    server_principals_init(&principals);
    principal = server_principal_acquire(&principals, "token a");
    server_principal_add_jobs(principal, 3);
    server_principal_release(principal);
    ck_assert_uint_eq(principals.n_idle, 0);
    server_principal_remove_jobs(principal, 2);
    ck_assert_uint_eq(principal->n_jobs, 1);
    server_principal_remove_jobs(principal, 0);
    ck_assert_uint_eq(principals.n_idle, 0);
    server_principal_remove_jobs(principal, 1);
    ck_assert_uint_eq(principals.n_idle, 1);
    server_principal_remove_jobs(NULL, 1);
    server_principals_deinit(&principals);
}
END_TEST

static bool key_of(int family, const char *text, char *out)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = 7};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = 7};

    if (family == AF_INET) {
        inet_pton(family, text, &v4.sin_addr);
        return server_principal_key_of_address((struct sockaddr *)&v4, out);
    }
    inet_pton(family, text, &v6.sin6_addr);
    return server_principal_key_of_address((struct sockaddr *)&v6, out);
}

START_TEST(addresses_without_ports_and_networks_of_ipv6)
{
    char key[SERVER_PRINCIPAL_KEY_BYTES];

    ck_assert(!key_of(AF_INET, "192.0.2.7", key));
    ck_assert_str_eq(key, "address 192.0.2.7");
    ck_assert(key_of(AF_INET, "127.8.9.1", key));
    ck_assert(!key_of(AF_INET6, "2001:db8:1:2:3:4:5:6", key));
    ck_assert_str_eq(key, "address 2001:db8:1:2::/64");
    ck_assert(key_of(AF_INET6, "::1", key));
    ck_assert(!key_of(AF_INET6, "::2", key));
    ck_assert(server_principal_key_of_address(NULL, key));
    ck_assert_str_eq(key, "address unix");
}
END_TEST

/* ---- connections ---------------------------------------------------------------------- */

enum { MAX = 3 };

static struct server_conns conns;
static int far_end[16];

static void open_conns(void)
{
    const struct config config = {.max_connections = MAX,
                                  .header_seconds = 10,
                                  .body_seconds = 30,
                                  .reply_seconds = 120,
                                  .idle_seconds = 20};

    server_conns_init(&conns);
    server_conns_tune(&conns, &config);
}

static struct server_conn *open_conn(unsigned i, uint64_t now_ms)
{
    int pair[2];

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    far_end[i] = pair[1];
    return server_conn_new(&conns, pair[0], now_ms);
}

/* Has the client been told the end? */
static bool is_over(unsigned i)
{
    char byte;

    return recv(far_end[i], &byte, 1, MSG_DONTWAIT) == 0;
}

START_TEST(who_owes_bytes_for_longest_makes_room)
{
    struct server_conn *conn[6];

    open_conns();
    for (unsigned i = 0; i < MAX; i++)
        conn[i] = open_conn(i, i);
    server_conn_expect(&conns, conn[0], 3, SERVER_CONN_NONE); /* a stream */
    server_conn_expect(&conns, conn[1], 4, SERVER_CONN_IDLE); /* waits since later than 2 */
    ck_assert(!server_conns_is_full(&conns));
    conn[3] = open_conn(3, 5);
    ck_assert(!is_over(0) && !is_over(1) && is_over(2) && !is_over(3));
    ck_assert(!server_conns_is_full(&conns)); /* the ended one no longer counts */
    conn[4] = open_conn(4, 6);
    ck_assert(is_over(1) && !is_over(3));
    server_conn_free(&conns, conn[2]);
    server_conn_free(&conns, conn[1]);
    ck_assert_uint_eq(conns.n, 3);
    ck_assert_uint_eq(conns.n_ended, 0);
    ck_assert_uint_eq(conns.n_displaced, 2);
}
END_TEST

START_TEST(busy_ones_are_left_alone)
{
    struct server_conn *conn;

    open_conns();
    for (unsigned i = 0; i < MAX; i++)
        server_conn_expect(&conns, open_conn(i, 0), 0, i ? SERVER_CONN_REPLY : SERVER_CONN_NONE);
    conn = open_conn(3, 0);
    ck_assert(server_conns_is_full(&conns));
    for (unsigned i = 0; i <= MAX; i++)
        ck_assert(!is_over(i));
    open_conn(4, 1);
    ck_assert(is_over(3)); /* newcomers displace each other only */
    ck_assert(server_conns_is_full(&conns));
    server_conn_free(&conns, conn);
}
END_TEST

START_TEST(deadlines_do_not_move_with_bytes)
{
    struct server_conn *conn[2];

    open_conns();
    conn[0] = open_conn(0, 1000);
    conn[1] = open_conn(1, 1000);
    server_conn_expect(&conns, conn[1], 2000, SERVER_CONN_BODY);
    server_conns_sweep(&conns, 10999);
    ck_assert(!is_over(0));
    server_conns_sweep(&conns, 11000);
    ck_assert(is_over(0) && !is_over(1));
    server_conn_expect(&conns, conn[0], 11000, SERVER_CONN_IDLE); /* nothing revives it */
    server_conns_sweep(&conns, 31999);
    ck_assert(!is_over(1));
    server_conn_expect(&conns, conn[1], 31999, SERVER_CONN_NONE);
    server_conns_sweep(&conns, UINT64_MAX);
    ck_assert(!is_over(1));
    ck_assert_uint_eq(conns.n_expired, 1);
    ck_assert_uint_eq(conns.n_ended, 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_bucket_starts_full_and_fills_in_the_window,
        refusals_cost_nothing,
        a_client_is_told_when_to_come_again,
        a_quota_may_change,
        no_pace_gets_more,
        limits_depend_on_who_asks,
        principals_are_remembered_while_there_is_room,
        jobs_keep_their_principal,
        addresses_without_ports_and_networks_of_ipv6,
        who_owes_bytes_for_longest_makes_room,
        busy_ones_are_left_alone,
        deadlines_do_not_move_with_bytes,
    };

    return support_suite_run("server_limit", tests, BASE_COUNT(tests), NULL, NULL, 10);
}
