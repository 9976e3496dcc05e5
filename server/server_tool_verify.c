/*
 * server_tool_verify.c - tables verify: every chunk of a table against its checksum.
 *
 * The store removes what it finds damaged, and already when it is opened what has a header that
 * cannot be trusted. So the names are read first: a table that is gone after that was damaged.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/table/table_file.h"
#include "core/table/table_store.h"
#include "proto/proto_write.h"
#include "server/server_tool.h"

static const char suffix[] = ".cyt";

enum verdict { VERDICT_OK, VERDICT_DAMAGED, VERDICT_GROWING, VERDICT_ABSENT, VERDICT_UNREADABLE };

static const char *const verdict_names[] = {"ok", "damaged", "growing", "absent", "unreadable"};
static const char *const verdict_texts[] = {"ok", "DAMAGED, removed", "being filled, not checked",
                                            "there is no such table", "cannot be read"};

struct verification {
    struct table_store *store;
    const struct server_tool_options *options;
    uint64_t *digest; /* owned; tables that were there, sorted */
    size_t n, capacity;
    struct proto_writer writer;
    unsigned n_checked, n_bad;
};

/* ---- names ---------------------------------------------------------------------------- */

static int add_digest(struct verification *verification, uint64_t digest)
{
    if (verification->n == verification->capacity) {
        size_t capacity = verification->capacity ? 2 * verification->capacity : 64;
        uint64_t *grown = realloc(verification->digest, capacity * sizeof(*grown));
        if (!grown)
            return BASE_ERR_NOMEM;
        verification->digest = grown;
        verification->capacity = capacity;
    }
    verification->digest[verification->n++] = digest;
    return BASE_OK;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static int read_names(struct verification *verification)
{
    DIR *listing = opendir(verification->options->table_dir);
    const struct dirent *item;
    int code = BASE_OK;

    if (!listing) {
        server_tool_complain("there is no directory %s", verification->options->table_dir);
        return BASE_ERR_IO;
    }
    while (!code && (item = readdir(listing))) {
        const char *dot = strchr(item->d_name, '.');
        uint64_t digest;
        if (dot && strcmp(dot, suffix) == 0 &&
            !table_digest_parse(item->d_name, (size_t)(dot - item->d_name), &digest))
            code = add_digest(verification, digest);
    }
    closedir(listing);
    if (code)
        server_tool_complain("%s", base_err_text(code));
    else if (verification->n)
        qsort(verification->digest, verification->n, sizeof(*verification->digest), compare);
    return code;
}

static bool was_there(const struct verification *verification, uint64_t digest)
{
    return verification->n &&
           bsearch(&digest, verification->digest, verification->n, sizeof(digest), compare);
}

/* ---- one table ------------------------------------------------------------------------ */

static enum verdict read_through(struct verification *verification, const struct table_key *key)
{
    struct table_file *file;
    int code = table_store_acquire(verification->store, key, &file);

    if (code)
        return code == BASE_ERR_NOT_FOUND ? VERDICT_DAMAGED : VERDICT_UNREADABLE;
    while (!(code = table_file_verify_step(file)))
        ;
    table_file_release(file);
    return code == BASE_ERR_CORRUPT ? VERDICT_DAMAGED : VERDICT_OK;
}

static enum verdict judge(struct verification *verification, uint64_t digest,
                          struct table_info *info)
{
    int code = table_store_info(verification->store, digest, info);

    if (code == BASE_ERR_NOT_FOUND)
        return was_there(verification, digest) ? VERDICT_DAMAGED : VERDICT_ABSENT;
    if (code)
        return VERDICT_UNREADABLE;
    if (info->state == TABLE_STATE_GROWING)
        return VERDICT_GROWING;
    return read_through(verification, &info->key);
}

static void report(struct verification *verification, const char *key, enum verdict verdict,
                   const struct table_info *info)
{
    struct proto_writer *writer = &verification->writer;
    char size[SERVER_TOOL_SIZE_BYTES];

    verification->n_checked++;
    verification->n_bad += verdict != VERDICT_OK && verdict != VERDICT_GROWING;
    if (verification->options->json) {
        proto_write_object(writer, NULL);
        proto_write_text(writer, "key", key);
        proto_write_text(writer, "verdict", verdict_names[verdict]);
        proto_write_uint(writer, "bytes", info->stored_bytes);
        proto_write_object_end(writer);
    } else {
        printf("%-16s  %-13s  %10s  %s\n", key, info->meta.orbits,
               server_tool_size(info->stored_bytes, size), verdict_texts[verdict]);
        fflush(stdout);
    }
}

static void verify_key(struct verification *verification, const char *key)
{
    struct table_info info = {.references = 0};
    enum verdict verdict = VERDICT_ABSENT;
    uint64_t digest;

    if (!table_digest_parse(key, strlen(key), &digest))
        verdict = judge(verification, digest, &info);
    report(verification, key, verdict, &info);
}

/* ---- the command ---------------------------------------------------------------------- */

static void verify_selected(struct verification *verification)
{
    const struct server_tool_options *options = verification->options;
    char key[TABLE_DIGEST_TEXT_SIZE];

    for (int i = 0; i < options->n_args; i++)
        verify_key(verification, options->arg[i]);
    for (size_t i = 0; i < verification->n && !options->n_args; i++) {
        table_digest_format(verification->digest[i], key);
        verify_key(verification, key);
    }
}

static int finish(struct verification *verification)
{
    int status = verification->n_bad ? SERVER_TOOL_FAILED : SERVER_TOOL_OK;

    if (verification->options->json) {
        proto_write_array_end(&verification->writer);
        proto_write_bool(&verification->writer, "ok", !verification->n_bad);
        proto_write_object_end(&verification->writer);
        return server_tool_print_json(proto_writer_take(&verification->writer), status);
    }
    printf("%u of %u tables are not as they should be\n", verification->n_bad,
           verification->n_checked);
    return server_tool_finish(status);
}

int server_tool_tables_verify(const struct server_tool_options *options)
{
    struct verification verification = {.options = options};
    struct base_log log = server_tool_log();
    struct table_store_config config = {.directory = options->table_dir, .log = &log};
    struct base_diag diag = {0};
    int status = SERVER_TOOL_FAILED;

    if (!read_names(&verification)) {
        if (table_store_open(&config, &verification.store, &diag)) {
            server_tool_complain("%s", diag.text);
        } else {
            proto_write_object(&verification.writer, NULL);
            proto_write_array(&verification.writer, "tables");
            verify_selected(&verification);
            table_store_close(verification.store);
            status = finish(&verification);
        }
    }
    proto_writer_deinit(&verification.writer);
    free(verification.digest);
    return status;
}
