#!/usr/bin/env python3
"""Torture of the table store: processes that share a directory of tables are killed at any moment.

    torture.py --worker=PROGRAM [--seconds=60] [--seed=N] [--profile=small|large] [--report=FILE]

Workers (torture_worker.c) acquire, create, fill, look up, pin and remove tables, of which all
together need several times the budget, and run jobs of the engine with known answers on the same
directory. This driver kills them, by the clock or in a wanted phase of their work (a fill, a seal,
an attach), starts new ones, damages files nobody uses, and now and then kills all of them at once
and damages payloads. In the end what is left is completed and everything is held against what is
known to be right. A seed makes the driver's choices and those of each worker repeatable; how they
meet is up to the scheduler.

The last line reads "N passed, N failed"; the report has the raw counts.
"""

import argparse
import collections
import fcntl
import mmap
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tools"))

import report  # pylint: disable=wrong-import-position

WORKERS = 4
SLOT_NUMBERS = 64
SILENCE_SECONDS = 180     # without a sign of life: a deadlock
SHORT = 300               # seconds up to which the small profile is taken
HEADER_BYTES = 2048
F_OFD_SETLK = 37
WRONG = ("wrong_entries", "wrong_bounds", "wrong_answers", "unexpected_errors", "leaks")
PHASES_WANTED = ("ACQUIRE", "VERIFY", "CREATE", "RECOUNT", "FILL", "SEAL", "RELEASE", "ENGINE")


class Slots:
    """The numbers of all workers, which outlive them."""

    def __init__(self, worker, path):
        lines = subprocess.run([worker, "names"], stdout=subprocess.PIPE, text=True,
                               check=True).stdout.split("\n")
        self.names = [line.split()[1] for line in lines if line.startswith("number ")]
        self.phases = [line.split()[1] for line in lines if line.startswith("phase ")]
        self.path = path
        with open(path, "wb") as file:
            file.truncate((WORKERS + 1) * SLOT_NUMBERS * 8)
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    def get(self, slot, name):
        at = (slot * SLOT_NUMBERS + self.names.index(name)) * 8
        return struct.unpack_from("Q", self.memory, at)[0]

    def phase(self, slot):
        return self.phases[self.get(slot, "phase")]

    def set_starting(self, slot):
        at = (slot * SLOT_NUMBERS + self.names.index("phase")) * 8
        struct.pack_into("Q", self.memory, at, self.phases.index("STARTING"))

    def totals(self):
        return {name: sum(self.get(slot, name) for slot in range(WORKERS + 1))
                for name in self.names if name not in ("heartbeat", "phase")}


class Torture:
    def __init__(self, args):
        self.args = args
        self.random = random.Random(args.seed)
        self.counts = collections.Counter()
        self.problems = []
        base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.root = tempfile.mkdtemp(prefix="cyclosolve_torture.", dir=base)
        self.tables = os.path.join(self.root, "tables")
        self.golden = os.path.join(self.root, "golden")
        os.mkdir(self.tables, 0o700)
        self.slots = Slots(args.worker, os.path.join(self.root, "slots"))
        self.processes = [None] * WORKERS
        self.heartbeats = [(0, 0.0)] * WORKERS
        self.largest = 0
        self.log = open(os.path.join(self.root, "log"), "w+", encoding="utf-8")

    def complain(self, text):
        if len(self.problems) < 50:
            self.problems.append(text)
        print(f"  PROBLEM: {text}", file=sys.stderr, flush=True)

    # ---- workers ----------------------------------------------------------------------------

    def command(self, mode, slot, *more):
        return [self.args.worker, mode, self.args.profile, self.golden, self.tables,
                self.slots.path, str(slot), *more]

    def start(self, slot):
        self.counts["workers_started"] += 1
        self.slots.set_starting(slot)
        self.processes[slot] = subprocess.Popen(
            self.command("run", slot, str(self.random.getrandbits(48))), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=self.log,
            start_new_session=True)  # the check library may signal its whole group
        self.heartbeats[slot] = (-1, time.monotonic())

    def kill(self, slot):
        phase = self.slots.phase(slot)
        self.processes[slot].kill()
        status = self.processes[slot].wait()
        if status == -signal.SIGKILL:
            self.counts["kills"] += 1
            self.counts[f"kills_in_{phase}"] += 1
        else:
            self.complain(f"a worker ended by itself, status {status}")

    def watch(self):
        """Workers that ended by themselves or are silent for too long."""
        now = time.monotonic()
        for slot, process in enumerate(self.processes):
            beat = self.slots.get(slot, "heartbeat")
            if process.poll() is not None:
                self.complain(f"a worker ended by itself in {self.slots.phase(slot)}, status "
                              f"{process.returncode}")
                self.start(slot)
            elif beat != self.heartbeats[slot][0]:
                self.heartbeats[slot] = (beat, now)
            elif now - self.heartbeats[slot][1] > SILENCE_SECONDS:
                self.complain(f"a worker hangs in {self.slots.phase(slot)}")
                self.counts["deadlocks"] += 1
                self.kill(slot)
                self.start(slot)

    def kill_in_phase(self):
        """Waits a moment for some worker to be in the wanted phase; else one that is at work. None:
        there is none."""
        wanted = self.random.choice(PHASES_WANTED)
        end = time.monotonic() + self.random.uniform(0.2, 2.0)
        order = self.random.sample(range(WORKERS), WORKERS)
        while time.monotonic() < end:
            for slot in order:
                if self.slots.phase(slot) == wanted:
                    time.sleep(self.random.choice((0, 0, 0.0005, 0.003, 0.02)))
                    return slot
            time.sleep(0.0002)
        return next((slot for slot in order if self.slots.phase(slot) != "STARTING"), None)

    # ---- the directory ----------------------------------------------------------------------

    def files(self, ending):
        return sorted(name for name in os.listdir(self.tables) if name.endswith(ending))

    def check_budget(self):
        """Nobody changes names while the directory is locked."""
        fd = os.open(self.tables, os.O_RDONLY)
        try:
            fcntl.flock(fd, fcntl.LOCK_SH)
            total = 0
            for name in os.listdir(fd):
                total += os.stat(name, dir_fd=fd).st_blocks * 512
        finally:
            os.close(fd)
        self.counts["budget_checks"] += 1
        self.largest = max(self.largest, total)
        if total > self.budget:
            self.complain(f"the files take {total} bytes of {self.budget}")
            self.counts["budget_broken"] += 1

    def damage(self, ending, kind):
        """Changes one file that nobody uses. False: there was none."""
        names = self.files(ending)
        if not names:
            return False
        try:
            fd = os.open(os.path.join(self.tables, self.random.choice(names)), os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            lock = struct.pack("hhqqixxxx", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
            fcntl.fcntl(fd, F_OFD_SETLK, lock)
            size = os.fstat(fd).st_size
            if kind == "header":
                self.flip(fd, self.random.randrange(HEADER_BYTES))
            elif kind == "cut":
                os.ftruncate(fd, self.random.randrange(max(size, 1)))
            else:
                offset = struct.unpack("Q", os.pread(fd, 8, 48).ljust(8, b"\0"))[0]
                if not HEADER_BYTES <= offset < size:
                    return False
                self.flip_entries(fd, offset, size)
        except (BlockingIOError, PermissionError):
            return False
        finally:
            os.close(fd)
        self.counts[f"damaged_{'growing' if 'growing' in ending else 'sealed'}_{kind}"] += 1
        return True

    def flip_entries(self, fd, offset, size):
        """Preferably entries that are set: what a crash of the machine would lose."""
        for _ in range(self.random.randint(1, 8)):
            at = self.random.randrange(offset, size)
            piece = os.pread(fd, 1 << 16, at)
            there = next((i for i, byte in enumerate(piece) if byte), 0)
            os.pwrite(fd, self.random.choice((b"\0", b"\1", b"\2", b"\xff")), at + there)

    def flip(self, fd, at):
        old = os.pread(fd, 1, at)
        if old:
            os.pwrite(fd, bytes([old[0] ^ self.random.randint(1, 255)]), at)

    def damage_something(self):
        ending, kind = self.random.choice(((".cyt", "header"), (".cyt", "cut"),
                                           (".growing", "header"), (".growing", "cut"),
                                           (".growing", "payload"), (".growing", "payload")))
        self.damage(ending, kind)

    def kill_all(self):
        """As when the machine goes down; then payloads are damaged, of sealed tables too: a process
        that has verified a table once trusts it for its life, so none may live."""
        for process in self.processes:
            process.send_signal(signal.SIGKILL)
        for slot in range(WORKERS):
            self.kill(slot)
        for _ in range(self.random.randint(0, 3)):
            self.damage(".cyt", "payload")
        self.damage(".growing", "payload")
        self.counts["all_killed"] += 1
        for slot in range(WORKERS):
            self.start(slot)

    # ---- the course of it -------------------------------------------------------------------

    def prepare(self):
        print(f"torture: seed {self.args.seed}, {self.args.seconds} s, profile "
              f"{self.args.profile}", flush=True)
        done = subprocess.run([self.args.worker, "make", self.args.profile, self.golden],
                              stdout=subprocess.PIPE, text=True, check=True)
        self.sizes = {line.split()[0]: int(line.split()[1]) for line in done.stdout.splitlines()}
        self.budget = self.sizes["budget_bytes"]

    def run(self):
        for slot in range(WORKERS):
            self.start(slot)
        end = time.monotonic() + self.args.seconds
        while time.monotonic() < end:
            time.sleep(self.random.uniform(0.02, self.args.pause))
            dice = self.random.randrange(100)
            self.check_budget()
            self.watch()
            if dice < 4:
                self.kill_all()
                continue
            slot = self.kill_in_phase() if dice < 90 else self.random.randrange(WORKERS)
            if slot is not None:
                self.kill(slot)
            if dice % 3 == 0:
                self.damage_something()
            if slot is not None:
                self.start(slot)
        self.stop()
        self.finish()

    def stop(self):
        """All end by themselves now, and look for what they might have leaked."""
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
        for slot, process in enumerate(self.processes):
            try:
                status = process.wait(SILENCE_SECONDS)
            except subprocess.TimeoutExpired:
                self.complain(f"a worker does not end, in {self.slots.phase(slot)}")
                self.counts["deadlocks"] += 1
                process.kill()
                status = process.wait()
            self.counts["ended_well"] += status == 0
            if status not in (0, -signal.SIGTERM):  # that: before it could ask not to be killed
                self.complain(f"a worker ended with status {status}")

    def finish(self):
        self.counts["left_growing"] = len(self.files(".growing"))
        done = subprocess.run(self.command("finish", WORKERS), stdout=subprocess.PIPE,
                              stderr=self.log, text=True, check=False)
        print(f"  at the end: {done.stdout.strip()}", flush=True)
        self.counts["finish_failed"] = int(done.returncode != 0)
        self.counts["growing_after_finish"] = len(self.files(".growing"))
        self.check_budget()

    # ---- the report -------------------------------------------------------------------------

    def verdicts(self):
        totals = self.slots.totals()
        checks = {name: totals[name] == 0 for name in WRONG}
        checks["no deadlock"] = self.counts["deadlocks"] == 0
        checks["budget kept"] = self.counts["budget_broken"] == 0
        checks["what was left could be completed"] = self.counts["finish_failed"] == 0
        checks["nothing is left growing"] = self.counts["growing_after_finish"] == 0
        checks["no other problem"] = not self.problems
        checks["something happened"] = (self.counts["kills"] > 0 and totals["sealed"] > 0
                                        and totals["lookups"] > 0)
        return checks

    def report(self):
        return {**report.head(self.args.seed, self.args.seconds), "profile": self.args.profile,
                "workers": WORKERS, "catalogue": self.sizes,
                "largest_directory_bytes": self.largest, "driver": dict(sorted(self.counts.items())),
                "workers_totals": self.slots.totals(), "checks": self.verdicts(),
                "problems": self.problems}

    def close(self, failed):
        for process in self.processes:
            if process and process.poll() is None:
                process.kill()
                process.wait()
        if failed:
            self.log.seek(0)
            print("".join(self.log.readlines()[-60:]), file=sys.stderr)
        self.log.close()
        shutil.rmtree(self.root, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--worker", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0, help="0: of the clock")
    parser.add_argument("--profile", choices=("small", "large"))
    parser.add_argument("--pause", type=float, help="most seconds between two kills")
    parser.add_argument("--report")
    args = parser.parse_args()
    args.seed = report.choose_seed(args.seed)
    args.profile = args.profile or ("small" if args.seconds <= SHORT else "large")
    args.pause = args.pause or (1.0 if args.profile == "small" else 2.5)
    os.nice(5)
    torture = Torture(args)
    failed = 1
    try:
        torture.prepare()
        torture.run()
        passed, failed = report.conclude(torture.report(), args.report)
    finally:
        torture.close(failed)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
