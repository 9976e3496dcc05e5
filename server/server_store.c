/*
 * server_store.c - the queue, the writer thread and group commit.
 *
 * The writer takes the whole queue at once and puts it into one transaction, so that a burst of
 * submissions costs one synchronous write. While it writes, the next group gathers.
 *
 * One mutex guards the two lists and the flags; nothing is called with it held.
 */
#include "server/server_store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "server/server_store_backend.h"

struct store_list {
    struct server_store_op *head, **tail;
};

struct server_store {
    struct server_store_backend backend;
    void *self;
    void (*notify)(void *);
    void *notify_arg;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct store_list waiting; /* guarded by lock */
    struct store_list done;    /* guarded by lock */
    bool stop;                 /* guarded by lock */
    int health;                /* guarded by lock */
    size_t backlog;            /* loop thread only */
};

static void list_init(struct store_list *list)
{
    list->head = NULL;
    list->tail = &list->head;
}

static void list_add(struct store_list *list, struct server_store_op *op)
{
    op->next = NULL;
    *list->tail = op;
    list->tail = &op->next;
}

static struct server_store_op *list_take(struct store_list *list)
{
    struct server_store_op *head = list->head;

    list_init(list);
    return head;
}

/* ---- ops ------------------------------------------------------------------------------ */

struct server_store_op *server_store_op_new(enum server_store_verb verb)
{
    struct server_store_op *op = calloc(1, sizeof(*op));

    if (op)
        op->verb = verb;
    return op;
}

void server_store_op_free(struct server_store_op *op)
{
    if (!op)
        return;
    base_arena_deinit(&op->arena);
    free(op);
}

const char *server_store_op_text(struct server_store_op *op, const char *text)
{
    return text ? base_arena_text(&op->arena, text, strlen(text)) : NULL;
}

bool server_store_op_bytes(struct server_store_op *op, const void *bytes, size_t length)
{
    void *copy = base_arena_alloc(&op->arena, length + 1);

    if (!copy)
        return false;
    memcpy(copy, bytes, length);
    op->checkpoint = copy;
    op->checkpoint_bytes = length;
    return true;
}

/* ---- the writer ----------------------------------------------------------------------- */

static int apply(struct server_store *store, struct server_store_op *op)
{
    const struct server_store_backend *backend = &store->backend;

    switch (op->verb) {
    case SERVER_STORE_ENQUEUE:
        return backend->enqueue(store->self, op);
    case SERVER_STORE_CLAIM:
        return backend->claim(store->self, op);
    case SERVER_STORE_HEARTBEAT:
        return backend->heartbeat(store->self, op);
    case SERVER_STORE_APPEND:
        return backend->append(store->self, op);
    case SERVER_STORE_TRANSITION:
        return backend->transition(store->self, op);
    case SERVER_STORE_CHECKPOINT:
        return backend->checkpoint(store->self, op);
    case SERVER_STORE_FINISH:
        return backend->finish(store->self, op);
    case SERVER_STORE_CANCEL:
        return backend->cancel(store->self, op);
    case SERVER_STORE_REMOVE:
        return backend->remove(store->self, op);
    case SERVER_STORE_ENQUEUE_BATCH:
        return backend->enqueue_batch(store->self, op);
    case SERVER_STORE_CANCEL_BATCH:
        return backend->cancel_batch(store->self, op);
    case SERVER_STORE_REMOVE_BATCH:
        return backend->remove_batch(store->self, op);
    case SERVER_STORE_PRUNE:
        return backend->prune(store->self, op);
    }
    return BASE_ERR_INTERNAL;
}

/* Refusals of the op itself; everything else says that the database is in trouble. */
static bool is_refusal(int status)
{
    return status == BASE_ERR_CONFLICT || status == BASE_ERR_NOT_FOUND || status == BASE_ERR_NOMEM;
}

static void fail_all(struct server_store_op *group, int status)
{
    for (struct server_store_op *op = group; op; op = op->next)
        op->status = status;
}

/* One transaction. A database in trouble fails the group as a whole: none of it is durable, and the
 * callers, who alone know what can be tried again, are told. */
static int write_group(struct server_store *store, struct server_store_op *group)
{
    int status = store->backend.begin(store->self);

    for (struct server_store_op *op = group; op && !status; op = op->next) {
        op->status = apply(store, op);
        if (op->status && !is_refusal(op->status))
            status = op->status;
    }
    if (!status)
        status = store->backend.commit(store->self);
    if (status) {
        store->backend.rollback(store->self);
        fail_all(group, status);
    }
    return status;
}

/* `health` NULL: the group says nothing about the store. */
static void deliver(struct server_store *store, struct server_store_op *group, const int *health)
{
    pthread_mutex_lock(&store->lock);
    if (health)
        store->health = *health;
    for (struct server_store_op *op = group, *next; op; op = next) {
        next = op->next;
        list_add(&store->done, op);
    }
    pthread_mutex_unlock(&store->lock);
    store->notify(store->notify_arg);
}

/* NULL: asked to stop, and nothing is left. */
static struct server_store_op *next_group(struct server_store *store)
{
    struct server_store_op *group;

    pthread_mutex_lock(&store->lock);
    while (!store->waiting.head && !store->stop)
        pthread_cond_wait(&store->wake, &store->lock);
    group = list_take(&store->waiting);
    pthread_mutex_unlock(&store->lock);
    return group;
}

/* Checkpoints are large and can be done without: they have a transaction of their own behind the
 * others, which they do not take with them if there is no space for them. */
static void write_all(struct server_store *store, struct server_store_op *group)
{
    struct store_list others, checkpoints;
    int status;

    list_init(&others);
    list_init(&checkpoints);
    for (struct server_store_op *op = group, *next; op; op = next) {
        next = op->next;
        list_add(op->verb == SERVER_STORE_CHECKPOINT ? &checkpoints : &others, op);
    }
    if (others.head) {
        status = write_group(store, others.head);
        deliver(store, others.head, &status);
    }
    if (checkpoints.head) {
        write_group(store, checkpoints.head);
        deliver(store, checkpoints.head, NULL);
    }
}

static void *writer_main(void *arg)
{
    struct server_store *store = arg;
    struct server_store_op *group;

    while ((group = next_group(store)) != NULL)
        write_all(store, group);
    return NULL;
}

/* ---- the loop's side ------------------------------------------------------------------ */

int server_store_new(const struct server_store_backend *backend, void *self, void (*notify)(void *),
                     void *notify_arg, struct server_store **out)
{
    struct server_store *store = calloc(1, sizeof(*store));

    if (!store) {
        backend->close(self);
        return BASE_ERR_NOMEM;
    }
    store->backend = *backend;
    store->self = self;
    store->notify = notify;
    store->notify_arg = notify_arg;
    list_init(&store->waiting);
    list_init(&store->done);
    pthread_mutex_init(&store->lock, NULL);
    pthread_cond_init(&store->wake, NULL);
    if (pthread_create(&store->thread, NULL, writer_main, store)) {
        backend->close(self);
        free(store);
        return BASE_ERR_IO;
    }
    *out = store;
    return 0;
}

void server_store_free(struct server_store *store)
{
    if (!store)
        return;
    pthread_mutex_lock(&store->lock);
    store->stop = true;
    pthread_cond_signal(&store->wake);
    pthread_mutex_unlock(&store->lock);
    pthread_join(store->thread, NULL);
    while (store->backlog)
        server_store_poll(store);
    store->backend.close(store->self);
    pthread_cond_destroy(&store->wake);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

/* A callback of the last poll may still submit: the writer is gone, so the op comes back refused.
 */
void server_store_submit(struct server_store *store, struct server_store_op *op)
{
    store->backlog++;
    pthread_mutex_lock(&store->lock);
    if (store->stop)
        op->status = BASE_ERR_CANCELLED;
    list_add(store->stop ? &store->done : &store->waiting, op);
    pthread_cond_signal(&store->wake);
    pthread_mutex_unlock(&store->lock);
}

void server_store_poll(struct server_store *store)
{
    struct server_store_op *group;

    pthread_mutex_lock(&store->lock);
    group = list_take(&store->done);
    pthread_mutex_unlock(&store->lock);
    for (struct server_store_op *op = group, *next; op; op = next) {
        next = op->next;
        store->backlog--;
        op->done(op);
    }
}

size_t server_store_backlog(const struct server_store *store)
{
    return store->backlog;
}

int server_store_health(struct server_store *store)
{
    int health;

    pthread_mutex_lock(&store->lock);
    health = store->health;
    pthread_mutex_unlock(&store->lock);
    return health;
}

/* ---- reads ---------------------------------------------------------------------------- */

int server_store_load(struct server_store *store, const char *id, struct base_arena *arena,
                      struct server_store_job *out)
{
    return store->backend.load(store->self, id, arena, out);
}

int server_store_visit_live(struct server_store *store, server_store_job_fn *visit, void *arg)
{
    return store->backend.visit_live(store->self, visit, arg);
}

int server_store_visit_jobs(struct server_store *store, const struct server_store_filter *filter,
                            server_store_job_fn *visit, void *arg)
{
    return store->backend.visit_jobs(store->self, filter, visit, arg);
}

int server_store_visit_events(struct server_store *store, const char *id, uint64_t after,
                              unsigned limit, server_store_event_fn *visit, void *arg)
{
    return store->backend.visit_events(store->self, id, after, limit, visit, arg);
}

int server_store_visit_solutions(struct server_store *store, int64_t result_id, uint64_t first,
                                 unsigned limit, server_store_solution_fn *visit, void *arg)
{
    return store->backend.visit_solutions(store->self, result_id, first, limit, visit, arg);
}

int server_store_load_batch(struct server_store *store, const char *id, struct base_arena *arena,
                            struct server_store_batch *out)
{
    return store->backend.load_batch(store->self, id, arena, out);
}

int server_store_pulse_batch(struct server_store *store, const char *id,
                             struct server_store_pulse *out)
{
    return store->backend.pulse_batch(store->self, id, out);
}

int server_store_visit_batches(struct server_store *store, int64_t before_seq, unsigned limit,
                               server_store_batch_fn *visit, void *arg)
{
    return store->backend.visit_batches(store->self, before_seq, limit, visit, arg);
}

int server_store_visit_batch_events(struct server_store *store, const char *id, uint64_t after,
                                    unsigned limit, server_store_batch_event_fn *visit, void *arg)
{
    return store->backend.visit_batch_events(store->self, id, after, limit, visit, arg);
}
