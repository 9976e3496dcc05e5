/*
 * server_build.h - what was built, from what, by what. Static strings.
 */
#ifndef SERVER_SERVER_BUILD_H
#define SERVER_SERVER_BUILD_H

const char *server_build_version(void);  /* "0.1.0" */
const char *server_build_commit(void);   /* "1234abcd5678", "-dirty" behind it; "unknown" */
const char *server_build_compiler(void); /* first line of its --version */

#endif
