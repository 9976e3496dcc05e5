"""Reading event streams as the standard says (WHATWG HTML, 9.2.6), with the HTTP/1.1 around it.

`Parser` takes bytes and gives events; `Stream` reads one stream with a blocking socket;
`read_many` reads hundreds at once in one thread.
"""

import json
import selectors
import socket
import time
import urllib.parse

from system_daemon import SLOWNESS, contract


class Event:
    def __init__(self, kind, event_id, data):
        self.kind = kind
        self.id = event_id  # None: the event had none
        self.data = data

    def json(self):
        return json.loads(self.data)

    def __repr__(self):
        return f"{self.id}:{self.kind}"


class Parser:
    """HTTP reply with a chunked or endless body -> events, which must be those that are documented
    for the path."""

    body = None  # for the contract: it has none that ends

    def __init__(self, path):
        self.path = path
        self.status = None
        self.headers = {}
        self.events = []
        self.comments = 0
        self.retry = None
        self.first_line = None
        self.complete = False  # the last chunk came
        self._raw = b""
        self._chunk = None  # bytes left of the chunk; None: a size line is next
        self._text = b""
        self._fields = {}

    def feed(self, data):
        self._raw += data
        if self.status is None and not self._take_head():
            return
        if self.headers.get("transfer-encoding") == "chunked":
            self._take_chunks()
        else:
            self._text, self._raw = self._text + self._raw, b""
        self._take_lines()

    def _take_head(self):
        head, separator, rest = self._raw.partition(b"\r\n\r\n")
        if not separator:
            return False
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1])
        self.headers = {name.lower(): value.strip()
                        for name, value in (line.split(":", 1) for line in lines[1:])}
        self._raw = rest
        contract().check("GET", self.path, self)
        return True

    def _take_chunks(self):
        while self._raw:
            if self._chunk is None:
                line, separator, rest = self._raw.partition(b"\r\n")
                if not separator:
                    return
                self._chunk, self._raw = int(line.split(b";")[0], 16) + 2, rest
                if self._chunk == 2:
                    self.complete = True
            piece = self._raw[:self._chunk]
            self._raw = self._raw[self._chunk:]
            self._chunk -= len(piece)
            keep = len(piece) - max(0, 2 - self._chunk) if self._chunk < 2 else len(piece)
            self._text += piece[:keep]
            if self._chunk == 0:
                self._chunk = None

    def _take_lines(self):
        *lines, self._text = self._text.split(b"\n")
        for line in lines:
            self._take_line(line.decode().rstrip("\r"))

    def _take_line(self, line):
        if self.first_line is None:
            self.first_line = line
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if line == "":
            self._dispatch()
        elif name == "":
            self.comments += 1
        elif name == "retry":
            self.retry = int(value)
        elif name == "data" and "data" in self._fields:
            self._fields["data"] += "\n" + value
        else:
            self._fields[name] = value

    def _dispatch(self):
        if "data" in self._fields:
            event_id = self._fields.get("id")
            event = Event(self._fields.get("event", "message"),
                          None if event_id is None else int(event_id), self._fields["data"])
            contract().check_event(self.path, event)
            self.events.append(event)
        self._fields = {}


def _open(daemon, path, after, receive_buffer, timeout, token):
    parts = urllib.parse.urlsplit(daemon.url)
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(timeout * SLOWNESS)
    connection.connect((parts.hostname, parts.port))
    resume = f"Last-Event-ID: {after}\r\n" if after is not None else ""
    resume += f"Authorization: Bearer {token}\r\n" if token else ""
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
                       f"Accept: text/event-stream\r\n{resume}\r\n".encode())
    return connection


class Stream:
    """The event stream of a job or a batch, by its id, or of a path. Iterating gives events until
    the stream ends."""

    def __init__(self, daemon, job_id, after=None, query="", receive_buffer=0, timeout=30,
                 token=None):
        self.taken = 0
        kind = "batches" if job_id.startswith("b_") else "jobs"
        path = job_id if job_id.startswith("/") else f"/v1/{kind}/{job_id}/events"
        self.parser = Parser(path + query)
        self.socket = _open(daemon, path + query, after, receive_buffer, timeout, token)

    def read_head(self):
        while self.parser.status is None:
            if not self._receive():
                break
        return self

    def _receive(self):
        data = self.socket.recv(65536)
        self.parser.feed(data)
        return bool(data) and not self.parser.complete

    def __iter__(self):
        more = not self.parser.complete
        while more or self.taken < len(self.parser.events):
            while self.taken < len(self.parser.events):
                self.taken += 1
                yield self.parser.events[self.taken - 1]
            more = more and self._receive()

    def all(self):
        """Every event until the end of the stream."""
        events = list(self)
        self.close()
        return events

    def until(self, kind):
        """The next event of the kind."""
        for event in self:
            if event.kind == kind:
                return event
        raise AssertionError(f"the stream ended without {kind}: {self.parser.events}")

    def close(self):
        self.socket.close()


def replay(daemon, job_id):
    """Every event that has an id, from the first on; the job must have ended."""
    return Stream(daemon, job_id, after=0).all()


def check_ids(events, after=0):
    """Ids strictly increase above `after`; the last one."""
    for event in events:
        if event.kind == "progress":
            assert event.id is None, "progress carries an id"
        if event.id is not None and event.kind != "snapshot":
            assert event.id > after, f"id {event.id} after {after}"
            after = event.id
    return after


def read_many(streams, timeout=60):
    """Reads the streams to their end, all at once. A stream that is cut keeps what it got."""
    deadline = time.monotonic() + timeout * SLOWNESS
    with selectors.DefaultSelector() as selector:
        for stream in streams:
            stream.socket.setblocking(False)
            selector.register(stream.socket, selectors.EVENT_READ, stream)
        while selector.get_map():
            assert time.monotonic() < deadline, f"{len(selector.get_map())} streams have not ended"
            for key, _ in selector.select(1):
                try:
                    more = key.data._receive()
                except ConnectionError:
                    more = False
                if not more:
                    selector.unregister(key.fileobj)
                    key.data.close()
