/*
 * table_structure_characters.c - neighbours of structures by character theory, whatever the moves.
 *
 * In how many ways is an element b of the group a product of an element of the set A and one of the
 * set M, where both are unions of classes? In
 *
 *     sum over irreducible characters x of  a(x) * |M's classes| x(M) / x(1) * x(b),
 *     a(x) = sum over classes of A of x(class) / |centraliser|
 *
 * (Frobenius). With A a whole layer and M all moves, one such sum a class tells whether the class
 * touches the layer: every term that is counted is a number of ways, so nothing can cancel.
 *
 * The sums are computed modulo primes that are 1 modulo the number of orientations, so that roots
 * of unity are numbers too. A number of ways is at most |M|, so it is zero iff it is zero modulo
 * primes whose product exceeds |M|.
 *
 * A and M hold with every element its inverse (a flag holds a sum and its negative, and so do the
 * moves), so the complex conjugates of the textbook are left out.
 *
 * A column of values stands for all characters that are the same up to the sign at odd
 * permutations, x and x'. The even parts a(x) +- a(x') and the odd ones are kept apart: an even b
 * is even times even or odd times odd.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_assert.h"
#include "core/base/base_err.h"
#include "core/table/table_structure_int.h"
#include "core/table/table_structure_irreps_int.h"

enum {
    MAX_PRIMES = 5,
    MAX_CLASSES = 8192,
    MAX_BYTES = 64 << 20, /* of all character values */
    MAX_PIECES = TABLE__IRREPS_MAX_PIECES,
    MAX_MOD = TABLE__IRREPS_MAX_MOD
};

/* Characters modulo one prime. */
struct field {
    uint32_t prime;
    uint32_t root;     /* of unity, of order mod */
    uint32_t *value;   /* [row * n_columns + column] */
    uint32_t *weight;  /* [row]: 1 / centraliser */
    uint32_t *step[2]; /* [odd moves][column]: what a product with them does */
};

struct table__characters {
    const struct table__orbit *orbit;
    uint32_t n_structures;
    uint32_t n_rows;     /* classes */
    uint32_t n_columns;  /* characters */
    uint32_t *first_row; /* [structure], and the end: its classes */
    uint8_t *odd;        /* [structure] */
    unsigned n_fields;
    struct field field[MAX_PRIMES];
};

/* ---- walking over classes ---------------------------------------------------------------- */

/* A class as it is put together, smallest cycles first, and what is known of it. */
struct walk {
    struct table__characters *characters;
    const struct table__keys *keys;
    const struct table__irreps *irreps;
    void (*visit)(struct walk *walk);
    unsigned n_cycles;
    uint8_t length[MAX_PIECES], sum[MAX_PIECES];
    struct table__cycles cycles;
    /* when values are computed */
    struct field *field;
    uint32_t *next_row;                   /* [structure] */
    uint32_t *move_row;                   /* [move] */
    uint64_t *sums;                       /* [tuple] */
    uint32_t *value[MAX_PIECES + 1];      /* [boxes][tuple]: at the cycles so far */
    uint32_t factor[MAX_MOD][MAX_MOD][2]; /* [sum][colour][odd] */
};

/* The values at a class from those at the class without one cycle of this kind. */
static void append_cycle(struct walk *walk, unsigned boxes, unsigned length, unsigned sum)
{
    const struct table__irreps *irreps = walk->irreps;
    const struct table__hooks *hooks = &irreps->hooks[boxes + length][length];
    const uint32_t n =
        boxes + length == irreps->n ? irreps->n_columns : irreps->count[boxes + length];
    const uint32_t *from = walk->value[boxes];
    uint32_t *to = walk->value[boxes + length];

    memset(walk->sums, 0, n * sizeof *walk->sums);
    for (uint32_t i = 0; i < hooks->n; i++) {
        const struct table__hook *hook = &hooks->hook[i];
        walk->sums[hook->to] +=
            (uint64_t)walk->factor[sum][hook->colour][hook->odd] * from[hook->from];
    }
    for (uint32_t i = 0; i < n; i++)
        to[i] = (uint32_t)(walk->sums[i] % walk->field->prime);
}

static void walk_from(struct walk *walk, unsigned boxes, unsigned least, unsigned total);

static void walk_with(struct walk *walk, unsigned boxes, unsigned kind, unsigned total)
{
    const unsigned mod = walk->characters->orbit->mod;
    const unsigned length = kind / mod, sum = kind % mod;

    if (walk->field)
        append_cycle(walk, boxes, length, sum);
    walk->length[walk->n_cycles] = (uint8_t)length;
    walk->sum[walk->n_cycles++] = (uint8_t)sum;
    walk->cycles.count[sum != 0][length]++;
    walk_from(walk, boxes + length, kind, (total + sum) % mod);
    walk->cycles.count[sum != 0][length]--;
    walk->n_cycles--;
}

/* All classes that begin with these cycles and go on with kinds (length * mod + sum) no smaller
 * than `least`. A cycle is either the last or leaves room for another one as long. */
static void walk_from(struct walk *walk, unsigned boxes, unsigned least, unsigned total)
{
    const struct table__orbit *orbit = walk->characters->orbit;
    const unsigned mod = orbit->mod, left = orbit->n - boxes;

    if (left == 0) {
        walk->visit(walk);
        return;
    }
    for (unsigned kind = least; kind / mod <= left; kind++) {
        if (kind / mod < left && 2 * (kind / mod) > left)
            kind = left * mod;
        if (kind / mod == left && orbit->sum_kept && (total + kind % mod) % mod != 0)
            continue;
        walk_with(walk, boxes, kind, total);
    }
}

static void walk_all(struct walk *walk)
{
    if (walk->field) {
        const uint32_t prime = walk->field->prime;
        const unsigned mod = walk->characters->orbit->mod;
        for (unsigned sum = 0; sum < mod; sum++) {
            for (unsigned colour = 0; colour < mod; colour++) {
                uint32_t factor = table__structure_power(walk->field->root, sum * colour, prime);
                walk->factor[sum][colour][0] = factor;
                walk->factor[sum][colour][1] = prime - factor;
            }
        }
        walk->value[0][0] = 1;
    }
    walk_from(walk, 0, walk->characters->orbit->mod, 0);
}

static bool is_odd(const uint8_t *length, unsigned n)
{
    unsigned exchanges = 0;
    for (unsigned i = 0; i < n; i++)
        exchanges += length[i] - 1u;
    return exchanges % 2;
}

static void count_class(struct walk *walk)
{
    uint32_t structure = table__keys_number(walk->keys, &walk->cycles);
    walk->characters->first_row[structure + 1]++;
    walk->characters->odd[structure] = is_odd(walk->length, walk->n_cycles);
    walk->characters->n_rows++;
}

/* ---- values ----------------------------------------------------------------------------- */

/* Order of the centraliser: product over kinds of cycle of (length * mod)^count * count!. */
static uint32_t centraliser_of(const struct walk *walk, uint32_t prime)
{
    const unsigned mod = walk->characters->orbit->mod;
    uint32_t order = 1, run = 0;

    for (unsigned i = 0; i < walk->n_cycles; i++) {
        bool goes_on =
            i > 0 && walk->length[i] == walk->length[i - 1] && walk->sum[i] == walk->sum[i - 1];
        run = goes_on ? run + 1 : 1;
        order = table__multiply(order, walk->length[i] * mod, prime);
        order = table__multiply(order, run, prime);
    }
    return order;
}

static bool is_move(const struct walk *walk, const struct table__move *move)
{
    unsigned plain = 0;
    while (plain < walk->n_cycles && walk->length[plain] == 1 && walk->sum[plain] == 0)
        plain++;
    return walk->n_cycles - plain == move->n &&
           memcmp(walk->length + plain, move->length, move->n) == 0 &&
           memcmp(walk->sum + plain, move->sum, move->n) == 0;
}

static void note_class(struct walk *walk)
{
    const struct table__characters *characters = walk->characters;
    const struct table__orbit *orbit = characters->orbit;
    struct field *field = walk->field;
    uint32_t row = walk->next_row[table__keys_number(walk->keys, &walk->cycles)]++;

    memcpy(field->value + (size_t)row * characters->n_columns, walk->value[orbit->n],
           characters->n_columns * sizeof *field->value);
    field->weight[row] = table__inverse(centraliser_of(walk, field->prime), field->prime);
    for (unsigned m = 0; m < orbit->n_moves; m++) {
        if (is_move(walk, &orbit->move[m]))
            walk->move_row[m] = row;
    }
}

/* The class of the identity is the one class of structure 0. */
static void make_step(struct walk *walk, bool odd, uint32_t order)
{
    const struct table__characters *characters = walk->characters;
    const struct table__orbit *orbit = characters->orbit;
    const struct field *field = walk->field;
    const uint32_t prime = field->prime;

    for (uint32_t c = 0; c < characters->n_columns; c++) {
        uint64_t sum = 0;
        for (unsigned m = 0; m < orbit->n_moves; m++) {
            if (is_odd(orbit->move[m].length, orbit->move[m].n) != odd)
                continue;
            const uint32_t *value =
                field->value + (size_t)walk->move_row[m] * characters->n_columns;
            uint32_t size = table__multiply(order, field->weight[walk->move_row[m]], prime);
            sum += table__multiply(size, value[c], prime);
        }
        uint32_t step =
            table__multiply((uint32_t)(sum % prime), table__inverse(field->value[c], prime), prime);
        field->step[odd][c] = table__multiply(step, walk->irreps->multiplicity[c], prime);
    }
}

static void make_steps(struct walk *walk)
{
    const struct table__orbit *orbit = walk->characters->orbit;
    const uint32_t prime = walk->field->prime;
    uint32_t order = table__structure_power(orbit->mod, orbit->n, prime);

    for (unsigned i = 2; i <= orbit->n; i++)
        order = table__multiply(order, i, prime);
    make_step(walk, false, order);
    make_step(walk, true, order);
}

static int fill_field(struct walk *walk)
{
    struct table__characters *characters = walk->characters;
    struct field *field = walk->field;

    field->value =
        malloc((size_t)characters->n_rows * characters->n_columns * sizeof *field->value);
    field->weight = malloc(characters->n_rows * sizeof *field->weight);
    field->step[0] = malloc(characters->n_columns * sizeof *field->step[0]);
    field->step[1] = malloc(characters->n_columns * sizeof *field->step[1]);
    if (!field->value || !field->weight || !field->step[0] || !field->step[1])
        return BASE_ERR_NOMEM;
    memcpy(walk->next_row, characters->first_row,
           characters->n_structures * sizeof *walk->next_row);
    walk_all(walk);
    make_steps(walk);
    return BASE_OK;
}

/* ---- primes ----------------------------------------------------------------------------- */

/* log2 of n! * mod^n, the order of the group of n pieces. */
static double log_of_group(unsigned n, unsigned mod)
{
    double log = 0;
    for (unsigned i = 1; i <= n; i++)
        log += log2(i * mod);
    return log;
}

/* log2 of the number of elements in a move's class. */
static double log_of_class(const struct table__orbit *orbit, const struct table__move *move)
{
    unsigned plain = orbit->n, run = 0;
    double log = log_of_group(orbit->n, orbit->mod);

    for (unsigned i = 0; i < move->n; i++) {
        bool goes_on =
            i > 0 && move->length[i] == move->length[i - 1] && move->sum[i] == move->sum[i - 1];
        run = goes_on ? run + 1 : 1;
        log -= log2(move->length[i] * orbit->mod) + log2(run);
        plain -= move->length[i];
    }
    return log - log_of_group(plain, orbit->mod);
}

/* Chooses primes whose product exceeds the number of all conjugates of all moves. MAX_PRIMES have
 * 139 bits together, and no group with so few classes has 120. */
static void choose_primes(struct table__characters *characters)
{
    const struct table__orbit *orbit = characters->orbit;
    double bits = 0;
    uint32_t prime = UINT32_C(1) << TABLE__PRIME_BITS;

    for (unsigned m = 0; m < orbit->n_moves; m++)
        bits = fmax(bits, log_of_class(orbit, &orbit->move[m]));
    bits += log2(orbit->n_moves) + 0.01; /* what rounding may have lost */
    while (bits > 0) {
        BASE_ASSERT(characters->n_fields < MAX_PRIMES);
        prime = table__prime_below(prime, orbit->mod);
        characters->field[characters->n_fields++] =
            (struct field){.prime = prime, .root = table__root_of_unity(prime, orbit->mod)};
        bits -= log2(prime);
    }
}

/* ---- life ------------------------------------------------------------------------------- */

static int alloc_walk(struct walk *walk)
{
    const struct table__irreps *irreps = walk->irreps;
    bool all = true;

    walk->sums = malloc(irreps->count[irreps->n] * sizeof *walk->sums);
    walk->next_row = malloc(walk->characters->n_structures * sizeof *walk->next_row);
    walk->move_row = calloc(walk->characters->orbit->n_moves, sizeof *walk->move_row);
    for (unsigned boxes = 0; boxes <= irreps->n; boxes++) {
        walk->value[boxes] = malloc(irreps->count[boxes] * sizeof *walk->value[boxes]);
        all &= walk->value[boxes] != NULL;
    }
    return all && walk->sums && walk->next_row && walk->move_row ? BASE_OK : BASE_ERR_NOMEM;
}

static void free_walk(struct walk *walk)
{
    for (unsigned boxes = 0; boxes <= MAX_PIECES; boxes++)
        free(walk->value[boxes]);
    free(walk->sums);
    free(walk->next_row);
    free(walk->move_row);
    free(walk);
}

static int fill_fields(struct table__characters *characters, struct walk *walk)
{
    int code = alloc_walk(walk);
    for (unsigned i = 0; i < characters->n_fields && code == BASE_OK; i++) {
        walk->field = &characters->field[i];
        code = fill_field(walk);
    }
    return code;
}

static int count_rows(struct table__characters *characters, struct walk *walk)
{
    characters->first_row = calloc(characters->n_structures + 1, sizeof *characters->first_row);
    characters->odd = calloc(characters->n_structures, sizeof *characters->odd);
    if (!characters->first_row || !characters->odd)
        return BASE_ERR_NOMEM;
    walk->visit = count_class;
    walk_all(walk);
    for (uint32_t i = 0; i < characters->n_structures; i++)
        characters->first_row[i + 1] += characters->first_row[i];
    uint64_t cells = (uint64_t)characters->n_rows * characters->n_columns;
    if (cells * characters->n_fields * sizeof *characters->field[0].value > MAX_BYTES)
        return BASE_ERR_TOO_LARGE;
    walk->visit = note_class;
    return BASE_OK;
}

static int init(struct table__characters *characters, const struct table__keys *keys,
                const struct table__irreps *irreps)
{
    struct walk *walk = calloc(1, sizeof *walk);
    if (!walk)
        return BASE_ERR_NOMEM;
    walk->characters = characters;
    walk->keys = keys;
    walk->irreps = irreps;
    characters->n_columns = irreps->n_columns;
    choose_primes(characters);
    int code = count_rows(characters, walk);
    if (code == BASE_OK)
        code = fill_fields(characters, walk);
    free_walk(walk);
    return code;
}

bool table__characters_fit(const struct table__orbit *orbit)
{
    return table__irreps_count(orbit->n, orbit->mod) <= MAX_CLASSES;
}

int table__characters_new(const struct table__orbit *orbit, const struct table__keys *keys,
                          uint32_t count, struct table__characters **out)
{
    struct table__irreps irreps;
    *out = NULL;
    if (!table__characters_fit(orbit))
        return BASE_ERR_TOO_LARGE;
    struct table__characters *characters = calloc(1, sizeof *characters);
    if (!characters)
        return BASE_ERR_NOMEM;
    characters->orbit = orbit;
    characters->n_structures = count;
    int code = table__irreps_init(&irreps, orbit->n, orbit->mod, orbit->sum_kept);
    if (code == BASE_OK)
        code = init(characters, keys, &irreps);
    table__irreps_deinit(&irreps);
    if (code)
        table__characters_free(characters);
    else
        *out = characters;
    return code;
}

void table__characters_free(struct table__characters *characters)
{
    if (!characters)
        return;
    for (unsigned i = 0; i < characters->n_fields; i++) {
        free(characters->field[i].value);
        free(characters->field[i].weight);
        free(characters->field[i].step[0]);
        free(characters->field[i].step[1]);
    }
    free(characters->first_row);
    free(characters->odd);
    free(characters);
}

uint64_t table__characters_memory(const struct table__characters *characters)
{
    uint64_t cells =
        (uint64_t)characters->n_rows * (characters->n_columns + 1) + 2 * characters->n_columns;
    return sizeof *characters + (characters->n_structures + 1) * (sizeof(uint32_t) + 1) +
           characters->n_fields * cells * sizeof(uint32_t);
}

/* ---- one layer -------------------------------------------------------------------------- */

/* Working memory: numbers by column. */
struct work {
    uint64_t *sums[2];           /* [odd]: a(x) of that part of the layer */
    uint32_t *image[MAX_PRIMES]; /* [odd b] behind each other: with the moves */
};

static void work_init(const struct table__characters *characters, void *memory, struct work *work)
{
    const uint32_t n = characters->n_columns;
    work->sums[0] = memory;
    work->sums[1] = work->sums[0] + n;
    for (unsigned i = 0; i < characters->n_fields; i++)
        work->image[i] = (uint32_t *)(work->sums[1] + n) + (size_t)i * 2 * n;
}

static void reduce(uint64_t *sums, uint32_t n, uint32_t prime)
{
    for (uint32_t c = 0; c < n; c++)
        sums[c] %= prime;
}

static void add_layer(const struct table__characters *characters, const struct field *field,
                      const uint8_t *entries, unsigned layer, uint64_t **part)
{
    const uint32_t n = characters->n_columns;
    unsigned added[2] = {0, 0};

    for (uint32_t i = 0; i < characters->n_structures; i++) {
        unsigned odd = characters->odd[i];
        if (entries[i] != layer)
            continue;
        for (uint32_t row = characters->first_row[i]; row < characters->first_row[i + 1]; row++) {
            const uint32_t *value = field->value + (size_t)row * n;
            for (uint32_t c = 0; c < n; c++)
                part[odd][c] += (uint64_t)value[c] * field->weight[row];
            if (++added[odd] % (TABLE__LAZY_SUMS - 1) == 0)
                reduce(part[odd], n, field->prime);
        }
    }
}

static void transform(const struct table__characters *characters, unsigned f,
                      const uint8_t *entries, unsigned layer, const struct work *work)
{
    const struct field *field = &characters->field[f];
    const uint32_t n = characters->n_columns;
    uint64_t *part[2] = {work->sums[0], work->sums[1]};

    memset(part[0], 0, n * sizeof *part[0]);
    memset(part[1], 0, n * sizeof *part[1]);
    add_layer(characters, field, entries, layer, part);
    reduce(part[0], n, field->prime);
    reduce(part[1], n, field->prime);
    for (unsigned odd = 0; odd < 2; odd++) {
        uint32_t *image = work->image[f] + (size_t)odd * n;
        for (uint32_t c = 0; c < n; c++)
            image[c] =
                (uint32_t)((part[odd][c] * field->step[0][c] + part[!odd][c] * field->step[1][c]) %
                           field->prime);
    }
}

static bool is_zero_at(const struct table__characters *characters, const struct field *field,
                       uint32_t row, const uint32_t *image)
{
    const uint32_t n = characters->n_columns;
    const uint32_t *value = field->value + (size_t)row * n;
    uint64_t total = 0;

    for (uint32_t c = 0; c < n;) {
        uint32_t end = n - c < TABLE__LAZY_SUMS ? n : c + TABLE__LAZY_SUMS;
        uint64_t sum = 0;
        for (; c < end; c++)
            sum += (uint64_t)value[c] * image[c];
        total += sum % field->prime;
    }
    return total % field->prime == 0;
}

static bool touches_layer(const struct table__characters *characters, uint32_t structure,
                          const struct work *work)
{
    const size_t image_at = (size_t)characters->odd[structure] * characters->n_columns;

    for (unsigned f = 0; f < characters->n_fields; f++) {
        for (uint32_t row = characters->first_row[structure];
             row < characters->first_row[structure + 1]; row++) {
            if (!is_zero_at(characters, &characters->field[f], row, work->image[f] + image_at))
                return true;
        }
    }
    return false;
}

uint64_t table__characters_work_bytes(const struct table__characters *characters)
{
    return characters->n_columns *
           (2 * sizeof(uint64_t) + characters->n_fields * 2 * sizeof(uint32_t));
}

uint64_t table__characters_deepen(const struct table__characters *characters, void *memory,
                                  uint8_t *entries, unsigned layer)
{
    struct work work;
    uint64_t found = 0;

    work_init(characters, memory, &work);
    for (unsigned f = 0; f < characters->n_fields; f++)
        transform(characters, f, entries, layer, &work);
    for (uint32_t i = 0; i < characters->n_structures; i++) {
        if (entries[i] == 0 && touches_layer(characters, i, &work)) {
            entries[i] = (uint8_t)(layer + 1);
            found++;
        }
    }
    return found;
}
