"""Jobs that say which kinds of tables they want: the answers stay the same, the plan shows it, and
what cannot be is refused with a word about what could."""

from system_daemon import Daemon, Shared, expect_problem

DAEMON = Shared()
TARGET = "c: (1+, 5+) / e: (1+, 1+)"  # 11 moves, 1056 sequences
SHORT = "c: (3) / e:"  # 8 moves, 864 sequences


def solve(daemon, cycles, wishes, **more):
    job = daemon.solve({"cycles": cycles, "find": "all", "fresh": True, "tables": wishes, **more})
    return job, {t["orbits"]: t for t in job["plan"]["tables"]}


def test_wishes_are_echoed():
    daemon = DAEMON()
    job, _ = solve(daemon, SHORT, {"EDGES": {"kind": "fixed"}, "c": {"kind": "exact"}})
    assert job["request"]["tables"] == {"corners": {"kind": "exact"},
                                        "edges": {"kind": "fixed", "encoding": "none"}}, job
    job = daemon.solve({"cycles": SHORT, "tables": "auto"})
    assert "tables" not in job["request"], job["request"]


def test_exact_and_approximate():
    job, plan = solve(DAEMON(), TARGET, {"corners": {"kind": "exact", "encoding": "none"},
                                         "edges": {"kind": "approximate", "encoding": "none"}})
    assert job["result"]["count"]["sequences"] == 1056, job["result"]
    assert {orbits: (t["kind"], t["encoding"]) for orbits, t in plan.items()} == {
        "corners": ("exact", "none"), "edges": ("approximate", "none")}, plan


def test_every_pair():
    """Every kind in every encoding that it comes in; what is wished for is what is planned."""
    for orbit, kind, encodings in (("corners", "exact", ("none", "nxopt", "tans")),
                                   ("corners", "approximate", ("none", "nxopt", "tans")),
                                   ("edges", "approximate", ("none", "nxopt", "tans")),
                                   ("corners", "cycle_structure", ("none",)),
                                   ("edges", "cycle_structure", ("none",))):
        for encoding in encodings:
            job, plan = solve(DAEMON(), SHORT, {orbit: {"kind": kind, "encoding": encoding}},
                              limits={"memory_mib": 5})
            assert job["result"]["count"]["sequences"] == 864, (kind, encoding, job)
            assert (plan[orbit]["kind"], plan[orbit]["encoding"]) == (kind, encoding), plan
            assert plan[orbit]["state"] == "sealed", plan


def test_product_before_others():
    """A product that is asked for has the room, even where the usual edges leave it none."""
    job, plan = solve(DAEMON(), SHORT, {"c+e": {"kind": "product"}}, limits={"memory_mib": 64})
    assert job["result"]["count"]["sequences"] == 864, job
    assert plan["corners+edges"]["state"] == "sealed", plan
    assert sum(t["bytes"] for t in plan.values()) <= 64 << 20, plan


def test_hash():
    """Solved edges are one state, so a table of their hashes can be asked for."""
    wish = {"kind": "approximate", "variant": "hash", "encoding": "none"}
    job, plan = solve(DAEMON(), SHORT, {"corners": {"kind": "fixed"}, "edges": wish},
                      limits={"memory_mib": 5})
    assert job["result"]["length"] == 8 and job["result"]["count"]["sequences"] == 864, job
    assert job["request"]["tables"]["edges"] == wish, job["request"]
    assert plan["edges"]["variant"] == "hash" and plan["edges"]["state"] == "sealed", plan
    assert "variant" not in plan["corners"], plan
    table = DAEMON().get_json(f"/v1/tables/{plan['edges']['key']}")
    assert table["kind"] == "approximate" and table["variant"] == "hash", table
    assert table["entries"] == 4 << 20 and table["layers"] >= 5, table


def test_fixed():
    job, plan = solve(DAEMON(), SHORT, {"corners": {"kind": "fixed"}, "edges": {"kind": "fixed"}})
    assert job["result"]["length"] == 8 and job["result"]["count"]["sequences"] == 864, job
    assert {t["kind"] for t in plan.values()} == {"fixed"}, plan
    assert sum(t["bytes"] for t in plan.values()) == 0, plan


def test_one_orbit_only():
    """The orbit that is not named stays automatic, and there is no product."""
    job, plan = solve(DAEMON(), SHORT, {"corners": {"kind": "fixed"}})
    assert job["result"]["count"]["sequences"] == 864, job
    assert plan["corners"]["kind"] == "fixed" and plan["edges"]["kind"] != "fixed", plan
    assert set(plan) == {"corners", "edges"}, plan


def test_product():
    job, plan = solve(DAEMON(), SHORT, {"corners": {"kind": "fixed"}, "edges": {"kind": "fixed"},
                                        "edges+corners": {"kind": "product", "encoding": "nxopt"}})
    assert job["result"]["count"]["sequences"] == 864, job
    assert plan["corners+edges"]["kind"] == "product", plan
    assert plan["corners+edges"]["encoding"] == "nxopt", plan
    assert plan["corners"]["kind"] == plan["edges"]["kind"] == "fixed", plan


def test_wishes_do_not_make_requests_different():
    daemon = DAEMON()
    body = {"cycles": "c: (5) / e:", "max_length": 5}
    first = daemon.solve(body)
    second = daemon.solve({**body, "tables": {"e": {"kind": "fixed"}}})
    assert second["cached"] and second["result"] == first["result"], second
    assert second["request"]["tables"] == {"edges": {"kind": "fixed", "encoding": "none"}}, second


def refuse(tables, pointer, words, **more):
    problem = expect_problem(DAEMON().post("/v1/jobs", {"cycles": SHORT, "tables": tables, **more}),
                             422, "invalid-request", pointer)
    detail = next(e["detail"] for e in problem["errors"] if e["pointer"] == pointer)
    for word in words:
        assert word in detail, (word, detail)


def test_refused():
    refuse({"middle": {"kind": "exact"}}, "/tables/middle", ("corners", "edges", "corners+edges"))
    refuse({"corners": {"kind": "perfect"}}, "/tables/corners/kind", ("exact", "approximate"))
    refuse({"corners": {"kind": "exact", "encoding": "gzip"}}, "/tables/corners/encoding",
           ("none", "nxopt", "tans"))
    refuse({"edges": {"kind": "exact", "variant": "hash"}}, "/tables/edges/variant",
           ("approximate",))
    refuse({"edges": {"kind": "fixed", "encoding": "tans"}}, "/tables/edges/encoding", ("none",))
    refuse({"edges": {"kind": "product"}}, "/tables/edges/kind", ("corners+edges",))
    refuse({"corners": {"kind": "exact"}, "c": {"kind": "exact"}}, "/tables/c", ("second",))
    refuse({"corners": "exact"}, "/tables/corners", ("object",))
    refuse({"corners": {"encoding": "none"}}, "/tables/corners", ("kind",))
    refuse("exact", "/tables", ("auto",))


def test_impossible():
    refuse({"edges": {"kind": "exact"}}, "/tables/edges", ("approximate",))
    refuse({"corners": {"kind": "exact"}}, "/tables/corners", ("left of the limit", "approximate"),
           limits={"memory_mib": 0.25})
    refuse({"edges": {"kind": "approximate", "variant": "hash"}}, "/tables/edges",
           ("piece subset", "1048576"), cycles="c: (3) / e: (1+, 7+)")
    refuse({"E": {"kind": "approximate"}}, "/tables/E", ("fixed",), limits={"memory_mib": 0.004})
    refuse({"c+e": {"kind": "product"}}, "/tables/c+e", ("single orbits",),
           limits={"memory_mib": 5})
    # What is named is what does not fit: the table as wished, not its fill in another encoding.
    refuse({"c+e": {"kind": "product", "encoding": "none"}}, "/tables/c+e",
           ("to keep", "encoding none takes 162.4 MiB", "160.0 MiB are left"),
           limits={"memory_mib": 160})
    refuse({"e": {"kind": "approximate"}}, "/tables/e", ("no move changes the edges",),
           moves=["(R U' L' U R' U' L U)"])
    expect_problem(DAEMON().post("/v1/jobs", {"puzzle": "2x2x2", "cycles": "c: (3)", "tables":
                                              {"corners+edges": {"kind": "product"}}}),
                   422, "invalid-request", "/tables/corners+edges")


def test_wishes_over_a_restart():
    """A queued job keeps its wishes."""
    with Daemon() as daemon:
        job_id = daemon.submit({"cycles": "e: (1+) x12", "tables": {"edges": {"kind": "fixed"},
                                                                   "c": {"kind": "exact"}}})["id"]
        daemon.wait_state(job_id, "running")
        daemon.kill()
        daemon.start()
        job = daemon.wait_state(job_id, "running")
        assert job["request"]["tables"]["edges"]["kind"] == "fixed", job
        daemon.cancel(job_id)
