"""Who may do what: tokens and their scopes, tickets for event streams, and where they are needed."""

import os
import shutil
import signal

from system_daemon import (SUPERFLIP_JOB, Daemon, expect, expect_problem, new_folder, run_program,
                           wait_until)
from system_events import Stream
from system_tokens import Guarded, new_token

QUARTER = {"cycles": "c: (4) / e: (4)"}
PEOPLE = {"reader": ("--scopes", "read"), "worker": ("--scopes", "submit"), "alice": (),
          "root": ("--scopes", "read,submit,admin")}


def expect_denied(reply, says=""):
    """401 with a challenge."""
    problem = expect_problem(reply, 401, "unauthorized")
    assert reply.headers["WWW-Authenticate"].startswith("Bearer realm="), reply
    assert says in problem["detail"], problem
    return reply


# ---- scopes --------------------------------------------------------------------------------


def test_scopes():
    """Each kind of route with each kind of token; health without any."""
    with Guarded(PEOPLE) as guarded:
        daemon = guarded.daemon
        for path in ("/livez", "/readyz", "/version", "/"):
            expect(daemon.get(path), 200)
            expect(daemon.get(path, authorization="Bearer nonsense"), 200)
        assert daemon.request("OPTIONS", "/v1/jobs").status == 204
        job_id = expect(guarded.post("/v1/jobs", QUARTER, "worker", Prefer="wait=30"),
                        200).json()["id"]
        routes = [("GET", "/v1/jobs", "read"), ("GET", f"/v1/jobs/{job_id}", "read"),
                  ("GET", "/v1/events", "read"), ("GET", "/metrics", "read"),
                  ("POST", f"/v1/jobs/{job_id}/events-token", "read"),
                  ("POST", "/v1/jobs", "submit"), ("POST", f"/v1/jobs/{job_id}/cancel", "submit"),
                  ("POST", "/v1/batches", "submit"), ("POST", "/v1/tables", "admin"),
                  ("DELETE", "/v1/tables/none", "admin")]
        for method, path, scope in routes:
            for name, have in (("reader", "read"), ("worker", "submit"),
                               ("root", "read,submit,admin")):
                if path == "/v1/events" and "read" in have:
                    continue  # does not end
                reply = daemon.request(method, path, headers=guarded.field(name))
                if scope in have.split(","):
                    assert reply.status not in (401, 403), (method, path, name, reply)
                    continue
                problem = expect_problem(reply, 403, "forbidden")
                assert f"scope {scope}" in problem["detail"], problem
                assert f'error="insufficient_scope", scope="{scope}"' in \
                    reply.headers["WWW-Authenticate"], reply
            expect_denied(daemon.request(method, path), scope)
        denied = guarded.get("/metrics", "root").body.decode()
        assert 'http_refused_total{reason="credentials"} 2' in denied, denied


def test_wrong_credentials():
    with Guarded({"alice": ()}) as guarded:
        daemon, token = guarded.daemon, guarded.tokens["alice"]
        for field in ("Bearer", "Bearer ", f"Bearer {token[:-1]}", f"Bearer {token}0",
                      f"Basic {token}", token, f"Bearer {token} x", "Bearer " + "x" * 20000,
                      "Bearer " + guarded.lines["alice"].split()[2]):
            reply = expect_denied(daemon.get("/v1/jobs", authorization=field))
            assert 'error="invalid_token"' in reply.headers["WWW-Authenticate"], reply
            assert token not in repr(reply), reply
        for field in (f"Bearer {token}", f"bearer  {token}", f"BEARER {token}"):
            expect(daemon.get("/v1/jobs", authorization=field), 200)
        reply = daemon.get("/v1/jobs", origin="https://evil.example",
                           authorization=f"Bearer {token}")
        expect_problem(reply, 403, "forbidden")
        reply = daemon.get("/v1/jobs", host="evil.example", authorization=f"Bearer {token}")
        expect_problem(reply, 403, "forbidden")
        assert token not in daemon.log_text()


def test_idempotency_keys_are_each_ones_own():
    with Guarded({"alice": (), "bob": ()}) as guarded:
        key = {"Idempotency-Key": "1"}
        ids = {}
        for name, spec in (("alice", QUARTER), ("bob", {"cycles": "c: (3) / e:"})):
            job = expect(guarded.post("/v1/jobs", spec, name, **key), 202).json()
            again = guarded.post("/v1/jobs", spec, name, **key).json()
            assert again["id"] == job["id"], (job, again)
            ids[name] = job["id"]
        assert ids["alice"] != ids["bob"], ids


def test_a_refused_body_is_not_acted_upon():
    """The refusal comes with the head, whatever the body; the connection goes on."""
    with Guarded({"alice": ()}) as guarded:
        connection = guarded.daemon.connect()
        for _ in range(3):
            connection.request("POST", "/v1/jobs", '{"cycles": "c: (4) / e: (4)"}')
            reply = connection.getresponse()
            assert reply.status == 401 and reply.read(), reply.status
        connection.request("GET", "/v1/jobs", headers=guarded.field("alice"))
        reply = connection.getresponse()
        assert reply.status == 200 and b'"jobs":[]' in reply.read()
        connection.close()


# ---- the file ------------------------------------------------------------------------------


def test_hangup_reads_the_file_again():
    """A good file takes effect at once, streams of what was revoked end; a bad one changes nothing
    and is told with its line."""
    with Guarded({"alice": (), "bob": ()}) as guarded:
        daemon = guarded.daemon
        job_id = expect(guarded.post("/v1/jobs", SUPERFLIP_JOB, "alice"), 202).json()["id"]
        streams = {name: Stream(daemon, job_id, token=guarded.tokens[name])
                   for name in ("alice", "bob")}
        for stream in streams.values():
            assert stream.read_head().parser.status == 200
        guarded.write("alice read nonsense\n")
        guarded.hang_up("line 1: the third word must be the SHA-256")
        expect(guarded.get("/v1/jobs", "bob"), 200)
        os.chmod(guarded.path, 0o666)
        guarded.hang_up("others may write it")
        expect(guarded.get("/v1/jobs", "bob"), 200)

        gone = guarded.lines.pop("bob")
        guarded.add("carol")
        guarded.write()
        guarded.hang_up("2 tokens; 1 connections ended")
        expect_denied(guarded.get("/v1/jobs", "bob"))
        expect(guarded.get("/v1/jobs", "carol"), 200)
        for _ in streams["bob"]:
            pass  # ends
        streams["alice"].until("progress")
        guarded.lines["bob"] = gone
        guarded.lines["alice"] = guarded.lines["alice"].replace("read,submit", "submit")
        guarded.write()
        guarded.hang_up("3 tokens; 1 connections ended")  # may no longer read
        for _ in streams["alice"]:
            pass
        expect(guarded.get("/v1/jobs", "bob"), 200)
        expect_problem(guarded.get("/v1/jobs", "alice"), 403, "forbidden")


def test_a_bad_file_is_no_start():
    folder = new_folder()
    path = os.path.join(folder, "tokens")
    directories = ["--state-dir", os.path.join(folder, "s"), "--table-dir",
                   os.path.join(folder, "t"), "--listen", "127.0.0.1:0", "--token-file", path]
    try:
        done = run_program(*directories)
        assert done.returncode == 1 and "No such file" in done.stderr, done
        with open(path, "w", encoding="utf-8") as file:
            file.write(new_token("a")["line"] + "\n\nb read 12\n")
        for extra in ([], ["--check"]):
            done = run_program(*directories, *extra)
            assert done.returncode == 1 and "line 3" in done.stderr, done
    finally:
        shutil.rmtree(folder)


def test_public_addresses_need_tokens():
    """The address is one of those that nobody has (RFC 5737): what is allowed fails at binding."""
    folder = new_folder()
    arguments = ["--state-dir", os.path.join(folder, "s"), "--table-dir",
                 os.path.join(folder, "t"), "--listen", "192.0.2.1:0"]
    path = os.path.join(folder, "tokens")
    try:
        for address in ("192.0.2.1:0", "0.0.0.0:0", "[2001:db8::1]:0"):
            done = run_program(*arguments[:-1], address)
            assert done.returncode == 1 and address in done.stderr, done
            assert "token-file" in done.stderr and "allow-anonymous = yes" in done.stderr, done
        with open(path, "w", encoding="utf-8") as file:
            file.write(new_token("a")["line"])
        for extra in (["--token-file", path], ["--allow-anonymous", "yes"]):
            done = run_program(*arguments, *extra)
            assert done.returncode == 1, done
            assert "Cannot assign requested address" in done.stderr, done
    finally:
        shutil.rmtree(folder)


def test_hangup_reads_the_configuration_again():
    """What can change live does, and the rest is named; a fault changes nothing."""
    folder = new_folder()
    path = os.path.join(folder, "conf")

    def write(text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def hang_up(daemon, says):
        daemon.process.send_signal(signal.SIGHUP)
        wait_until(lambda: says in daemon.log_text(), f"'{says}' in the log")

    write("max-body-bytes = 1KiB\n")
    try:
        with Daemon(folder, config=path) as daemon:
            large = {"alg": "R " * 1000}
            expect_problem(daemon.post("/v1/analyze", large), 413, "payload-too-large")
            write("max-body-bytes = many\n")
            hang_up(daemon, "conf:1: option max-body-bytes")
            expect_problem(daemon.post("/v1/analyze", large), 413, "payload-too-large")
            expect_problem(daemon.get("/v1/jobs", host="new.example"), 403, "forbidden")
            write("allow-host = new.example\nthreads = 7\nmax-connections = 10\n"
                  "max-requests-each = 50\n")
            hang_up(daemon, "max-connections stays 1200 until a restart")
            assert "max-body-bytes is now 1MiB" in daemon.log_text(), daemon.log_text()
            expect(daemon.post("/v1/analyze", large), 200)
            reply = expect(daemon.get("/v1/jobs", host="new.example"), 200)
            assert '"requests";q=50' in reply.headers["RateLimit-Policy"], reply
            for _ in range(3):
                write("")
                hang_up(daemon, "allow-host is now unset")
            expect_problem(daemon.get("/v1/jobs", host="new.example"), 403, "forbidden")
            assert daemon.solve(QUARTER)["state"] == "succeeded"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# ---- tickets -------------------------------------------------------------------------------


def test_tickets_for_streams():
    """EventSource sends no fields: a token in the query, for one stream."""
    with Guarded({"alice": (), "worker": ("--scopes", "submit")}, log_level="debug") as guarded:
        daemon = guarded.daemon
        first = expect(guarded.post("/v1/jobs", SUPERFLIP_JOB, "alice"), 202).json()["id"]
        other = expect(guarded.post("/v1/jobs", QUARTER, "alice", Prefer="wait=30"),
                       200).json()["id"]
        batch = expect(guarded.post("/v1/batches", {"jobs": [QUARTER]}, "alice"),
                       202).json()["id"]
        given = expect(guarded.post(f"/v1/jobs/{first}/events-token", None, "alice"), 200).json()
        ticket = given["token"]
        assert 0 < given["expires_seconds"] <= 60, given
        assert given["url"] == f"/v1/jobs/{first}/events?token={ticket}", given
        stream = Stream(daemon, given["url"])
        assert next(iter(stream)).kind == "snapshot"
        stream.close()
        for path in (f"/v1/jobs/{other}/events", f"/v1/jobs/{first}", "/v1/events",
                     f"/v1/batches/{batch}/events", "/v1/jobs", f"/v1/jobs/{first}/solutions"):
            expect_denied(daemon.get(f"{path}?token={ticket}"))
        expect_denied(daemon.post(f"/v1/jobs/{first}/cancel?token={ticket}"))
        for wrong in ("", "x", ticket[:-1], ticket.replace("alice", "worker"),
                      guarded.tokens["alice"]):
            expect_denied(daemon.get(f"/v1/jobs/{first}/events?token={wrong}"))
        given = expect(guarded.post(f"/v1/batches/{batch}/events-token", None, "alice"), 200).json()
        assert Stream(daemon, given["url"]).until("end")
        expect_problem(guarded.post("/v1/jobs/j_none/events-token", None, "alice"), 404,
                       "not-found")
        expect_problem(guarded.post("/v1/batches/b_none/events-token", None, "alice"), 404,
                       "not-found")
        expect_problem(guarded.post(f"/v1/jobs/{first}/events-token", None, "worker"), 403,
                       "forbidden")
        guarded.lines.pop("alice")
        guarded.write()
        guarded.hang_up("1 tokens")
        expect_denied(daemon.get(f"/v1/jobs/{first}/events?token={ticket}"))
        log = daemon.log_text()
        assert ticket not in log and guarded.tokens["alice"] not in log, log
        assert f"job {first}: accepted" in log and "token alice" in log, log


def test_tickets_without_tokens():
    """A client need not know whether the service wants tokens."""
    with Daemon() as daemon:
        job_id = daemon.solve(QUARTER)["id"]
        given = expect(daemon.post(f"/v1/jobs/{job_id}/events-token"), 200).json()
        assert Stream(daemon, given["url"]).until("done")
        wait_until(lambda: daemon.get_json(f"/v1/jobs/{job_id}")["ended"], "the end")
