#!/usr/bin/env python3
"""Fuzzed requests to a real daemon, best one built with sanitizers.

    CYCLOSOLVED=/path/of/cyclosolved fuzz_http.py [--requests=100000] [--seed=N] [--report=FILE]

Connections in parallel send what a seed decides: requests that are framed well, many in flight, with
methods, paths, queries, fields and bodies that are valid, mutated or noise (bodies come from the
corpora of the parsers); requests whose bytes are mutated, so that framing breaks too; event streams
and requests that are left in the middle. No reply may have a status of 5xx but 503, each must be
well-formed and in step, what calls itself JSON must be that; in the end the daemon must answer, have
counted no failed expectation, and go down well and without a leak.

The last line reads "N passed, N failed"; the report has the raw counts.
"""

import argparse
import collections
import contextlib
import json
import os
import random
import re
import select
import socket
import struct
import sys
import threading
import time
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "system"), os.path.join(ROOT, "tests", "fuzz")]
import fuzz_report  # noqa: E402  pylint: disable=wrong-import-position
from system_daemon import SANITIZER, SLOWNESS, Daemon  # noqa: E402  pylint: disable=C0413

CORPUS = os.path.join(ROOT, "tests", "fuzz", "corpus")
CONNECTIONS = 16
IN_FLIGHT = 8             # requests sent before their replies are read
EXCHANGES_A_CONNECTION = 50
SEEN_IDS = 64
SILENCE_SECONDS = 0.3
MAX_PROBLEMS = 30
# Jobs that end soon, so that many of them are accepted, run and end while the fuzz goes on.
OPTIONS = {"threads": 1, "memory_mib": 1, "max_job_nodes": 2000, "max_job_seconds": 2,
           "max_running_jobs": 2, "header_seconds": 1, "body_seconds": 1, "idle_seconds": 5,
           "max_connections": 200, "log_level": "warning"}

METHODS = ["GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH", "TRACE", "get", "X" * 40]
ACTIONS = ("/cancel", "/pause", "/resume", "/events-token")
BODIES = {"/v1/jobs": "job", "/v1/batches": "batch", "/v1/analyze": "analyze",
          "/v1/tables": "tables", "/v1/tables/{key}/pin": "tables"}
PATHS = [*BODIES, "/v1/jobs/{id}", "/v1/jobs/{id}/solutions", "/v1/jobs/{id}/cancel",
         "/v1/jobs/{id}/pause", "/v1/jobs/{id}/resume", "/v1/jobs/{id}/events-token",
         "/v1/batches/{id}", "/v1/batches/{id}/jobs", "/v1/batches/{id}/cancel",
         "/v1/batches/{id}/events-token", "/v1/tables/{key}", "/v1/puzzles", "/v1/puzzles/3x3x3",
         "/v1/puzzles/{id}", "/livez", "/readyz", "/metrics", "/version", "/", "/assets/{id}",
         "/openapi.json", "/nothing", "*", "//", "/v1/jobs/", "/v1/%6aobs", "/%00", "/%zz"]
STREAMS = ["/v1/events", "/v1/jobs/{id}/events", "/v1/batches/{id}/events"]
QUERY = ["page_size", "page_token", "state", "puzzle", "label", "after", "token", "verbose", "x"]
VALUES = ["", "1", "0", "1000", "99999999999999999999", "-1", "running", "succeeded", "3x3x3",
          "%00", "%ff%fe", "%", "a%20b", "AAAAAAAAAAAAAAAAAAAAAAAAAAA", "'\"<>", "x" * 300]
FIELDS = {
    "Accept": ["application/json", "text/plain", "text/event-stream;q=0.5, */*;q=0", "*/*;q=",
               "x/y", ",,;;=", "text/*"],
    "Prefer": ["wait=0", "respond-async", "wait=x", "wait=-1", "wait=", ";=,\"", "wait"],
    "If-None-Match": ["*", "\"x\"", "W/\"j_1-1\", \"", ",,,", "\"" + "a" * 300],
    "Idempotency-Key": ["a", "\"a\"", "\"", "", "k" * 255, "k" * 256, "\"\\\"\""],
    "Last-Event-ID": ["0", "1", "-1", "x", "18446744073709551616"],
    "Origin": ["null", "http://localhost", "https://evil.example", "", "http://127.0.0.1:1"],
    "Authorization": ["Bearer x", "Bearer", "Basic eDp5", "Bearer cys_" + "0" * 64],
    "Content-Type": ["application/json", "application/json; charset=utf-8", "text/xml", ";",
                     "application/x-www-form-urlencoded", "application/json;charset=latin1"],
    "Content-Encoding": ["gzip", "identity", ""],
    "Expect": ["100-continue"],
    "traceparent": ["00-" + "a" * 32 + "-" + "b" * 16 + "-01", "00", "zz-"],
    "X-Request-Id": ["abc", "\t", "x" * 100, "a b"],
    "Cookie": ["a=b; c", "=;="],
    "X-Noise": ["x" * 3000, "\x80\xff"],
    "Access-Control-Request-Method": ["POST", ""],
}
INTERESTING = bytes([0, 1, 9, 10, 13, 32, 34, 44, 45, 48, 57, 58, 91, 92, 93, 123, 125, 127, 128,
                     255])
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) [^\r\n]*\r\n")
ID = re.compile(rb'"id":"([jb]_[^"]{1,60})"')


class Wrong(Exception):
    """What must not be."""


def read_corpus():
    found = {}
    for name in set(BODIES.values()):
        folder = os.path.join(CORPUS, name)
        found[name] = [open(os.path.join(folder, file), "rb").read()
                       for file in sorted(os.listdir(folder))]
    return found


class Maker:
    """Makes requests; all that it does follows from its seed and the ids that it is told."""

    def __init__(self, seed, corpus):
        self.random = random.Random(seed)
        self.corpus = corpus
        self.ids = ["j_0", "b_0"]

    def pick(self, items):
        return items[int(self.random.random() * len(items))]

    def chance(self, share):
        return self.random.random() < share

    def mutate(self, data, other=b""):
        data = bytearray(data)
        for _ in range(1 + int(self.random.random() * 4)):
            at = int(self.random.random() * (len(data) + 1))
            kind = int(self.random.random() * 5)
            if kind == 0 and data:
                data[at % len(data)] ^= 1 << int(self.random.random() * 8)
            elif kind == 1:
                data[at:at + 1] = bytes([self.pick(INTERESTING)])
            elif kind == 2:
                del data[at:at + 1 + int(self.random.random() * 16)]
            elif kind == 3:
                data[at:at] = data[at // 2:at]
            else:
                start = int(self.random.random() * (len(other) + 1))
                data[at:at] = other[start:start + 40]
        return bytes(data[:20000])

    def body(self, path):
        inputs = self.corpus[BODIES.get(path) or self.pick(list(self.corpus))]
        body = self.pick(inputs)
        return self.mutate(body, self.pick(inputs)) if self.chance(0.7) else body

    def target(self, template):
        path = re.sub(r"\{\w+\}", lambda _: self.pick(self.ids), template)
        if self.chance(0.05):
            path = "/" + urllib.parse.quote(self.mutate(path.encode("latin-1")))
        if self.chance(0.2):
            path += "?" + "&".join(f"{self.pick(QUERY)}={self.pick(VALUES)}"
                                   for _ in range(self.random.randrange(1, 4)))
        return path

    def fields(self):
        names = [self.pick(list(FIELDS)) for _ in range(int(self.random.random() * 4))]
        return "".join(f"{name}: {self.pick(FIELDS[name])}\r\n" for name in dict.fromkeys(names))

    def chunked(self, body):
        out, at = b"", 0
        while at < len(body):
            size = 1 + int(self.random.random() * 200)
            piece = body[at:at + size]
            out += b"%x%s\r\n%s\r\n" % (len(piece), b";x=y" if self.chance(0.1) else b"", piece)
            at += size
        return out + b"0\r\n\r\n"

    def method(self, template):
        """Mostly one that the path answers."""
        if self.chance(0.1):
            return self.pick(METHODS)
        if template.endswith(ACTIONS) or (template in BODIES and self.chance(0.8)):
            return "POST"
        if template.endswith(("{id}", "{key}")) and self.chance(0.2):
            return "DELETE"
        return "GET"

    def framed(self):
        """(method, bytes) of a request on whose end all agree."""
        template = self.pick(PATHS) if self.chance(0.6) else self.pick(list(BODIES))
        method = self.method(template)
        head = f"{method} {self.target(template)} HTTP/1.1\r\nHost: localhost\r\n{self.fields()}"
        body = b""
        if method == "POST" or self.chance(0.05):
            body = self.body(template)
            if self.chance(0.2):
                head, body = head + "Transfer-Encoding: chunked\r\n", self.chunked(body)
            else:
                head += f"Content-Length: {len(body)}\r\n"
        return method, (head + "\r\n").encode("latin-1") + body

    def broken(self):
        """Bytes of requests with anything at any place."""
        text = b"".join(self.framed()[1] for _ in range(self.random.randrange(1, 4)))
        return self.mutate(text, self.framed()[1])


class Client:
    """One connection after another, until all requests have been sent."""

    def __init__(self, address, maker, counts):
        self.address, self.maker, self.counts = address, maker, counts
        self.socket, self.data = None, b""

    def connect(self):
        self.close()
        self.data = b""
        self.socket = socket.create_connection(self.address, timeout=20 * SLOWNESS)

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None

    # ---- replies

    def more(self):
        """False: the end of the connection."""
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionError:
            return False
        except TimeoutError:
            raise Wrong(f"no reply in {20 * SLOWNESS} s; so far {self.data[:200]!r}") from None
        self.data += data
        return bool(data)

    def take(self, length):
        while len(self.data) < length:
            if not self.more():
                raise Wrong(f"a reply ends early: {self.data[:300]!r}")
        taken, self.data = self.data[:length], self.data[length:]
        return taken

    def line(self):
        while b"\r\n" not in self.data:
            if not self.more():
                raise Wrong(f"a reply ends early: {self.data[:300]!r}")
        return self.take(self.data.index(b"\r\n") + 2)

    def chunks(self):
        body = b""
        while size := int(self.line().split(b";")[0], 16):
            body += self.take(size)
            self.line()
        self.line()
        return body

    def head(self):
        """(status, head); None: the connection has ended in between."""
        while b"\r\n\r\n" not in self.data:
            if not self.more():
                if self.data:
                    raise Wrong(f"a head ends early: {self.data[:300]!r}")
                return None
        head = self.take(self.data.index(b"\r\n\r\n") + 4)
        found = STATUS.match(head)
        if not found:
            raise Wrong(f"no status line: {head[:300]!r}")
        return int(found[1]), head.lower()

    def reply(self, method):
        """Reads one reply; False: none comes on this connection any more."""
        found = self.head()
        while found and found[0] == 100:
            found = self.head()
        if not found:
            return False
        status, head = found
        self.judge(status, head)
        length = re.search(rb"\r\ncontent-length: (\d+)\r\n", head)
        if method == "HEAD" or status in (204, 304):
            body = b""
        elif length:
            body = self.take(int(length[1]))
        elif b"transfer-encoding: chunked" in head:
            body = self.chunks()
        else:
            raise Wrong(f"a reply without a length: {head!r}")
        self.judge_body(head, body)
        return b"\r\nconnection: close\r\n" not in head

    def judge(self, status, head):
        self.counts[f"status_{status}"] += 1
        if status >= 500 and status not in (503, 505):
            raise Wrong(f"status {status}: {head!r}")
        if status == 503 and b"retry-after:" not in head:
            raise Wrong(f"a 503 without Retry-After: {head!r}")

    def judge_body(self, head, body):
        if b"json\r\n" in head and body:
            try:
                json.loads(body)
            except ValueError as error:
                raise Wrong(f"no JSON: {error}: {body[:500]!r}") from None
        for found in ID.findall(body[:400]):
            self.maker.ids = [found.decode("latin-1"), *self.maker.ids[:SEEN_IDS]]

    # ---- exchanges: each returns the number of requests

    def send(self, data):
        with contextlib.suppress(ConnectionError):
            self.socket.sendall(data)

    def until_silence(self):
        """What has been sent may ask for more, and nobody sends it."""
        while select.select([self.socket], [], [], SILENCE_SECONDS)[0] and self.more():
            if b"text/event-stream" in self.data:
                return

    def in_step(self):
        """Well-framed requests at once; then each has its reply, in order, or the connection has
        ended behind one that says so."""
        made = [self.maker.framed() for _ in range(self.maker.random.randrange(1, IN_FLIGHT + 1))]
        self.send(b"".join(data for _, data in made))
        for answered, (method, _) in enumerate(made, 1):
            if not self.reply(method):
                self.connect()
                break
        return answered

    def out_of_step(self):
        """Whatever comes back, up to the end, which a last request asks for."""
        self.send(self.maker.broken() + b"\r\n\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n"
                  b"Connection: close\r\n\r\n")
        self.until_silence()
        for found in re.finditer(rb"(?:^|\n|\})HTTP/1\.1 (\d{3}) [^\r\n]*\r\n.*?\r\n\r\n", self.data,
                                 re.S):
            self.judge(int(found[1]), found[0].lower())
        self.connect()
        return 2

    def left_alone(self):
        """A stream or a part of a request, and then the connection is reset."""
        target = self.maker.target(self.maker.pick(STREAMS))
        data = f"GET {target} HTTP/1.1\r\nHost: localhost\r\n{self.maker.fields()}\r\n".encode(
            "latin-1")
        if self.maker.chance(0.5):
            data = self.maker.framed()[1]
            data = data[:self.maker.random.randrange(len(data))]
        self.send(data)
        if self.maker.chance(0.5):
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connect()
        return 1

    def exchange(self):
        dice = self.maker.random.random()
        kind = self.in_step if dice < 0.93 else self.out_of_step if dice < 0.97 else self.left_alone
        self.counts[kind.__name__] += 1
        return kind()


class Fuzz:
    def __init__(self, daemon, requests, seed):
        parts = urllib.parse.urlsplit(daemon.url)
        self.address = (parts.hostname, parts.port)
        self.daemon, self.requests, self.seed = daemon, requests, seed
        self.counts = collections.Counter()
        self.problems = []
        self.lock = threading.Lock()
        self.corpus = read_corpus()

    def complain(self, text):
        with self.lock:
            self.problems.append(text)
            if len(self.problems) <= MAX_PROBLEMS:
                print(f"  PROBLEM: {text}", flush=True)

    def client(self, number):
        counts = collections.Counter()
        client = Client(self.address, Maker(self.seed * 1000 + number, self.corpus), counts)
        sent, exchanges, most = 0, 0, -(-self.requests // CONNECTIONS)
        try:
            while sent < most and len(self.problems) < MAX_PROBLEMS:
                if exchanges % EXCHANGES_A_CONNECTION == 0:
                    client.connect()
                exchanges += 1
                try:
                    sent += client.exchange()
                except Wrong as wrong:
                    self.complain(f"connection {number}, request {sent}: {wrong}")
                    client.connect()
        except OSError as error:
            self.complain(f"connection {number}, request {sent}: {error}")
        finally:
            client.close()
        with self.lock:
            counts["requests"] = sent
            self.counts.update(counts)

    def run(self):
        start = time.monotonic()
        threads = [threading.Thread(target=self.client, args=(i,)) for i in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.seconds = time.monotonic() - start
        self.look_back()

    def look_back(self):
        """Is the daemon what it was?"""
        if self.daemon.process.poll() is not None:
            self.complain(f"the daemon ended: {self.daemon.log_text()[-8000:]}")
            return
        if self.daemon.get("/livez").status != 200:
            self.complain("/livez is not answered with 200")
        if self.daemon.metric("expect_failures_total"):
            self.complain("a BASE_EXPECT failed")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--requests", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=0, help="0: of the clock")
    parser.add_argument("--report")
    args = parser.parse_args()
    args.seed = args.seed or time.time_ns() % 1000000007 + 1
    print(f"fuzz-http: seed {args.seed}, {args.requests} requests, sanitizer {SANITIZER}",
          flush=True)
    daemon = Daemon(**OPTIONS)
    fuzz = Fuzz(daemon, args.requests, args.seed)
    fuzz.run()
    try:
        daemon.close()
    except AssertionError as error:
        fuzz.complain(str(error))
    counts = dict(sorted(fuzz.counts.items()))
    print(f"  {counts}\n  {fuzz.seconds:.1f} s, {counts['requests'] / fuzz.seconds:.0f} requests/s")
    fuzz_report.write(args.report, args.seed, {
        "seconds": round(fuzz.seconds, 1), "sanitizer": SANITIZER, "connections": CONNECTIONS,
        "counts": counts, "problems": fuzz.problems})
    print(f"{int(not fuzz.problems)} passed, {int(bool(fuzz.problems))} failed")
    return 1 if fuzz.problems else 0


if __name__ == "__main__":
    sys.exit(main())
