/*
 * table_trail.c - splits arcs into closed trails by trying, cycle after cycle, longest first, what
 * arcs it takes.
 *
 * A trail that uses arcs between the colours uses as many there as back, and then any arcs within a
 * colour can join it; one that does not stays within one colour. Cycles of one plain piece come
 * last and are settled by counting.
 */
#include "core/table/table_trail.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"
#include "core/base/base_hash.h"

enum { MEMO_SIZE = 1 << 12, MAX_CYCLES = 64 };

struct memo_entry {
    struct table_arcs arcs;
    uint8_t verdict; /* 0: empty, 1: no, 2: yes */
};

struct table_trail_rule {
    unsigned mod;
    unsigned n_cycles;
    uint8_t length[MAX_CYCLES];
    uint8_t oriented[MAX_CYCLES];
    unsigned n_fixed; /* cycles of one plain piece */
    struct memo_entry memo[MEMO_SIZE];
};

int table_trail_rule_new(const struct cycle_structure *structure, unsigned orbit, unsigned pieces,
                         unsigned mod, struct table_trail_rule **out)
{
    struct table_trail_rule *rule = calloc(1, sizeof *rule);
    *out = rule;
    if (!rule)
        return BASE_ERR_NOMEM;
    rule->mod = mod;
    rule->n_fixed = pieces;
    for (unsigned i = structure->n_items; i-- > 0;) {
        const struct cycle_item *item = &structure->item[i];
        if (item->orbit != orbit || rule->n_cycles == MAX_CYCLES)
            continue;
        rule->length[rule->n_cycles] = item->length;
        rule->oriented[rule->n_cycles++] = item->oriented;
        rule->n_fixed -= item->length;
    }
    return 0;
}

void table_trail_rule_free(struct table_trail_rule *rule)
{
    free(rule);
}

static bool cycles_fit(const struct table_trail_rule *rule, struct table_arcs *arcs,
                       unsigned cycle);

/* One trail being put together. */
struct trail {
    unsigned cycle;                   /* which cycle of the rule it is to be */
    unsigned take[TABLE_TRAIL_KINDS]; /* arcs of each kind still to be taken */
};

/* Takes the remaining arcs of the trail from kind `kind`, turn `turn` on, then goes on to the next
 * cycle. */
static bool trail_fill(const struct table_trail_rule *rule, struct table_arcs *arcs,
                       const struct trail *trail, unsigned kind, unsigned turn, unsigned sum)
{
    if (kind == TABLE_TRAIL_KINDS)
        return (sum % rule->mod != 0) == (rule->oriented[trail->cycle] != 0) &&
               cycles_fit(rule, arcs, trail->cycle + 1);
    if (turn == rule->mod)
        return trail->take[kind] == 0 && trail_fill(rule, arcs, trail, kind + 1, 0, sum);
    uint8_t *count = &arcs->count[kind][turn];
    unsigned most = trail->take[kind] < *count ? trail->take[kind] : *count;
    for (unsigned n = 0; n <= most; n++) {
        struct trail rest = *trail;
        rest.take[kind] -= n;
        *count = (uint8_t)(*count - n);
        bool fits = trail_fill(rule, arcs, &rest, kind, turn + 1, sum + n * turn);
        *count = (uint8_t)(*count + n);
        if (fits)
            return true;
    }
    return false;
}

/* Are the arcs that are left as many fixed, unturned pieces? */
static bool rest_is_fixed(const struct table_trail_rule *rule, const struct table_arcs *arcs)
{
    unsigned fixed = 0;
    for (unsigned kind = 0; kind < TABLE_TRAIL_KINDS; kind++)
        for (unsigned turn = 0; turn < rule->mod; turn++) {
            bool may_be_fixed = turn == 0 && (kind == 0 || kind == 3);
            if (!may_be_fixed && arcs->count[kind][turn])
                return false;
            fixed += arcs->count[kind][turn];
        }
    return fixed == rule->n_fixed;
}

static bool cycles_fit(const struct table_trail_rule *rule, struct table_arcs *arcs, unsigned cycle)
{
    if (cycle == rule->n_cycles)
        return rest_is_fixed(rule, arcs);
    unsigned length = rule->length[cycle];
    for (unsigned across = 0; 2 * across <= length; across++)
        for (unsigned inside = 0; inside + 2 * across <= length; inside++) {
            unsigned other = length - 2 * across - inside;
            if (across == 0 && inside > 0 && other > 0)
                continue; /* two colours and no arc between them are two trails */
            struct trail trail = {.cycle = cycle, .take = {inside, across, across, other}};
            if (trail_fill(rule, arcs, &trail, 0, 0, 0))
                return true;
        }
    return false;
}

bool table_trail_rule_fits(struct table_trail_rule *rule, const struct table_arcs *arcs)
{
    struct memo_entry *entry = &rule->memo[base_hash(arcs, sizeof *arcs, 0) % MEMO_SIZE];
    if (entry->verdict == 0 || memcmp(&entry->arcs, arcs, sizeof *arcs) != 0) {
        struct table_arcs work = *arcs;
        entry->arcs = *arcs;
        entry->verdict = cycles_fit(rule, &work, 0) ? 2 : 1;
    }
    return entry->verdict == 2;
}
