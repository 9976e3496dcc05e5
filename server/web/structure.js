// structure.js - cycle structures as text, as far as the page needs to follow what is typed. What is
// accepted and what is feasible is for the service to say.

/** Shortest prefix of each orbit's name that no other has. */
export function prefixes(orbits) {
  return Object.fromEntries(orbits.map(({ name }) => {
    let n = 1;
    while (n < name.length && orbits.some((o) => o.name !== name && o.name.startsWith(name.slice(0, n)))) n++;
    return [name, name.slice(0, n)];
  }));
}

const byLength = (a, b) => a[0] - b[0] || Number(a[1]) - Number(b[1]);

export function print(cycles, orbits) {
  const prefix = prefixes(orbits);
  return orbits.map(({ name }) => {
    const items = [...(cycles[name] ?? [])].sort(byLength).map(([length, oriented]) => `${length}${oriented ? "+" : ""}`);
    return `${prefix[name]}:${items.length ? ` (${items.join(", ")})` : ""}`;
  }).join(" / ");
}

/** {"corners": [[5, true]], …}, or null for a text that is no structure. */
export function parse(text, orbits) {
  const cycles = Object.fromEntries(orbits.map((o) => [o.name, []]));
  for (const part of text.split(/[/\n]/).map((p) => p.trim()).filter(Boolean)) {
    const [, name, rest] = /^([a-z]\w*)\s*:\s*(.*)$/is.exec(part) ?? [];
    const found = name ? orbits.filter((o) => o.name.startsWith(name.toLowerCase())) : [];
    if (found.length !== 1) return null;
    const left = rest.replace(/\(([^()]*)\)\s*(?:[x×]\s*(\d+))?/gi, (_, group, times) => {
      for (const item of group.split(",").map((t) => t.trim()).filter(Boolean)) {
        const [, length, oriented] = /^(\d+)\s*([+o]?)$/i.exec(item) ?? [];
        if (!length) return "?";
        for (let k = 0; k < Math.min(Number(times ?? 1), 256); k++) cycles[found[0].name].push([Number(length), oriented !== ""]);
      }
      return "";
    });
    if (left.trim()) return null;
  }
  return cycles;
}

export const piecesUsed = (items) => items.reduce((sum, [length, oriented]) => sum + (length > 1 || oriented ? length : 0), 0);
export const isEmpty = (cycles) => Object.values(cycles).every((items) => items.length === 0);

/** "(1+, 1+, 1+, 1+, 1+)" → "(1+) ×5", which means the same. */
export const compact = (text) => text.replace(/\((\d+\+?)(?:, \1){3,}\)/g, (all, item) => `(${item}) ×${all.split(",").length}`);

/** What a request asks for, in one line. */
export function wish(request, target) {
  if (request.order) return `order ${request.order}`;
  if (request.any_of) return `any of ${request.any_of.length} structures`;
  if (request.cycles) return compact(target?.text ?? "");
  return "solve the scramble";
}

export const RULES = {
  parity: "Parity",
  pieces: "Too many pieces",
  length: "Cycle length",
  unorientable: "No orientation",
  "orientation-sum": "Orientation",
  link: "Do not go together",
  order: "Order",
  "unreachable-slot": "Out of reach",
};
