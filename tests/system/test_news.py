"""GET /v1/events: the states of all jobs, for a view of the queue."""

import time

from system_daemon import (SLOWNESS, SUPERFLIP_JOB, Daemon, expect, expect_problem, wait_until)
from system_events import Stream, check_ids

QUARTER = {"cycles": "c: (4) / e: (4)"}


def collect(stream, wanted):
    """Events until `wanted(states by job)` holds: {job: [states]}, events."""
    states, events = {}, []
    deadline = time.monotonic() + 60 * SLOWNESS
    for event in stream:
        assert time.monotonic() < deadline, f"only {states} and {events[-10:]}"
        events.append(event)
        if event.kind == "state":
            states.setdefault(event.json()["job"], []).append(event.json()["state"])
        if wanted(states):
            return states, events
    raise AssertionError(f"the stream ended: {events}")


def test_states_of_all_jobs():
    with Daemon(max_running_jobs=1) as daemon:
        stream = Stream(daemon, "/v1/events")
        first = next(iter(stream))
        assert first.kind == "snapshot", first
        assert first.json() == {"queued": 0, "running": 0, "paused": 0}, first.data
        assert stream.parser.headers["content-type"].startswith("text/event-stream")
        assert stream.parser.retry, "no retry"

        one = daemon.solve({**QUARTER, "fresh": True})["id"]
        answered = daemon.solve(QUARTER)["id"]
        batch = expect(daemon.post("/v1/batches", {"jobs": [{**QUARTER, "fresh": True}, QUARTER]},
                                   prefer="wait=30"), 200).json()["id"]
        long = daemon.submit(SUPERFLIP_JOB)["id"]
        daemon.wait_state(long, "running")
        expect(daemon.post(f"/v1/jobs/{long}/pause"), 200)
        waiting = daemon.submit({**SUPERFLIP_JOB, "fresh": True})["id"]
        daemon.cancel(long)
        daemon.cancel(waiting)
        states, events = collect(stream, lambda s: s.get(waiting, [""])[-1] == "cancelled" and
                                 s.get(long, [""])[-1] == "cancelled")
        assert states[one] == ["queued", "running", "succeeded"], states
        assert states[answered] == ["succeeded"], states
        assert states[long] == ["queued", "running", "paused", "cancelled"], states
        assert len(states) == 6, states
        of_batch = [e.json() for e in events if e.json().get("batch") == batch]
        assert {e["job"] for e in of_batch} == set(states) - {one, answered, long, waiting}, states
        check_ids(events, first.id)

        for resumed in (Stream(daemon, "/v1/events", after=events[2].id),
                        Stream(daemon, "/v1/events", query=f"?after={events[2].id}")):
            _, again = collect(resumed, lambda s: len(s) >= 1 and
                               resumed.parser.events[-1].id == events[-1].id)
            resumed.close()
        later = [e.id for e in events if e.id > events[2].id]
        assert [e.id for e in resumed.parser.events][:len(later)] == later, (again, later)
        expect_problem(daemon.get("/v1/events", accept="application/json"), 406, "not-acceptable")
        head = expect(daemon.request("HEAD", "/v1/events"), 200)
        assert head.headers["Content-Type"].startswith("text/event-stream"), head


def test_a_reader_that_does_not_read():
    """It holds up nobody, and what it missed when it reads again is told by one snapshot."""
    with Daemon() as daemon:
        slow = Stream(daemon, "/v1/events", receive_buffer=4096).read_head()
        other = Stream(daemon, "/v1/events").read_head()
        daemon.solve(QUARTER)
        collect(other, lambda s: len(s) == 1)
        for _ in range(5):
            expect(daemon.post("/v1/batches", {"jobs": [QUARTER] * 1000}, prefer="wait=60"), 200)
            _, events = collect(other, lambda s: len(s) == 1000)
            assert all(e.kind == "state" for e in events), "it was quick enough for every change"
        assert slow.until("snapshot").id
        missed = slow.until("snapshot").id  # what it had before it is in the socket's buffers
        last = daemon.solve({**QUARTER, "fresh": True})["id"]
        states, events = collect(slow, lambda s: s.get(last, [""])[-1] == "succeeded")
        assert states == {last: ["queued", "running", "succeeded"]}, states
        check_ids(events, missed)


def test_ids_go_on_after_a_restart_and_drains_are_told():
    with Daemon() as daemon:
        job_id = daemon.submit(SUPERFLIP_JOB)["id"]
        daemon.wait_state(job_id, "running")
        stream = Stream(daemon, "/v1/events").read_head()
        daemon.submit({**QUARTER, "fresh": True})
        _, events = collect(stream, lambda s: len(s) >= 1)
        last = events[-1].id
        daemon.stop()
        assert stream.until("draining")
        assert not list(stream), "the stream goes on"
        daemon.start()
        resumed = Stream(daemon, "/v1/events", after=last)
        first = next(iter(resumed))
        assert first.kind == "snapshot" and first.id > last, (first, last)
        wait_until(lambda: daemon.job(job_id)["state"] == "running", "the restart")
        daemon.cancel(job_id)
        assert resumed.until("state").id > first.id
