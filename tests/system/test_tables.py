"""One table by its key: GET, DELETE, pin."""

import os

from system_daemon import (SUPERFLIP_JOB, Daemon, Shared, expect, expect_problem, wait_until)

DAEMON = Shared()
JOB = {"cycles": "c: (3) / e:", "fresh": True}
UNKNOWN = "0123456789abcdef"


def tables(daemon):
    return daemon.get_json("/v1/tables?page_size=1000")["tables"]


def delete(daemon, key):
    return daemon.request("DELETE", f"/v1/tables/{key}")


def filled(daemon):
    """The tables after a job that needs some."""
    daemon.solve(JOB)
    found = tables(daemon)
    assert found and all(table["state"] == "sealed" for table in found), found
    return found


def stable(table):
    """What no job changes."""
    return {name: value for name, value in table.items() if name != "queries"}


# ---- looking -------------------------------------------------------------------------------


def test_get():
    daemon = DAEMON()
    for table in filled(daemon):
        assert stable(daemon.get_json(f"/v1/tables/{table['key']}")) == stable(table), table
        head = expect(daemon.request("HEAD", f"/v1/tables/{table['key']}"), 200)
        assert head.body == b"" and head.headers["Content-Type"] == "application/json", head


def test_unknown():
    daemon = DAEMON()
    key = filled(daemon)[0]["key"]
    for wrong in (UNKNOWN, "x", key + "0", key[:-1], key.upper() + "X", "%2e%2e", "a" * 63):
        path = f"/v1/tables/{wrong}"
        expect_problem(daemon.get(path), 404, "not-found")
        expect_problem(delete(daemon, wrong), 404, "not-found")
        expect_problem(daemon.post(f"{path}/pin"), 404, "not-found")
    expect_problem(daemon.post(f"/v1/tables/{key}/unpin"), 404, "not-found")


def test_methods():
    daemon = DAEMON()
    reply = daemon.post(f"/v1/tables/{UNKNOWN}", {})
    expect_problem(reply, 405, "method-not-allowed")
    assert reply.headers["Allow"] == "GET, HEAD, DELETE, OPTIONS", reply
    reply = daemon.get(f"/v1/tables/{UNKNOWN}/pin")
    expect_problem(reply, 405, "method-not-allowed")
    assert reply.headers["Allow"] == "POST, OPTIONS", reply


# ---- removing ------------------------------------------------------------------------------


def test_delete():
    daemon = DAEMON()
    for _ in range(2):
        before = filled(daemon)
        names = len(os.listdir(os.path.join(daemon.folder, "tables")))
        for left, table in enumerate(before, start=1):
            assert expect(delete(daemon, table["key"]), 204).body == b""
            expect_problem(daemon.get(f"/v1/tables/{table['key']}"), 404, "not-found")
            expect_problem(delete(daemon, table["key"]), 404, "not-found")
            assert len(tables(daemon)) == len(before) - left
            assert len(os.listdir(os.path.join(daemon.folder, "tables"))) == names - left
        assert daemon.metric("table_bytes") == 0


def test_delete_while_in_use():
    """From the first sight of a table on, filled or not, until its job is gone."""
    with Daemon() as daemon:
        job_id = daemon.submit(SUPERFLIP_JOB)["id"]
        wait_until(lambda: tables(daemon), "a table")
        refused = set()

        def has_searched():
            for table in tables(daemon):
                problem = expect_problem(delete(daemon, table["key"]), 409, "conflict")
                refused.add(problem["detail"])
            return daemon.job(job_id)["progress"]["depth"] >= 6 and len(refused) >= 1 and \
                "the table is in use by a job or another process" in refused
        wait_until(has_searched, "some depths", timeout=60)
        assert refused <= {"the table is being filled",
                           "the table is in use by a job or another process"}, refused
        daemon.cancel(job_id)
        for table in tables(daemon):
            wait_until(lambda key=table["key"]: delete(daemon, key).status in (204, 404),
                       "the removal")
        assert not tables(daemon)


def test_delete_what_another_daemon_uses():
    """Two daemons, one folder of tables."""
    with Daemon() as first:
        table_dir = os.path.join(first.folder, "tables")
        keys = {table["key"] for table in filled(first)}
        with Daemon(table_dir=table_dir) as second:
            job_id = second.submit(SUPERFLIP_JOB)["id"]
            second.wait_state(job_id, "running")
            wait_until(lambda: {t["key"] for t in tables(first)} - keys, "a table of the second")
            theirs = ({t["key"] for t in tables(first)} - keys).pop()
            expect_problem(delete(first, theirs), 409, "conflict")
            second.cancel(job_id)
        for key in keys:
            expect(delete(first, key), 204)


# ---- pinning -------------------------------------------------------------------------------


def pin(daemon, key, body=None):
    return daemon.post(f"/v1/tables/{key}/pin", body)


def test_pin():
    daemon = DAEMON()
    table = filled(daemon)[0]
    key = table["key"]
    for body, pinned in ((None, True), ({"pinned": False}, False), ({}, True),
                         ({"pinned": True}, True), ({"pinned": False}, False)):
        reply = expect(pin(daemon, key, body), 200).json()
        assert stable(reply) == {**stable(table), "pinned": pinned}, (body, reply)
        assert daemon.get_json(f"/v1/tables/{key}")["pinned"] is pinned, body
    expect(pin(daemon, key), 200)
    problem = expect_problem(delete(daemon, key), 409, "conflict")
    assert problem["detail"] == "the table is pinned", problem
    expect(pin(daemon, key, {"pinned": False}), 200)
    expect(delete(daemon, key), 204)


def test_pin_refuses_wrong_bodies():
    daemon = DAEMON()
    key = filled(daemon)[0]["key"]
    for body, status, kind, pointer in (
            ("{", 400, "malformed-json", None), (" ", 400, "malformed-json", None),
            ('{"pinned": false, "pinned": false}', 400, "malformed-json", None),
            ("null", 422, "invalid-request", ""), ("[]", 422, "invalid-request", ""),
            ({"pinned": 0}, 422, "invalid-request", "/pinned"),
            ({"pinned": None}, 422, "invalid-request", "/pinned"),
            ({"pined": False}, 422, "invalid-request", "/pined")):
        expect_problem(pin(daemon, key, body), status, kind, pointer)
    expect_problem(daemon.post(f"/v1/tables/{key}/pin", "{}", content_type="text/xml"), 415,
                   "unsupported-media-type")
    assert daemon.get_json(f"/v1/tables/{key}")["pinned"] is False


def test_pinned_over_a_restart():
    with Daemon() as daemon:
        first, *others = filled(daemon)
        expect(pin(daemon, first["key"]), 200)
        daemon.stop()
        daemon.start()
        pinned = {table["key"]: table["pinned"] for table in tables(daemon)}
        assert pinned == {first["key"]: True, **{t["key"]: False for t in others}}, pinned
        expect_problem(delete(daemon, first["key"]), 409, "conflict")
        expect(pin(daemon, first["key"], {"pinned": False}), 200)
        expect(delete(daemon, first["key"]), 204)
