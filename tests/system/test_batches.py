"""Batches: all or nothing, one stream of all jobs, replay, restarts, turns in line, cancel, delete."""

import random
import threading

import system_cube
from system_daemon import (SANITIZER, SLOWNESS, SUPERFLIP, Daemon, Shared, expect, expect_problem,
                           say, wait_until)
from system_events import Stream, check_ids, replay

DAEMON = Shared(max_batch_jobs=40)
SEED = 20241130
ENDLESS = {"start": SUPERFLIP, "fresh": True}


def submit(daemon, body, status=202, **headers):
    return expect(daemon.post("/v1/batches", body, **headers), status).json()


def batch_of(daemon, batch_id):
    return daemon.get_json(f"/v1/batches/{batch_id}")


def jobs_of(daemon, batch_id, query=""):
    """All jobs, page by page."""
    jobs, token = [], ""
    while True:
        page = daemon.get_json(f"/v1/batches/{batch_id}/jobs?page_token={token}{query}")
        jobs += page["jobs"]
        token = page["next_page_token"]
        if not token:
            return jobs


def wait_ended(daemon, batch_id, timeout=60):
    path = f"/v1/batches/{batch_id}"
    return wait_until(lambda: (b := expect(daemon.get(path, prefer="wait=5"), 200).json())
                      ["state"] == "ended" and b, f"{batch_id} to end", timeout)


def cancel(daemon, batch_id):
    return expect(daemon.post(f"/v1/batches/{batch_id}/cancel"), 200).json()


def scrambles(n, longest=6):
    """Words of 0 to `longest` moves, every fourth as facelets, with their states."""
    generator = random.Random(SEED)
    for i in range(n):
        word = " ".join(generator.choice(list(system_cube.MOVES)) for _ in range(i % (longest + 1)))
        state = system_cube.apply(word)
        yield (system_cube.facelets(state) if i % 4 == 3 else word), state


def check_stream(daemon, batch_id, events, after=0):
    """One sequence of ids; the last is `end`; of every job what its own stream tells, in its
    order."""
    events = [e for e in events if e.kind != "snapshot"]
    check_ids(events, after)
    assert events[-1].kind == "end" and [e.kind for e in events].count("end") == 1, events[-3:]
    assert events[-1].json() == batch_of(daemon, batch_id), events[-1]
    return events[:-1]


def check_same_as_own_streams(daemon, batch_id, events):
    jobs = jobs_of(daemon, batch_id)
    assert {e.json()["job"] for e in events} == {job["id"] for job in jobs}
    for job in jobs:
        mine = [e.json() for e in events if e.json()["job"] == job["id"]]
        own = [{"job": job["id"], "index": job["batch"]["index"], **e.json()}
               for e in replay(daemon, job["id"])]
        assert mine == own, (mine, own)


def test_row_12_scrambles():
    """Every length is that of brute force; one stream sees every solution and every end."""
    daemon = DAEMON()
    distances = system_cube.Distances(3)
    starts = list(scrambles(12))
    batch = submit(daemon, {"name": "twelve", "scrambles": [s for s, _ in starts],
                            "defaults": {"fresh": True, "label": "of twelve"}})
    assert batch["total"] == 12 and batch["name"] == "twelve", batch
    events = Stream(daemon, batch["id"], timeout=60).all()
    assert events[0].kind == "snapshot" and events[0].id is None, events[0]
    assert events[0].json()["id"] == batch["id"]
    events = check_stream(daemon, batch["id"], events)
    check_same_as_own_streams(daemon, batch["id"], events)

    batch = batch_of(daemon, batch["id"])
    assert batch["state"] == "ended" and batch["counts"]["succeeded"] == 12, batch
    jobs = jobs_of(daemon, batch["id"])
    assert [job["batch"] for job in jobs] == [{"id": batch["id"], "index": i} for i in range(12)]
    for job, (_, state) in zip(jobs, starts):
        assert job["label"] == "of twelve", job
        assert job["result"]["length"] == distances.of(state, 6), job
        assert system_cube.apply(job["result"]["best"], state) == system_cube.SOLVED, job
        told = [e.json() for e in events if e.kind == "solution" and e.json()["job"] == job["id"]]
        assert [s["moves"] for s in told] == [job["result"]["best"]], (told, job)
    done = [e.json() for e in events if e.kind == "done"]
    assert sorted(d["index"] for d in done) == list(range(12)), done
    assert all(d["state"] == "succeeded" and d["id"] == d["job"] for d in done), done


def test_specs_with_defaults():
    """Specs of all kinds, in their order; the reply waits if asked to."""
    daemon = DAEMON()
    specs = [{"cycles": "c: (4) / e: (4)"}, {"order": 4, "find": "one"},
             {"start": "R U", "moves": ["R", "U"]}, {"like": "U R"}]
    reply = expect(daemon.post("/v1/batches", {"jobs": specs, "defaults": {"find": "all"}},
                               prefer="wait=60"), 200)
    assert reply.headers["Preference-Applied"] == "wait=60", repr(reply)
    batch = reply.json()
    assert batch["state"] == "ended" and batch["counts"]["succeeded"] == 4, batch
    assert reply.headers["ETag"] and not reply.headers["Location"], repr(reply)
    jobs = jobs_of(daemon, batch["id"])
    assert [job["request"]["find"] for job in jobs] == ["all", "one", "all", "all"], jobs
    assert [job["result"]["length"] for job in jobs] == [1, 1, 2, 2], jobs
    assert [job["result"]["best"] is None for job in jobs] == [False] * 4


def test_replay_from_an_id():
    daemon = DAEMON()
    batch = submit(daemon, {"scrambles": [s for s, _ in scrambles(6)]}, prefer="wait=60",
                   status=200)
    path = f"/v1/batches/{batch['id']}/events"
    events = replay(daemon, batch["id"])
    check_stream(daemon, batch["id"], events)
    whole = [(e.id, e.kind, e.data) for e in events]
    assert events[0].id == 1 and batch["last_event_id"] == events[-2].id, (batch, events)
    for middle in (events[0], events[len(events) // 2], events[-2]):
        rest = [e for e in whole if e[0] > middle.id]
        for stream in (Stream(daemon, batch["id"], after=middle.id),
                       Stream(daemon, batch["id"], query=f"?after={middle.id}")):
            assert [(e.id, e.kind, e.data) for e in stream.all()] == rest
    assert expect(daemon.get(path, last_event_id=str(events[-1].id)), 204).body == b""
    for nonsense in ("999999999", "x"):
        all_ = Stream(daemon, batch["id"], after=nonsense).all()
        assert all_[0].kind == "snapshot"
        assert [(e.id, e.kind, e.data) for e in all_[1:]] == whole


def test_many_events_are_read_page_by_page():
    """A stream that is read while many pages are written misses nothing and tells nothing twice."""
    daemon = DAEMON()
    n = 40 if SANITIZER is None else 15
    batch = submit(daemon, {"scrambles": [s for s, _ in scrambles(n)],
                            "defaults": {"fresh": True}})
    streams = [Stream(daemon, batch["id"], timeout=60) for _ in range(3)]
    kept = [[(e.id, e.kind, e.data) for e in stream.all()[1:]] for stream in streams]
    assert kept[0] == kept[1] == kept[2]
    events = check_stream(daemon, batch["id"], replay(daemon, batch["id"]))
    assert [(e.id, e.kind, e.data) for e in events] == kept[0][:-1]
    assert [e.id for e in events] == list(range(1, len(events) + 1))
    say(f"{len(events)} events of {n} jobs")


def test_kill_9_in_the_middle():
    """After a restart the batch goes on under its id and ids; each job ends once."""
    from test_restarts import Folder  # pylint: disable=import-outside-toplevel
    with Folder() as folder:
        daemon = Daemon(folder, max_running_jobs=1)
        specs = [{"start": start} for start in ("R", "U F", "L2 D B", "F' L", "D U2 R")]
        specs.insert(3, {"start": SUPERFLIP, "limits": {"seconds": 2 * SLOWNESS}})
        batch = submit(daemon, {"jobs": specs, "name": "goes on"}, idempotency_key="k")
        stream = Stream(daemon, batch["id"])
        while stream.until("depth").json()["index"] != 3:
            pass
        stream.close()
        seen = [e for e in stream.parser.events if e.id is not None]
        before = [e.json()["index"] for e in seen if e.kind == "done"]
        assert sorted(before) == [0, 1, 2], before
        daemon.kill()
        with Daemon(folder, max_running_jobs=1) as again:
            last = seen[-1].id
            later = Stream(again, batch["id"], after=last, timeout=60).all()
            check_stream(again, batch["id"], later, last)
            assert all(e.kind != "snapshot" for e in later), later
            done = [e.json()["index"] for e in [*seen, *later] if e.kind == "done"]
            assert sorted(done) == list(range(6)), done
            told = [(e.id, e.kind, e.data) for e in [*seen, *later]]
            assert told == [(e.id, e.kind, e.data) for e in replay(again, batch["id"])]
            ended = batch_of(again, batch["id"])
            assert ended["name"] == "goes on" and ended["counts"]["succeeded"] == 6, ended
            jobs = jobs_of(again, batch["id"])
            assert jobs[3]["result"]["limit_hit"] == "seconds", jobs[3]
            assert submit(again, {"jobs": specs, "name": "goes on"}, idempotency_key="k") == ended


def test_sigterm_tells_the_readers():
    from test_restarts import Folder  # pylint: disable=import-outside-toplevel
    with Folder() as folder:
        daemon = Daemon(folder)
        batch = submit(daemon, {"jobs": [ENDLESS] * 3})
        stream = Stream(daemon, batch["id"])
        stream.until("plan")
        daemon.stop()
        events = stream.all()
        assert events[-1].kind == "draining" and "end" not in [e.kind for e in events], events[-3:]
        with Daemon(folder) as again:
            assert batch_of(again, batch["id"])["counts"]["cancelled"] == 0
            assert cancel(again, batch["id"])["counts"]["cancelled"] == 3


def test_cancel():
    daemon = DAEMON()
    batch = submit(daemon, {"jobs": [{"start": "R U F"}, *[ENDLESS] * 12]})
    stream = Stream(daemon, batch["id"])
    stream.until("done")
    ended = cancel(daemon, batch["id"])
    assert ended["state"] == "ended" and ended["ended"], ended
    assert ended["counts"]["cancelled"] == 12 and ended["counts"]["succeeded"] == 1, ended
    events = list(stream)
    assert events[-1].kind == "end" and events[-1].json() == ended, events[-1]
    states = [e.json()["state"] for e in events if e.kind == "done"]
    assert states == ["cancelled"] * 12, states
    assert cancel(daemon, batch["id"]) == ended
    assert [j["batch"]["index"] for j in jobs_of(daemon, batch["id"], "&state=succeeded")] == [0]


def test_delete():
    daemon = DAEMON()
    body = {"jobs": [ENDLESS] * 3}
    batch = submit(daemon, body, idempotency_key="gone")
    stream = Stream(daemon, batch["id"])
    stream.until("plan")
    jobs = jobs_of(daemon, batch["id"])
    path = f"/v1/batches/{batch['id']}"
    assert expect(daemon.request("DELETE", path), 204).body == b""
    events = list(stream)
    assert events[-1].kind == "end", events[-3:]
    for gone in (path, f"{path}/jobs", f"{path}/events", *(j["links"]["self"] for j in jobs)):
        expect_problem(daemon.get(gone), 404, "not-found")
    expect_problem(daemon.request("DELETE", path), 404, "not-found")
    again = submit(daemon, body, idempotency_key="gone")
    assert again["id"] != batch["id"]
    cancel(daemon, again["id"])


def test_jobs_can_be_steered_one_by_one():
    daemon = DAEMON()
    batch = submit(daemon, {"jobs": [ENDLESS, ENDLESS, {"start": "R"}]})
    first, second, third = jobs_of(daemon, batch["id"])
    daemon.wait_end(third["id"])
    daemon.cancel(first["id"])
    counts = batch_of(daemon, batch["id"])["counts"]
    assert counts["cancelled"] == 1 and counts["succeeded"] == 1, counts
    expect(daemon.request("DELETE", f"/v1/jobs/{second['id']}"), 204)
    ended = wait_ended(daemon, batch["id"])
    assert ended["total"] == 3 and sum(ended["counts"].values()) == 2, ended
    assert [j["id"] for j in jobs_of(daemon, batch["id"])] == [first["id"], third["id"]]
    check_stream(daemon, batch["id"], replay(daemon, batch["id"]))


def test_one_bad_spec_refuses_all():
    daemon = DAEMON()
    before = daemon.get_json("/v1/jobs?page_size=1")["jobs"]
    specs = [{"start": "R U"}] * 20
    for index, spec, pointer in ((17, {"cycles": "c: (2"}, "/jobs/17/cycles"),
                                 (3, {"start": "R U", "fnd": "all"}, "/jobs/3/fnd"),
                                 (0, 5, "/jobs/0"),
                                 (19, {"start": "R", "tables": {"edges": {"kind": "exact"}}},
                                  "/jobs/19/tables/edges")):
        body = {"jobs": [*specs[:index], spec, *specs[index + 1:]]}
        problem = expect_problem(daemon.post("/v1/batches", body), 422, "invalid-request", pointer)
        assert len(problem["errors"]) == 1, problem
    problem = expect_problem(daemon.post("/v1/batches", {"scrambles": ["R", "U Q", "F F' X"],
                                                         "defaults": {"limit": 1}}),
                             422, "invalid-request", "/scrambles/1")
    assert [e["pointer"] for e in problem["errors"]] == ["/defaults/limit", "/scrambles/1",
                                                         "/scrambles/2"], problem
    expect_problem(daemon.post("/v1/batches", {"jobs": [{"cycles": "c: (2)"}]}), 422,
                   "infeasible-target", "/jobs/0/cycles")
    expect_problem(daemon.post("/v1/batches", "{"), 400, "malformed-json")
    assert daemon.get_json("/v1/jobs?page_size=1")["jobs"] == before


def test_limits():
    with Daemon(max_batch_jobs=4, max_queued_jobs=5, max_running_jobs=1,
                max_body_bytes=4096) as daemon:
        expect_problem(daemon.post("/v1/batches", {"scrambles": ["R"] * 5}), 422,
                       "invalid-request", "/scrambles")
        expect_problem(daemon.post("/v1/batches", {"scrambles": ["R " * 3000]}), 413,
                       "payload-too-large")
        daemon.wait_state(daemon.submit(ENDLESS)["id"], "running")
        submit(daemon, {"scrambles": ["R", "U"]})
        reply = daemon.post("/v1/batches", {"scrambles": ["F", "B", "L", "D"]})
        problem = expect_problem(reply, 503, "unavailable")
        assert int(reply.headers["Retry-After"]) > 0 and "queue" in problem["detail"], reply
        submit(daemon, {"scrambles": ["F", "B", "L"]})
        assert daemon.metric('jobs{state="queued"}') == 5


def test_unknown_and_unaccepted():
    daemon = DAEMON()
    batch = submit(daemon, {"scrambles": ["R"]}, prefer="wait=60", status=200)
    path = f"/v1/batches/{batch['id']}"
    for tail in ("", "/jobs", "/events"):
        expect_problem(daemon.get(f"/v1/batches/b_none{tail}"), 404, "not-found")
    expect_problem(daemon.post("/v1/batches/b_none/cancel"), 404, "not-found")
    expect_problem(daemon.get(f"{path}/events", accept="application/json"), 406, "not-acceptable")
    assert "POST" in expect(daemon.request("DELETE", "/v1/batches"), 405).headers["Allow"]
    expect_problem(daemon.get(f"{path}/jobs?page_token=x"), 422, "invalid-request", "/page_token")
    assert expect(daemon.request("HEAD", f"{path}/events"), 200).body == b""


def test_idempotency_key():
    daemon = DAEMON()
    body = {"scrambles": ["R U2", "F"]}
    first = submit(daemon, body, idempotency_key="batch")
    assert submit(daemon, body, idempotency_key="batch")["id"] == first["id"]
    expect_problem(daemon.post("/v1/batches", {"scrambles": ["R"]}, idempotency_key="batch"), 422,
                   "idempotency-mismatch")
    expect_problem(daemon.post("/v1/jobs", {"start": "R"}, idempotency_key="batch"), 422,
                   "idempotency-mismatch")
    assert submit(daemon, body)["id"] != first["id"]


def test_a_key_whose_batch_is_still_being_accepted():
    """Orders take long to be understood: meanwhile the key is refused, and others are answered."""
    daemon = DAEMON()
    body = {"jobs": [{"order": 4 + i % 2, "max_length": 0} for i in range(12)]}
    replies = []

    def insist():
        while True:
            reply = daemon.post("/v1/batches", body, idempotency_key="slow")
            replies.append(reply)
            if reply.status != 409:
                return

    clients = [threading.Thread(target=insist) for _ in range(2)]
    for client in clients:
        client.start()
    while any(client.is_alive() for client in clients):
        expect(daemon.get("/livez"), 200)
    accepted = [expect(r, 202).json() for r in replies if r.status != 409]
    for reply in replies:
        if reply.status == 409:
            expect_problem(reply, 409, "conflict")
    assert len(accepted) == 2 and accepted[0]["id"] == accepted[1]["id"], replies
    assert wait_ended(daemon, accepted[0]["id"])["counts"]["succeeded"] == 12
    say(f"{len(replies) - 2} refusals while it was being accepted")


def test_known_and_equal_requests():
    """As for single jobs: what is known is answered at once, what is equal shares its search."""
    daemon = DAEMON()
    known = daemon.solve({"start": "R U F L2"})
    batch = submit(daemon, {"scrambles": ["R U F L2", *[SUPERFLIP] * 6],
                            "defaults": {"limits": {"seconds": SLOWNESS}}}, prefer="wait=60",
                   status=200)
    jobs = jobs_of(daemon, batch["id"])
    assert jobs[0]["cached"] and jobs[0]["result"] == known["result"], jobs[0]
    assert [job.get("shared_with") for job in jobs[1:]] == [None, *[jobs[1]["id"]] * 5], jobs
    assert len({str(job["result"]) for job in jobs[1:]}) == 1, jobs
    daemon.solve({"start": "U2 L B' R D"})
    whole = submit(daemon, {"scrambles": ["R U F L2", "U2 L B' R D"]})
    assert whole["state"] == "ended" and whole["counts"]["succeeded"] == 2, whole
    assert [e.kind for e in replay(daemon, whole["id"])] == ["state", "done"] * 2 + ["end"]


def test_documents_and_lists():
    with Daemon() as daemon:
        reply = expect(daemon.post("/v1/batches", {"jobs": [{"start": "R"}] * 3}), 202)
        batch = reply.json()
        assert reply.headers["Location"] == batch["links"]["self"], repr(reply)
        wait_ended(daemon, batch["id"])
        reply = expect(daemon.get(batch["links"]["self"]), 200)
        expect(daemon.get(batch["links"]["self"], if_none_match=reply.headers["ETag"]), 304)
        assert int(daemon.metric("jobs_accepted_total") + daemon.metric("jobs_answered_total")) == 3
        other = submit(daemon, {"scrambles": ["U"]}, prefer="wait=60", status=200)
        page = daemon.get_json("/v1/batches?page_size=1")
        assert page["batches"] == [other] and page["next_page_token"], page
        page = daemon.get_json(f"/v1/batches?page_token={page['next_page_token']}")
        assert page == {"batches": [reply.json()], "next_page_token": ""}, page
        jobs = jobs_of(daemon, batch["id"], "&page_size=2")
        assert [j["batch"]["index"] for j in jobs] == [0, 1, 2], jobs
        token = daemon.get_json(f"{batch['links']['jobs']}?page_size=2")["next_page_token"]
        expect_problem(daemon.get(f"{other['links']['jobs']}?page_token={token}"), 422,
                       "invalid-request", "/page_token")


def test_a_single_job_does_not_wait_for_a_batch():
    """It stands behind one job of the batch, though that came before with fifty."""
    with Daemon(max_running_jobs=1) as daemon:
        slow = {**ENDLESS, "limits": {"seconds": 0.2}}
        batch = submit(daemon, {"jobs": [slow] * 50})
        single = daemon.submit({"start": "R U F"})
        assert (single["progress"]["queue_position"] or 0) <= 1, single
        daemon.wait_end(single["id"])
        counts = batch_of(daemon, batch["id"])["counts"]
        assert counts["queued"] >= 25, counts
        cancel(daemon, batch["id"])


def test_batches_do_not_take_all_places():
    """While endless jobs of batches run, a single one and then another still find a place."""
    with Daemon(max_running_jobs=4) as daemon:
        batches = [submit(daemon, {"jobs": [ENDLESS] * 6}) for _ in range(2)]
        wait_until(lambda: daemon.metric('jobs{state="running"}') == 3, "three of the batches")
        for start in ("R U F", "U2 R D"):
            assert daemon.solve({"start": start})["result"]["length"] == 3
        running = [batch_of(daemon, b["id"])["counts"]["running"] for b in batches]
        assert sum(running) == 3, running
        for batch in batches:
            assert cancel(daemon, batch["id"])["counts"]["cancelled"] == 6
