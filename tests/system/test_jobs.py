"""Several jobs at once, cancel, pause, limits and bounds."""

import time

from system_daemon import (SANITIZER, SLOWNESS, SUPERFLIP, SUPERFLIP_JOB, Daemon, Shared,
                           check_time, expect, say, wait_until)
from system_events import replay

DAEMON = Shared(max_running_jobs=4)
SHORT_JOB = {"cycles": "c: (1+, 5+) / e: (1+, 7+)"}


def nodes_of(daemon, job_id):
    return daemon.job(job_id)["progress"]["nodes"]


def run_long(daemon, spec=None):
    """A job that runs and has visited nodes."""
    job = daemon.submit(spec or SUPERFLIP_JOB)
    daemon.wait_state(job["id"], "running")
    wait_until(lambda: nodes_of(daemon, job["id"]) > 0, "nodes")
    return job["id"]


def assert_at_rest(daemon):
    """No thread is busy, and none takes time."""
    wait_until(lambda: daemon.metric("threads_busy") == 0, "idle threads", 5)
    before = daemon.cpu_seconds()
    time.sleep(1)
    used = daemon.cpu_seconds() - before
    assert used < 0.1 * (10 if SANITIZER else 1), f"{used} s of processor time in 1 s of rest"


def test_row_superflip_and_the_5_move_job():
    """The second ends within 1 s while the first goes on; cancelled, it leaves nothing busy."""
    with Daemon() as daemon:
        first = run_long(daemon)
        start = time.monotonic()
        second = daemon.solve(SHORT_JOB)
        check_time("the 5-move job beside the superflip", time.monotonic() - start, 1)
        assert second["result"]["length"] == 5 and second["result"]["optimal"], second["result"]

        before = daemon.job(first)
        assert before["state"] == "running", before
        wait_until(lambda: nodes_of(daemon, first) > before["progress"]["nodes"],
                   "the first to go on")

        start = time.monotonic()
        cancelled = daemon.cancel(first)
        check_time("cancel", time.monotonic() - start, 0.1)
        assert cancelled["state"] == "cancelled" and cancelled["ended"], cancelled
        assert_at_rest(daemon)


def test_cancel_is_idempotent_and_keeps_what_was_proven():
    daemon = DAEMON()
    job_id = run_long(daemon)
    wait_until(lambda: daemon.job(job_id)["progress"]["lower_bound"] >= 5, "a proven bound")
    first = daemon.cancel(job_id)
    assert first["result"]["lower_bound"] >= 5 and first["result"]["length"] is None, first
    assert daemon.cancel(job_id) == first
    done = daemon.solve(SHORT_JOB)
    assert daemon.cancel(done["id"]) == done
    events = replay(daemon, job_id)
    assert [e.json()["state"] for e in events if e.kind == "state"][-1] == "cancelled", events
    assert [e.kind for e in events].count("done") == 1, events


def test_cancel_while_a_table_is_filled():
    """The first job of a daemon is cancelled in its first moments, again and again."""
    with Daemon() as daemon:
        for delay in (0, 0.02, 0.1, 0.3):
            job = daemon.submit({"cycles": "e: (1+) x12", "fresh": True})
            time.sleep(delay)
            start = time.monotonic()
            assert daemon.cancel(job["id"])["state"] == "cancelled"
            seconds = time.monotonic() - start
            say(f"cancel {delay * 1000:.0f} ms after the POST: {seconds * 1000:.0f} ms")
            assert seconds < 1 * SLOWNESS, "a cancel waits for what it should interrupt"
        assert_at_rest(daemon)
        assert daemon.solve(SHORT_JOB)["result"]["length"] == 5


def test_cancel_of_a_queued_job():
    with Daemon(max_running_jobs=1) as daemon:
        first = run_long(daemon)
        queued = [daemon.submit({**SHORT_JOB, "fresh": True}) for _ in range(3)]
        positions = [daemon.job(q["id"])["progress"]["queue_position"] for q in queued]
        assert positions == sorted(positions) and None not in positions, positions
        assert daemon.cancel(queued[1]["id"])["state"] == "cancelled"
        daemon.cancel(first)
        states = [daemon.wait_end(q["id"])["state"] for q in queued]
        assert states == ["succeeded", "cancelled", "succeeded"], states


def test_priority_decides_the_order():
    with Daemon(max_running_jobs=1) as daemon:
        first = run_long(daemon)
        ids = [daemon.submit({**SHORT_JOB, "fresh": True, "priority": p})["id"]
               for p in (0, 5, 9, 5)]
        daemon.cancel(first)
        started = [daemon.wait_end(i)["started"] for i in ids]
        order = sorted(range(4), key=lambda i: started[i])
        assert order == [2, 1, 3, 0], (order, started)


def test_pause_and_resume():
    daemon = DAEMON()
    job_id = run_long(daemon)
    start = time.monotonic()
    paused = expect(daemon.post(f"/v1/jobs/{job_id}/pause"), 200).json()
    say(f"paused after {time.monotonic() - start:.3f} s")
    assert paused["state"] == "paused", paused
    assert_at_rest(daemon)
    nodes = nodes_of(daemon, job_id)
    assert expect(daemon.post(f"/v1/jobs/{job_id}/pause"), 200).json()["state"] == "paused"
    assert daemon.solve(SHORT_JOB)["state"] == "succeeded"
    resumed = expect(daemon.post(f"/v1/jobs/{job_id}/resume"), 200).json()
    assert resumed["state"] in ("queued", "running"), resumed
    daemon.wait_state(job_id, "running")
    wait_until(lambda: nodes_of(daemon, job_id) > nodes, "more nodes after the pause")
    assert daemon.cancel(job_id)["state"] == "cancelled"
    assert expect(daemon.post(f"/v1/jobs/{job_id}/resume"), 200).json()["state"] == "cancelled"


def test_pause_of_a_queued_job_and_cancel_of_a_paused_one():
    with Daemon(max_running_jobs=1) as daemon:
        first = run_long(daemon)
        queued = daemon.submit({**SHORT_JOB, "fresh": True})["id"]
        assert daemon.post(f"/v1/jobs/{queued}/pause").json()["state"] == "paused"
        daemon.cancel(first)
        time.sleep(0.3)
        assert daemon.job(queued)["state"] == "paused"
        daemon.post(f"/v1/jobs/{queued}/resume")
        assert daemon.wait_end(queued)["result"]["length"] == 5
        again = run_long(daemon)
        assert daemon.post(f"/v1/jobs/{again}/pause").json()["state"] == "paused"
        assert daemon.cancel(again)["state"] == "cancelled"
        assert_at_rest(daemon)


# ---- equal jobs ----------------------------------------------------------------------------


def test_equal_running_jobs_are_joined():
    daemon = DAEMON()
    first = run_long(daemon)
    second = daemon.submit({"cycles": {"edges": [[1, True]] * 12}, "label": "the same"})["id"]
    joined = wait_until(lambda: daemon.job(second) if "shared_with" in daemon.job(second) else None,
                        "the second to be joined")
    assert joined["shared_with"] == first and joined["state"] == "running", joined
    fresh = daemon.submit({**SUPERFLIP_JOB, "fresh": True})["id"]
    assert "shared_with" not in daemon.wait_state(fresh, "running")
    # One leaves, the other goes on.
    assert daemon.cancel(first)["state"] == "cancelled"
    nodes = nodes_of(daemon, second)
    assert daemon.job(second)["state"] == "running"
    wait_until(lambda: nodes_of(daemon, second) > nodes, "the joined job to go on")
    for job_id in (second, fresh):
        daemon.cancel(job_id)
    assert_at_rest(daemon)


def test_joined_jobs_end_alike():
    """Ten equal jobs of half a second: one search, ten ends, the same result."""
    daemon = DAEMON()
    spec = {"cycles": "c: (1+, 3+) / e: (1+, 1+)", "find": "all"}
    ids = [daemon.submit(spec)["id"] for _ in range(10)]
    jobs = [daemon.wait_end(i) for i in ids]
    assert all(j["state"] == "succeeded" and j["result"] == jobs[0]["result"] for j in jobs), jobs
    assert jobs[0]["result"]["count"]["sequences"] == 1056, jobs[0]["result"]
    assert all(j["cached"] or "shared_with" in j for j in jobs[1:]), jobs
    for job_id in ids:
        kinds = [e.kind for e in replay(daemon, job_id)]
        assert kinds.count("done") == 1 and kinds[-1] == "done", kinds


# ---- limits and bounds ---------------------------------------------------------------------


def test_limit_of_seconds():
    daemon = DAEMON()
    start = time.monotonic()
    job = daemon.solve({**SUPERFLIP_JOB, "limits": {"seconds": 0.7}})
    say(f"limit of 0.7 s: {time.monotonic() - start:.2f} s")
    result = job["result"]
    assert result["limit_hit"] == "seconds" and result["length"] is None, result
    assert result["lower_bound"] >= 1 and not result["optimal"] and result["best"] is None, result
    assert 0.6 <= job["progress"]["elapsed_seconds"] <= 3 * 0.7 * SLOWNESS, job
    # Not reused for somebody who waits longer.
    again = daemon.solve({**SUPERFLIP_JOB, "limits": {"seconds": 0.2}})
    assert not again["cached"], again


def test_limit_of_nodes():
    daemon = DAEMON()
    limit = 300_000
    job = daemon.solve({**SUPERFLIP_JOB, "limits": {"nodes": limit}})
    assert job["result"]["limit_hit"] == "nodes", job["result"]
    assert limit <= job["progress"]["nodes"] <= 4 * limit, job["progress"]


def test_limit_of_memory_for_solutions():
    """It ends the job with what was found; that is no answer to an equal request."""
    with Daemon(solution_mib=0.0625) as daemon:
        spec = {"cycles": "e: (11)", "find": "all"}
        for _ in range(2):
            job = daemon.solve(spec)
            result = job["result"]
            assert result["limit_hit"] == "memory" and result["length"] == 10, result
            assert result["count"] is None and job["solutions"] and not job["cached"], job
        assert daemon.metric('searches_total{limit="memory"}') == 2


def test_limit_of_solutions_keeps_the_counts_exact():
    daemon = DAEMON()
    spec = {"cycles": "c: (2, 2, 3) / e: (9)", "find": "all", "fresh": True}
    job = daemon.solve({**spec, "limits": {"solutions": 50}})
    assert job["result"]["count"]["sequences"] == 6048, job["result"]
    assert job["result"]["limit_hit"] is None, job["result"]
    few = daemon.solutions(job["id"])
    every = daemon.solutions(daemon.solve(spec)["id"])
    assert len(few) == 50 and len(every) == 6048, (len(few), len(every))
    assert [s["moves"] for s in few] == [s["moves"] for s in every[:50]]


def test_max_length_without_a_solution():
    daemon = DAEMON()
    for bound in (0, 1, 4):
        result = daemon.solve({**SHORT_JOB, "max_length": bound})["result"]
        assert result["length"] is None and result["lower_bound"] == bound + 1, result
        assert result["limit_hit"] is None and result["best"] is None, result
        assert not result["optimal"], result
    every = daemon.solve({**SHORT_JOB, "max_length": 4, "find": "all"})["result"]
    assert every["count"]["sequences"] == 0 and every["length"] is None, every
    assert daemon.solve({**SHORT_JOB, "max_length": 5})["result"]["length"] == 5


def test_min_length():
    """The shortest that is at least so long; not optimal, since shorter ones were not looked at."""
    daemon = DAEMON()
    quarter = {"cycles": "c: (4) / e: (4)"}
    for bound in (0, 1):
        result = daemon.solve({**quarter, "min_length": bound})["result"]
        assert result["length"] == 1 and result["optimal"], result
    result = daemon.solve({**quarter, "min_length": 2})["result"]
    assert result["length"] == 3 and not result["optimal"], result
    result = daemon.solve({**SHORT_JOB, "min_length": 5, "find": "all"})["result"]
    assert result["length"] == 5 and result["count"]["sequences"] == 480, result
    result = daemon.solve({"start": SUPERFLIP, "min_length": 3, "max_length": 4})["result"]
    assert result["length"] is None and not result["optimal"], result


def test_slack():
    """Optimal ones and longer ones, counted by length; `length` is the optimum."""
    job = DAEMON().solve({"cycles": "c: (4) / e: (4)", "find": "all", "slack": 2})
    result = job["result"]
    assert result["length"] == 1 and result["optimal"], result
    assert result["by_length"]["1"]["sequences"] == 12, result
    assert "3" in result["by_length"] and result["by_length"]["3"]["sequences"] > 0, result
    total = sum(count["sequences"] for count in result["by_length"].values())
    assert result["count"]["sequences"] == total, result
    words = DAEMON().solutions(job["id"])
    assert len(words) == min(total, 10000), (len(words), total)


def test_many_jobs_at_once():
    """Forty different short jobs submitted in one go all end as they do alone."""
    daemon = DAEMON()
    scrambles = [f"{a} {b} {c}" for a in ("R", "U2") for b in ("F", "B'", "B2", "F'")
                 for c in ("L", "R2", "U'", "L'", "L2")]
    ids = [daemon.submit({"start": s, "fresh": True})["id"] for s in scrambles]
    for scramble, job_id in zip(scrambles, ids):
        assert daemon.wait_end(job_id)["result"]["length"] == 3, scramble
    assert len(ids) == 40
