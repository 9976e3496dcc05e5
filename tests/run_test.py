#!/usr/bin/env python3
"""`make test`: lint, unit tests plain, unit tests under ASan and UBSan, system tests, a minute of
torture, a minute of load, the kernels of AArch64 under an emulator (unless NEON=0), the web page
(unless WEB=0).

Every step runs even when an earlier one failed. Lines "N passed, N failed" of the steps enter the
grand total, which is the last line here in the same form; that line is what CI reads. A step that
ends badly without counting a failure itself counts as one.
"""

import os
import re
import subprocess
import sys
import time

MAKE = os.environ.get("MAKE", "make")
TOTAL = re.compile(r"^(\d+) passed, (\d+) failed$")

# (title, goal and variables, file that must be there or None)
STEPS = [
    ("lint", ["lint"], None),
    ("unit tests", ["-j2", "check", "WERROR=1"], None),
    ("unit tests, ASan and UBSan", ["-j2", "check", "SANITIZE=address,undefined"], None),
    ("system tests", ["-j2", "check-system", "WERROR=1"], "tests/system/run.py"),
    ("torture of the tables", ["-j2", "torture", "WERROR=1", "SECONDS=60"],
     "tests/torture/torture.py"),
    ("the service under load", ["-j2", "load", "WERROR=1", "SECONDS=12"], "tests/load/load.py"),
]
if os.environ.get("NEON") != "0":
    STEPS.append(("kernels of AArch64, emulated", ["check-neon"], "tests/cross/cross_kernels.c"))
if os.environ.get("WEB") != "0":
    STEPS.append(("web page", ["-j2", "check-web", "WERROR=1"], "tests/web/run.mjs"))


def run(arguments):
    """Runs one goal, passing its output on; returns (passed, failed)."""
    passed, failed = 0, 0
    process = subprocess.Popen([MAKE, "--no-print-directory", *arguments], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for raw in process.stdout:
        line = raw.decode("utf-8", "replace")
        sys.stdout.write(line)
        sys.stdout.flush()
        found = TOTAL.match(line)
        if found:
            passed, failed = passed + int(found[1]), failed + int(found[2])
    if process.wait() != 0 and failed == 0:
        failed = 1
    return passed, failed


def main():
    passed = failed = 0
    lines = []
    for title, arguments, needed in STEPS:
        if needed and not os.path.exists(needed):
            continue
        print(f"== {title}", flush=True)
        start = time.monotonic()
        good, bad = run(arguments)
        passed, failed = passed + good, failed + bad
        lines.append(f"  {title:30s} {good:5d} passed {bad:4d} failed {time.monotonic() - start:7.1f} s")
    print("== totals", *lines, sep="\n")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
