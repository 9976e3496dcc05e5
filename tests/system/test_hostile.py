"""Clients that mean harm: slow, silent, crowding, or ambiguous about where a request ends."""

import contextlib
import re
import select
import socket
import struct
import time
import urllib.parse

from system_daemon import (SLOWNESS, SUPERFLIP_JOB, Daemon, Shared, expect, say, wait_until)
from system_events import Stream

HEAD = "GET /version HTTP/1.1\r\nHost: localhost\r\n"
POST = "POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\n"
CROWD = 40
# Seconds that one second of a deadline may take: the sweep comes once a second, on a busy host.
LATE = 4 * SLOWNESS
DAEMON = Shared(header_seconds=1, body_seconds=1, idle_seconds=1, reply_seconds=1)


def connect(daemon, text="", receive_buffer=0):
    parts = urllib.parse.urlsplit(daemon.url)
    client = socket.socket()
    if receive_buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.settimeout(20 * SLOWNESS)
    client.connect((parts.hostname, parts.port))
    client.sendall(text.encode("latin-1"))
    return client


def read_all(client):
    """Everything up to the end of the connection."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while data := client.recv(65536):
            found += data
    return found


def crumbs_until_the_end(client, byte=b"x", pace=0.05):
    """Sends a byte now and then; the seconds until the other side has had enough."""
    start = time.monotonic()
    with contextlib.suppress(ConnectionError):
        while time.monotonic() - start < 20 * SLOWNESS:
            if select.select([client], [], [], pace)[0] and not client.recv(65536):
                break
            client.sendall(byte)
    client.close()
    return time.monotonic() - start


def reset(client):
    """Ends the connection with RST."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


# ---- slow ----------------------------------------------------------------------------------


def test_deadlines_do_not_wait_for_slow_bytes():
    """One connection for each kind of slowness, each ended by its deadline of a second."""
    daemon = DAEMON()
    expired = daemon.metric("http_expired_total")
    silent = connect(daemon)
    chunked = connect(daemon, POST + "Transfer-Encoding: chunked\r\n\r\n")
    idle = connect(daemon, HEAD + "\r\n")
    start = time.monotonic()
    took = {"head": crumbs_until_the_end(connect(daemon, HEAD + "X-Slow: ")),
            "body": crumbs_until_the_end(connect(daemon, POST + "Content-Length: 100000\r\n\r\n"))}
    assert read_all(silent) == b""
    assert b"200 OK" not in read_all(chunked)
    assert b"200 OK" in read_all(idle)
    took["the rest"] = time.monotonic() - start
    say(f"ended after {took}")
    assert 0.5 <= took["head"] <= LATE and 0.5 <= took["body"] <= LATE, took
    assert daemon.metric("http_expired_total") == expired + 5


def test_a_reply_that_nobody_reads():
    """It is ended, and its memory given back; requests behind it are not even looked at."""
    daemon = DAEMON()
    request = (HEAD.replace("/version", "/v1/puzzles") + "\r\n") * 2000
    client = connect(daemon, receive_buffer=2048)
    client.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        client.send(request.encode())
    start = time.monotonic()
    expired = daemon.metric("http_expired_total")
    wait_until(lambda: daemon.metric("http_expired_total") > expired, "its end", 8)
    assert time.monotonic() - start < LATE
    client.close()


def test_a_client_that_vanishes_while_it_waits():
    """RST in each phase, and a half-closed connection: nothing is left behind."""
    daemon = DAEMON()
    job_id = daemon.submit(SUPERFLIP_JOB)["id"]
    before = daemon.metric("http_connections")
    wait = f"GET /v1/jobs/{job_id} HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=60\r\n\r\n"
    for text in ("", "GET", HEAD, POST + "Content-Length: 9\r\n\r\n{", HEAD + "\r\n", wait,
                 f"GET /v1/jobs/{job_id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n"):
        reset(connect(daemon, text))
        half = connect(daemon, text)
        half.shutdown(socket.SHUT_WR)
    daemon.cancel(job_id)
    wait_until(lambda: daemon.metric("http_connections") <= before and
               daemon.metric("sse_clients") == 0, "that they are gone", 10)


# ---- crowding ------------------------------------------------------------------------------


def test_silent_connections_make_room_for_others():
    """Many times more than the limit, none of which says anything; everybody else is served, and
    streams stay."""
    with Daemon(max_connections=CROWD) as daemon:
        job_id = daemon.submit(SUPERFLIP_JOB)["id"]
        stream = Stream(daemon, job_id).read_head()
        crowd = []
        start = time.monotonic()
        for i in range(20 * CROWD):
            crowd.append(connect(daemon, "" if i % 2 else HEAD))
            if i % 100 == 99:
                for path in ("/livez", "/readyz", "/v1/jobs"):
                    expect(daemon.get(path), 200)
        say(f"{len(crowd)} connections in {time.monotonic() - start:.2f} s")
        metrics = daemon.metrics()
        assert metrics["cyclosolve_http_connections"] <= CROWD + 64, metrics
        assert metrics["cyclosolve_http_displaced_total"] >= 18 * CROWD, metrics
        stream.until("progress")
        daemon.cancel(job_id)
        stream.until("done")
        for client in crowd:
            client.close()


def test_health_is_answered_when_all_places_are_busy():
    with Daemon(max_connections=CROWD) as daemon:
        job_id = daemon.submit(SUPERFLIP_JOB)["id"]
        streams = [Stream(daemon, job_id).read_head() for _ in range(CROWD)]
        crowd = [connect(daemon, HEAD) for _ in range(100)]  # in the headroom, too
        for _ in range(20):
            assert expect(daemon.get("/livez"), 200).body == b"ok\n"
            reply = expect(daemon.get("/readyz"), 503)
            assert b"connections: there are too many" in reply.body, reply
            reply = expect(daemon.get("/v1/jobs"), 503)
            assert reply.headers["Retry-After"] and reply.headers["Connection"] == "close", reply
        expect(daemon.get("/metrics"), 200)
        for stream in streams[:2]:
            stream.close()
        wait_until(lambda: daemon.get("/v1/jobs").status == 200, "room")
        streams[-1].until("progress")
        daemon.cancel(job_id)
        for stream in streams[2:]:
            stream.until("done")
        for client in crowd:
            client.close()


# ---- ambiguous -----------------------------------------------------------------------------

CHUNKED = "Transfer-Encoding: chunked\r\n"
BODY = "2\r\n{}\r\n0\r\n\r\n"
# Heads and bodies on whose end two readers might not agree. Each is refused, and nothing of the
# connection is read behind it.
AMBIGUOUS = {
    "length and chunks": POST + "Content-Length: 4\r\n" + CHUNKED + "\r\n" + BODY,
    "chunks and length": POST + CHUNKED + "Content-Length: 4\r\n\r\n" + BODY,
    "two lengths": POST + "Content-Length: 2\r\nContent-Length: 12\r\n\r\n{}",
    "the same length twice": POST + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
    "a list of lengths": POST + "Content-Length: 2, 2\r\n\r\n{}",
    "a signed length": POST + "Content-Length: +2\r\n\r\n{}",
    "a negative length": POST + "Content-Length: -2\r\n\r\n{}",
    "a hexadecimal length": POST + "Content-Length: 0x2\r\n\r\n{}",
    "a length that wraps": POST + "Content-Length: 18446744073709551618\r\n\r\n{}",
    "no length": POST + "Content-Length:\r\n\r\n",
    "a blank in front of the colon": POST + "Content-Length : 2\r\n\r\n{}",
    "the same with chunks": POST + "Transfer-Encoding : chunked\r\n\r\n" + BODY,
    "an unknown coding": POST + "Transfer-Encoding: xchunked\r\n\r\n" + BODY,
    "codings": POST + "Transfer-Encoding: chunked, identity\r\n\r\n" + BODY,
    "chunks twice": POST + CHUNKED + CHUNKED + "\r\n" + BODY,
    "a control character": POST + "Transfer-Encoding: \x0bchunked\r\n\r\n" + BODY,
    "chunks of HTTP/1.0": POST.replace("1.1", "1.0") + CHUNKED + "\r\n" + BODY,
    "a folded coding": POST + "Transfer-Encoding:\r\n chunked\r\n\r\n",
    "a folded length": POST + "X-A: b\r\n Content-Length: 5\r\n\r\n{}",
    "a bare CR": HEAD + "X: a\rContent-Length: 5\r\n\r\n",
    "NUL in a name": HEAD + "X\0y: b\r\n\r\n",
    "a field without a colon": HEAD + "Xyz\r\n\r\n",
    "two hosts": HEAD + "Host: localhost\r\n\r\n",
    "HTTP/0.9": "GET /version\r\n\r\n",
    "HTTP/2.0": "GET /version HTTP/2.0\r\nHost: localhost\r\n\r\n",
    "a chunk that is no number": POST + CHUNKED + "\r\nzz\r\n{}\r\n0\r\n\r\n",
    "a negative chunk": POST + CHUNKED + "\r\n-2\r\n{}\r\n0\r\n\r\n",
    "0x in a chunk": POST + CHUNKED + "\r\n0x2\r\n{}\r\n0\r\n\r\n",
    "a chunk that wraps": POST + CHUNKED + "\r\n10000000000000002\r\n{}\r\n0\r\n\r\n",
    "a chunk with more behind it": POST + CHUNKED + "\r\n2\r\n{}XX0\r\n\r\n",
}
# What is strange but means one thing only.
PLAIN = {
    "capitals": (POST + "TRANSFER-ENCODING: CHUNKED\r\n\r\n" + BODY, 422),
    "a tab": (POST + "Transfer-Encoding:\tchunked\r\n\r\n" + BODY, 422),
    "an extension of a chunk": (POST + CHUNKED + "\r\n2;a=b\r\n{}\r\n0\r\n\r\n", 422),
    "trailers": (POST + CHUNKED + "\r\n2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n", 422),
    "a GET with a body": (HEAD + "Content-Length: 30\r\n\r\nGET /evil HTTP/1.1\r\nHost: a\r\n\r\n",
                          200),
    "an offer of HTTP/2": (HEAD + "Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n", 200),
    "TRACE": (HEAD.replace("GET", "TRACE") + "\r\n", 405),
    "another host in the path": (HEAD.replace("/v", "http://evil.example/v") + "\r\n", 404),
}
SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"


def statuses(reply):
    return [int(s) for s in re.findall(rb"(?:^|\n|\})HTTP/1\.1 (\d+) ", reply)]


def test_ambiguous_requests_end_the_connection():
    daemon = DAEMON()
    clients = {name: connect(daemon, text + SMUGGLED) for name, text in AMBIGUOUS.items()}
    for name, client in clients.items():
        reply = read_all(client)
        found = statuses(reply)
        assert found and set(found) <= {400, 413, 505}, (name, reply)
        assert b"smuggled" not in reply, (name, reply)
        client.close()


def test_plain_requests_leave_the_connection_in_step():
    """The request behind each of them is read as that: a 404 of its own, and the last."""
    daemon = DAEMON()
    for name, (text, status) in PLAIN.items():
        client = connect(daemon, text + HEAD.replace("/version", "/next") + "Connection: close\r\n"
                         "\r\n")
        reply = read_all(client)
        assert statuses(reply) == [status, 404], (name, reply)
        assert b"there is no /next" in reply, (name, reply)
        client.close()


def test_nobody_else_noticed():
    daemon = DAEMON()
    assert daemon.solve({"cycles": "c: (4) / e: (4)", "fresh": True})["result"]["length"] == 1
    assert daemon.metric("expect_failures_total") == 0
    assert not any('status="5xx"' in name and "replies" in name for name in daemon.metrics())
