"""Event streams: order, ids, replay, the end, and two hundred readers of whom one reads nothing."""

import time

from system_daemon import (MEBIBYTE, SANITIZER, SUPERFLIP_JOB, Daemon, Shared, check_solution,
                           expect, expect_problem, say, wait_until)
from system_events import Stream, check_ids, read_many, replay

DAEMON = Shared(max_running_jobs=2)
KINDS = {"snapshot", "state", "plan", "table", "depth", "progress", "solution", "incumbent", "done"}
MANY_CLASSES = {"cycles": "c: (2, 2, 3) / e: (9)", "find": "all", "fresh": True,
                "slack": 1 if SANITIZER != "tsan" else 0}
CLIENTS = 200 if SANITIZER != "tsan" else 60


def test_stream_of_a_job_from_first_to_last():
    """retry, snapshot, then every event in order, and `done` as the last."""
    daemon = DAEMON()
    job = daemon.submit({"cycles": "c: (1+, 5+) / e: (1+, 1+)", "find": "all", "fresh": True})
    stream = Stream(daemon, job["id"])
    events = stream.all()
    head = stream.parser.headers
    assert stream.parser.status == 200
    assert head["content-type"].startswith("text/event-stream"), head
    assert "no-store" in head["cache-control"] and head["x-accel-buffering"] == "no", head
    assert stream.parser.first_line.startswith("retry:") and stream.parser.retry > 0
    assert events[0].kind == "snapshot" and events[0].json()["id"] == job["id"], events
    assert events[-1].kind == "done" and [e.kind for e in events].count("done") == 1, events
    assert {e.kind for e in events} <= KINDS, events
    check_ids(events[1:], events[0].id or 0)

    final = events[-1].json()
    assert final["state"] == "succeeded" and final["result"]["length"] == 11, final
    assert final == daemon.job(job["id"]), "done is not the final job"
    assert stream.parser.complete, "the stream did not end as HTTP asks"


def test_replay_holds_every_event_and_what_it_says_is_true():
    daemon = DAEMON()
    job = daemon.solve({"cycles": "c: (2, 2, 3) / e: (9)", "find": "all", "fresh": True})
    events = replay(daemon, job["id"])
    last = check_ids(events)
    kinds = [e.kind for e in events if e.kind != "progress"]
    assert kinds[0] == "state" and kinds[-1] == "done", kinds
    states = [e.json()["state"] for e in events if e.kind == "state"]
    assert states == ["queued", "running", "succeeded"], states

    solutions = [e.json() for e in events if e.kind == "solution"]
    assert len(solutions) == job["result"]["count"]["classes"], (len(solutions), job["result"])
    assert len({s["class"] for s in solutions}) == len(solutions), solutions
    for solution in solutions:
        check_solution(job["request"], job["target"], solution["moves"])
    depths = [e.json() for e in events if e.kind == "depth"]
    assert [d["depth"] for d in depths] == sorted({d["depth"] for d in depths}), depths
    assert all(d["lower_bound"] <= 7 for d in depths) and depths[-1]["depth"] == 7, depths
    assert depths[-1]["lower_bound"] == 7, depths
    plan = [e.json() for e in events if e.kind == "plan"][-1]
    assert {t["orbits"] for t in plan["tables"]} >= {"corners", "edges"}, plan

    # The same from the middle on, by header and by query; after the end there is nothing.
    middle = events[len(events) // 2]
    rest = [(e.id, e.kind, e.data) for e in events if e.id and e.id > middle.id]
    for stream in (Stream(daemon, job["id"], after=middle.id),
                   Stream(daemon, job["id"], query=f"?after={middle.id}")):
        assert [(e.id, e.kind, e.data) for e in stream.all()] == rest
    path = f"/v1/jobs/{job['id']}/events"
    assert expect(daemon.get(path, last_event_id=str(last)), 204).body == b""
    expect(daemon.get(f"{path}?after={last}"), 204)


def test_a_long_job_offers_incumbents():
    """Valid, falling, shown by the job, replayed, and told to a job that joins."""
    far = ("D2 B' L U B' U' R' L2 B' L' F2 R2 F2 R' F2 L2 F2 B2 D L2 D2 R2 D2 L' B2 L2 F2 D F D2 L "
           "F L2 B' L' D2 B L' F R2 D R D' F2 D' L F L2 B' U F2 R2 D2 B' U' R' F B' L' U2")
    asked = {"start": far, "limits": {"memory_mib": 8}}
    daemon = DAEMON()
    job = daemon.submit(asked)
    Stream(daemon, job["id"], timeout=240).until("incumbent")
    joined = daemon.submit(asked)
    Stream(daemon, joined["id"], timeout=60).until("incumbent")
    progress = daemon.job(job["id"])["progress"]
    check_solution(job["request"], job["target"], progress["incumbent"])
    assert len(progress["incumbent"].split()) == progress["upper_bound"], progress
    daemon.cancel(job["id"])
    daemon.cancel(joined["id"])
    final = daemon.wait_end(job["id"])
    daemon.wait_end(joined["id"])
    assert final["state"] == "cancelled" and final["result"]["length"] is None, final
    for job_id in (job["id"], joined["id"]):
        told = [e.json() for e in replay(daemon, job_id) if e.kind == "incumbent"]
        lengths = [i["length"] for i in told]
        assert lengths and lengths == sorted(set(lengths), reverse=True), lengths
        for incumbent in told:
            check_solution(job["request"], job["target"], incumbent["moves"])
            assert len(incumbent["moves"].split()) == incumbent["length"] >= 18, incumbent


def test_ids_that_mean_nothing_bring_a_snapshot():
    daemon = DAEMON()
    job = daemon.solve({"cycles": "c: (4) / e: (4)"})
    for after in ("999999999", "x", "-1", "18446744073709551616"):
        events = Stream(daemon, job["id"], after=after).all()
        assert [e.kind for e in events] == ["snapshot", "done"], (after, events)


def test_stream_of_a_cached_job():
    daemon = DAEMON()
    daemon.solve({"cycles": "c: (4) / e: (4)"})
    job = daemon.solve({"cycles": "c: (4) / e: (4)"})
    assert job["cached"], job
    events = replay(daemon, job["id"])
    assert [e.kind for e in events] == ["state", "done"], events
    assert events[-1].json() == job, events[-1].json()


def test_progress_of_a_long_job():
    """At most every 500 ms, without an id, and it grows; a comment when nothing happens is not
    needed as long as something does."""
    daemon = DAEMON()
    job = daemon.submit(SUPERFLIP_JOB)
    stream = Stream(daemon, job["id"])
    times, nodes = [], []
    while len(nodes) < 4 or nodes[0] == nodes[-1]:
        event = stream.until("progress")
        times.append(time.monotonic())
        nodes.append(event.json()["nodes"])
    assert nodes == sorted(nodes), nodes
    assert times[-1] - times[0] > 1.0, times
    daemon.cancel(job["id"])
    done = stream.until("done").json()
    assert done["state"] == "cancelled" and done["result"] is not None, done
    assert done["result"]["length"] is None and not done["result"]["optimal"], done
    stream.close()


def test_events_need_their_media_type_and_a_job():
    daemon = DAEMON()
    job = daemon.solve({"cycles": "c: (4) / e: (4)"})
    path = f"/v1/jobs/{job['id']}/events"
    expect_problem(daemon.get(path, accept="application/json"), 406, "not-acceptable")
    expect_problem(daemon.get("/v1/jobs/j_none/events"), 404, "not-found")


def test_delete_ends_the_streams():
    daemon = DAEMON()
    job = daemon.submit(SUPERFLIP_JOB)
    stream = Stream(daemon, job["id"])
    stream.until("snapshot")
    expect(daemon.request("DELETE", f"/v1/jobs/{job['id']}"), 204)
    assert stream.until("done").json()["state"] == "cancelled"
    assert not list(stream)
    expect_problem(daemon.get(f"/v1/jobs/{job['id']}"), 404, "not-found")


def test_row_200_clients_one_reads_nothing():
    """A job with hundreds of classes; all clients are there before it starts. 199 get every
    solution and the end; the one that sleeps costs nobody anything and can take up later."""
    with Daemon(max_running_jobs=1) as daemon:
        first = daemon.submit(SUPERFLIP_JOB)
        daemon.wait_state(first["id"], "running")
        job = daemon.submit(MANY_CLASSES)
        before = daemon.anonymous_bytes()
        streams = [Stream(daemon, job["id"]) for _ in range(CLIENTS - 1)]
        sleeper = Stream(daemon, job["id"], receive_buffer=2048)
        for stream in streams:
            stream.read_head()
        wait_until(lambda: daemon.metric("sse_clients") == CLIENTS, "all clients")

        start = time.monotonic()
        daemon.cancel(first["id"])
        read_many(streams, 60)
        say(f"{CLIENTS - 1} clients read to the end in {time.monotonic() - start:.2f} s")
        final = daemon.wait_end(job["id"])
        during = daemon.anonymous_bytes()
        classes = final["result"]["count"]["classes"]
        for stream in streams:
            events = stream.parser.events
            kinds = [e.kind for e in events]
            assert kinds.count("solution") == classes, (kinds.count("solution"), classes)
            assert kinds[-1] == "done" and stream.parser.complete, kinds[-3:]
            check_ids(events)
        for event in streams[0].parser.events:
            if event.kind == "solution":
                check_solution(final["request"], final["target"], event.json()["moves"])
        say(f"{classes} solutions each, {len(streams[0].parser.events)} events; "
            f"private memory grew by {(during - before) / MEBIBYTE:.1f} MiB")
        if SANITIZER is None:
            assert during - before < 64 * MEBIBYTE

        # The sleeper wakes: it gets the rest, or resumes where it was cut.
        read_many([sleeper], 60)
        kinds = [e.kind for e in sleeper.parser.events]
        if kinds[-1:] != ["done"]:
            last = max((e.id or 0 for e in sleeper.parser.events), default=0)
            kinds += [e.kind for e in Stream(daemon, job["id"], after=last).all()]
        assert kinds.count("solution") == classes and kinds[-1] == "done", kinds[-3:]
        wait_until(lambda: daemon.metric("sse_clients") == 0, "no client is left")
        assert daemon.metric("events_lost_total") == 0
