/*
 * server_store_sqlite_prune.c - what has ended makes room: by age, and by the size of the store.
 *
 * A batch goes as a whole, once all its jobs have ended. Of batches the first accepted one that has
 * ended counts as the oldest; its end may lie behind that of a later one, which then waits for it.
 */
#include "core/base/base_err.h"
#include "server/server_store_sqlite_int.h"

struct oldest {
    const char *id; /* in the op's arena; NULL: there is none */
    int64_t ended_us;
    bool is_batch;
};

static int find(struct sqlite_link *link, struct server_store_op *op, enum sqlite_statement which,
                struct oldest *out)
{
    sqlite3_stmt *row = sqlite__begin(link, which, "");
    int status = sqlite__step(link, row);

    *out = (struct oldest){.is_batch = which == SQLITE_BATCH_OLDEST_STATEMENT};
    if (status == 1) {
        out->id = server_store_op_text(op, sqlite__text(row, 0));
        out->ended_us = sqlite3_column_int64(row, 1);
        status = out->id ? 0 : BASE_ERR_NOMEM;
    }
    sqlite__end(row);
    return status;
}

static int find_oldest(struct sqlite_link *link, struct server_store_op *op, struct oldest *out)
{
    struct oldest batch;
    int status = find(link, op, SQLITE_JOB_OLDEST_STATEMENT, out);

    if (!status)
        status = find(link, op, SQLITE_BATCH_OLDEST_STATEMENT, &batch);
    if (!status && batch.id && (!out->id || batch.ended_us < out->ended_us))
        *out = batch;
    return status;
}

static int measure(struct sqlite_link *link, uint64_t *bytes)
{
    sqlite3_stmt *row = sqlite__begin(link, SQLITE_BYTES_STATEMENT, "");
    int status = sqlite__step(link, row);

    if (status == 1)
        *bytes = (uint64_t)sqlite3_column_int64(row, 0);
    sqlite__end(row);
    return status == 1 ? 0 : status ? status : BASE_ERR_IO;
}

static bool must_go(const struct server_store_prune *prune, const struct oldest *oldest)
{
    if (!oldest->id || oldest->ended_us >= prune->spared_us)
        return false;
    return oldest->ended_us < prune->expired_us ||
           (prune->max_bytes && prune->bytes > prune->max_bytes);
}

static int prune(struct sqlite_link *link, struct server_store_op *op)
{
    struct server_store_prune *prune = &op->prune;
    struct oldest oldest;
    int status;

    for (prune->n_removed = 0;; prune->n_removed++) {
        status = measure(link, &prune->bytes);
        if (!status)
            status = find_oldest(link, op, &oldest);
        if (status || !must_go(prune, &oldest))
            return status;
        prune->more = prune->n_removed == prune->limit;
        if (prune->more)
            return 0;
        status = oldest.is_batch ? sqlite__remove_whole_batch(link, op, oldest.id)
                                 : sqlite__remove_job(link, oldest.id);
        if (status)
            return status;
    }
}

int sqlite__prune(void *self, struct server_store_op *op)
{
    return sqlite__atomically(&((struct sqlite_store *)self)->writer, op, prune);
}
