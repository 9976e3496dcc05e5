"""How much one principal may ask for: requests, jobs, and the cost of each job."""

import re
import time

from system_daemon import SUPERFLIP_JOB, Daemon, expect, expect_problem, wait_until
from system_tokens import Guarded

QUARTER = {"cycles": "c: (4) / e: (4)"}


def fields(reply):
    """{name: {parameter: number}} of RateLimit-Policy and RateLimit together."""
    found = {}
    for field in ("RateLimit-Policy", "RateLimit"):
        for item in reply.headers[field].split(", "):
            name, *parameters = item.split(";")
            assert re.fullmatch(r'"[a-z]+"', name), reply
            found.setdefault(name.strip('"'), {}).update(
                {p.split("=")[0]: int(p.split("=")[1]) for p in parameters})
    return found


def test_requests_of_a_principal():
    """A bucket each, which for alice gets a request in five seconds; health is free."""
    with Guarded({"alice": ("--limits", "requests=2"), "bob": ()}) as guarded:
        daemon = guarded.daemon
        for left in (1, 0):
            state = fields(expect(guarded.get("/v1/jobs", "alice"), 200))["requests"]
            assert (state["q"], state["w"], state["r"]) == (2, 10, left), state
            assert 0 < state["t"] <= 5 * (2 - left), state
        reply = guarded.get("/v1/jobs", "alice")
        problem = expect_problem(reply, 429, "too-many-requests")
        assert "token alice" in problem["detail"] and "max-requests-each" in problem["detail"]
        assert 1 <= int(reply.headers["Retry-After"]) <= 5, reply
        assert fields(reply)["requests"]["r"] == 0, reply
        for path in ("/nothing", "/v1/puzzles"):
            expect_problem(guarded.get(path, "alice"), 429, "too-many-requests")
        for path in ("/livez", "/readyz", "/metrics", "/version"):
            reply = expect(guarded.get(path, "alice"), 200)
            assert "RateLimit" not in reply.headers, reply
        assert fields(expect(guarded.get("/v1/jobs", "bob"), 200))["requests"]["q"] == 500
        assert 'http_refused_total{reason="rate"} 3' in guarded.get("/metrics",
                                                                   "bob").body.decode()
        assert "RateLimit" not in daemon.get("/v1/jobs").headers, "401 on loopback is limited"


def test_retry_after_is_the_truth():
    with Daemon(max_requests_each=20) as daemon:
        start, taken = time.monotonic(), 0
        while (reply := daemon.get("/v1/jobs")).status == 200:
            taken += 1
        assert 20 <= taken <= 21 + 2 * (time.monotonic() - start), taken
        expect_problem(reply, 429, "too-many-requests")
        assert reply.headers["Retry-After"] == "1", reply
        time.sleep(1)
        expect(daemon.get("/v1/jobs"), 200)


def test_no_limits_on_loopback_unless_asked_for():
    with Daemon() as daemon:
        for _ in range(600):
            reply = daemon.get("/v1/puzzles/2x2x2")
            assert reply.status == 200 and "RateLimit" not in reply.headers, reply
        reply = daemon.post("/v1/jobs", QUARTER)
        assert reply.status == 202 and "RateLimit" not in reply.headers, reply
    with Daemon(max_requests_each=1000000, max_jobs_each=3) as daemon:
        assert fields(daemon.post("/v1/jobs", QUARTER)).keys() == {"requests", "jobs"}


def test_jobs_of_a_principal():
    """Counted until they end, single ones and those of batches; others are not concerned."""
    people = {"alice": ("--limits", "jobs=3"), "bob": ()}
    with Guarded(people, max_running_jobs=1) as guarded:
        long = {**SUPERFLIP_JOB, "fresh": True}
        ids = []
        for left in (2, 1):
            reply = expect(guarded.post("/v1/jobs", long, "alice"), 202)
            ids.append(reply.json()["id"])
            assert fields(reply)["jobs"] == {"q": 3, "r": left}, reply
        problem = expect_problem(guarded.post("/v1/batches", {"jobs": [long] * 2}, "alice"), 429,
                                 "too-many-requests")
        assert "2 jobs" in problem["detail"] and "may have 3" in problem["detail"], problem
        expect_problem(guarded.post("/v1/batches", {"jobs": [long] * 4}, "alice"), 422,
                       "invalid-request", "/jobs")
        batch = expect(guarded.post("/v1/batches", {"jobs": [long]}, "alice"), 202).json()["id"]
        reply = guarded.post("/v1/jobs", long, "alice")
        expect_problem(reply, 429, "too-many-requests")
        assert int(reply.headers["Retry-After"]) >= 1, reply
        assert fields(reply)["jobs"]["r"] == 0, reply
        bobs = expect(guarded.post("/v1/jobs", long, "bob"), 202).json()["id"]

        expect(guarded.post(f"/v1/jobs/{ids[1]}/cancel", None, "bob"), 200)
        ids.append(expect(guarded.post("/v1/jobs", long, "alice"), 202).json()["id"])
        expect_problem(guarded.post("/v1/jobs", long, "alice"), 429, "too-many-requests")
        expect(guarded.post(f"/v1/batches/{batch}/cancel", None, "alice"), 200)

        def room_again():
            reply = guarded.post("/v1/jobs", long, "alice")
            return reply.json()["id"] if reply.status == 202 else None

        ids.append(wait_until(room_again, "room for a job"))
        for job_id in (*ids, bobs):
            guarded.post(f"/v1/jobs/{job_id}/cancel", None, "bob")
        expect(guarded.post("/v1/jobs", QUARTER, "alice", Prefer="wait=30"), 200)
        for _ in range(5):  # answered from the store: they have ended when they begin
            expect(guarded.post("/v1/jobs", QUARTER, "alice"), 202)


def test_jobs_are_whose_they_were_after_a_restart():
    with Guarded({"alice": ("--limits", "jobs=2"), "bob": ()}) as guarded:
        daemon = guarded.daemon
        long = {**SUPERFLIP_JOB, "fresh": True}
        ids = [expect(guarded.post("/v1/jobs", long, "alice"), 202).json()["id"]]
        body = {"jobs": [long]}
        expect(guarded.post("/v1/batches", body, "alice"), 202)
        daemon.kill()
        daemon.start()
        expect_problem(guarded.post("/v1/jobs", long, "alice"), 429, "too-many-requests")
        expect(guarded.post(f"/v1/jobs/{ids[0]}/cancel", None, "bob"), 200)
        expect(guarded.post("/v1/jobs", long, "alice"), 202)
        expect_problem(guarded.post("/v1/jobs", long, "alice"), 429, "too-many-requests")


def test_cost_of_a_job():
    """The limit of who names none, and the most that may be named; it survives a restart."""
    with Daemon(max_job_nodes=100000, max_job_seconds=50) as daemon:
        job = expect(daemon.post("/v1/jobs", SUPERFLIP_JOB, prefer="wait=30"), 200).json()
        assert job["request"]["limits"] == {"seconds": 50, "nodes": 100000}, job["request"]
        assert job["result"]["limit_hit"] == "nodes", job
        for limits, pointer in (({"nodes": 100001}, "/limits/nodes"),
                                ({"seconds": 50.5}, "/limits/seconds")):
            spec = {**SUPERFLIP_JOB, "limits": limits}
            expect_problem(daemon.post("/v1/jobs", spec), 422, "invalid-request", pointer,
                           "job-cost")
            expect_problem(daemon.post("/v1/batches", {"jobs": [QUARTER, spec]}), 422,
                           "invalid-request", "/jobs/1" + pointer, "job-cost")
        batch = daemon.post("/v1/batches", {"jobs": [SUPERFLIP_JOB], "defaults":
                                            {"limits": {"nodes": 50000}}}, prefer="wait=30")
        path = f"/v1/batches/{expect(batch, 200).json()['id']}/jobs"
        job = daemon.job(daemon.get_json(path)["jobs"][0]["id"])
        assert job["request"]["limits"] == {"seconds": 50, "nodes": 50000}, job["request"]
        assert job["result"]["limit_hit"] == "nodes", job
        waiting = daemon.submit({**SUPERFLIP_JOB, "fresh": True})["id"]
        daemon.kill()
        daemon.options = {k: v for k, v in daemon.options.items() if "max_job" not in k}
        daemon.start()
        assert daemon.wait_end(waiting)["result"]["limit_hit"] == "nodes"
