// glyph.js - a cycle structure as a picture: each cycle a ring of its pieces, drawn as beads; a ring
// whose pieces also turn on the way round has an arrow head. A piece turned in place is one bead
// within an arrow.
import { h, s } from "./dom.js";

const SIZE = 32, MIDDLE = SIZE / 2;

function point(angle, radius) {
  return [MIDDLE + radius * Math.sin(angle), MIDDLE - radius * Math.cos(angle)];
}

/** An arrow head on the ring at an angle, pointing clockwise along it. */
function barb(radius, angle) {
  const [x, y] = point(angle, radius), back = angle + Math.PI; // the tangent, reversed
  const wing = (turn) => [x + 5.2 * Math.cos(back + turn), y + 5.2 * Math.sin(back + turn)];
  const [[ax, ay], [bx, by]] = [wing(0.55), wing(-0.55)];
  return s("path", { class: "barb", d: `M${ax} ${ay} L${x} ${y} L${bx} ${by}` });
}

/** One cycle, 32 by 32. */
export function ring(length, oriented, orbit = 0) {
  const radius = length === 1 ? 7 : 10.5, beads = Math.min(length, 14);
  const bead = length === 1 ? 3.4 : length > 9 ? 1.9 : 2.6;
  return s("svg", { class: `ring orbit-${orbit % 4}`, viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" },
    length > 1 && s("circle", { class: "track", cx: MIDDLE, cy: MIDDLE, r: radius }),
    length === 1 && oriented && s("path", { class: "track", d: arc(radius) }),
    Array.from({ length: beads }, (_, i) => {
      const [cx, cy] = length === 1 ? [MIDDLE, MIDDLE] : point((2 * Math.PI * i) / beads, radius);
      return s("circle", { class: "bead", cx, cy, r: bead });
    }),
    oriented && barb(radius, length === 1 ? Math.PI * 0.72 : Math.PI / beads + 0.12));
}

/** Three quarters of a circle, for the piece that turns where it is. */
function arc(radius) {
  const [x1, y1] = point(-Math.PI * 0.55, radius), [x2, y2] = point(Math.PI * 0.72, radius);
  return `M${x1} ${y1} A${radius} ${radius} 0 1 1 ${x2} ${y2}`;
}

const MANY = 4; // of one kind are drawn as one and counted

function grouped(items) {
  const groups = [];
  for (const item of items) {
    const [length, oriented] = Array.isArray(item) ? item : [item.length, item.oriented || !!item.twist];
    const last = groups.at(-1);
    if (last?.[0] === length && last[1] === oriented) last[2]++;
    else groups.push([length, oriented, 1]);
  }
  return groups;
}

/** All cycles of {"corners": [[5, true], …], …}; `orbits` gives the order and thereby the colours. */
export function structureGlyph(cycles, orbits) {
  const names = orbits ?? Object.keys(cycles);
  const rings = names.flatMap((name, i) => grouped(cycles[name] ?? []).flatMap(([length, oriented, times]) =>
    (times > MANY ? [ring(length, oriented, i), h("span", { class: "times" }, `×${times}`)] : Array.from({ length: times }, () => ring(length, oriented, i)))));
  return h("span", { class: "glyph", "aria-hidden": "true" }, rings);
}
