#!/usr/bin/env python3
"""One call that fails, anywhere in the life of a daemon.

    CYCLOSOLVED=... CYCLOSOLVE_FAULT_LIBRARY=... fault.py [--growth=1.3] [--report=FILE] [KIND...]

A daemon starts, solves a job and stops, while the n-th call of a kind fails (fault_preload.c), for n
= 1, 2, ... growing until nothing fails any more; counted from the start of the process, and from
when it is ready. It must not crash: it says why it does not start and exits with a status, or it
serves; requests are answered, if not at once then when repeated; a job that was accepted ends, and a
daemon without faults finds it in the state directory. The last line reads "N passed, N failed".
"""

import argparse
import http.client
import mmap
import os
import struct
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "system"), os.path.join(ROOT, "tests", "fuzz")]
import fuzz_report  # noqa: E402  pylint: disable=wrong-import-position
from system_daemon import ENDED, Daemon  # noqa: E402  pylint: disable=wrong-import-position

# As in fault_preload.c.
KINDS = ["none", "allocate", "mmap", "ftruncate", "thread", "write", "reserve", "sqlite"]
JOB = {"cycles": "c: (3) / e: (3)", "fresh": True, "label": "fault"}
LIMIT = 1 << 40
TRIES = 5
SECONDS = 30


class Control:
    """The memory that a daemon and the test share."""

    def __init__(self, path):
        self.path = path
        size = 8 * (3 + len(KINDS))
        with open(path, "wb") as file:
            file.truncate(size)
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), size)

    def put(self, index, value):
        struct.pack_into("Q", self.memory, 8 * index, value)

    def get(self, index):
        return struct.unpack_from("Q", self.memory, 8 * index)[0]

    def arm(self, kind, after):
        """From now on, `after` calls of the kind until one fails."""
        number = KINDS.index(kind)
        self.put(0, 0)
        self.put(1, self.get(3 + number) + after)
        self.put(0, number)

    def failed(self):
        return self.get(2)


class FaultyDaemon(Daemon):
    """A daemon with the library in it, not started yet."""

    def __init__(self, **options):
        self.control = None
        super().__init__(wait=False, threads=1, memory_mib=64, **options)

    def start(self, wait=True):
        if self.control is None:
            self.control = Control(os.path.join(self.folder, "fault"))
            return
        super().start(wait)

    def environment(self):
        return {"LD_PRELOAD": os.environ["CYCLOSOLVE_FAULT_LIBRARY"],
                "CYCLOSOLVE_FAULT": self.control.path}


def told_as_syntax(reply):
    """jansson tells of memory that ran out within a text as of an invalid token."""
    return reply.status == 400 and b"invalid token" in reply.body


def repeat(daemon, what):
    """What a client does: tries again when a connection ends or the service is unavailable."""
    for _ in range(TRIES):
        assert daemon.process.poll() is None, f"the daemon ended with {daemon.process.returncode}"
        try:
            reply = what()
            if reply.status != 503 and not told_as_syntax(reply):
                return reply
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(0.05)
    raise AssertionError(f"not answered in {TRIES} tries")


def came_up(daemon):
    """Ready, or False: it has said why not, and ended with a status of failure."""
    end = time.monotonic() + SECONDS
    while not os.path.exists(daemon.address_file):
        status = daemon.process.poll()
        if status is not None:
            assert status > 0, f"status {status} at the start"
            assert daemon.log_text().strip(), f"ended with {status} without a word"
            return False
        assert time.monotonic() < end, "neither ready nor ended"
        time.sleep(0.01)
    with open(daemon.address_file, encoding="utf-8") as file:
        daemon.url = file.read().strip()
    repeat(daemon, lambda: daemon.get("/livez"))
    return True


def live(daemon):
    """Submits a job and waits for its end: the job."""
    reply = repeat(daemon, lambda: daemon.post("/v1/jobs", JOB, prefer="wait=20"))
    assert reply.status in (200, 202), repr(reply)
    job = reply.json()
    end = time.monotonic() + SECONDS
    while job["state"] not in ENDED:
        assert time.monotonic() < end, f"the job has not ended: {job}"
        time.sleep(0.05)
        job = repeat(daemon, lambda: daemon.get(f"/v1/jobs/{job['id']}")).json()
    assert job["state"] in ("succeeded", "failed"), job
    assert job["state"] == "succeeded" or job.get("error"), f"failed without a reason: {job}"
    return job


def find_again(daemon, job):
    """A daemon without faults on the same directories knows the job, and it ends or has ended."""
    daemon.control.put(0, 0)
    daemon.start()
    again = daemon.wait_end(job["id"], SECONDS)
    assert again["id"] == job["id"] and again["state"] in ("succeeded", "failed"), again
    daemon.stop()


def one_life(kind, after, at_start):
    """True: a call failed, and all was well. False: there were not so many calls."""
    daemon = FaultyDaemon()
    try:
        daemon.control.arm(kind, after if at_start else LIMIT)
        daemon.start(wait=False)
        if came_up(daemon):
            if not at_start:
                daemon.control.arm(kind, after)
            job = live(daemon)
            daemon.stop()
            if daemon.control.failed():
                find_again(daemon, job)
        daemon.check_log()
        return daemon.control.failed() > 0
    except AssertionError as error:
        raise AssertionError(f"call {after} of {kind} fails, counted from the "
                             f"{'start' if at_start else 'ready daemon'}: {error}\n"
                             f"{daemon.log_text()[-3000:]}") from None
    finally:
        daemon.kill()
        daemon.close()


def numbers(growth):
    """1, 2, ... each larger than the one before, by the factor at least."""
    n = 1
    while True:
        yield n
        n = max(n + 1, int(n * growth))


def sweep(kind, growth, most=LIMIT, complain=None):
    """All n of a kind; returns how many calls failed. `complain` takes what was wrong; without it
    the first ends the sweep."""
    found = 0
    for at_start in (True, False):
        for n in numbers(growth):
            if n > most:
                break
            try:
                if not one_life(kind, n, at_start):
                    break
            except AssertionError as error:
                if not complain:
                    raise
                complain(str(error))
            found += 1
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--growth", type=float, default=1.3)
    parser.add_argument("--most", type=int, default=LIMIT)
    parser.add_argument("--report")
    parser.add_argument("kind", nargs="*", default=KINDS[1:])
    args = parser.parse_args()
    start, passed, counts, problems = time.monotonic(), 0, {}, []
    for kind in args.kind:
        before = len(problems)
        counts[kind] = sweep(kind, args.growth, args.most, problems.append)
        good = len(problems) == before and counts[kind] > 0
        passed += good
        print(f"  {'ok  ' if good else 'FAIL'} {kind:10s} {counts[kind]:4d} faults", flush=True)
        print("".join(f"    {problem}\n" for problem in problems[before:]), end="", flush=True)
    fuzz_report.write(args.report, None, {
        "seconds": round(time.monotonic() - start, 1), "growth": args.growth, "faults": counts,
        "problems": problems})
    print(f"{passed} passed, {len(args.kind) - passed} failed")
    return int(passed < len(args.kind))


if __name__ == "__main__":
    sys.exit(main())
