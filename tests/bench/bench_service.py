#!/usr/bin/env python3
"""What a user of the service waits for, over HTTP on loopback.

    CYCLOSOLVED=/path/of/cyclosolved bench_service.py [DIRECT]

Rows: the jobs of 10 to 13 moves of tests/data/cycle_cases_3x3.json, each cold (a fresh daemon on an
empty table directory; from the POST to the answer) and warm (the same daemon, `fresh`), one solution
and all of them. Medians of five. Lengths and counts are held against the data.

Overhead: a trivial job and one of some seconds, against the same in process, which the program
DIRECT (bench_direct) prints.
"""

import json
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "system"))

from system_daemon import Daemon, check_job, data_path  # pylint: disable=wrong-import-position

RUNS = 5
COLD_REQUIRED, WARM_REQUIRED = 3.0, 0.3
# The case whose length the suite does not give; it is in the extra cases, too.
SUPERFLIP = "c: / e: (1+) x12"


# ---- rows ----------------------------------------------------------------------------------


def cases():
    """[(cycles, length, sequences)] of 10 to 13 moves, without repetitions."""
    with open(data_path("cycle_cases_3x3.json"), encoding="utf-8") as file:
        data = json.load(file)
    seen = {}
    for case in data["cases"] + data["extra_cases_own_search"]["list"]:
        length = case["optimal_length"]
        if length is not None and 10 <= length <= 13:
            cycles = {"corners": case["corners"], "edges": case["edges"]}
            seen[json.dumps(cycles)] = (cycles, length, case["expanded_count"])
    return list(seen.values())


def timed(daemon, spec):
    """(seconds from the POST to the answer, the job)"""
    began = time.perf_counter()
    reply = daemon.post("/v1/jobs", {**spec, "fresh": True}, prefer="wait=60")
    seconds = time.perf_counter() - began
    job = reply.json()
    assert reply.status == 200 and job["state"] == "succeeded", job
    return seconds, job


def check(job, length, sequences):
    check_job(job)
    result = job["result"]
    assert result["length"] == length and result["optimal"], result
    if result["count"] is not None:
        assert result["count"]["sequences"] == sequences, (result, sequences)


def measure_row(case, find):
    """(cold, warm) medians."""
    cycles, length, sequences = case
    spec = {"cycles": cycles, "find": find}
    cold, warm = [], []
    for _ in range(RUNS):
        with Daemon() as daemon:
            for times in (cold, warm):
                seconds, job = timed(daemon, spec)
                check(job, length, sequences)
                times.append(seconds)
    return statistics.median(cold), statistics.median(warm), job["target"]["text"]


def bench_rows():
    worst = [0.0, 0.0]
    for case in cases():
        for find in ("one", "all"):
            cold, warm, text = measure_row(case, find)
            print(f"{text:34s} {case[1]} moves  {find}  cold {cold:6.3f} s  warm {warm:6.3f} s",
                  flush=True)
            worst = [max(worst[0], cold), max(worst[1], warm)]
    print(f"slowest: cold {worst[0]:.3f} s (asked {COLD_REQUIRED}), "
          f"warm {worst[1]:.3f} s (asked {WARM_REQUIRED})")


# ---- overhead ------------------------------------------------------------------------------


def direct_times(program):
    """{name: (wall ms, CPU ms)}"""
    times = {}
    for line in subprocess.run([program], capture_output=True, text=True,
                               check=True).stdout.splitlines():
        name, wall, _, cpu = line.split()[:4]
        times[name] = (float(wall), float(cpu))
    return times


def measure_jobs(daemon, spec):
    """Medians (wall ms, CPU ms of the daemon); the first run makes the tables."""
    walls, cpus = [], []
    for run in range(RUNS + 1):
        before = daemon.cpu_seconds()
        seconds, _ = timed(daemon, spec)
        if run > 0:
            walls.append(seconds * 1e3)
            cpus.append((daemon.cpu_seconds() - before) * 1e3)
    return statistics.median(walls), statistics.median(cpus)


def bench_overhead(program):
    direct = direct_times(program)
    with Daemon(fill_factor=10 ** 9) as daemon:
        for name, cycles, longest in (("trivial", "c: (4) / e: (4)", 4), ("long", SUPERFLIP, 14)):
            wall, cpu = measure_jobs(daemon, {"cycles": cycles, "max_length": longest})
            print(f"{name:8s} over HTTP {wall:9.2f} ms, {cpu:9.0f} CPU ms; in process "
                  f"{direct[name][0]:9.2f} ms, {direct[name][1]:9.0f} CPU ms; "
                  f"{wall - direct[name][0]:+.2f} ms, {100 * (wall / direct[name][0] - 1):+.1f} % "
                  f"({100 * (cpu / direct[name][1] - 1):+.1f} % CPU)", flush=True)


def main():
    bench_rows()
    if len(sys.argv) > 1:
        bench_overhead(sys.argv[1])


if __name__ == "__main__":
    main()
