/*
 * support_table.h - a store of pruning tables for tests: a fresh directory for each test, and
 * tables whose key and content follow from a number.
 */
#ifndef TESTS_SUPPORT_SUPPORT_TABLE_H
#define TESTS_SUPPORT_SUPPORT_TABLE_H

#include <check.h>

#include "core/table/table_file.h"
#include "core/table/table_store.h"
#include "tests/support/support_directory.h"

/* Set up before and removed after each test; the store has no budget at first. */
extern char support_table_directory[SUPPORT_DIRECTORY_SIZE];
extern struct table_store *support_table_store;

/* The main program of a test; `add_tests` fills the test case. Returns the exit status. */
int support_table_suite(const char *name, void (*add_tests)(TCase *cases));

/* A further store; what fails, here and below, fails the test. */
struct table_store *support_table_open(const char *path, uint64_t budget);

/* Closes support_table_store and opens it again with that budget. */
void support_table_reopen(uint64_t budget);

/* Warnings and errors the stores of this test have logged. */
int support_table_complaints(void);

struct table_key support_table_key(int number);
struct table_meta support_table_meta(uint64_t bytes);
void support_table_fill(uint8_t *data, int number, size_t bytes);
bool support_table_filled(const uint8_t *data, int number, size_t bytes);
bool support_table_is_zero(const uint8_t *data, size_t bytes);

/* The `try` functions return the error. */
int support_table_try_create(struct table_store *in, int number, uint64_t bytes,
                             struct table_file **out);
struct table_file *support_table_create(struct table_store *in, int number, uint64_t bytes);
int support_table_try_acquire(struct table_store *in, int number, struct table_file **out);
struct table_file *support_table_acquire(struct table_store *in, int number);

/* Creates, fills and seals; the reference is the caller's, or released. */
struct table_file *support_table_make_used(struct table_store *in, int number, uint64_t bytes);
void support_table_make(struct table_store *in, int number, uint64_t bytes);

/* Takes all verification steps that are left; the last result. */
int support_table_verify(struct table_file *file);

bool support_table_exists(struct table_store *in, int number);
void support_table_path(int number, const char *suffix, char path[128]);

/* Names in a directory that do not begin with a dot. */
int support_table_count_names(const char *path);
int support_table_descriptors(void);

#endif
