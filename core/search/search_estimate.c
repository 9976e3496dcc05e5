/*
 * search_estimate.c - see the header.
 */
#include "core/search/search_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/cube3/cube3.h"

/* ---- words ------------------------------------------------------------------------------- */

/* Under the window rule a word is visited from the first of its windows of least rank. With ties,
 * a level holds this many times less than the words up to symmetry and inversion (3x3x3, k = 4:
 * 3348, 31909 and 340256 nodes of 5, 6 and 7 moves; 2-move and 3-move windows fit as well). */
static const double window_thinning = 0.7;

/* Of the words up to symmetry, inversion and rotation, those that are visited last; the others have
 * factors that a shorter word replaces (1445470 of 1786000 at 8 moves, 17131472 of 21200000 at 9).
 */
static const double reduced_words = 0.81;

void search_estimate_words(const struct search_context *context, bool is_cycle_job,
                           struct search_words *words)
{
    double symmetries = is_cycle_job ? 2.0 * context->group->count : 1;
    words->k = is_cycle_job ? context->window->k : 0;
    canon_count_words(context->canon, SEARCH_ESTIMATE_LENGTHS, words->canonical);
    for (unsigned n = 0; n < SEARCH_ESTIMATE_LENGTHS; n++) {
        double rotations = is_cycle_job && n > 1 ? n : 1;
        double thinning = n > words->k ? 1 + window_thinning * (n - words->k) : 1;
        words->inner[n] = words->canonical[n] / symmetries;
        words->classes[n] = words->canonical[n] / (symmetries * rotations);
        if (is_cycle_job) {
            words->inner[n] = n < words->k ? words->canonical[n] : words->inner[n] / thinning;
            words->classes[n] *= reduced_words;
        }
    }
}

/* ---- the target -------------------------------------------------------------------------- */

/*
 * The regression for the 3x3x3 with all moves, over the 41 224 structures: hazards of 5 to 9 moves
 * by complementary log-log on size and shape. log(share) = constant + size * log10(|T| / |G|) +
 * what every piece in place and every piece turned in place is worth. The rarest targets move few
 * pieces, and commutators reach those sooner than chance would: below `rare` the size counts less
 * (set by hand, on a dozen structures of 9 to 13 moves).
 */
static const struct {
    double constant, size, rare, size_if_rare;
    double in_place[2], turned[2]; /* [orbit]: corners, edges */
} cube_fit = {-3.165, 1.833, -12, 0.6, {-0.102, 0.329}, {-0.186, -0.581}};

static const double ln10 = 2.302585092994046;

static bool has_fit(const struct search_context *context, bool is_cycle_job)
{
    return is_cycle_job && cube3_fits(context->puzzle) && context->canon->n_moves == 18;
}

static double fitted_log_share(const struct puzzle *puzzle, const struct cycle_structure *structure,
                               double log10_share)
{
    double sum = cube_fit.constant + cube_fit.size * fmax(log10_share, cube_fit.rare) +
                 cube_fit.size_if_rare * fmin(log10_share - cube_fit.rare, 0);
    for (unsigned orbit = 0; orbit < 2; orbit++) {
        unsigned in_place = puzzle_movable_count(puzzle, orbit), turned = 0;
        for (unsigned i = 0; i < structure->n_items; i++)
            if (structure->item[i].orbit == orbit) {
                in_place -= structure->item[i].length;
                turned += structure->item[i].length == 1;
            }
        sum += cube_fit.in_place[orbit] * in_place + cube_fit.turned[orbit] * turned;
    }
    return sum;
}

double search_estimate_share(const struct search_context *context,
                             const struct search_plan_target *target)
{
    struct cycle_count *count = malloc(sizeof *count);
    double positions, sum = 0;
    if (!count)
        return 0;
    cycle_count_positions(context->puzzle, count);
    positions = count->log10;
    for (size_t i = 0; i < target->n; i++) {
        cycle_count_states(context->puzzle, &target->structures[i], count);
        double log10_share = count->log10 - positions;
        sum += exp(has_fit(context, target->is_cycle_job)
                       ? fitted_log_share(context->puzzle, &target->structures[i], log10_share)
                       : ln10 * log10_share);
    }
    free(count);
    return sum > 0 ? log(sum) : -ln10 * positions;
}

void search_estimate_lengths(const struct search_words *words, double share, unsigned from,
                             double chance[SEARCH_ESTIMATE_LENGTHS])
{
    double left = 1;
    for (unsigned n = 0; n < SEARCH_ESTIMATE_LENGTHS; n++) {
        double hits = n < from ? 0 : exp(fmin(log(words->classes[n]) + share, 700));
        chance[n] = n + 1 < SEARCH_ESTIMATE_LENGTHS ? left * -expm1(-hits) : left;
        left -= chance[n];
    }
}

double search_estimate_orbit(const struct puzzle *puzzle, const struct cycle_structure *structure,
                             unsigned orbit)
{
    const struct perm_orbit *shape = &puzzle_shape(puzzle)->orbit[orbit];
    unsigned n = puzzle_movable_count(puzzle, orbit), left = n, same = 0;
    double sum = lgamma(n + 1.0), mod = shape->mod;
    const struct cycle_item *before = NULL;
    for (unsigned i = 0; i < structure->n_items; i++) {
        const struct cycle_item *item = &structure->item[i];
        if (item->orbit != orbit || item->length > left)
            continue;
        bool again = before && before->length == item->length && before->oriented == item->oriented;
        same = again ? same + 1 : 1;
        before = item;
        left -= item->length;
        sum += (item->length - 1.0) * log(mod) + (item->oriented ? log(fmax(mod - 1, 1)) : 0) -
               log(item->length) - log(same);
    }
    return (sum - lgamma(left + 1.0)) / ln10;
}
