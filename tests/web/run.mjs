#!/usr/bin/env node
// Tests of the web page in a real browser against a real daemon.
//
//     CYCLOSOLVED=/path/of/cyclosolved NODE_FOLDER=/where/npm/installed node run.mjs [NAME...]
//
// Runs the tests of test_*.mjs, all or those whose name contains one of the names. A test also fails
// if the page reports an error, violates its content security policy, or asks another host for
// anything. SHOTS=DIR keeps a screenshot of every view. The last line reads "N passed, N failed".
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Daemon, PATIENCE_MS } from "./web_daemon.mjs";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(path.join(process.env.NODE_FOLDER, "package.json"));
const { chromium } = require("playwright-core");
const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf-8");

// What the browser itself says about replies that the page expects, and about drawing in software.
const EXPECTED = [/the server responded with a status of (401|404|409|422|503)/, /net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|SOCKET_NOT_CONNECTED)/, /GPU stall|WebGL|GroupMarkerNotSet/];

/** What a test is given: the daemon, pages that are watched, and checks of them. */
class Bench {
  constructor(browser, daemon) {
    Object.assign(this, { browser, daemon, pages: [], complaints: [] });
  }

  async page(options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: "reduce", ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    this.pages.push(page);
    page.on("pageerror", (error) => this.complaints.push(`error in the page: ${error.stack ?? error}`));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !EXPECTED.some((e) => e.test(message.text()))) this.complaints.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(this.daemon.url) && !/^(data|blob|about):/.test(url)) this.complaints.push(`asked elsewhere: ${url}`);
    });
    return page;
  }

  async open(hash = "", options) {
    const page = await this.page(options);
    await page.goto(`${this.daemon.url}/${hash}`);
    return page;
  }

  /** The page of a job that was submitted past the page. */
  async openJob(spec, options) {
    const { status, body } = await this.daemon.call("POST", "/v1/jobs", spec);
    assert.equal(status, 202);
    const page = await this.open(`#/jobs/${body.id}`, options);
    await page.waitForSelector(".job");
    return { page, id: body.id };
  }

  /** No finding of axe that it calls serious or critical. */
  async accessible(page, where) {
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    const grave = violations.filter((v) => ["serious", "critical"].includes(v.impact));
    assert.deepEqual(grave.map((v) => `${where}: ${v.id}: ${v.nodes.map((n) => `${n.html.slice(0, 120)} ${n.any?.[0]?.message ?? ""}`).join(" | ")}`), []);
  }

  async fits(page, where) {
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(over <= 0, `${where} is ${over} pixels too wide`);
  }

  async shot(page, name) {
    if (!process.env.SHOTS) return;
    fs.mkdirSync(process.env.SHOTS, { recursive: true });
    await page.screenshot({ path: path.join(process.env.SHOTS, `${name}.png`), fullPage: true });
  }

  /** Nothing goes on when the next test begins. */
  async end() {
    for (const state of ["running", "queued", "paused"])
      for (const { id } of (await this.daemon.call("GET", `/v1/jobs?state=${state}&page_size=100`)).body.jobs) await this.daemon.call("POST", `/v1/jobs/${id}/cancel`);
    for (const page of this.pages) await page.context().close();
  }
}

async function attempt(name, run, browser, daemon) {
  const bench = new Bench(browser, daemon), start = Date.now();
  let failure = null;
  try {
    await run(bench);
    assert.deepEqual(bench.complaints, []);
  } catch (error) {
    failure = error.stack ?? String(error);
    if (bench.complaints.length) failure += `\n${bench.complaints.join("\n")}`;
    for (const page of bench.pages)
      if (!page.isClosed()) failure += `\n-- ${page.url()}\n${(await page.locator("main").innerText().catch(() => "")).slice(0, 600)}`;
  }
  await bench.end().catch(() => {});
  console.log(`  ${failure ? "FAIL" : "ok  "} ${name.padEnd(64)} ${((Date.now() - start) / 1000).toFixed(2).padStart(6)} s`);
  if (failure) console.log(failure.replace(/^/gm, "       "));
  return !failure;
}

const wanted = process.argv.slice(2);
const files = fs.readdirSync(HERE).filter((name) => /^test_.*\.mjs$/.test(name)).sort();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--disable-dev-shm-usage", ...(process.getuid() === 0 ? ["--no-sandbox"] : [])],
});
const daemon = await new Daemon().start();
let passed = 0, failed = 0;
for (const file of files) {
  const tests = await import(path.join(HERE, file));
  for (const [name, run] of Object.entries(tests)) {
    const full = `${path.basename(file, ".mjs")}.${name}`;
    if (wanted.length && !wanted.some((part) => full.includes(part))) continue;
    if (await attempt(full, run, browser, daemon)) passed++;
    else failed++;
  }
}
await browser.close();
try {
  await daemon.close();
} catch (error) {
  console.log(`  FAIL the daemon ends well: ${error.message}`);
  failed++;
}
if (passed + failed === 0) failed++;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
