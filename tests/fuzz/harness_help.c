/*
 * harness_help.c - what several targets need.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/puzzle/puzzle_builtin.h"
#include "tests/fuzz/harness.h"

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    BASE_ASSERT(text);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

const struct puzzle *fuzz_puzzle(uint8_t choice)
{
    static struct puzzle *made[16]; /* for the life of the process: each takes some ms */
    size_t index = choice % puzzle_builtin_count();
    BASE_ASSERT(index < sizeof made / sizeof *made);
    if (!made[index])
        BASE_ASSERT(puzzle_builtin_new(puzzle_builtin_name(index), &made[index]) == 0);
    return made[index];
}

uint8_t fuzz_byte(struct fuzz_bytes *bytes)
{
    if (!bytes->size)
        return 0;
    bytes->size--;
    return *bytes->data++;
}

uint32_t fuzz_number(struct fuzz_bytes *bytes)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < 4; i++)
        number |= (uint32_t)fuzz_byte(bytes) << 8 * i;
    return number;
}

void fuzz_json(char *text)
{
    json_error_t error;
    json_t *document;
    BASE_ASSERT(text);
    document = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    BASE_ASSERT(json_is_object(document));
    json_decref(document);
    free(text);
}

void fuzz_refused(int code, struct proto_problem *problem)
{
    BASE_ASSERT(code < 0);
    BASE_ASSERT(problem->set);
    BASE_ASSERT(problem->status >= 400 && problem->status < 500);
    fuzz_json(proto_problem_encode(problem));
    proto_problem_deinit(problem);
}
