/*
 * test_server_queue.c - places in line, against counting them one by one.
 */
#include <stdlib.h>

#include "core/base/base_attr.h"

#include "server/server_queue.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"

enum { PLACES = 300, STEPS = 3000, MANY = 200000 };

static bool goes_before(const struct server_place *a, const struct server_place *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority;
    return a->turn != b->turn ? a->turn < b->turn : a->seq < b->seq;
}

static void check_all(const struct server_queue *queue, const struct server_place *place)
{
    for (int i = 0; i < PLACES; i++) {
        size_t before = 0;

        for (int k = 0; k < PLACES; k++)
            before += place[k].n && goes_before(&place[k], &place[i]);
        if (place[i].n)
            ck_assert_uint_eq(server_queue_before(queue, &place[i]), before);
    }
}

START_TEST(places_are_those_of_counting)
{
    struct support_random random = {1};
    struct server_place place[PLACES] = {{.n = 0}};
    struct server_queue queue = {NULL};
    size_t n = 0;

    for (int i = 0; i < PLACES; i++) {
        place[i].priority = support_random_below(&random, 3);
        place[i].turn = support_random_below(&random, 4);
        place[i].seq = i + 1;
    }
    for (int step = 0; step < STEPS; step++) {
        struct server_place *at = &place[support_random_below(&random, PLACES)];

        if (at->n) {
            server_queue_remove(&queue, at);
            n--;
        } else {
            server_queue_add(&queue, at);
            n++;
        }
        ck_assert_uint_eq(queue.root ? queue.root->n : 0, n);
        if (step % 50 == 0)
            check_all(&queue, place);
    }
}
END_TEST

START_TEST(what_is_in_no_queue_cannot_be_removed)
{
    struct server_place a = {.seq = 1}, b = {.seq = 2};
    struct server_queue queue = {NULL};

    server_queue_add(&queue, &a);
    server_queue_remove(&queue, &b);
    ck_assert_uint_eq(server_queue_before(&queue, &a), 0);
    server_queue_remove(&queue, &a);
    server_queue_remove(&queue, &a);
    ck_assert_ptr_null(queue.root);
}
END_TEST

/* In order of acceptance, which is the common case and the worst one for a tree that does not
 * balance itself: then this would take hours. */
START_TEST(a_long_queue_is_quick)
{
    struct server_place *place = calloc(MANY, sizeof(*place));
    struct server_queue queue = {NULL};

    ck_assert_ptr_nonnull(place);
    for (int i = 0; i < MANY; i++) {
        place[i].seq = i + 1;
        server_queue_add(&queue, &place[i]);
        ck_assert_uint_eq(server_queue_before(&queue, &place[i]), (size_t)i);
    }
    for (int i = 0; i < MANY; i++) {
        ck_assert_uint_eq(server_queue_before(&queue, &place[MANY - 1]), (size_t)(MANY - 1 - i));
        server_queue_remove(&queue, &place[i]);
    }
    ck_assert_ptr_null(queue.root);
    free(place);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {places_are_those_of_counting,
                                  what_is_in_no_queue_cannot_be_removed, a_long_queue_is_quick};

    return support_suite_run("server_queue", tests, BASE_COUNT(tests), NULL, NULL, 60);
}
