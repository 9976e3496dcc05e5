// net.js - the cube as SVG: unfolded, and as three visible faces; and a player of algorithms made of
// them, for when the field's viewer is not built in or not wanted.
import { announce, h, newId, replace, s } from "./dom.js";
import { apply, CORNER_FACELETS, FACES, inverse, turn } from "./cube.js";

const FACE_AT = { U: [3, 0], L: [0, 3], F: [3, 3], R: [6, 3], B: [9, 3], D: [3, 6] };
const GAP = 0.35;
const COLOURS = { U: "white", R: "red", F: "green", D: "yellow", L: "orange", B: "blue" };

const shown = (puzzle, i) => puzzle !== "2x2x2" || CORNER_FACELETS.has(i);

/** Column and row of a facelet within its face; the 2x2x2 has no middle ones. */
function cell(puzzle, i) {
  const column = i % 3, row = Math.floor((i % 9) / 3);
  return puzzle === "2x2x2" ? [column ? 1.5 : 0, row ? 1.5 : 0, 1.5] : [column, row, 1];
}

export function facesInWords(facelets) {
  return [...FACES].map((face, i) => `${face}: ${facelets.slice(9 * i, 9 * i + 9)}`).join("; ");
}

/** The unfolded cube. `press`: called with the index of a facelet that is clicked. */
export function net(facelets, { puzzle = "3x3x3", press, marked = new Set(), label } = {}) {
  const tiles = [...facelets].map((letter, i) => {
    if (!shown(puzzle, i)) return null;
    const face = FACES[Math.floor(i / 9)], [x0, y0] = FACE_AT[face];
    const [column, row, size] = cell(puzzle, i);
    const place = {
      x: x0 + column + 0.04 + (GAP * x0) / 3, y: y0 + row + 0.04 + (GAP * y0) / 3,
      width: size - 0.08, height: size - 0.08, rx: 0.14,
    };
    const centre = i % 9 === 4;
    const properties = { ...place, class: `sticker face-${letter}${marked.has(i) ? " marked" : ""}` };
    if (press && !centre) Object.assign(properties, {
      tabindex: "-1", role: "button", "data-facelet": i,
      "aria-label": `${face}${(i % 9) + 1}: ${COLOURS[letter]}`, on: { click: () => press(i) },
    });
    return s("rect", properties);
  });
  const image = s("svg", { class: `net${press ? " editable" : ""}`, viewBox: `-0.1 -0.1 ${12.2 + 3 * GAP} ${9.2 + 2 * GAP}`,
    role: press ? "group" : "img", "aria-label": label ?? `Unfolded cube. ${facesInWords(facelets)}` }, tiles);
  if (press) makeNavigable(image);
  return image;
}

/** One tab stop; arrow keys go to the nearest sticker that way, Enter and Space press it. */
function makeNavigable(image) {
  const stickers = [...image.querySelectorAll("[data-facelet]")];
  const middle = (r) => [Number(r.getAttribute("x")) + Number(r.getAttribute("width")) / 2, Number(r.getAttribute("y")) + Number(r.getAttribute("height")) / 2];
  const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  stickers[0]?.setAttribute("tabindex", "0");
  image.addEventListener("keydown", (event) => {
    const now = event.target.closest("[data-facelet]");
    if (!now) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      now.dispatchEvent(new MouseEvent("click"));
    }
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    const [x, y] = middle(now);
    const cost = (r) => {
      const [dx, dy] = [middle(r)[0] - x, middle(r)[1] - y];
      const along = dx * way[0] + dy * way[1], across = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      return along < 0.3 ? Infinity : along + 3 * across;
    };
    const next = stickers.filter((r) => r !== now).reduce((a, b) => (cost(b) < cost(a) ? b : a));
    if (cost(next) === Infinity) return;
    now.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}

// The cube from the front, above and the right: unit vectors of the plane for x, y, z.
const ISO_X = [0.866, 0.5], ISO_Y = [0, -1], ISO_Z = [-0.866, 0.5];
const VISIBLE = {
  U: [[0, 3, 0], [1, 0, 0], [0, 0, 1]],
  F: [[0, 3, 3], [1, 0, 0], [0, -1, 0]],
  R: [[3, 3, 3], [0, 0, -1], [0, -1, 0]],
};

const project = (p) => [0, 1].map((k) => p[0] * ISO_X[k] + p[1] * ISO_Y[k] + p[2] * ISO_Z[k]);

function quad(origin, right, down, column, row, size) {
  const corner = (a, b) => project(origin.map((o, k) => o + right[k] * a + down[k] * b)).map((v) => v.toFixed(3)).join();
  const e = 0.05, far = size - e;
  return [corner(column + e, row + e), corner(column + far, row + e), corner(column + far, row + far), corner(column + e, row + far)].join(" ");
}

/** Three faces in space. */
export function solid(facelets, { puzzle = "3x3x3" } = {}) {
  const tiles = Object.entries(VISIBLE).flatMap(([face, [origin, right, down]]) => Array.from({ length: 9 }, (_, k) => {
    const i = FACES.indexOf(face) * 9 + k;
    if (!shown(puzzle, i)) return null;
    const [column, row, size] = cell(puzzle, i);
    return s("polygon", { class: `sticker face-${facelets[i]}`, points: quad(origin, right, down, column, row, size) });
  }));
  return s("svg", { class: "solid", viewBox: "-2.75 -3.1 5.5 6.2", "aria-hidden": "true" }, tiles);
}

export function cubeView(facelets, options = {}) {
  return h("div", { class: "cube-view" }, solid(facelets, options), net(facelets, options));
}

// ---- player ------------------------------------------------------------------------------------

const STEP_MS = 700;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Drawn, since fonts often lack these signs.
const ICONS = {
  first: "M5 4v12 M16 4L8 10l8 6z", back: "M14 4L6 10l8 6z", play: "M6 3.5v13L17 10z", pause: "M6 4v12 M14 4v12", next: "M6 4l8 6-8 6z", last: "M15 4v12 M4 4l8 6-8 6z",
};
const icon = (name) => s("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

/**
 * Plays moves from a position on the unfolded cube: buttons, a slider, the moves to jump to.
 * Returns null for moves that it cannot draw.
 */
export function netPlayer(moves, start, { puzzle } = {}) {
  if (apply(moves, start) === null) return null;
  const positions = moves.reduce((list, move) => [...list, turn(list.at(-1), move)], [start]);
  let now = 0, timer = 0;

  const picture = h("div", { class: "player-picture" });
  const chips = moves.map((move, i) => h("button", { type: "button", class: "move", on: { click: () => go(i + 1) } }, move));
  const slider = h("input", { type: "range", min: 0, max: moves.length, value: 0, "aria-label": "Position within the algorithm", on: { input: () => go(Number(slider.value)) } });
  const button = (label, text, run) => h("button", { type: "button", class: "ghost", "aria-label": label, title: label, on: { click: run } }, icon(text));
  const play = button("Play", "play", () => (timer ? stop() : run()));

  function show() {
    replace(picture, cubeView(positions[now], { puzzle }));
    slider.value = now;
    slider.setAttribute("aria-valuetext", now ? `after ${now} of ${moves.length} moves: ${moves[now - 1]}` : "start");
    chips.forEach((chip, i) => {
      chip.classList.toggle("done", i < now);
      if (i === now - 1) chip.setAttribute("aria-current", "step");
      else chip.removeAttribute("aria-current");
    });
  }
  function go(to) {
    now = Math.max(0, Math.min(moves.length, to));
    show();
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    replace(play, icon("play"));
    play.setAttribute("aria-label", "Play");
  }
  function run() {
    if (now === moves.length) go(0);
    replace(play, icon("pause"));
    play.setAttribute("aria-label", "Pause");
    timer = setInterval(() => {
      if (!picture.isConnected) return stop();
      go(now + 1);
      if (now === moves.length) {
        stop();
        announce("Played to the end");
      }
    }, STEP_MS);
  }
  show();
  if (!calm.matches) run();
  return h("div", { class: "net-player", role: "group", "aria-label": "Player", id: newId("player") },
    picture,
    h("div", { class: "transport" },
      button("To the start", "first", () => { stop(); go(0); }),
      button("Back one move", "back", () => { stop(); go(now - 1); }),
      play,
      button("On one move", "next", () => { stop(); go(now + 1); }),
      button("To the end", "last", () => { stop(); go(moves.length); }),
      slider),
    h("div", { class: "moves" }, chips));
}

/** The algorithm that undoes. */
export const undo = (moves) => [...moves].reverse().map(inverse);
