"""Known answers for cycle structures: lengths, counts, words, over HTTP. Issue 2, "What it must
show": one test per row."""

import json
import time

import system_cube
from system_daemon import THREADS, Daemon, Shared, check_solution, check_time, data_path, say

DAEMON = Shared()
HARD = "c: (1+, 5+) / e: (1+, 1+)"
SAMPLE = 60  # rows of the table of lengths


def expect_all(text, length, sequences, canonical=None, **more):
    """`find: all` gives this length and these counts, and every stored word is right."""
    daemon = DAEMON()
    job = daemon.solve({"cycles": text, "find": "all", **more})
    result = job["result"]
    assert result["length"] == length and result["optimal"], (text, result)
    assert result["limit_hit"] is None, result
    assert result["count"]["sequences"] == sequences, (text, result)
    if canonical is not None:
        assert result["count"]["canonical"] == canonical, (text, result)
    assert result["by_length"] == {str(length): result["count"]}, result
    return job


def check_stored(job, sequences):
    """All stored words are different, optimal and right."""
    found = DAEMON().solutions(job["id"])
    words = {s["moves"] for s in found}
    assert len(found) == len(words) == min(sequences, 10000), (len(found), len(words))
    for solution in found:
        assert solution["length"] == job["result"]["length"]
        check_solution(job["request"], job["target"], solution["moves"])


def test_row_hard_30x30x30_from_nothing_and_again():
    """From an empty host 11 moves within 5 s; all: 1056; fresh within 150 ms; then from memory."""
    with Daemon(threads=THREADS) as daemon:
        start = time.monotonic()
        job = daemon.solve({"cycles": HARD})
        check_time("hard 30x30x30, no tables on the host", time.monotonic() - start, 5)
        assert job["result"]["length"] == 11 and job["result"]["optimal"], job["result"]
        assert job["result"]["count"] is None and not job["cached"], job
        assert daemon.metric("tables_filled_total") > 0

        every = daemon.solve({"cycles": HARD, "find": "all"})
        assert every["result"]["count"]["sequences"] == 1056, every["result"]
        assert every["result"]["best"] == job["result"]["best"], every["result"]

        times = []
        for _ in range(3):
            start = time.monotonic()
            again = daemon.solve({"cycles": HARD, "fresh": True})
            times.append(time.monotonic() - start)
            assert not again["cached"] and again["result"] == job["result"], again
        say("fresh: " + ", ".join(f"{t * 1000:.0f} ms" for t in times))
        check_time("hard 30x30x30, fresh, tables resident", min(times), 0.150)

        cached = daemon.solve({"cycles": HARD})
        assert cached["cached"] and cached["id"] != job["id"], cached
        assert cached["result"] == job["result"], cached
        assert cached["solutions"] == job["solutions"], cached


def test_row_order_210_has_5_moves():
    job = expect_all("c: (1+, 5+) / e: (1+, 7+)", 5, 480, 288)
    assert job["target"]["order"] == 210, job["target"]
    check_stored(job, 480)


def test_row_corner_3_cycle_has_8_moves():
    check_stored(expect_all("c: (3) / e:", 8, 864, 864), 864)


def test_row_easy_30x30x30_has_11_moves():
    check_stored(expect_all("c: (1+, 1+) / e: (1+, 5+)", 11, 2112, 1152), 2112)


def test_row_identity_has_length_0():
    for find in ("one", "all"):
        job = DAEMON().solve({"cycles": "c: / e:", "find": find})
        assert job["result"]["length"] == 0 and job["result"]["best"] == "", job["result"]
        assert [s["moves"] for s in job["solutions"]] == [""], job["solutions"]
    assert job["result"]["count"] == {"sequences": 1, "canonical": 1, "classes": 1}, job["result"]
    assert job["target"]["text"] == "c: / e:" and job["target"]["states"] == "1", job["target"]


def test_row_u_d_type_has_2_moves():
    job = expect_all("c: (4, 4) / e: (4, 4)", 2, 24, 12)
    check_stored(job, 24)


def test_row_subgroup_r_u_f_has_4_moves():
    job = expect_all("c: (3, 4) / e: (1+, 8+)", 4, 24, moves=["R", "U", "F"])
    check_stored(job, 24)
    faces = {move[0] for s in DAEMON().solutions(job["id"]) for move in s["moves"].split()}
    assert faces <= set("RUF"), faces


def test_row_9_cycle_of_6048_sequences():
    """Also the pages of a long list of solutions."""
    job = expect_all("c: (2, 2, 3) / e: (9)", 7, 6048, 6048)
    check_stored(job, 6048)


def read_cases():
    with open(data_path("cycle_cases_3x3.json"), encoding="utf-8") as file:
        return json.load(file)


def test_row_cycle_cases_3x3():
    """The lengths and counts of the public suite, each recomputed by exhaustive enumeration."""
    n = 0
    for case in read_cases()["cases"]:
        if case["optimal_length"] is None:
            continue  # the hard 30x30x30: a test of its own
        cycles = {"corners": case["corners"], "edges": case["edges"]}
        known = case["own_bruteforce"]
        more = {"moves": case["move_set"]} if "move_set" in case else {}
        job = expect_all(cycles, known["min_length"], known["words"], known["traces"], **more)
        assert known["min_length"] == case["optimal_length"], case
        text = system_cube.print_structure(system_cube.parse_cycles(case["corners"]),
                                           system_cube.parse_cycles(case["edges"]))
        assert job["target"]["text"] == text, job["target"]
        n += 1
    say(f"{n} cases")
    assert n == 59


def test_row_cycle_cases_3x3_of_9_to_13_moves():
    n = 0
    for case in read_cases()["extra_cases_own_search"]["list"]:
        if case["expanded_count"] is None or case["optimal_length"] < 9:
            continue
        cycles = {"corners": case["corners"], "edges": case["edges"]}
        expect_all(cycles, case["optimal_length"], case["expanded_count"], case.get("traces"))
        n += 1
    say(f"{n} cases")
    assert n > 10


def test_row_cycle_cases_3x3_membership():
    """`analyze` sees the structure of words, and `like` targets it."""
    for case in read_cases()["membership_checks"]["list"]:
        corners, edges = (system_cube.parse_cycles(case[k]) for k in ("corners", "edges"))
        reply = DAEMON().post("/v1/analyze", {"alg": case["moves"]}).json()
        assert reply["text"] == system_cube.print_structure(corners, edges), (case, reply)
        if case["min_length_of_structure_own"] <= 7:
            job = DAEMON().solve({"like": case["moves"]})
            assert job["result"]["length"] == case["min_length_of_structure_own"], (case, job)


def read_lengths(longest):
    """Rows (length, corners, edges, words, traces, states) up to a length."""
    with open(data_path("structure_lengths_3x3.tsv"), encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if fields[0].isdigit() and int(fields[0]) <= longest:
                yield [int(fields[0]), fields[1], fields[2], *map(int, fields[3:6])]


def test_row_structure_lengths_3x3_sample():
    """Rows spread over the table up to 7 moves; all of them are a test of the core."""
    rows = list(read_lengths(7))
    sample = rows[::len(rows) // SAMPLE + 1]
    for length, corners, edges, words, traces, states in sample:
        text = system_cube.print_structure(system_cube.parse_cycles(corners),
                                           system_cube.parse_cycles(edges))
        job = expect_all(text, length, words, traces)
        assert job["target"]["text"] == text and job["target"]["states"] == str(states), job
    say(f"{len(sample)} of {len(rows)} rows")
    assert len(sample) >= SAMPLE * 2 // 3


def test_targets_by_order_and_by_list():
    """`order` and `any_of` find the shortest over several structures."""
    job = DAEMON().solve({"order": 105, "find": "all"})
    assert job["result"]["length"] == 2 and job["target"]["order"] == 105, job
    brute = [word for word in words_of(2)
             if system_cube.order(system_cube.apply(word)) == 105]
    assert job["result"]["count"]["sequences"] == len(brute), (job["result"], len(brute))
    assert {s["moves"] for s in DAEMON().solutions(job["id"])} == set(brute)

    job = DAEMON().solve({"any_of": ["c: (3) / e:", "c: (4, 4) / e: (4, 4)"], "find": "all"})
    assert job["result"]["length"] == 2, job["result"]
    assert job["result"]["count"]["sequences"] == 24, job["result"]


def words_of(length):
    """All words that do not turn a face twice in a row, as the counts of the tables have them."""
    words = [[]]
    for _ in range(length):
        words = [[*w, m] for w in words for m in system_cube.MOVES if not w or w[-1][0] != m[0]]
    return [" ".join(w) for w in words]


def test_every_structure_of_up_to_3_moves_by_brute_force():
    """The list of `find: all` is exactly that of brute force."""
    shortest = {}
    for length in range(4):
        for word in words_of(length):
            text = system_cube.structure_text(system_cube.apply(word))
            known = shortest.setdefault(text, (length, set()))
            if known[0] == length:
                known[1].add(word)
    assert [sum(1 for n, _ in shortest.values() if n == k) for k in range(4)] == [1, 2, 7, 19]
    for text, (length, words) in shortest.items():
        job = expect_all(text, length, len(words))
        assert {s["moves"] for s in DAEMON().solutions(job["id"])} == words, text


def test_structure_as_text_and_object_are_one():
    """Every spelling of a structure is understood, echoed in one form, and equal."""
    spellings = ["c: (1+, 5+) / e: (1+, 7+)", "corners: (5o, 1o) / edges: (7+)(1+)",
                 "e: (7+, 1+) / c: (5+)(1+)", "co:(1+,5+,1)/ed:(1+,7+)",
                 {"corners": [[1, True], [5, True]], "edges": [[1, True], [7, True]]},
                 {"corners": [{"length": 5, "oriented": True}, [1, True], [1, False]],
                  "edges": [[7, True], {"length": 1, "oriented": True}]}]
    ids = set()
    for spelling in spellings:
        job = DAEMON().solve({"cycles": spelling})
        assert job["target"]["text"] == "c: (1+, 5+) / e: (1+, 7+)", (spelling, job["target"])
        assert job["request"]["cycles"] == {"corners": [[1, True], [5, True]],
                                            "edges": [[1, True], [7, True]]}, job["request"]
        assert job["cached"] or not ids, (spelling, job)
        ids.add(job["id"])
    assert len(ids) == len(spellings)


def test_repeated_group():
    """`x2` and `×2` repeat a group."""
    for text in ("c: (4) x2 / e: (4) ×2", "c: (4)x2/e: (4)(4)"):
        assert DAEMON().solve({"cycles": text})["target"]["text"] == "c: (4, 4) / e: (4, 4)"
