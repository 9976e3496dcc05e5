"""The report of a run: what every report says first, and the numbers of this one."""

import datetime
import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def commit():
    done = subprocess.run(["git", "describe", "--always", "--exclude", "*", "--abbrev=12",
                           "--dirty"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.strip() or "unknown"


def write(path, seed, numbers):
    """Writes the report as JSON; nothing if there is no path."""
    if not path:
        return
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"date": now, "commit": commit(), "seed": seed, **numbers}, file, indent=1)
        file.write("\n")
