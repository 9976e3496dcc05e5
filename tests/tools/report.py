"""Reports of the long checks: what every one says about itself, its verdicts, and the file."""

import datetime
import json
import os
import platform
import subprocess
import time


def choose_seed(wanted):
    """The seed asked for; 0: one of the clock."""
    return wanted or time.time_ns() % 1000000007


def commit():
    done = subprocess.run(["git", "describe", "--always", "--exclude", "*", "--abbrev=12",
                           "--dirty"], stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.strip() or "unknown"


def head(seed, seconds):
    return {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "commit": commit(), "seed": seed, "seconds": seconds, "kernel": platform.release(),
            "processors": os.cpu_count()}


def conclude(report, path):
    """Prints the verdicts in report["checks"], {name: good}, and the report, and writes it to the
    path unless that is None. (passed, failed)"""
    for name, good in report["checks"].items():
        print(f"  {'ok  ' if good else 'FAIL'} {name}")
    failed = sum(not good for good in report["checks"].values())
    text = json.dumps(report, indent=1)
    print(text)
    if path:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    return len(report["checks"]) - failed, failed
