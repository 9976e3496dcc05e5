// test_jobs.mjs - jobs followed: live, through reloads, restarts and lost connections; played,
// paused, cancelled, listed.
import assert from "node:assert/strict";
import { SOLVED, apply, words } from "../../server/web/cube.js";
import { sleep, stickers, until } from "./web_daemon.mjs";

const REGISTER = "c: (1+, 5+) / e: (1+, 1+)";
const ENDLESS = { cycles: "e: (1+) x12", fresh: true }; // longer than a test looks on
const depthRows = (page) => page.locator(".depths tbody tr:not(.current)").count();
const state = (page, name) => page.waitForSelector(`h1 ~ .state.${name}`);

export async function composed_submitted_watched_and_played(bench) {
  const { daemon } = bench, page = await bench.open();
  await page.locator(".editor textarea").fill(REGISTER);
  await page.waitForSelector(".verdict-line.good");
  await page.getByRole("button", { name: "Find the shortest" }).click();
  await state(page, "succeeded");
  assert.match(await page.locator(".hero").innerText(), /11 moves proven shortest/);
  const alg = await page.locator(".best .alg").innerText();
  assert.equal((await daemon.call("POST", "/v1/analyze", { alg })).body.text, REGISTER);
  assert.match(await page.locator(".solutions").innerText(), /13\.\d/, "the rank is shown");
  assert.ok(await page.locator(".tables progress").count() >= 2 && (await depthRows(page)) >= 5);
  assert.match(await page.locator(".chart").getAttribute("aria-label"), /lower bound rose from \d+ to 11/);
  await page.locator(".best").getByRole("button", { name: "Play" }).click();
  await page.waitForSelector("twisty-player");
  await page.waitForFunction(() => document.querySelector("twisty-player").experimentalModel.alg.get().then((a) => a.alg.toString().length > 0));
  await page.waitForFunction(async () => {
    const player = document.querySelector("twisty-player");
    return (await player.experimentalModel.visualizationStrategy.get()) === "2D" || (await player.experimentalCurrentCanvases()).length > 0;
  });
  await bench.shot(page, "job-3d");
  await page.getByRole("button", { name: "Show unfolded" }).click();
  assert.equal(await stickers(page), SOLVED);
  await page.getByRole("button", { name: "On one move" }).click();
  assert.equal(await stickers(page), apply(words(alg).slice(0, 1)));
  await page.getByRole("button", { name: "To the end" }).click();
  assert.equal(await stickers(page), apply(words(alg)));
  await page.getByRole("button", { name: "Back one move" }).click();
  await page.locator(".transport [aria-label=Play]").click();
  await page.waitForFunction((n) => document.querySelector(".transport input").value === String(n), words(alg).length);
}

/** Progress tells of a depth's time before the depth does: it must not be counted twice. */
export async function the_chart_shows_no_more_time_than_was_spent(bench) {
  const { daemon } = bench, { page, id } = await bench.openJob({ ...ENDLESS, limits: { memory_mib: 64, seconds: 40 } });
  const now = async () => (await daemon.call("GET", `/v1/jobs/${id}`)).body.progress;
  await until(async () => (await now()).lower_bound >= 18 && (await now()).elapsed_seconds > 3, "a depth of a second and more", 40_000);
  await page.waitForSelector(".depths tbody tr.current");
  const shown = /Bounds over ([\d.]+) s: .*found fell from (\d+)/.exec(await page.locator(".chart").getAttribute("aria-label"));
  assert.ok(shown, "there are bounds of both kinds");
  const { elapsed_seconds: spent } = await now();
  assert.ok(Number(shown[1]) <= spent + 0.5, `${shown[1]} s of ${spent}`);
}

export async function a_solution_plays_by_itself_unless_calm_is_wished(bench) {
  const position = (page) => page.waitForFunction(async () => (await document.querySelector("twisty-player")?.experimentalModel.detailedTimelineInfo.get())?.timestamp > 0);
  const { page } = await bench.openJob({ cycles: "c: (1+, 5+) / e: (7)" }, { reducedMotion: "no-preference" });
  await state(page, "succeeded");
  await page.locator(".best").getByRole("button", { name: "Play" }).click();
  await position(page);
  await page.getByRole("button", { name: "Show unfolded" }).click();
  await page.waitForFunction(() => Number(document.querySelector(".transport input").value) > 0);
  const calm = (await bench.openJob({ cycles: "c: (1+, 5+) / e: (7)" })).page;
  await calm.evaluate(() => localStorage.setItem("cyclosolve-flat-viewer", "yes"));
  await calm.reload();
  await state(calm, "succeeded");
  await calm.locator(".best").getByRole("button", { name: "Play" }).click();
  await calm.waitForSelector(".transport");
  await sleep(1000);
  assert.equal(await calm.locator(".transport input").inputValue(), "0");
}

export async function without_the_viewer_the_net_plays(bench) {
  const page = await bench.page();
  await page.route(/:\d+\/$/, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, body: (await reply.text()).replace(/(cyclosolve-viewer" content=)"[^"]*"/, '$1""') });
  });
  await page.goto(bench.daemon.url);
  await page.locator(".editor textarea").fill("c: (1+, 5+) / e: (7)");
  await page.getByRole("button", { name: "Find the shortest" }).click();
  await state(page, "succeeded");
  await page.locator(".best").getByRole("button", { name: "Play" }).click();
  await page.getByRole("button", { name: "To the end" }).click();
  assert.equal(await stickers(page), apply(words(await page.locator(".best .alg").innerText())));
  assert.equal(await page.getByRole("button", { name: "Show in 3-D" }).count(), 0);
}

export async function all_solutions_are_counted_and_can_be_paged(bench) {
  const { page } = await bench.openJob({ cycles: "e: (1+, 1+)", find: "all" });
  await state(page, "succeeded");
  await page.waitForFunction(() => /2,496 sequences, 1,344 canonical, 1 class/.test(document.querySelector("main").innerText));
  assert.equal(await page.locator(".solutions tbody tr").count(), 12);
  await page.getByRole("button", { name: "Show more" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".solutions tbody tr").length === 100);
  await page.getByRole("button", { name: "Show more" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".solutions tbody tr").length === 200);
  const all = await page.locator(".solutions .alg").allInnerTexts();
  assert.equal(new Set(all).size, 200);
}

export async function paused_resumed_cancelled_removed(bench) {
  const { page, id } = await bench.openJob(ENDLESS);
  await state(page, "running");
  await page.getByRole("button", { name: "Pause" }).click();
  await state(page, "paused");
  assert.equal((await bench.daemon.job(id)).state, "paused");
  await page.getByRole("button", { name: "Resume" }).click();
  await state(page, "running");
  await page.getByRole("button", { name: "Cancel" }).click();
  await state(page, "cancelled");
  assert.match(await page.locator(".hero").innerText(), /Cancelled/);
  page.once("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Remove" }).click();
  await page.waitForURL(/#\/jobs$/);
  assert.equal((await bench.daemon.call("GET", `/v1/jobs/${id}`)).status, 404);
}

export async function a_reload_in_the_middle_loses_nothing(bench) {
  const { page, id } = await bench.openJob(ENDLESS);
  await until(async () => (await depthRows(page)) >= 8, "eight depths");
  const rows = await depthRows(page);
  await page.reload();
  await until(async () => (await depthRows(page)) >= rows, "the depths are there again");
  await state(page, "running");
  await page.goto(`${bench.daemon.url}/#/jobs`);
  await page.locator(".job-row").first().click();
  await until(async () => (await depthRows(page)) >= rows, "and after coming back from the list");
  await page.getByRole("button", { name: "Cancel" }).click();
  await state(page, "cancelled");
  assert.equal((await bench.daemon.job(id)).state, "cancelled");
}

export async function a_restart_of_the_daemon_in_the_middle_is_survived(bench) {
  const { page, id } = await bench.openJob(ENDLESS);
  const resumed = [];
  page.on("request", (r) => { if (r.url().includes("/events")) resumed.push(r); });
  await until(async () => (await depthRows(page)) >= 4, "four depths");
  for (const signal of ["SIGTERM", "SIGKILL"]) {
    const before = resumed.length;
    await bench.daemon.stop(signal);
    await page.waitForSelector(".banner:not([hidden])");
    await sleep(300);
    await bench.daemon.start();
    await page.waitForFunction(() => ![...document.querySelectorAll(".banner")].some((b) => !b.hidden));
    await state(page, "running");
    await until(() => resumed.length > before, "the stream is asked for again");
    const last = resumed.at(-1), headers = await last.allHeaders();
    const from = Number(headers["last-event-id"] ?? new URL(last.url()).searchParams.get("after"));
    assert.ok(from > 4, `resumed after ${from}`);
    assert.ok((await depthRows(page)) >= 4);
  }
  // Other views go on as well.
  await page.getByRole("link", { name: "Service" }).click();
  await page.waitForSelector(".tile");
  await bench.daemon.call("POST", `/v1/jobs/${id}/cancel`);
}

export async function a_page_opened_while_the_daemon_is_away_comes_up(bench) {
  const page = await bench.open("#/help");
  await bench.daemon.stop();
  await page.getByRole("link", { name: "Jobs" }).click();
  await page.waitForSelector(".banner:not([hidden])");
  assert.match(await page.locator(".problem").innerText(), /may be restarting/);
  await bench.daemon.start();
  await page.waitForSelector(".job-list");
  await page.waitForSelector("#connection", { state: "hidden" });
}

export async function jobs_are_listed_and_filtered(bench) {
  const { daemon } = bench;
  const label = `label ${Date.now()}`;
  await daemon.call("POST", "/v1/jobs", { cycles: "c: (3) / e:", label });
  const running = (await daemon.call("POST", "/v1/jobs", ENDLESS)).body;
  const page = await bench.open("#/jobs");
  await page.locator("input[value=running]").check({ force: true });
  await page.waitForSelector(`a[href="#/jobs/${running.id}"]`);
  assert.deepEqual(await page.locator(".job-row .state").evaluateAll((all) => [...new Set(all.map((s) => s.textContent))]), ["running"]);
  await daemon.call("POST", `/v1/jobs/${running.id}/cancel`);
  await page.waitForSelector(`a[href="#/jobs/${running.id}"]`, { state: "detached" });
  await page.locator("input[value='']").check({ force: true });
  await page.getByLabel("Label", { exact: true }).fill(label);
  await page.waitForFunction((text) => document.querySelectorAll(".job-row").length === 1 && document.querySelector(".job-row").innerText.includes(text), label);
  await page.getByLabel("Puzzle", { exact: true }).selectOption("2x2x2");
  await page.waitForSelector(".empty-state");
  await page.getByLabel("Puzzle", { exact: true }).selectOption("");
  await page.waitForSelector(".job-row");
  await page.getByLabel("Label", { exact: true }).fill("nobody is called that");
  await page.waitForSelector(".empty-state");
}

export async function an_unknown_job_is_said_to_be_unknown(bench) {
  const page = await bench.open("#/jobs/j_0000000000000");
  await page.waitForSelector(".empty-state");
  assert.match(await page.locator("main").innerText(), /There is no such job/);
}
