"""One job, many daemons: threads, kernels and memory change the time, never the answer."""

from system_daemon import SANITIZER, Daemon

KIBIBYTE_IN_MIB = 1 / 1024
JOBS = [
    {"cycles": "c: (1+, 5+) / e: (1+, 7+)"},
    {"cycles": "c: (3) / e:"},
    {"cycles": "c: (2, 2, 3) / e: (9)"},
    {"cycles": "e: (2, 2)"},
    {"cycles": "c: (3, 4) / e: (1+, 8+)", "moves": ["R", "U", "F"]},
    {"order": 84},
    {"start": "R U F' L2 B"},
    {"cycles": "c: (4) / e: (4)", "min_length": 3},
]
CONFIGURATIONS = {
    "1 thread": {"threads": 1},
    "2 threads": {"threads": 2},
    "3 threads": {"threads": 3},
    "without AVX2": {"kernels_off": "avx2"},
    "4 KiB of tables": {"memory_mib": 4 * KIBIBYTE_IN_MIB},
    "1 MiB of tables": {"memory_mib": 1},
    "64 MiB of tables": {"memory_mib": 64},
}


def answers(daemon, **more):
    """(length, best word, counts) of each job. The best of `one` is the easiest of one class, that
    of `all` the easiest of all."""
    found = []
    for spec in JOBS:
        one = daemon.solve({**spec, **more}, timeout=120)["result"]
        every = daemon.solve({**spec, **more, "find": "all"}, timeout=120)["result"]
        assert one["length"] == every["length"], (one, every)
        found.append((one["length"], one["best"], every["best"], every["count"]))
    return found


def test_row_same_best_in_every_configuration():
    first = None
    for name, options in CONFIGURATIONS.items():
        if SANITIZER and name in ("3 threads", "1 MiB of tables"):
            continue
        with Daemon(**options) as daemon:
            found = answers(daemon)
            limit = options.get("memory_mib", 768) * (1 << 20)
            assert daemon.metric("table_bytes") <= limit, (name, daemon.metric("table_bytes"))
            kernels = daemon.get_json("/version")["kernels"]
            assert "avx2" not in kernels or "kernels_off" not in options, kernels
        first = first or found
        assert found == first, (name, found, first)


def test_same_best_whatever_the_memory_of_the_job():
    with Daemon() as daemon:
        first = answers(daemon, fresh=True)
        for mebibytes in (4 * KIBIBYTE_IN_MIB, 1, 64):
            found = answers(daemon, fresh=True, limits={"memory_mib": mebibytes})
            assert found == first, (mebibytes, found, first)
            job = daemon.solve({**JOBS[0], "fresh": True, "limits": {"memory_mib": mebibytes}})
            used = sum(table["bytes"] for table in job["plan"]["tables"])
            assert used <= mebibytes * (1 << 20), job["plan"]


def test_same_best_while_others_run():
    """Jobs that share the threads, in another order than they came, give what they give alone."""
    with Daemon() as daemon:
        alone = [daemon.solve({**spec, "fresh": True})["result"] for spec in JOBS]
        ids = [daemon.submit({**spec, "fresh": True})["id"] for spec in reversed(JOBS * 2)]
        together = [daemon.wait_end(i)["result"] for i in ids]
        assert together == list(reversed(alone * 2)), (alone, together)
