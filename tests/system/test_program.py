"""The program itself: its options, where it listens, what it says and with which exit status."""

import json
import os
import re
import shutil

from system_daemon import Daemon, expect, new_folder, run_program

OPTIONS = ("listen", "address-file", "state-dir", "table-dir", "threads", "memory-mib", "config",
           "dump-config", "check", "version", "help")


def dump(*arguments, env=None):
    """{name: (value, where from)} of --dump-config."""
    done = run_program(*arguments, "--dump-config", env=env)
    assert done.returncode == 0, done
    found, source = {}, None
    for line in done.stdout.splitlines():
        if line.startswith("# from: "):
            source = line[len("# from: "):]
        else:
            name, _, value = line.partition(" = ")
            found[name.strip()] = (value.strip(), source)
    return found


def test_help_names_every_option_of_the_contract():
    done = run_program("--help")
    assert done.returncode == 0 and done.stderr == "", done
    for option in OPTIONS:
        assert re.search(rf"^  --{option}\b", done.stdout, re.M), option
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_version():
    done = run_program("--version")
    assert done.returncode == 0 and re.search(r"\d+\.\d+\.\d+", done.stdout), done
    with Daemon() as daemon:
        assert daemon.get_json("/version")["version"] in done.stdout


def test_wrong_options_are_named():
    for arguments, word in ((["--thread", "2"], "thread"), (["--threads", "two"], "threads"),
                            (["--threads"], "threads"), (["--listen", "nowhere"], "listen"),
                            (["--listen", "127.0.0.1:99999"], "listen"),
                            (["--config", "/nonexistent/file"], "/nonexistent/file"),
                            (["--log-level", "loud"], "log-level"),
                            (["--memory-mib", "-5"], "memory-mib"), (["surplus"], "surplus")):
        done = run_program(*arguments, "--dump-config")
        assert done.returncode != 0 and word in done.stderr, (arguments, done)
        assert done.stdout == "", done


def test_flag_beats_environment_beats_file():
    folder = new_folder()
    try:
        path = os.path.join(folder, "conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write("# a comment\nthreads = 3\nmax-queued-jobs = 77\nlog-level = error\n")
        env = {"CYCLOSOLVE_THREADS": "4", "CYCLOSOLVE_LOG_LEVEL": "warning"}
        found = dump("--config", path, "--threads", "5", env=env)
        assert found["threads"][0] == "5" and found["log-level"][0] == "warning", found
        assert found["max-queued-jobs"][0] == "77", found
        assert len({found[n][1] for n in ("threads", "log-level", "max-queued-jobs")}) == 3, found

        # What is dumped can be read back and gives the same.
        dumped = run_program("--config", path, "--threads", "5", "--dump-config", env=env).stdout
        with open(path, "w", encoding="utf-8") as file:
            file.write(dumped)
        again = dump("--config", path)
        assert {n: v for n, (v, _) in again.items()} == {n: v for n, (v, _) in found.items()}

        with open(path, "w", encoding="utf-8") as file:
            file.write("threads = 3\nthreds = 3\n")
        done = run_program("--config", path, "--dump-config")
        assert done.returncode != 0 and "threds" in done.stderr and "2" in done.stderr, done
    finally:
        shutil.rmtree(folder)


def test_check():
    with Daemon() as daemon:
        directories = ["--state-dir", os.path.join(daemon.folder, "state"),
                       "--table-dir", os.path.join(daemon.folder, "tables")]
        done = run_program("--check", *directories)
        assert done.returncode == 0 and "ready" in done.stdout, done
        daemon.stop()
        done = run_program("--check", *directories)
        assert done.returncode == 0 and "no daemon" in done.stdout, done
    done = run_program("--check", "--state-dir", "/proc/nothing", "--table-dir", "/proc/nothing")
    assert done.returncode != 0 and "/proc/nothing" in done.stderr, done


def test_missing_directories_are_made():
    folder = new_folder()
    try:
        with Daemon(folder, state_dir=os.path.join(folder, "a", "b", "state"),
                    table_dir=os.path.join(folder, "c", "d", "tables")) as daemon:
            assert daemon.solve({"cycles": "c: (4) / e: (4)"})["result"]["length"] == 1
            assert os.listdir(os.path.join(folder, "a", "b", "state"))
    finally:
        shutil.rmtree(folder)


def test_address_file_holds_the_url():
    with Daemon() as daemon:
        assert re.fullmatch(r"http://127\.0\.0\.1:[1-9]\d*", daemon.url), daemon.url
        with open(daemon.address_file, encoding="utf-8") as file:
            assert file.read().strip() == daemon.url


def test_several_listeners_and_a_unix_socket():
    folder = new_folder()
    try:
        path = os.path.join(folder, "socket")
        with Daemon(folder, listen=["127.0.0.1:0", f"unix:{path}"]) as daemon:
            tcp = daemon.url
            job_id = daemon.solve({"cycles": "c: (4) / e: (4)"})["id"]
            daemon.url = f"unix:{path}"
            assert daemon.job(job_id)["state"] == "succeeded"
            assert daemon.solve({"cycles": "c: (3) / e:"})["result"]["length"] == 8
            daemon.url = tcp
        assert not os.path.exists(path), "the socket is left behind"
        # A socket left behind by a kill is replaced.
        daemon = Daemon(folder, listen=["127.0.0.1:0", f"unix:{path}"])
        daemon.kill()
        assert os.path.exists(path)
        with Daemon(folder, listen=["127.0.0.1:0", f"unix:{path}"]) as daemon:
            daemon.url = f"unix:{path}"
            expect(daemon.get("/livez"), 200)
    finally:
        shutil.rmtree(folder)


def test_unix_socket_alone():
    folder = new_folder()
    try:
        path = os.path.join(folder, "socket")
        with Daemon(folder, listen=f"unix:{path}") as daemon:
            assert daemon.url == f"unix:{path}", daemon.url
            assert daemon.solve({"cycles": "c: (4) / e: (4)"})["result"]["length"] == 1
    finally:
        shutil.rmtree(folder)


def test_port_in_use():
    with Daemon() as daemon:
        port = daemon.url.rsplit(":", 1)[1]
        done = run_program("--listen", f"127.0.0.1:{port}", "--state-dir",
                           os.path.join(daemon.folder, "state2"), "--table-dir",
                           os.path.join(daemon.folder, "tables"))
        assert done.returncode != 0 and port in done.stderr, done


def test_log_as_json():
    with Daemon(log_format="json", log_level="debug") as daemon:
        daemon.solve({"cycles": "c: (4) / e: (4)"})
        daemon.stop()
        lines = daemon.log_text().splitlines()
        assert lines and all(isinstance(json.loads(line), dict) for line in lines), lines
