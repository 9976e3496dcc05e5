// cube.js - the 3x3x3 on the page's side: turning it, reading stickers, random positions. Used for
// pictures and for what is clicked together; the service alone decides what is true.
//
// A position is 54 letters, faces U R F D L B row by row in the standard unfolding, as the API has
// them. The 2x2x2 is the same cube of which only the corners are shown.

export const FACES = "URFDLB";
export const SOLVED = [...FACES].map((f) => f.repeat(9)).join("");

const index = (face, i) => FACES.indexOf(face) * 9 + i - 1;
const at = (name) => index(name[0], Number(name.slice(1)));

// Slots as in Kociemba's facelet scheme: the first facelet is the one orientation is counted by.
const CORNERS = ["U9 R1 F3", "U7 F1 L3", "U1 L1 B3", "U3 B1 R3", "D3 F9 R7", "D1 L9 F7", "D7 B9 L7", "D9 R9 B7"]
  .map((slot) => slot.split(" ").map(at));
const EDGES = ["U6 R2", "U8 F2", "U4 L2", "U2 B2", "D6 R8", "D2 F8", "D4 L8", "D8 B8", "F6 R4", "F4 L6", "B6 L4", "B4 R6"]
  .map((slot) => slot.split(" ").map(at));

export const CORNER_FACELETS = new Set(CORNERS.flat());

// ---- turning -----------------------------------------------------------------------------------

// Where each facelet is in space: x to the right, y up, z towards the viewer; faces are at ±2.
const COORDINATES = [...FACES].flatMap((face) => Array.from({ length: 9 }, (_, i) => {
  const column = (i % 3) - 1, row = Math.floor(i / 3) - 1;
  return { U: [column, 2, row], R: [2, -row, -column], F: [column, -row, 2], D: [column, -2, -row], L: [-2, -row, column], B: [-column, -row, -2] }[face];
}));

// A clockwise quarter turn, seen from outside: which coordinates it moves, and where to.
const TURNS = {
  U: [(p) => p[1] >= 1, ([x, y, z]) => [-z, y, x]],
  D: [(p) => p[1] <= -1, ([x, y, z]) => [z, y, -x]],
  R: [(p) => p[0] >= 1, ([x, y, z]) => [x, z, -y]],
  L: [(p) => p[0] <= -1, ([x, y, z]) => [x, -z, y]],
  F: [(p) => p[2] >= 1, ([x, y, z]) => [y, -x, z]],
  B: [(p) => p[2] <= -1, ([x, y, z]) => [-y, x, z]],
};

const key = (p) => p.join();
const INDEX = new Map(COORDINATES.map((p, i) => [key(p), i]));
const QUARTER = Object.fromEntries(Object.entries(TURNS).map(([face, [moves, turn]]) =>
  [face, COORDINATES.map((p, i) => (moves(p) ? INDEX.get(key(turn(p))) : i))]));

export function turn(facelets, move) {
  const times = move.endsWith("2") ? 2 : move.endsWith("'") ? 3 : 1;
  let now = [...facelets];
  for (let k = 0; k < times; k++) {
    const next = [...now];
    QUARTER[move[0]].forEach((to, from) => { next[to] = now[from]; });
    now = next;
  }
  return now.join("");
}

export const inverse = (move) => (move.endsWith("2") ? move : move.endsWith("'") ? move[0] : `${move}'`);
export const words = (text) => text.trim().split(/\s+/).filter(Boolean);

/** Position after face turns; null if there is anything else among them. */
export function apply(moves, facelets = SOLVED) {
  if (!moves.every((move) => /^[URFDLB][2']?$/.test(move))) return null;
  return moves.reduce(turn, facelets);
}

/** The position from which the moves lead to the solved one. */
export const before = (moves) => apply([...moves].reverse().map(inverse));

// ---- pieces ------------------------------------------------------------------------------------

const letters = (facelets, slot) => slot.map((i) => facelets[i]);

/** Which piece is in a slot, and how it is turned; null if no piece has such stickers. */
function identify(shown, slots) {
  for (let piece = 0; piece < slots.length; piece++) {
    const own = letters(SOLVED, slots[piece]);
    for (let turned = 0; turned < own.length; turned++)
      if (own.every((letter, k) => shown[(k + turned) % own.length] === letter)) return { piece, turned };
  }
  return null;
}

const ofSlot = (slot) => slot.map((i) => FACES[Math.floor(i / 9)]).join("");

function parity(permutation) {
  let odd = 0;
  const seen = new Set();
  for (let i = 0; i < permutation.length; i++)
    for (let j = i, length = 0; !seen.has(j); j = permutation[j], length++) {
      seen.add(j);
      if (length) odd ^= 1;
    }
  return odd;
}

function readPieces(facelets, slots, kind, faults) {
  const found = slots.map((slot) => identify(letters(facelets, slot), slots));
  slots.forEach((slot, i) => {
    if (!found[i]) faults.push({ slot, text: `No ${kind} has the stickers shown at ${ofSlot(slot)}: ${letters(facelets, slot).join(", ")}.` });
  });
  slots.forEach((slot, piece) => {
    const where = found.filter((f) => f?.piece === piece).length;
    if (where > 1) faults.push({ slot: slots[found.findIndex((f) => f?.piece === piece)], text: `The ${kind} ${ofSlot(slot)} is shown ${where} times.` });
  });
  return found;
}

/** Why no sequence of turns leads to the position, in words; empty: it is a position of the cube. */
export function faultsOf(facelets) {
  const faults = [];
  for (const face of FACES) {
    const n = [...facelets].filter((f) => f === face).length;
    if (n !== 9) faults.push({ slot: [], text: `There are ${n} stickers of ${face} instead of 9.` });
  }
  if (faults.length) return faults;
  const corners = readPieces(facelets, CORNERS, "corner", faults);
  const edges = readPieces(facelets, EDGES, "edge", faults);
  if (faults.length) return faults;
  const sum = (pieces) => pieces.reduce((total, p) => total + p.turned, 0);
  if (sum(corners) % 3) faults.push({ slot: [], text: "One corner is twisted: the twists of all corners must add up to whole turns." });
  if (sum(edges) % 2) faults.push({ slot: [], text: "One edge is flipped: flipped edges come in pairs." });
  if (parity(corners.map((c) => c.piece)) !== parity(edges.map((e) => e.piece)))
    faults.push({ slot: [], text: "Two pieces are swapped: corners and edges must both be an even, or both an odd, permutation." });
  return faults;
}

// ---- random positions ----------------------------------------------------------------------------

/** Evenly distributed below n, without the bias of a remainder. */
function randomBelow(n) {
  const limit = 0x100000000 - (0x100000000 % n), box = new Uint32Array(1);
  do crypto.getRandomValues(box); while (box[0] >= limit);
  return box[0] % n;
}

function shuffled(n) {
  const list = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = randomBelow(i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

/** Turns that add up to nothing. */
function randomTurns(n, mod) {
  const list = Array.from({ length: n - 1 }, () => randomBelow(mod));
  return [...list, (mod - (list.reduce((a, b) => a + b, 0) % mod)) % mod];
}

function paint(out, slots, pieces, turns) {
  slots.forEach((slot, i) => slots[pieces[i]].forEach((home, k) => { out[slot[(k + turns[i]) % slot.length]] = SOLVED[home]; }));
}

/** Every one of the 43 252 003 274 489 856 000 positions with the same probability. */
export function randomPosition() {
  const corners = shuffled(8), edges = shuffled(12), out = [...SOLVED];
  if (parity(corners) !== parity(edges)) [edges[0], edges[1]] = [edges[1], edges[0]];
  paint(out, CORNERS, corners, randomTurns(8, 3));
  paint(out, EDGES, edges, randomTurns(12, 2));
  return out.join("");
}
