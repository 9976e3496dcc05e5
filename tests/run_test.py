#!/usr/bin/env python3
"""`make test`: lint, unit tests plain, unit tests under ASan and UBSan, system tests, a minute of
torture, of kills and of load, the kernels of AArch64 under an emulator (unless NEON=0), the web page (unless WEB=0).

Every step runs even when an earlier one failed. Lines "N passed, N failed" of the steps enter the
grand total, which is the last line here in the same form; that line is what CI reads. A step that
ends badly without counting a failure itself counts as one.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import time

MAKE = os.environ.get("MAKE", "make")
TOTAL = re.compile(r"^(\d+) passed, (\d+) failed$")

# (title, goal and variables, file that must be there or None)
STEPS = [
    [("lint", ["lint"], None)],
    [("unit tests", ["-j2", "check", "WERROR=1"], None)],
    [("unit tests, ASan and UBSan", ["-j2", "check", "SANITIZE=address,undefined"], None)],
    [("system tests", ["-j2", "check-system", "WERROR=1"], "tests/system/run.py")],
    # Side by side: they last as long as they are told to, or use one processor.
    [("torture of the tables", ["-j2", "torture", "WERROR=1", "SECONDS=60"],
      "tests/torture/torture.py"),
     ("kills under load", ["-j2", "kill", "WERROR=1", "SECONDS=60"], "tests/kill/kill.py"),
     ("the service under load", ["-j2", "load", "WERROR=1", "SECONDS=12"], "tests/load/load.py")],
]
if os.environ.get("NEON") != "0":
    STEPS[-1].append(("kernels of AArch64, emulated", ["check-neon"], "tests/cross/cross_kernels.c"))
if os.environ.get("WEB") != "0":
    STEPS.append([("web page", ["-j2", "check-web", "WERROR=1"], "tests/web/run.mjs")])


def lines_of(arguments):
    """Runs one goal; its lines as they come, then its exit status."""
    process = subprocess.Popen([MAKE, "--no-print-directory", *arguments], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for raw in process.stdout:
        yield raw.decode("utf-8", "replace")
    yield process.wait()


def run(step, show):
    """Runs one step, passing its output on; returns its row of the totals."""
    title, arguments, _ = step
    passed = failed = status = 0
    start = time.monotonic()
    for line in lines_of(arguments):
        if isinstance(line, int):
            status = line
            continue
        show(line)
        found = TOTAL.match(line)
        if found:
            passed, failed = passed + int(found[1]), failed + int(found[2])
    if status != 0 and failed == 0:
        failed = 1
    return title, passed, failed, time.monotonic() - start


def show_now(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def run_group(group):
    """The rows of steps that run side by side; what they say is shown one after the other."""
    if len(group) == 1:
        show_now(f"== {group[0][0]}\n")
        return [run(group[0], show_now)]
    said = [[] for _ in group]
    with concurrent.futures.ThreadPoolExecutor(len(group)) as pool:
        rows = list(pool.map(lambda step, lines: run(step, lines.append), group, said))
    for (title, _, _), lines in zip(group, said):
        show_now("".join([f"== {title}\n", *lines]))
    return rows


def main():
    rows = []
    for steps in STEPS:
        group = [step for step in steps if step[2] is None or os.path.exists(step[2])]
        rows += run_group(group) if group else []
    print("== totals")
    for title, passed, failed, seconds in rows:
        print(f"  {title:30s} {passed:5d} passed {failed:4d} failed {seconds:7.1f} s")
    passed, failed = sum(row[1] for row in rows), sum(row[2] for row in rows)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
