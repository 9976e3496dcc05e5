"""What /openapi.json promises, held against what the daemon does.

A `Contract` is made of the document once. Its references are put in place, because that makes
validators several times as fast, and replies may have no member that the document does not name:
clients should pass over such a member, but here it is one that somebody forgot to describe.
"""

import json
import re
import urllib.parse

try:
    import jsonschema
except ImportError as error:
    raise SystemExit("the system tests need jsonschema (Debian: python3-jsonschema); "
                     "run `make deps-test`") from error

JSON_TYPES = ("application/json", "application/problem+json")
PROBLEM_TYPE = "application/problem+json"
EVENT_TYPE = "text/event-stream"

# What HTTP itself or every reply has; all other fields are to be documented.
AMBIENT = {"date", "connection", "content-length", "content-type", "transfer-encoding", "vary",
           "x-content-type-options"}
# Refusals before the path is looked at: of the request as such, of who sends it, of too much.
BEFORE_PATH = (400, 401, 403, 413, 414, 429, 503)
# What libmicrohttpd answers by itself, of heads that are none or do not fit; without X-Request-Id.
LIBRARY = (400, 414, 431)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")

_formats = jsonschema.FormatChecker(formats=())
_formats.checks("date-time")(lambda value: not isinstance(value, str) or TIME.fullmatch(value))


def _resolve(document, value):
    """A copy without references."""
    if isinstance(value, list):
        return [_resolve(document, item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" not in value:
        return {name: _resolve(document, item) for name, item in value.items()}
    target = document
    for part in value["$ref"].removeprefix("#/").split("/"):
        target = target[part]
    beside = {name: item for name, item in value.items() if name != "$ref"}
    target = _resolve(document, target)
    return {"allOf": [target], **_resolve(document, beside)} if beside else target


def _forbid_unnamed(schema):
    """Makes objects forbid the members that they do not name; in place."""
    if isinstance(schema, list):
        for item in schema:
            _forbid_unnamed(item)
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for item in schema.values():
            _forbid_unnamed(item)


def validator(schema):
    return jsonschema.Draft202012Validator(schema, format_checker=_formats)


def _complain(errors, what):
    """Fails with the first and deepest of the errors."""
    error = jsonschema.exceptions.best_match(errors)
    if error is not None:
        place = "/".join(str(part) for part in error.absolute_path)
        raise AssertionError(f"{what}: /{place}: {error.message[:1000]}")


class _Reply:
    """A reply that is documented: a status of an operation."""

    def __init__(self, document):
        self.fields = {name.lower(): field.get("required", False)
                       for name, field in document.get("headers", {}).items()}
        self.validators, self.events = {}, {}
        for media, content in document.get("content", {}).items():
            schema = content["schema"]
            _forbid_unnamed(schema)
            self.validators[media] = validator(schema)
            for name, event in content.get("x-events", {}).items():
                _forbid_unnamed(event["schema"])
                self.events[name] = (event["x-numbered"], validator(event["schema"]))
        self.seen = set()  # hashes of what was valid

    def check_fields(self, headers, what):
        there = {name.lower() for name in headers}
        for name, required in self.fields.items():
            assert name in there or not required, f"{what}: the field {name} is missing"
        for name in there - AMBIENT - set(self.fields):
            assert name.startswith("access-control-"), f"{what}: the field {name} is not documented"

    def check_body(self, media, body, what):
        if not self.validators:
            assert not body, f"{what}: no body is documented: {body[:200]!r}"
            return
        found = self.validators.get(media, self.validators.get("*/*"))
        assert found, f"{what}: {media} is not documented, but {list(self.validators)}"
        if media not in JSON_TYPES or hash(body) in self.seen:
            return
        _complain(found.iter_errors(json.loads(body)), what)
        self.seen.add(hash(body))

    def check_event(self, kind, event_id, data, what):
        assert kind in self.events, f"{what}: the event {kind} is not documented"
        numbered, found = self.events[kind]
        assert numbered == (event_id is not None), f"{what}: {kind} with the id {event_id}"
        if hash((kind, data)) in self.seen:
            return
        _complain(found.iter_errors(json.loads(data)), f"{what}: event {kind}")
        self.seen.add(hash((kind, data)))


class _Operation:
    def __init__(self, document):
        self.replies = {int(status): _Reply(reply)
                        for status, reply in document["responses"].items()}
        self.parameters = {p["name"].lower(): p["in"] for p in document.get("parameters", [])}
        body = document.get("requestBody", {}).get("content", {}).get("application/json")
        self.body = validator(body["schema"]) if body else None

    def check_request(self, body, query, what):
        """What was answered with success must be what the document says is accepted."""
        if self.body and body:
            _complain(self.body.iter_errors(json.loads(body)), f"{what}: the request")
        for name in query:
            assert name == "token" or self.parameters.get(name) == "query", (
                f"{what}: the parameter {name} is not documented")


class Contract:
    def __init__(self, document):
        self.document = document
        self.problem = validator(_resolve(document, {"$ref": "#/components/schemas/Problem"}))
        self.paths = [(re.compile(re.sub(r"\\\{\w+\\\}", "[^/]{1,63}", re.escape(template))),
                       {method: _Operation(_resolve(document, operation))
                        for method, operation in operations.items()})
                      for template, operations in document["paths"].items()]

    def _operations(self, path):
        for pattern, operations in self.paths:
            if pattern.fullmatch(path):
                return operations
        return None

    def _reply(self, method, path, status):
        operations = self._operations(path) or {}
        operation = operations.get("get" if method == "HEAD" else method.lower())
        return operation, operation and operation.replies.get(status)

    def check(self, method, target, reply, sent=None):
        """A reply (status, headers, body or None) to a request for `target`, with `sent` as body,
        is what the document says."""
        parts = urllib.parse.urlsplit(target)
        path = urllib.parse.unquote(parts.path)
        what = f"{method} {target[:200]} -> {reply.status}"
        fields = {name.lower(): value for name, value in reply.headers.items()}
        media = fields.get("content-type", "").split(";")[0]
        operation, documented = self._reply(method, path, reply.status)
        if reply.status in LIBRARY and "x-request-id" not in fields:
            return
        if reply.status >= 400:
            self._check_problem(method, media, reply, what)
        if operation is None:
            self._check_refused(method, path, reply, what)
            return
        assert documented, f"{what}: the status is not documented: {reply.body!r}"
        documented.check_fields(reply.headers, what)
        if method != "HEAD" and reply.body is not None:
            documented.check_body(media, reply.body, what)
        if reply.status < 300:
            query = urllib.parse.parse_qs(parts.query, keep_blank_values=True)
            operation.check_request(sent, query, what)

    def _check_problem(self, method, media, reply, what):
        assert media == PROBLEM_TYPE, f"{what}: the refusal is {media}"
        if method != "HEAD" and reply.body is not None:
            _complain(self.problem.iter_errors(json.loads(reply.body)), what)

    def _check_refused(self, method, path, reply, what):
        """A path without this method, or no path at all."""
        operations = self._operations(path)
        if operations is None:
            assert reply.status in (404, *BEFORE_PATH), f"{what}: the path is not documented"
        elif reply.status not in BEFORE_PATH:
            methods = {name.upper() for name in operations} | {"OPTIONS"}
            methods |= {"HEAD"} & {"HEAD" if "get" in operations else ""}
            assert reply.status == (204 if method == "OPTIONS" else 405), what
            assert set(reply.headers["Allow"].split(", ")) == methods, f"{what}: {reply.headers}"

    def check_event(self, path, event):
        """An event of the stream at the path."""
        operation, documented = self._reply("GET", urllib.parse.urlsplit(path).path, 200)
        assert operation and documented, f"the stream {path} is not documented"
        documented.check_event(event.kind, event.id, event.data, f"GET {path}")
