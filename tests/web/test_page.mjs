// test_page.mjs - the page as such: how it is served, weight, tokens, keyboard, accessibility, width.
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import http from "node:http";
import { until } from "./web_daemon.mjs";

const FIRST_PAINT_BYTES = 100 * 1000;

/** A request as it is, without the decompression of fetch. */
function raw(url, headers = {}, method = "GET") {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers }, (reply) => {
      const parts = [];
      reply.on("data", (part) => parts.push(part));
      reply.on("end", () => resolve({ status: reply.statusCode, headers: reply.headers, body: Buffer.concat(parts) }));
    });
    request.on("error", reject);
    request.end();
  });
}

export async function served_with_hashes_caching_compression_and_a_policy({ daemon }) {
  const page = await raw(`${daemon.url}/`), packed = await raw(`${daemon.url}/`, { "Accept-Encoding": "gzip, br" });
  assert.equal(page.status, 200);
  assert.match(page.headers["content-type"], /^text\/html/);
  assert.equal(page.headers["cache-control"], "no-cache");
  assert.equal(page.headers["content-encoding"], undefined);
  assert.equal(packed.headers["content-encoding"], "gzip");
  assert.match(String(packed.headers.vary), /Accept-Encoding/);
  assert.deepEqual(gunzipSync(packed.body), page.body);
  const policy = page.headers["content-security-policy"];
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*|http:/);
  assert.notEqual(page.headers.etag, packed.headers.etag);
  const again = await raw(`${daemon.url}/`, { "If-None-Match": page.headers.etag });
  assert.equal(again.status, 304);
  assert.equal(again.body.length, 0);
  assert.equal((await raw(`${daemon.url}/`, { "If-None-Match": '"other"' })).status, 200);
  assert.equal((await raw(`${daemon.url}/`, {}, "HEAD")).status, 200);
  assert.equal((await raw(`${daemon.url}/`, {}, "POST")).status, 405);
  const assets = [...new Set(String(page.body).match(/\/assets\/[\w.-]+/g))];
  assert.ok(assets.length > 8);
  for (const asset of assets) {
    const reply = await raw(daemon.url + asset, { "Accept-Encoding": "gzip" });
    assert.equal(reply.status, 200, asset);
    assert.match(reply.headers["cache-control"], /immutable/);
    assert.match(asset, /-\w{8,}\.(js|css|svg)$/);
    const plain = await raw(daemon.url + asset, { "Accept-Encoding": "gzip;q=0" });
    assert.equal(plain.headers["content-encoding"], undefined);
    assert.deepEqual(reply.headers["content-encoding"] ? gunzipSync(reply.body) : reply.body, plain.body, asset);
  }
  assert.equal((await raw(`${daemon.url}/assets/nothing-0.js`)).status, 404);
}

export async function the_first_paint_is_light(bench) {
  const page = await bench.page(), sizes = [];
  page.on("requestfinished", async (request) => sizes.push(request.sizes().then((s) => s.responseBodySize + s.responseHeadersSize)));
  await page.goto(bench.daemon.url);
  await page.waitForSelector(".orbit");
  const total = (await Promise.all(sizes)).reduce((a, b) => a + b, 0);
  console.log(`       first paint: ${sizes.length} requests, ${(total / 1000).toFixed(1)} kB`);
  assert.ok(total > 5000 && total < FIRST_PAINT_BYTES, `${total} bytes`);
}

export async function a_token_is_asked_for_kept_and_sent(bench) {
  const page = await bench.page(), seen = [];
  await page.route("**/v1/**", (route) => {
    const sent = route.request().headers().authorization;
    seen.push([new URL(route.request().url()).pathname, sent]);
    if (sent === "Bearer sesame") return route.continue();
    return route.fulfill({ status: 401, contentType: "application/problem+json", body: JSON.stringify({ type: "/problems/unauthorized", title: "A token is needed", status: 401, detail: "no token" }) });
  });
  await page.goto(bench.daemon.url);
  await page.waitForSelector("dialog[open]");
  await bench.accessible(page, "the token prompt");
  await page.getByLabel("Token", { exact: true }).fill("wrong");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForFunction(() => /not accepted/.test(document.querySelector("dialog[open]")?.innerText ?? ""));
  await page.getByLabel("Token", { exact: true }).fill("sesame");
  await page.keyboard.press("Enter");
  await page.locator(".editor textarea").fill("c: (1+, 5+) / e: (1+, 3+)");
  await page.getByRole("button", { name: "Find the shortest" }).click();
  await page.waitForSelector("h1 ~ .state.succeeded");
  assert.ok(seen.some(([path, sent]) => path.endsWith("/events") && sent === "Bearer sesame"), "the stream has the token");
  await page.waitForFunction(() => document.querySelectorAll(".depths tbody tr").length >= 3);
  await page.reload();
  await page.waitForSelector("h1 ~ .state.succeeded");
  await page.getByRole("button", { name: "Forget token" }).click();
  await page.waitForSelector("dialog[open]");
  await page.getByRole("button", { name: "Not now" }).click();
  await page.waitForSelector(".empty-state");
}

export async function everything_works_with_the_keyboard(bench) {
  const page = await bench.open();
  await page.waitForSelector(".orbit");
  await page.keyboard.press("Tab");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Skip/);
  const tabTo = async (selector) => {
    for (let i = 0; i < 60; i++) {
      if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`Tab does not lead to ${selector}`);
  };
  const outline = () => page.evaluate(() => { const e = document.activeElement, s = getComputedStyle(e), n = e.nextElementSibling && getComputedStyle(e.nextElementSibling); return [s, n].some((x) => x && x.outlineStyle !== "none" && parseFloat(x.outlineWidth) >= 2); });
  await tabTo('[data-key="add-3"]');
  assert.ok(await outline(), "focus is visible on a button");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), "add-3", "focus stays");
  await page.waitForSelector(".verdict-line.good");
  await page.locator("input[value=structure]").focus();
  assert.ok(await outline(), "focus is visible on a choice");
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".net.editable");
  await tabTo('[data-facelet="0"]');
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.facelet), "1");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.facelet), "7", "across the centre");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.facelet), "19", "on the next face");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".faults");
  await page.locator("input[value=scramble]").focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
  await page.locator(".editor textarea").focus();
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".job");
  await page.waitForFunction(() => /Done: \d+ moves, proven shortest|complete: at least/.test(document.getElementById("announcer").textContent));
}

const VIEWS = {
  compose: async (page) => { await page.locator(".editor textarea").fill("c: (1+, 5+) / e: (1+, 1+)"); await page.waitForSelector(".verdict-line.good"); await page.getByText("The same with curl").click(); },
  infeasible: async (page) => { await page.getByText("Options", { exact: true }).click(); await page.locator(".editor textarea").fill("c: (2, 5+) / e: (1+)"); await page.waitForSelector(".rules"); },
  algorithm: async (page) => { await page.locator("input[value=like]").check({ force: true }); await page.locator(".editor input").fill("U R U' D2 B"); await page.waitForSelector(".net"); },
  scramble: async (page) => { await page.locator("input[value=scramble]").check({ force: true }); await page.getByRole("button", { name: "Random state" }).click(); await page.waitForSelector(".verdict-line.good"); },
  jobs: async (page) => { await page.goto(`${new URL(page.url()).origin}/#/jobs`); await page.waitForSelector(".job-list"); },
  running: async (page, ids) => { await page.goto(`${new URL(page.url()).origin}/#/jobs/${ids.running}`); await page.waitForSelector(".depths tr"); },
  solved: async (page, ids) => { await page.goto(`${new URL(page.url()).origin}/#/jobs/${ids.solved}`); await page.waitForSelector(".solutions tbody tr"); await page.evaluate(() => localStorage.setItem("cyclosolve-flat-viewer", "yes")); await page.locator(".best").getByRole("button", { name: "Play" }).click(); await page.getByText("The same with curl").click(); },
  service: async (page) => { await page.goto(`${new URL(page.url()).origin}/#/service`); await page.waitForSelector(".resident"); },
  help: async (page) => { await page.goto(`${new URL(page.url()).origin}/#/help`); await page.waitForSelector(".terms"); },
};

const SCREENS = {
  "desktop-light": { viewport: { width: 1280, height: 860 }, colorScheme: "light" },
  "phone-dark": { viewport: { width: 390, height: 844 }, colorScheme: "dark", isMobile: true, hasTouch: true },
  "desktop-dark": { viewport: { width: 1280, height: 860 }, colorScheme: "dark" },
  "phone-light": { viewport: { width: 390, height: 844 }, colorScheme: "light" },
};

/** axe, and no scrolling sideways, for every view, screen and colour scheme. */
async function judge(bench, screen) {
  const { daemon } = bench, submit = async (spec) => (await daemon.call("POST", "/v1/jobs", spec)).body.id;
  const ids = { running: await submit({ cycles: "e: (1+) x12", fresh: true, label: "Superflip" }), solved: await submit({ cycles: "e: (1+, 1+)", find: "all" }) };
  await until(async () => (await daemon.job(ids.solved)).state === "succeeded", "the solved job");
  await until(async () => (await daemon.job(ids.running)).progress.depth > 8, "some depths");
  await daemon.call("POST", `/v1/jobs/${ids.running}/pause`); // leaves the processor to the browser
  const page = await bench.open("", SCREENS[screen]);
  for (const [name, visit] of Object.entries(VIEWS)) {
    await visit(page, ids);
    if (screen !== "phone-dark") await bench.accessible(page, `${name} (${screen})`); // its colours and its layout are in others
    await bench.fits(page, `${name} (${screen})`);
    await bench.shot(page, `${name}-${screen}`);
  }
  if (screen.startsWith("phone")) {
    await page.setViewportSize({ width: 320, height: 640 });
    await bench.fits(page, `help at 320 (${screen})`);
    await page.goto(`${daemon.url}/#/jobs/${ids.solved}`);
    await page.waitForSelector(".best");
    await bench.fits(page, `solved at 320 (${screen})`);
  }
  await daemon.call("POST", `/v1/jobs/${ids.running}/cancel`);
}

export const accessible_and_fitting_desktop_light = (bench) => judge(bench, "desktop-light");
export const accessible_and_fitting_desktop_dark = (bench) => judge(bench, "desktop-dark");
export const accessible_and_fitting_phone_light = (bench) => judge(bench, "phone-light");
export const accessible_and_fitting_phone_dark = (bench) => judge(bench, "phone-dark");

export async function colours_can_be_chosen(bench) {
  const page = await bench.open("#/help", { colorScheme: "light" });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.getByRole("button", { name: "Colours: auto" }).click();
  assert.equal(await paper(), light);
  await page.getByRole("button", { name: "Colours: light" }).click();
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.reload();
  await page.waitForSelector("h1");
  assert.equal(await paper(), dark, "kept");
}

export async function the_service_is_shown_to_its_operator(bench) {
  const { daemon } = bench;
  const { body } = await daemon.call("POST", "/v1/jobs", { cycles: "c: (1+, 5+) / e: (1+, 1+)" });
  await until(async () => (await daemon.job(body.id)).state === "succeeded", "a job");
  const page = await bench.open("#/service");
  await page.waitForSelector(".resident tbody tr");
  const text = await page.locator("main").innerText();
  assert.match(text, /Ready/);
  assert.match(text, /\d of 1 busy/);
  assert.match(text, /of 768 MiB/);
  const { tables } = (await daemon.call("GET", "/v1/tables")).body;
  assert.equal(await page.locator(".resident tbody tr").count(), tables.length);
  const pin = page.locator(".resident [aria-pressed]").first();
  await pin.click();
  await page.waitForFunction(() => document.querySelector(".resident [aria-pressed]").getAttribute("aria-pressed") === "true");
  await page.locator(".resident .danger").first().click();
  await page.waitForSelector(".problem");
  assert.match(await page.locator(".problem").innerText(), /pinned|kept/);
  await pin.click();
  await page.waitForFunction(() => document.querySelector(".resident [aria-pressed]").getAttribute("aria-pressed") === "false");
  await page.locator(".resident .danger").first().click();
  await page.waitForFunction((n) => document.querySelectorAll(".resident tbody tr").length === n - 1, tables.length);
}
