#!/usr/bin/env python3
"""System tests: a real daemon, real HTTP, answers checked by a cube of our own.

    CYCLOSOLVED=/path/of/cyclosolved run.py [NAME...]

Runs the functions test_... of the files test_*.py here, all or those whose "file.function" contains
one of the names; two files at a time, since tests mostly wait. Measured times are printed under the
test that took them. The last line reads "N passed, N failed"; the exit status is 1 when anything
failed.
"""

import concurrent.futures
import importlib
import os
import re
import subprocess
import sys
import time
import traceback

PARALLEL = 2
TOTAL = re.compile(r"^(\d+) passed, (\d+) failed$")
HERE = os.path.dirname(os.path.abspath(__file__))


def functions_of(module):
    """The tests of a file, in the order of their lines."""
    tests = [f for name, f in vars(module).items() if name.startswith("test_") and callable(f)]
    return sorted(tests, key=lambda f: f.__code__.co_firstlineno)


def attempt(name, function):
    """Runs one test; was it good?"""
    start = time.monotonic()
    try:
        function()
        trace = None
    except Exception:  # pylint: disable=broad-except
        trace = traceback.format_exc()
    print(f"  {'FAIL' if trace else 'ok':4s} {name:68s} {time.monotonic() - start:7.2f} s",
          flush=True)
    if trace:
        print("       " + trace.replace("\n", "\n       "), flush=True)
    return trace is None


def run_file(name, wanted):
    """(passed, failed) of one file."""
    module = importlib.import_module(name)
    tests = [(f"{name}.{f.__name__}", f) for f in functions_of(module)]
    if wanted:
        tests = [(full, f) for full, f in tests if any(part in full for part in wanted)]
    outcomes = [attempt(full, f) for full, f in tests]
    shared = getattr(module, "DAEMON", None)
    if shared is not None and shared.daemon is not None:
        outcomes.append(attempt(f"{name}: the daemon ends well", shared.close))
    return outcomes.count(True), outcomes.count(False)


def run_apart(name, wanted):
    """(output, passed, failed) of one file in a process of its own."""
    done = subprocess.run([sys.executable, os.path.abspath(__file__), "--file", name, *wanted],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    *lines, last = done.stdout.splitlines(keepends=True) or [""]
    found = TOTAL.match(last)
    if not found:
        return done.stdout + f"  FAIL {name}: exit status {done.returncode}\n", 0, 1
    return "".join(lines), int(found[1]), int(found[2])


def run_all(wanted):
    """(passed, failed) of all files, PARALLEL at a time."""
    passed = failed = 0
    names = [file[:-len(".py")] for file in sorted(os.listdir(HERE))
             if file.startswith("test_") and file.endswith(".py")]
    with concurrent.futures.ThreadPoolExecutor(PARALLEL) as pool:
        for output, good, bad in pool.map(lambda name: run_apart(name, wanted), names):
            print(output, end="", flush=True)
            passed, failed = passed + good, failed + bad
    return passed, failed


def main():
    if not os.access(os.environ.get("CYCLOSOLVED", ""), os.X_OK):
        print("CYCLOSOLVED must be the absolute path of the daemon", file=sys.stderr)
        return 2
    sys.path.insert(0, HERE)
    if sys.argv[1:2] == ["--file"]:
        passed, failed = run_file(sys.argv[2], sys.argv[3:])
    else:
        passed, failed = run_all(sys.argv[1:])
        if passed + failed == 0:
            print("no test has such a name", file=sys.stderr)
            failed = 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
