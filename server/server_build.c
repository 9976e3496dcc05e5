/*
 * server_build.c - see server_build.h. The Makefile defines the three strings for this file alone.
 */
#include "server/server_build.h"

#ifndef CYCLOSOLVE_VERSION
#define CYCLOSOLVE_VERSION "unknown"
#endif
#ifndef CYCLOSOLVE_COMMIT
#define CYCLOSOLVE_COMMIT "unknown"
#endif
#ifndef CYCLOSOLVE_COMPILER
#define CYCLOSOLVE_COMPILER "unknown"
#endif

const char *server_build_version(void)
{
    return CYCLOSOLVE_VERSION;
}

const char *server_build_commit(void)
{
    return CYCLOSOLVE_COMMIT;
}

const char *server_build_compiler(void)
{
    return CYCLOSOLVE_COMPILER;
}
