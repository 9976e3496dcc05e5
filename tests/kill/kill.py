#!/usr/bin/env python3
"""A daemon under load is killed with -9 at any moment, many times.

    CYCLOSOLVED=... CYCLOSOLVE_TOOL=... kill.py [--kills=300 | --seconds=60] [--seed=N] [--report=FILE]

Clients submit jobs (each with a key and a label of its own), batches, pauses and cancellations, look
at jobs and follow streams; what a kill interrupts they repeat, as clients do. In between the daemon
is killed, also while it starts or leaves. In the end all that was accepted must have ended: once,
with the right answer, as whoever saw the end saw it; every stream must tell the story that its
followers were told, with ids that strictly increase; database and tables must be sound.

A seed makes the choices repeatable; when the kills strike is up to the scheduler. The last line
reads "N passed, N failed"; the report has the raw counts.
"""

import argparse
import collections
import csv
import http.client
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "system"), os.path.join(ROOT, "tests", "tools")]
import report  # noqa: E402  pylint: disable=wrong-import-position
from system_daemon import (ENDED, Daemon, check_job, data_path,  # noqa: E402
                           new_folder, wait_until)  # pylint: disable=wrong-import-position

OPTIONS = {"memory_mib": 192, "checkpoint_seconds": 1, "max_running_jobs": 4}
LIVE_AT_MOST = 60     # jobs that have not ended; more would only wait
SUBMITTERS, FOLLOWERS, LOOKERS = 2, 3, 2
TIMEOUT = 5
PATIENCE = 180        # seconds in which a job that was accepted must end once kills have ceased
LOST = (OSError, http.client.HTTPException, ValueError)
# Searches of some seconds, which are checkpointed, and their answers.
LONG = (({"cycles": "e: (1+, 1+)", "find": "all"}, 13, 2496),
        ({"cycles": "c: (1+, 5+) / e: (1+, 1+)", "find": "all"}, 11, 1056))


# ---- what is asked for ----------------------------------------------------------------------


def structure(corners, edges):
    def cycles(text):
        return "" if text == "-" else f"({', '.join(c.replace('o', '+') for c in text.split())})"
    return f"c: {cycles(corners)} / e: {cycles(edges)}"


def known_structures():
    """[(text, length, sequences)] of all structures of up to 7 moves."""
    with open(data_path("structure_lengths_3x3.tsv"), encoding="utf-8") as file:
        rows = csv.DictReader((line for line in file if not line.startswith("#")),
                              delimiter="\t")
        return [(structure(row["corners"], row["edges"]), int(row["min_htm"]), int(row["words"]))
                for row in rows if int(row["min_htm"]) <= 7]


class Catalogue:
    """Jobs and what is known of their answers: (spec, length or None, sequences or None)."""

    def __init__(self):
        self.structures = known_structures()

    def choose(self, rng):
        kind = rng.random()
        if kind < 0.05:
            spec, length, count = rng.choice(LONG)
            return dict(spec, fresh=True), length, count
        if kind < 0.3:
            moves = [rng.choice("URFDLB") + rng.choice(("", "2", "'")) for _ in range(7)]
            return {"start": " ".join(moves), "fresh": rng.random() < 0.5}, None, None
        text, length, count = rng.choice(self.structures)
        find = rng.choice(("one", "all"))
        return ({"cycles": text, "find": find, "fresh": rng.random() < 0.7}, length,
                count if find == "all" else None)


# ---- what clients know -----------------------------------------------------------------------


class Accepted:
    """A job with a 202, by its label."""

    def __init__(self, label, length=None, count=None):
        self.label, self.length, self.count = label, length, count
        self.id = None
        self.cancelled = False   # somebody was told that it is
        self.end = None          # the document of an ended job, as somebody saw it
        self.story = {}          # event id -> (kind, data), as a follower was told


class Ledger:
    def __init__(self):
        self.lock = threading.Lock()
        self.jobs = {}           # id -> Accepted
        self.batches = {}        # id -> labels
        self.problems = []
        self.counts = collections.Counter()

    def complain(self, text):
        with self.lock:
            if len(self.problems) < 50:
                self.problems.append(text)
        print(f"  PROBLEM: {text}", file=sys.stderr, flush=True)

    def count(self, name, n=1):
        with self.lock:
            self.counts[name] += n

    def add(self, accepted, job_id):
        with self.lock:
            other = self.jobs.setdefault(job_id, accepted)
        accepted.id = job_id
        if other is not accepted:
            self.complain(f"{job_id} was given to {other.label} and to {accepted.label}")

    def some(self, rng):
        with self.lock:
            return rng.choice(list(self.jobs.values())) if self.jobs else None

    def see_end(self, accepted, job):
        """An end that was told stays as it is."""
        seen = {name: job[name] for name in ("state", "ended", "result", "cached", "solutions")}
        with self.lock:
            first = accepted.end = accepted.end or seen
        if seen != first:
            self.complain(f"{accepted.id} ended as {str(first)[:300]}, then as {str(seen)[:300]}")

    def live(self):
        with self.lock:
            return sum(1 for job in self.jobs.values() if job.end is None)


# ---- clients ---------------------------------------------------------------------------------


class Client(threading.Thread):
    """Repeats `turn` until told to stop. A connection that is lost, or refused because nobody
    listens, is an ordinary event here."""

    def __init__(self, kill, seed):
        super().__init__(daemon=True)
        self.kill, self.ledger = kill, kill.ledger
        self.rng = random.Random(seed)

    def run(self):
        while not self.kill.stopping.is_set():
            try:
                self.turn()
            except LOST:
                self.ledger.count("requests_lost")
                time.sleep(0.02)
            except Exception as error:  # pylint: disable=broad-except
                self.ledger.complain(f"{type(self).__name__}: {error!r}")
                time.sleep(0.1)

    def request(self, method, path, body=None, **fields):
        """(status, document or None)"""
        parts = urllib.parse.urlsplit(self.kill.daemon.url)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None,
                               {"Connection": "close", **fields})
            reply = connection.getresponse()
            text = reply.read()
        finally:
            connection.close()
        self.ledger.count("requests")
        if reply.status >= 500 and reply.status != 503:
            self.ledger.complain(f"{method} {path}: {reply.status} {text[:300]!r}")
        return reply.status, json.loads(text) if text else None

    def insist(self, method, path, body, key):
        """Repeats the request with its key until it is answered otherwise than by `later`."""
        while True:
            try:
                status, document = self.request(method, path, body, **{"Idempotency-Key": key})
            except LOST:
                self.ledger.count("submissions_repeated")
                status = None
            if status == 202 or (status == 200 and document):
                return document
            if status not in (None, 409, 503):
                raise AssertionError(f"{method} {path} {body}: {status} {document}")
            if self.kill.stopping.is_set():
                return None
            time.sleep(0.02)


class Submitter(Client):
    def turn(self):
        if self.ledger.live() > LIVE_AT_MOST:
            time.sleep(0.02)
        elif self.rng.random() < 0.05:
            self.submit_batch()
        else:
            self.submit_job()

    def submit_job(self):
        label = self.kill.new_label()
        spec, length, count = self.kill.catalogue.choose(self.rng)
        accepted = Accepted(label, length, count)
        job = self.insist("POST", "/v1/jobs",
                          dict(spec, label=label, priority=self.rng.randrange(10)), label)
        if job:
            self.ledger.add(accepted, job["id"])
            self.ledger.count("jobs_accepted")

    def submit_batch(self):
        label = self.kill.new_label()
        chosen = [self.kill.catalogue.choose(self.rng) for _ in range(self.rng.randint(1, 6))]
        jobs = [dict(spec, label=f"{label}.{i}") for i, (spec, _, _) in enumerate(chosen)]
        batch = self.insist("POST", "/v1/batches", {"jobs": jobs, "name": label}, label)
        if batch:
            with self.ledger.lock:
                self.ledger.batches[batch["id"]] = chosen
            self.ledger.count("batches_accepted")


class Follower(Client):
    """Follows one job to its end, over all interruptions."""

    after = 0  # the id of the last event

    def turn(self):
        accepted = self.ledger.some(self.rng)
        if accepted is None or accepted.end:
            time.sleep(0.02)
            return
        self.after, done = 0, False
        while not done and not self.kill.stopping.is_set():
            try:
                done = self.follow(accepted)
            except LOST:
                self.ledger.count("streams_lost")
                time.sleep(0.02)
        self.ledger.count("streams_followed", done)

    def follow(self, accepted):
        """Reads behind the last event as long as there is a stream. Did the job end?"""
        parts = urllib.parse.urlsplit(self.kill.daemon.url)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT * 4)
        try:
            connection.request("GET", f"/v1/jobs/{accepted.id}/events?after={self.after}")
            reply = connection.getresponse()
            if reply.status != 200:
                if reply.status == 204:
                    return True
                if reply.status != 503:
                    raise AssertionError(f"stream of {accepted.id}: {reply.status}")
                raise ConnectionError
            event = {}
            for raw in reply:
                line = raw.decode().rstrip("\r\n")
                if line:
                    name, _, value = line.partition(": ")
                    event[name] = value
                    continue
                if "id" in event:
                    self.take(accepted, event)
                if event.get("event") == "done":
                    return True
                event = {}
            return False
        finally:
            connection.close()

    def take(self, accepted, event):
        number = int(event["id"])
        if number <= self.after:
            self.ledger.complain(f"{accepted.id}: event {number} after {self.after}")
        self.after = number
        told = (event["event"], event["data"])
        with self.ledger.lock:
            first = accepted.story.setdefault(number, told)
        if first != told:
            self.ledger.complain(f"{accepted.id}: event {number} was {first}, then {told}")
        self.ledger.count("events")
        if told[0] == "done":
            self.ledger.see_end(accepted, json.loads(told[1]))


class Looker(Client):
    """Looks at jobs, cancels some, pauses and resumes some."""

    def turn(self):
        accepted = self.ledger.some(self.rng)
        if accepted is None:
            time.sleep(0.02)
            return
        status, job = self.request("GET", f"/v1/jobs/{accepted.id}")
        if status != 200:
            if status != 503:
                self.ledger.complain(f"{accepted.id} is lost: {status}")
            return
        if job["state"] in ENDED:
            self.ledger.see_end(accepted, job)
        elif self.rng.random() < 0.03:
            self.cancel(accepted)
        elif self.rng.random() < 0.05:
            self.request("POST", f"/v1/jobs/{accepted.id}/pause")
        if job["state"] == "paused":
            self.request("POST", f"/v1/jobs/{accepted.id}/resume")
        time.sleep(0.005)

    def cancel(self, accepted):
        status, job = self.request("POST", f"/v1/jobs/{accepted.id}/cancel")
        if status == 200 and job["state"] == "cancelled":
            accepted.cancelled = True
            self.ledger.count("cancelled")


# ---- the run ---------------------------------------------------------------------------------


class Kill:
    def __init__(self, args):
        self.args = args
        self.rng = random.Random(args.seed)
        self.ledger = Ledger()
        self.catalogue = Catalogue()
        self.stopping = threading.Event()
        self.labels = 0
        self.lock = threading.Lock()
        self.folder = new_folder()
        self.daemon = Daemon(self.folder, **OPTIONS)
        self.kills = collections.Counter()

    def new_label(self):
        with self.lock:
            self.labels += 1
            return f"kill {self.labels}"

    def goes_on(self, begun):
        if self.args.seconds:
            return time.monotonic() - begun < self.args.seconds
        return sum(self.kills.values()) < self.args.kills

    def strike(self):
        """One kill, at work, while it leaves or while the next one starts."""
        kind = self.rng.random()
        time.sleep(self.rng.expovariate(2))
        if kind < 0.1:
            self.daemon.process.send_signal(signal.SIGTERM)
            time.sleep(self.rng.uniform(0, 0.1))
            when = "leaving"
        else:
            when = "working"
        self.daemon.kill()
        self.kills[when] += 1
        while self.rng.random() < 0.15:
            self.daemon.start(wait=False)
            time.sleep(self.rng.uniform(0, 0.15))
            self.daemon.kill()
            self.kills["starting"] += 1
        self.daemon.start()

    def run(self):
        clients = [kind(self, self.rng.getrandbits(48))
                   for kind, n in ((Submitter, SUBMITTERS), (Follower, FOLLOWERS),
                                   (Looker, LOOKERS)) for _ in range(n)]
        begun = time.monotonic()
        for client in clients:
            client.start()
        while self.goes_on(begun):
            self.strike()
        self.stopping.set()
        for client in clients:
            client.join(TIMEOUT * 8)
            if client.is_alive():
                self.ledger.complain(f"a {type(client).__name__} hangs")
        return time.monotonic() - begun

    # ---- the reckoning

    def list_jobs(self):
        jobs, token = [], ""
        while True:
            page = self.daemon.get_json(f"/v1/jobs?page_size=1000&page_token={token}")
            jobs += page["jobs"]
            token = page["next_page_token"]
            if not token:
                return jobs

    def all_ended(self):
        jobs = self.list_jobs()
        for job in jobs:
            if job["state"] == "paused":
                self.daemon.post(f"/v1/jobs/{job['id']}/resume")
        return all(job["state"] in ENDED for job in jobs)

    def adopt_batches(self):
        """The jobs of batches are known by their batch."""
        for batch, chosen in self.ledger.batches.items():
            jobs = self.daemon.get_json(f"/v1/batches/{batch}/jobs?page_size=1000")["jobs"]
            if len(jobs) != len(chosen):
                self.ledger.complain(f"{batch} has {len(jobs)} of {len(chosen)} jobs")
            for job, (_, length, count) in zip(jobs, chosen):
                accepted = Accepted(job["label"], length, count)
                self.ledger.add(accepted, job["id"])

    def check_once(self):
        """All that was accepted is there, once; what else is there was never answered."""
        listed = collections.Counter(job["label"] for job in self.list_jobs())
        for label, n in listed.items():
            if n > 1:
                self.ledger.complain(f"{n} jobs have the label {label}")
        for accepted in self.ledger.jobs.values():
            if accepted.label not in listed:
                self.ledger.complain(f"{accepted.id}, {accepted.label}, is lost")
        self.ledger.counts["jobs"] = sum(listed.values())

    def check_answer(self, accepted):
        job = self.daemon.job(accepted.id)
        self.ledger.see_end(accepted, job)
        if job["state"] == "cancelled":
            self.ledger.count("ended_cancelled")
            return
        if accepted.cancelled or job["state"] != "succeeded":
            self.ledger.complain(f"{accepted.id} is {job['state']}, cancelled: "
                                 f"{accepted.cancelled}, {job.get('error')}")
            return
        check_job(job)
        result = job["result"]
        if not result["optimal"] or (accepted.length is not None and
                                     result["length"] != accepted.length):
            self.ledger.complain(f"{accepted.id}: {result}, not {accepted.length} moves")
        if accepted.count is not None and result["count"]["sequences"] != accepted.count:
            self.ledger.complain(f"{accepted.id}: {result['count']}, not {accepted.count}")
        self.ledger.count("answers_checked")

    def check_story(self, accepted):
        """What a follower was told is told again, unless a kill came before it was durable: such
        events are sent at once, and their ids are never given again. Solutions are found anew."""
        follower = Follower(self, 0)
        told = dict(accepted.story)
        accepted.story = {}
        follower.follow(accepted)
        kinds = [kind for kind, _ in accepted.story.values()]
        if kinds.count("done") != 1 or kinds[-1] != "done":
            self.ledger.complain(f"{accepted.id}: {kinds}")
        again = {json.loads(data)["moves"] for kind, data in accepted.story.values()
                 if kind == "solution"}
        for number, (kind, data) in told.items():
            now = accepted.story.get(number)
            if now is None and kind != "done":
                self.ledger.count("events_not_kept")
                if kind == "solution" and json.loads(data)["moves"] not in again:
                    self.ledger.complain(f"{accepted.id}: {data} was found and is not any more")
            elif now is None or now[0] != kind or kind != "done" and now[1] != data:
                self.ledger.complain(f"{accepted.id}: event {number} was {kind} {data}, is {now}")
        self.ledger.count("stories_checked")

    def check_files(self):
        state, tables = (os.path.join(self.folder, name) for name in ("state", "tables"))
        with sqlite3.connect(os.path.join(state, "jobs.db")) as db:
            verdict = db.execute("PRAGMA integrity_check").fetchone()[0]
        db.close()
        if verdict != "ok":
            self.ledger.complain(f"database: {verdict}")
        done = subprocess.run([os.environ["CYCLOSOLVE_TOOL"], "tables", "verify", "--table-dir",
                               tables], capture_output=True, text=True, check=False)
        self.ledger.counts["tables_verified"] = len(done.stdout.splitlines())
        if done.returncode:
            self.ledger.complain(f"tables: {done.stdout} {done.stderr}")
        for name in os.listdir(state):
            if "damaged" in name:
                self.ledger.complain(f"a file was set aside: {name}")
        for name in os.listdir(tables):
            if not name.endswith((".cyt", ".growing")) and name != "lock":
                self.ledger.complain(f"left over among the tables: {name}")

    def reckon(self):
        wait_until(self.all_ended, "the end of all jobs", PATIENCE)
        self.adopt_batches()
        self.check_once()
        for accepted in list(self.ledger.jobs.values()):
            try:
                self.check_answer(accepted)
                self.check_story(accepted)
            except AssertionError as error:
                self.ledger.complain(f"{accepted.id}: {error}")
        self.daemon.stop()
        self.check_files()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--report")
    args = parser.parse_args()
    args.seed = report.choose_seed(args.seed)
    kill = Kill(args)
    try:
        seconds = kill.run()
        kill.reckon()
    except AssertionError as error:
        kill.ledger.complain(f"{error}")
    counts = dict(kill.ledger.counts)
    done = {**report.head(args.seed, round(seconds)), "kills": dict(kill.kills), **counts,
            "problems": kill.ledger.problems,
            "checks": {"the daemon was killed at work": kill.kills["working"] > 0,
                       "jobs were accepted, and their answers checked":
                           counts.get("answers_checked", 0) > 0,
                       "streams were followed over kills": counts.get("streams_lost", 0) > 0,
                       "nothing lost, repeated, wrong or damaged": not kill.ledger.problems}}
    passed, failed = report.conclude(done, args.report)
    if failed:
        print(kill.daemon.log_text()[-4000:], file=sys.stderr)
    else:
        shutil.rmtree(kill.folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
