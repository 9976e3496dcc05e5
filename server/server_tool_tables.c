/*
 * server_tool_tables.c - tables list, show and remove.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/base_err.h"
#include "core/table/table_store.h"
#include "proto/proto_job.h"
#include "proto/proto_write.h"
#include "server/server_tool.h"

struct engine *server_tool_open_engine(const struct server_tool_options *options, bool make,
                                       void (*notify)(void *arg), void *arg)
{
    struct engine_config config = {.threads = make ? options->threads : 1,
                                   .memory_bytes = options->memory_bytes,
                                   .table_dir = options->table_dir,
                                   .log = server_tool_log(),
                                   .notify = notify,
                                   .notify_arg = arg};
    struct base_diag diag = {0};
    struct engine *engine = NULL;

    if (!make && access(options->table_dir, F_OK))
        server_tool_complain("there is no directory %s", options->table_dir);
    else if (engine_open(&config, &engine, &diag))
        server_tool_complain("%s", diag.text);
    return engine;
}

static int complain_key(const struct server_tool_options *options, int code, const char *detail)
{
    if (code == BASE_ERR_NOT_FOUND)
        server_tool_complain("there is no table %s in %s", options->arg[0], options->table_dir);
    else
        server_tool_complain("table %s: %s", options->arg[0],
                             *detail ? detail : base_err_text(code));
    return SERVER_TOOL_FAILED;
}

/* ---- list ----------------------------------------------------------------------------- */

static void print_row(void *arg, const struct engine_table_info *table)
{
    char size[SERVER_TOOL_SIZE_BYTES];

    (void)arg;
    printf("%-16s  %-7s  %-13s  %-15s  %-8s  %10s  %6u  %-7s  %-6s  %s\n", table->key,
           table->puzzle, table->orbits, table->kind, table->encoding,
           server_tool_size(table->bytes, size), table->layers, table->state,
           table->pinned ? "pinned" : "", table->target);
}

static void write_row(void *arg, const struct engine_table_info *table)
{
    char *row = proto_table_encode(table);

    proto_write_raw(arg, NULL, row);
    free(row);
}

int server_tool_tables_list(const struct server_tool_options *options)
{
    struct engine *engine = server_tool_open_engine(options, false, NULL, NULL);
    struct proto_writer writer = {0};

    if (!engine)
        return SERVER_TOOL_FAILED;
    if (options->json) {
        proto_write_object(&writer, NULL);
        proto_write_array(&writer, "tables");
        engine_visit_tables(engine, write_row, &writer);
        proto_write_array_end(&writer);
        proto_write_object_end(&writer);
    } else {
        printf("%-16s  %-7s  %-13s  %-15s  %-8s  %10s  %6s  %-7s  %-6s  %s\n", "KEY", "PUZZLE",
               "ORBITS", "KIND", "ENCODING", "SIZE", "LAYERS", "STATE", "", "TARGET");
        engine_visit_tables(engine, print_row, NULL);
    }
    engine_close(engine);
    return options->json ? server_tool_print_json(proto_writer_take(&writer), SERVER_TOOL_OK)
                         : server_tool_finish(SERVER_TOOL_OK);
}

/* ---- show ----------------------------------------------------------------------------- */

/* What the two views of a table say. */
struct shown {
    struct engine_table_info table;
    struct table_info info;
    uint64_t set;      /* entries that are not vacant */
    double bits;       /* stored per entry */
    double entropy;    /* of the histogram, vacant entries included, in bits per entry */
    unsigned n_values; /* of the histogram, up to the last that is not 0 */
};

static double entropy_part(uint64_t count, uint64_t total)
{
    double share = (double)count / (double)total;

    return count ? -share * log2(share) : 0;
}

static void measure(struct shown *shown)
{
    const struct table_info *info = &shown->info;
    uint64_t total = info->meta.entry_count;

    for (unsigned v = 0; v < TABLE_HISTOGRAM_SIZE; v++) {
        shown->set += info->histogram[v];
        if (info->histogram[v])
            shown->n_values = v + 1;
        if (total)
            shown->entropy += entropy_part(info->histogram[v], total);
    }
    if (total > shown->set)
        shown->entropy += entropy_part(total - shown->set, total);
    if (total)
        shown->bits = 8.0 * (double)info->meta.payload_bytes / (double)total;
}

static int look(const struct server_tool_options *options, struct shown *shown)
{
    struct engine *engine = server_tool_open_engine(options, false, NULL, NULL);
    struct table_store_config config = {.directory = options->table_dir};
    struct table_store *store;
    struct base_diag diag = {0};
    uint64_t digest;
    int code;

    *shown = (struct shown){.bits = 0};
    if (!engine)
        return BASE_ERR_IO;
    code = engine_table_get(engine, options->arg[0], &shown->table);
    engine_close(engine);
    if (!code)
        code = table_store_open(&config, &store, &diag);
    if (!code) {
        code = table_digest_parse(options->arg[0], strlen(options->arg[0]), &digest);
        if (!code)
            code = table_store_info(store, digest, &shown->info);
        table_store_close(store);
    }
    if (code)
        complain_key(options, code, diag.text);
    else
        measure(shown);
    return code;
}

static char *encode_shown(const struct shown *shown)
{
    const struct table_info *info = &shown->info;
    struct proto_writer writer = {0};
    char *table = proto_table_encode(&shown->table);

    proto_write_object(&writer, NULL);
    proto_write_raw(&writer, "table", table);
    proto_write_text(&writer, "key_text", info->key.text);
    proto_write_uint(&writer, "payload_bytes", info->meta.payload_bytes);
    proto_write_uint(&writer, "entry_count", info->meta.entry_count);
    proto_write_real(&writer, "bits_per_entry", shown->bits, 4);
    proto_write_real(&writer, "entropy_bits", shown->entropy, 4);
    proto_write_real(&writer, "fill_seconds", shown->table.seconds, 3);
    proto_write_time(&writer, "created", info->created_unix_us);
    proto_write_time(&writer, "last_used", info->last_used_unix_us);
    proto_write_array(&writer, "histogram");
    for (unsigned v = 0; v < shown->n_values; v++)
        proto_write_uint(&writer, NULL, info->histogram[v]);
    proto_write_array_end(&writer);
    proto_write_object_end(&writer);
    free(table);
    return proto_writer_take(&writer);
}

static void print_histogram(const struct shown *shown)
{
    uint64_t total = shown->info.meta.entry_count;

    printf("\ndistance           entries    share\n");
    for (unsigned v = 0; v < shown->n_values; v++)
        printf("%8u  %16llu  %6.2f %%\n", v, (unsigned long long)shown->info.histogram[v],
               100.0 * (double)shown->info.histogram[v] / (double)total);
    if (total > shown->set)
        printf("  vacant  %16llu  %6.2f %%\n", (unsigned long long)(total - shown->set),
               100.0 * (double)(total - shown->set) / (double)total);
}

static void print_shown(const struct shown *shown)
{
    const struct engine_table_info *table = &shown->table;
    char size[SERVER_TOOL_SIZE_BYTES], created[PROTO_TIME_BYTES], used[PROTO_TIME_BYTES];

    proto_time_print(shown->info.created_unix_us, created);
    proto_time_print(shown->info.last_used_unix_us, used);
    printf("key             %s\n", table->key);
    printf("puzzle          %s\n", table->puzzle);
    printf("orbits          %s\n", table->orbits);
    printf("target          %s\n", table->target);
    printf("kind            %s%s%s\n", table->kind, *table->variant ? ", by " : "", table->variant);
    printf("encoding        %s\n", table->encoding);
    printf("state           %s%s\n", table->state, table->pinned ? ", pinned" : "");
    printf("size            %s\n", server_tool_size(table->bytes, size));
    printf("entries         %llu\n", (unsigned long long)shown->info.meta.entry_count);
    printf("bits per entry  %.4f (entropy %.4f)\n", shown->bits, shown->entropy);
    printf("layers          %u\n", table->layers);
    printf("fill            %.3f s\n", table->seconds);
    printf("created         %s\n", created);
    printf("last used       %s\n", used);
    printf("full key        %s\n", shown->info.key.text);
    print_histogram(shown);
}

int server_tool_tables_show(const struct server_tool_options *options)
{
    struct shown shown;

    if (look(options, &shown))
        return SERVER_TOOL_FAILED;
    if (options->json)
        return server_tool_print_json(encode_shown(&shown), SERVER_TOOL_OK);
    print_shown(&shown);
    return server_tool_finish(SERVER_TOOL_OK);
}

/* ---- remove --------------------------------------------------------------------------- */

static char *encode_removed(const char *key)
{
    struct proto_writer writer = {0};

    proto_write_object(&writer, NULL);
    proto_write_text(&writer, "removed", key);
    proto_write_object_end(&writer);
    return proto_writer_take(&writer);
}

int server_tool_tables_remove(const struct server_tool_options *options)
{
    struct engine *engine = server_tool_open_engine(options, false, NULL, NULL);
    struct base_diag diag = {0};
    int code;

    if (!engine)
        return SERVER_TOOL_FAILED;
    code = engine_table_remove(engine, options->arg[0], &diag);
    engine_close(engine);
    if (code)
        return complain_key(options, code, diag.text);
    if (options->json)
        return server_tool_print_json(encode_removed(options->arg[0]), SERVER_TOOL_OK);
    printf("%s removed\n", options->arg[0]);
    return server_tool_finish(SERVER_TOOL_OK);
}
