/*
 * server_store_sqlite_sql_int.h - the statements of the SQLite store.
 */
#ifndef SERVER_SERVER_STORE_SQLITE_SQL_INT_H
#define SERVER_SERVER_STORE_SQLITE_SQL_INT_H

/* Columns of a job record, in the order that sqlite__read_job expects. */
#define SQLITE_JOB_COLUMNS                                                                         \
    "j.id, j.state, j.version, j.attempt, j.priority, j.fresh, j.cached, j.cancel_requested, "     \
    "j.created_us, j.started_us, j.ended_us, j.puzzle, j.label, j.equal_key, j.solutions_cap, "    \
    "j.request, j.target, j.plan, j.progress, j.error_text, j.shared_with, j.result_id, "          \
    "r.document, r.n_solutions, "                                                                  \
    "(SELECT max(e.id) FROM events e WHERE e.job_seq = j.seq), j.seq, j.turn, b.id, "              \
    "j.batch_index, j.principal "                                                                  \
    "FROM jobs j LEFT JOIN results r ON r.id = j.result_id "                                       \
    "LEFT JOIN batches b ON b.seq = j.batch_seq "

/* Columns of a batch without its counts, in the order that sqlite__read_batch expects. */
#define SQLITE_BATCH_COLUMNS "b.seq, b.id, b.name, b.created_us, b.n_jobs, b.last_event_id "
#define SQLITE_BATCH_SEQ "(SELECT seq FROM batches WHERE id = ?)"

/* X(NAME, "SQL") */
#define SQLITE_STATEMENT_LIST(X)                                                                   \
    X(BEGIN, "BEGIN IMMEDIATE")                                                                    \
    X(COMMIT, "COMMIT")                                                                            \
    X(ROLLBACK, "ROLLBACK")                                                                        \
    X(SAVE, "SAVEPOINT op")                                                                        \
    X(RELEASE, "RELEASE op")                                                                       \
    X(UNDO, "ROLLBACK TO op")                                                                      \
    X(KEY_EXPIRE, "DELETE FROM idempotency WHERE created_us < ?")                                  \
    X(KEY_FIND, "SELECT body_digest, job_id FROM idempotency WHERE key = ?")                       \
    X(KEY_ADD, "INSERT INTO idempotency(key, body_digest, job_id, created_us) VALUES(?,?,?,?)")    \
    X(KEY_REMOVE, "DELETE FROM idempotency WHERE job_id = ?")                                      \
    X(JOB_ADD,                                                                                     \
      "INSERT INTO jobs(state, id, version, priority, fresh, created_us, puzzle, label, "          \
      "equal_key, solutions_cap, request, target, turn, batch_seq, batch_index, principal) "       \
      "VALUES('queued', ?,?,?,?,?,?,?,?,?,?,?, ?,nullif(?, 0),?,?)")                               \
    X(JOB_ANSWER, "UPDATE jobs SET state = 'succeeded', cached = 1, result_id = ?, "               \
                  "started_us = created_us, ended_us = created_us WHERE id = ?")                   \
    X(JOB_LOAD, "SELECT " SQLITE_JOB_COLUMNS "WHERE j.id = ?")                                     \
    X(JOB_LIVE, "SELECT " SQLITE_JOB_COLUMNS                                                       \
                "WHERE j.state IN ('queued', 'running', 'paused') ORDER BY j.seq")                 \
    X(JOB_NEXT, "SELECT id, priority, turn FROM jobs INDEXED BY jobs_queue "                       \
                "WHERE state = 'queued' ORDER BY priority DESC, turn, seq LIMIT 1")                \
    X(JOB_NEXT_SINGLE, "SELECT id, priority, turn FROM jobs INDEXED BY jobs_queue_singles "        \
                       "WHERE state = 'queued' AND batch_seq IS NULL "                             \
                       "ORDER BY priority DESC, turn, seq LIMIT 1")                                \
    X(QUEUE_CLOCK, "SELECT clock FROM queue WHERE priority = ?")                                   \
    X(QUEUE_ADVANCE, "UPDATE queue SET clock = max(clock, ?) WHERE priority = ?")                  \
    X(JOB_LAPSED, "SELECT id, priority, turn FROM jobs "                                           \
                  "WHERE state = 'running' AND lease_until_us < ? "                                \
                  "ORDER BY priority DESC, seq LIMIT 1")                                           \
    X(JOB_CLAIM, "UPDATE jobs SET state = 'running', attempt = attempt + 1, owner = ?, "           \
                 "lease_until_us = ?, version = version + 1, "                                     \
                 "started_us = coalesce(started_us, ?) WHERE id = ? "                              \
                 "AND (state = 'queued' OR (state = 'running' AND lease_until_us < ?3))")          \
    X(JOB_HEARTBEAT, "UPDATE jobs SET lease_until_us = ? WHERE id = ? AND attempt = ? "            \
                     "AND state IN ('running', 'paused') RETURNING cancel_requested")              \
    X(JOB_TRANSITION, "UPDATE jobs SET state = ?, version = max(version, ?) WHERE id = ? "         \
                      "AND attempt = ? AND state IN ('queued', 'running', 'paused')")              \
    X(CHECKPOINT_PUT, "INSERT OR REPLACE INTO checkpoints(job_seq, data) SELECT seq, ? FROM jobs " \
                      "WHERE id = ? AND attempt = ? AND state IN ('queued', 'running', 'paused')") \
    X(CHECKPOINT_GET, "SELECT data FROM checkpoints WHERE job_seq = ?")                            \
    X(CHECKPOINT_REMOVE, "DELETE FROM checkpoints WHERE job_seq = ?")                              \
    X(JOB_FINISH, "UPDATE jobs SET state = ?, version = max(version, ?), ended_us = ?, plan = ?, " \
                  "progress = ?, error_text = ?, shared_with = ?, result_id = ?, cached = ?, "     \
                  "owner = NULL WHERE id = ? AND attempt = ? "                                     \
                  "AND state IN ('queued', 'running', 'paused')")                                  \
    X(JOB_CANCEL, "UPDATE jobs SET cancel_requested = 1 WHERE id = ?")                             \
    X(JOB_REMOVE, "DELETE FROM jobs WHERE id = ? RETURNING seq, result_id")                        \
    X(EVENT_ADD, "INSERT INTO events(job_seq, id, kind, data) "                                    \
                 "SELECT seq, ?, ?, ? FROM jobs WHERE id = ? AND attempt = ?")                     \
    X(EVENT_LIST, "SELECT e.id, e.kind, e.data FROM events e JOIN jobs j ON j.seq = e.job_seq "    \
                  "WHERE j.id = ? AND e.id > ? ORDER BY e.id LIMIT ?")                             \
    X(EVENT_REMOVE, "DELETE FROM events WHERE job_seq = ?")                                        \
    X(RESULT_EQUAL, "SELECT id FROM results WHERE equal_key = ?1 AND reusable = 1 "                \
                    "AND (n_solutions = ?2 OR (complete = 1 AND n_solutions < ?2)) "               \
                    "ORDER BY id DESC LIMIT 1")                                                    \
    X(RESULT_ADD, "INSERT INTO results(equal_key, reusable, complete, n_solutions, document) "     \
                  "SELECT equal_key, ?, ?, ?, ? FROM jobs WHERE id = ?")                           \
    X(RESULT_REMOVE, "DELETE FROM results WHERE id = ?1 "                                          \
                     "AND NOT EXISTS (SELECT 1 FROM jobs WHERE result_id = ?1)")                   \
    X(SOLUTION_ADD, "INSERT INTO solutions(result_id, position, data) VALUES(?,?,?)")              \
    X(SOLUTION_LIST, "SELECT data FROM solutions WHERE result_id = ? AND position >= ? "           \
                     "ORDER BY position LIMIT ?")                                                  \
    X(SOLUTION_REMOVE, "DELETE FROM solutions WHERE result_id = ?")                                \
    X(BATCH_ADD, "INSERT INTO batches(id, name, created_us, n_jobs) VALUES(?,?,?,?)")              \
    X(BATCH_LOAD, "SELECT " SQLITE_BATCH_COLUMNS "FROM batches b WHERE b.id = ?")                  \
    X(BATCH_LIST, "SELECT " SQLITE_BATCH_COLUMNS "FROM batches b WHERE b.seq < ? "                 \
                  "ORDER BY b.seq DESC LIMIT ?")                                                   \
    X(BATCH_STATES, "SELECT state, count(*), max(ended_us) FROM jobs WHERE batch_seq = ? "         \
                    "GROUP BY state")                                                              \
    X(BATCH_PULSE,                                                                                 \
      "SELECT b.last_event_id, EXISTS(SELECT 1 FROM jobs j WHERE j.batch_seq = b.seq "             \
      "AND j.state IN ('queued', 'running', 'paused')) FROM batches b WHERE b.id = ?")             \
    X(BATCH_CANCEL, "UPDATE jobs SET cancel_requested = 1 WHERE batch_seq = " SQLITE_BATCH_SEQ     \
                    " AND state IN ('queued', 'running', 'paused')")                               \
    X(BATCH_MEMBER, "SELECT id FROM jobs WHERE batch_seq = " SQLITE_BATCH_SEQ " LIMIT 1")          \
    X(BATCH_REMOVE, "DELETE FROM batches WHERE id = ? RETURNING seq")                              \
    X(BATCH_EVENT_LIST,                                                                            \
      "SELECT a.id, j.id, j.batch_index, e.id, e.kind, e.data FROM batch_events a "                \
      "JOIN jobs j ON j.seq = a.job_seq "                                                          \
      "JOIN events e ON e.job_seq = a.job_seq AND e.id = a.event_id "                              \
      "WHERE a.batch_seq = " SQLITE_BATCH_SEQ " AND a.id > ? ORDER BY a.id LIMIT ?")               \
    X(BATCH_EVENT_REMOVE, "DELETE FROM batch_events WHERE batch_seq = ?")                          \
    X(JOB_OLDEST, "SELECT id, ended_us FROM jobs INDEXED BY jobs_ended "                           \
                  "WHERE batch_seq IS NULL AND ended_us IS NOT NULL ORDER BY ended_us LIMIT 1")    \
    X(BATCH_OLDEST,                                                                                \
      "SELECT b.id, coalesce((SELECT max(j.ended_us) FROM jobs j WHERE j.batch_seq = b.seq), "     \
      "b.created_us) FROM batches b WHERE NOT EXISTS(SELECT 1 FROM jobs j "                        \
      "WHERE j.batch_seq = b.seq AND j.state IN ('queued', 'running', 'paused')) "                 \
      "ORDER BY b.seq LIMIT 1")                                                                    \
    X(BYTES, "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count(), "         \
             "pragma_freelist_count(), pragma_page_size()")

#endif
