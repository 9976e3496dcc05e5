"""A daemon of one's own, and how tests talk to it.

`Daemon` starts the program on a free port with directories of its own, `request` sends one HTTP
request on a connection of its own, `solve` submits a job, waits for its end and checks every
solution with the cube of system_cube. Every reply is held against /openapi.json. A daemon that ends badly, or whose output holds the report of
a sanitizer, fails the test that stops it.
"""

import atexit
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse

import system_contract
import system_cube

PROGRAM = os.environ.get("CYCLOSOLVED", "")
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
THREADS = 2
ENDED = ("succeeded", "failed", "cancelled")
REPORTS = ("ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "WARNING: ThreadSanitizer",
           "runtime error:", "assertion failed", "DEADLYSIGNAL")

# The superflip needs 20 moves: a job that does not end while a test looks on.
SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
SUPERFLIP_JOB = {"cycles": "e: (1+) x12"}
MEBIBYTE = 1 << 20


def data_path(name):
    return os.path.join(DATA, name)


def say(text):
    """A line for whoever reads the output: measured times, mostly."""
    print(f"         {text}", flush=True)


# ---- the program ---------------------------------------------------------------------------


def _sanitizer():
    with open(PROGRAM, "rb") as file:
        image = file.read()
    for kind in ("tsan", "asan", "ubsan"):
        if f"__{kind}_".encode() in image:
            return kind
    return None


SANITIZER = _sanitizer() if PROGRAM else None
SLOWNESS = {None: 1, "ubsan": 3, "asan": 8, "tsan": 20}[SANITIZER]


def command(*arguments):
    """The program with arguments. TSan's memory map and address randomisation can collide."""
    prefix = ["setarch", "-R"] if SANITIZER == "tsan" else []
    return [*prefix, PROGRAM, *arguments]


def run_program(*arguments, env=None, timeout=20):
    """Runs the program to its end."""
    return subprocess.run(command(*arguments), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=timeout * SLOWNESS, env={**os.environ, **(env or {})},
                          check=False)


def check_time(name, seconds, required):
    """Says a measured time. The bound is three times the required one, because hosts that run
    tests are noisy, and none under a sanitizer."""
    say(f"{name}: {seconds * 1000:.0f} ms (required: {required * 1000:.0f} ms)")
    if SANITIZER is None:
        assert seconds <= 3 * required, f"{name} took {seconds:.3f} s, three times too long"


def wait_until(condition, what, timeout=20):
    """The first true value of the condition."""
    deadline = time.monotonic() + timeout * SLOWNESS
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, f"waited {timeout * SLOWNESS} s in vain: {what}"
        time.sleep(0.01)


def new_folder():
    """In memory where there is room for tables, else wherever temporary files go."""
    shm = "/dev/shm"
    roomy = os.access(shm, os.W_OK) and shutil.disk_usage(shm).free > 1024 * MEBIBYTE
    return tempfile.mkdtemp(prefix="cyclosolve-system-", dir=shm if roomy else None)


# ---- HTTP ----------------------------------------------------------------------------------


class Reply:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {dict(self.headers)} {self.body[:600]!r}"


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def expect(reply, status):
    """The reply, which must have this status."""
    assert reply.status == status, f"expected {status}, got {reply!r}"
    return reply


def expect_problem(reply, status, kind, pointer=None, rule=None):
    """The reply must be this problem document, one of its errors with the pointer and rule."""
    expect(reply, status)
    assert reply.headers["Content-Type"] == "application/problem+json", repr(reply)
    problem = reply.json()
    assert problem["type"] == f"/problems/{kind}", problem
    assert problem["status"] == status and problem["title"] and problem["detail"], problem
    if pointer is not None:
        assert any(e["pointer"] == pointer and (rule is None or e.get("rule") == rule) and
                   e["detail"] for e in problem["errors"]), problem
    return problem


_contract = None


def contract():
    """What the program says at /openapi.json, asked of a daemon that does nothing else."""
    global _contract
    if _contract is None:
        with Daemon(memory_mib=16) as daemon:
            reply = expect(daemon.request("GET", "/openapi.json", checked=False), 200)
            _contract = system_contract.Contract(reply.json())
            _contract.check("GET", "/openapi.json", reply)
    return _contract


# ---- checking answers ----------------------------------------------------------------------


def check_solution(request, target, moves):
    """The word does what the request (as echoed by the daemon) asks for."""
    state = system_cube.apply(request.get("start", ""))
    state = system_cube.apply(moves, state)
    if not any(key in request for key in ("cycles", "order", "any_of")):
        assert state == system_cube.SOLVED, f"{moves} does not solve {request['start']}"
    elif "order" in request:
        assert system_cube.order(state) == request["order"], (moves, request)
    elif "any_of" in request:
        wanted = [system_cube.print_structure(
            system_cube.parse_cycles(any_.get("corners", [])),
            system_cube.parse_cycles(any_.get("edges", []))) for any_ in request["any_of"]]
        assert system_cube.structure_text(state) in wanted, (moves, request)
    else:
        assert system_cube.structure_text(state) == target["text"], (moves, target)


def check_job(job):
    """Every solution that the job shows, against the cube; and what must agree within a result."""
    words = [s["moves"] for s in job["solutions"]]
    result = job["result"]
    for solution in job["solutions"]:
        assert solution["length"] == system_cube.length(solution["moves"]), solution
        check_solution(job["request"], job["target"], solution["moves"])
    assert len(set(words)) == len(words), "a solution is listed twice"
    ordered = [(s["length"], s["rank"], s["moves"]) for s in job["solutions"]]
    if job["state"] != "succeeded":
        return
    assert ordered == sorted(ordered), "solutions are not sorted by (length, rank, moves)"
    if result["best"] is not None:
        assert result["length"] == system_cube.length(result["best"]), result
        assert words[0] == result["best"], (words[0], result)
    if result["optimal"]:
        assert result["lower_bound"] == result["length"], result


# ---- daemons -------------------------------------------------------------------------------


_alive = set()


@atexit.register
def kill_leftovers(folder=""):
    """Kills the daemons that a failed test left running, in a folder or all."""
    for daemon in list(_alive):
        if daemon.folder.startswith(folder):
            daemon.kill()


class Daemon:
    """A running daemon. Options are those of the command line, underscores for dashes; a list
    repeats an option. Use as a context manager, or call close()."""

    def __init__(self, folder=None, wait=True, **options):
        self.folder = folder or new_folder()
        self.owns_folder = folder is None
        self.options = {"listen": "127.0.0.1:0", "threads": THREADS, "memory_mib": 768, **options}
        self.address_file = os.path.join(self.folder, "address")
        self.start(wait)

    def arguments(self):
        fixed = {"address_file": self.address_file,
                 "state_dir": os.path.join(self.folder, "state"),
                 "table_dir": os.path.join(self.folder, "tables")}
        for name, value in {**fixed, **self.options}.items():
            for item in value if isinstance(value, list) else [value]:
                yield from (f"--{name.replace('_', '-')}", str(item))

    def environment(self):
        """Variables besides those of the test."""
        return {}

    def start(self, wait=True):
        if os.path.exists(self.address_file):
            os.unlink(self.address_file)
        self.log = open(os.path.join(self.folder, "log"), "ab")
        self.process = subprocess.Popen(command(*self.arguments()), stdin=subprocess.DEVNULL,
                                        stdout=self.log, stderr=self.log,
                                        env={**os.environ, **self.environment()})
        _alive.add(self)
        self.pid = self.process.pid
        if wait:
            self.wait_ready()

    def wait_ready(self):
        def ready():
            assert self.process.poll() is None, f"the daemon ended: {self.log_text()}"
            return os.path.exists(self.address_file)
        wait_until(ready, "the address file")
        with open(self.address_file, encoding="utf-8") as file:
            self.url = file.read().strip()
        wait_until(lambda: self.request("GET", "/readyz", checked=False).status == 200, "/readyz")

    # ---- end

    def log_text(self):
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def check_log(self):
        text = self.log_text()
        for report in REPORTS:
            assert report not in text, f"{report}:\n{text[-20000:]}"

    def stop(self, patience=10):
        """SIGTERM; the exit status must be 0 within the time. Returns the seconds it took."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(patience * SLOWNESS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"not down after SIGTERM: {self.log_text()[-4000:]}") from None
        seconds = time.monotonic() - start
        self._ended()
        assert status == 0, f"exit status {status}: {self.log_text()[-20000:]}"
        self.check_log()
        return seconds

    def kill(self):
        """SIGKILL."""
        self.process.kill()
        self.process.wait()
        self._ended()

    def _ended(self):
        _alive.discard(self)
        self.log.close()

    def close(self):
        try:
            if self.process.poll() is None:
                self.stop()
            self.check_log()
        finally:
            if self.process.poll() is None:
                self.kill()
            if self.owns_folder:
                shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.close()
            return
        try:
            self.close()
        except AssertionError as late:
            say(f"and at the end: {late}")

    # ---- requests

    def connect(self, timeout=70):
        if self.url.startswith("unix:"):
            return _UnixConnection(self.url[len("unix:"):], timeout * SLOWNESS)
        parts = urllib.parse.urlsplit(self.url)
        return http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout * SLOWNESS)

    def request(self, method, path, body=None, headers=None, checked=True):
        """`body`: bytes or text are sent as they are, anything else as JSON. The reply must be one
        that the contract allows, if it is `checked`."""
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        connection = self.connect()
        try:
            connection.request(method, path, body, {"Connection": "close", **(headers or {})})
            reply = Reply(connection.getresponse())
        finally:
            connection.close()
        if checked:
            contract().check(method, path, reply, body)
        return reply

    def get(self, path, **headers):
        return self.request("GET", path, headers=_field_names(headers))

    def post(self, path, body=None, **headers):
        return self.request("POST", path, body, _field_names(headers))

    def get_json(self, path):
        return expect(self.get(path), 200).json()

    # ---- jobs

    def submit(self, spec, **headers):
        """Submits a job; the job as answered."""
        return expect(self.post("/v1/jobs", spec, **headers), 202).json()

    def job(self, job_id):
        return self.get_json(f"/v1/jobs/{job_id}")

    def wait_state(self, job_id, *states, timeout=60):
        def reached():
            job = self.job(job_id)
            return job if job["state"] in states else None
        return wait_until(reached, f"{job_id} in {states}", timeout)

    def wait_end(self, job_id, timeout=60):
        deadline = time.monotonic() + timeout * SLOWNESS
        while True:
            job = expect(self.get(f"/v1/jobs/{job_id}", prefer="wait=30"), 200).json()
            if job["state"] in ENDED:
                check_job(job)
                return job
            assert time.monotonic() < deadline, f"{job_id} has not ended: {job['progress']}"

    def solve(self, spec, timeout=60):
        """Submits a job and waits for its end, which must be success; the job, checked."""
        reply = self.post("/v1/jobs", spec, prefer="wait=60")
        assert reply.status in (200, 202), f"{spec}: {reply!r}"
        job = reply.json()
        if job["state"] not in ENDED:
            job = self.wait_end(job["id"], timeout)
        assert job["state"] == "succeeded", job
        check_job(job)
        return job

    def solutions(self, job_id):
        """All stored solutions, page by page."""
        found, token = [], ""
        while True:
            page = self.get_json(f"/v1/jobs/{job_id}/solutions?page_size=1000&page_token={token}")
            found += page["solutions"]
            token = page["next_page_token"]
            if not token:
                return found

    def cancel(self, job_id):
        return expect(self.post(f"/v1/jobs/{job_id}/cancel"), 200).json()

    # ---- what it uses

    def metrics(self):
        """{'name{labels}': number}"""
        text = expect(self.get("/metrics"), 200).body.decode()
        lines = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, value in lines}

    def metric(self, name):
        return self.metrics()[f"cyclosolve_{name}"]

    def cpu_seconds(self):
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def sealed_tables(self):
        """Keys of the tables that are complete."""
        tables = self.get_json("/v1/tables")["tables"]
        return {table["key"] for table in tables if table["state"] == "sealed"}

    def anonymous_bytes(self):
        """Resident memory without the tables, which are shared."""
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            for line in file:
                if line.startswith("RssAnon:"):
                    return int(line.split()[1]) * 1024
        raise AssertionError("no RssAnon")


def _field_names(headers):
    return {name.replace("_", "-"): value for name, value in headers.items()}


class Shared:
    """A daemon for all tests of a file: started by the first that asks, closed by the runner."""

    def __init__(self, **options):
        self.options = options
        self.daemon = None

    def __call__(self):
        if self.daemon is None:
            self.daemon = Daemon(**self.options)
        return self.daemon

    def close(self):
        if self.daemon is not None:
            daemon, self.daemon = self.daemon, None
            daemon.close()
