/*
 * search_wish.h - the tables that a job's owner asks for: kinds and encodings, orbit by orbit.
 *
 * Orbits without a wish are planned as always. Product tables are planned only where no wish is
 * there at all, or where one asks for them.
 */
#ifndef CORE_SEARCH_SEARCH_WISH_H
#define CORE_SEARCH_SEARCH_WISH_H

#include <stdbool.h>

#include "core/perm/perm.h"
#include "core/table/table.h"
#include "core/table/table_codec.h"

struct search_wish {
    bool set;
    enum table_kind kind;
    enum table_variant variant; /* of approximate; NONE: the plan chooses */
    bool encoding_set;          /* else the plan chooses among those that go with the kind */
    enum table_encoding encoding;
};

/* All zero: no wishes. */
struct search_wishes {
    struct search_wish orbit[PERM_MAX_ORBITS];
    struct search_wish product; /* of the orbits that product tables join */
};

static inline bool search_wishes_any(const struct search_wishes *wishes)
{
    bool any = wishes->product.set;
    for (unsigned orbit = 0; orbit < PERM_MAX_ORBITS; orbit++)
        any = any || wishes->orbit[orbit].set;
    return any;
}

#endif
