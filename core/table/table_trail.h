/*
 * table_trail.h - does an arrangement of which only colours are known belong to a structure?
 *
 * Slots and pieces of an orbit are coloured 0 or 1 alike. What is known of an arrangement is, for
 * every slot, its own colour, that of its piece, and the turn: an arc from colour to colour,
 * labelled. The arrangement extends to a state of the structure iff the arcs split into closed
 * trails with the structure's lengths and turn sums, each trail one cycle. Only the number of arcs
 * of each kind matters.
 */
#ifndef CORE_TABLE_TABLE_TRAIL_H
#define CORE_TABLE_TABLE_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cycle/cycle.h"

enum { TABLE_TRAIL_MAX_MOD = 3, TABLE_TRAIL_KINDS = 4 };

/* arcs[2 * (colour of the slot) + colour of the piece][turn] */
struct table_arcs {
    uint8_t count[TABLE_TRAIL_KINDS][TABLE_TRAIL_MAX_MOD];
};

struct table_trail_rule;

/* New. For one orbit of `pieces` pieces with `mod` <= TABLE_TRAIL_MAX_MOD orientations, and one
 * structure. Verdicts are remembered, so one rule belongs to one thread. BASE_ERR_NOMEM. */
int table_trail_rule_new(const struct cycle_structure *structure, unsigned orbit, unsigned pieces,
                         unsigned mod, struct table_trail_rule **out);
void table_trail_rule_free(struct table_trail_rule *rule);

bool table_trail_rule_fits(struct table_trail_rule *rule, const struct table_arcs *arcs);

#endif
