// jobs.js - all jobs, newest first, filtered, kept up to date.
import { get } from "./api.js";
import { clock, curl, curlBox, duration, h, plural, problemBox, replace, short, update } from "./dom.js";
import { structureGlyph } from "./glyph.js";
import { wish } from "./structure.js";

const REFRESH_MS = 2000, PAGE = 25;
const STATES = ["", "queued", "running", "paused", "succeeded", "failed", "cancelled"];

const filter = { state: "", puzzle: "", label: "" };

export function jobsView(main) {
  const view = { list: h("div", {}), tokens: [""], busy: false, commands: h("div", {}) };
  const states = h("fieldset", { class: "segmented wrap" }, h("legend", { class: "off-screen" }, "State"), STATES.map((state) => h("label", {},
    h("input", { type: "radio", name: "state", value: state, checked: filter.state === state, on: { change: () => { filter.state = state; restart(view); } } }), h("span", {}, state || "all"))));
  const label = h("input", { type: "search", id: "label-filter", value: filter.label, placeholder: "exact label", autocomplete: "off" });
  label.addEventListener("input", () => { filter.label = label.value; clearTimeout(view.typing); view.typing = setTimeout(() => restart(view), 250); });
  const puzzle = h("select", { id: "puzzle-filter", on: { change: () => { filter.puzzle = puzzle.value; restart(view); } } }, h("option", { value: "" }, "all puzzles"));
  get("/v1/puzzles").then(({ puzzles }) => {
    puzzle.append(...puzzles.map((p) => h("option", { value: p.name }, p.name)));
    puzzle.value = filter.puzzle;
  }, () => {}); // the list says what is wrong
  replace(main, h("header", { class: "view-head" }, h("h1", {}, "Jobs")),
    h("div", { class: "row filters" }, states, h("div", {},
      h("label", { for: "puzzle-filter", class: "off-screen" }, "Puzzle"), puzzle,
      h("label", { for: "label-filter", class: "off-screen" }, "Label"), label)),
    view.list,
    h("details", { class: "card" }, h("summary", {}, "The same with curl"), view.commands));
  view.timer = setInterval(() => { if (!document.hidden) load(view); }, REFRESH_MS);
  restart(view);
  return () => { clearInterval(view.timer); clearTimeout(view.typing); view.over = true; };
}

function restart(view) {
  view.tokens = [""];
  load(view);
}

function path(token) {
  const query = new URLSearchParams({ page_size: PAGE });
  if (filter.state) query.set("state", filter.state);
  if (filter.puzzle) query.set("puzzle", filter.puzzle);
  if (filter.label) query.set("label", filter.label);
  if (token) query.set("page_token", token);
  return `/v1/jobs?${query}`;
}

async function load(view) {
  const asked = path(view.tokens.at(-1));
  view.asked = asked;
  update(view.commands, asked, () => curlBox([["This list", curl(asked)]]));
  try {
    const page = await get(asked);
    if (view.over || view.asked !== asked) return;
    update(view.list, [page, view.tokens], () => table(view, page));
  } catch (error) {
    if (!view.over && !(error.passes && view.list.childElementCount)) update(view.list, error.message, () => problemBox(error));
  }
}

function table(view, page) {
  const paging = h("nav", { class: "row paging", "aria-label": "Pages" },
    view.tokens.length > 1 && h("button", { type: "button", class: "ghost", on: { click: () => { view.tokens.pop(); load(view); } } }, "Newer"),
    page.next_page_token && h("button", { type: "button", class: "ghost", on: { click: () => { view.tokens.push(page.next_page_token); load(view); } } }, "Older"));
  if (!page.jobs.length)
    return [h("div", { class: "card empty-state" }, h("p", {}, filter.state || filter.puzzle || filter.label ? "No job is like that." : "There are no jobs yet."), h("a", { class: "button", href: "#/" }, "Compose one")), paging];
  return [h("ul", { class: "job-list" }, page.jobs.map(row)), paging];
}

function outcome(job) {
  const { result: r, progress: p } = job;
  if (job.state === "queued") return p?.queue_position ? `${plural(p.queue_position, "job")} before it` : "next";
  if (job.state === "running" || job.state === "paused") return `at least ${p.lower_bound}${p.eta_seconds === null ? "" : ` · ${duration(p.eta_seconds)} left`}`;
  if (job.state !== "succeeded" || !r) return "";
  if (r.length === null) return `none below ${r.lower_bound}`;
  return `${plural(r.length, "move")}${r.optimal ? "" : " (not proven)"}`;
}

function row(job) {
  const p = job.progress;
  return h("li", {}, h("a", { class: "job-row", href: `#/jobs/${job.id}` },
    h("span", { class: "job-glyph" }, job.request.cycles ? structureGlyph(job.request.cycles) : h("span", { class: "glyph-word" }, job.request.order ? `#${job.request.order}` : job.request.any_of ? "any" : "⤨")),
    h("span", { class: "job-name" }, h("span", { class: job.label || !job.request.cycles ? "" : "mono" }, job.label || wish(job.request, job.target)), h("small", {}, [job.request.puzzle, job.label && wish(job.request, job.target), job.request.find === "all" && "all", clock(job.created)].filter(Boolean).join(" · "))),
    h("span", { class: "job-outcome" }, h("span", {}, outcome(job)), p && p.elapsed_seconds > 0 && h("small", {}, `${duration(p.elapsed_seconds)} · ${short(p.nodes)} nodes`)),
    h("span", { class: `state ${job.state}` }, job.state)));
}
