/*
 * proto_schema_info.c - the shapes of what is not about a job: analyses, tables, puzzles, version,
 * problems, as proto_info.c, proto_request_judge.c and proto_problem.c write them.
 */
#include "proto/proto_problem.h"
#include "proto/proto_schema_int.h"

#define LIST_OF(name, item, words)                                                                 \
    NEEDED(name, LIST(0, SHAPE(item)), words),                                                     \
        NEEDED("next_page_token", TEXT(0), "What to ask for next; empty on the last page.")

/* ---- analyses ------------------------------------------------------------------------- */

static const struct proto_member analysis_members[] = {
    NAMELESS(SHAPE(STATE_ANALYSIS), "Of a position."),
    NAMELESS(SHAPE(TARGET_ANALYSIS), "Of a target."),
};

const struct proto_shape proto__shape_analysis = {UNION("Analysis", analysis_members),
                                                  .about = "What was found without a search."};

static const struct proto_member parity_members[] = {
    NAMELESS(UINT(0, 1), "1: odd."),
};

const struct proto_shape proto__shape_parity = {MAP("Parity", parity_members),
                                                .about = "Parities by the name of the orbit."};

static const struct proto_member state_analysis_members[] = {
    NEEDED("puzzle", TEXT(0), "Its name."),
    NEEDED("cycles", SHAPE(CYCLES_TOLD), "The cycle structure of the position."),
    NEEDED("text", TEXT(0), "The same as text."),
    OR_NULL("order", UINT(1, 0), "How often it is repeated until all is solved."),
    NEEDED("parity", SHAPE(PARITY), "Of the permutation of each orbit."),
    OR_NULL("canonical", TEXT(0), "The algorithm, printed move by move, if there was one."),
    OR_NULL("facelets", TEXT_LIKE("^[URFDLB]{54}$"), "What it looks like, for puzzles that tell."),
    NEEDED("states", DECIMAL, "How many positions have this structure."),
    NEEDED("log10_states", REAL(0, 0), "The logarithm of that."),
    NEEDED("solved", BOOL, "Is it the solved state?"),
};

const struct proto_shape proto__shape_state_analysis = {
    OBJECT("StateAnalysis", state_analysis_members), .about = "What a position is."};

static const struct proto_member target_analysis_members[] = {
    NEEDED("puzzle", TEXT(0), "Its name."),
    OR_NULL("cycles", SHAPE(CYCLES_TOLD), "The structure, if there is only one."),
    NEEDED("feasible", BOOL, "True; what is not feasible is a problem that names the rule."),
    OR_NULL("expected_length", UINT(0, 0), "Of a shortest solution, by counting."),
};

const struct proto_shape proto__shape_target_analysis = {
    OBJECT("TargetAnalysis", target_analysis_members), .base = &proto__shape_target,
    .about = "What a target is."};

/* ---- tables and puzzles --------------------------------------------------------------- */

static const struct proto_member table_links_members[] = {
    NEEDED("self", TEXT(0), "The table."),
};

const struct proto_shape proto__shape_table_links = {OBJECT("TableLinks", table_links_members),
                                                     .about = "Paths of a table."};

static const struct proto_member table_members[] = {
    NEEDED("key", TEXT(0), "Its name."),
    NEEDED("puzzle", TEXT(0), "Of the puzzle."),
    NEEDED("orbits", TEXT(0), "Of the pieces it knows."),
    NEEDED("target", TEXT(0), "To which it knows distances."),
    NEEDED("kind", CHOICE(TABLE_KIND), "What is tabulated."),
    MAYBE("variant", CHOICE(TABLE_VARIANT), "Of approximate tables."),
    NEEDED("encoding", CHOICE(TABLE_ENCODING), "How entries are stored."),
    NEEDED("bytes", UINT(0, 0), "Its size."),
    NEEDED("layers", UINT(0, 0), "That are complete."),
    NEEDED("state", CHOICE(TABLE_STATE), "Growing, or sealed once it is complete."),
    NEEDED("fraction", REAL(0, 0), "That is filled, from 0 to 1."),
    NEEDED("entries", UINT(0, 0), "That are filled."),
    NEEDED("seconds", REAL(0, 0), "That filling took."),
    NEEDED("queries", UINT(0, 0), "By this process."),
    NEEDED("pinned", BOOL, "Is it kept when memory is wanted?"),
    NEEDED("attached", BOOL, "Does this process have it open?"),
    NEEDED("links", SHAPE(TABLE_LINKS), "Where to go from here."),
};

const struct proto_shape proto__shape_table = {OBJECT("Table", table_members),
                                               .about = "A pruning table."};

static const struct proto_member table_list_members[] = {
    LIST_OF("tables", TABLE, "Resident tables, and those being filled."),
};

const struct proto_shape proto__shape_table_list = {OBJECT("TableList", table_list_members),
                                                    .about = "A page of tables."};

static const struct proto_member tables_made_members[] = {
    NEEDED("tables", LIST(0, SHAPE(TABLE)), "Those of the plan that are there or growing."),
    NEEDED("plan", SHAPE(PLAN), "What the job would use."),
};

const struct proto_shape proto__shape_tables_made = {OBJECT("TablesMade", tables_made_members),
                                                     .about = "The tables that were asked for."};

static const struct proto_member orbit_members[] = {
    NEEDED("name", TEXT(0), "Its name."),
    NEEDED("pieces", UINT(1, 0), "How many it has."),
    NEEDED("orientations", UINT(1, 0), "How many ways a piece can be turned in its place."),
};

const struct proto_shape proto__shape_orbit = {OBJECT("Orbit", orbit_members),
                                               .about = "Pieces that can take each other's place."};

static const struct proto_member aliases_members[] = {
    NAMELESS(TEXT(0), "The move that it is."),
};

const struct proto_shape proto__shape_aliases = {
    MAP("Aliases", aliases_members), .about = "Other names of moves, each with the one it means."};

static const struct proto_member puzzle_members[] = {
    NEEDED("name", TEXT(0), "Its name."),
    NEEDED("orbits", LIST(0, SHAPE(ORBIT)), "Its pieces."),
    NEEDED("moves", LIST(0, TEXT(0)), "Its own moves."),
    MAYBE("aliases", SHAPE(ALIASES), "Other names of its moves, if there are any."),
    OR_NULL("symmetries", UINT(1, 0), "How many are known."),
    NEEDED("positions", DECIMAL, "How many can be reached."),
    NEEDED("log10_positions", REAL(0, 0), "The logarithm of that."),
};

const struct proto_shape proto__shape_puzzle = {OBJECT("Puzzle", puzzle_members),
                                                .about = "A puzzle."};

static const struct proto_member puzzle_list_members[] = {
    LIST_OF("puzzles", PUZZLE, "Those that are built in."),
};

const struct proto_shape proto__shape_puzzle_list = {OBJECT("PuzzleList", puzzle_list_members),
                                                     .about = "A page of puzzles."};

/* ---- the service ---------------------------------------------------------------------- */

static const struct proto_member version_members[] = {
    NEEDED("version", TEXT(0), "Of the program."),
    NEEDED("commit", TEXT(0), "It was built from."),
    NEEDED("compiler", TEXT(0), "It was built with."),
    NEEDED("kernels", TEXT(0), "The instruction sets in use."),
};

const struct proto_shape proto__shape_version = {OBJECT("Version", version_members),
                                                 .about = "What is running."};

static const struct proto_member error_members[] = {
    NEEDED("pointer", TEXT(0), "JSON pointer to the member of the body, or / and the parameter."),
    MAYBE("rule", TEXT(0), "The rule that is violated, by name."),
    NEEDED("detail", TEXT(0), "What is wrong, and what would be right."),
};

const struct proto_shape proto__shape_problem_error = {OBJECT("ProblemError", error_members),
                                                       .about = "One thing that is wrong."};

static const struct proto_member problem_members[] = {
    NEEDED("type", CHOICE(PROBLEM), "Of the problem."),
    NEEDED("title", TEXT(0), "Of the type."),
    NEEDED("status", UINT(400, 599), "Of the reply."),
    NEEDED("detail", TEXT(0), "What is wrong here."),
    MAYBE("errors", LIST(PROTO_PROBLEM_MAX_ERRORS, SHAPE(PROBLEM_ERROR)), "All that is wrong."),
};

const struct proto_shape proto__shape_problem = {OBJECT("Problem", problem_members),
                                                 .about = "An error, as RFC 9457 writes it."};
