"""The other built-in puzzles: as listed, their moves as people write them, known lengths and counts,
scrambles, and structures that none of their positions has."""

import json

from system_daemon import Shared, data_path, expect, expect_problem, say

DAEMON = Shared()
LITTLE = {"memory_mib": 0.004}  # the searches here are shorter than the fill of any table

# Moves, symmetries, positions.
KNOWN = {
    "2x2x2": (9, 6, "3674160"),
    "3x3x3": (18, 48, "43252003274489856000"),
    "4x4x4": (54, 48, "16972688908618238933770849245964147960401887232000000000"),
    "5x5x5": (54, 48, "25826362728869593791628196981746835859180889400542371321447788045689254051"
                      "84000000000000000"),
    "pyraminx": (8, 24, "933120"),
    "skewb": (8, 24, "3149280"),
    "megaminx": (48, 120, "1006696165535233471225160323136455051686881164110197686272" + 11 * "0"),
}


def solve(spec):
    reply = DAEMON().post("/v1/jobs", {"limits": LITTLE, **spec}, prefer="wait=60")
    job = expect(reply, 200).json()
    assert job["state"] == "succeeded", job
    return job


def analyze(puzzle, alg):
    return expect(DAEMON().post("/v1/analyze", {"puzzle": puzzle, "alg": alg}), 200).json()


def test_list():
    listed = DAEMON().get_json("/v1/puzzles")["puzzles"]
    assert {p["name"] for p in listed} == set(KNOWN), listed
    for puzzle in listed:
        assert DAEMON().get_json(f"/v1/puzzles/{puzzle['name']}") == puzzle
        found = len(puzzle["moves"]), puzzle["symmetries"], puzzle["positions"]
        assert found == KNOWN[puzzle["name"]], puzzle
    big = next(p for p in listed if p["name"] == "4x4x4")
    assert big["aliases"]["Rw"] == big["aliases"]["2Rw"] == "r", big


def check_rows(puzzle, name, orbits):
    with open(data_path(name), encoding="utf-8") as file:
        rows = json.load(file)["cases"]
    for row in rows:
        known = row["own_bruteforce"]
        job = solve({"puzzle": puzzle, "cycles": {o: row[o] for o in orbits}, "find": "all"})
        result = job["result"]
        assert result["length"] == known["min_length"] and result["optimal"], (row, result)
        assert result["count"]["sequences"] == known["words"], (row, result)
        assert result["count"]["canonical"] == known.get("traces", result["count"]["canonical"])
        assert analyze(puzzle, result["best"])["text"] == job["target"]["text"], result
    say(f"{len(rows)} rows of {name}")


def test_rows_megaminx():
    check_rows("megaminx", "cycle_cases_megaminx.json", ["corners", "edges"])


def test_rows_4x4x4():
    check_rows("4x4x4", "cycle_cases_4x4.json", ["corners", "edges", "centers"])


def test_names():
    """The same turn under each of its names, and names of other puzzles refused at their place."""
    for puzzle, same in (("4x4x4", ("r U2", "Rw U2", "2Rw U2'", "R 2R U U")),
                         ("5x5x5", ("2R2' l'", "Lw3 2R2")),
                         ("megaminx", ("U2' BL", "U3 BL4'", "UUUBL")),
                         ("pyraminx", ("U' B", "U2 B2'"))):
        undone = [f"({same[0]})' {alg}" for alg in same]
        assert all(analyze(puzzle, alg)["solved"] for alg in undone), (puzzle, same)
    for puzzle, alg in (("4x4x4", "R M"), ("megaminx", "R Uw"), ("skewb", "R B"), ("5x5x5", "R 3R")):
        problem = expect_problem(DAEMON().post("/v1/analyze", {"puzzle": puzzle, "alg": alg}), 422,
                                 "invalid-request", "/alg")
        assert "position 2" in problem["detail"], problem


def test_scrambles():
    """The way back is no longer than the way there, and leads back."""
    for puzzle, scramble in (("pyraminx", "U L' R B U' L R'"), ("skewb", "U R' L F U' R"),
                             ("megaminx", "U F2 BL'"), ("4x4x4", "Rw U 2F'"), ("5x5x5", "2R u' F")):
        result = solve({"puzzle": puzzle, "start": scramble})["result"]
        assert result["optimal"] and result["length"] <= len(scramble.split()), (puzzle, result)
        assert analyze(puzzle, f"{scramble} {result['best']}")["solved"], (puzzle, result)


def test_refused():
    for puzzle, cycles, pointer, rule in (
            ("skewb", {"corners": [[3, False]]}, "/cycles", "link"),
            ("skewb", {"corners": [[2, False], [2, False]], "fixed-corners": [[1, True]]},
             "/cycles", "link"),
            ("pyraminx", {"corners": [[2, False]]}, "/cycles/corners", "pieces"),
            ("pyraminx", {"edges": [[2, False]]}, "/cycles/edges", "parity"),
            ("megaminx", {"corners": [[1, True]]}, "/cycles/corners", "orientation-sum"),
            ("megaminx", {"corners": [[2, False]], "edges": [[2, False]]}, "/cycles/edges",
             "parity"),
            ("4x4x4", {"edges": [[2, True]]}, "/cycles/edges/0/1", "unorientable"),
            ("4x4x4", {"centers": [[2, False]]}, "/cycles", "parity")):
        for path in ("/v1/jobs", "/v1/analyze"):
            reply = DAEMON().post(path, {"puzzle": puzzle, "cycles": cycles})
            expect_problem(reply, 422, "infeasible-target", pointer, rule)
