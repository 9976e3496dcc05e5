/*
 * support_product.h - product tables in plain memory, without a store, and what must be true of
 * their entries.
 */
#ifndef TESTS_SUPPORT_SUPPORT_PRODUCT_H
#define TESTS_SUPPORT_SUPPORT_PRODUCT_H

#include "tests/support/support_codec.h"
#include "tests/support/support_fill.h"

struct support_product {
    struct table_product *product;
    enum support_form form;    /* SUPPORT_NXOPT unless changed before the fill */
    uint8_t *payload;          /* NULL until it is filled */
    struct table_codec *codec; /* of all forms but SUPPORT_NXOPT */
    uint64_t bytes;
    unsigned layers;
    uint64_t total;
    uint64_t histogram[TABLE_FILL_MAX_LAYERS];
    /* after each layer, if set before the fill */
    void (*each)(void *arg, const struct support_product *filled);
    void *arg;
};

/* The coordinate alone; `group` is borrowed. What fails, fails the running test. */
void support_product_init(struct support_product *filled, const struct sym_group *group, bool fine,
                          unsigned flip_bits);
void support_product_deinit(struct support_product *filled);

/* Passes are run in the two ways in turn. The form is SUPPORT_NXOPT or SUPPORT_NONE. */
void support_product_fill(struct support_product *filled, const struct cycle_structure *structures,
                          size_t n, enum support_fill_how even, enum support_fill_how odd);

/* From SUPPORT_NONE to another form, which a fill does not make by itself. */
void support_product_encode(struct support_product *filled, enum support_form form);

/* The table that table_bound and the search's kernels ask; borrows. End it with
 * support_fill_table_deinit. */
void support_product_table_init(struct table *table, const struct support_product *filled);

/* Some arrangement with these parts. */
void support_product_state(const struct table_product *product,
                           const struct table_product_parts *parts, uint8_t *state);

/* Raw parts in each class; n_classes numbers. New, free with free(). */
uint32_t *support_product_members(const struct table_product *product);

/* The bound of a state and its inverse, in any form. */
unsigned support_product_bound(const struct support_product *filled, const uint8_t *state);

/* What an entry tells, in any form. */
unsigned support_product_entry(const struct support_product *filled, uint64_t index);

/* The entry that an entry of all flips is a part of. */
uint64_t support_product_hidden(const struct table_product *product, uint64_t index);

/* nxopt: the code of an entry: 0 below base, 1 and 2 exact, 3 farther. */
unsigned support_product_code(const struct support_product *filled, uint64_t index);
unsigned support_product_base(const struct support_product *filled);

/* nxopt with all flips: one move changes a distance by one at most, and whoever is exactly base or
 * base + 1 away has a neighbour nearer. */
void support_product_check_neighbours(const struct support_product *filled, const uint8_t *state);

/* From conjugates of `member`, a state of the target, random words lead to states that are at most
 * as far as the words are long. Returns the largest bound met. */
unsigned support_product_check_walks(const struct support_product *filled, const uint8_t *member,
                                     unsigned rounds, unsigned length);

/* The same along a word from solved to the target: for the states on the way and their conjugates.
 */
void support_product_check_word(const struct support_product *filled, const uint8_t *word,
                                unsigned length);

#endif
