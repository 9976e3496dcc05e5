/*
 * server_tool_main.c - the entry of cyclosolve, the command-line tool: finds the command and runs
 * it.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/base_attr.h"
#include "server/server_build.h"
#include "server/server_tool.h"

static const char help[] =
    "Usage: cyclosolve tables COMMAND [OPTION...]\n"
    "       cyclosolve --version | --help\n"
    "\n"
    "Looks after a directory of pruning tables, without a daemon or beside one.\n"
    "\n"
    "  tables plan [CYCLES]     show the tables that a job would use, and fill none\n"
    "  tables build [CYCLES]    fill them\n"
    "  tables list              show all tables\n"
    "  tables show KEY          show one, with the histogram of its entries\n"
    "  tables verify [KEY...]   compare all or some with their checksums; what is damaged is\n"
    "                           removed, to be filled again when it is needed\n"
    "  tables remove KEY        give the memory of one back\n"
    "\n"
    "CYCLES is the target's cycle structure, as in \"c: (1+, 5+) / e: (1+, 1+)\"; without one it "
    "is\n"
    "the solved state. plan and build take\n"
    "\n"
    "  --puzzle NAME            the puzzle (3x3x3)\n"
    "  --like ALG, --order N    the target: the structure of an algorithm; all of an order\n"
    "  --moves MOVES            the moves allowed, such as \"R U2 [r: U]\" (the puzzle's own)\n"
    "  --tables JSON            kinds and encodings, as in the API:\n"
    "                           '{\"corners\": {\"kind\": \"exact\", \"encoding\": \"none\"}}'\n"
    "  --memory-mib M           for all tables together (three quarters of the memory)\n"
    "  --threads N              (one per processor)\n"
    "  --pin                    build only: the tables are kept when memory is wanted\n"
    "\n"
    "and all commands\n"
    "\n"
    "  --table-dir DIR          the directory ($CYCLOSOLVE_TABLE_DIR, else /dev/shm/cyclosolve)\n"
    "  --json                   print one JSON document\n"
    "  --help                   print this text\n"
    "\n"
    "Exit status: 0 all is well; 1 a table is damaged, absent, in use or could not be made;\n"
    "2 a command or an option is wrong, or what was asked for was refused.\n";

#define COMMON " table-dir json help "
#define PLANNED " puzzle like order moves tables memory-mib threads" COMMON

static const struct server_tool_command commands[] = {
    {"plan", PLANNED, 0, 1, server_tool_tables_plan},
    {"build", " pin" PLANNED, 0, 1, server_tool_tables_build},
    {"list", COMMON, 0, 0, server_tool_tables_list},
    {"show", COMMON, 1, 1, server_tool_tables_show},
    {"verify", COMMON, 0, 1 << 20, server_tool_tables_verify},
    {"remove", COMMON, 1, 1, server_tool_tables_remove},
};

static int print_help(void)
{
    fputs(help, stdout);
    return server_tool_finish(SERVER_TOOL_OK);
}

static int print_version(void)
{
    printf("cyclosolve %s (%s, %s)\n", server_build_version(), server_build_commit(),
           server_build_compiler());
    return server_tool_finish(SERVER_TOOL_OK);
}

static bool is_help(const char *text)
{
    return strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0 || strcmp(text, "help") == 0;
}

static int run_tables(int argc, char **argv)
{
    struct server_tool_options options;

    if (argc < 1) {
        server_tool_complain("tables needs a command: plan, build, list, show, verify or remove");
        return SERVER_TOOL_USAGE;
    }
    if (is_help(argv[0]))
        return print_help();
    for (size_t i = 0; i < BASE_COUNT(commands); i++) {
        if (strcmp(commands[i].name, argv[0]) != 0)
            continue;
        if (server_tool_read_options(&commands[i], argc - 1, argv + 1, &options))
            return SERVER_TOOL_USAGE;
        return options.help ? print_help() : commands[i].run(&options);
    }
    server_tool_complain("tables has no command '%.40s'; it has plan, build, list, show, verify "
                         "and remove",
                         argv[0]);
    return SERVER_TOOL_USAGE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs(help, stderr);
        return SERVER_TOOL_USAGE;
    }
    if (is_help(argv[1]))
        return print_help();
    if (strcmp(argv[1], "--version") == 0)
        return print_version();
    if (strcmp(argv[1], "tables") == 0)
        return run_tables(argc - 2, argv + 2);
    server_tool_complain("there is no command '%.40s'; the only one is tables, see --help",
                         argv[1]);
    return SERVER_TOOL_USAGE;
}
