/*
 * torture_slot.h - what a worker of the torture tells its driver, in memory that outlives it.
 *
 * A file of slots, one a worker, each TORTURE_SLOT_NUMBERS numbers of 64 bits, mapped by both. The
 * driver kills workers, so what they have counted must not be lost with them. It learns the names
 * from `torture_worker names`.
 */
#ifndef TESTS_TORTURE_TORTURE_SLOT_H
#define TESTS_TORTURE_TORTURE_SLOT_H

#include <stdatomic.h>
#include <stdint.h>

enum { TORTURE_SLOT_NUMBERS = 64 };

/* What it is doing right now: the driver likes to kill in the middle of things. STARTING is set by
 * the driver, for a new worker finds the phase in which the last one died. */
#define TORTURE_PHASE_LIST(X)                                                                      \
    X(STARTING)                                                                                    \
    X(IDLE) X(ACQUIRE) X(VERIFY) X(CREATE) X(RECOUNT) X(FILL) X(SEAL) X(LOOK) X(RELEASE) X(ENGINE)

enum torture_phase {
#define TORTURE_PHASE_ENUM(name) TORTURE_PHASE_##name,
    TORTURE_PHASE_LIST(TORTURE_PHASE_ENUM)
#undef TORTURE_PHASE_ENUM
        TORTURE_PHASE_COUNT
};

/* The first two are not counts: signs of life, and the phase. */
#define TORTURE_NUMBER_LIST(X)                                                                     \
    X(heartbeat)                                                                                   \
    X(phase)                                                                                       \
    X(rounds)                                                                                      \
    X(acquired)                                                                                    \
    X(created)                                                                                     \
    X(resumed)                                                                                     \
    X(restarted_after_recount)                                                                     \
    X(sealed)                                                                                      \
    X(discarded)                                                                                   \
    X(lookups)                                                                                     \
    X(tables_hashed)                                                                               \
    X(damage_found)                                                                                \
    X(removed)                                                                                     \
    X(pinned)                                                                                      \
    X(busy)                                                                                        \
    X(over_budget)                                                                                 \
    X(listings)                                                                                    \
    X(reopened)                                                                                    \
    X(engine_jobs)                                                                                 \
    X(engine_answers)                                                                              \
    X(wrong_entries)                                                                               \
    X(wrong_bounds)                                                                                \
    X(wrong_answers)                                                                               \
    X(unexpected_errors)                                                                           \
    X(leaks)

enum torture_number {
#define TORTURE_NUMBER_ENUM(name) TORTURE_##name,
    TORTURE_NUMBER_LIST(TORTURE_NUMBER_ENUM)
#undef TORTURE_NUMBER_ENUM
        TORTURE_NUMBER_COUNT
};

struct torture_slot {
    _Atomic uint64_t number[TORTURE_SLOT_NUMBERS]; /* the driver only reads; no order is needed */
};

static inline void torture_count(struct torture_slot *slot, enum torture_number number)
{
    atomic_fetch_add_explicit(&slot->number[number], 1, memory_order_relaxed);
}

static inline void torture_enter(struct torture_slot *slot, enum torture_phase phase)
{
    atomic_store_explicit(&slot->number[TORTURE_phase], phase, memory_order_relaxed);
    torture_count(slot, TORTURE_heartbeat);
}

#endif
