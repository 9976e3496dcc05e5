/*
 * support_structures.c - see support_structures.h.
 *
 * Columns, separated by tabs: min_htm, corners, edges, words, traces, class_size, min_qtm,
 * words_qtm, example_htm. A list of cycles is "-" or lengths separated by spaces, 'o' behind an
 * oriented one.
 */
#include "tests/support/support_structures.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 9 };

FILE *support_structures_open(void)
{
    FILE *file = fopen("tests/data/structure_lengths_3x3.tsv", "r");

    ck_assert_msg(file != NULL, "run from the root of the repository");
    return file;
}

/* Cuts a line at its tabs. */
static void split(char *line, char *column[COLUMNS])
{
    unsigned n = 0;

    line[strcspn(line, "\n")] = '\0';
    for (char *rest = line; rest;) {
        ck_assert_uint_lt(n, COLUMNS);
        column[n++] = strsep(&rest, "\t");
    }
    ck_assert_uint_eq(n, COLUMNS);
}

static void add_list(const struct puzzle *puzzle, unsigned orbit, const char *list,
                     struct cycle_structure *structure)
{
    char *end;

    if (strcmp(list, "-") == 0)
        return;
    for (const char *at = list; *at; at = end) {
        unsigned long length = strtoul(at, &end, 10);
        ck_assert_msg(end != at, "%s", list);
        bool oriented = *end == 'o';
        end += oriented;
        end += *end == ' ';
        ck_assert_int_eq(cycle_add(puzzle, structure, orbit, (unsigned)length, oriented), 0);
    }
}

bool support_structures_next(FILE *file, const struct puzzle *puzzle, struct support_structure *row)
{
    char line[512];
    char *column[COLUMNS];

    do {
        if (!fgets(line, sizeof line, file))
            return false;
    } while (line[0] == '#' || !strncmp(line, "min_htm", 7));
    split(line, column);
    memset(row, 0, sizeof *row);
    row->min_htm = (unsigned)strtoul(column[0], NULL, 10);
    add_list(puzzle, 0, column[1], &row->structure);
    add_list(puzzle, 1, column[2], &row->structure);
    cycle_canonicalise(&row->structure);
    row->words = strtoull(column[3], NULL, 10);
    row->traces = strtoull(column[4], NULL, 10);
    snprintf(row->class_size, sizeof row->class_size, "%s", column[5]);
    snprintf(row->example, sizeof row->example, "%s", column[8]);
    return true;
}
