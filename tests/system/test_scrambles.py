"""Scramble jobs: `start` alone. Optimal lengths and, where words are few, all of them, against
brute force; published positions."""

import json
import random

import system_cube
from system_daemon import SANITIZER, SUPERFLIP, Shared, data_path, expect, say

DAEMON = Shared()
SEED = 20240229
LONGEST_LISTED = 7  # words of so many moves are listed by brute force
LONGEST = 13 if SANITIZER is None else 9
QUICK_NODES = 1_000_000  # longer positions only if the source needed no more


def random_scramble(generator, length):
    word = []
    while len(word) < length:
        move = generator.choice(list(system_cube.MOVES))
        if not word or word[-1][0] != move[0]:
            word.append(move)
    return " ".join(word)


def test_row_scrambles_equal_brute_force():
    """Random scrambles of 0 to 10 moves: the length of meeting in the middle; up to 7 moves the
    same list of solutions."""
    generator = random.Random(SEED)
    distances = system_cube.Distances(5)
    scrambles = [random_scramble(generator, n) for n in (0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 8, 9)]
    scrambles += [random_scramble(generator, 10) for _ in range(4)]
    for scramble in scrambles:
        state = system_cube.apply(scramble)
        optimum = distances.of(state)
        job = DAEMON().solve({"start": scramble, "find": "all"})
        result = job["result"]
        assert result["length"] == optimum and result["optimal"], (scramble, optimum, result)
        if optimum <= LONGEST_LISTED:
            words = set(distances.solutions(state, optimum))
            assert result["count"]["sequences"] == len(words), (scramble, result, words)
            assert {s["moves"] for s in DAEMON().solutions(job["id"])} == words, scramble
    say(f"{len(scrambles)} scrambles, seed {SEED}")


def test_row_optimal_positions():
    """Positions of which the optimum is known: all up to 13 moves, of longer ones the quick."""
    with open(data_path("optimal_positions_3x3.json"), encoding="utf-8") as file:
        data = json.load(file)
    n = 0
    for position in data["positions"]:
        optimum = position["optimal_htm"]
        if optimum is None:
            continue
        nodes = position.get("own_nodes_to_first_solution") or QUICK_NODES + 1
        if optimum > LONGEST and (nodes > QUICK_NODES or SANITIZER):
            continue
        facelets = system_cube.facelets(system_cube.apply(position["scramble"]))
        assert facelets == position["facelets_uRFDLB"], position
        job = DAEMON().solve({"start": position["scramble"]}, timeout=120)
        assert job["result"]["length"] == optimum and job["result"]["optimal"], (position, job)
        n += 1
    say(f"{n} positions")
    assert n >= (30 if SANITIZER is None else 10)


def test_start_with_a_target():
    """From a start to a structure: no longer than the word that leads there, and optimal."""
    for start, word in (("F", "R U"), ("R U F2", "D L'"), ("U2 D2", "")):
        goal = system_cube.structure_text(system_cube.apply(word, system_cube.apply(start)))
        job = DAEMON().solve({"start": start, "cycles": goal})
        shortest = min(system_cube.length(w) for w in ["", *words(2)] if
                       system_cube.structure_text(
                           system_cube.apply(w, system_cube.apply(start))) == goal)
        assert job["result"]["length"] == shortest, (start, word, job["result"])


def words(longest):
    layer, found = [""], []
    for _ in range(longest):
        layer = [f"{w} {m}".strip() for w in layer for m in system_cube.MOVES]
        found += layer
    return found


def test_superflip_is_what_the_tests_take_it_for():
    state = system_cube.apply(SUPERFLIP)
    assert system_cube.structure_text(state) == "c: / e: (" + ", ".join(["1+"] * 12) + ")"
    reply = DAEMON().post("/v1/analyze", {"start": SUPERFLIP}).json()
    assert reply["text"] == system_cube.structure_text(state), reply
    assert reply["facelets"] == system_cube.facelets(state), reply


def test_facelets_as_the_start():
    """A start told by its stickers is that told by moves: it is solved, and joined or answered."""
    for scramble in ("R U2 F' L D", "F B' L2 D R' U"):
        facelets = system_cube.facelets(system_cube.apply(scramble))
        job = DAEMON().submit({"start": {"facelets": facelets}})
        job = expect(DAEMON().get(f"/v1/jobs/{job['id']}", prefer="wait=60"), 200).json()
        assert job["state"] == "succeeded" and job["request"]["start"] == {"facelets": facelets}
        best = job["result"]["best"]
        assert system_cube.apply(f"{scramble} {best}") == system_cube.SOLVED, (scramble, best)
        again = DAEMON().solve({"start": scramble})
        assert again["cached"] and again["result"]["best"] == best, again


def test_solved_start():
    for start in ("", "R R'", "U D U' D'"):
        job = DAEMON().solve({"start": start})
        assert job["result"]["length"] == 0 and job["result"]["best"] == "", (start, job)


def test_start_in_a_subgroup():
    """A scramble of R and U alone is solved by R and U; one that needs F is never solved so."""
    job = DAEMON().solve({"start": "R U R' U' R2", "moves": ["R", "U"], "find": "all"})
    assert job["result"]["length"] == 5 and job["result"]["count"]["sequences"] == 1, job["result"]
    job = DAEMON().solve({"start": "R U R' U'", "moves": ["R", "U"], "max_length": 3})
    assert job["result"]["length"] is None and job["result"]["lower_bound"] == 4, job["result"]
