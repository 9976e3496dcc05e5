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
    "       cyclosolve token new NAME [--scopes SCOPES] [--limits LIMITS] [--json]\n"
    "       cyclosolve --version | --help\n"
    "\n"
    "Looks after a directory of pruning tables, without a daemon or beside one, and makes tokens\n"
    "for the token-file of a daemon.\n"
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
    "and all commands of tables\n"
    "\n"
    "  --table-dir DIR          the directory ($CYCLOSOLVE_TABLE_DIR, else /dev/shm/cyclosolve)\n"
    "  --json                   print one JSON document\n"
    "  --help                   print this text\n"
    "\n"
    "  token new NAME           make a random token, print it and its line for the token-file;\n"
    "                           it is kept nowhere\n"
    "\n"
    "  --scopes SCOPES          what it may do: read, submit and admin, separated by commas\n"
    "                           (read,submit)\n"
    "  --limits LIMITS          limits of its own: \"requests=N jobs=N seconds=N nodes=N\"\n"
    "\n"
    "Exit status: 0 all is well; 1 a table is damaged, absent, in use or could not be made;\n"
    "2 a command or an option is wrong, or what was asked for was refused.\n";

#define COMMON " table-dir json help "
#define KEY "the key of a table"
#define PLANNED " puzzle like order moves tables memory-mib threads" COMMON

static const struct server_tool_command commands[] = {
    {"tables", "plan", PLANNED, 0, 1, NULL, server_tool_tables_plan},
    {"tables", "build", " pin" PLANNED, 0, 1, NULL, server_tool_tables_build},
    {"tables", "list", COMMON, 0, 0, NULL, server_tool_tables_list},
    {"tables", "show", COMMON, 1, 1, KEY, server_tool_tables_show},
    {"tables", "verify", COMMON, 0, 1 << 20, NULL, server_tool_tables_verify},
    {"tables", "remove", COMMON, 1, 1, KEY, server_tool_tables_remove},
    {"token", "new", " scopes limits json help ", 1, 1, "a name for the token",
     server_tool_token_new},
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

static bool is_group(const char *name)
{
    for (size_t i = 0; i < BASE_COUNT(commands); i++)
        if (strcmp(commands[i].group, name) == 0)
            return true;
    return false;
}

static int complain_of_command(const char *group, const char *name)
{
    struct base_buf names = {0};

    for (size_t i = 0; i < BASE_COUNT(commands); i++)
        if (strcmp(commands[i].group, group) == 0)
            base_buf_printf(&names, "%s%s", names.length ? ", " : "", commands[i].name);
    if (name)
        server_tool_complain("%s has no command '%.40s'; it has %s", group, name,
                             base_buf_str(&names));
    else
        server_tool_complain("%s needs a command: %s", group, base_buf_str(&names));
    base_buf_deinit(&names);
    return SERVER_TOOL_USAGE;
}

static int run_group(const char *group, int argc, char **argv)
{
    struct server_tool_options options;

    if (argc < 1)
        return complain_of_command(group, NULL);
    if (is_help(argv[0]))
        return print_help();
    for (size_t i = 0; i < BASE_COUNT(commands); i++) {
        if (strcmp(commands[i].group, group) != 0 || strcmp(commands[i].name, argv[0]) != 0)
            continue;
        if (server_tool_read_options(&commands[i], argc - 1, argv + 1, &options))
            return SERVER_TOOL_USAGE;
        return options.help ? print_help() : commands[i].run(&options);
    }
    return complain_of_command(group, argv[0]);
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
    if (is_group(argv[1]))
        return run_group(argv[1], argc - 2, argv + 2);
    server_tool_complain("there is no command '%.40s'; there are tables and token, see --help",
                         argv[1]);
    return SERVER_TOOL_USAGE;
}
