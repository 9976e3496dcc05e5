/*
 * search_bank.h - the tables in use, each once, and their filling on the pool.
 *
 * A job *claims* the tables it wants. A claim is answered at once if the table is resident; else
 * one fill runs, however many jobs claim it, and every claim is told when it is done. Dropping the
 * last claim cancels a fill, which then ends with the chunks that are being filled. A table nobody
 * claims stays mapped until its memory is wanted, or it is to be removed.
 */
#ifndef CORE_SEARCH_SEARCH_BANK_H
#define CORE_SEARCH_SEARCH_BANK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/base_log.h"
#include "core/search/search_context.h"
#include "core/search/search_pool.h"
#include "core/table/table.h"

struct search_bank;
struct search_bank_entry;

struct search_fill_report {
    unsigned layers; /* complete */
    uint64_t entries;
    double fraction; /* of the table's entries */
    double seconds;
};

/* A claim on one table. The claimant owns it and fills in the callbacks, which come from pool
 * threads without any lock of the bank held; after search_bank_drop returns none comes any more. */
struct search_claim {
    void (*filled)(void *arg, struct search_claim *claim,
                   int code); /* once, if the claim was pending */
    void (*layer)(void *arg, struct search_claim *claim, const struct search_fill_report *report);
    /* Once, if the claim was answered UNTRUSTED. BASE_ERR_CORRUPT: all that the table has said is
     * void; its claim is still to be dropped. */
    void (*verified)(void *arg, struct search_claim *claim, int code);
    void *arg;
    bool background; /* no search waits for it */
    /* the bank's */
    bool untrusted;
    struct search_bank_entry *entry;
    struct search_claim *next;
};

/* New. `store` and `pool` are borrowed and outlive the bank. Tables being filled, with what
 * their fills take besides, keep to `memory` bytes together. */
int search_bank_new(struct table_store *store, struct search_pool *pool, uint64_t memory,
                    const struct base_log *log, struct search_bank **out);
/* All claims must have been dropped. */
void search_bank_free(struct search_bank *bank);

struct search_claim_spec {
    struct search_context *context;
    enum table_kind kind;
    enum table_encoding encoding;
    unsigned orbit, k; /* as in a plan */
    uint64_t entries;  /* likewise: of a hash table */
    const struct cycle_structure *structures;
    size_t n;
    bool resident_only; /* BASE_ERR_NOT_FOUND instead of a fill */
    unsigned weight;    /* of the fill's share of the pool, where no claim wants more; 0: usual */
};

/* The key of the table, and what the store will say about it (`meta` may be NULL). */
int search_bank_describe(const struct search_claim_spec *spec, struct table_key *key,
                         struct table_meta *meta);

enum {
    SEARCH_CLAIM_THERE,
    SEARCH_CLAIM_PENDING,  /* `filled` will come */
    SEARCH_CLAIM_UNTRUSTED /* it is there and may be asked; `verified` will come */
};

/* One of these; or negative: it cannot be had (BASE_ERR_MEMORY_LIMIT, BASE_ERR_NO_SPACE,
 * BASE_ERR_BUSY while another process is filling it, ...), with the reason in diag, and nothing is
 * claimed. The callbacks may come before this returns. */
int search_bank_claim(struct search_bank *bank, const struct search_claim_spec *spec,
                      struct search_claim *claim, struct base_diag *diag);
void search_bank_drop(struct search_bank *bank, struct search_claim *claim);

/* For whom is the table being filled? */
enum search_interest {
    SEARCH_INTEREST_NONE, /* it is not, or nobody claims it any more */
    SEARCH_INTEREST_BACKGROUND,
    SEARCH_INTEREST_SEARCH
};
enum search_interest search_bank_interest(struct search_bank *bank, uint64_t digest);

/* The table of a claim that is not pending. Borrowed. */
const struct table *search_claim_table(const struct search_claim *claim);

/* Closes the table with this digest if nobody claims it, so that it can be removed from the store.
 * Not to be called from a pool thread: it waits until a fill that has just ended has left. */
void search_bank_close_idle(struct search_bank *bank, uint64_t digest);

struct search_bank_stats {
    uint64_t filled, attached; /* tables, by this bank since it was made */
    double fill_seconds;
};
void search_bank_stats_get(struct search_bank *bank, struct search_bank_stats *out);

/* Was the table with this digest filled by this bank (rather than found in the store)? */
bool search_bank_has_filled(struct search_bank *bank, uint64_t digest);

#endif
