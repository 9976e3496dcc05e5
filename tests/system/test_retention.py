"""What ended long ago is removed: by age, and when the store needs more room than it may."""

import os
import shutil
import sqlite3

from system_daemon import Daemon, expect, kill_leftovers, new_folder, wait_until

DAY_US = 86400 * 1000000


def age(folder, job_ids, days):
    """Makes the jobs' ends lie in the past; no daemon may run."""
    with sqlite3.connect(os.path.join(folder, "state", "jobs.db")) as db:
        for job_id in job_ids:
            changed = db.execute("UPDATE jobs SET ended_us = ended_us - ? WHERE id = ?",
                                 (days * DAY_US, job_id))
            assert changed.rowcount == 1
    db.close()


def is_gone(daemon, job_id):
    return daemon.get(f"/v1/jobs/{job_id}").status == 404


def check_gone(daemon, job_ids):
    """Of the job nothing is left, its stream included."""
    for job_id in job_ids:
        wait_until(lambda job_id=job_id: is_gone(daemon, job_id), f"{job_id} to be removed")
        expect(daemon.get(f"/v1/jobs/{job_id}/events"), 404)
        expect(daemon.get(f"/v1/jobs/{job_id}/solutions"), 404)


def test_jobs_are_kept_for_some_days():
    folder = new_folder()
    try:
        with Daemon(folder) as daemon:
            old = [daemon.solve({"like": alg, "fresh": True})["id"] for alg in ("U R", "U2 R")]
            new = daemon.solve({"like": "U R", "fresh": True})["id"]
        age(folder, old, 3)
        with Daemon(folder) as daemon:  # the default: for as long as there is room
            assert daemon.job(old[0])["state"] == "succeeded"
        with Daemon(folder, keep_days=2) as daemon:
            check_gone(daemon, old)
            assert daemon.job(new)["state"] == "succeeded"
            assert [job["id"] for job in daemon.get_json("/v1/jobs")["jobs"]] == [new]
            assert daemon.metric("jobs_expired_total") == 2
            assert daemon.metric("store_bytes") > 0
    finally:
        kill_leftovers(folder)
        shutil.rmtree(folder, ignore_errors=True)


def test_the_oldest_makes_room():
    """Answers of many solutions, more than the store may hold: those that ended long ago go, the
    recent ones stay although they need too much on their own."""
    folder = new_folder()
    spec = {"cycles": "c: (2, 2, 3) / e: (9)", "find": "all", "fresh": True}
    try:
        with Daemon(folder) as daemon:
            ids = [daemon.solve(spec)["id"] for _ in range(4)]
            batch = expect(daemon.post("/v1/batches", {"jobs": [spec]}), 202).json()["id"]
            wait_until(lambda: daemon.get_json(f"/v1/batches/{batch}")["ended"], "the batch")
            member = daemon.get_json(f"/v1/batches/{batch}/jobs")["jobs"][0]["id"]
        age(folder, ids[:2], 2)
        age(folder, [member], 1)
        with Daemon(folder, store_mib=0.25) as daemon:
            check_gone(daemon, [*ids[:2], member])
            expect(daemon.get(f"/v1/batches/{batch}"), 404)
            assert daemon.metric("store_bytes") > 0.25 * (1 << 20)
            for job_id in ids[2:]:
                assert len(daemon.solutions(job_id)) > 1000
    finally:
        kill_leftovers(folder)
        shutil.rmtree(folder, ignore_errors=True)
