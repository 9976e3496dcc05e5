// web_daemon.mjs - a daemon of one's own for the tests of the page, which can be restarted on the
// same address.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const PROGRAM = process.env.CYCLOSOLVED;
export const PATIENCE_MS = 60000; // the host may be busy

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The first true value of the condition. */
export async function until(condition, what, patience = PATIENCE_MS) {
  const end = Date.now() + patience;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${patience / 1000} s in vain: ${what}`);
    await sleep(25);
  }
}

function newFolder() {
  const shm = "/dev/shm";
  const space = fs.existsSync(shm) ? fs.statfsSync(shm) : null;
  const roomy = space && space.bavail * space.bsize > 1024 * 2 ** 20;
  return fs.mkdtempSync(path.join(roomy ? shm : os.tmpdir(), "cyclosolve-web-"));
}

const alive = new Set();

/** Nothing that a failed test left running outlives the tests. */
process.on("exit", () => {
  for (const daemon of alive) {
    daemon.process.kill("SIGKILL");
    fs.rmSync(daemon.folder, { recursive: true, force: true });
  }
});

export class Daemon {
  constructor() {
    this.folder = newFolder();
    this.listen = "127.0.0.1:0";
  }

  async start() {
    const file = (name) => path.join(this.folder, name);
    fs.rmSync(file("address"), { force: true });
    const log = fs.openSync(file("log"), "a");
    this.process = spawn(PROGRAM, ["--listen", this.listen, "--address-file", file("address"), "--state-dir", file("state"),
      "--table-dir", file("tables"), "--threads", "1", "--memory-mib", "768"], { stdio: ["ignore", log, log] });
    fs.closeSync(log);
    alive.add(this);
    this.ended = new Promise((resolve) => this.process.once("exit", resolve));
    await until(() => {
      if (this.process.exitCode !== null) throw new Error(`the daemon ended: ${this.log()}`);
      return fs.existsSync(file("address"));
    }, "the address file");
    this.url = fs.readFileSync(file("address"), "utf-8").trim();
    this.listen = this.url.replace("http://", ""); // the same after a restart
    await until(async () => (await fetch(`${this.url}/readyz`)).ok, "/readyz");
    return this;
  }

  log() {
    return fs.readFileSync(path.join(this.folder, "log"), "utf-8").slice(-4000);
  }

  async stop(signal = "SIGTERM") {
    this.process.kill(signal);
    const status = await this.ended;
    alive.delete(this);
    if (signal === "SIGTERM" && status !== 0) throw new Error(`exit status ${status}: ${this.log()}`);
  }

  async close() {
    await this.stop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  async call(method, where, body) {
    const reply = await fetch(this.url + where, { method, headers: { "Content-Type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body) });
    return { status: reply.status, headers: reply.headers, body: await reply.text().then((text) => { try { return JSON.parse(text); } catch { return text; } }) };
  }

  async job(id) {
    return (await this.call("GET", `/v1/jobs/${id}`)).body;
  }
}

/** The stickers that the unfolded cube shows. */
export const stickers = (page) => page.locator(".net .sticker").evaluateAll((all) => all.map((s) => /face-([URFDLB])/.exec(s.getAttribute("class"))[1]).join(""));
