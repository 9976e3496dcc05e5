"""The description at /openapi.json: how it is served, that it is one, and that the check of every
reply against it, which all system tests make (system_contract), notices what it should."""

import copy
import json

import jsonschema
import system_contract
import system_events
import system_tokens
from system_daemon import SUPERFLIP_JOB, Shared, contract, data_path, expect

OURS = "https://example.org"
DAEMON = Shared(allow_origin=OURS)
QUARTER = {"cycles": "c: (4) / e: (4)"}


# ---- the document --------------------------------------------------------------------------


def test_served():
    daemon = DAEMON()
    reply = expect(daemon.get("/openapi.json", origin=OURS), 200)
    assert reply.headers["Content-Type"] == "application/json", reply
    assert reply.headers["Access-Control-Allow-Origin"] == OURS, reply
    document = reply.json()
    assert document["openapi"] == "3.1.0", document["openapi"]
    assert document["info"]["version"] == daemon.get_json("/version")["version"], document["info"]
    assert reply.body.count(b"\n") > 1000, "nobody can read that"
    etag = reply.headers["ETag"]
    unchanged = expect(daemon.get("/openapi.json", if_none_match=etag), 304)
    assert unchanged.body == b"" and unchanged.headers["ETag"] == etag, unchanged
    head = expect(daemon.request("HEAD", "/openapi.json"), 200)
    assert head.headers["ETag"] == etag and head.body == b"", head
    expect(daemon.post("/openapi.json", {}), 405)


def test_is_an_openapi_document():
    with open(data_path("openapi_3.1_schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    validator = jsonschema.Draft202012Validator(schema)
    errors = [f"{list(e.absolute_path)}: {e.message[:300]}"
              for e in validator.iter_errors(contract().document)]
    assert not errors, "\n".join(errors[:20])
    broken = copy.deepcopy(contract().document)
    del broken["info"]["title"]
    broken["paths"]["/v1/jobs"]["get"]["responses"]["200"].pop("description")
    noticed = [error.message for error in validator.iter_errors(broken)]
    for name in ("title", "description"):
        assert f"'{name}' is a required property" in noticed, noticed


def test_schemas_are_schemas_and_examples_are_valid():
    document = contract().document
    names = document["components"]["schemas"]
    n = 0
    for name in names:
        schema = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
        jsonschema.Draft202012Validator.check_schema(names[name])
        for member, value in names[name].get("properties", {}).items():
            for example in value.get("examples", []):
                member_schema = {**schema, "$ref": f"{schema['$ref']}/properties/{member}"}
                jsonschema.Draft202012Validator(member_schema).validate(example)
                n += 1
    assert n >= 30, n


def test_operations_have_ids_and_paths_their_parameters():
    ids = []
    for path, operations in contract().document["paths"].items():
        for operation in operations.values():
            ids.append(operation["operationId"])
            names = [p["name"] for p in operation.get("parameters", []) if p.get("in") == "path"]
            assert names == [part[1:-1] for part in path.split("/") if part.startswith("{")], path
    assert len(ids) == len(set(ids)) > 30, ids


def test_browsers_may_send_and_read_what_is_documented():
    daemon = DAEMON()
    components = contract().document["components"]
    reply = daemon.request("OPTIONS", "/v1/jobs", headers={"Origin": OURS})
    allowed = reply.headers["Access-Control-Allow-Headers"].split(", ")
    sent = [p["name"] for p in components["parameters"].values() if p["in"] == "header"]
    assert sorted(allowed) == sorted(sent + ["Authorization", "Content-Type"]), allowed
    reply = daemon.get("/v1/jobs", origin=OURS)
    exposed = reply.headers["Access-Control-Expose-Headers"].split(", ")
    assert set(exposed) <= {name.removesuffix(".sometimes") for name in components["headers"]}


def test_needs_no_token():
    with system_tokens.Guarded({"alice": ["--scopes", "read"]}) as guarded:
        expect(guarded.daemon.get("/openapi.json"), 200)
        expect(guarded.daemon.get("/v1/jobs"), 401)


# ---- the check of replies ------------------------------------------------------------------


class Told:
    """A reply that did not happen."""

    def __init__(self, reply, status=None, body=None, without=None, **fields):
        self.status = status or reply.status
        self.headers = {k: v for k, v in reply.headers.items() if k != without}
        self.headers.update({name.replace("_", "-"): value for name, value in fields.items()})
        self.body = reply.body if body is None else json.dumps(body).encode()


def refuses(check, words):
    """The check must fail with these words."""
    try:
        check()
    except AssertionError as error:
        assert words in str(error), error
        return
    raise AssertionError(f"nothing was noticed of: {words}")


def test_replies_that_are_not_documented_are_noticed():
    daemon = DAEMON()
    job = daemon.solve(QUARTER)
    path = f"/v1/jobs/{job['id']}"
    reply = daemon.get(path)

    def told(words, at=path, method="GET", **changes):
        refuses(lambda: contract().check(method, at, Told(reply, **changes)), words)

    contract().check("GET", path, Told(reply))
    short = {**job, "result": {k: v for k, v in job["result"].items() if k != "optimal"}}
    told("'optimal' is a required property", body=short)
    told("'surprise' was unexpected", body={**job, "surprise": 1})
    told("'surprise' was unexpected", body={**job, "links": {**job["links"], "surprise": ""}})
    told("'yesterday' is not a 'date-time'", body={**job, "started": "yesterday"})
    told("is not valid under any of the given schemas", body={**job, "result": 7})
    told("'done' is not one of", body={**job, "state": "done"})
    told("the field etag is missing", without="ETag")
    told("the field x-new is not documented", X_New="1")
    told("text/html is not documented", Content_Type="text/html")
    told("the status is not documented", status=202)
    told("the path is not documented", at="/v1/nothing")
    told("GET", at="/v1/analyze")
    told("the refusal is application/json", status=404)
    problem = daemon.get("/v1/jobs/j_none")
    contract().check("GET", path, Told(problem))
    body = problem.json()
    refuses(lambda: contract().check("GET", path, Told(problem, body={**body, "type": "/x"})),
            "'/x' is not one of")
    refuses(lambda: contract().check("GET", path, Told(
        problem, body={**body, "type": "/problems/conflict"})), "'/problems/conflict'")
    refuses(lambda: contract().check("GET", path, Told(problem, status=503)), "503")


def test_requests_that_are_not_documented_are_noticed():
    daemon = DAEMON()
    reply = daemon.post("/v1/jobs", {**QUARTER, "find": "all"})

    def sent(body, words, at="/v1/jobs"):
        refuses(lambda: contract().check("POST", at, reply, json.dumps(body)), words)

    sent({**QUARTER, "fast": True}, "'fast' was unexpected")
    sent({**QUARTER, "find": "some"}, "'some' is not one of")
    sent({"find": "one"}, "not valid under any of the given schemas")
    sent(QUARTER, "the parameter color is not documented", at="/v1/jobs?color=red")


def test_events_that_are_not_documented_are_noticed():
    daemon = DAEMON()
    job_id = daemon.submit(SUPERFLIP_JOB)["id"]
    stream = system_events.Stream(daemon, job_id)
    state = stream.until("snapshot")
    path = f"/v1/jobs/{job_id}/events"
    stream.close()
    daemon.cancel(job_id)

    def told(kind, event_id, data, words, at=path):
        event = system_events.Event(kind, event_id, json.dumps(data))
        refuses(lambda: contract().check_event(at, event), words)

    contract().check_event(path, state)
    told("news", 1, {}, "the event news is not documented")
    told("state", 1, {"state": "done"}, "'done' is not one of")
    told("state", 1, {"state": "queued", "why": ""}, "'why' was unexpected")
    told("state", None, {"state": "queued"}, "state with the id None")
    told("state", 1, {"state": "queued"}, "'job' is a required property", at="/v1/events")
    told("draining", 7, {}, "draining with the id 7")


def test_a_document_that_says_less_is_noticed():
    """The other way round: what the daemon does, against a document that has lost something."""
    daemon = DAEMON()
    document = daemon.get_json("/openapi.json")
    job = daemon.solve(QUARTER)
    path = f"/v1/jobs/{job['id']}"
    reply = daemon.get(path)

    def without(words, *place):
        cut = copy.deepcopy(document)
        at = cut
        for part in place[:-1]:
            at = at[part]
        del at[place[-1]]
        refuses(lambda: system_contract.Contract(cut).check("GET", path, reply), words)

    system_contract.Contract(document).check("GET", path, reply)
    schemas = ("components", "schemas")
    without("'version' was unexpected", *schemas, "Job", "properties", "version")
    without("'rank' was unexpected", *schemas, "Solution", "properties", "rank")
    without("the path is not documented", "paths", "/v1/jobs/{id}")
    without("the field etag is not documented", "paths", "/v1/jobs/{id}", "get", "responses", "200",
            "headers", "ETag")
    without("the status is not documented", "paths", "/v1/jobs/{id}", "get", "responses", "200")
