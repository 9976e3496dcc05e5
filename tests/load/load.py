#!/usr/bin/env python3
"""The service under load, in numbers: requests, a long queue, streams, hostile clients.

    CYCLOSOLVED=PROGRAM load.py --client=PROGRAM [--seconds=300] [--seed=N] [--report=FILE] [PART...]

Parts (all, or those whose name contains one of the words):

    requests  GET of a job over 64 kept connections while a search has one thread
    queue     POST of different jobs over 64 connections, kill -9, restart, the list by pages
    streams   1000 readers of the streams of 50 jobs that find solutions all the time
    hostile   connections that crumble, vanish or do not read, beside ordinary ones

Each starts a daemon of its own and lets load_client make the load. Checks are about what is right,
at any length: everything accepted is there, every reader has seen everything, no 5xx. With
--seconds of 60 and more the queue and the crowd have their full size, and the numbers that are
required count as checks, too; below, they are only told.

The last line reads "N passed, N failed"; the report has the raw counts.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "system"), os.path.join(HERE, "..", "tools")]

# pylint: disable=wrong-import-position
import report
from system_daemon import MEBIBYTE, SUPERFLIP_JOB, Daemon, expect, wait_until

FULL = 60                 # seconds from which on sizes are full and numbers are required
CONNECTIONS = 64
READERS, TOPICS = 1000, 50
PAGE = 1000
# Structures that one of fifty jobs finds solutions of within seconds, and in minutes so many that
# the words of all their classes, which a job keeps, take gigabytes; and longer ones, of which there
# are a few in minutes.
FREQUENT = ("c: (4) / e: (4)", "c: (1+, 5+) / e: (7)", "c: (5) / e: (3)", "c: (1+, 3+) / e: (3)",
            "c: (2, 2) / e: (2, 2)")
RARE = ("c: (1+, 1+)", "c: (1+, 3+)", "e: (1+) x4")
FNV_START, FNV_PRIME, WORD = 0xcbf29ce484222325, 0x100000001b3, 1 << 64


class Part:
    """What one part has found out."""

    def __init__(self, args, name):
        self.args = args
        self.name = name
        self.full = args.seconds >= FULL
        self.random = random.Random(args.seed)
        self.counts = {}
        self.checks = {}
        self.numbers = {}

    def check(self, what, good):
        """Something that is right or wrong."""
        self.checks[f"{self.name}: {what}"] = bool(good)

    def number(self, what, value, least=None, most=None):
        """Something that is measured, and required to be in bounds."""
        met = (least is None or value >= least) and (most is None or value <= most)
        bound = {"at_least": least} if least is not None else {"at_most": most}
        self.numbers[what] = {"value": round(value, 3), **bound, "met": met}
        print(f"    {self.name}: {what}: {value:.3f} ({'' if met else 'NOT '}"
              f"{'at least' if least is not None else 'at most'} "
              f"{least if least is not None else most})", flush=True)
        if self.full:
            self.check(what, met)

    def start_client(self, daemon, mode, seconds, connections, *more):
        """The generator runs on the last processor; the rest is for the search and the loop."""
        parts = urllib.parse.urlsplit(daemon.url)
        last = max(os.sched_getaffinity(0))
        return subprocess.Popen(
            [self.args.client, mode, parts.hostname, str(parts.port), str(seconds),
             str(connections), *map(str, more)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            text=True, preexec_fn=lambda: os.sched_setaffinity(0, {last}))

    def end_client(self, name, process):
        text = process.communicate()[0]
        assert process.returncode == 0, f"{name}: the generator ended with {process.returncode}"
        self.counts[name] = json.loads(text)
        return self.counts[name]

    def run_client(self, name, daemon, *arguments):
        return self.end_client(name, self.start_client(daemon, *arguments))

    def check_replies(self, what, found, status="status_2xx"):
        self.check(f"{what}: every request was answered well",
                   found["replies"] == found.get(status, 0) and found["replies"] > 0
                   and not found["broken"] and not found["failed"])


def searching(**options):
    """A daemon with one thread, which a search keeps busy; and that job."""
    daemon = Daemon(threads=1, fill_factor=10 ** 9, **options)
    job = daemon.submit(SUPERFLIP_JOB)
    wait_until(lambda: daemon.job(job["id"])["progress"]["nodes"] > 1000000, "a busy search", 60)
    return daemon, job["id"]


def loop_times(daemon):
    """(seconds on a processor, seconds of waiting for one) of the thread that serves."""
    with open(f"/proc/{daemon.pid}/task/{daemon.pid}/schedstat", encoding="ascii") as file:
        on, waiting = file.read().split()[:2]
    return int(on) / 1e9, int(waiting) / 1e9


def measure_loop(part, daemon, name, run):
    """What a reply costs the loop, and how long it had to wait for a processor meanwhile, which
    says how noisy the host was."""
    before = loop_times(daemon)
    found = run()
    on, waiting = (after - b for after, b in zip(loop_times(daemon), before))
    part.counts[f"{name}_loop"] = {
        "microseconds_per_reply": round(on * 1e6 / max(found["replies"], 1), 2),
        "share_on_a_processor": round(on / found["seconds"], 3),
        "share_waiting_for_one": round(waiting / found["seconds"], 3)}
    return found


# ---- requests ------------------------------------------------------------------------------


def run_requests(part):
    daemon, job_id = searching()
    with daemon:
        seconds = max(part.args.seconds / 5, 3)
        nodes = daemon.job(job_id)["progress"]["nodes"]
        found = measure_loop(part, daemon, "get", lambda: part.run_client(
            "get", daemon, "get", seconds, CONNECTIONS, f"/v1/jobs/{job_id}"))
        part.counts["nodes_meanwhile"] = daemon.job(job_id)["progress"]["nodes"] - nodes
        part.check_replies("GET", found)
        part.check("the search went on", part.counts["nodes_meanwhile"] > 0)
        part.number("GET per second", found["per_second"], least=10000)
        part.number("GET p99 ms", found["latency"]["p99_ms"], most=10)


# ---- queue ---------------------------------------------------------------------------------


def read_lines(path):
    with open(path, encoding="ascii") as file:
        return file.read().split()


def list_all(part, daemon, query):
    """All jobs of a list, page by page; the times of the pages are noted."""
    jobs, token, times = [], "", part.counts.setdefault("page_seconds", [])
    while True:
        start = time.monotonic()
        page = daemon.get_json(f"/v1/jobs?{query}page_size={PAGE}&page_token={token}")
        times.append(round(time.monotonic() - start, 4))
        jobs += page["jobs"]
        token = page["next_page_token"]
        if not token:
            return jobs


def check_positions(part, daemon, ids):
    """`ids`: of the queue, first in line first."""
    chosen = {0, len(ids) - 1, *(part.random.randrange(len(ids)) for _ in range(20))}
    wrong = [at for at in sorted(chosen)
             if daemon.job(ids[at])["progress"]["queue_position"] != at]
    part.check(f"places in line are right (not {wrong})", not wrong)


def restart(part, daemon):
    """As after a crash; the seconds until /readyz says yes."""
    daemon.kill()
    start = time.monotonic()
    daemon.start()
    part.counts["restart_seconds"] = time.monotonic() - start
    return part.counts["restart_seconds"]


def run_queue(part):
    n = 100000 if part.full else 3000
    daemon, first = searching(max_queued_jobs=n + 10, max_running_jobs=1)
    with daemon, tempfile.NamedTemporaryFile() as file:
        body = json.dumps({"cycles": "c: (4) / e: (4)", "label": "job %", "fresh": True})
        found = measure_loop(part, daemon, "post", lambda: part.run_client(
            "post", daemon, "post", 600, CONNECTIONS, n, body, file.name))
        accepted = read_lines(file.name)
        part.check_replies("POST", found)
        part.check("as many ids as jobs", len(set(accepted)) == n)
        part.number("POST per second", found["per_second"], least=1500)
        part.counts["anonymous_mib"] = daemon.anonymous_bytes() / MEBIBYTE
        part.number("restart seconds", restart(part, daemon), most=3)

        jobs = list_all(part, daemon, "")
        ids = [job["id"] for job in jobs]
        part.check("nothing is lost, nothing listed twice",
                   len(ids) == n + 1 and set(ids) == {*accepted, first})
        part.check("newest first", ids[-1] == first and
                   [job["created"] for job in jobs] == sorted((job["created"] for job in jobs),
                                                              reverse=True))
        labels = sorted(job["label"] or "" for job in jobs)
        part.check("each label once", labels == sorted(["", *(f"job {i}" for i in range(n))]))
        wait_until(lambda: daemon.job(first)["state"] == "running", "the first job", 30)
        queued = [job["id"] for job in list_all(part, daemon, "state=queued&")]
        part.check("the filter by state", queued == ids[:-1])
        check_positions(part, daemon, queued[::-1])
        found = part.run_client("get_behind", daemon, "get", 2, CONNECTIONS,
                                f"/v1/jobs/{queued[0]}")
        part.check_replies("GET of the last in line", found)
        part.counts["drain_seconds"] = daemon.stop()


# ---- streams -------------------------------------------------------------------------------


def hash_of(text):
    value = FNV_START
    for byte in text.encode():
        value = (value ^ byte) * FNV_PRIME % WORD
    return value


def stored_story(daemon, path):
    """(events, solutions, hash) of a stream that has ended, as load_client counts."""
    events = solutions = total = 0
    for block in daemon.get(f"{path}?after=0").body.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
        events += "id" in fields
        if fields.get("event") == "solution":
            solutions += 1
            total += hash_of(fields["data"])
    return events, solutions, f"{total % WORD:016x}"


def story_jobs(part, daemon, seconds):
    """Paths of the streams of jobs that run for so long."""
    structures, paths = RARE if part.full else FREQUENT, []
    for i in range(TOPICS):
        job = daemon.submit({"cycles": structures[i % len(structures)], "find": "all", "slack": 9,
                             "fresh": True, "label": f"{part.random.getrandbits(32)}",
                             "limits": {"seconds": seconds}})
        paths.append(f"/v1/jobs/{job['id']}/events")
    return paths


def watch_memory(daemon, process):
    """The most anonymous memory until the process ends."""
    most = 0
    while process.poll() is None:
        most = max(most, daemon.anonymous_bytes())
        time.sleep(0.2)
    return most


def run_streams(part):
    with Daemon(max_running_jobs=TOPICS, max_connections=READERS + 100) as daemon, \
            tempfile.NamedTemporaryFile("w", encoding="ascii") as file:
        paths = story_jobs(part, daemon, part.args.seconds)
        file.write("".join(path + "\n" for path in paths))
        file.flush()
        process = part.start_client(daemon, "streams", part.args.seconds + 120, READERS, file.name)
        memory = watch_memory(daemon, process)
        found = part.end_client("streams", process)
        part.check("every reader saw the end", found["done"] == READERS)
        part.check("none was refused, none lost its stream, ids increase", not (
            found["refused"] or found["reconnects"] or found["disorder"] or found["draining"]))
        stories = {path: stored_story(daemon, path) for path in paths}
        part.check("every reader saw every event and every solution", all(
            not topic["different"] and stories[topic["path"]] ==
            (topic["events"], topic["solutions"], topic["solutions_hash"])
            for topic in found["topics"]))
        part.check("there were solutions in every stream",
                   all(topic["solutions"] for topic in found["topics"]))
        part.check("lags were measured", found["lag"]["n"] > 0)
        part.number("p99 lag ms", found["lag"]["p99_ms"], most=100)
        part.number("anonymous MiB", memory / MEBIBYTE, most=200)


# ---- hostile -------------------------------------------------------------------------------

DEADLINE = 3              # seconds, of every kind
LATE = 4                  # times as long may pass on a busy host: the sweep comes once a second
TIMED = ("silent", "slow_head", "slow_body")


def attack(part, daemon, name, crowd):
    """A crowd, with ordinary clients beside it; what the generator says of the crowd."""
    seconds = max(part.args.seconds / 10, 3 * DEADLINE)
    job_id = daemon.submit(SUPERFLIP_JOB)["id"]
    paths = {"health": "/livez", "job": f"/v1/jobs/{job_id}"}
    calm = {what: part.run_client(f"{name}_{what}_calm", daemon, "get", 1, 1, path)
            for what, path in paths.items()}
    crowding = part.start_client(daemon, "hostile", seconds, crowd, crowd // 4, "/v1/puzzles")
    beside = {what: part.start_client(daemon, "get", seconds - 1, 1, path)
              for what, path in paths.items()}
    for what, process in beside.items():
        found = part.end_client(f"{name}_{what}_beside", process)
        part.check_replies(f"{name}: GET of {what} beside it", found)
        part.number(f"{name}: {what} p99 ms", found["latency"]["p99_ms"], most=50)
        part.counts[f"{name}_{what}_p99_ratio"] = round(
            found["latency"]["p99_ms"] / max(calm[what]["latency"]["p99_ms"], 0.001), 2)
    found = part.end_client(name, crowding)
    wait_until(lambda: daemon.metric("http_connections") <= 1, "that all are gone", 30)
    expect(daemon.get("/readyz"), 200)
    daemon.cancel(job_id)
    return found


def check_crowd(part, name, found):
    for kind, numbers in found["kinds"].items():
        part.check(f"{name}: {kind} connections were ended, none behind its deadline",
                   numbers["ended"] > 0 and numbers["lives"]["max_ms"] < 1000 * LATE * DEADLINE)
    part.check(f"{name}: those that did not read were not fed to the end", not found["fed"])


def run_hostile(part):
    """First against the limit of connections, then against deadlines alone."""
    crowd = 10000 if part.full else 2000
    limits = {f"{what}_seconds": DEADLINE for what in ("header", "body", "reply", "idle")}
    for name, most in (("crowded", crowd // 4), ("patient", crowd + 100)):
        with Daemon(max_connections=most, **limits) as daemon:
            found = attack(part, daemon, name, crowd)
            check_crowd(part, name, found)
            displaced = daemon.metric("http_displaced_total")
            expired = daemon.metric("http_expired_total")
            part.counts[name].update(displaced=displaced, expired=expired)
            if name == "crowded":
                part.check("crowded: connections made room for others", displaced > 0)
            else:
                part.check("patient: deadlines alone ended them", expired > 0 and not displaced)
                part.check("patient: no deadline came early", all(
                    found["kinds"][kind]["lives"]["p50_ms"] > 900 * DEADLINE
                    for kind in TIMED))


# ---- the whole -----------------------------------------------------------------------------

PARTS = {"requests": run_requests, "queue": run_queue, "streams": run_streams,
         "hostile": run_hostile}


def run_part(args, name):
    print(f"  {name}", flush=True)
    part = Part(args, name)
    start = time.monotonic()
    try:
        PARTS[name](part)
    except AssertionError as error:
        part.counts["problem"] = str(error)[-2000:]
        part.check("it went through", False)
    part.counts["seconds"] = round(time.monotonic() - start, 1)
    return part


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--client", required=True)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=0, help="0: of the clock")
    parser.add_argument("--report")
    parser.add_argument("part", nargs="*")
    args = parser.parse_args()
    args.seed = report.choose_seed(args.seed)
    chosen = [name for name in PARTS
              if not args.part or any(word in name for word in args.part)]
    if not chosen:
        parser.error(f"the parts are {', '.join(PARTS)}")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    found = {**report.head(args.seed, args.seconds), "parts": {}, "checks": {}}
    for name in chosen:
        part = run_part(args, name)
        found["parts"][name] = {"numbers": part.numbers, "counts": part.counts}
        found["checks"].update(part.checks)
    passed, failed = report.conclude(found, args.report)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
