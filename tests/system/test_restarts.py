"""kill -9, SIGTERM, a second daemon: a job that was accepted is done once, whatever happens."""

import os
import shutil
import time

from system_daemon import (SANITIZER, SLOWNESS, SUPERFLIP, Daemon, check_time, expect,
                           expect_problem, kill_leftovers, new_folder, run_program, say, wait_until)
from system_events import Stream, check_ids, replay

LONG_JOB = {"start": SUPERFLIP, "limits": {"seconds": 5 * SLOWNESS}}
QUEUED = 20
TABLES = 2 if SANITIZER is None else 1  # that are there when the daemon is killed


class Folder:
    """Directories that outlive their daemons."""

    def __enter__(self):
        self.path = new_folder()
        return self.path

    def __exit__(self, *_):
        kill_leftovers(self.path)
        shutil.rmtree(self.path, ignore_errors=True)


def scramble(i):
    """Twenty different ones of four moves."""
    return " ".join(["U", "RLFB"[i % 4], "U2", "RLFBD"[i // 4 % 5] + "'"])


def events_so_far(daemon, job_id, until):
    """The events of a live job up to the first of a kind."""
    stream = Stream(daemon, job_id, after=0)
    stream.until(until)
    stream.close()
    return [e for e in stream.parser.events if e.id is not None]


def check_attached(daemon, tables):
    """The daemon uses at least one of the tables, found as they were left, and filled none of
    them. (It may have filled others: when a table is worth it depends on the time at hand.)"""
    now = daemon.get_json("/v1/tables")["tables"]
    known = [table for table in now if table["key"] in tables]
    assert known and all(table["attached"] for table in known), (tables, now)
    assert daemon.metric("tables_attached_total") == len(known), (tables, now)
    assert daemon.metric("tables_filled_total") == len(now) - len(known), (tables, now)


def check_history(daemon, job_id, before):
    """The whole story of a job: ids never reused, one end; what a client had is what it had."""
    events = replay(daemon, job_id)
    check_ids(events)
    kinds = [e.kind for e in events]
    assert kinds.count("done") == 1 and kinds[-1] == "done", kinds
    states = [e.json()["state"] for e in events if e.kind == "state"]
    assert states[0] == "queued" and states[-1] == "succeeded", states
    assert states.count("succeeded") == 1, states
    story = {e.id: (e.kind, e.data) for e in events}
    for event in before:
        assert story.get(event.id) == (event.kind, event.data), (event, story.get(event.id))
    return states


def test_row_kill_9_with_20_queued_and_1_running():
    with Folder() as folder:
        daemon = Daemon(folder, max_running_jobs=1)
        running = daemon.submit(LONG_JOB)["id"]
        queued = [daemon.submit({"start": scramble(i), "label": f"queued {i}"})["id"]
                  for i in range(QUEUED)]
        wait_until(lambda: len(daemon.sealed_tables()) >= TABLES, "tables")
        tables = daemon.sealed_tables()
        assert daemon.job(running)["state"] == "running"
        seen = events_so_far(daemon, running, "depth")
        seen_queued = events_so_far(daemon, queued[0], "state")
        assert daemon.metric('jobs{state="queued"}') == QUEUED
        daemon.kill()

        again = Daemon(folder, max_running_jobs=1)
        try:
            # The client goes on where it was, before and after the end of the job.
            last = seen[-1].id
            resumed = Stream(again, running, after=last, timeout=60)
            jobs = {i: again.wait_end(i) for i in [running, *queued]}
            later = [e for e in resumed.all() if e.kind != "progress"]
            assert later and all(e.id > last for e in later), (last, later)
            check_ids(later, last)
            assert later[-1].kind == "done", later

            assert all(job["state"] == "succeeded" for job in jobs.values()), jobs
            assert jobs[running]["result"]["limit_hit"] == "seconds", jobs[running]
            for i, job_id in enumerate(queued):
                assert jobs[job_id]["label"] == f"queued {i}", jobs[job_id]
                assert jobs[job_id]["result"]["length"] == 4, jobs[job_id]
            listed = again.get_json("/v1/jobs?page_size=100")["jobs"]
            assert [j["id"] for j in listed] == [*reversed(queued), running], listed

            states = check_history(again, running, seen)
            assert states == ["queued", "running", "queued", "running", "succeeded"], states
            for job_id in queued:
                states = check_history(again, job_id,
                                       seen_queued if job_id == queued[0] else [])
                assert states == ["queued", "running", "succeeded"], states
            assert again.metric('jobs_ended_total{state="succeeded"}') == QUEUED + 1

            check_attached(again, tables)
            say(f"{len(tables)} tables attached, none filled; {QUEUED + 1} jobs ended once")
        finally:
            again.close()


def test_kill_9_in_the_first_moments():
    """A 202 is a promise also right after it, also while a table is being filled."""
    with Folder() as folder:
        ids = []
        for delay in (0, 0.05, 0.3):
            daemon = Daemon(folder)
            ids.append(daemon.submit({"start": scramble(len(ids)), "fresh": True})["id"])
            time.sleep(delay)
            daemon.kill()
        with Daemon(folder) as daemon:
            for job_id in ids:
                assert daemon.wait_end(job_id)["result"]["length"] == 4
                assert [e.kind for e in replay(daemon, job_id)].count("done") == 1


def test_results_and_keys_survive():
    with Folder() as folder:
        daemon = Daemon(folder)
        spec = {"cycles": "c: (1+, 5+) / e: (1+, 7+)", "find": "all"}
        first = daemon.submit(spec, idempotency_key="once")["id"]
        job = daemon.wait_end(first)
        words = daemon.solutions(first)
        daemon.kill()
        with Daemon(folder) as again:
            assert again.job(first) == job
            assert again.solutions(first) == words
            assert again.post("/v1/jobs", spec, idempotency_key="once").json()["id"] == first
            assert again.solve(spec)["cached"]
            assert again.cancel(first) == job


def test_paused_job_stays_paused():
    with Folder() as folder:
        daemon = Daemon(folder)
        job_id = daemon.submit({"start": SUPERFLIP})["id"]
        daemon.wait_state(job_id, "running")
        assert daemon.post(f"/v1/jobs/{job_id}/pause").json()["state"] == "paused"
        wait_until(lambda: daemon.metric("store_backlog") == 0, "the store")
        daemon.kill()
        with Daemon(folder) as again:
            time.sleep(0.3)
            assert again.job(job_id)["state"] == "paused", again.job(job_id)
            again.post(f"/v1/jobs/{job_id}/resume")
            again.wait_state(job_id, "running")
            again.cancel(job_id)


def test_sigterm_drains():
    """Streams hear of it, the process ends well in time, the job goes on after the restart."""
    with Folder() as folder:
        daemon = Daemon(folder)
        job_id = daemon.submit({"start": SUPERFLIP})["id"]
        stream = Stream(daemon, job_id)
        stream.until("depth")
        waiting = Stream(daemon, job_id)
        waiting.until("snapshot")
        seconds = daemon.stop()
        say(f"down after {seconds:.2f} s (required: 10 s)")
        for each in (stream, waiting):
            events = each.all()
            assert events[-1].kind == "draining", events[-3:]
            assert "done" not in [e.kind for e in events], events
        last = max(e.id for e in stream.parser.events if e.id is not None)
        with Daemon(folder) as again:
            job = again.wait_state(job_id, "running")
            assert job["id"] == job_id
            wait_until(lambda: again.job(job_id)["progress"]["nodes"], "progress")
            resumed = Stream(again, job_id, after=last)
            resumed.until("depth")
            check_ids([e for e in resumed.parser.events if e.kind != "snapshot"], last)
            resumed.close()
            again.cancel(job_id)


def test_sigterm_at_once_and_at_rest():
    with Daemon() as daemon:
        daemon.stop()
    with Daemon() as daemon:
        daemon.submit({"cycles": "e: (1+) x12"})
        daemon.stop()  # while tables are filled
    with Daemon(wait=False) as daemon:
        wait_until(lambda: daemon.log_text() or daemon.process.poll() is not None, "a first word")
        daemon.stop()


def test_waiting_clients_get_an_answer_when_it_drains():
    with Daemon() as daemon:
        job_id = daemon.submit({"start": SUPERFLIP})["id"]
        daemon.wait_state(job_id, "running")
        connection = daemon.connect()
        connection.request("GET", f"/v1/jobs/{job_id}", headers={"Prefer": "wait=60"})
        time.sleep(0.2)
        daemon.stop()
        reply = connection.getresponse()
        assert reply.status in (200, 503), reply.status
        connection.close()


def test_second_daemon_on_the_same_state_is_refused():
    with Daemon() as daemon:
        start = time.monotonic()
        second = run_program("--listen", "127.0.0.1:0", "--state-dir",
                             os.path.join(daemon.folder, "state"), "--table-dir",
                             os.path.join(daemon.folder, "tables2"))
        check_time("refusal of a second daemon", time.monotonic() - start, 2)
        assert second.returncode != 0 and "state" in second.stderr, second
        assert daemon.solve({"cycles": "c: (4) / e: (4)"})["result"]["length"] == 1


def test_two_daemons_share_tables():
    """Same tables, states of their own: the second attaches what the first filled."""
    with Daemon() as first:
        first.solve({"cycles": "c: (1+, 5+) / e: (1+, 1+)"})
        tables = first.sealed_tables()
        with Daemon(table_dir=os.path.join(first.folder, "tables")) as second:
            job = second.solve({"cycles": "c: (1+, 5+) / e: (1+, 1+)"})
            assert job["result"]["length"] == 11, job["result"]
            check_attached(second, tables)
        assert first.solve({"cycles": "c: (1+, 5+) / e: (1+, 1+)",
                            "fresh": True})["result"] == job["result"]


def test_damaged_tables_are_filled_again():
    with Folder() as folder:
        daemon = Daemon(folder)
        spec = {"cycles": "c: (1+, 5+) / e: (1+, 7+)", "find": "all", "fresh": True}
        first = daemon.solve(spec)["result"]
        daemon.stop()
        tables = os.path.join(folder, "tables")
        for name in os.listdir(tables):
            path = os.path.join(tables, name)
            size = os.path.getsize(path)
            if size > 4096:
                os.truncate(path, size // 2)
        with Daemon(folder) as again:
            assert again.solve(spec)["result"] == first


def test_jobs_are_refused_when_the_queue_is_full():
    with Daemon(max_running_jobs=1, max_queued_jobs=2) as daemon:
        daemon.wait_state(daemon.submit({"start": SUPERFLIP})["id"], "running")
        for i in range(2):
            daemon.submit({"start": scramble(i)})
        reply = daemon.post("/v1/jobs", {"start": scramble(2)})
        problem = expect_problem(reply, 503, "unavailable")
        assert int(reply.headers["Retry-After"]) > 0 and "queue" in problem["detail"], reply
        expect(daemon.get("/readyz"), 200)
