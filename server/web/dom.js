// dom.js - building elements, printing numbers, and telling people what happened.
// Text only ever becomes text nodes: nothing that a server or a person typed is parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [kind, run] of Object.entries(value)) element.addEventListener(kind, run);
    else if (name === "style") for (const [key, v] of Object.entries(value)) element.style.setProperty(key, v);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "open") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

export const h = (name, properties, ...children) => fill(document.createElement(name), properties, children);
export const s = (name, properties, ...children) => fill(document.createElementNS(SVG, name), properties, children);

export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

/** Replaces the children only if the key differs from the last time: focus and selections survive. */
export function update(element, key, make) {
  const text = JSON.stringify(key);
  if (element.updateKey === text) return element;
  element.updateKey = text;
  return replace(element, make());
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

let serial = 0;
export const newId = (stem) => `${stem}-${++serial}`;

// ---- numbers ---------------------------------------------------------------------------------

const grouped = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
export const whole = (n) => grouped.format(typeof n === "string" ? BigInt(n) : n);

export function short(n) {
  if (n < 10000) return whole(Math.round(n));
  for (const [unit, size] of [["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3]])
    if (n >= size) return `${(n / size).toFixed(n / size < 10 ? 2 : n / size < 100 ? 1 : 0)} ${unit}`;
  return String(n);
}

/** States can have a thousand digits: shown in full as long as a person would read them. */
export function states(decimal, log10) {
  return decimal.length <= 11 ? whole(decimal) : `${(10 ** (log10 % 1)).toFixed(1)} × 10${superscript(Math.floor(log10))}`;
}
const superscript = (n) => String(n).replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]);

export function bytes(n) {
  for (const [unit, size] of [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]])
    if (n >= size) return `${(n / size).toFixed(n / size < 10 ? 1 : 0)} ${unit}`;
  return `${n} B`;
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 0.0005) return "0 ms";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
  return `${(seconds / 86400).toFixed(1)} days`;
}

export function clock(time) {
  if (!time) return "–";
  const date = new Date(time);
  const today = date.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(undefined, today ? { timeStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" })
    .format(date);
}

export const plural = (n, one, many = `${one}s`) => `${whole(n)} ${n === 1 ? one : many}`;

// ---- telling ---------------------------------------------------------------------------------

/** Says something to screen readers; the same words twice are said once. */
export function announce(text) {
  setText(document.getElementById("announcer"), text);
}

export function copyButton(text, label = "Copy") {
  const button = h("button", { type: "button", class: "ghost small", "aria-label": `${label}: ${typeof text === "string" ? text.slice(0, 80) : ""}`.trim() }, label);
  button.addEventListener("click", async () => {
    const value = typeof text === "function" ? text() : text;
    const done = await copy(value);
    setText(button, done ? "Copied" : "Press Ctrl+C");
    announce(done ? "Copied" : "Copying is not allowed here");
    setTimeout(() => setText(button, label), 1600);
  });
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h("textarea", { class: "off-screen", "aria-hidden": "true", value: text });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy"); // where the clipboard needs https
    area.remove();
    return done;
  }
}

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The command line that does the same. `body` undefined: a GET, unless a method is named. */
export function curl(path, body, { method, stream } = {}) {
  const origin = location.origin;
  const words = ["curl", stream ? "-N" : "-s"];
  if (method && !(method === "POST" && body !== undefined)) words.push("-X", method);
  words.push(/[?&]/.test(path) ? quote(origin + path) : origin + path);
  if (body !== undefined) words.push("-d", quote(JSON.stringify(body)));
  return words.join(" ");
}

/** Command lines with copy buttons; entries are [what it does, command]. */
export function curlBox(entries) {
  return h("ul", { class: "commands" }, entries.map(([what, command]) =>
    h("li", {},
      h("span", { class: "hint" }, what),
      h("div", { class: "command" }, h("code", { tabindex: "0", role: "group", "aria-label": `Command: ${what}` }, command), copyButton(command)))));
}

/** A problem document, or a lost connection, in words. */
export function problemBox(error) {
  const errors = error.errors?.length ? error.errors : [{ detail: error.detail ?? error.message }];
  return h("div", { class: "problem", role: "alert" },
    h("strong", {}, error.title ?? "That did not work"),
    h("ul", {}, errors.map((e) => h("li", {}, e.rule && h("span", { class: "rule" }, e.rule), " ", e.detail))));
}
