"""cyclosolve, the command-line tool, on table directories of its own and beside a daemon."""

import contextlib
import json
import os
import pty
import re
import shutil
import subprocess

from system_daemon import (PROGRAM, REPORTS, SLOWNESS, SUPERFLIP_JOB, Daemon, command, expect,
                           new_folder)

TOOL = os.path.join(os.path.dirname(PROGRAM), "cyclosolve")
TARGET = "c: (1+, 5+) / e: (1+, 1+)"
SMALL = ("--memory-mib", "3", "--threads", "2")  # exact corners and four edges: tenths of seconds
LINE = re.compile(r"^(corners|edges) \((exact|approximate)\): layer \d+, [\d.]+ %, \d+ entries, "
                  r"[\d.]+ s$")


def run(*arguments, status=0, env=None):
    """Runs the tool to its end, which must have this exit status."""
    done = subprocess.run([*command()[:-1], TOOL, *arguments], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120 * SLOWNESS, check=False,
                          env={**os.environ, **(env or {})})
    assert not any(report in done.stderr for report in REPORTS), done.stderr
    assert done.returncode == status, (arguments, done)
    return done


def run_json(*arguments, status=0):
    return json.loads(run(*arguments, "--json", status=status).stdout)


@contextlib.contextmanager
def directory():
    """A table directory that is not there yet, as the option that names it."""
    folder = new_folder()
    try:
        yield f"--table-dir={os.path.join(folder, 'tables')}"
    finally:
        shutil.rmtree(folder)


def path_of(option, name=""):
    return os.path.join(option.partition("=")[2], name)


def build(where, *arguments, target=TARGET):
    """{orbits: plan of its table} of a build that must succeed."""
    plan = run_json("tables", "build", target, where, *SMALL, *arguments)["plan"]
    return {table["orbits"]: table for table in plan["tables"]}


def listed(where):
    return {table["key"]: table for table in run_json("tables", "list", where)["tables"]}


# ---- usage ---------------------------------------------------------------------------------


def test_help_and_version():
    for arguments in (["--help"], ["tables", "--help"], ["tables", "plan", "--help"],
                      ["tables", "show", "--help"]):
        done = run(*arguments)
        for word in ("plan", "build", "list", "show", "verify", "remove", "--json", "Exit status"):
            assert word in done.stdout, (arguments, word)
        assert done.stderr == "" and max(map(len, done.stdout.splitlines())) <= 100
    assert re.search(r"\d+\.\d+\.\d+", run("--version").stdout)


def test_wrong_usage():
    for arguments, word in (
            ([], "Usage"), (["solve"], "solve"), (["table"], "table"), (["tables"], "needs"),
            (["tables", "fill"], "fill"), (["tables", "list", "x"], "x"),
            (["tables", "list", "--pin"], "--pin"), (["tables", "plan", "--pin"], "--pin"),
            (["tables", "show"], "key"), (["tables", "remove", "a", "b"], "b"),
            (["tables", "plan", "c:", "e:"], "e:"), (["tables", "plan", "--puzzle"], "--puzzle"),
            (["tables", "plan", "--threads", "0"], "--threads"),
            (["tables", "plan", "--threads=two"], "two"),
            (["tables", "plan", "--memory-mib", "-1"], "--memory-mib"),
            (["tables", "plan", "--json=yes"], "--json"), (["tables", "plan", "--mib", "1"], "--mib"),
            (["tables", "plan", "--table-dir="], "--table-dir")):
        done = run(*arguments, status=2)
        assert word in done.stderr and done.stdout == "", (arguments, done)


def test_refused_requests():
    with directory() as where:
        for arguments, pointer in (
                (["c: (2)"], "/cycles"), (["c: (1+"], "/cycles"), (["--like", "R Q"], "/like"),
                (["c: (3)", "--order", "3"], "/order"), (["--order", "many"], "/order"),
                (["--puzzle", "9x9x9"], "/puzzle"), (["--moves", "R, Q"], "/moves/1"),
                (["--tables", "{"], "/tables"), (["--tables", "{}}"], "/tables"),
                (["--tables", '{"edges":{"kind":"exact"}}'], "/tables/edges"),
                (["--tables", '{"c":{"kind":"exact"}}', "--memory-mib", "0.25"], "/tables/c")):
            for verb in ("plan", "build"):
                done = run("tables", verb, where, *arguments, status=2)
                assert done.stderr.startswith(f"cyclosolve: {pointer}: "), (arguments, done)
                assert done.stdout == "", done
                problem = run_json("tables", verb, where, *arguments, status=2)
                assert problem["status"] == 422, problem
                assert problem["errors"][0]["pointer"] == pointer, problem


def test_no_directory():
    with directory() as where:
        for arguments in (["list"], ["show", "0123456789abcdef"], ["verify"],
                          ["remove", "0123456789abcdef"]):
            done = run("tables", *arguments, where, status=1)
            assert "no directory" in done.stderr and done.stdout == "", done
        assert not os.path.exists(path_of(where)), "looking makes no directory"


# ---- plan and build ------------------------------------------------------------------------


def test_plan_fills_nothing():
    with directory() as where:
        plan = run_json("tables", "plan", TARGET, where, *SMALL)
        assert plan["target"]["text"] == TARGET, plan
        tables = plan["plan"]["tables"]
        assert {t["orbits"]: (t["kind"], t["state"]) for t in tables} == {
            "corners": ("exact", "missing"), "edges": ("approximate", "missing")}, tables
        assert all(t["why"] and t["bytes"] > 0 and t["fill_seconds"] > 0 for t in tables), tables
        text = run("tables", "plan", TARGET, where, *SMALL).stdout
        assert all(t["key"] in text and t["why"] in text for t in tables), text
        assert os.listdir(path_of(where)) == []


def test_build():
    with directory() as where:
        planned = run_json("tables", "plan", TARGET, where, *SMALL)["plan"]["tables"]
        done = run("tables", "build", TARGET, where, *SMALL)
        lines = [line for line in done.stdout.splitlines() if LINE.match(line)]
        assert len(lines) >= 8 and "\r" not in done.stdout and done.stderr == "", done
        tables = listed(where)
        assert set(tables) == {t["key"] for t in planned}, tables
        assert all(t["state"] == "sealed" and not t["pinned"] for t in tables.values()), tables
        again = run("tables", "build", TARGET, where, *SMALL)
        assert not any(LINE.match(line) for line in again.stdout.splitlines()), again
        states = {t["state"] for t in run_json("tables", "plan", TARGET, where,
                                               *SMALL)["plan"]["tables"]}
        assert states == {"sealed"}, states


def test_build_with_json():
    """One document on stdout, the progress on stderr."""
    with directory() as where:
        done = run("tables", "build", TARGET, where, *SMALL, "--json")
        assert {t["state"] for t in json.loads(done.stdout)["plan"]["tables"]} == {"sealed"}
        assert all(LINE.match(line) for line in done.stderr.splitlines()) and done.stderr, done


def test_build_on_a_terminal():
    """Progress goes over one line, which is gone at the end."""
    with directory() as where:
        master, slave = pty.openpty()
        try:
            process = subprocess.Popen([*command()[:-1], TOOL, "tables", "build", where, *SMALL],
                                       stdin=subprocess.DEVNULL, stdout=slave)
            os.close(slave)
            output = b""
            with contextlib.suppress(OSError):  # how a terminal tells its end
                while part := os.read(master, 65536):
                    output += part
            assert process.wait(60 * SLOWNESS) == 0, output
        finally:
            os.close(master)
        assert output.count(b"\r\x1b[Kcorners (exact): layer ") >= 2, output
        assert b"entries, " in output and b"s\r\n" not in output.split(b"KEY")[0], output


def test_forms_of_targets_and_moves():
    with directory() as where:
        for arguments, target in (
                ([], "c: / e:"), (["--like", "R U R' U'"], "c: (2+, 2+) / e: (3)"),
                (["--puzzle", "2x2x2", "--like", "R"], "c: (4)"), (["c: (3)"], "c: (3) / e:"),
                (["--", "c: (3)"], "c: (3) / e:")):
            done = run("tables", "plan", where, *SMALL, "--json", *arguments)
            plan = json.loads(done.stdout)
            assert plan["target"]["text"] == target, (arguments, plan["target"])
        structures = run_json("tables", "plan", where, *SMALL, "--order", "1260")["target"]
        assert structures["structures"] == 4, structures
        keys = [run_json("tables", "plan", where, *SMALL, "--moves", moves)
                ["plan"]["tables"][0]["key"] for moves in ("R U2 [F: D]", "R, U2,[F: D]", "R U2")]
        assert keys[0] == keys[1] != keys[2], keys


def test_wishes():
    with directory() as where:
        tables = build(where, "--tables", '{"c":{"kind":"fixed"},"e":{"kind":"approximate"}}')
        assert tables["corners"]["kind"] == "fixed" and tables["corners"]["key"] is None, tables
        assert set(listed(where)) == {tables["edges"]["key"]}
        assert set(build(where, "--tables", "auto")) == {"corners", "edges"}


def test_hash_tables():
    wish = ("--tables", '{"c":{"kind":"fixed"},"e":{"kind":"approximate","variant":"hash"}}')
    with directory() as where:
        plan = run_json("tables", "plan", TARGET, where, *SMALL, *wish)["plan"]["tables"]
        edges = build(where, *wish)["edges"]
        assert {(t["orbits"], t.get("variant"), t["state"]) for t in plan} == {
            ("corners", None, "missing"), ("edges", "hash", "missing")}, plan
        assert edges["variant"] == "hash" and edges["state"] == "sealed", edges
        assert listed(where)[edges["key"]]["variant"] == "hash"
        assert "approximate, by hash" in run("tables", "show", edges["key"], where).stdout
        run("tables", "verify", where)
        done = run("tables", "plan", "c: (3) / e: (1+, 7+)", where, *wish, status=2)
        assert "piece subset" in done.stderr, done.stderr


def test_built_tables_serve_the_daemon():
    with directory() as where:
        keys = {t["key"] for t in build(where).values()}
        with Daemon(table_dir=path_of(where), memory_mib=3) as daemon:
            job = daemon.solve({"cycles": TARGET, "max_length": 5})
            assert {t["key"] for t in job["plan"]["tables"]} == keys, job["plan"]
            assert {t["state"] for t in job["plan"]["tables"]} == {"sealed"}, job["plan"]
            assert daemon.metric("tables_filled_total") == 0


def test_directory_by_environment():
    with directory() as where:
        env = {"CYCLOSOLVE_TABLE_DIR": path_of(where)}
        run("tables", "build", "--puzzle", "2x2x2", *SMALL, env=env)
        assert len(listed(where)) == 1
        assert list(listed(where))[0] in run("tables", "list", env=env).stdout


# ---- looking and removing ------------------------------------------------------------------


def test_show():
    with directory() as where:
        for table in build(where).values():
            shown = run_json("tables", "show", table["key"], where)
            assert shown["table"] == listed(where)[table["key"]], shown
            assert sum(shown["histogram"]) == shown["entry_count"], "every entry is reached"
            assert len(shown["histogram"]) == shown["table"]["layers"], shown
            assert 8 <= shown["bits_per_entry"] < 8.1 and 0 < shown["entropy_bits"] < 4, shown
            assert shown["fill_seconds"] > 0 and shown["created"] <= shown["last_used"], shown
            text = run("tables", "show", table["key"], where).stdout
            assert all(str(n) in text for n in (*shown["histogram"], shown["entry_count"])), text
        assert "no table" in run("tables", "show", "0123456789abcdef", where, status=1).stderr
        assert "no table" in run("tables", "show", "../x", where, status=1).stderr


def test_remove():
    with directory() as where:
        corners, edges = (build(where)[orbit]["key"] for orbit in ("corners", "edges"))
        assert run_json("tables", "remove", corners, where) == {"removed": corners}
        assert set(listed(where)) == {edges}
        assert "no table" in run("tables", "remove", corners, where, status=1).stderr
        run("tables", "remove", edges, where)
        assert os.listdir(path_of(where)) == []


def test_pinned():
    with directory() as where:
        key = build(where, "--pin")["corners"]["key"]
        assert listed(where)[key]["pinned"] and "pinned" in run("tables", "list", where).stdout
        assert "pinned" in run("tables", "remove", key, where, status=1).stderr
        assert key in listed(where)


def test_beside_a_daemon():
    """What a job of the daemon uses is not removed, and its tables can be verified meanwhile."""
    with Daemon() as daemon:
        where = f"--table-dir={os.path.join(daemon.folder, 'tables')}"
        job_id = daemon.submit(SUPERFLIP_JOB)["id"]
        daemon.wait_state(job_id, "running")
        sealed = []
        while not sealed:
            sealed = [t for t in daemon.get_json("/v1/tables")["tables"] if t["state"] == "sealed"]
        done = run("tables", "remove", sealed[0]["key"], where, status=1)
        assert "in use" in done.stderr, done
        run("tables", "verify", sealed[0]["key"], where)
        assert sealed[0]["key"] in listed(where)
        expect(daemon.get(f"/v1/tables/{sealed[0]['key']}"), 200)
        daemon.cancel(job_id)


# ---- damaged -------------------------------------------------------------------------------


def flip(path, at):
    with open(path, "r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 0x5a]))


def harm_payload(path):
    flip(path, os.path.getsize(path) - 5000)


def harm_header(path):
    flip(path, 17)


def harm_length(path):
    os.truncate(path, os.path.getsize(path) // 2)


def test_verify():
    with directory() as where:
        tables = build(where)
        corners, edges = tables["corners"]["key"], tables["edges"]["key"]
        report = run_json("tables", "verify", where)
        assert report["ok"] and {t["key"]: t["verdict"] for t in report["tables"]} == {
            corners: "ok", edges: "ok"}, report
        for harm in (harm_payload, harm_header, harm_length):
            harm(path_of(where, corners + ".cyt"))
            report = run_json("tables", "verify", where, status=1)
            assert not report["ok"] and {t["key"]: t["verdict"] for t in report["tables"]} == {
                corners: "damaged", edges: "ok"}, (harm, report)
            assert set(listed(where)) == {edges}, harm
            run("tables", "verify", where)
            assert set(build(where)) == {"corners", "edges"}
        harm_payload(path_of(where, corners + ".cyt"))
        done = run("tables", "verify", edges, corners, where, status=1)
        assert re.search(rf"^{edges} .* ok$", done.stdout, re.M), done
        assert re.search(rf"^{corners} .* DAMAGED", done.stdout, re.M), done


def test_verify_what_is_not_there():
    with directory() as where:
        key = build(where)["corners"]["key"]
        for absent in ("0123456789abcdef", "x", key.upper() + "x"):
            report = run_json("tables", "verify", absent, key, where, status=1)
            assert [t["verdict"] for t in report["tables"]] == ["absent", "ok"], report
