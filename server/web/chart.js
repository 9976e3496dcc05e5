// chart.js - a search in pictures: the ruler of bounds, their course over time, and the depths.
import { duration, h, s, short, whole } from "./dom.js";

// ---- bounds ------------------------------------------------------------------------------------

/**
 * A ruler of lengths: what is proven impossible is filled from the left, the shortest found stands
 * to the right, and what lies between is open.
 */
export function boundsRuler({ lower, incumbent, expected, optimal }) {
  const end = Math.max(incumbent ?? 0, lower, expected ?? 0, 8) + 2;
  const at = (length) => `${(100 * length) / end}%`;
  const proven = optimal ? incumbent : lower;
  const text = optimal ? `The shortest length is ${incumbent}, proven.`
    : `At least ${lower} moves${incumbent === null ? "" : `, at most ${incumbent}`}${expected ? `, expected about ${expected}` : ""}.`;
  return h("div", { class: "ruler", role: "img", "aria-label": text },
    h("div", { class: "ruler-track" },
      h("div", { class: "ruler-proven", style: { width: at(proven) } }),
      incumbent !== null && !optimal && h("div", { class: "ruler-open", style: { left: at(lower), width: at(Math.max(0, incumbent - lower)) } }),
      Array.from({ length: Math.floor(end) + 1 }, (_, i) => h("span", { class: `tick${i % 5 ? "" : " major"}`, style: { left: at(i) } }, i % 5 ? "" : String(i))),
      expected && !optimal && h("span", { class: "ruler-expected", style: { left: at(expected) } }),
      incumbent !== null && h("span", { class: `ruler-found${optimal ? " proven" : ""}`, style: { left: at(incumbent) } }, String(incumbent))));
}

const WIDTH = 380, HEIGHT = 190, LEFT = 24, BOTTOM = 24, TOP = 10, RIGHT = 8;

function stairs(points, x, y, last) {
  if (!points.length) return "";
  let d = `M${x(points[0].seconds)} ${y(points[0].value)}`;
  for (const { seconds, value } of points.slice(1)) d += ` H${x(seconds)} V${y(value)}`;
  return `${d} H${x(last)}`;
}

/** Lower bound and incumbent over time, as stairs; early and late steps both stay visible. */
export function boundsChart(lowers, incumbents, seconds) {
  const last = Math.max(seconds, 0.001, ...lowers.map((p) => p.seconds), ...incumbents.map((p) => p.seconds));
  const top = Math.max(4, ...lowers.map((p) => p.value), ...incumbents.map((p) => p.value)) + 1;
  const x = (t) => (LEFT + (WIDTH - LEFT - RIGHT) * Math.sqrt(Math.max(0, t) / last)).toFixed(1);
  const y = (v) => (HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * v) / top).toFixed(1);
  const step = top > 12 ? 4 : 2;
  const grid = Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
  const moments = [0, 1 / 9, 4 / 9, 1]; // evenly spaced by their roots
  const label = lowers.length ? `Bounds over ${duration(last)}: the lower bound rose from ${lowers[0].value} to ${lowers.at(-1).value}${incumbents.length ? `, the shortest found fell from ${incumbents[0].value} to ${incumbents.at(-1).value}` : ""}.` : "Bounds: nothing proven yet.";
  return s("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    grid.map((v) => [s("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(v), y2: y(v) }), s("text", { class: "axis", x: LEFT - 7, y: y(v), "text-anchor": "end", dy: "0.35em" }, String(v))]),
    moments.map((m, i) => s("text", { class: "axis", x: x(m * last), y: HEIGHT - 8, "text-anchor": i === 0 ? "start" : i === 3 ? "end" : "middle" }, i ? duration(m * last) : "0")),
    s("path", { class: "line-lower", d: stairs(lowers, x, y, last) }),
    lowers.map((p) => s("circle", { class: "dot-lower", cx: x(p.seconds), cy: y(p.value), r: 2.6 })),
    s("path", { class: "line-found", d: stairs(incumbents, x, y, last) }),
    incumbents.map((p) => s("circle", { class: "dot-found", cx: x(p.seconds), cy: y(p.value), r: 3.4 })));
}

// ---- depths ------------------------------------------------------------------------------------

/** A row a depth: nodes as a bar on a logarithmic scale, time and rate in figures. */
export function depthTable(depths, current) {
  const rows = current ? [...depths, { ...current, current: true }] : depths;
  const most = Math.log10(Math.max(10, ...rows.map((d) => d.nodes)));
  return h("table", { class: "depths" },
    h("caption", { class: "off-screen" }, "Completed depths: nodes and times"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Depth"), h("th", { scope: "col", class: "number", colspan: 2 }, "Nodes"), h("th", { scope: "col", class: "number" }, "Time"), h("th", { scope: "col", class: "number wide" }, "Nodes/s"))),
    h("tbody", {}, rows.map((d) => h("tr", { class: d.current ? "current" : null },
      h("th", { scope: "row" }, String(d.depth)),
      h("td", { class: "bar-cell", "aria-hidden": "true" },
        h("span", { class: "bar", style: { width: `${Math.max(1.5, (100 * Math.log10(Math.max(1, d.nodes))) / most)}%` } })),
      h("td", { class: "number", title: whole(d.nodes) }, d.current ? `${Math.round(100 * d.fraction)} % done` : short(d.nodes)),
      h("td", { class: "number" }, d.current ? "…" : duration(d.seconds)),
      h("td", { class: "number wide" }, d.nodes_per_second && !d.current ? short(d.nodes_per_second) : "–")))));
}
