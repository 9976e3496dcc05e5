/*
 * proto_schema_request.c - the shapes of bodies of requests.
 */
#include <stdint.h>

#include "proto/proto_batch.h"
#include "proto/proto_request_list_int.h"

#define FACELETS "^[URFDLB]{54}$"

/* A member that may be there, with an example of it. */
#define WITH(wire, kind, words, sample)                                                            \
    {                                                                                              \
        .name = (wire), kind, .example = (sample), .about = (words)                                \
    }
#define NOT_YET(wire)                                                                              \
    {                                                                                              \
        .name = (wire), .flags = PROTO_MEMBER_YET                                                  \
    }

/* ---- jobs and what is like them ------------------------------------------------------- */

static const struct proto_member job_members[] = {
    WITH("puzzle", TEXT(0), "The name of a known puzzle. Default: 3x3x3.", "\"3x3x3\""),
#define JOB_ROW(wire, in, needs, kind, marks, sample, words)                                       \
    {.name = #wire,                                                                                \
     kind,                                                                                         \
     .flags = (marks),                                                                             \
     .bodies = PROTO__IN_##in,                                                                     \
     .example = (sample),                                                                          \
     .about = (words)},
    PROTO__JOB_MEMBER_LIST(JOB_ROW)
#undef JOB_ROW
};

const struct proto_shape proto__shape_job_request = {
    OBJECT("JobRequest", job_members), .needs_some = true, .body = PROTO__BODY_JOB,
    .about = "What to search for. At most one of cycles, like, order and any_of is the target; "
             "without one, the start is to be solved."};

const struct proto_shape proto__shape_job_part = {
    OBJECT("JobPart", job_members), .body = PROTO__BODY_JOB,
    .about = "A job of a batch, or what all of them share: the defaults lie below each job, member "
             "by member, and together they are a JobRequest."};

const struct proto_shape proto__shape_tables_request = {
    OBJECT("TablesRequest", job_members), .body = PROTO__BODY_TABLES,
    .about = "The job whose tables are to be filled. Without a target: solving."};

const struct proto_shape proto__shape_analyze_target = {
    OBJECT("AnalyzeTarget", job_members), .needs_some = true, .body = PROTO__BODY_TARGET,
    .about = "A target to be judged: as that of a job, one of cycles, like, order and any_of."};

static const struct proto_member limits_members[] = {
    {.name = "seconds",
     REAL(PROTO_REQUEST_MIN_SECONDS, PROTO_REQUEST_MAX_REAL),
     .bodies = PROTO__IN_JOB,
     .example = "0.5",
     .about = "Of running, from the first on."},
    {.name = "nodes",
     UINT(1, (double)INT64_MAX),
     .bodies = PROTO__IN_JOB,
     .example = "1000000",
     .about = "Of the search."},
    {.name = "memory_mib",
     REAL(1 / PROTO_REQUEST_MIB, PROTO_REQUEST_MAX_REAL),
     .example = "0.25",
     .about = "Of all pruning tables that the job reads, resident or not."},
    {.name = "solutions",
     UINT(1, PROTO_REQUEST_MAX_SOLUTIONS),
     .bodies = PROTO__IN_JOB,
     .example = "100",
     .about = "That are kept; counts stay exact."},
};

const struct proto_shape proto__shape_job_limits = {
    OBJECT("JobLimits", limits_members), .body = PROTO__BODY_JOB,
    .about = "Limits of a job. Those not named are the server's."};

const struct proto_shape proto__shape_tables_limits = {OBJECT("TablesLimits", limits_members),
                                                       .body = PROTO__BODY_TABLES,
                                                       .about = "Limits of tables."};

/* ---- starts --------------------------------------------------------------------------- */

static const struct proto_member start_members[] = {
    NAMELESS(TEXT(0), "An algorithm that leads there from the solved state."),
    NAMELESS(SHAPE(START_FORM), "Another form."),
};

const struct proto_shape proto__shape_start = {UNION("Start", start_members),
                                               .about = "A position."};

static const struct proto_member start_form_members[] = {
    {.name = "facelets",
     TEXT_LIKE(FACELETS),
     .flags = PROTO_MEMBER_NEEDED,
     .example = "\"UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB\"",
     .about = "The stickers of the faces U, R, F, D, L and B, each in rows."},
    NOT_YET("reid"),
    NOT_YET("pattern"),
};

const struct proto_shape proto__shape_start_form = {OBJECT("StartForm", start_form_members),
                                                    .body = PROTO__BODY_OTHER,
                                                    .about = "A position by its looks."};

/* ---- cycle structures ----------------------------------------------------------------- */

static const struct proto_member cycles_members[] = {
    NAMELESS(TEXT(0), "Such as \"c: (1+, 5+) / e: (1+, 1+)\"."),
    NAMELESS(SHAPE(CYCLES_BY_ORBIT), "Orbit by orbit."),
};

const struct proto_shape proto__shape_cycles = {UNION("Cycles", cycles_members),
                                                .about = "A cycle structure."};

static const struct proto_member orbit_cycles_members[] = {
    NAMELESS(LIST(0, SHAPE(CYCLE)), "The cycles of an orbit."),
};

const struct proto_shape proto__shape_cycles_by_orbit = {
    MAP("CyclesByOrbit", orbit_cycles_members),
    .about = "Cycles by the name of the orbit; one that is missing stays as it is."};

static const struct proto_member cycle_members[] = {
    NAMELESS(SHAPE(CYCLE_PAIR), "Such as [5, true]."),
    NAMELESS(SHAPE(CYCLE_ITEM), "Such as {\"length\": 5, \"oriented\": true}."),
};

const struct proto_shape proto__shape_cycle = {UNION("Cycle", cycle_members),
                                               .about = "A cycle of pieces."};

static const struct proto_member cycle_pair_members[] = {
    NAMELESS(UINT(1, UINT8_MAX), "The number of pieces."),
    NAMELESS(BOOL, "Do they turn or flip on the way round?"),
};

const struct proto_shape proto__shape_cycle_pair = {TUPLE("CyclePair", cycle_pair_members),
                                                    .about = "Length, and oriented or not."};

static const struct proto_member cycle_item_members[] = {
    {.name = "length",
     UINT(1, UINT8_MAX),
     .flags = PROTO_MEMBER_NEEDED,
     .example = "3",
     .about = "The number of pieces."},
    WITH("oriented", BOOL, "Do they turn or flip on the way round? Default: no.", "false"),
    NOT_YET("twist"),
};

const struct proto_shape proto__shape_cycle_item = {OBJECT("CycleItem", cycle_item_members),
                                                    .body = PROTO__BODY_OTHER,
                                                    .about = "A cycle by its members."};

/* ---- wishes for tables ---------------------------------------------------------------- */

static const struct proto_member wishes_members[] = {
    NAMELESS(CHOICE(AUTO), "As the planner likes."),
    NAMELESS(SHAPE(WISHES_BY_ORBIT), "Orbit by orbit."),
};

const struct proto_shape proto__shape_wishes = {UNION("Wishes", wishes_members),
                                                .about = "Which pruning tables to use."};

static const struct proto_member orbit_wish_members[] = {
    NAMELESS(SHAPE(WISH), "The table of an orbit, or of two."),
};

const struct proto_shape proto__shape_wishes_by_orbit = {
    MAP("WishesByOrbit", orbit_wish_members),
    .about = "Wishes by the name of the orbit, or of two for a product: \"corners+edges\". Orbits "
             "that are not named are left to the planner."};

static const struct proto_member wish_members[] = {
    {.name = "kind",
     CHOICE(TABLE_KIND),
     .flags = PROTO_MEMBER_NEEDED,
     .example = "\"approximate\"",
     .about = "What is tabulated."},
    WITH("variant", CHOICE(TABLE_VARIANT),
         "Of approximate tables: where some of the pieces are, or a hash of all.", "\"subset\""),
    WITH("encoding", CHOICE(TABLE_ENCODING), "How entries are stored.", "\"none\""),
};

const struct proto_shape proto__shape_wish = {OBJECT("Wish", wish_members),
                                              .body = PROTO__BODY_OTHER,
                                              .about = "A pruning table that is wished for."};

/* ---- other bodies --------------------------------------------------------------------- */

static const struct proto_member batch_members[] = {
    {.name = "jobs",
     FILLED(0, SHAPE(JOB_PART)),
     .flags = PROTO_MEMBER_ONE,
     .example = "[{\"cycles\": \"c: (4) / e: (4)\"}]",
     .about = "Jobs, in their order. The server says how many there may be."},
    {.name = "scrambles",
     FILLED(0, SHAPE(START)),
     .flags = PROTO_MEMBER_ONE,
     .example = "[\"R U2 F'\"]",
     .about =
         "Positions to be solved: algorithms, 54 facelets as text, or other forms of a start."},
    WITH("defaults", SHAPE(JOB_PART), "Members of all the jobs that do not say them themselves.",
         "{\"find\": \"all\"}"),
    WITH("name", TEXT(PROTO_BATCH_MAX_NAME), "Free text.", "\"week 12\""),
};

const struct proto_shape proto__shape_batch_request = {
    OBJECT("BatchRequest", batch_members), .body = PROTO__BODY_OTHER,
    .about = "A list of jobs, of which all are accepted or none."};

static const struct proto_member analyze_members[] = {
    NAMELESS(SHAPE(ANALYZE_STATE), "A position."),
    NAMELESS(SHAPE(ANALYZE_TARGET), "A target."),
};

const struct proto_shape proto__shape_analyze_request = {
    UNION("AnalyzeRequest", analyze_members), .about = "What to analyse: a position or a target."};

static const struct proto_member analyze_state_members[] = {
    WITH("puzzle", TEXT(0), "The name of a known puzzle. Default: 3x3x3.", "\"3x3x3\""),
    {.name = "alg",
     TEXT(0),
     .flags = PROTO_MEMBER_ONE,
     .example = "\"U R U' D2 B\"",
     .about = "An algorithm."},
    {.name = "start",
     SHAPE(START),
     .flags = PROTO_MEMBER_ONE,
     .example = "\"R U2 F'\"",
     .about = "A position."},
};

const struct proto_shape proto__shape_analyze_state = {
    OBJECT("AnalyzeState", analyze_state_members), .body = PROTO__BODY_OTHER,
    .about = "A position to be analysed."};

static const struct proto_member pin_members[] = {
    WITH("pinned", BOOL, "Keep it, or no longer. Default: keep it.", "false"),
};

const struct proto_shape proto__shape_pin_request = {
    OBJECT("PinRequest", pin_members), .body = PROTO__BODY_OTHER,
    .about = "Whether a table is kept when memory is wanted."};
