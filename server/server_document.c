/*
 * server_document.c - jobs as JSON: of live ones from memory and the engine, of ended ones from
 * their record. Both go through proto_job_encode.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "server/server.h"
#include "server/server_job.h"
#include "server/server_run.h"

/* ---- live ----------------------------------------------------------------------------- */

static char *progress_of(const struct server_job *job)
{
    struct engine_progress none = {.eta_seconds = -1};

    if (job->run)
        return server_run_progress(job->run);
    return proto_progress_encode(NULL, &none, server_job_queue_position(job));
}

static struct proto_job_view view_of(const struct server_job *job, const char *progress)
{
    struct proto_job_view view = {
        .id = job->id,
        .state = job->state,
        .version = job->version,
        .created_us = job->created_us,
        .started_us = job->started_us,
        .label = job->label,
        .shared_with = job->shared_with,
        .batch = job->batch,
        .batch_index = job->batch_index,
        .request = job->request,
        .target = job->target,
        .progress = progress,
    };

    if (!job->run)
        return view;
    view.plan = job->run->plan;
    view.solutions = (const char *const *)job->run->solutions;
    view.n_solutions = job->run->n_solutions;
    return view;
}

static char *encode_live(struct server_job *job, bool brief)
{
    char *progress = progress_of(job);
    struct proto_job_view view = view_of(job, progress);
    char *text;

    view.brief = brief;
    text = progress ? proto_job_encode(&view) : NULL;
    free(progress);
    return text;
}

static void drop_document(struct server_job *job)
{
    free(job->document);
    job->document = NULL;
    server_frame_release(job->snapshot);
    job->snapshot = NULL;
    server_list_remove(&job->in_documents);
}

void server_job_touch(struct server_job *job)
{
    drop_document(job);
    job->version++;
}

/* Of a running job everything moves; of a waiting one only its position, which is looked at no
 * more often. */
static bool is_stale(const struct server_job *job)
{
    return server_now_ms(job->server) - job->document_ms >= SERVER_JOB_REFRESH_MS &&
           job->state != ENGINE_PAUSED;
}

const char *server_job_document(struct server_job *job)
{
    char *text;

    if (job->document && !is_stale(job))
        return job->document;
    if (job->document)
        job->version++;
    text = encode_live(job, false);
    if (!text)
        return job->document;
    drop_document(job);
    job->document = text;
    job->document_event_id = server_channel_last_id(job->channel);
    job->document_ms = server_now_ms(job->server);
    if (job->state != ENGINE_PAUSED)
        server_list_append(&job->server->jobs.documents, &job->in_documents);
    return text;
}

void server_jobs_drop_stale(struct server *server)
{
    SERVER_LIST_EACH(node, &server->jobs.documents) {
        struct server_job *job = SERVER_LIST_OF(node, struct server_job, in_documents);

        if (!is_stale(job))
            return;
        server_job_touch(job);
    }
}

struct server_frame *server_job_snapshot(struct server_job *job)
{
    const char *document = server_job_document(job);

    if (document && !job->snapshot)
        job->snapshot = server_frame_new(PROTO_EVENT_SNAPSHOT, job->document_event_id, document);
    return job->snapshot;
}

char *server_job_brief(struct server_job *job)
{
    return encode_live(job, true);
}

/* ---- ended ---------------------------------------------------------------------------- */

struct texts {
    char *text[PROTO_JOB_MAX_SOLUTIONS];
    size_t n;
};

static int keep_text(void *arg, const char *json)
{
    struct texts *texts = arg;

    texts->text[texts->n] = strdup(json);
    return texts->text[texts->n] ? (texts->n++, 0) : BASE_ERR_NOMEM;
}

static struct proto_job_view view_of_record(const struct server_store_job *record)
{
    return (struct proto_job_view){
        .id = record->id,
        .state = record->state,
        .version = record->version,
        .created_us = record->created_us,
        .started_us = record->started_us,
        .ended_us = record->ended_us,
        .label = record->label,
        .cached = record->cached,
        .shared_with = record->shared_with,
        .batch = record->batch,
        .batch_index = record->batch_index,
        .request = record->request,
        .target = record->target,
        .plan = record->plan,
        .progress = record->progress,
        .result = record->result,
        .error_text = record->error_text,
    };
}

char *server_record_document(struct server *server, const struct server_store_job *record,
                             bool brief)
{
    struct proto_job_view view = view_of_record(record);
    struct texts solutions = {.n = 0};
    char *text = NULL;

    view.brief = brief;
    if (brief || !record->result_id ||
        !server_store_visit_solutions(server->store, record->result_id, 0, PROTO_JOB_MAX_SOLUTIONS,
                                      keep_text, &solutions)) {
        view.solutions = (const char *const *)solutions.text;
        view.n_solutions = solutions.n;
        text = proto_job_encode(&view);
    }
    for (size_t i = 0; i < solutions.n; i++)
        free(solutions.text[i]);
    return text;
}
