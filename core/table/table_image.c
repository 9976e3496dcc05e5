/*
 * table_image.c - the chain-and-cycle rule.
 */
#include "core/table/table_image.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/base_err.h"

enum { MAX_CLOSED_COMBINATIONS = 4096 };

/* The cycles a structure requires of the orbit, fixed pieces included as (1, plain). */
struct image_structure {
    uint8_t need[TABLE_MAX_VIEW + 1][2]; /* [length][oriented] */
};

struct table_image {
    const struct table_coord *coord;
    bool sum_kept;
    size_t n;
    struct image_structure structure[];
};

static void structure_init(struct image_structure *required, const struct table_coord *coord,
                           const struct cycle_structure *structure)
{
    unsigned points = 0;
    memset(required, 0, sizeof *required);
    for (unsigned i = 0; i < structure->n_items; i++) {
        const struct cycle_item *item = &structure->item[i];
        if (item->orbit != coord->orbit || item->length > coord->n)
            continue;
        required->need[item->length][item->oriented != 0]++;
        points += item->length;
    }
    if (points < coord->n)
        required->need[1][0] = (uint8_t)(required->need[1][0] + coord->n - points);
}

int table_image_new(const struct table_coord *coord, const struct cycle_structure *structures,
                    size_t n, struct table_image **out)
{
    struct table_image *image = calloc(1, sizeof *image + n * sizeof image->structure[0]);
    *out = image;
    if (!image)
        return BASE_ERR_NOMEM;
    image->coord = coord;
    image->sum_kept = puzzle_orientation_sum_kept(coord->group->puzzle, coord->orbit);
    for (size_t i = 0; i < n; i++) {
        struct image_structure *new = &image->structure[image->n];
        structure_init(new, coord, &structures[i]);
        bool known = false;
        for (size_t j = 0; !known && j < image->n; j++)
            known = memcmp(&image->structure[j], new, sizeof *new) == 0;
        image->n += !known;
    }
    return 0;
}

void table_image_free(struct table_image *image)
{
    free(image);
}

/* ---- trails ------------------------------------------------------------------------------ */

static void insert_chain(struct table_trails *trails, unsigned points)
{
    unsigned at = trails->n_chains++;
    for (; at > 0 && trails->chain[at - 1] < points; at--)
        trails->chain[at] = trails->chain[at - 1];
    trails->chain[at] = (uint8_t)points;
}

void table_trails_find(const struct table_coord *coord, const struct table_partial *partial,
                       struct table_trails *trails)
{
    enum { NO_ARC = 255 };
    uint8_t arc_from[TABLE_MAX_VIEW]; /* [point]: the known arc that starts there */
    bool entered[TABLE_MAX_VIEW] = {false};
    memset(arc_from, NO_ARC, sizeof arc_from);
    trails->n_closed = trails->n_chains = 0;
    for (unsigned j = 0; j < partial->known; j++) {
        arc_from[partial->slot[j]] = (uint8_t)j;
        entered[partial->piece[j]] = true;
    }
    /* Chains start at points no arc enters; what they do not use up are closed cycles. */
    for (unsigned start = 0; start < coord->n; start++) {
        if (entered[start] || arc_from[start] == NO_ARC)
            continue;
        unsigned points = 1;
        for (unsigned at = start; arc_from[at] != NO_ARC; points++) {
            unsigned arc = arc_from[at];
            arc_from[at] = NO_ARC;
            at = partial->piece[arc];
        }
        insert_chain(trails, points);
    }
    for (unsigned start = 0; start < coord->n; start++) {
        if (arc_from[start] == NO_ARC)
            continue;
        uint64_t members = 0;
        unsigned length = 0;
        for (unsigned at = start; arc_from[at] != NO_ARC; length++) {
            unsigned arc = arc_from[at];
            members |= (uint64_t)1 << arc;
            arc_from[at] = NO_ARC;
            at = partial->piece[arc];
        }
        trails->closed[trails->n_closed] = (uint8_t)length;
        trails->members[trails->n_closed++] = members;
    }
}

/* ---- the rule ---------------------------------------------------------------------------- */

/* Do the chains from `at` on fit into the open cycles? room[l]: how many open cycles have l points
 * of room. */
static bool chains_fit(const struct table_trails *trails, unsigned at, uint8_t *room, unsigned most)
{
    if (at == trails->n_chains)
        return true;
    unsigned points = trails->chain[at];
    for (unsigned l = points; l <= most; l++) {
        if (!room[l])
            continue;
        room[l]--;
        room[l - points]++;
        bool fits = chains_fit(trails, at + 1, room, most);
        room[l - points]--;
        room[l]++;
        if (fits)
            return true;
    }
    return false;
}

static bool structure_has(const struct table_image *image, const struct image_structure *required,
                          const struct table_trails *trails, const uint8_t *sums)
{
    const struct table_coord *coord = image->coord;
    struct image_structure open = *required;
    unsigned closed_sum = 0;
    for (unsigned i = 0; i < trails->n_closed; i++) {
        uint8_t *need = &open.need[trails->closed[i]][sums[i] != 0];
        if (!*need)
            return false;
        --*need;
        closed_sum += sums[i];
    }
    uint8_t room[TABLE_MAX_VIEW + 1];
    unsigned oriented = 0;
    for (unsigned l = 0; l <= coord->n; l++) {
        room[l] = (uint8_t)(open.need[l][0] + open.need[l][1]);
        oriented += open.need[l][1];
    }
    closed_sum %= coord->mod;
    if (image->sum_kept &&
        ((oriented == 0 && closed_sum != 0) || (oriented == 1 && closed_sum == 0)))
        return false;
    return chains_fit(trails, 0, room, coord->n);
}

/* Could it belong to the image with some orientation sums? Most lines fail here, once for all their
 * entries. */
static bool image_could_have(const struct table_image *image, const struct table_trails *trails)
{
    const struct table_coord *coord = image->coord;
    for (size_t s = 0; s < image->n; s++) {
        uint8_t room[TABLE_MAX_VIEW + 1];
        bool could = true;
        for (unsigned l = 0; l <= coord->n; l++)
            room[l] = (uint8_t)(image->structure[s].need[l][0] + image->structure[s].need[l][1]);
        for (unsigned i = 0; could && i < trails->n_closed; i++) {
            could = room[trails->closed[i]] > 0;
            room[trails->closed[i]]--;
        }
        if (could && chains_fit(trails, 0, room, coord->n))
            return true;
    }
    return false;
}

bool table_image_has(const struct table_image *image, const struct table_trails *trails,
                     const uint8_t *sums)
{
    for (size_t i = 0; i < image->n; i++)
        if (structure_has(image, &image->structure[i], trails, sums))
            return true;
    return false;
}

/* ---- marking a line ---------------------------------------------------------------------- */

/* The arcs that a line of the table knows. */
static void line_partial(const struct table_coord *coord, const struct table_view *view,
                         struct table_partial *partial)
{
    partial->known = coord->kind == TABLE_COORD_EXACT ? coord->n : coord->k;
    for (unsigned j = 0; j < partial->known; j++) {
        partial->slot[j] = coord->kind == TABLE_COORD_EXACT ? (uint8_t)j : coord->pick[j];
        partial->piece[j] = view->piece[j];
    }
}

/* Turn of every known arc for an entry; an exact table's last digit follows from the kept sum. */
static void entry_turns(const struct table_coord *coord, unsigned known, uint32_t entry,
                        uint8_t *turn)
{
    unsigned sum = 0;
    for (unsigned j = 0; j < coord->n_digits; j++) {
        turn[j] = (uint8_t)(entry % coord->mod);
        sum += turn[j];
        entry /= coord->mod;
    }
    if (coord->n_digits < known)
        turn[known - 1] = (uint8_t)((coord->mod - sum % coord->mod) % coord->mod);
}

static void closed_sums(const struct table_coord *coord, const struct table_trails *trails,
                        const uint8_t *turn, uint8_t *sums)
{
    for (unsigned i = 0; i < trails->n_closed; i++) {
        unsigned sum = 0;
        for (uint64_t rest = trails->members[i]; rest; rest &= rest - 1)
            sum += turn[__builtin_ctzll(rest)];
        sums[i] = (uint8_t)(sum % coord->mod);
    }
}

/* Number of a combination of sums, to remember the verdict on it; UINT32_MAX: too many to remember.
 */
static uint32_t combination(const struct table_coord *coord, const struct table_trails *trails,
                            const uint8_t *sums)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < trails->n_closed; i++) {
        number = number * coord->mod + sums[i];
        if (number >= MAX_CLOSED_COMBINATIONS)
            return UINT32_MAX;
    }
    return number;
}

/* Marks entry by entry; the verdict on each combination of sums is remembered. */
static void mark_by_sums(const struct table_image *image, const struct table_trails *trails,
                         unsigned known, void (*mark)(void *arg, uint32_t entry), void *arg)
{
    enum { UNKNOWN, NO, YES };
    const struct table_coord *coord = image->coord;
    uint8_t turn[TABLE_MAX_VIEW] = {0}, sums[TABLE_MAX_VIEW] = {0};
    uint8_t verdict[MAX_CLOSED_COMBINATIONS] = {UNKNOWN};
    for (uint32_t entry = 0; entry < coord->width; entry++) {
        entry_turns(coord, known, entry, turn);
        closed_sums(coord, trails, turn, sums);
        uint32_t number = combination(coord, trails, sums);
        uint8_t fresh = UNKNOWN;
        uint8_t *verdict_on = number == UINT32_MAX ? &fresh : &verdict[number];
        if (*verdict_on == UNKNOWN)
            *verdict_on = table_image_has(image, trails, sums) ? YES : NO;
        if (*verdict_on == YES)
            mark(arg, entry);
    }
}

void table_image_mark(const struct table_image *image, uint32_t line,
                      void (*mark)(void *arg, uint32_t entry), void *arg)
{
    const struct table_coord *coord = image->coord;
    struct table_view view;
    struct table_partial partial;
    struct table_trails trails;
    table_coord_line(coord, line, &view);
    line_partial(coord, &view, &partial);
    table_trails_find(coord, &partial, &trails);
    if (!image_could_have(image, &trails))
        return;
    if (trails.n_closed > 0) {
        mark_by_sums(image, &trails, partial.known, mark, arg);
        return;
    }
    uint8_t no_sums[1] = {0};
    if (table_image_has(image, &trails, no_sums))
        for (uint32_t entry = 0; entry < coord->width; entry++)
            mark(arg, entry);
}
