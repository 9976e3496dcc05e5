// app.js - the frame: views by the address behind #, the state of the connection, colours, tokens.
import { hasToken, onReachable, setToken, setTokenPrompt } from "./api.js";
import { announce, h, problemBox, replace, setText } from "./dom.js";
import { composeView } from "./compose.js";
import { helpView } from "./help.js";
import { jobsView } from "./jobs.js";
import { jobView } from "./job.js";
import { serviceView } from "./service.js";

const main = document.querySelector("main");
const RETRY_MS = 1500;

// ---- views -----------------------------------------------------------------------------------

const routes = [
  [/^#?\/?$/, "Compose", (m) => composeView(main, navigate, m)],
  [/^#\/jobs$/, "Jobs", () => jobsView(main)],
  [/^#\/jobs\/([\w-]+)$/, "Jobs", (m) => jobView(main, m[1], navigate)],
  [/^#\/service$/, "Service", () => serviceView(main)],
  [/^#\/help$/, "Help", () => helpView(main)],
];

let leave = () => {}, visit = 0, retry = 0;

function navigate(hash) {
  if (location.hash === hash) show();
  else location.hash = hash;
}

async function show(moved = true) {
  const mine = ++visit;
  clearTimeout(retry);
  leave();
  leave = () => {};
  const [pattern, name, open] = routes.find(([p]) => p.test(location.hash)) ?? [];
  document.title = `${name ?? "Not found"} · Cyclosolve`;
  for (const link of document.querySelectorAll("nav.main a")) {
    if (link.dataset.name === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!open) return replace(main, h("div", { class: "card empty-state" }, h("h1", {}, "There is no such page"), h("a", { class: "button", href: "#/" }, "Compose a target")));
  try {
    const left = await open(pattern.exec(location.hash));
    if (mine === visit) leave = left ?? leave;
    else left?.();
    if (moved && mine === visit) focusTitle();
  } catch (error) {
    if (mine === visit) fail(error, mine);
  }
}

/** After a change of view, reading goes on at its title. */
function focusTitle() {
  const title = main.querySelector("h1");
  if (!title || document.activeElement?.closest("main")) return;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function fail(error, mine) {
  if (error.status === undefined) console.error(error);
  const missing = error.status === 404;
  replace(main, h("div", { class: "card empty-state" }, h("h1", {}, missing ? "There is no such job" : "This view could not be opened"),
    !missing && problemBox(error), h("div", { class: "row" }, h("button", { type: "button", on: { click: () => show() } }, "Try again"), h("a", { class: "button ghost", href: "#/jobs" }, "All jobs"))));
  if (error.passes) retry = setTimeout(() => { if (mine === visit) show(false); }, RETRY_MS);
}

addEventListener("hashchange", () => show());

// ---- connection --------------------------------------------------------------------------------

const banner = document.getElementById("connection");
let watch = 0;

onReachable((reachable) => {
  banner.hidden = reachable;
  setText(banner, reachable ? "" : "The service does not answer. It may be restarting; this page keeps trying.");
  announce(reachable ? "The service is back" : "The service does not answer");
  clearInterval(watch);
  // Views that ask by themselves find the service again; the others need somebody who looks.
  if (!reachable) watch = setInterval(() => fetch("/livez", { cache: "no-store" }).then(() => { clearInterval(watch); banner.hidden = true; }, () => {}), RETRY_MS);
});

// ---- tokens ------------------------------------------------------------------------------------

const dialog = document.getElementById("token");
const signOut = document.getElementById("sign-out");

setTokenPrompt((reason) => new Promise((resolve) => {
  const input = dialog.querySelector("input");
  setText(dialog.querySelector(".reason"), reason || "This service wants to know who asks.");
  input.value = "";
  dialog.returnValue = "";
  dialog.showModal();
  input.focus();
  dialog.addEventListener("close", () => {
    resolve(dialog.returnValue === "ok" ? input.value.trim() : "");
    setTimeout(() => { signOut.hidden = !hasToken(); });
  }, { once: true });
}));
dialog.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  dialog.close("ok");
});
dialog.querySelector(".cancel").addEventListener("click", () => dialog.close(""));
signOut.hidden = !hasToken();
signOut.addEventListener("click", () => { setToken(""); signOut.hidden = true; show(); });

// ---- colours -----------------------------------------------------------------------------------

const KEY = "cyclosolve-theme", themes = ["auto", "light", "dark"];
const themeButton = document.getElementById("theme");

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  setText(themeButton, { auto: "Auto", light: "Light", dark: "Dark" }[theme]);
  themeButton.setAttribute("aria-label", `Colours: ${theme}`);
  localStorage.setItem(KEY, theme);
}
setTheme(themes.includes(localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : "auto");
themeButton.addEventListener("click", () => setTheme(themes[(themes.indexOf(localStorage.getItem(KEY)) + 1) % 3]));

show(false);
