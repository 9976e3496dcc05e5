// job.js - one job: its events become a model, the model becomes the view, piece by piece and at
// most once a frame.
import { call, get, JobStream, post } from "./api.js";
import { announce, bytes, clock, copyButton, curl, curlBox, duration, h, plural, problemBox, replace, short, states, update, whole } from "./dom.js";
import { boundsChart, boundsRuler, depthTable } from "./chart.js";
import { useAsDraft } from "./compose.js";
import { structureGlyph } from "./glyph.js";
import { player } from "./player.js";
import { wish } from "./structure.js";

const SHOWN = 100, FIRST = 12, POLL_MS = 1500, SAY_MS = 4000;
const ENDED = ["succeeded", "failed", "cancelled"];

// ---- the model -----------------------------------------------------------------------------------

function newModel(job) {
  return { job, tables: new Map(), depths: new Map(), solutions: new Map(), classes: 0, lowers: [], founds: [], clock: 0, spent: 0, link: "open", draining: false, heard: performance.now() };
}

function addSolution(model, solution, seconds = model.clock) {
  if (!model.solutions.has(solution.moves)) model.solutions.set(solution.moves, solution);
  addFound(model, solution.length, seconds);
}

/** What a job is known to have now may have been found at any time before; an event tells when. */
function addFound(model, length, seconds = model.clock) {
  const known = model.founds.find((p) => p.value === length);
  if (known) known.seconds = Math.min(known.seconds, seconds);
  else model.founds.push({ seconds, value: length });
  model.founds.sort((a, b) => a.seconds - b.seconds || b.value - a.value);
  model.founds = model.founds.filter((p, i, all) => i === 0 || p.value < all[i - 1].value);
}

/** A table's or a depth's time is over. Progress may have told of it before. */
function spend(model, seconds) {
  model.spent += seconds;
  model.clock = Math.max(model.clock, model.spent);
}

function addLower(model, value) {
  if (!model.lowers.length || value > model.lowers.at(-1).value) model.lowers.push({ seconds: model.clock, value });
}

function takeJob(model, job) {
  model.job = job;
  model.heard = performance.now();
  const now = job.progress?.elapsed_seconds ?? model.clock;
  for (const solution of job.solutions ?? []) addSolution(model, solution, now);
  if (job.progress?.upper_bound) addFound(model, job.progress.upper_bound, now);
  if (job.result?.length !== null && job.result?.length !== undefined) addFound(model, job.result.length, now);
}

/** The clock of the chart is the time spent, told by the events: replayed ones come all at once. */
function take(model, kind, data) {
  const { job } = model;
  if (kind === "snapshot" || (kind === "done" && data)) takeJob(model, data);
  else if (kind === "state") model.job = { ...job, state: data.state, started: job.started ?? (data.state === "running" ? new Date().toISOString() : null) };
  else if (kind === "plan") model.job = { ...job, plan: data };
  else if (kind === "progress") {
    model.job = { ...job, progress: data };
    model.heard = performance.now();
    model.clock = Math.max(model.clock, data.elapsed_seconds);
    if (data.upper_bound) addFound(model, data.upper_bound);
    addLower(model, data.lower_bound); // a job that joined another has no depths of its own
  } else if (kind === "table") {
    const name = `${data.orbits} ${data.kind}`, known = model.tables.get(name);
    spend(model, Math.max(0, data.seconds - (known?.seconds ?? 0)));
    model.tables.set(name, data);
  } else if (kind === "depth") {
    spend(model, data.seconds);
    model.depths.set(data.depth, data);
    addLower(model, data.lower_bound);
  } else if (kind === "solution") addSolution(model, data);
  else if (kind === "incumbent") addFound(model, data.length);
  if (kind === "draining") model.draining = true;
}

const ended = (model) => ENDED.includes(model.job.state);
const lowerOf = (model) => model.job.result?.lower_bound ?? Math.max(model.job.progress?.lower_bound ?? 0, model.lowers.at(-1)?.value ?? 0);
const foundOf = (model) => model.founds.at(-1)?.value ?? null;

function sorted(model) {
  return [...model.solutions.values()].sort((a, b) => a.length - b.length || a.rank - b.rank || (a.moves < b.moves ? -1 : 1));
}

// ---- the view ------------------------------------------------------------------------------------

export async function jobView(main, id, navigate) {
  replace(main, h("p", { class: "hint", role: "status" }, "Loading the job…"));
  const first = await get(`/v1/jobs/${encodeURIComponent(id)}`);
  const model = newModel(first);
  takeJob(model, first);
  const view = { model, id, navigate, main, frame: 0, lastSaid: 0, more: [], played: null, parts: {} };
  for (const name of ["head", "link", "actions", "answer", "problem", "progress", "tables", "bounds", "depths", "solutions", "facts", "commands"]) view.parts[name] = h("div", {});
  view.stage = h("div", { class: "stage-holder" });
  layout(view);
  view.stream = new JobStream(id, (kind, data) => {
    if (kind === "done" && data === null) return gone(view);
    take(model, kind, data);
    say(view, kind, data);
    show(view);
  }, (link) => {
    model.link = link;
    if (link === "open") model.draining = false;
    show(view);
  });
  view.poll = setInterval(() => poll(view), POLL_MS);
  view.tick = setInterval(() => show(view), 1000);
  render(view);
  return () => { view.stream.close(); clearInterval(view.poll); clearInterval(view.tick); cancelAnimationFrame(view.frame); };
}

/** Waiting jobs have no events; what moves is their place in the queue. */
async function poll(view) {
  if (!["queued", "paused"].includes(view.model.job.state) || document.hidden) return;
  try {
    const job = await get(`/v1/jobs/${encodeURIComponent(view.id)}`);
    if (!ended(view.model)) takeJob(view.model, job);
    show(view);
  } catch { /* the stream tells about the connection */ }
}

function gone(view) {
  replace(view.main, h("div", { class: "card empty-state" }, h("h1", {}, "This job is no longer there"), h("p", {}, "It was removed."), h("a", { class: "button", href: "#/jobs" }, "All jobs")));
}

function layout(view) {
  const p = view.parts;
  view.searched = [["depths", "Depth by depth", p.depths], ["bounds", "Bounds", p.bounds], ["tables", "Pruning tables", p.tables]]
    .map(([name, title, part]) => h("section", { class: "card", "aria-labelledby": `${name}-title` }, h("h2", { id: `${name}-title` }, title), part));
  replace(view.main,
    p.head, p.link,
    h("div", { class: "job" },
      h("div", { class: "job-main" },
        h("section", { class: "card hero", "aria-label": "Answer" }, p.answer, p.progress, p.actions, p.problem),
        h("section", { class: "card", "aria-labelledby": "solutions-title" }, h("h2", { id: "solutions-title" }, "Solutions"), view.stage, p.solutions),
        view.searched[0]),
      h("div", { class: "aside" },
        view.searched[1], view.searched[2],
        h("section", { class: "card", "aria-labelledby": "request-title" }, h("h2", { id: "request-title" }, "Request"), p.facts),
        h("details", { class: "card" }, h("summary", {}, "The same with curl"), p.commands))));
}

function show(view) {
  view.frame ||= requestAnimationFrame(() => { view.frame = 0; render(view); });
}

function render(view) {
  const { model, parts } = view, { job } = model;
  for (const section of view.searched) section.hidden = job.cached && !model.depths.size; // nothing to tell
  update(parts.head, [job.state, job.label, job.cached, job.target], () => head(job));
  update(parts.link, [model.link, model.draining, ended(model)], () => linkNote(model));
  update(parts.answer, [job.state, job.result, lowerOf(model), foundOf(model), job.plan?.estimated_length, sorted(model)[0]?.moves, job.progress?.incumbent], () => answer(view));
  update(parts.progress, [job.state, job.progress, ended(model) ? 0 : elapsed(model).toFixed(0)], () => progress(model));
  update(parts.actions, [job.state], () => actions(view));
  update(parts.tables, [job.plan?.tables, [...model.tables.values()]], () => tables(model));
  update(parts.bounds, [model.lowers, model.founds, ended(model), Math.floor(model.clock * 5)], () => model.lowers.length ? [boundsChart(model.lowers, model.founds, model.clock), legend()] : h("p", { class: "hint" }, "Nothing is proven yet."));
  update(parts.depths, [[...model.depths.values()], ended(model) ? 0 : job.progress], () => depths(model));
  update(parts.solutions, [job.state, sorted(model).slice(0, SHOWN).map((s) => s.moves), model.solutions.size, job.result?.count, view.more.length, view.all, view.played], () => solutions(view));
  update(parts.facts, [job.request, job.started, job.ended, job.shared_with], () => facts(job));
  update(parts.commands, [view.id, ended(model), job.request], () => commands(view));
}

function head(job) {
  const title = job.label || wish(job.request, job.target);
  document.title = `${title} · Cyclosolve`;
  return h("header", { class: "view-head" },
    h("p", { class: "crumb" }, h("a", { href: "#/jobs" }, "Jobs"), " / ", h("code", {}, job.id)),
    h("div", { class: "title-row" },
      job.request.cycles && structureGlyph(job.request.cycles),
      h("h1", { class: job.label ? null : "mono" }, title),
      h("span", { class: `state ${job.state}` }, job.state), job.cached && h("span", { class: "state" }, "from the store")),
    h("p", { class: "lede" }, [job.request.puzzle,
      job.label && wish(job.request, job.target),
      job.target.order && `order ${whole(job.target.order)}`,
      !job.request.start && (job.target.states === "1" ? "1 state" : `${states(job.target.states, job.target.log10_states)} states`),
      job.target.structures > 1 && plural(job.target.structures, "structure"),
      job.request.find === "all" ? `all optimal${job.request.slack ? ` + ${job.request.slack}` : ""}` : "one optimal"].filter(Boolean).join(" · ")));
}

function linkNote(model) {
  if (ended(model) || (model.link === "open" && !model.draining)) return [];
  return h("p", { class: "banner", role: "status" }, model.draining ? "The service is going down for a moment; the job is kept and continues." : "The connection is lost; reconnecting…");
}

function answer(view) {
  const { model } = view, { job } = model, result = job.result, best = result?.best ?? sorted(model)[0]?.moves ?? (ended(model) ? null : job.progress?.incumbent ?? null);
  const length = result ? result.length : foundOf(model), lower = lowerOf(model);
  const done = job.state === "succeeded";
  let line, sub;
  if (done && length !== null && length !== undefined) {
    line = plural(length, "move");
    sub = result.optimal ? "proven shortest" : result.limit_hit ? `the shortest found before the limit of ${result.limit_hit} was hit; none has fewer than ${result.lower_bound}` : `none has fewer than ${result.lower_bound}`;
  } else if (done) {
    line = "None found";
    sub = result?.limit_hit ? `the limit of ${result.limit_hit} was hit; none has fewer than ${result.lower_bound} moves` : `no solution has fewer than ${result?.lower_bound} moves`;
  } else if (job.state === "failed") [line, sub] = ["Failed", job.error_text ?? job.error ?? "the search could not be carried out"];
  else if (job.state === "cancelled") [line, sub] = ["Cancelled", lower ? `at least ${lower} moves are needed` : "before anything was proven"];
  else if (job.state === "queued") [line, sub] = ["Waiting", queueText(job)];
  else if (job.state === "paused") [line, sub] = ["Paused", lower ? `at least ${lower} moves` : "nothing proven yet"];
  else [line, sub] = [lower ? `At least ${plural(lower, "move")}` : "Starting", length !== null ? `at most ${length}` : job.plan ? `expected about ${job.plan.estimated_length}` : "choosing tables"];
  return [
    h("p", { class: "headline" }, h("strong", {}, line), " ", h("span", {}, sub)),
    boundsRuler({ lower, incumbent: length ?? null, expected: job.plan?.estimated_length, optimal: !!(done && result.optimal) }),
    best !== null && h("div", { class: "best" }, h("code", { class: "alg" }, best || "(no moves)"), h("span", { class: "row" }, copyButton(best), h("button", { type: "button", class: "primary small", on: { click: () => play(view, best) } }, "Play"))),
  ];
}

function queueText(job) {
  const position = job.progress?.queue_position;
  return position === null || position === undefined ? "in the queue" : position === 0 ? "next in the queue" : `${plural(position, "job")} before it`;
}

const elapsed = (model) => (model.job.progress?.elapsed_seconds ?? 0) + (model.job.state === "running" && model.link === "open" ? (performance.now() - model.heard) / 1000 : 0);

function progress(model) {
  const { job } = model, p = job.progress;
  if (!p) return [];
  const over = ended(model);
  const cell = (name, value) => h("div", { class: "fact" }, h("dt", {}, name), h("dd", {}, value));
  const filling = [...model.tables.values()].at(-1);
  const busy = job.state === "running" && p.fraction === 0 && filling && filling.fraction < 1;
  return [
    job.state === "running" && h("div", { class: "meter" },
      h("span", {}, busy ? `Filling the ${filling.kind} table of ${filling.orbits}` : `Depth ${p.depth}`),
      h("progress", { max: 1, value: busy ? filling.fraction : p.fraction, "aria-label": busy ? "Table filled" : `Depth ${p.depth} searched` }),
      h("span", { class: "number" }, `${Math.round(100 * (busy ? filling.fraction : p.fraction))} %`)),
    h("dl", { class: "facts" }, cell("Elapsed", duration(over ? p.elapsed_seconds : elapsed(model))), cell("Nodes", short(p.nodes)),
      job.state === "running" && cell("Nodes/s", p.nodes_per_second ? short(p.nodes_per_second) : "–"), job.state === "running" && cell("Time left", p.eta_seconds === null ? "not known yet" : `about ${duration(p.eta_seconds)}`))];
}

function tables(model) {
  const planned = model.job.plan?.tables ?? [];
  if (!planned.length) return h("p", { class: "hint" }, "No plan yet.");
  return h("ul", { class: "tables" }, planned.map((t) => {
    const filling = model.tables.get(`${t.orbits} ${t.kind}`), sealed = t.state === "sealed" || t.state === "attached";
    const fraction = sealed ? 1 : filling?.fraction ?? 0, growing = !sealed && (t.state === "growing" || fraction > 0);
    return h("li", {},
      h("div", { class: "row spread" }, h("strong", {}, t.orbits), h("span", { class: "hint" }, `${t.kind} · ${bytes(t.bytes)}`)),
      h("progress", { max: 1, value: fraction, "aria-label": `${t.orbits}, ${t.kind}: ${sealed ? "ready" : growing ? "filling" : "not made"}` }),
      h("div", { class: "row spread hint" }, h("span", {}, t.why), h("span", { class: "number" }, sealed ? "ready" : growing && filling ? `layer ${filling.layer}, ${Math.round(100 * fraction)} %` : "only if it pays")));
  }));
}

const legend = () => h("p", { class: "legend hint", "aria-hidden": "true" }, h("span", { class: "key-lower" }, "proven lower bound"), h("span", { class: "key-found" }, "shortest found"));

function depths(model) {
  const list = [...model.depths.values()].sort((a, b) => a.depth - b.depth), p = model.job.progress;
  const current = model.job.state === "running" && p && p.fraction > 0 && (!list.length || p.depth > list.at(-1).depth) ? { depth: p.depth, nodes: p.nodes, fraction: p.fraction } : null;
  return list.length || current ? depthTable(list, current) : h("p", { class: "hint" }, ended(model) ? "Nothing was searched." : "No depth is complete yet.");
}

// ---- solutions -----------------------------------------------------------------------------------

function play(view, moves) {
  const { request } = view.model.job;
  view.played = moves;
  replace(view.stage, h("div", { class: "row spread" }, h("code", { class: "alg" }, moves), h("button", { type: "button", class: "ghost small", on: { click: () => { view.played = null; replace(view.stage); show(view); } } }, "Close")),
    player(moves, { puzzle: request.puzzle, solves: !!request.start && !request.cycles && !request.order && !request.any_of }));
  show(view);
  view.stage.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

function solutions(view) {
  const { model } = view, { job } = model, all = sorted(model), list = [...all.slice(0, view.all ? SHOWN : FIRST), ...view.more];
  if (!list.length) return h("p", { class: "hint" }, ended(model) ? "There is none." : "None yet; they appear here as they are found.");
  const count = job.result?.count;
  const total = count ? `${plural(count.sequences, "sequence")}, ${whole(count.canonical)} canonical, ${plural(count.classes, "class", "classes")}` : plural(model.solutions.size, "solution");
  return [h("p", { class: "hint" }, `${total}${ended(model) ? "" : " so far"}; the easiest to execute first.`),
    h("table", { class: "solutions" },
      h("caption", { class: "off-screen" }, "Solutions"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Algorithm"), h("th", { scope: "col", class: "number" }, "Moves"), h("th", { scope: "col", class: "number", title: "Estimated effort of the hands; smaller is easier" }, "Rank"), h("th", { scope: "col" }, h("span", { class: "off-screen" }, "Actions")))),
      h("tbody", {}, list.map((solution) => h("tr", { class: solution.moves === view.played ? "current" : null },
        h("td", {}, h("code", { class: "alg" }, solution.moves || "(no moves)")),
        h("td", { class: "number" }, String(solution.length)),
        h("td", { class: "number" }, solution.rank.toFixed(1)),
        h("td", { class: "acts" }, copyButton(solution.moves), h("button", { type: "button", class: "ghost small", "aria-label": `Play ${solution.moves}`, on: { click: () => play(view, solution.moves) } }, "Play")))))),
    h("div", { class: "row" },
      all.length > FIRST && !view.all && h("button", { type: "button", class: "ghost", on: { click: () => { view.all = true; show(view); } } }, "Show more"),
      view.all && ended(model) && all.length >= SHOWN && view.token !== "" && h("button", { type: "button", class: "ghost", on: { click: () => loadMore(view) } }, "Show more"),
      ended(model) && all.length > 1 && h("a", { class: "button ghost", href: `/v1/jobs/${view.id}/solutions?page_size=1000`, target: "_blank", rel: "noopener" }, "As JSON"))];
}

async function loadMore(view) {
  const page = await get(`/v1/jobs/${view.id}/solutions?page_size=${SHOWN}${view.token ? `&page_token=${encodeURIComponent(view.token)}` : ""}`);
  const known = new Set([...sorted(view.model).slice(0, SHOWN), ...view.more].map((s) => s.moves));
  const fresh = page.solutions.filter((s) => !known.has(s.moves));
  view.token = page.next_page_token;
  view.more.push(...fresh);
  if (!fresh.length && view.token) return loadMore(view);
  show(view);
}

// ---- actions and facts -----------------------------------------------------------------------------

function actions(view) {
  const { state, request } = view.model.job;
  const act = (label, run, kind = "ghost") => h("button", { type: "button", class: kind, on: { click: run } }, label);
  const send = (verb) => async () => {
    replace(view.parts.problem);
    try {
      const job = await post(`/v1/jobs/${view.id}/${verb}`);
      if (!ended(view.model)) takeJob(view.model, job);
      announce(`The job is ${job.state}`);
      show(view);
    } catch (error) {
      replace(view.parts.problem, problemBox(error));
    }
  };
  return h("div", { class: "row actions" },
    ["queued", "running"].includes(state) && act("Pause", send("pause")),
    state === "paused" && act("Resume", send("resume"), "primary"),
    !ENDED.includes(state) && act("Cancel", send("cancel"), "danger"),
    act("Compose from this", () => { useAsDraft(request); view.navigate("#/"); }),
    ENDED.includes(state) && act("Remove", () => remove(view), "danger"));
}

async function remove(view) {
  if (!confirm("Remove this job and its solutions from the list?")) return;
  try {
    await call("DELETE", `/v1/jobs/${view.id}`);
    view.navigate("#/jobs");
  } catch (error) {
    replace(view.parts.problem, problemBox(error));
  }
}

function facts(job) {
  const { request: r } = job, rows = [
    ["Created", clock(job.created)], ["Started", clock(job.started)], ["Ended", clock(job.ended)],
    r.start && ["Start", typeof r.start === "string" ? r.start : r.start.facelets ?? JSON.stringify(r.start)],
    r.moves && ["Moves", r.moves.join(" ")], ["Metric", r.metric],
    r.min_length > 0 && ["At least", plural(r.min_length, "move")], r.max_length !== undefined && ["At most", plural(r.max_length, "move")],
    r.limits && ["Limits", Object.entries(r.limits).map(([k, v]) => `${k} ${v}`).join(", ")], ["Priority", r.priority],
    job.shared_with && ["Shares the work of", job.shared_with]];
  return h("dl", { class: "pairs" }, rows.filter(Boolean).map(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))]));
}

function commands(view) {
  const path = `/v1/jobs/${view.id}`, { priority, fresh, metric, slack, min_length, ...rest } = view.model.job.request;
  const asked = { ...rest, ...(slack ? { slack } : {}), ...(min_length ? { min_length } : {}), ...(priority !== 5 ? { priority } : {}), ...(fresh ? { fresh } : {}), ...(metric === "htm" ? {} : { metric }) };
  return curlBox([
    ["Submit it again", curl("/v1/jobs", asked)], ["This job", curl(path)], ["Its events", curl(`${path}/events`, undefined, { stream: true })],
    ["Its solutions", curl(`${path}/solutions`)],
    ...(ended(view.model) ? [["Remove it", curl(path, undefined, { method: "DELETE" })]] : ["pause", "resume", "cancel"].map((verb) => [verb[0].toUpperCase() + verb.slice(1), curl(`${path}/${verb}`, undefined, { method: "POST" })]))]);
}

/** What somebody who does not see the page wants to hear, and not more often than it can be said. */
function say(view, kind, data) {
  const now = performance.now();
  if (kind === "done" && data) {
    const r = data.result;
    announce(data.state === "succeeded" ? (r.length === null ? `No solution; at least ${r.lower_bound} moves.` : `Done: ${plural(r.length, "move")}, ${r.optimal ? "proven shortest" : "not proven"}.`) : `The job is ${data.state}.`);
  } else if (now - view.lastSaid > SAY_MS && kind === "depth") {
    view.lastSaid = now;
    announce(`Depth ${data.depth} is complete: at least ${data.lower_bound} moves.`);
  } else if (kind === "draining") announce("The service is restarting.");
}
