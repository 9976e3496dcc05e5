/*
 * search_bank.c - claims, entries and fills.
 *
 *                claim            last chunk of the last layer
 *     (none) ----------> FILLING ------------------------------> READY
 *        |                  | the last claim is dropped            |  no claims, and memory wanted
 *        |  in the store    v                                      v  or to be removed
 *        +------> READY   ABANDONED, then gone                   (gone)
 *                   |  damaged (search_bank_verify.c)
 *                   +---> FAILED, gone with its last claim
 *
 * Lock order: the bank's mutex, then the pool's. Callbacks run with neither held, but with
 * `calling` counted in the entry, which search_bank_drop waits for.
 */
#include "core/search/search_bank.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_clock.h"
#include "core/base/base_err.h"
#include "core/search/search_bank_int.h"
#include "core/table/table_grow.h"

enum { USUAL_WEIGHT = 10 }; /* of a fill: somebody waits for it */

int search_bank_new(struct table_store *store, struct search_pool *pool, uint64_t memory,
                    const struct base_log *log, struct search_bank **out)
{
    struct search_bank *bank = calloc(1, sizeof *bank);
    *out = bank;
    if (!bank)
        return BASE_ERR_NOMEM;
    bank->store = store;
    bank->pool = pool;
    bank->memory = memory;
    if (log)
        bank->log = *log;
    pthread_mutex_init(&bank->mutex, NULL);
    pthread_cond_init(&bank->called, NULL);
    return 0;
}

static void entry_unlink(struct search_bank *bank, struct search_bank_entry *entry)
{
    struct search_bank_entry **at = &bank->entries;
    while (*at != entry)
        at = &(*at)->next;
    *at = entry->next;
}

static void entry_free(struct search_bank_entry *entry)
{
    table_close(entry->table);
    search_context_release(entry->context);
    free(entry);
}

/* Closes the tables nobody claims; their files stay in the store and can be evicted. Mutex held. */
static void close_idle(struct search_bank *bank)
{
    struct search_bank_entry **at = &bank->entries;
    while (*at) {
        struct search_bank_entry *entry = *at;
        if (entry->claims || entry->state != ENTRY_READY || entry->work.ops) {
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        entry_free(entry);
    }
}

void search_bank_free(struct search_bank *bank)
{
    if (!bank)
        return;
    pthread_mutex_lock(&bank->mutex);
    close_idle(bank);
    while (bank->entries) {
        /* What is left is a fill whose last slice is still running. */
        pthread_cond_wait(&bank->called, &bank->mutex);
        close_idle(bank);
    }
    pthread_mutex_unlock(&bank->mutex);
    pthread_cond_destroy(&bank->called);
    pthread_mutex_destroy(&bank->mutex);
    free(bank->filled_digest);
    free(bank);
}

/* ---- telling claimants ------------------------------------------------------------------- */

/* Calls back every claim of the entry. Mutex held on entry and exit, released during the calls; the
 * list cannot change meanwhile, because claim and drop wait while `calling`. */
static void tell_layer(struct search_bank_entry *entry, const struct search_fill_report *report)
{
    struct search_bank *bank = entry->bank;
    entry->calling++;
    pthread_mutex_unlock(&bank->mutex);
    for (struct search_claim *claim = entry->claims; claim; claim = claim->next)
        if (claim->layer)
            claim->layer(claim->arg, claim, report);
    pthread_mutex_lock(&bank->mutex);
    entry->calling--;
    pthread_cond_broadcast(&bank->called);
}

static void tell_filled(struct search_bank_entry *entry)
{
    struct search_bank *bank = entry->bank;
    entry->calling++;
    pthread_mutex_unlock(&bank->mutex);
    struct search_claim *next;
    for (struct search_claim *claim = entry->claims; claim; claim = next) {
        next = claim->next;
        claim->filled(claim->arg, claim, entry->code);
    }
    pthread_mutex_lock(&bank->mutex);
    entry->calling--;
    pthread_cond_broadcast(&bank->called);
}

/* ---- the fill ---------------------------------------------------------------------------- */

bool search_bank__ready(const struct search_work *work)
{
    const struct search_bank_entry *entry = (const struct search_bank_entry *)work;
    /* Relaxed: see the fields. */
    return atomic_load_explicit(&entry->next_chunk, memory_order_relaxed) <
           atomic_load_explicit(&entry->n_chunks, memory_order_relaxed);
}

static void remember_filled(struct search_bank *bank, uint64_t digest)
{
    if (bank->n_filled == bank->filled_capacity) {
        size_t capacity = bank->filled_capacity ? 2 * bank->filled_capacity : 16;
        uint64_t *grown = realloc(bank->filled_digest, capacity * sizeof *grown);
        if (!grown)
            return; /* only a list shows it */
        bank->filled_digest = grown;
        bank->filled_capacity = capacity;
    }
    bank->filled_digest[bank->n_filled++] = digest;
}

static void fill_report(const struct search_bank_entry *entry, struct search_fill_report *report)
{
    struct table_grow_report grown;
    table_grow_report_get(entry->table, &grown);
    report->layers = grown.layers;
    report->entries = grown.entries;
    report->fraction = grown.fraction;
    report->seconds = base_clock_seconds(base_clock_ns() - entry->began_ns);
}

/* Seals, if all went well so far, or gives up; mutex held. */
static void fill_end(struct search_bank_entry *entry, int code)
{
    struct search_bank *bank = entry->bank;
    uint64_t spent = base_clock_ns() - entry->began_ns;
    atomic_store_explicit(&entry->n_chunks, 0, memory_order_relaxed);
    if (code == 0) {
        remember_filled(bank, entry->digest); /* before others can see that it is sealed */
        pthread_mutex_unlock(&bank->mutex);
        code = table_seal(entry->table, spent);
        pthread_mutex_lock(&bank->mutex);
    }
    entry->code = code;
    if (entry->state != ENTRY_ABANDONED)
        entry->state = entry->code == 0 ? ENTRY_READY : ENTRY_FAILED;
    bank->filling -= entry->filling;
    if (entry->code == 0) {
        bank->stats.filled++;
        bank->stats.fill_seconds += base_clock_seconds(spent);
    }
    tell_filled(entry);
    search_pool_finish(bank->pool, &entry->work);
}

/* Goes to the next pass; an encoded table may need memory for that. Mutex held. */
static int grow_next(struct search_bank_entry *entry)
{
    int code = table_grow_next(entry->table, NULL);
    if (code != BASE_ERR_MEMORY_LIMIT)
        return code;
    close_idle(entry->bank);
    return table_grow_next(entry->table, NULL);
}

/* The pass is over: goes to the next one. Mutex held; only the thread of the last chunk gets here.
 */
static void fill_step(struct search_bank_entry *entry)
{
    struct search_bank *bank = entry->bank;
    struct search_fill_report before, after;
    if (entry->state == ENTRY_ABANDONED) {
        fill_end(entry, BASE_ERR_CANCELLED);
        return;
    }
    fill_report(entry, &before);
    int code = grow_next(entry);
    fill_report(entry, &after);
    if (after.layers != before.layers)
        tell_layer(entry, &after);
    if (code <= 0) {
        fill_end(entry, code);
        return;
    }
    entry->chunks_left = table_grow_chunks(entry->table);
    atomic_store_explicit(&entry->next_chunk, 0, memory_order_relaxed);
    atomic_store_explicit(&entry->n_chunks, entry->chunks_left, memory_order_relaxed);
    search_pool_wake(bank->pool);
}

bool search_bank__take(struct search_bank_entry *entry, unsigned *chunk)
{
    *chunk = atomic_load_explicit(&entry->next_chunk, memory_order_relaxed);
    if (*chunk >= atomic_load_explicit(&entry->n_chunks, memory_order_relaxed))
        return false;
    atomic_store_explicit(&entry->next_chunk, *chunk + 1, memory_order_relaxed);
    return true;
}

static void fill_slice(struct search_work *work, unsigned thread)
{
    struct search_bank_entry *entry = (struct search_bank_entry *)work;
    struct search_bank *bank = entry->bank;
    uint64_t end = base_clock_ns() + SEARCH_SLICE_NS;
    unsigned chunk;
    (void)thread;
    pthread_mutex_lock(&bank->mutex);
    while (search_bank__take(entry, &chunk)) {
        pthread_mutex_unlock(&bank->mutex);
        table_grow_run(entry->table, chunk);
        bool late = base_clock_ns() > end;
        pthread_mutex_lock(&bank->mutex);
        if (--entry->chunks_left == 0) {
            fill_step(entry);
            break;
        }
        if (late)
            break;
    }
    pthread_mutex_unlock(&bank->mutex);
}

/* A failed entry goes away with its last claim, or here if it has none, as one that was abandoned.
 */
void search_bank__ended(struct search_work *work)
{
    struct search_bank_entry *entry = (struct search_bank_entry *)work;
    struct search_bank *bank = entry->bank;
    pthread_mutex_lock(&bank->mutex);
    entry->chunks_left = 0;
    entry->work.ops = NULL; /* not on the pool any more */
    if (entry->state != ENTRY_READY && !entry->claims) {
        entry_unlink(bank, entry);
        entry_free(entry);
    }
    pthread_cond_broadcast(&bank->called);
    pthread_mutex_unlock(&bank->mutex);
}

static const struct search_work_ops fill_ops = {
    .ready = search_bank__ready, .slice = fill_slice, .ended = search_bank__ended};

/* ---- claims ------------------------------------------------------------------------------ */

static struct search_bank_entry *entry_find(struct search_bank *bank, const struct table_key *key)
{
    for (struct search_bank_entry *entry = bank->entries; entry; entry = entry->next)
        if (entry->state != ENTRY_FAILED && entry->digest == key->digest &&
            strcmp(entry->key_text, key->text) == 0)
            return entry;
    return NULL;
}

/* Creates the table if it and its fill keep to the bank's memory beside those under way. */
static int create_within_memory(struct search_bank *bank, const struct table_spec *spec,
                                struct search_bank_entry *entry, struct base_diag *diag)
{
    uint64_t bytes = table_grow_bytes(spec);
    if (bank->filling > 0 && bank->filling + bytes > bank->memory)
        return base_diag_set(diag, 0, BASE_ERR_MEMORY_LIMIT,
                             "another table is being filled, and both do not fit");
    int code = table_create(bank->store, spec, &entry->table, diag);
    if (code == BASE_ERR_MEMORY_LIMIT) {
        close_idle(bank);
        code = table_create(bank->store, spec, &entry->table, diag);
    }
    if (code == 0) {
        entry->filling = bytes;
        bank->filling += bytes;
    }
    return code;
}

/* Opens the table, or creates it and starts its fill. Mutex held. New; NULL with *code. */
static struct search_bank_entry *entry_new(struct search_bank *bank,
                                           const struct search_claim_spec *claimed,
                                           const struct table_spec *spec,
                                           const struct table_key *key, int *code,
                                           struct base_diag *diag)
{
    struct search_bank_entry *entry = calloc(1, sizeof *entry);
    *code = BASE_ERR_NOMEM;
    if (!entry)
        return NULL;
    entry->bank = bank;
    entry->context = search_context_acquire(claimed->context);
    entry->digest = key->digest;
    memcpy(entry->key_text, key->text, sizeof entry->key_text);
    entry->state = ENTRY_READY;
    *code = table_open(bank->store, spec, &entry->table);
    if (*code == BASE_ERR_NOT_FOUND && !claimed->resident_only) {
        entry->state = ENTRY_FILLING;
        *code = create_within_memory(bank, spec, entry, diag);
    } else if (*code == 0) {
        bank->stats.attached++;
    }
    if (*code != 0) {
        entry_free(entry);
        return NULL;
    }
    return entry;
}

static void fill_start(struct search_bank_entry *entry, unsigned weight)
{
    entry->began_ns = base_clock_ns();
    entry->chunks_left = table_grow_chunks(entry->table);
    atomic_init(&entry->n_chunks, entry->chunks_left);
    entry->work.ops = &fill_ops;
    entry->work.weight = weight;
    search_pool_add(entry->bank->pool, &entry->work);
}

static int set_coordinate(const struct search_claim_spec *claimed, struct table_spec *spec)
{
    if (claimed->kind == TABLE_KIND_PRODUCT)
        return search_context_product(claimed->context, claimed->k, &spec->product);
    if (claimed->kind == TABLE_KIND_CYCLE_STRUCTURE) {
        spec->puzzle = claimed->context->puzzle;
        spec->orbit = claimed->orbit;
        return search_context_steps(claimed->context, claimed->orbit, &spec->steps);
    }
    if (claimed->entries > 0)
        return search_context_hash(claimed->context, claimed->orbit, claimed->entries, &spec->hash);
    unsigned k = claimed->kind == TABLE_KIND_EXACT ? 0 : claimed->k;
    return search_context_coord(claimed->context, claimed->orbit, k, &spec->coord);
}

int search_bank_describe(const struct search_claim_spec *claimed, struct table_key *key,
                         struct table_meta *meta)
{
    struct table_spec spec = {.encoding = claimed->encoding,
                              .structures = claimed->structures,
                              .n_structures = claimed->n};
    int code = set_coordinate(claimed, &spec);
    if (code == 0)
        code = table_spec_key(&spec, key);
    return code == 0 && meta ? table_spec_meta(&spec, meta) : code;
}

int search_bank_claim(struct search_bank *bank, const struct search_claim_spec *claimed,
                      struct search_claim *claim, struct base_diag *diag)
{
    struct table_spec spec = {.encoding = claimed->encoding,
                              .structures = claimed->structures,
                              .n_structures = claimed->n};
    unsigned weight = claimed->weight ? claimed->weight : USUAL_WEIGHT;
    struct table_key key;
    int code = set_coordinate(claimed, &spec);
    if (code == 0)
        code = table_spec_key(&spec, &key);
    if (code != 0)
        return base_diag_set(diag, 0, code, "%s", base_err_text(code));
    pthread_mutex_lock(&bank->mutex);
    struct search_bank_entry *entry = entry_find(bank, &key);
    /* An abandoned fill is waited for, too: its last chunks are being filled, and none of them
     * waits for us. */
    while (entry && (entry->calling || entry->state == ENTRY_ABANDONED)) {
        pthread_cond_wait(&bank->called, &bank->mutex);
        entry = entry_find(bank, &key);
    }
    if (!entry) {
        entry = entry_new(bank, claimed, &spec, &key, &code, diag);
        if (entry) {
            entry->next = bank->entries;
            bank->entries = entry;
            if (entry->state == ENTRY_FILLING)
                fill_start(entry, weight);
            else
                search_bank__verify_start(entry);
        }
    } else if (entry->state == ENTRY_FILLING && entry->work.weight < weight) {
        search_pool_weigh(bank->pool, &entry->work, weight);
    }
    if (entry) {
        claim->entry = entry;
        claim->next = entry->claims;
        entry->claims = claim;
        claim->untrusted = entry->state == ENTRY_READY && !search_bank__is_trusted(entry);
        code = entry->state == ENTRY_FILLING ? SEARCH_CLAIM_PENDING
               : claim->untrusted            ? SEARCH_CLAIM_UNTRUSTED
                                             : SEARCH_CLAIM_THERE;
    }
    pthread_mutex_unlock(&bank->mutex);
    return code;
}

static void claim_unlink(struct search_claim *claim)
{
    struct search_claim **at = &claim->entry->claims;
    while (*at != claim)
        at = &(*at)->next;
    *at = claim->next;
}

/* Nobody wants the table any more: the chunks that no thread has taken are not filled. Mutex held.
 * True: no thread is at a chunk either, so the work is to be finished, without the mutex. */
static bool fill_abandon(struct search_bank_entry *entry)
{
    unsigned n_chunks = atomic_load_explicit(&entry->n_chunks, memory_order_relaxed);
    unsigned taken = atomic_load_explicit(&entry->next_chunk, memory_order_relaxed);
    if (entry->chunks_left == 0)
        return false; /* it is being sealed */
    entry->state = ENTRY_ABANDONED;
    entry->chunks_left -= n_chunks - taken;
    atomic_store_explicit(&entry->next_chunk, n_chunks, memory_order_relaxed);
    if (entry->chunks_left > 0)
        return false; /* the thread at the last one ends the fill */
    entry->bank->filling -= entry->filling;
    return true;
}

void search_bank_drop(struct search_bank *bank, struct search_claim *claim)
{
    bool finish = false;
    pthread_mutex_lock(&bank->mutex);
    struct search_bank_entry *entry = claim->entry;
    while (entry->calling)
        pthread_cond_wait(&bank->called, &bank->mutex);
    claim_unlink(claim);
    claim->entry = NULL;
    if (!entry->claims && entry->state == ENTRY_FILLING) {
        finish = fill_abandon(entry);
    } else if (!entry->claims && entry->state == ENTRY_FAILED && !entry->work.ops) {
        entry_unlink(bank, entry);
        entry_free(entry);
        pthread_cond_broadcast(&bank->called);
    }
    pthread_mutex_unlock(&bank->mutex);
    if (finish)
        search_pool_finish(bank->pool, &entry->work);
}

const struct table *search_claim_table(const struct search_claim *claim)
{
    return claim->entry->table;
}

static enum search_interest interest_in(const struct search_bank_entry *entry)
{
    enum search_interest interest = SEARCH_INTEREST_NONE;
    for (const struct search_claim *claim = entry->claims; claim; claim = claim->next)
        if (!claim->background)
            interest = SEARCH_INTEREST_SEARCH;
        else if (interest == SEARCH_INTEREST_NONE)
            interest = SEARCH_INTEREST_BACKGROUND;
    return interest;
}

enum search_interest search_bank_interest(struct search_bank *bank, uint64_t digest)
{
    enum search_interest interest = SEARCH_INTEREST_NONE;
    pthread_mutex_lock(&bank->mutex);
    for (struct search_bank_entry *entry = bank->entries; entry; entry = entry->next)
        if (entry->digest == digest && entry->state == ENTRY_FILLING)
            interest = interest_in(entry);
    pthread_mutex_unlock(&bank->mutex);
    return interest;
}

static struct search_bank_entry *find_idle(struct search_bank *bank, uint64_t digest)
{
    struct search_bank_entry *entry = bank->entries;
    while (entry && (entry->digest != digest || entry->claims || entry->state != ENTRY_READY))
        entry = entry->next;
    return entry;
}

void search_bank_close_idle(struct search_bank *bank, uint64_t digest)
{
    struct search_bank_entry *entry;
    pthread_mutex_lock(&bank->mutex);
    while ((entry = find_idle(bank, digest)) != NULL && entry->work.ops)
        pthread_cond_wait(&bank->called, &bank->mutex);
    if (entry) {
        entry_unlink(bank, entry);
        entry_free(entry);
    }
    pthread_mutex_unlock(&bank->mutex);
}

void search_bank_stats_get(struct search_bank *bank, struct search_bank_stats *out)
{
    pthread_mutex_lock(&bank->mutex);
    *out = bank->stats;
    pthread_mutex_unlock(&bank->mutex);
}

bool search_bank_has_filled(struct search_bank *bank, uint64_t digest)
{
    bool found = false;
    pthread_mutex_lock(&bank->mutex);
    for (size_t i = 0; !found && i < bank->n_filled; i++)
        found = bank->filled_digest[i] == digest;
    pthread_mutex_unlock(&bank->mutex);
    return found;
}
