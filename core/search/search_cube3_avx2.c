/*
 * search_cube3_avx2.c - the expansion loop of the 3x3x3 for AVX2; compiled with its flags, run only
 * where the processor has it.
 */
#include "core/search/search_cube3_wide_inl.h"

static enum search_walk_result run(struct search_walk *walk, uint64_t budget)
{
    return search_cube3_run(walk, budget);
}

static enum search_walk_result run_wide(struct search_walk *walk, uint64_t budget)
{
    return search_wide_run(walk, budget);
}

const struct search_kernel search__kernel_cube3_avx2 = {.name = "cube3 avx2",
                                                        .state_bytes = CUBE3_BYTES,
                                                        .set_root = search_cube3_set_root,
                                                        .run = run,
                                                        .run_wide = run_wide};
