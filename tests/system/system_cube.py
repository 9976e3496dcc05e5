"""The 3x3x3 a second time, from geometry alone, to check what the daemon answers.

A sticker is (position, normal): two vectors with entries -1, 0, 1. A move rotates the stickers of a
layer about its axis. Nothing here knows corners, edges, orientations or any table of the engine:
whether a cycle is oriented is seen by following one sticker of a piece once around.

A state is `bytes`: entry i is where the sticker that started at i is now. Entries are sticker
numbers, so that a move is one bytes.translate.
"""

import itertools
import math
import re

# Of each face, in the order in which facelets are written: normal, direction right, direction down,
# as somebody sees them who looks at the face in the usual unfolding.
FACES = {
    "U": ((0, 1, 0), (1, 0, 0), (0, 0, 1)),
    "R": ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
    "F": ((0, 0, 1), (1, 0, 0), (0, -1, 0)),
    "D": ((0, -1, 0), (1, 0, 0), (0, 0, -1)),
    "L": ((-1, 0, 0), (0, 0, 1), (0, -1, 0)),
    "B": ((0, 0, -1), (-1, 0, 0), (0, -1, 0)),
}
AMOUNTS = {"": 1, "2": 2, "'": 3}


def _add(*vectors):
    return tuple(map(sum, zip(*vectors)))


def _scale(factor, vector):
    return tuple(factor * x for x in vector)


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def _clockwise(axis, v):
    """v after a quarter turn that is clockwise for somebody who looks at the face from outside."""
    cross = (v[1] * axis[2] - v[2] * axis[1], v[2] * axis[0] - v[0] * axis[2],
             v[0] * axis[1] - v[1] * axis[0])
    return _add(cross, _scale(_dot(axis, v), axis))


def _facelets():
    """(position, normal) of the 54 facelets in the order U R F D L B, rows from the top."""
    for normal, right, down in FACES.values():
        for row, column in itertools.product((-1, 0, 1), repeat=2):
            yield _add(normal, _scale(column, right), _scale(row, down)), normal


STICKERS = list(_facelets())
NUMBER = {sticker: i for i, sticker in enumerate(STICKERS)}
SOLVED = bytes(range(54))


def _move_table(face, amount):
    axis = FACES[face][0]
    table = []
    for position, normal in STICKERS:
        if _dot(position, axis) == 1:
            for _ in range(amount):
                position, normal = _clockwise(axis, position), _clockwise(axis, normal)
        table.append(NUMBER[position, normal])
    return bytes(table) + bytes(range(54, 256))


MOVES = {face + suffix: _move_table(face, amount)
         for face in FACES for suffix, amount in AMOUNTS.items()}

# The pieces of the two orbits: the numbers of their stickers.
CORNERS = [[i for i, (p, _) in enumerate(STICKERS) if p == corner]
           for corner in itertools.product((-1, 1), repeat=3)]
EDGES = [[i for i, (p, _) in enumerate(STICKERS) if p == edge]
         for edge in itertools.product((-1, 0, 1), repeat=3) if sorted(map(abs, edge)) == [0, 1, 1]]


def apply(word, state=SOLVED):
    """The state after the moves of the text."""
    for name in word.split():
        state = state.translate(MOVES[name])
    return state


def length(word):
    return len(word.split())


def _cycles(state, pieces):
    """Sorted [(length, oriented)] of the orbit, fixed unoriented pieces left out."""
    home = {sticker: k for k, piece in enumerate(pieces) for sticker in piece}
    seen, found = set(), []
    for k, piece in enumerate(pieces):
        if k in seen:
            continue
        sticker, n = piece[0], 0
        while n == 0 or home[sticker] != k:
            seen.add(home[sticker])
            sticker, n = state[sticker], n + 1
        oriented = sticker != piece[0]
        if n > 1 or oriented:
            found.append((n, oriented))
    return sorted(found)


def structure(state):
    """(corners, edges), each a sorted list of (length, oriented)."""
    return _cycles(state, CORNERS), _cycles(state, EDGES)


def print_structure(corners, edges):
    """The text as the daemon writes it: c: (1+, 5+) / e: (1+, 1+)."""
    def orbit(cycles):
        items = ", ".join(f"{n}{'+' if oriented else ''}" for n, oriented in sorted(cycles))
        return f" ({items})" if items else ""
    return f"c:{orbit(corners)} / e:{orbit(edges)}"


def structure_text(state):
    return print_structure(*structure(state))


def order(state):
    """The order of the permutation of stickers."""
    return math.lcm(*(n * (2 if oriented and pieces is EDGES else 3 if oriented else 1)
                      for pieces in (CORNERS, EDGES) for n, oriented in _cycles(state, pieces)), 1)


def facelets(state):
    """54 letters U R F D L B."""
    letters = [""] * 54
    for start, now in enumerate(state):
        letters[now] = list(FACES)[start // 9]
    return "".join(letters)


def parse_cycles(items):
    """`["3", "5o"]` of the tables of known answers, or [[5, true]] of the cases."""
    if isinstance(items, str):
        return [(int(re.match(r"\d+", item)[0]), item.endswith("o"))
                for item in items.split() if item != "-"]
    return [tuple(item) for item in items]


class Distances:
    """Exact distances from solved by brute force: everything within `radius` moves, and beyond that
    by meeting in the middle."""

    def __init__(self, radius=5):
        self.radius = radius
        self.known = {SOLVED: 0}
        layer = [SOLVED]
        for depth in range(1, radius + 1):
            layer = self._expand(layer, self.known, depth)

    @staticmethod
    def _expand(layer, known, depth):
        found = []
        for state in layer:
            for table in MOVES.values():
                after = state.translate(table)
                if after not in known:
                    known[after] = depth
                    found.append(after)
        return found

    def of(self, state, limit=10):
        """The distance, or limit + 1 if it is above `limit` (at most twice the radius)."""
        seen, layer = {state: 0}, [state]
        for depth in range(0, limit - self.radius + 1):
            near = [self.known[s] for s in layer if s in self.known]
            if near:
                return depth + min(near)
            layer = self._expand(layer, seen, depth + 1)
        return limit + 1

    def solutions(self, state, moves):
        """Every word of so many moves that solves the state, which is `moves` away or more."""
        if moves == 0:
            return [""] if state == SOLVED else []
        if moves <= self.radius and self.known.get(state, moves + 1) > moves:
            return []
        found = []
        for name, table in MOVES.items():
            rest = self.solutions(state.translate(table), moves - 1)
            found += [f"{name} {word}".strip() for word in rest]
        return found
