/*
 * proto_shape.h - which shapes there are (proto_schema.h), by name.
 */
#ifndef PROTO_PROTO_SHAPE_H
#define PROTO_PROTO_SHAPE_H

/* X(NAME, object) - in the order in which the document tells them. */
#define PROTO_SHAPE_LIST(X)                                                                        \
    X(JOB_REQUEST, job_request)                                                                    \
    X(JOB_PART, job_part)                                                                          \
    X(JOB_LIMITS, job_limits)                                                                      \
    X(START, start)                                                                                \
    X(START_FORM, start_form)                                                                      \
    X(CYCLES, cycles)                                                                              \
    X(CYCLES_BY_ORBIT, cycles_by_orbit)                                                            \
    X(CYCLE, cycle)                                                                                \
    X(CYCLE_PAIR, cycle_pair)                                                                      \
    X(CYCLE_ITEM, cycle_item)                                                                      \
    X(WISHES, wishes)                                                                              \
    X(WISHES_BY_ORBIT, wishes_by_orbit)                                                            \
    X(WISH, wish)                                                                                  \
    X(BATCH_REQUEST, batch_request)                                                                \
    X(ANALYZE_REQUEST, analyze_request)                                                            \
    X(ANALYZE_STATE, analyze_state)                                                                \
    X(ANALYZE_TARGET, analyze_target)                                                              \
    X(TABLES_REQUEST, tables_request)                                                              \
    X(TABLES_LIMITS, tables_limits)                                                                \
    X(PIN_REQUEST, pin_request)                                                                    \
    X(JOB, job)                                                                                    \
    X(JOB_BRIEF, job_brief)                                                                        \
    X(JOB_BATCH, job_batch)                                                                        \
    X(JOB_LINKS, job_links)                                                                        \
    X(JOB_LIST, job_list)                                                                          \
    X(TARGET, target)                                                                              \
    X(CYCLES_TOLD, cycles_told)                                                                    \
    X(PLAN, plan)                                                                                  \
    X(PLAN_TABLE, plan_table)                                                                      \
    X(PROGRESS, progress)                                                                          \
    X(RESULT, result)                                                                              \
    X(SOLUTION_COUNT, solution_count)                                                              \
    X(COUNT_BY_LENGTH, count_by_length)                                                            \
    X(SOLUTION, solution)                                                                          \
    X(SOLUTION_LIST, solution_list)                                                                \
    X(INCUMBENT, incumbent)                                                                        \
    X(BATCH, batch)                                                                                \
    X(BATCH_COUNTS, batch_counts)                                                                  \
    X(BATCH_LINKS, batch_links)                                                                    \
    X(BATCH_LIST, batch_list)                                                                      \
    X(TICKET, ticket)                                                                              \
    X(EVENT_STATE, event_state)                                                                    \
    X(EVENT_TABLE, event_table)                                                                    \
    X(EVENT_DEPTH, event_depth)                                                                    \
    X(EVENT_EMPTY, event_empty)                                                                    \
    X(IN_BATCH_STATE, in_batch_state)                                                              \
    X(IN_BATCH_PLAN, in_batch_plan)                                                                \
    X(IN_BATCH_TABLE, in_batch_table)                                                              \
    X(IN_BATCH_DEPTH, in_batch_depth)                                                              \
    X(IN_BATCH_SOLUTION, in_batch_solution)                                                        \
    X(IN_BATCH_INCUMBENT, in_batch_incumbent)                                                      \
    X(IN_BATCH_JOB, in_batch_job)                                                                  \
    X(NEWS_STATE, news_state)                                                                      \
    X(NEWS_COUNTS, news_counts)                                                                    \
    X(ANALYSIS, analysis)                                                                          \
    X(STATE_ANALYSIS, state_analysis)                                                              \
    X(TARGET_ANALYSIS, target_analysis)                                                            \
    X(PARITY, parity)                                                                              \
    X(TABLE, table)                                                                                \
    X(TABLE_LINKS, table_links)                                                                    \
    X(TABLE_LIST, table_list)                                                                      \
    X(TABLES_MADE, tables_made)                                                                    \
    X(PUZZLE, puzzle)                                                                              \
    X(ORBIT, orbit)                                                                                \
    X(ALIASES, aliases)                                                                            \
    X(PUZZLE_LIST, puzzle_list)                                                                    \
    X(VERSION, version)                                                                            \
    X(PROBLEM, problem)                                                                            \
    X(PROBLEM_ERROR, problem_error)

enum proto_shape_id {
    PROTO_SHAPE_NONE, /* no body, or one that has no shape */
#define PROTO_SHAPE_ENUM(NAME, object) PROTO_SHAPE_##NAME,
    PROTO_SHAPE_LIST(PROTO_SHAPE_ENUM)
#undef PROTO_SHAPE_ENUM
        PROTO_SHAPE_COUNT
};

#endif
