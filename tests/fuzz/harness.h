/*
 * harness.h - what a fuzz target is: one function over bytes, which links with libFuzzer
 * (harness_driven.c, `make fuzz`) and with a plain runner over the corpus (harness_plain.c, `make
 * check`).
 *
 * A target takes any bytes, and where what it reads can also be written it is a round trip: what is
 * read, written and read again is the same. What must hold is said with BASE_ASSERT, which ends the
 * process; reads out of bounds, leaks and undefined behaviour are the sanitizers' business.
 */
#ifndef TESTS_FUZZ_HARNESS_H
#define TESTS_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/base_assert.h"
#include "core/puzzle/puzzle.h"
#include "proto/proto_problem.h"

/* The target. `data` is a memory block of `size` bytes exactly. Returns 0. */
int fuzz_one(const uint8_t *data, size_t size);

/* The bytes with a NUL behind them: new (free), a block of size + 1 bytes exactly. */
char *fuzz_text(const uint8_t *data, size_t size);

/* A built-in puzzle, chosen by a byte; kept until the process ends. */
const struct puzzle *fuzz_puzzle(uint8_t choice);

/* Takes bytes off the front: the number they are, 0 if there are none left. */
struct fuzz_bytes {
    const uint8_t *data;
    size_t size;
};
uint8_t fuzz_byte(struct fuzz_bytes *bytes);
uint32_t fuzz_number(struct fuzz_bytes *bytes); /* of four bytes, the lowest first */

/* Ends what a decoder of requests has refused: the problem must be set, be the client's fault, and
 * its document JSON. */
void fuzz_refused(int code, struct proto_problem *problem);

/* Ends with an error if the text is no JSON object of UTF-8. Frees it. */
void fuzz_json(char *text);

#endif
