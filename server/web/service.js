// service.js - the service as its operator sees it: health, workers, memory, tables.
import { call, get, post, request } from "./api.js";
import { compact } from "./structure.js";
import { announce, bytes, curl, curlBox, duration, h, plural, problemBox, replace, short, update, whole } from "./dom.js";

const REFRESH_MS = 2000;

/** Prometheus text → {"name{labels}": number}. */
function parseMetrics(text) {
  const samples = {};
  for (const line of text.split("\n")) {
    const cut = line.lastIndexOf(" ");
    if (cut > 0 && line[0] !== "#") samples[line.slice(0, cut)] = Number(line.slice(cut + 1));
  }
  return (name) => samples[`cyclosolve_${name}`] ?? 0;
}

export function serviceView(main) {
  const view = { tiles: h("div", {}), tables: h("div", {}), problem: h("div", {}), refusal: h("div", {}), last: null };
  replace(main, h("header", { class: "view-head" }, h("h1", {}, "Service")), view.problem, view.tiles, view.refusal,
    h("section", { class: "card", "aria-labelledby": "resident" }, h("h2", { id: "resident" }, "Resident tables"), view.tables),
    h("details", { class: "card" }, h("summary", {}, "The same with curl"), curlBox([["Health", curl("/readyz?verbose")], ["Tables", curl("/v1/tables")], ["Metrics", curl("/metrics")], ["Build", curl("/version")]])));
  view.timer = setInterval(() => { if (!document.hidden) load(view); }, REFRESH_MS);
  load(view);
  return () => { clearInterval(view.timer); view.over = true; };
}

async function health() {
  try {
    return await (await request("GET", "/readyz?verbose")).text();
  } catch (error) {
    return error.passes && error.status ? `not ready: ${error.detail ?? error.title}` : Promise.reject(error);
  }
}

async function load(view) {
  try {
    view.version ??= await get("/version");
    const [text, ready, tables, running] = await Promise.all([request("GET", "/metrics").then((r) => r.text()), health(), allTables(), get("/v1/jobs?state=running&page_size=100")]);
    if (view.over) return;
    const metrics = parseMetrics(text), sum = (name) => running.jobs.filter((job) => !job.shared_with).reduce((total, job) => total + (job.progress?.[name] ?? 0), 0);
    // The counter grows when a search ends; what runs is told by the jobs.
    const now = { at: performance.now(), nodes: metrics("nodes_total") + sum("nodes"), rate: sum("nodes_per_second"), queries: new Map(tables.map((t) => [t.key, t.queries])) };
    replace(view.problem);
    replace(view.tiles, tiles(view, metrics, ready, now));
    update(view.tables, tables, () => tableList(view, tables, now));
    view.last = now;
  } catch (error) {
    if (!view.over) replace(view.problem, problemBox(error));
  }
}

async function allTables() {
  const tables = [];
  for (let token = "", first = true; first || token; first = false) {
    const page = await get(`/v1/tables?page_size=100&page_token=${encodeURIComponent(token)}`);
    tables.push(...page.tables);
    token = page.next_page_token;
  }
  return tables;
}

function tile(name, value, ...more) {
  return h("section", { class: "card tile" }, h("h2", {}, name), h("p", { class: "big" }, value), more);
}

function tiles(view, m, ready, now) {
  const lines = ready.trim().split("\n").filter((line) => line.includes(": "));
  const well = lines.length > 0 && lines.every((line) => line.endsWith(": ok"));
  const threads = m("threads"), busy = m("threads_busy");
  const used = m("table_bytes"), limit = m("table_memory_bytes");
  const jobs = (state) => m(`jobs{state="${state}"}`), over = (state) => m(`jobs_ended_total{state="${state}"}`);
  const answered = m("jobs_answered_total"), taken = answered + m("jobs_accepted_total");
  const filled = m("tables_filled_total"), attached = m("tables_attached_total");
  const seconds = m("search_seconds_sum"), searches = m("search_seconds_count");
  return h("div", { class: "tiles" },
    tile("Health", h("span", { class: well ? "good" : "bad" }, well ? "Ready" : "Not ready"), h("ul", { class: "plain hint" }, lines.map((line) => h("li", {}, line)))),
    tile("Workers", `${busy} of ${threads} busy`, h("div", { class: "workers", "aria-hidden": "true" }, Array.from({ length: Math.min(threads, 64) }, (_, i) => h("span", { class: i < busy ? "busy" : "" }))), h("p", { class: "hint" }, `${short(now.rate)} nodes/s · ${short(now.nodes)} in all`)),
    tile("Memory for tables", `${bytes(used)} of ${bytes(limit)}`, h("progress", { max: limit || 1, value: used, "aria-label": "Memory used by tables" }), h("p", { class: "hint" }, `${plural(m("tables"), "table")} · process peak ${bytes(m("process_peak_resident_bytes"))}`)),
    tile("Jobs", `${jobs("running")} running, ${jobs("queued")} queued`, h("p", { class: "hint" }, `${jobs("paused")} paused · ended: ${over("succeeded")} succeeded, ${over("failed")} failed, ${over("cancelled")} cancelled`), h("p", { class: "hint" }, searches ? `${duration(seconds / searches)} a search on average` : "no search yet")),
    tile("Known answers", taken ? `${Math.round((100 * answered) / taken)} % hits` : "no request yet", h("p", { class: "hint" }, `${whole(answered)} of ${plural(taken, "job")} answered from the results store`), h("p", { class: "hint" }, `tables: ${filled} filled in ${duration(m("table_fill_seconds_total"))}, ${attached} found ready`)),
    tile("Build", view.version.version, h("ul", { class: "plain hint" }, [view.version.commit, view.version.compiler, view.version.kernels].map((line) => h("li", {}, line))), h("p", { class: "hint" }, `${m("sse_clients")} streams · ${m("http_connections")} connections`)));
}

function tableList(view, tables, now) {
  if (!tables.length) return h("p", { class: "hint" }, "None yet: tables are made for the first job that wants them, and stay.");
  const all = tables.reduce((sum, t) => sum + t.queries, 0);
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Resident tables" }, h("table", { class: "resident" },
    h("thead", {}, h("tr", {}, ["Orbits", "Target", "Kind", "Size", "Layers", "State", "Queries", "Share", ""].map((name, i) => h("th", { scope: "col", class: [3, 4, 6, 7].includes(i) ? "number" : null }, name || h("span", { class: "off-screen" }, "Actions"))))),
    h("tbody", {}, tables.map((t) => {
      const share = all ? t.queries / all : 0;
      return h("tr", {},
        h("th", { scope: "row" }, `${t.orbits}`, h("small", {}, t.puzzle)), h("td", { class: "target" }, h("code", {}, compact(t.target))), h("td", { "data-name": "Kind" }, t.kind, h("small", {}, t.encoding === "none" ? "" : t.encoding)),
        h("td", { class: "number", "data-name": "Size" }, bytes(t.bytes)), h("td", { class: "number", "data-name": "Layers" }, String(t.layers)),
        h("td", { "data-name": "State" }, h("span", { class: `state ${t.state === "sealed" ? "succeeded" : "running"}` }, t.state), t.attached && h("small", {}, "found ready")),
        h("td", { class: "number", "data-name": "Queries" }, short(t.queries), h("small", {}, rate(view, t, now))), h("td", { class: "number", "data-name": "Share" }, `${Math.round(100 * share)} %`),
        h("td", { class: "acts" }, h("button", { type: "button", class: "ghost small", "aria-pressed": String(t.pinned), "aria-label": `Keep the table of ${t.orbits}, ${t.target}`, on: { click: () => act(view, () => post(`/v1/tables/${t.key}/pin`, { pinned: !t.pinned }), t.pinned ? "No longer kept" : "Kept") } }, t.pinned ? "Pinned" : "Pin"),
          h("button", { type: "button", class: "danger small", "aria-label": `Remove the table of ${t.orbits}, ${t.target}`, on: { click: () => act(view, () => call("DELETE", `/v1/tables/${t.key}`), "Removed") } }, "Remove")));
    }))));
}

function rate(view, table, now) {
  const before = view.last?.queries.get(table.key);
  if (before === undefined) return "";
  const perSecond = (table.queries - before) / ((now.at - view.last.at) / 1000);
  return perSecond > 0 ? `${short(Math.round(perSecond))}/s` : "";
}

async function act(view, run, said) {
  replace(view.refusal);
  try {
    await run();
    announce(said);
    await load(view);
  } catch (error) {
    replace(view.refusal, problemBox(error)); // stays until the next try
  }
}
