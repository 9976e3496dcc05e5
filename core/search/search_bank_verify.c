/*
 * search_bank_verify.c - the checksum pass over tables found in the store: on the pool, while they
 * are already asked.
 *
 * The work takes one chunk of the file after the other. A damaged table fails its entry, so that
 * nobody claims it any more, and the store has removed its file.
 */
#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "core/search/search_bank_int.h"

bool search_bank__is_trusted(const struct search_bank_entry *entry)
{
    return table_file_trust(entry->table->file) == TABLE_TRUST_PASSED;
}

/* Tells every claim that waits for it. Mutex held on entry and exit; see tell_filled on why the
 * list stands still. */
static void tell_verified(struct search_bank_entry *entry)
{
    struct search_bank *bank = entry->bank;
    entry->calling++;
    pthread_mutex_unlock(&bank->mutex);
    for (struct search_claim *claim = entry->claims; claim; claim = claim->next)
        if (claim->untrusted && claim->verified)
            claim->verified(claim->arg, claim, entry->code);
    pthread_mutex_lock(&bank->mutex);
    for (struct search_claim *claim = entry->claims; claim; claim = claim->next)
        claim->untrusted = false;
    entry->calling--;
    pthread_cond_broadcast(&bank->called);
}

static void verify_end(struct search_bank_entry *entry)
{
    atomic_store_explicit(&entry->n_chunks, 0, memory_order_relaxed);
    entry->code = search_bank__is_trusted(entry) ? 0 : BASE_ERR_CORRUPT;
    if (entry->code != 0) {
        entry->state = ENTRY_FAILED;
        entry->bank->stats.attached--;
    }
    tell_verified(entry);
    search_pool_finish(entry->bank->pool, &entry->work);
}

static void verify_slice(struct search_work *work, unsigned thread)
{
    struct search_bank_entry *entry = (struct search_bank_entry *)work;
    struct search_bank *bank = entry->bank;
    uint64_t end = base_clock_ns() + SEARCH_SLICE_NS;
    unsigned chunk;
    (void)thread;
    pthread_mutex_lock(&bank->mutex);
    while (search_bank__take(entry, &chunk)) {
        pthread_mutex_unlock(&bank->mutex);
        (void)table_file_verify_step(entry->table->file); /* the file's trust says how it went */
        bool late = base_clock_ns() > end;
        pthread_mutex_lock(&bank->mutex);
        if (--entry->chunks_left == 0) {
            verify_end(entry);
            break;
        }
        if (late)
            break;
    }
    pthread_mutex_unlock(&bank->mutex);
}

static const struct search_work_ops verify_ops = {
    .ready = search_bank__ready, .slice = verify_slice, .ended = search_bank__ended};

void search_bank__verify_start(struct search_bank_entry *entry)
{
    uint64_t bytes = table_file_meta(entry->table->file)->payload_bytes;
    if (table_file_trust(entry->table->file) != TABLE_TRUST_UNVERIFIED)
        return;
    entry->chunks_left = (unsigned)((bytes + TABLE_CHUNK_BYTES - 1) / TABLE_CHUNK_BYTES);
    atomic_init(&entry->next_chunk, 0);
    atomic_init(&entry->n_chunks, entry->chunks_left);
    entry->work.ops = &verify_ops;
    entry->work.weight = 10; /* results wait for it */
    search_pool_add(entry->bank->pool, &entry->work);
}
