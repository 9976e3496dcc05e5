"""POST /v1/tables: pruning tables that are filled in advance."""

import os

from system_daemon import Daemon, Shared, expect, expect_problem, wait_until

DAEMON = Shared()
TARGET = "c: (1+, 5+) / e: (1+, 1+)"
# Corners and six edges, without a product table: some CPU seconds.
BODY = {"cycles": TARGET, "limits": {"memory_mib": 48}}
PATIENCE = 120


def tables(daemon):
    return {t["key"]: t for t in daemon.get_json("/v1/tables?page_size=1000")["tables"]}


def table(daemon, key):
    return daemon.get_json(f"/v1/tables/{key}")


def make(daemon, body, status=202):
    """The reply, and its tables by their orbits."""
    reply = expect(daemon.post("/v1/tables", body), status)
    return reply, {t["orbits"]: t for t in reply.json()["tables"]}


def wait_sealed(daemon, keys):
    def sealed():
        return all(table(daemon, key)["state"] == "sealed" for key in keys)
    wait_until(sealed, "the fills", timeout=PATIENCE)


def wait_gone(daemon, key):
    wait_until(lambda: daemon.get(f"/v1/tables/{key}").status == 404, f"the end of {key}",
               timeout=PATIENCE)


def wait_growing(daemon, key):
    """Until a layer is complete; the table."""
    def growing():
        now = table(daemon, key)
        assert now["state"] == "growing", now
        return now if now["layers"] > 0 else None
    return wait_until(growing, f"a layer of {key}", timeout=PATIENCE)


def names(daemon):
    return sorted(os.listdir(os.path.join(daemon.folder, "tables")))


# ---- made ----------------------------------------------------------------------------------


def test_made_and_used():
    with Daemon() as daemon:
        reply, made = make(daemon, BODY)
        assert set(made) == {"corners", "edges"}, made
        assert all(t["state"] == "growing" and t["puzzle"] == "3x3x3" and t["fraction"] <= 1
                   for t in made.values()), made
        keys = {t["key"] for t in made.values()}
        assert reply.headers["Location"] in {f"/v1/tables/{key}" for key in keys}, reply
        assert all(t["links"]["self"] == f"/v1/tables/{t['key']}" for t in made.values()), made
        assert int(reply.headers["Retry-After"]) >= 1, reply
        plan = reply.json()["plan"]
        assert {t["key"] for t in plan["tables"]} == keys and plan["estimated_length"] > 0, plan
        assert all(t["fill_seconds"] > 0 for t in plan["tables"]), plan
        assert set(tables(daemon)) == keys, "tables that wait for their turn are listed"

        seen = []
        def sealed():
            seen.append(table(daemon, made["edges"]["key"]))
            return seen[-1]["state"] == "sealed"
        wait_until(sealed, "the edges", timeout=PATIENCE)
        for member in ("fraction", "layers", "entries"):
            values = [t[member] for t in seen]
            assert values == sorted(values), (member, values)
        assert seen[-1]["fraction"] == 1 and seen[-1]["entries"] == 42577920, seen[-1]
        assert seen[-1]["seconds"] > 0 and not seen[-1]["attached"], seen[-1]

        reply, again = make(daemon, BODY, 200)
        assert "Location" not in reply.headers and {t["key"] for t in again.values()} == keys
        assert all(t["state"] == "sealed" for t in reply.json()["plan"]["tables"]), reply

        filled = daemon.metric("tables_filled_total")
        assert filled == 2
        job = daemon.solve({**BODY, "find": "all"})
        assert job["result"]["count"]["sequences"] == 1056, job["result"]
        assert daemon.metric("tables_filled_total") == filled
        assert {t["key"] for t in job["plan"]["tables"]} == keys, job["plan"]
        assert all(table(daemon, key)["queries"] > 0 for key in keys)


def test_defaults():
    """The solved 3x3x3, with whatever the planner chooses within the limit."""
    daemon = DAEMON()
    _, made = make(daemon, {"limits": {"memory_mib": 3}})
    assert made["corners"]["target"] == "c: / e:" and made["corners"]["kind"] == "exact", made
    wait_sealed(daemon, {t["key"] for t in made.values()})
    assert sum(table(daemon, t["key"])["bytes"] for t in made.values()) <= 3 << 20


def test_no_room_for_any():
    reply, made = make(DAEMON(), {"limits": {"memory_mib": 0.001}}, 200)
    assert made == {}, made
    assert {t["kind"] for t in reply.json()["plan"]["tables"]} == {"fixed"}, reply


def test_other_puzzles_moves_and_targets():
    daemon = DAEMON()
    for body, target in (({"puzzle": "2x2x2", "like": "R U"}, "c: (1+, 5+)"),
                         ({"cycles": "c: (3)", "moves": ["R", "U"], "limits": {"memory_mib": 3}},
                          "c: (3) / e:"),
                         ({"any_of": ["c: (3)", "e: (3)"], "limits": {"memory_mib": 3}}, None)):
        _, made = make(daemon, body)
        corners = made["corners"]
        assert target is None or corners["target"] == target, corners
        wait_sealed(daemon, {t["key"] for t in made.values()})
        make(daemon, body, 200)


def test_wished():
    daemon = DAEMON()
    body = {"cycles": "c: (3, 3) / e: (2, 2)", "tables": {"c": {"kind": "exact"},
                                                          "e": {"kind": "fixed"}}}
    reply, made = make(daemon, body)
    assert set(made) == {"corners"}, made
    assert {t["orbits"]: t["kind"] for t in reply.json()["plan"]["tables"]} == {
        "corners": "exact", "edges": "fixed"}, reply
    wait_sealed(daemon, [made["corners"]["key"]])
    make(daemon, body, 200)


def test_asked_for_twice():
    with Daemon() as daemon:
        _, first = make(daemon, BODY)
        _, second = make(daemon, BODY)
        assert {t["key"] for t in first.values()} == {t["key"] for t in second.values()}
        wait_sealed(daemon, [t["key"] for t in first.values()])
        assert daemon.metric("tables_filled_total") == 2


def test_pinned():
    with Daemon() as daemon:
        body = {"cycles": "c: (3)", "limits": {"memory_mib": 3}}
        _, made = make(daemon, {**body, "pin": True})
        wait_sealed(daemon, [t["key"] for t in made.values()])
        for key in {t["key"] for t in made.values()}:
            assert table(daemon, key)["pinned"]
            expect_problem(daemon.request("DELETE", f"/v1/tables/{key}"), 409, "conflict")
            expect(daemon.post(f"/v1/tables/{key}/pin", {"pinned": False}), 200)
        make(daemon, {**body, "pin": True}, 200)
        assert all(t["pinned"] for t in tables(daemon).values())


def test_pinned_while_waiting():
    with Daemon() as daemon:
        _, made = make(daemon, BODY)
        key = made["edges"]["key"]
        assert expect(daemon.post(f"/v1/tables/{key}/pin"), 200).json()["pinned"]
        wait_sealed(daemon, [key])
        assert table(daemon, key)["pinned"]
        assert not table(daemon, made["corners"]["key"])["pinned"]


def test_jobs_go_first():
    """A job of one move, which needs milliseconds, ends long before the last table is there."""
    with Daemon() as daemon:
        _, made = make(daemon, {"cycles": TARGET})
        daemon.solve({"cycles": "c: (4) / e: (4)", "tables": {"e": {"kind": "fixed"}}})
        assert table(daemon, made["corners+edges"]["key"])["state"] == "growing"


# ---- given up ------------------------------------------------------------------------------


def test_given_up_while_it_grows():
    with Daemon() as daemon:
        for _ in range(2):
            _, made = make(daemon, BODY)
            key = made["edges"]["key"]
            wait_growing(daemon, key)
            expect(daemon.request("DELETE", f"/v1/tables/{key}"), 204)
            wait_gone(daemon, key)
            expect_problem(daemon.request("DELETE", f"/v1/tables/{key}"), 404, "not-found")
            wait_until(lambda: names(daemon) == [made["corners"]["key"] + ".cyt"],
                       "the end of the file")
        assert set(tables(daemon)) == {made["corners"]["key"]}
        assert daemon.metric("tables_filled_total") == 1


def test_given_up_before_its_turn():
    with Daemon() as daemon:
        _, made = make(daemon, {"cycles": TARGET})  # with a product table, which comes last
        last = made["corners+edges"]["key"]
        expect(daemon.request("DELETE", f"/v1/tables/{last}"), 204)
        wait_gone(daemon, last)
        wait_sealed(daemon, [made[orbit]["key"] for orbit in ("corners", "edges")])
        assert last not in tables(daemon)


def test_not_given_up_while_a_job_waits():
    with Daemon() as daemon:
        _, made = make(daemon, BODY)
        key = made["edges"]["key"]
        wait_growing(daemon, key)
        # The job outlives the fill by far, so that the table is its own whenever we come.
        job_id = daemon.submit({**BODY, "find": "all", "slack": 6})["id"]
        def waits():
            plan = daemon.job(job_id)["plan"]
            return plan and any(t["key"] == key and t["state"] != "missing" for t in plan["tables"])
        wait_until(waits, "the job's claim on the table")
        problem = expect_problem(daemon.request("DELETE", f"/v1/tables/{key}"), 409, "conflict")
        assert "filled" in problem["detail"] or "in use" in problem["detail"], problem
        wait_sealed(daemon, [key])
        daemon.cancel(job_id)
        daemon.wait_end(job_id, timeout=PATIENCE)


# ---- ends ----------------------------------------------------------------------------------


def test_asked_for_again_after_a_crash():
    with Daemon() as daemon:
        _, made = make(daemon, BODY)
        wait_growing(daemon, made["edges"]["key"])
        daemon.kill()
        daemon.start()
        # What the killed process was filling is still there, to be gone on with.
        _, again = make(daemon, BODY)
        assert {t["key"] for t in again.values()} == {t["key"] for t in made.values()}
        wait_sealed(daemon, [t["key"] for t in again.values()])
        assert daemon.metric("tables_filled_total") <= 2


def test_the_daemon_ends_while_tables_are_filled():
    with Daemon() as daemon:
        _, made = make(daemon, BODY)
        wait_growing(daemon, made["edges"]["key"])
        daemon.stop()
        assert made["edges"]["key"] + ".cyt" not in names(daemon)
        assert not any("growing" in name for name in names(daemon)), names(daemon)
        daemon.start()
        make(daemon, BODY)


# ---- refused -------------------------------------------------------------------------------


def test_refused():
    daemon = DAEMON()
    before = set(tables(daemon))
    for body, pointer in (
            ("[]", ""),
            ({"find": "all"}, "/find"), ({"start": "R"}, "/start"), ({"pin": "yes"}, "/pin"),
            ({"puzzle": "7x7x7"}, "/puzzle"), ({"cycles": "q: (3)"}, "/cycles"),
            ({"limits": {"seconds": 5}}, "/limits/seconds"),
            ({"tables": {"middles": {"kind": "exact"}}}, "/tables/middles"),
            ({"tables": {"corners": {"kind": "product"}}}, "/tables/corners/kind"),
            ({"tables": {"e": {"kind": "exact"}}}, "/tables/e"),
            ({"tables": {"c": {"kind": "exact"}}, "limits": {"memory_mib": 0.25}}, "/tables/c")):
        expect_problem(daemon.post("/v1/tables", body), 422, "invalid-request", pointer)
    expect_problem(daemon.post("/v1/tables", {"cycles": "c: (2)"}), 422, "infeasible-target",
                   "/cycles", "parity")
    for body in ("", "{", '{"pin":true,"pin":true}'):
        expect_problem(daemon.post("/v1/tables", body), 400, "malformed-json")
    expect_problem(daemon.post("/v1/tables", "{}", content_type="text/xml"), 415,
                   "unsupported-media-type")
    reply = daemon.request("PUT", "/v1/tables", {})
    expect_problem(reply, 405, "method-not-allowed")
    assert reply.headers["Allow"] == "GET, HEAD, POST, OPTIONS", reply
    assert set(tables(daemon)) == before
