/*
 * fuzz_batch.c - bodies of POST /v1/batches: each job's echo is a body of an equal job.
 */
#include <string.h>

#include "proto/proto_batch.h"
#include "tests/fuzz/harness.h"

enum { MAX_JOBS = 8 };

static void decode_echo(const struct proto_job_request *job)
{
    struct proto_job_request again;
    struct proto_problem problem = {0};
    BASE_ASSERT(!proto_job_request_decode(job->echo, strlen(job->echo), &again, &problem));
    BASE_ASSERT(!strcmp(job->key, again.key));
    BASE_ASSERT(!strcmp(job->echo, again.echo));
    proto_job_request_deinit(&again);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct proto_batch_request batch;
    struct proto_problem problem = {0};
    int code =
        proto_batch_request_decode((const char *)data, size, MAX_JOBS, NULL, &batch, &problem);
    if (code) {
        fuzz_refused(code, &problem);
        return 0;
    }
    BASE_ASSERT(batch.n_jobs >= 1 && batch.n_jobs <= MAX_JOBS);
    for (size_t i = 0; i < batch.n_jobs; i++)
        decode_echo(&batch.jobs[i]);
    proto_batch_request_deinit(&batch);
    return 0;
}
