"""A long search that is interrupted goes on where it was: kill -9, SIGTERM, a pause."""

import os
import shutil
import sqlite3
import time

from system_daemon import SANITIZER, Daemon, kill_leftovers, new_folder, say, wait_until
from system_events import check_ids, replay

# Without tables the nodes of all solutions depend on nothing.
OPTIONS = {"memory_mib": 0.00390625, "checkpoint_seconds": 1}
LONG = {"cycles": "c: (8) / e: (2)", "find": "all"}
LONG_NODES = 591835289
LONG_COUNT = {"sequences": 1920, "canonical": 576, "classes": 1}
if SANITIZER in ("asan", "tsan"):
    LONG = {"cycles": "c: / e: (3)", "find": "all", "min_length": 8}
    LONG_NODES = 35656384
    LONG_COUNT = {"sequences": 6144, "canonical": 2496, "classes": 20}
# What is visited once more after a restart: some children of the walks that were open.
AGAIN = 20000


def wait_for_checkpoint(daemon):
    """Until one more has been stored."""
    before = daemon.metric("checkpoints_total")
    wait_until(lambda: daemon.metric("checkpoints_total") > before, "a checkpoint")


def wait_for_nodes(daemon, job_id, nodes=0):
    """Until the search is under way."""
    wait_until(lambda: daemon.job(job_id)["progress"]["nodes"] > nodes, "nodes")


def stored(folder):
    """How many checkpoints there are."""
    path = os.path.join(folder, "state", "jobs.db")
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        return database.execute("SELECT count(*) FROM checkpoints").fetchone()[0]


def check_continued(daemon, job_id, before):
    """The job is not at its beginning: what it shows first is what was known before."""
    job = daemon.wait_state(job_id, "running", "succeeded")
    now = job["progress"]
    assert now["nodes"] >= before["nodes"], (before, now)
    assert now["lower_bound"] >= before["lower_bound"] > 1, (before, now)
    assert now["depth"] >= before["depth"], (before, now)
    assert now["elapsed_seconds"] >= before["elapsed_seconds"], (before, now)
    return now["nodes"]


def test_a_killed_job_goes_on():
    """Each time with what is left of the job: it ends once, and has visited every node once."""
    folder = new_folder()
    try:
        daemon = Daemon(folder, threads=1, **OPTIONS)
        job_id = daemon.submit(LONG)["id"]
        daemon.wait_state(job_id, "running")
        wait_until(lambda: daemon.job(job_id)["progress"]["lower_bound"] > 1, "a depth")
        before = daemon.job(job_id)["progress"]
        wait_for_checkpoint(daemon)
        daemon.kill()
        assert stored(folder) == 1

        daemon = Daemon(folder, **OPTIONS)
        killed = check_continued(daemon, job_id, before)
        wait_for_nodes(daemon, job_id, killed)
        before = daemon.job(job_id)["progress"]
        daemon.stop()

        daemon = Daemon(folder, **OPTIONS)
        stopped = check_continued(daemon, job_id, before)
        wait_for_nodes(daemon, job_id, stopped)
        daemon.post(f"/v1/jobs/{job_id}/pause")
        wait_for_checkpoint(daemon)
        wait_until(lambda: daemon.metric("store_backlog") == 0, "the store")
        before = daemon.job(job_id)["progress"]
        daemon.kill()

        daemon = Daemon(folder, **OPTIONS)
        assert daemon.job(job_id)["state"] == "paused"
        daemon.post(f"/v1/jobs/{job_id}/resume")
        paused = check_continued(daemon, job_id, before)
        start = time.monotonic()
        job = daemon.wait_end(job_id)
        say(f"resumed at {killed / 1e6:.0f}, {stopped / 1e6:.0f} and {paused / 1e6:.0f} of "
            f"{LONG_NODES / 1e6:.0f} M nodes; the rest took {time.monotonic() - start:.1f} s")
        nodes = job["progress"]["nodes"]
        assert LONG_NODES <= nodes <= LONG_NODES + AGAIN, nodes
        events = replay(daemon, job_id)
        check_ids(events)
        assert [e.kind for e in events].count("done") == 1
        assert "not used" not in daemon.log_text()
        daemon.close()
        assert stored(folder) == 0
        assert job["result"]["count"] == LONG_COUNT, job["result"]
    finally:
        kill_leftovers(folder)
        shutil.rmtree(folder, ignore_errors=True)


def test_damaged_checkpoints_are_left_alone():
    """A checkpoint that makes no sense costs the work, not the job."""
    folder = new_folder()
    try:
        daemon = Daemon(folder, **OPTIONS)
        job_id = daemon.submit(LONG)["id"]
        wait_for_nodes(daemon, job_id)
        daemon.post(f"/v1/jobs/{job_id}/pause")
        wait_until(lambda: daemon.metric("checkpoints_total") > 0, "a checkpoint")
        daemon.kill()
        with sqlite3.connect(os.path.join(folder, "state", "jobs.db")) as database:
            data = bytearray(database.execute("SELECT data FROM checkpoints").fetchone()[0])
            data[len(data) // 2] ^= 1
            database.execute("UPDATE checkpoints SET data = ?", (bytes(data),))
        database.close()

        daemon = Daemon(folder, **OPTIONS)
        daemon.post(f"/v1/jobs/{job_id}/resume")
        wait_for_nodes(daemon, job_id)
        assert "checkpoint is not used" in daemon.log_text(), daemon.log_text()
        daemon.cancel(job_id)
        daemon.wait_state(job_id, "cancelled")
        daemon.close()
        assert stored(folder) == 0
    finally:
        kill_leftovers(folder)
        shutil.rmtree(folder, ignore_errors=True)


def test_none_are_written_if_nobody_wants_them():
    with Daemon(**{**OPTIONS, "checkpoint_seconds": 0}) as daemon:
        job_id = daemon.submit(LONG)["id"]
        daemon.wait_state(job_id, "running")
        daemon.post(f"/v1/jobs/{job_id}/pause")
        time.sleep(1.2)
        assert daemon.metric("checkpoints_total") == 0
        daemon.cancel(job_id)
