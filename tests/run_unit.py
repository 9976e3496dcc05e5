#!/usr/bin/env python3
"""Runs unit test programs written with the check library, two at a time, and adds up their totals.

    run_unit.py [--sanitize=KIND] PROGRAM...

One line per program; the output of a program only when something failed in it. The last line reads
"N passed, N failed"; the exit status is 1 when anything failed. A program that ends without check's
summary (crash, time-out) counts as one failure.
"""

import argparse
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import time

SUMMARY = re.compile(r"^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)", re.M)
PARALLEL = 2
# For a program; slow forms of tests may take hours.
TIMEOUT_SECONDS = 4 * 3600 if os.environ.get("CYCLOSOLVE_SLOW") else 3600


def environment(sanitize):
    """Sanitizers slow tests down and so does a busy host: check's own time limits are stretched."""
    env = dict(os.environ)
    env.setdefault("CK_TIMEOUT_MULTIPLIER", "20" if sanitize else "5")
    env.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
    env.setdefault("TSAN_OPTIONS", "second_deadlock_stack=1")
    return env


def run(program, sanitize):
    start = time.monotonic()
    # TSan's fixed memory map and the kernel's address randomisation can collide.
    command = ["setarch", "-R", program] if sanitize == "thread" else [program]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL, env=environment(sanitize),
                               start_new_session=True)
    try:
        output = process.communicate(timeout=TIMEOUT_SECONDS)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # its tests, too, which are processes of their own
        output = process.communicate()[0] + f"\ntimed out after {TIMEOUT_SECONDS} s\n".encode()
    return output.decode("utf-8", "replace"), process.returncode, time.monotonic() - start


def totals(output, status):
    """(passed, failed) of one program; a program may run several suites."""
    checks = failures = 0
    for found in SUMMARY.finditer(output):
        checks += int(found[1])
        failures += int(found[2]) + int(found[3])
    if failures == 0 and (status != 0 or checks == 0):
        failures, checks = 1, checks + 1
    return checks - failures, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sanitize", default="")
    parser.add_argument("program", nargs="*")
    args = parser.parse_args()
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(PARALLEL) as pool:
        jobs = [pool.submit(run, program, args.sanitize) for program in args.program]
        for program, job in zip(args.program, jobs):
            output, status, seconds = job.result()
            good, bad = totals(output, status)
            passed, failed = passed + good, failed + bad
            name = os.path.basename(program)
            print(f"  {'FAIL' if bad else 'ok':4s} {name:32s} {good:5d} passed {bad:3d} failed "
                  f"{seconds:7.2f} s", flush=True)
            if bad:
                print(output, f"  ({program}: exit status {status})", sep="\n", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
