"""What is refused, with which status, type, pointer and rule; and that nobody else notices."""

from system_daemon import (MEBIBYTE, SANITIZER, SUPERFLIP_JOB, Shared, expect_problem, say,
                           wait_until)

DAEMON = Shared(max_running_jobs=2)


def post(body, **headers):
    return DAEMON().post("/v1/jobs", body, **headers)


def refuse_infeasible(cycles, pointer, rule):
    return expect_problem(post({"cycles": cycles}), 422, "infeasible-target", pointer, rule)


def refuse_invalid(spec, pointer):
    return expect_problem(post(spec), 422, "invalid-request", pointer)


def refuse_malformed(body):
    return expect_problem(post(body), 400, "malformed-json")


# ---- infeasible targets --------------------------------------------------------------------


def test_row_infeasible_one_flipped_edge():
    refuse_infeasible("e: (1+)", "/cycles", "orientation-sum")


def test_row_infeasible_one_twisted_corner():
    refuse_infeasible("c: (1+)", "/cycles", "orientation-sum")
    refuse_infeasible({"corners": [[1, True]]}, "/cycles/corners", "orientation-sum")


def test_row_infeasible_lengths_over_the_orbit():
    refuse_infeasible("c: (5, 5)", "/cycles", "pieces")
    refuse_infeasible({"edges": [[7, False], [7, False]]}, "/cycles/edges", "pieces")
    refuse_infeasible("e: (13)", "/cycles", "length")


def test_row_infeasible_parity_mismatch():
    refuse_infeasible("c: (2)", "/cycles", "parity")
    refuse_infeasible({"edges": [[4, False]]}, "/cycles", "parity")


def test_row_infeasible_length_0():
    refuse_infeasible({"corners": [[0, True]]}, "/cycles/corners/0/0", "length")


def test_infeasible_order():
    expect_problem(post({"order": 13}), 422, "infeasible-target", "/order", "order")


# ---- wrong requests ------------------------------------------------------------------------


def test_row_orbit_unknown():
    problem = refuse_invalid({"cycles": {"midges": [[1, True]]}}, "/cycles/midges")
    assert "corners" in problem["detail"] and "edges" in problem["detail"], problem
    refuse_invalid({"cycles": "x: (3)"}, "/cycles")


def test_row_json_cut_off():
    for body in ('{"cycles":"c: (3', '{"cycles":', "{", '{"cycles":"c: (3)"', "", " ", "nul"):
        refuse_malformed(body)


def test_row_body_of_10_mb():
    body = b'{"cycles": "' + b" " * (10 * 1000 * 1000) + b'"}'
    expect_problem(post(body), 413, "payload-too-large")


def test_row_body_of_10_mb_in_chunks():
    """Without a length beforehand the body is counted as it comes."""
    connection = DAEMON().connect()
    pieces = (b" " * 65536 for _ in range(10 * MEBIBYTE // 65536))
    try:
        connection.request("POST", "/v1/jobs", pieces, encode_chunked=True,
                           headers={"Transfer-Encoding": "chunked"})
        assert connection.getresponse().status == 413
    except (BrokenPipeError, ConnectionResetError):
        pass  # it may hang up on somebody who goes on
    finally:
        connection.close()


def test_row_40_000_nested_brackets():
    refuse_malformed("[" * 40000)
    refuse_malformed("[" * 40000 + "]" * 40000)
    refuse_malformed('{"cycles":' * 40000 + "1" + "}" * 40000)
    refuse_malformed('{"cycles": {"corners": ' + "[" * 40000 + "]" * 40000 + "}}")


def test_json_duplicate_keys():
    refuse_malformed('{"cycles":"c: (3)","cycles":"c: (3)"}')
    refuse_malformed('{"cycles":{"corners":[],"corners":[]}}')


def test_json_not_utf8():
    for text in (b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"):
        refuse_malformed(b'{"cycles":"' + text + b'"}')
    refuse_malformed('{"cycles":"c: (3)"}'.encode("utf-16"))


def test_json_trailing_text():
    refuse_malformed('{"cycles":"c: (3)"} x')
    refuse_malformed('{"cycles":"c: (3)"}{}')


def test_json_not_an_object():
    for body in ("[]", '"c: (3)"', "5", "null", "true"):
        expect_problem(post(body), 422, "invalid-request", "")


def test_unknown_members():
    problem = refuse_invalid({"cyclse": "c: (3)"}, "/cyclse")
    assert "cycles" in problem["detail"], problem
    refuse_invalid({"cycles": "c: (3)", "limits": {"second": 1}}, "/limits/second")
    refuse_invalid({"cycles": {"corners": [{"length": 3, "orient": True}]}},
                   "/cycles/corners/0/orient")


def test_wrong_types_and_ranges_all_at_once():
    wrong = {"cycles": 5, "find": "some", "fresh": 1, "priority": 12, "min_length": -1, "label": 7,
             "metric": None, "limits": {"seconds": "5", "nodes": 1.5}}
    problem = post(wrong).json()
    pointers = {error["pointer"] for error in problem["errors"]}
    assert pointers == {"/cycles", "/find", "/fresh", "/priority", "/min_length", "/label",
                        "/metric", "/limits/seconds", "/limits/nodes"}, problem
    expect_problem(post(wrong), 422, "invalid-request", "/cycles")


def test_wrong_values_of_each_member():
    good = {"cycles": "c: (3)"}
    for member, value, pointer in (
            ("cycles", {"corners": 5}, "/cycles/corners"),
            ("cycles", {"corners": [[3]]}, "/cycles/corners/0"),
            ("cycles", {"corners": [[3, 1]]}, "/cycles/corners/0/1"),
            ("cycles", {"corners": [["3", True]]}, "/cycles/corners/0/0"),
            ("cycles", {"corners": [[3, False]], "edges": None}, "/cycles/edges"),
            ("cycles", "c: (3) q", "/cycles"),
            ("cycles", "c: (3", "/cycles"),
            ("cycles", "(3)", "/cycles"),
            ("puzzle", "7x7x7", "/puzzle"),
            ("puzzle", 3, "/puzzle"),
            ("moves", [], "/moves"),
            ("moves", ["R", "Q"], "/moves/1"),
            ("moves", "R U", "/moves"),
            ("metric", "stm", "/metric"),
            ("slack", 2, "/slack"),
            ("max_length", -1, "/max_length"),
            ("max_length", 2.5, "/max_length"),
            ("label", "x" * 201, "/label"),
            ("priority", 10, "/priority"),
            ("limits", [], "/limits"),
            ("limits", {"memory_mib": -1}, "/limits/memory_mib"),
            ("tables", "all", "/tables")):
        refuse_invalid({**good, member: value}, pointer)
    for start in ("R Q2", "R (", "R3x", "x R", "Rw", "M", "R U'' F"):
        refuse_invalid({"start": start}, "/start")
    problem = refuse_invalid({"start": "R Q2"}, "/start")
    assert "position 2" in problem["detail"], problem


def test_targets_that_exclude_each_other():
    refuse_invalid({"cycles": "c: (3)", "like": "U"}, "/like")
    refuse_invalid({"cycles": "c: (3)", "order": 3}, "/order")
    refuse_invalid({}, "")
    refuse_invalid({"cycles": "c: (3)", "min_length": 5, "max_length": 4}, "/min_length")


def test_what_later_issues_bring_is_refused_clearly():
    for spec, pointer in (
            ({"start": "R", "identical": True}, "/identical"),
            ({"cycles": "c: (3)", "metric": "qtm"}, "/metric"),
            ({"cycles": "c: (3)", "weights": {"U": 2}}, "/weights"),
            ({"cycles": {"corners": [{"length": 3, "twist": 1}]}}, "/cycles/corners/0/twist"),
            ({"start": {"reid": "UF UR UB UL DF DR DB DL FR FL BR BL"}}, "/start/reid")):
        expect_problem(post(spec), 422, "unsupported", pointer)


def test_content_types():
    body = '{"cycles":"c: (3)", "max_length": 0}'
    for kind in ("text/xml", "text/plain", "multipart/form-data; boundary=x", "application/jsonx"):
        expect_problem(post(body, content_type=kind), 415, "unsupported-media-type")
    for kind in ("application/json", "application/json; charset=utf-8",
                 "application/x-www-form-urlencoded"):
        assert post(body, content_type=kind).status == 202, kind
    expect_problem(post(body, content_encoding="gzip"), 415, "unsupported-media-type")


def test_broken_http_framing():
    """Requests that a proxy and the daemon might understand differently."""
    for fields in ({"Content-Length": "2", "Transfer-Encoding": "chunked"},
                   {"Transfer-Encoding": "gzip"}):
        connection = DAEMON().connect(5)
        try:
            connection.putrequest("POST", "/v1/jobs", skip_accept_encoding=True)
            for name, value in fields.items():
                connection.putheader(name, value)
            connection.endheaders(b"2\r\n{}\r\n0\r\n\r\n")
            assert connection.getresponse().status == 400, fields
        finally:
            connection.close()


def test_addresses_and_fields_that_are_too_long():
    reply = DAEMON().get("/v1/jobs/" + "x" * 1000)
    expect_problem(reply, 404, "not-found")
    assert DAEMON().get("/v1/jobs?label=" + "x" * 200000).status in (414, 431)
    assert DAEMON().get("/v1/jobs", x_long="y" * 200000).status == 431
    assert DAEMON().get("/v1/jobs/%00%ff").status in (400, 404)


def test_a_running_job_is_not_disturbed():
    """While everything above is repeated, a job goes on, and the daemon does not grow."""
    daemon = DAEMON()
    running = daemon.submit(SUPERFLIP_JOB)
    daemon.wait_state(running["id"], "running")
    wait_until(lambda: daemon.job(running["id"])["progress"]["nodes"], "progress")
    before = daemon.anonymous_bytes()
    nodes = daemon.job(running["id"])["progress"]["nodes"]
    for test in (test_row_infeasible_one_flipped_edge, test_row_json_cut_off,
                 test_row_body_of_10_mb, test_row_40_000_nested_brackets,
                 test_wrong_values_of_each_member, test_row_body_of_10_mb_in_chunks,
                 test_broken_http_framing):
        test()
    wait_until(lambda: daemon.job(running["id"])["progress"]["nodes"] > nodes, "more progress")
    job = daemon.job(running["id"])
    assert job["state"] == "running", job
    assert daemon.solve({"cycles": "c: (4) / e: (4)", "fresh": True})["result"]["length"] == 1
    grown = daemon.anonymous_bytes() - before
    say(f"grown by {grown / MEBIBYTE:.1f} MiB")
    assert SANITIZER or grown < 32 * MEBIBYTE
    assert daemon.cancel(running["id"])["state"] == "cancelled"
    assert daemon.metric("expect_failures_total") == 0


def test_no_request_was_answered_500():
    replies = DAEMON().metrics()
    assert not any('status="5xx"' in name and "http_replies" in name for name in replies), replies
