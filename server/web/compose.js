// compose.js - where a target is put together and judged while it is typed, and a job submitted.
import { get, post } from "./api.js";
import { announce, copyButton, curl, curlBox, h, newId, plural, problemBox, replace, setText, states, update, whole } from "./dom.js";
import { apply, FACES, faultsOf, randomPosition, SOLVED, words } from "./cube.js";
import { ring, structureGlyph } from "./glyph.js";
import { cubeView, net, solid } from "./net.js";
import { isEmpty, parse, piecesUsed, print, RULES } from "./structure.js";

const TYPING_MS = 140;
const FACE_NAMES = { U: "up, white", R: "right, red", F: "front, green", D: "down, yellow", L: "left, orange", B: "back, blue" };

const MODES = [["structure", "Structure"], ["like", "Algorithm"], ["order", "Order"], ["scramble", "Scramble"]];

// What was typed stays while one looks at other views.
const draft = {
  puzzle: "3x3x3", mode: "structure", cycles: {}, text: "", alg: "", order: "", start: "", facelets: SOLVED, paint: "U",
  options: { find: "one", slack: "", min: "", max: "", moves: "", seconds: "", memory: "", priority: "5", label: "", fresh: false },
};
let puzzles = null;

/** Fills the form from the request of a job. */
export function useAsDraft(request) {
  draft.puzzle = request.puzzle;
  draft.start = typeof request.start === "string" ? request.start : "";
  draft.facelets = request.start?.facelets ?? apply(words(draft.start)) ?? SOLVED;
  draft.mode = request.order ? "order" : request.cycles ? "structure" : "scramble";
  draft.order = request.order ?? "";
  draft.cycles = request.cycles ?? {};
  draft.text = "";
  const limits = request.limits ?? {};
  draft.options = {
    find: request.find, slack: request.slack || "", min: request.min_length || "", max: request.max_length ?? "",
    moves: (request.moves ?? []).join(" "), seconds: limits.seconds ?? "", memory: limits.memory_mib ?? "",
    priority: String(request.priority), label: request.label ?? "", fresh: true,
  };
}

// ---- what is asked -------------------------------------------------------------------------------

const number = (text) => (text === "" ? undefined : Number(text));

/** "R, U2 [R: U]" → the moves; blanks within brackets do not separate. */
export function splitMoves(text) {
  return text.match(/\[[^\]]*\]|[^\s,]+/g) ?? [];
}

/** The members that make the target; null while nothing is asked for yet. */
function targetOf() {
  const moves = splitMoves(draft.options.moves);
  const base = { ...(draft.puzzle === "3x3x3" ? {} : { puzzle: draft.puzzle }), ...(moves.length ? { moves } : {}) };
  if (draft.mode === "structure") return draft.text.trim() ? { ...base, cycles: draft.text.trim() } : null;
  if (draft.mode === "like") return draft.alg.trim() ? { ...base, like: draft.alg.trim() } : null;
  if (draft.mode === "order") return draft.order ? { ...base, order: Number(draft.order) } : null;
  if (draft.start.trim()) return { ...base, start: draft.start.trim() };
  return draft.facelets === SOLVED ? null : { ...base, start: { facelets: draft.facelets } };
}

function bodyOf() {
  const o = draft.options, body = targetOf();
  if (!body) return null;
  if (o.find === "all") body.find = "all";
  if (o.find === "all" && Number(o.slack)) body.slack = Number(o.slack);
  if (o.min !== "") body.min_length = Number(o.min);
  if (o.max !== "") body.max_length = Number(o.max);
  const limits = { seconds: number(o.seconds), memory_mib: number(o.memory) };
  if (o.seconds !== "" || o.memory !== "") body.limits = JSON.parse(JSON.stringify(limits));
  if (o.priority !== "5") body.priority = Number(o.priority);
  if (o.label.trim()) body.label = o.label.trim();
  if (o.fresh) body.fresh = true;
  return body;
}

// ---- the view ------------------------------------------------------------------------------------

function segmented(legend, name, choices, value, onChange) {
  return h("fieldset", { class: "segmented" }, h("legend", { class: "off-screen" }, legend),
    choices.map(([key, label]) => h("label", {},
      h("input", { type: "radio", name, value: key, checked: key === value, on: { change: () => onChange(key) } }), h("span", {}, label))));
}

function field(label, control, hint) {
  const id = newId("field");
  control.id = id;
  if (hint) control.setAttribute("aria-describedby", `${id}-hint`);
  return h("div", { class: "field" }, h("label", { for: id }, label), control, hint && h("p", { class: "hint", id: `${id}-hint` }, hint));
}

export async function composeView(main, navigate) {
  const view = { navigate, verdict: h("div", { class: "verdict-body" }), editor: h("div", { class: "editor" }), submit: null, key: null };
  replace(main, h("p", { class: "hint" }, "Loading the puzzles…"));
  puzzles ??= (await get("/v1/puzzles")).puzzles;
  view.puzzle = () => puzzles.find((p) => p.name === draft.puzzle) ?? puzzles[0];

  view.submit = h("button", { type: "submit", class: "primary" }, "Find the shortest");
  view.problem = h("div", {});
  view.brief = h("span", { class: "brief" });
  view.commands = h("div", {});
  const form = h("form", { class: "compose", on: { submit: (event) => { event.preventDefault(); submit(view); } } },
    h("div", { class: "card" },
      h("div", { class: "row spread" },
        segmented("Puzzle", newId("puzzle"), puzzles.map((p) => [p.name, p.name]), draft.puzzle, (name) => { draft.puzzle = name; draft.cycles = {}; draft.text = ""; showEditor(view); judgeSoon(view, 0); }),
        h("a", { class: "hint", href: "#/help" }, "What is a cycle structure?")),
      segmented("Kind of target", newId("mode"), MODES, draft.mode, (mode) => { draft.mode = mode; showEditor(view); judgeSoon(view, 0); }),
      view.editor,
      options(view),
      h("div", { class: "row submit-row" }, view.submit, view.brief),
      view.problem),
    h("div", { class: "aside" },
      h("section", { class: "card verdict", "aria-labelledby": "verdict-title" }, h("h2", { id: "verdict-title" }, "Verdict"), view.verdict),
      h("details", { class: "card", open: false }, h("summary", {}, "The same with curl"), view.commands)));
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  replace(main, h("header", { class: "view-head" }, h("h1", {}, "Compose a target"),
    h("p", { class: "lede" }, "Say what an algorithm shall do to the pieces. The shortest one that does it is found, and proven shortest.")), form);
  showEditor(view);
  judgeSoon(view, 0);
  return () => { clearTimeout(view.timer); view.abort?.abort(); };
}

function showEditor(view) {
  const make = { structure: structureEditor, like: likeEditor, order: orderEditor, scramble: scrambleEditor }[draft.mode];
  view.picture = null;
  view.onVerdict = null;
  replace(view.editor, make(view));
  setText(view.submit, draft.mode === "scramble" ? "Solve it in the fewest moves" : "Find the shortest");
}

// ---- editors -------------------------------------------------------------------------------------

function structureEditor(view) {
  const { orbits } = view.puzzle();
  const boxes = Object.fromEntries(orbits.map((orbit) => [orbit.name, h("div", {})]));
  if (!draft.text && !isEmpty(draft.cycles)) draft.text = print(draft.cycles, orbits);
  const text = h("textarea", { rows: 2, spellcheck: "false", autocapitalize: "off", class: "mono", placeholder: "c: (1+, 5+) / e: (1+, 1+)", value: draft.text });
  text.addEventListener("input", () => {
    draft.text = text.value;
    const cycles = parse(draft.text, orbits);
    if (cycles) draft.cycles = cycles;
    for (const orbit of orbits) showOrbit(orbit);
    judgeSoon(view);
  });
  const change = (orbit, items) => {
    draft.cycles = { ...draft.cycles, [orbit.name]: items };
    draft.text = isEmpty(draft.cycles) ? "" : print(draft.cycles, orbits);
    text.value = draft.text;
    showOrbit(orbit);
    judgeSoon(view, 0);
  };
  function showOrbit(orbit) {
    const k = orbits.indexOf(orbit), items = draft.cycles[orbit.name] ?? [], used = piecesUsed(items);
    const focus = boxes[orbit.name].contains(document.activeElement) ? document.activeElement.dataset.key : null;
    replace(boxes[orbit.name], orbitBox(orbit, k, items, used, change));
    if (focus) (boxes[orbit.name].querySelector(`[data-key="${focus}"]:not(:disabled)`) ?? boxes[orbit.name].querySelector("button:not(:disabled)"))?.focus();
  }
  view.onVerdict = (error) => {
    for (const orbit of orbits)
      boxes[orbit.name].classList.toggle("at-fault", !!error?.errors.some((e) => e.rule && e.detail.startsWith(orbit.name)));
  };
  for (const orbit of orbits) showOrbit(orbit);
  return [Object.values(boxes), field("As text", text, "Orbits by name or first letters; + marks cycles whose pieces also turn. x12 after a group repeats it.")];
}

function orbitBox(orbit, k, items, used, change) {
  const free = orbit.pieces - used;
  const sorted = items.map((item, i) => [item, i]).sort(([a], [b]) => a[0] - b[0] || Number(a[1]) - Number(b[1]));
  const add = (length, oriented) => {
    const label = `${length}${oriented ? "+" : ""}`;
    return h("button", { type: "button", class: "add", "data-key": `add-${label}`, disabled: length > free, "aria-label": `Add ${label} to ${orbit.name}`, on: { click: () => { announce(`Added ${label} to ${orbit.name}`); change(orbit, [...items, [length, oriented]]); } } }, label);
  };
  const longest = Math.min(orbit.pieces, 24);
  const lengths = (from) => Array.from({ length: longest - from + 1 }, (_, i) => i + from);
  return h("fieldset", { class: `orbit orbit-${k % 4}` },
    h("legend", {}, h("span", { class: "orbit-name" }, orbit.name), h("span", { class: "hint" }, `${used} of ${orbit.pieces} pieces`)),
    h("div", { class: "chips", "aria-live": "off" },
      sorted.length ? sorted.map(([[length, oriented], i]) => {
        const label = `${length}${oriented ? "+" : ""}`;
        return h("button", { type: "button", class: "chip", "data-key": `chip-${label}`, "aria-label": `Remove ${label} from ${orbit.name}`, title: "Remove", on: { click: () => { announce(`Removed ${label} from ${orbit.name}`); change(orbit, items.filter((_, j) => j !== i)); } } },
          ring(length, oriented, k), label, h("span", { class: "cross", "aria-hidden": "true" }, "×"));
      }) : h("span", { class: "empty" }, "stay where they are")),
    h("div", { class: "palette" },
      orbit.orientations > 1 && h("div", { class: "palette-row", role: "group", "aria-label": `${orbit.name}: cycles that turn` }, lengths(1).map((n) => add(n, true))),
      h("div", { class: "palette-row", role: "group", "aria-label": `${orbit.name}: plain cycles` }, orbit.orientations > 1 && h("span", { class: "add spacer", "aria-hidden": "true" }), lengths(2).map((n) => add(n, false)))));
}

function likeEditor(view) {
  const input = h("input", { type: "text", class: "mono", spellcheck: "false", autocapitalize: "characters", autocomplete: "off", placeholder: "U R U' D2 B", value: draft.alg });
  view.picture = h("div", { class: "picture" });
  input.addEventListener("input", () => { draft.alg = input.value; judgeSoon(view); });
  return [field("Algorithm", input, "Face turns, also (R U)3, [R, U] and [F: R2]. The search is for the shortest algorithm with the same cycle structure."), view.picture];
}

function orderEditor(view) {
  const input = h("input", { type: "number", min: 1, step: 1, inputmode: "numeric", placeholder: "30", value: draft.order });
  input.addEventListener("input", () => { draft.order = input.value; judgeSoon(view); });
  const common = view.puzzle().name === "3x3x3" ? [30, 90, 105, 180, 360, 1260] : [6, 12, 15, 36];
  return [field("Order", input, "How often the algorithm must be repeated until everything is as before. Any structure of this order will do."),
    h("div", { class: "row" }, common.map((n) => h("button", { type: "button", class: "ghost small", on: { click: () => { input.value = draft.order = String(n); judgeSoon(view, 0); } } }, String(n))))];
}

function scrambleEditor(view) {
  const name = view.puzzle().name, drawn = ["3x3x3", "2x2x2"].includes(name), paintable = name === "3x3x3";
  const input = h("input", { type: "text", class: "mono", spellcheck: "false", autocomplete: "off", placeholder: "R U2 F' L D B2", value: draft.start });
  const picture = h("div", { class: "picture" }), faults = h("div", { "aria-live": "polite" });
  input.addEventListener("input", () => {
    draft.start = input.value;
    draft.facelets = apply(words(draft.start)) ?? draft.facelets;
    show();
    judgeSoon(view);
  });
  const take = (facelets) => {
    draft.facelets = facelets;
    draft.start = input.value = "";
    show();
    judgeSoon(view, 0);
  };
  function press(i) {
    const letters = [...draft.facelets];
    letters[i] = draft.paint;
    take(letters.join(""));
    picture.querySelector(`[data-facelet="${i}"]`)?.focus();
  }
  function show() {
    const found = paintable && !draft.start.trim() ? faultsOf(draft.facelets) : [];
    const marked = new Set(found.flatMap((f) => f.slot));
    if (drawn) replace(picture, h("div", { class: "cube-view" }, solid(draft.facelets, { puzzle: name }),
      net(draft.facelets, { puzzle: name, press: paintable && press, marked, label: paintable ? "Stickers; arrow keys move, Enter paints" : undefined })));
    replace(faults, found.length ? h("ul", { class: "faults" }, found.slice(0, 4).map((f) => h("li", {}, f.text))) : null);
  }
  view.recolour = (facelets) => { if (draft.start.trim() && facelets) { draft.facelets = facelets; show(); } };
  show();
  return [field("Scramble", input, "An algorithm from the solved position; or paint the stickers below."),
    paintable && h("div", { class: "row" },
      h("button", { type: "button", class: "ghost", on: { click: () => { take(randomPosition()); announce("A random position"); } } }, "Random state"),
      h("button", { type: "button", class: "ghost", on: { click: () => take(SOLVED) } }, "Solved"),
      h("fieldset", { class: "paints" }, h("legend", { class: "off-screen" }, "Colour to paint with"), [...FACES].map((face) => h("label", { title: FACE_NAMES[face] },
        h("input", { type: "radio", name: "paint", value: face, checked: draft.paint === face, "aria-label": FACE_NAMES[face], on: { change: () => { draft.paint = face; } } }), h("span", { class: `paint face-${face}` }, face))))),
    faults, picture];
}

function options(view) {
  const o = draft.options;
  const bind = (key, control) => {
    control.addEventListener("input", () => { o[key] = control.type === "checkbox" ? control.checked : control.value; refresh(view); if (key === "moves") judgeSoon(view); });
    return control;
  };
  const input = (key, properties) => bind(key, h("input", { type: "number", value: o[key], ...properties }));
  const slack = field("Slack", input("slack", { min: 0, max: 8, placeholder: "0" }), "Also solutions this much longer.");
  slack.hidden = o.find !== "all";
  return h("details", { class: "options", open: Object.entries(o).some(([k, v]) => v && !["find", "priority"].includes(k)) || o.find === "all" },
    h("summary", {}, "Options"),
    h("div", { class: "grid" },
      h("div", { class: "field" }, h("span", { class: "label" }, "Find"), segmented("Find", newId("find"), [["one", "One"], ["all", "All optimal"]], o.find, (find) => { o.find = find; slack.hidden = find !== "all"; refresh(view); })),
      slack,
      field("Only these moves", bind("moves", h("input", { type: "text", class: "mono", value: o.moves, placeholder: "all", spellcheck: "false", autocomplete: "off" })), "R U F, R2, [R: U]"),
      field("At least", input("min", { min: 0, max: 60, placeholder: "0 moves" })),
      field("At most", input("max", { min: 0, max: 60, placeholder: "no bound" })),
      field("Seconds", input("seconds", { min: 0.001, step: "any", placeholder: "no limit" })),
      field("Memory, MiB", input("memory", { min: 0.001, step: "any", placeholder: "server's" })),
      field("Priority", input("priority", { min: 0, max: 9, required: true })),
      field("Label", bind("label", h("input", { type: "text", maxlength: 200, value: o.label, placeholder: "for the list" }))),
      h("div", { class: "field" }, h("label", { class: "check" }, bind("fresh", h("input", { type: "checkbox", checked: o.fresh })), " Search anew, even if known"))));
}

// ---- the verdict ---------------------------------------------------------------------------------

function judgeSoon(view, delay = TYPING_MS) {
  refresh(view);
  clearTimeout(view.timer);
  view.timer = setTimeout(() => judge(view), delay);
}

/** The command line and the button follow every keystroke. */
function refresh(view) {
  const body = bodyOf();
  view.submit.disabled = body === null;
  update(view.commands, body, () => (body ? curlBox([["Submit", curl("/v1/jobs", body)], ["Judge only", curl("/v1/analyze", targetOf())]])
    : h("p", { class: "hint" }, "The command appears as soon as there is a target.")));
}

async function judge(view) {
  view.abort?.abort();
  const abort = view.abort = new AbortController(), target = targetOf(), mode = draft.mode;
  if (!target) {
    view.onVerdict?.(null);
    if (view.picture) replace(view.picture);
    brief(view, "", "");
    return replace(view.verdict, emptyVerdict(view));
  }
  view.verdict.setAttribute("aria-busy", "true");
  try {
    const asked = { ...target };
    if (asked.start) delete asked.moves;
    const told = await Promise.all([post("/v1/analyze", asked, { signal: abort.signal }),
      mode === "like" && post("/v1/analyze", { puzzle: draft.puzzle, alg: target.like }, { signal: abort.signal })]);
    if (abort.signal.aborted) return;
    showVerdict(view, mode, ...told);
  } catch (error) {
    if (error.name === "AbortError" || abort.signal.aborted) return;
    view.onVerdict?.(error);
    replace(view.verdict, refusal(error));
    brief(view, "bad", briefly(error));
    announce(`Not feasible: ${error.detail ?? error.message}`);
  } finally {
    if (view.abort === abort) view.verdict.removeAttribute("aria-busy");
  }
}

function emptyVerdict() {
  const hints = {
    structure: "Add cycles to an orbit, or paste a structure. 5+ is a cycle of five pieces that also turn on the way round; 1+ is one piece turned in place.",
    like: "Type an algorithm; its structure appears here.",
    order: "Type an order. 1260 is the largest of the 3x3x3.",
    scramble: "Type a scramble, paint one, or take a random position.",
  };
  const examples = [["The hard 30×30×30", "c: (1+, 5+) / e: (1+, 1+)"], ["Two edges flipped", "c: / e: (1+, 1+)"], ["A corner three-cycle", "c: (3) / e:"]];
  return [h("p", { class: "hint" }, hints[draft.mode]),
    draft.mode === "structure" && draft.puzzle === "3x3x3" && h("ul", { class: "examples" }, examples.map(([name, text]) => h("li", {}, h("button", { type: "button", class: "link", on: { click: () => example(text) } }, name), " ", h("code", {}, text))))];
}

function example(text) {
  const area = document.querySelector(".editor textarea");
  area.value = text;
  area.dispatchEvent(new Event("input"));
  area.focus();
}

function refusal(error) {
  if (error.passes) return h("div", { class: "verdict-line waiting" }, h("strong", {}, error.title), h("p", {}, error.detail));
  const infeasible = error.type === "/problems/infeasible-target";
  return h("div", {},
    h("p", { class: "verdict-line bad" }, infeasible ? "No position has this structure." : error.type === "/problems/unsupported" ? "Not available yet." : "This cannot be read."),
    h("ul", { class: "rules" }, error.errors.map((e) => h("li", {}, e.rule && h("span", { class: "rule" }, RULES[e.rule] ?? e.rule), h("span", {}, e.detail)))));
}

function briefly(error) {
  const rule = error.errors.map((e) => RULES[e.rule]).find(Boolean);
  return rule ? `Not feasible: ${rule.toLowerCase()}` : error.passes ? error.title : "This cannot be read";
}

/** The verdict in a few words beside the button, for screens on which the whole is out of sight. */
function brief(view, kind, text) {
  view.brief.className = `brief ${kind}`;
  setText(view.brief, text);
}

const fact = (name, value, note) => h("div", { class: "fact" }, h("dt", {}, name), h("dd", {}, value, note && h("small", {}, note)));

function showVerdict(view, mode, told, alg) {
  view.onVerdict?.(null);
  const orbits = view.puzzle().orbits.map((o) => o.name);
  if (mode === "like" && view.picture) {
    const facelets = alg.facelets ?? apply(words(alg.canonical));
    replace(view.picture, facelets && ["3x3x3", "2x2x2"].includes(draft.puzzle) ? cubeView(facelets, { puzzle: draft.puzzle }) : null);
  }
  if (mode === "scramble") view.recolour?.(told.facelets ?? apply(words(told.canonical)));
  const solved = told.solved || told.states === "1" && mode !== "scramble" && told.structures === 1;
  const line = mode === "scramble" ? (solved ? "This is the solved position." : "A position of the puzzle.")
    : solved ? "Nothing to do: this is the solved position." : told.structures > 1 ? `Feasible: ${plural(told.structures, "structure")} of this order.` : "Feasible.";
  replace(view.verdict,
    h("p", { class: "verdict-line good" }, line),
    told.cycles && !solved && structureGlyph(told.cycles, orbits),
    told.text && h("p", { class: "structure-text" }, h("code", {}, told.text), copyButton(told.text)),
    h("dl", { class: "facts" },
      fact("Order", told.order === null ? "differs" : whole(told.order)),
      fact(told.structures > 1 ? "States, all together" : "States", h("span", { title: whole(told.states) }, states(told.states, told.log10_states)), mode === "scramble" ? "with this structure" : null),
      told.expected_length !== undefined && told.expected_length !== null && fact("Expected length", `about ${told.expected_length}`, "moves"),
      alg && alg.parity && fact("Parity", Object.values(alg.parity).every((p) => p === 0) ? "even" : "odd")));
  brief(view, "good", mode === "scramble" ? "" : `Feasible${told.expected_length ? `, about ${told.expected_length} moves` : ""}`);
  announce(`${line} ${told.expected_length ? `Expected length about ${told.expected_length} moves.` : ""}`);
}

// ---- submitting ----------------------------------------------------------------------------------

const randomKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

async function submit(view) {
  const body = bodyOf();
  if (!body || view.busy) return;
  // The same key for the same body: a lost reply does not make a second job.
  if (view.key?.of !== JSON.stringify(body)) view.key = { of: JSON.stringify(body), key: randomKey() };
  view.busy = view.submit.disabled = true;
  replace(view.problem);
  try {
    const job = await post("/v1/jobs", body, { headers: { "Idempotency-Key": view.key.key } });
    view.key = null;
    view.navigate(`#/jobs/${job.id}`);
  } catch (error) {
    replace(view.problem, problemBox(error));
  } finally {
    view.busy = view.submit.disabled = false;
  }
}
