/*
 * harness_driven.c - a target under libFuzzer.
 */
#include "tests/fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t before = base_expect_failures();
    int result = fuzz_one(data, size);
    BASE_ASSERT(base_expect_failures() == before);
    return result;
}
