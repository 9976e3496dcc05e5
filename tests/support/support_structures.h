/*
 * support_structures.h - the rows of tests/data/structure_lengths_3x3.tsv. Tests run from the root
 * of the repository.
 */
#ifndef TESTS_SUPPORT_SUPPORT_STRUCTURES_H
#define TESTS_SUPPORT_SUPPORT_STRUCTURES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/cycle/cycle.h"

struct support_structure {
    unsigned min_htm; /* least number of moves, a half turn is one */
    struct cycle_structure structure;
    uint64_t words;      /* of that length */
    uint64_t traces;     /* of them up to exchanging neighbours that commute */
    char class_size[32]; /* states, decimal */
    char example[64];    /* a word of that length; "" if the file has none */
};

/* Both fail the running test when the file is not as it should be. `puzzle` is the 3x3x3. */
FILE *support_structures_open(void);
bool support_structures_next(FILE *file, const struct puzzle *puzzle,
                             struct support_structure *row);

#endif
