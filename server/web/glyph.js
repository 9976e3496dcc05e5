// glyph.js - a cycle structure as a picture: each cycle a ring of its pieces, drawn as beads; a ring
// whose pieces also turn on the way round is closed by a barb. A piece turned in place is one bead
// with a barb.
import { h, s } from "./dom.js";

const SIZE = 32, MIDDLE = SIZE / 2;

function point(angle, radius) {
  return [MIDDLE + radius * Math.sin(angle), MIDDLE - radius * Math.cos(angle)];
}

function barb(radius) {
  // On the ring at the lower right, pointing along it.
  const [x, y] = point(Math.PI * 0.75, radius);
  return s("path", { class: "barb", d: `M${x - 1.5} ${y - 5.5} L${x - 1} ${y + 1} L${x + 5.5} ${y + 0.5}` });
}

/** One cycle, 32 by 32. */
export function ring(length, oriented, orbit = 0) {
  const radius = length === 1 ? 7 : 10.5, beads = Math.min(length, 16);
  const bead = length === 1 ? 3.4 : length > 9 ? 1.9 : 2.6;
  return s("svg", { class: `ring orbit-${orbit % 4}`, viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" },
    length > 1 && s("circle", { class: "track", cx: MIDDLE, cy: MIDDLE, r: radius }),
    length === 1 && oriented && s("path", { class: "track", d: arc(radius) }),
    Array.from({ length: beads }, (_, i) => {
      const [cx, cy] = length === 1 ? [MIDDLE, MIDDLE] : point((2 * Math.PI * i) / beads, radius);
      return s("circle", { class: "bead", cx, cy, r: bead });
    }),
    oriented && barb(radius));
}

/** Three quarters of a circle, for the piece that turns where it is. */
function arc(radius) {
  const [x1, y1] = point(-Math.PI * 0.55, radius), [x2, y2] = point(Math.PI * 0.72, radius);
  return `M${x1} ${y1} A${radius} ${radius} 0 1 1 ${x2} ${y2}`;
}

/** All cycles of {"corners": [[5, true], …], …}; `orbits` gives the order and thereby the colours. */
export function structureGlyph(cycles, orbits) {
  const names = orbits ?? Object.keys(cycles);
  const rings = names.flatMap((name, i) => (cycles[name] ?? []).map((item) => {
    const [length, oriented] = Array.isArray(item) ? item : [item.length, item.oriented || !!item.twist];
    return ring(length, oriented, i);
  }));
  return h("span", { class: "glyph", "aria-hidden": "true" }, rings);
}
