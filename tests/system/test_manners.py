"""The HTTP around the jobs: fields, caching, lists, who may ask, and what is not about a job."""

import re
import threading

import system_cube
from system_daemon import (SUPERFLIP_JOB, Daemon, Shared, expect, expect_problem, wait_until)

OURS = "https://example.org"
DAEMON = Shared(max_running_jobs=2, allow_host="solver.example", allow_origin=OURS)
QUARTER = {"cycles": "c: (4) / e: (4)"}


# ---- submitting ----------------------------------------------------------------------------


def test_accepted():
    reply = expect(DAEMON().post("/v1/jobs", {**QUARTER, "fresh": True, "label": "été"}), 202)
    job = reply.json()
    assert reply.headers["Location"] == job["links"]["self"] == f"/v1/jobs/{job['id']}", reply
    assert 1 <= int(reply.headers["Retry-After"]) <= 60, reply
    assert reply.headers["Content-Type"] == "application/json", reply
    assert re.fullmatch(r"j_\w+", job["id"]) and job["label"] == "été", job
    assert job["state"] in ("queued", "running") and job["result"] is None, job
    time = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"
    ended = DAEMON().wait_end(job["id"])
    assert all(re.fullmatch(time, ended[k]) for k in ("created", "started", "ended")), ended
    assert ended["created"] <= ended["started"] <= ended["ended"], ended
    assert job["request"]["fresh"] is True and job["request"]["find"] == "one", job


def test_curl_needs_no_content_type():
    """What `curl -d` sends."""
    form = "application/x-www-form-urlencoded"
    expect(DAEMON().post("/v1/jobs", '{"cycles": "c: (4) / e: (4)"}', content_type=form), 202)
    expect(DAEMON().post("/v1/jobs", '\n {"cycles": "c: (4) / e: (4)"}\n'), 202)


def test_prefer_wait():
    daemon = DAEMON()
    reply = expect(daemon.post("/v1/jobs", {**QUARTER, "fresh": True}, prefer="wait=30"), 200)
    assert reply.headers["Preference-Applied"] == "wait=30", reply
    assert reply.json()["state"] == "succeeded", reply
    reply = expect(daemon.post("/v1/jobs", SUPERFLIP_JOB, prefer="wait=1"), 202)
    job = reply.json()
    assert job["state"] == "running" and reply.headers["Preference-Applied"] == "wait=1", reply
    capped = daemon.post("/v1/jobs", {**QUARTER, "fresh": True}, prefer="wait=100000")
    assert capped.headers["Preference-Applied"] == "wait=60", capped
    daemon.cancel(job["id"])


def test_client_that_leaves_while_it_waits():
    """A connection that goes away while its reply is pending harms nobody."""
    daemon = DAEMON()
    job = daemon.submit(SUPERFLIP_JOB)
    for _ in range(20):
        connection = daemon.connect()
        connection.request("GET", f"/v1/jobs/{job['id']}", headers={"Prefer": "wait=60"})
        connection.close()
    daemon.cancel(job["id"])
    expect(daemon.get("/livez"), 200)


def test_idempotency_key():
    daemon = DAEMON()
    spec = {**QUARTER, "fresh": True}
    first = daemon.submit(spec, idempotency_key='"key 1"')
    for _ in range(2):
        again = daemon.post("/v1/jobs", spec, idempotency_key='"key 1"')
        assert again.status in (200, 202) and again.json()["id"] == first["id"], again
    problem = daemon.post("/v1/jobs", QUARTER, idempotency_key='"key 1"')
    expect_problem(problem, 422, "idempotency-mismatch")
    assert daemon.submit(spec, idempotency_key="key2")["id"] != first["id"]
    expect_problem(daemon.post("/v1/jobs", spec, idempotency_key=""), 400, "bad-request")
    expect_problem(daemon.post("/v1/jobs", spec, idempotency_key="k" * 300), 400, "bad-request")


def test_idempotency_key_in_a_race():
    """Twenty clients with one key get one job; who is too early gets 409."""
    daemon = DAEMON()
    replies = []

    def post():
        replies.append(daemon.post("/v1/jobs", {**QUARTER, "fresh": True}, idempotency_key="race"))

    threads = [threading.Thread(target=post) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {r.status for r in replies} <= {200, 202, 409}, replies
    ids = {r.json()["id"] for r in replies if r.status != 409}
    assert len(ids) == 1, ids


# ---- reading -------------------------------------------------------------------------------


def test_etag():
    daemon = DAEMON()
    path = f"/v1/jobs/{daemon.solve(QUARTER)['id']}"
    reply = expect(daemon.get(path), 200)
    etag = reply.headers["ETag"]
    assert etag.startswith('"') and etag.endswith('"'), etag
    for known in (etag, "*", f'"other", {etag}', f"W/{etag}"):
        unchanged = expect(daemon.get(path, if_none_match=known), 304)
        assert unchanged.body == b"" and unchanged.headers["ETag"] == etag, unchanged
    expect(daemon.get(path, if_none_match='"other"'), 200)
    assert "max-age" in reply.headers["Cache-Control"], reply


def test_version_and_etag_follow_the_job():
    daemon = DAEMON()
    job_id = daemon.submit(SUPERFLIP_JOB)["id"]
    path = f"/v1/jobs/{job_id}"
    daemon.wait_state(job_id, "running")
    seen = []

    def changed():
        reply = daemon.get(path)
        assert reply.headers["Cache-Control"] == "no-cache" and reply.headers["Retry-After"], reply
        seen.append((reply.json()["version"], reply.headers["ETag"]))
        return len(set(seen)) >= 3

    wait_until(changed, "three versions")
    assert seen == sorted(seen, key=lambda pair: pair[0]), seen
    assert len({version for version, _ in seen}) == len(set(seen)), seen
    expect(daemon.get(path, if_none_match=seen[0][1]), 200)
    daemon.cancel(job_id)


def test_head():
    daemon = DAEMON()
    job_id = daemon.solve(QUARTER)["id"]
    for path in (f"/v1/jobs/{job_id}", "/v1/jobs", f"/v1/jobs/{job_id}/solutions", "/v1/puzzles",
                 "/version", "/livez", "/metrics"):
        get, head = daemon.get(path), expect(daemon.request("HEAD", path), 200)
        assert head.body == b"" and get.body, path
        assert head.headers["Content-Type"] == get.headers["Content-Type"], path
    assert daemon.request("HEAD", "/v1/jobs/j_none").status == 404


def test_options_and_cors():
    daemon = DAEMON()
    reply = daemon.request("OPTIONS", "/v1/jobs", headers={
        "Origin": OURS, "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type"})
    expect(reply, 204)
    assert reply.headers["Access-Control-Allow-Origin"] == OURS, reply
    assert "POST" in reply.headers["Access-Control-Allow-Methods"], reply
    allowed = reply.headers["Access-Control-Allow-Headers"].lower()
    assert all(name in allowed for name in ("content-type", "idempotency-key", "last-event-id"))
    for answer in (daemon.get("/v1/jobs", origin=OURS), daemon.get("/nothing", origin=OURS)):
        assert answer.headers["Access-Control-Allow-Origin"] == OURS, answer
        assert "ETag" in answer.headers["Access-Control-Expose-Headers"], answer
        assert "Origin" in answer.headers["Vary"], answer
    assert "Access-Control-Allow-Origin" not in daemon.get("/v1/jobs").headers


def test_hosts_and_origins():
    daemon = DAEMON()
    for host in ("localhost", "localhost:1234", "127.0.0.1", "127.8.9.1:80", "[::1]:8080",
                 "solver.example", "SOLVER.example:443"):
        expect(daemon.get("/v1/jobs", host=host), 200)
    for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.0.2.1"):
        expect_problem(daemon.get("/v1/jobs", host=host), 403, "forbidden")
    expect(daemon.get("/v1/jobs", origin=daemon.url), 200)
    for origin in ("https://evil.example", "null", OURS + ".evil.example", "http://example.org"):
        expect_problem(daemon.get("/v1/jobs", origin=origin), 403, "forbidden")
        expect_problem(daemon.post("/v1/jobs", QUARTER, origin=origin), 403, "forbidden")


def test_methods_and_paths():
    daemon = DAEMON()
    job_id = daemon.solve(QUARTER)["id"]
    for method, path, allow in (("PUT", "/v1/jobs", {"GET", "HEAD", "POST", "OPTIONS"}),
                                ("POST", f"/v1/jobs/{job_id}",
                                 {"GET", "HEAD", "DELETE", "OPTIONS"}),
                                ("GET", f"/v1/jobs/{job_id}/cancel", {"POST", "OPTIONS"}),
                                ("DELETE", "/livez", {"GET", "HEAD", "OPTIONS"}),
                                ("BREW", "/version", {"GET", "HEAD", "OPTIONS"})):
        reply = daemon.request(method, path)
        expect_problem(reply, 405, "method-not-allowed")
        assert set(reply.headers["Allow"].split(", ")) == allow, reply
    for path in ("/nothing", "/v1", "/v1/jobs/j_none", "/v1/jobs/j_none/solutions", "/v2/jobs",
                 "/v1/jobs/", "/v1/puzzles/9x9x9", "/../etc/passwd", "/v1/jobs/%2e%2e"):
        expect_problem(daemon.get(path), 404, "not-found")
    for action in ("cancel", "pause", "resume"):
        expect_problem(daemon.post(f"/v1/jobs/j_none/{action}"), 404, "not-found")
    expect_problem(daemon.request("DELETE", "/v1/jobs/j_none"), 404, "not-found")


def test_keep_alive():
    """Many requests on one connection, errors among them."""
    connection = DAEMON().connect()
    for i in range(50):
        path = "/version" if i % 3 else "/nothing"
        connection.request("GET", path)
        reply = connection.getresponse()
        reply.read()
        assert reply.status == (200 if i % 3 else 404), reply.status
    connection.close()


def test_http_1_0():
    connection = DAEMON().connect()
    connection._http_vsn, connection._http_vsn_str = 10, "HTTP/1.0"
    connection.request("GET", "/version", headers={"Host": "localhost"})
    reply = connection.getresponse()
    assert reply.status == 200 and reply.read(), reply.status
    connection.close()


def test_expect_100_continue():
    """curl asks before it sends a large body."""
    connection = DAEMON().connect()
    body = b'{"cycles": "c: (4) / e: (4)"}'
    connection.putrequest("POST", "/v1/jobs")
    connection.putheader("Content-Length", str(len(body)))
    connection.putheader("Expect", "100-continue")
    connection.endheaders()
    connection.send(body)
    assert connection.getresponse().status == 202
    connection.close()


def test_requests_in_crumbs():
    """A body that comes byte by byte, and a client that leaves in the middle."""
    body = b'{"cycles": "c: (4) / e: (4)"}'
    for cut in (len(body), 5):
        connection = DAEMON().connect()
        connection.putrequest("POST", "/v1/jobs")
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders()
        for i in range(cut):
            connection.send(body[i:i + 1])
        if cut == len(body):
            assert connection.getresponse().status == 202
        connection.close()
    expect(DAEMON().get("/livez"), 200)


# ---- lists ---------------------------------------------------------------------------------


def pages(daemon, path, name, size):
    found, token = [], ""
    while True:
        reply = expect(daemon.get(f"{path}page_size={size}&page_token={token}"), 200)
        page = reply.json()
        assert len(page[name]) <= size, len(page[name])
        found += page[name]
        token = page["next_page_token"]
        assert ("Link" in reply.headers) == bool(token), reply.headers
        if not token:
            return found


def test_list_of_jobs():
    with Daemon(max_running_jobs=1) as daemon:
        first = daemon.submit({**SUPERFLIP_JOB, "label": "long"})["id"]
        daemon.wait_state(first, "running")
        ids = [daemon.submit({**QUARTER, "fresh": True, "label": f"{i % 2}"})["id"]
               for i in range(7)]
        newest_first = [*reversed(ids), first]
        for size in (1, 3, 8, 100):
            assert [j["id"] for j in pages(daemon, "/v1/jobs?", "jobs", size)] == newest_first
        odd = [i for n, i in enumerate(ids) if n % 2]
        listed = pages(daemon, "/v1/jobs?label=1&", "jobs", 2)
        assert [j["id"] for j in listed] == [*reversed(odd)], listed
        queued = pages(daemon, "/v1/jobs?state=queued&", "jobs", 100)
        assert [j["id"] for j in queued] == newest_first[:-1], queued
        running = daemon.get_json("/v1/jobs?state=running&label=long&puzzle=3x3x3")["jobs"]
        assert [j["id"] for j in running] == [first] and "solutions" not in running[0], running
        assert not daemon.get_json("/v1/jobs?puzzle=2x2x2")["jobs"]
        assert not daemon.get_json("/v1/jobs?state=failed")["jobs"]
        daemon.cancel(first)
        for i in ids:
            daemon.wait_end(i)
        assert len(pages(daemon, "/v1/jobs?state=succeeded&", "jobs", 3)) == 7


def test_lists_refuse_wrong_parameters():
    daemon = DAEMON()
    for query, pointer in (("state=nope", "/state"), ("page_size=x", "/page_size"),
                           ("page_size=0", "/page_size"), ("page_size=-1", "/page_size"),
                           ("page_token=zz", "/page_token")):
        expect_problem(daemon.get(f"/v1/jobs?{query}"), 422, "invalid-request", pointer)
    for _ in range(2):
        daemon.solve({**QUARTER, "fresh": True})
    token = daemon.get_json("/v1/jobs?page_size=1")["next_page_token"]
    job_id = daemon.solve(QUARTER)["id"]
    expect_problem(daemon.get(f"/v1/jobs/{job_id}/solutions?page_token={token}"), 422,
                   "invalid-request", "/page_token")


def test_pages_of_6048_solutions():
    daemon = DAEMON()
    job = daemon.solve({"cycles": "c: (2, 2, 3) / e: (9)", "find": "all"})
    path = f"/v1/jobs/{job['id']}/solutions"
    found = pages(daemon, path + "?", "solutions", 700)
    keys = [(s["length"], s["rank"], s["moves"]) for s in found]
    assert len(found) == 6048 and keys == sorted(keys), len(found)
    assert found[:100] == job["solutions"], "the job does not show the first 100"
    assert len(daemon.get_json(path)["solutions"]) >= 10

    lines, url = [], path + "?page_size=1000"
    while url:
        reply = expect(daemon.get(url, accept="text/plain"), 200)
        assert reply.headers["Content-Type"].startswith("text/plain"), reply
        lines += reply.body.decode().splitlines()
        link = re.fullmatch(r'<([^>]+)>; rel="next"', reply.headers.get("Link", ""))
        url = link and link[1]
    assert lines == [s["moves"] for s in found]


# ---- deleting ------------------------------------------------------------------------------


def test_delete():
    daemon = DAEMON()
    ended, live = daemon.solve(QUARTER)["id"], daemon.submit(SUPERFLIP_JOB)["id"]
    daemon.wait_state(live, "running")
    for job_id in (ended, live):
        reply = expect(daemon.request("DELETE", f"/v1/jobs/{job_id}"), 204)
        assert reply.body == b""
        expect_problem(daemon.get(f"/v1/jobs/{job_id}"), 404, "not-found")
        expect_problem(daemon.request("DELETE", f"/v1/jobs/{job_id}"), 404, "not-found")
        listed = daemon.get_json("/v1/jobs?page_size=1000")["jobs"]
        assert job_id not in [j["id"] for j in listed]
    wait_until(lambda: daemon.metric("threads_busy") == 0, "no busy thread")


# ---- what is not about a job ---------------------------------------------------------------


def test_analyze():
    daemon = DAEMON()
    for word in ("R U R' U'", "", "U2 D2", "R U F2 L' B D'", "(R U)3", "[R, U]", "[F: R2]"):
        plain = {"(R U)3": "R U R U R U", "[R, U]": "R U R' U'",
                 "[F: R2]": "F R2 F'"}.get(word, word)
        state = system_cube.apply(plain)
        reply = expect(daemon.post("/v1/analyze", {"alg": word}), 200).json()
        assert reply["text"] == system_cube.structure_text(state), (word, reply)
        assert reply["order"] == system_cube.order(state), (word, reply)
        assert reply["facelets"] == system_cube.facelets(state), (word, reply)
        assert reply["solved"] == (state == system_cube.SOLVED), (word, reply)
        assert reply["parity"]["corners"] == reply["parity"]["edges"] == \
            sum(m[-1] != "2" for m in plain.split()) % 2, (word, reply)
        assert system_cube.apply(reply["canonical"]) == state, (word, reply)
        assert int(reply["states"]) >= 1 and reply["log10_states"] >= 0, reply
        corners, edges = system_cube.structure(state)
        assert reply["cycles"] == {"corners": [list(c) for c in corners],
                                   "edges": [list(c) for c in edges]}, (word, reply)
    expect_problem(daemon.post("/v1/analyze", {"alg": "R Q"}), 422, "invalid-request", "/alg")
    expect_problem(daemon.post("/v1/analyze", {}), 422, "invalid-request", "")
    expect_problem(daemon.post("/v1/analyze", "{"), 400, "malformed-json")


def test_analyze_judges_targets():
    """What a job would be refused for, and what is to be expected of it, without a search."""
    daemon = DAEMON()
    accepted = daemon.metric("jobs_accepted_total")
    for target in ({"cycles": "c: (1+, 5+) / e: (1+, 1+)"}, {"order": 30}, {"like": "R U"},
                   {"cycles": {"corners": [[3, False]]}, "moves": ["R", "U"]}):
        judged = expect(daemon.post("/v1/analyze", target), 200).json()
        job = daemon.submit({**target, "limits": {"nodes": 1}})
        assert {name: judged[name] for name in job["target"]} == job["target"], (judged, job)
        assert judged["feasible"] is True and judged["expected_length"] > 0, judged
    assert daemon.metric("jobs_accepted_total") == accepted + 4
    expect_problem(daemon.post("/v1/analyze", {"cycles": "c: (2)"}), 422, "infeasible-target",
                   "/cycles", "parity")
    expect_problem(daemon.post("/v1/analyze", {"cycles": {"edges": [[1, True]]}}), 422,
                   "infeasible-target", "/cycles/edges", "orientation-sum")
    expect_problem(daemon.post("/v1/analyze", {"cycles": "c: (2", "alg": "R"}), 422,
                   "invalid-request", "/alg")


def test_puzzles():
    daemon = DAEMON()
    puzzles = {p["name"]: p for p in daemon.get_json("/v1/puzzles")["puzzles"]}
    cube = puzzles["3x3x3"]
    assert cube["positions"] == "43252003274489856000", cube
    assert sorted(cube["moves"]) == sorted(system_cube.MOVES) and cube["symmetries"] == 48, cube
    assert [(o["name"], o["pieces"], o["orientations"]) for o in cube["orbits"]] == [
        ("corners", 8, 3), ("edges", 12, 2)], cube
    assert puzzles["2x2x2"]["positions"] == "3674160", puzzles["2x2x2"]
    assert daemon.get_json("/v1/puzzles/3x3x3") == cube


def test_2x2x2_by_the_generic_path():
    """The second puzzle of the service, solved without anything made for the 3x3x3."""
    daemon = DAEMON()
    job = daemon.submit({"puzzle": "2x2x2", "start": "R U F R U'"})
    job = wait_until(lambda: expect(daemon.get(f"/v1/jobs/{job['id']}", prefer="wait=30"),
                                    200).json(), "its end")
    assert job["state"] == "succeeded" and job["result"]["length"] <= 5, job
    analyzed = daemon.post("/v1/analyze", {
        "puzzle": "2x2x2", "alg": f"R U F R U' {job['result']['best']}"}).json()
    assert analyzed["solved"] is True, analyzed


def test_tables():
    daemon = DAEMON()
    daemon.solve({"cycles": "c: (3) / e:"})
    tables = daemon.get_json("/v1/tables")["tables"]
    members = {"key", "puzzle", "orbits", "target", "kind", "encoding", "bytes", "layers", "state",
               "queries", "pinned", "attached"}
    assert tables and all(set(table) >= members for table in tables), tables
    assert len({table["key"] for table in tables}) == len(tables), tables
    metrics = daemon.metrics()
    assert metrics["cyclosolve_tables"] == len(tables), (metrics, tables)
    assert metrics["cyclosolve_table_bytes"] == sum(t["bytes"] for t in tables), (metrics, tables)


def test_metrics_are_well_formed():
    """Every sample belongs to a declared family; counters end in _total; histograms add up."""
    daemon = DAEMON()
    daemon.solve(QUARTER)
    reply = expect(daemon.get("/metrics"), 200)
    assert reply.headers["Content-Type"].startswith("text/plain; version=0.0.4"), reply
    types, helps, seen = {}, set(), set()
    for line in reply.body.decode().splitlines():
        if line.startswith("# HELP "):
            helps.add(line.split()[2])
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            assert name not in types, f"{name} is declared twice"
            types[name] = kind
        else:
            sample = re.fullmatch(r"([a-z_]+)(\{[a-z_]+=\"[^\"]*\"(,[a-z_]+=\"[^\"]*\")*\})? (\S+)",
                                  line)
            assert sample, line
            float(sample[4])
            family = re.sub(r"_(bucket|sum|count)$", "", sample[1])
            family = family if types.get(family) == "histogram" else sample[1]
            assert family in types and family in helps, line
            assert types[family] != "counter" or family.endswith("_total"), line
            assert (sample[1], sample[2]) not in seen, line
            seen.add((sample[1], sample[2]))
            assert "j_" not in line, f"a job id in {line}"
    metrics = daemon.metrics()
    assert metrics["cyclosolve_search_seconds_count"] == \
        metrics['cyclosolve_search_seconds_bucket{le="+Inf"}']
    assert metrics["cyclosolve_threads"] == 2, metrics
    assert metrics["cyclosolve_expect_failures_total"] == 0, metrics


def test_health_and_version():
    daemon = DAEMON()
    assert expect(daemon.get("/livez"), 200).body == b"ok\n"
    assert expect(daemon.get("/readyz"), 200).body == b"ok\n"
    checks = expect(daemon.get("/readyz?verbose"), 200).body.decode().splitlines()
    assert len(checks) > 1 and all(check.endswith(": ok") for check in checks), checks
    version = daemon.get_json("/version")
    assert set(version) >= {"version", "commit", "compiler", "kernels"}, version


def test_every_reply_has_a_request_id_and_no_sniffing():
    daemon = DAEMON()
    replies = [daemon.get(p) for p in ("/v1/jobs", "/nothing", "/metrics", "/livez")]
    ids = {r.headers["X-Request-Id"] for r in replies}
    assert len(ids) == len(replies), ids
    assert all(r.headers["X-Content-Type-Options"] == "nosniff" for r in replies), replies
