/*
 * search_bank_int.h - what the bank's files share.
 *
 *   search_bank.c          claims, entries and fills
 *   search_bank_verify.c   the checksum pass over tables found in the store
 */
#ifndef CORE_SEARCH_SEARCH_BANK_INT_H
#define CORE_SEARCH_SEARCH_BANK_INT_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/search/search_bank.h"

enum entry_state { ENTRY_FILLING, ENTRY_READY, ENTRY_ABANDONED, ENTRY_FAILED };

struct search_bank_entry {
    struct search_work
        work; /* of the fill or the verification; first, so that a work is its entry */
    struct search_bank *bank;
    struct search_context *context; /* acquired: the coordinate lives there */
    uint64_t digest;
    char key_text[TABLE_KEY_TEXT_SIZE];
    struct table *table;
    enum entry_state state;
    int code;
    uint64_t filling; /* bytes of the table and its fill */
    unsigned calling; /* callbacks under way */
    struct search_claim *claims;
    struct search_bank_entry *next;
    /* that work; all but the atomics under the bank's mutex */
    atomic_uint next_chunk,
        n_chunks; /* read by `ready` without a lock: a stale answer costs an empty slice */
    unsigned chunks_left;
    uint64_t began_ns;
};

struct search_bank {
    struct table_store *store;
    struct search_pool *pool;
    uint64_t memory, filling; /* limit, and what the fills under way take */
    struct base_log log;
    pthread_mutex_t mutex;
    pthread_cond_t called; /* an entry's `calling` fell, or an entry went away */
    struct search_bank_entry *entries;
    struct search_bank_stats stats;
    uint64_t *filled_digest; /* of tables filled by this bank */
    size_t n_filled, filled_capacity;
};

/* All of the following need the bank's mutex. */

/* Is there a chunk to take? Takes it. */
bool search_bank__take(struct search_bank_entry *entry, unsigned *chunk);
/* The pool's `ready`, and the last call of an entry's work. */
bool search_bank__ready(const struct search_work *work);
void search_bank__ended(struct search_work *work);

/* Puts the checksum pass of a table on the pool, unless it has passed before. */
void search_bank__verify_start(struct search_bank_entry *entry);
bool search_bank__is_trusted(const struct search_bank_entry *entry);

#endif
