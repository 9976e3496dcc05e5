// player.js - solutions played: in the field's own viewer (cubing's twisty-player) where it is built
// in, else, or on demand, on the unfolded cube. The viewer is many times larger than the page and is
// loaded when the first solution is opened.
import { h, replace } from "./dom.js";
import { before, SOLVED, words } from "./cube.js";
import { netPlayer, undo } from "./net.js";

const VIEWER = document.querySelector('meta[name="cyclosolve-viewer"]').content;
const KEY = "cyclosolve-flat-viewer";
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const canDraw3d = () => {
  const canvas = document.createElement("canvas");
  return !!(canvas.getContext("webgl2") ?? canvas.getContext("webgl"));
};

/** `solves`: the moves lead to the solved position; else they start there. */
async function twistyPlayer(moves, { puzzle, solves }) {
  const { TwistyPlayer } = await import(VIEWER);
  return new TwistyPlayer({
    puzzle, alg: moves.join(" "), experimentalSetupAnchor: solves ? "end" : "start",
    visualization: canDraw3d() ? "3D" : "2D", background: "none", viewerLink: "none",
    hintFacelets: "floating", tempoScale: calm.matches ? 0.5 : 1.5, controlPanel: "bottom-row",
  });
}

export function player(text, { puzzle, solves }) {
  const moves = words(text);
  const stage = h("div", { class: "stage" });
  const drawable = ["3x3x3", "2x2x2"].includes(puzzle);
  const flat = () => {
    const made = drawable && netPlayer(moves, solves ? before(moves) : SOLVED, { puzzle });
    replace(stage, made || h("p", { class: "hint" }, "There is no picture of this puzzle here; the moves are ", h("code", {}, text || "none"), "."));
  };
  const deep = async () => {
    replace(stage, h("p", { class: "hint", role: "status" }, "Loading the 3-D viewer…"));
    try {
      const made = await twistyPlayer(moves, { puzzle, solves });
      made.setAttribute("aria-label", `3-D player: ${text}. Undone by ${undo(moves).join(" ")}.`);
      made.setAttribute("role", "group");
      replace(stage, made);
      made.timestamp = "start";
      if (!calm.matches) made.play();
    } catch {
      flat();
    }
  };
  let isFlat = VIEWER === "" || !drawable || localStorage.getItem(KEY) === "yes";
  const toggle = h("button", { type: "button", class: "ghost small", on: { click: () => { isFlat = !isFlat; localStorage.setItem(KEY, isFlat ? "yes" : "no"); show(); } } });
  function show() {
    replace(toggle, isFlat ? "Show in 3-D" : "Show unfolded");
    return isFlat ? flat() : deep();
  }
  show();
  return h("div", { class: "player" }, stage, VIEWER !== "" && drawable && toggle);
}
