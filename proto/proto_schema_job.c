/*
 * proto_schema_job.c - the shapes of jobs, batches and their events, as proto_job.c, proto_batch.c
 * and proto_event.c write them.
 */
#include "proto/proto_job.h"
#include "proto/proto_schema_int.h"

#define LIST_OF(name, item, words)                                                                 \
    NEEDED(name, LIST(0, SHAPE(item)), words),                                                     \
        NEEDED("next_page_token", TEXT(0), "What to ask for next; empty on the last page.")

/* ---- what a job is made of ------------------------------------------------------------ */

static const struct proto_member target_members[] = {
    OR_NULL("text", TEXT(0), "The structure, if there is only one."),
    OR_NULL("order", UINT(0, 0), "That all of the structures have, if it is the same."),
    NEEDED("states", DECIMAL, "How many positions fit."),
    NEEDED("log10_states", REAL(0, 0), "The logarithm of that."),
    NEEDED("structures", UINT(0, 0), "How many cycle structures fit."),
};

const struct proto_shape proto__shape_target = {OBJECT("Target", target_members),
                                                .about = "What is searched for."};

static const struct proto_member cycles_told_members[] = {
    NAMELESS(LIST(0, SHAPE(CYCLE_PAIR)), "The cycles of an orbit."),
};

const struct proto_shape proto__shape_cycles_told = {
    MAP("CyclesTold", cycles_told_members),
    .about = "A cycle structure, with every orbit and without cycles that change nothing."};

static const struct proto_member plan_table_members[] = {
    NEEDED("orbits", TEXT(0), "Of the pieces it knows."),
    NEEDED("kind", CHOICE(TABLE_KIND), "What is tabulated."),
    MAYBE("variant", CHOICE(TABLE_VARIANT), "Of approximate tables."),
    NEEDED("encoding", CHOICE(TABLE_ENCODING), "How entries are stored."),
    NEEDED("bytes", UINT(0, 0), "Its size, or what that is estimated to be."),
    NEEDED("state", CHOICE(TABLE_STATE), "Whether it is there."),
    NEEDED("why", TEXT(0), "Why the planner chose it."),
    OR_NULL("key", TEXT(0), "By which /v1/tables knows it."),
    NEEDED("fill_seconds", REAL(0, 0), "That filling it takes, by estimate."),
};

const struct proto_shape proto__shape_plan_table = {OBJECT("PlanTable", plan_table_members),
                                                    .about = "A pruning table of a plan."};

static const struct proto_member plan_members[] = {
    NEEDED("tables", LIST(0, SHAPE(PLAN_TABLE)), "The pruning tables."),
    NEEDED("estimated_length", UINT(0, 0), "Of a shortest solution, before the search."),
    NEEDED("estimated_nodes", REAL(0, 0), "That the search will visit."),
    NEEDED("estimated_seconds", REAL(0, 0), "That it will take."),
    NEEDED("forecast_length", UINT(0, 0), "The same from what has been searched by now."),
    NEEDED("forecast_nodes", REAL(0, 0), "The same from what has been searched by now."),
    NEEDED("forecast_seconds", REAL(0, 0), "The same from what has been searched by now."),
    OR_NULL("actual_nodes", UINT(0, 0), "What it came to, at the end."),
    OR_NULL("actual_seconds", REAL(0, 0), "What it came to, at the end."),
};

const struct proto_shape proto__shape_plan = {OBJECT("Plan", plan_members),
                                              .about = "How a job is searched, and its cost."};

static const struct proto_member progress_members[] = {
    NEEDED("depth", UINT(0, 0), "That is being searched."),
    NEEDED("lower_bound", UINT(0, 0), "No solution is shorter."),
    OR_NULL("upper_bound", UINT(0, 0), "The length of the incumbent."),
    OR_NULL("incumbent", TEXT(0), "The shortest solution found so far, not proven."),
    NEEDED("fraction", REAL(0, 0), "Of the depth that is done, from 0 to 1."),
    NEEDED("nodes", UINT(0, 0), "Visited so far."),
    NEEDED("nodes_per_second", REAL(0, 0), "Lately."),
    NEEDED("elapsed_seconds", REAL(0, 0), "Of running."),
    OR_NULL("eta_seconds", REAL(0, 0), "Until the end, by estimate."),
    OR_NULL("queue_position", UINT(0, 0), "Of a job that waits, from 0."),
};

const struct proto_shape proto__shape_progress = {OBJECT("Progress", progress_members),
                                                  .about = "How far a job is."};

static const struct proto_member count_members[] = {
    NEEDED("sequences", UINT(0, 0), "Every ordered word."),
    NEEDED("canonical", UINT(0, 0), "Up to swapping neighbours that commute."),
    NEEDED("classes", UINT(0, 0), "Up to symmetry, rotation and inversion as well."),
};

const struct proto_shape proto__shape_solution_count = {OBJECT("Count", count_members),
                                                        .about = "How many solutions there are."};

static const struct proto_member by_length_members[] = {
    NAMELESS(SHAPE(SOLUTION_COUNT), "Of this length."),
};

const struct proto_shape proto__shape_count_by_length = {
    MAP("CountByLength", by_length_members), .about = "Counts by the length, as a decimal number."};

static const struct proto_member result_members[] = {
    OR_NULL("length", UINT(0, 0), "Of the shortest solution; null if none was found."),
    NEEDED("optimal", BOOL, "Is it proven that none is shorter?"),
    NEEDED("lower_bound", UINT(0, 0), "No solution is shorter."),
    OR_NULL("best", TEXT(0), "The easiest one of the shortest solutions."),
    OR_NULL("count", SHAPE(SOLUTION_COUNT), "Exact, where all solutions were asked for."),
    NEEDED("by_length", SHAPE(COUNT_BY_LENGTH), "The same by length."),
    OR_NULL("limit_hit", CHOICE(LIMIT), "The limit that ended the search, if one did."),
};

const struct proto_shape proto__shape_result = {OBJECT("Result", result_members),
                                                .about = "What a job has come to."};

static const struct proto_member solution_members[] = {
    NEEDED("moves", TEXT(0), "The algorithm; empty if nothing needs to be done."),
    NEEDED("length", UINT(0, 0), "In moves."),
    NEEDED("rank", REAL(0, 0), "How hard it is to turn by hand."),
    NEEDED("class", UINT(0, 0), "Solutions of one class are symmetric to each other."),
};

const struct proto_shape proto__shape_solution = {OBJECT("Solution", solution_members),
                                                  .about = "A solution, proven and verified."};

static const struct proto_member incumbent_members[] = {
    NEEDED("moves", TEXT(0), "The algorithm."),
    NEEDED("length", UINT(0, 0), "In moves."),
};

const struct proto_shape proto__shape_incumbent = {
    OBJECT("Incumbent", incumbent_members),
    .about = "A solution that is verified, but not proven to be a shortest one."};

/* ---- jobs ----------------------------------------------------------------------------- */

static const struct proto_member job_batch_members[] = {
    NEEDED("id", TEXT(0), "Of the batch."),
    NEEDED("index", UINT(0, 0), "The place of the job there, from 0."),
};

const struct proto_shape proto__shape_job_batch = {OBJECT("JobBatch", job_batch_members),
                                                   .about = "The batch a job came in."};

static const struct proto_member job_links_members[] = {
    NEEDED("self", TEXT(0), "The job."),
    NEEDED("events", TEXT(0), "Its event stream."),
    NEEDED("solutions", TEXT(0), "Its solutions, all of them."),
    NEEDED("cancel", TEXT(0), "To cancel it."),
};

const struct proto_shape proto__shape_job_links = {OBJECT("JobLinks", job_links_members),
                                                   .about = "Paths of a job."};

static const struct proto_member job_brief_members[] = {
    NEEDED("id", TEXT(0), "Its name."),
    NEEDED("state", CHOICE(STATE), "Where it is on its way."),
    NEEDED("version", UINT(1, 0), "Counts the changes of this document."),
    NEEDED("created", TIME, "When it was accepted."),
    OR_NULL("started", TIME, "When it ran first."),
    OR_NULL("ended", TIME, "When it ended."),
    OR_NULL("label", TEXT(0), "As the request said it."),
    NEEDED("cached", BOOL, "Was it answered from a result that was known?"),
    MAYBE("shared_with", TEXT(0), "The equal job that does the work."),
    MAYBE("batch", SHAPE(JOB_BATCH), "The batch it came in."),
    NEEDED("request", SHAPE(JOB_REQUEST), "As it was understood; a body that asks for the same."),
    NEEDED("target", SHAPE(TARGET), "What is searched for."),
    OR_NULL("progress", SHAPE(PROGRESS), "How far it is."),
    OR_NULL("result", SHAPE(RESULT), "Once it has ended."),
    MAYBE("error", TEXT(0), "Why it failed."),
    NEEDED("links", SHAPE(JOB_LINKS), "Where to go from here."),
};

const struct proto_shape proto__shape_job_brief = {OBJECT("JobBrief", job_brief_members),
                                                   .about = "A job in a list."};

static const struct proto_member job_members[] = {
    OR_NULL("plan", SHAPE(PLAN), "How it is searched."),
    NEEDED("solutions", LIST(PROTO_JOB_MAX_SOLUTIONS, SHAPE(SOLUTION)), "The first of them."),
};

const struct proto_shape proto__shape_job = {OBJECT("Job", job_members),
                                             .base = &proto__shape_job_brief, .about = "A job."};

static const struct proto_member job_list_members[] = {
    LIST_OF("jobs", JOB_BRIEF, "Newest first; those of a batch in its order."),
};

const struct proto_shape proto__shape_job_list = {OBJECT("JobList", job_list_members),
                                                  .about = "A page of jobs."};

static const struct proto_member solution_list_members[] = {
    LIST_OF("solutions", SOLUTION, "By length, then by rank."),
};

const struct proto_shape proto__shape_solution_list = {
    OBJECT("SolutionList", solution_list_members), .about = "A page of the solutions of a job."};

/* ---- batches -------------------------------------------------------------------------- */

static const struct proto_member batch_counts_members[] = {
    NEEDED("queued", UINT(0, 0), "Jobs that wait."),
    NEEDED("running", UINT(0, 0), "Jobs that run."),
    NEEDED("paused", UINT(0, 0), "Jobs that somebody has paused."),
    NEEDED("succeeded", UINT(0, 0), "Jobs that have an answer, or have come to a limit."),
    NEEDED("failed", UINT(0, 0), "Jobs that could not be done."),
    NEEDED("cancelled", UINT(0, 0), "Jobs that somebody has cancelled."),
};

const struct proto_shape proto__shape_batch_counts = {OBJECT("BatchCounts", batch_counts_members),
                                                      .about = "Jobs of a batch by their state."};

static const struct proto_member batch_links_members[] = {
    NEEDED("self", TEXT(0), "The batch."),
    NEEDED("jobs", TEXT(0), "Its jobs."),
    NEEDED("events", TEXT(0), "Its event stream."),
    NEEDED("cancel", TEXT(0), "To cancel its jobs."),
};

const struct proto_shape proto__shape_batch_links = {OBJECT("BatchLinks", batch_links_members),
                                                     .about = "Paths of a batch."};

static const struct proto_member batch_members[] = {
    NEEDED("id", TEXT(0), "Its name."),
    NEEDED("state", CHOICE(BATCH_STATE), "Queued until a job has begun, running until all ended."),
    OR_NULL("name", TEXT(0), "As the request said it."),
    NEEDED("created", TIME, "When it was accepted."),
    OR_NULL("ended", TIME, "When its last job ended."),
    NEEDED("total", UINT(0, 0), "Jobs that were accepted."),
    NEEDED("counts", SHAPE(BATCH_COUNTS), "Jobs by their state."),
    NEEDED("last_event_id", UINT(0, 0), "Of its event stream."),
    NEEDED("links", SHAPE(BATCH_LINKS), "Where to go from here."),
};

const struct proto_shape proto__shape_batch = {OBJECT("Batch", batch_members),
                                               .about = "A batch of jobs."};

static const struct proto_member batch_list_members[] = {
    LIST_OF("batches", BATCH, "Newest first."),
};

const struct proto_shape proto__shape_batch_list = {OBJECT("BatchList", batch_list_members),
                                                    .about = "A page of batches."};

/* ---- events --------------------------------------------------------------------------- */

static const struct proto_member ticket_members[] = {
    NEEDED("token", TEXT(0), "For the query of the event stream."),
    NEEDED("expires_seconds", UINT(1, 0), "How long it is good for."),
    NEEDED("url", TEXT(0), "Path and query of the stream."),
};

const struct proto_shape proto__shape_ticket = {
    OBJECT("Ticket", ticket_members), .about = "A token for one event stream, for a short time."};

static const struct proto_member event_state_members[] = {
    NEEDED("state", CHOICE(STATE), "That the job has now."),
};

const struct proto_shape proto__shape_event_state = {OBJECT("StateEvent", event_state_members),
                                                     .about = "A job has changed its state."};

static const struct proto_member event_table_members[] = {
    NEEDED("orbits", TEXT(0), "Of the pieces it knows."),
    NEEDED("kind", CHOICE(TABLE_KIND), "What is tabulated."),
    NEEDED("layer", UINT(0, 0), "That is being filled."),
    NEEDED("fraction", REAL(0, 0), "That is filled, from 0 to 1."),
    NEEDED("entries", UINT(0, 0), "That are filled."),
    NEEDED("seconds", REAL(0, 0), "That it took so far."),
};

const struct proto_shape proto__shape_event_table = {OBJECT("TableEvent", event_table_members),
                                                     .about = "A pruning table is being filled."};

static const struct proto_member event_depth_members[] = {
    NEEDED("depth", UINT(0, 0), "That is complete."),
    NEEDED("lower_bound", UINT(0, 0), "No solution is shorter."),
    NEEDED("nodes", UINT(0, 0), "Visited in this depth."),
    NEEDED("seconds", REAL(0, 0), "That it took."),
    NEEDED("nodes_per_second", REAL(0, 0), "On the average."),
};

const struct proto_shape proto__shape_event_depth = {OBJECT("DepthEvent", event_depth_members),
                                                     .about = "A depth is complete."};

const struct proto_shape proto__shape_event_empty = {
    .name = "EmptyEvent", .form = PROTO_FORM_OBJECT, .about = "There is nothing more to say."};

static const struct proto_member in_batch_members[] = {
    NEEDED("job", TEXT(0), "The job it is about."),
    NEEDED("index", UINT(0, 0), "Its place in the batch, from 0."),
};

#define IN_BATCH(object, wire)                                                                     \
    {                                                                                              \
        OBJECT(wire, in_batch_members), .base = &proto__shape_##object,                            \
                                        .about = "The same of a job of a batch."                   \
    }

const struct proto_shape proto__shape_in_batch_state = IN_BATCH(event_state, "BatchStateEvent");
const struct proto_shape proto__shape_in_batch_plan = IN_BATCH(plan, "BatchPlanEvent");
const struct proto_shape proto__shape_in_batch_table = IN_BATCH(event_table, "BatchTableEvent");
const struct proto_shape proto__shape_in_batch_depth = IN_BATCH(event_depth, "BatchDepthEvent");
const struct proto_shape proto__shape_in_batch_solution = IN_BATCH(solution, "BatchSolutionEvent");
const struct proto_shape proto__shape_in_batch_incumbent =
    IN_BATCH(incumbent, "BatchIncumbentEvent");
const struct proto_shape proto__shape_in_batch_job = IN_BATCH(job, "BatchDoneEvent");

static const struct proto_member news_state_members[] = {
    NEEDED("job", TEXT(0), "The job it is about."),
    MAYBE("batch", TEXT(0), "The batch it came in."),
    NEEDED("state", CHOICE(STATE), "That the job has now."),
};

const struct proto_shape proto__shape_news_state = {OBJECT("NewsStateEvent", news_state_members),
                                                    .about = "A job has changed its state."};

static const struct proto_member news_counts_members[] = {
    NEEDED("queued", UINT(0, 0), "Jobs that wait."),
    NEEDED("running", UINT(0, 0), "Jobs that run."),
    NEEDED("paused", UINT(0, 0), "Jobs that somebody has paused."),
};

const struct proto_shape proto__shape_news_counts = {OBJECT("NewsSnapshot", news_counts_members),
                                                     .about = "How many jobs there are that live."};
