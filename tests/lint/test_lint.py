#!/usr/bin/env python3
"""Proves that lint.py catches what it is for: each case breaks one rule in a small tree of its own.

The last line reads "N passed, N failed", as everywhere.
"""

import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import lint  # noqa: E402 (needs the path above)


def header(path, body=""):
    guard = path.upper().replace("/", "_").replace(".", "_")
    return f"#ifndef {guard}\n#define {guard}\n{body}#endif\n"


def headers(**bodies):
    """core headers by module: headers(perm='#include ...') makes core/perm/perm.h."""
    return {f"core/{m}/{m}.h": header(f"core/{m}/{m}.h", b) for m, b in bodies.items()}


def include(*paths):
    return "".join(f'#include "{p}"\n' for p in paths)


PUZZLE, PERM, BASE = "core/puzzle/puzzle.h", "core/perm/perm.h", "core/base/base.h"

# A tree in which nothing is wrong; every case adds to it or replaces parts.
GOOD = {
    **headers(base="", cpu="", perm=include(BASE), puzzle=include(BASE, PERM)),
    "core/base/base_int.h": header("core/base/base_int.h"),
    "core/base/base.c": include(BASE, "core/base/base_int.h") + "int base_x(void);\n",
    "proto/proto.h": header("proto/proto.h", include(PUZZLE)),
    "config/config.h": header("config/config.h", include(BASE)),
    "server/server.h": header("server/server.h", include("config/config.h", "proto/proto.h")),
    "tests/unit/test_base.c": include("core/base/base_int.h", "server/server.h")
                              + "int x;\n/* strcpy(a, b) */\n",
}

# (what, check, files that differ from GOOD, text that must be reported; None: nothing)
CASES = [
    ("upward arrow", "layers", headers(perm=include(PUZZLE), puzzle=""), "core/perm -> core/puzzle"),
    ("upward arrow's place", "layers", headers(perm=include(PUZZLE), puzzle=""),
     "core/perm/perm.h:3 -> core/puzzle/puzzle.h"),
    ("neighbour", "layers", headers(perm=include("core/cpu/cpu.h")), "its neighbour"),
    ("folder without layer", "layers", headers(novel=include(BASE)), "core/novel has no layer"),
    ("arrow from a source file", "layers",
     {"core/perm/perm.c": include("core/puzzle/puzzle.h")}, "core/perm -> core/puzzle"),
    ("core to proto", "layers", {"core/puzzle/puzzle.c": include("proto/proto.h")},
     "core may include nothing"),
    ("proto to config", "layers", {"proto/proto.c": include("config/config.h")},
     "forbidden arrow proto -> config"),
    ("config beyond core/base", "layers", {"config/config.c": include(PERM)},
     "forbidden arrow config -> core/perm"),
    ("nobody to server", "layers", {"config/config.c": include("server/server.h")},
     "forbidden arrow config -> server"),
    ("arrow behind a condition is not drawn", "layers",
     headers(perm="#ifdef NEVER_DEFINED\n" + include(PUZZLE) + "#endif\n"), None),
    ("circle", "circles", headers(perm=include(PUZZLE), puzzle=include(PERM)), "circle: core/perm"),
    ("circle of three", "circles",
     headers(base=include(PUZZLE), perm=include(BASE), puzzle=include(PERM)), "circle: core/base"),
    ("private header", "private-headers",
     {"core/perm/perm.c": include("core/base/base_int.h")}, "private header"),
    ("private header through another", "private-headers",
     {"core/base/base.h": header(BASE, include("core/base/base_int.h"))}, "private header"),
    ("header that needs another", "headers-alone",
     {PERM: header(PERM, "size_t perm_size(void);\n")}, "core/perm/perm.h does not compile alone"),
    ("header without guard", "headers-alone", {PERM: "struct perm { int x; };\n"},
     "does not compile alone under clang"),
    ("wrong guard", "include-form", {PERM: header("perm.h")}, "the guard must be CORE_PERM_PERM_H"),
    ("include that is not from the root", "include-form", {"core/base/base.c": include("base.h")},
     'core/base/base.c:1: "base.h"'),
    ("banned call", "banned-calls",
     {"core/base/base.c": "/* a\n b */\nvoid f(char *a) { strcpy (a, \"x\"); }\n"},
     "core/base/base.c:3: strcpy is banned; use"),
    ("banned call in a test", "banned-calls",
     {"tests/unit/test_base.c": "int f(void) { return rand(); }\n"}, "rand is banned"),
    ("name that contains a banned one", "banned-calls",
     {"core/base/base.c": "int f(void) { my_system(1); x->system(2); snprintf(a, 1, \"\"); }\n"}, None),
    ("banned name in a string", "banned-calls",
     {"core/base/base.c": 'const char *f = "system(\\"x\\")"; // gets(x)\n'}, None),
    ("unfinished work", "unfinished", {"core/base/base.c": "/* TO" "DO: all */\n"},
     "core/base/base.c:1"),
    ("name used twice", "names", {"tests/unit/base.c": ""}, "name used twice: core/base/base.c"),
    ("name without its folder's", "names", {"core/base/bits.h": ""}, "must start with base_"),
    ("long header", "lengths", {PERM: "\n" * 151}, "has 151 lines"),
    ("long source", "lengths", {"core/base/base.c": "\n" * 601}, "has 601 lines"),
    ("long kernel", "lengths", {"core/perm/perm_avx2.c": "\n" * 2000}, None),
    ("a warning", "warnings", {"core/base/base.c": "int base_x(int unused) { return 0; }\n"},
     "warnings or errors under clang"),
    ("mutable state", "globals",
     {"core/base/base.c": "int base_count(void);\n"
                          "int base_count(void) { static int n; return n++; }\n"},
     "core/base/base.c: n is mutable"),
    ("constant tables of pointers", "globals",
     {"core/base/base.c": "extern const char *const base_t[];\n"
                          "const char *const base_t[] = {\"a\"};\n"}, None),
    ("format", "format", {"core/base/base.c": "int  base_x ( void ) ;\n"},
     "core/base/base.c is not formatted"),
]


def problems_of(check, files):
    """The problems that one check finds in a tree of these files, as one text."""
    with tempfile.TemporaryDirectory() as root:
        for name in (".clang-format", "Makefile", "VERSION"):
            shutil.copy(os.path.join(lint.PROJECT, name), root)
        for path, text in files.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        try:
            tree = lint.Tree(root)
            if check == "globals":
                lint.check_warnings(tree)
            return "\n".join(lint.CHECKS[check](tree))
        except lint.Broken as broken:
            return "\n".join(broken.args[0])


def main():
    cases = [("nothing wrong", check, {}, None) for check in lint.CHECKS] + CASES
    failed = 0
    found_in = lint.in_parallel(lambda case: problems_of(case[1], {**GOOD, **case[2]}), cases)
    for (what, check, _, expected), found in zip(cases, found_in):
        good = expected in found if expected else not found
        failed += not good
        if not good:
            print(f"  FAIL {what} ({check}): expected {expected or 'nothing'}, reported:\n{found}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
