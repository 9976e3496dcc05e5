// test_compose.mjs - putting targets together: chips, text, algorithms, orders, scrambles.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { apply, before, faultsOf, inverse, randomPosition, SOLVED, words } from "../../server/web/cube.js";
import { stickers } from "./web_daemon.mjs";
import { parse, print } from "../../server/web/structure.js";

const ORBITS = [{ name: "corners", pieces: 8, orientations: 3 }, { name: "edges", pieces: 12, orientations: 2 }];
const choose = (page, value) => page.locator(`input[type=radio][value="${value}"]`).check({ force: true });

export async function the_cube_of_the_page_is_that_of_the_service({ daemon }) {
  const moves = [..."URFDLB"].flatMap((f) => [f, `${f}2`, `${f}'`]);
  for (let n = 0; n < 20; n++) {
    const word = Array.from({ length: n }, () => moves[Math.floor(Math.random() * 18)]);
    const { body } = await daemon.call("POST", "/v1/analyze", { alg: word.join(" ") });
    assert.equal(apply(word), body.facelets, word.join(" "));
    assert.equal(apply(word, before(word)), SOLVED);
    assert.deepEqual(faultsOf(body.facelets), []);
    const position = randomPosition(), told = await daemon.call("POST", "/v1/analyze", { start: { facelets: position } });
    assert.equal(told.status, 200, position);
    assert.equal(told.body.facelets, position);
  }
  assert.deepEqual(words("R U2 F'").map(inverse), ["R'", "U2", "F"]);
}

export async function texts_of_structures_are_read_like_the_service_does({ daemon }) {
  for (const text of ["c: (1+, 5+) / e: (1+, 1+)", "edges: (2) (3o, 1o)\nC: (2)", "e: (1+)x12", "c: (3) / e:", "c:(1+,1+) / e: (1+) ×2"]) {
    const { body } = await daemon.call("POST", "/v1/analyze", { cycles: text });
    assert.equal(print(parse(text, ORBITS), ORBITS), body.text, text);
  }
  for (const text of ["c (3)", "x: (3)", "c: (3", "c: (a)"]) assert.equal(parse(text, ORBITS), null, text);
}

export async function chips_become_a_structure_that_is_judged_while_it_grows(bench) {
  const page = await bench.open();
  const add = (label, orbit) => page.getByRole("button", { name: `Add ${label} to ${orbit}`, exact: true }).click();
  await add("5+", "corners");
  await page.waitForSelector(".rules");
  assert.match(await page.locator(".verdict").innerText(), /No position has this structure[\s\S]*Orientation/);
  await add("1+", "corners");
  await add("1+", "edges");
  await add("1+", "edges");
  await page.waitForSelector(".verdict-line.good");
  assert.equal(await page.locator(".editor textarea").inputValue(), "c: (1+, 5+) / e: (1+, 1+)");
  const verdict = await page.locator(".verdict").innerText();
  assert.match(verdict, /Feasible[\s\S]*Order\s+30[\s\S]*43,110,144[\s\S]*about 11/);
  assert.ok(await page.getByRole("button", { name: "Add 3+ to corners" }).isDisabled(), "3 more corners do not fit");
  await page.getByRole("button", { name: "Remove 5+ from corners" }).click();
  await page.waitForSelector(".rules");
  assert.equal(await page.locator(".editor textarea").inputValue(), "c: (1+) / e: (1+, 1+)");
}

export async function an_infeasible_target_is_explained(bench) {
  const page = await bench.open();
  const text = page.locator(".editor textarea");
  await text.fill("c: (2, 5+) / e: (1+)");
  await page.waitForSelector(".rules");
  const verdict = await page.locator(".verdict").innerText();
  assert.match(verdict, /Parity/);
  assert.match(verdict, /corners odd, edges even/);
  assert.match(verdict, /Orientation/);
  assert.equal(await page.locator(".at-fault").count(), 2);
  assert.equal(await page.locator(".brief").innerText(), "Not feasible: orientation");
  await page.getByRole("button", { name: "Find the shortest" }).click();
  await page.waitForSelector(".problem");
  assert.match(await page.locator(".problem").innerText(), /No position has the target structure/);
  await text.fill("c: (9)");
  await page.waitForFunction(() => /Too many pieces|Cycle length/.test(document.querySelector(".verdict").innerText));
  await text.fill("c: (3");
  await page.waitForFunction(() => /cannot be read/.test(document.querySelector(".verdict").innerText));
  await text.fill("c: (3)");
  await page.waitForSelector(".verdict-line.good");
  assert.equal(await page.locator(".at-fault").count(), 0);
}

export async function an_algorithm_is_shown_and_its_structure_taken(bench) {
  const page = await bench.open();
  await choose(page, "like");
  await page.getByLabel("Algorithm", { exact: true }).last().fill("U R U' D2 B");
  await page.waitForSelector(".net");
  assert.equal(await stickers(page), apply(words("U R U' D2 B")));
  assert.match(await page.locator(".verdict").innerText(), /c: \(1\+, 5\+\) \/ e: \(1\+, 7\+\)[\s\S]*210/);
  await page.locator(".editor input[type=text]").fill("U R Q");
  await page.waitForSelector(".rules");
  assert.match(await page.locator(".verdict").innerText(), /position 4/);
}

export async function an_order_is_a_target(bench) {
  const page = await bench.open();
  await choose(page, "order");
  await page.getByLabel("Order", { exact: true }).last().fill("1260");
  await page.waitForSelector(".verdict-line.good");
  assert.match(await page.locator(".verdict").innerText(), /structures? of this order|Feasible/);
  await page.locator("input[type=number]").first().fill("97");
  await page.waitForSelector(".rules");
  assert.match(await page.locator(".verdict").innerText(), /no state of 3x3x3 has this order/);
}

export async function a_painted_scramble_is_checked_and_solved(bench) {
  const page = await bench.open();
  await choose(page, "scramble");
  await page.getByRole("button", { name: "Random state" }).click();
  await page.waitForFunction(() => /A position of the puzzle/.test(document.querySelector(".verdict").innerText));
  assert.deepEqual(faultsOf(await stickers(page)), []);
  await page.getByRole("button", { name: "Solved" }).click();
  // One edge flipped, sticker by sticker: no position of the cube.
  await choose(page, "R");
  await page.locator('[data-facelet="5"]').click();
  await page.waitForSelector(".faults");
  assert.match(await page.locator(".faults").innerText(), /10 stickers of R/);
  await choose(page, "U");
  await page.locator('[data-facelet="10"]').click();
  assert.match(await page.locator(".faults").innerText(), /flipped edges come in pairs/);
  await page.waitForSelector(".rules, .verdict-line.bad");
  await page.getByLabel("Scramble", { exact: true }).last().fill("R U2 F' L");
  await page.waitForFunction(() => /A position of the puzzle/.test(document.querySelector(".verdict").innerText));
  const scrambled = await stickers(page);
  assert.equal(scrambled, apply(words("R U2 F' L")));
  // The same, told by its stickers: painting one over again makes it a painting.
  await choose(page, scrambled[0]);
  await page.locator('[data-facelet="0"]').click();
  assert.equal(await page.locator(".editor input[type=text]").inputValue(), "");
  await page.getByRole("button", { name: "Solve it in the fewest moves" }).click();
  await page.waitForSelector(".state.succeeded");
  assert.match(await page.locator(".hero").innerText(), /4 moves/);
  assert.equal(apply(words(await page.locator(".best .alg").innerText()), scrambled), SOLVED);
}

export async function the_2x2x2_can_be_chosen(bench) {
  const page = await bench.open();
  await choose(page, "2x2x2");
  assert.equal(await page.locator(".orbit").count(), 1);
  await choose(page, "scramble");
  await page.getByLabel("Scramble", { exact: true }).last().fill("R U F R U'");
  await page.waitForFunction(() => /A position of the puzzle/.test(document.querySelector(".verdict").innerText));
  assert.equal(await page.locator(".net .sticker").count(), 24);
  await page.getByRole("button", { name: "Solve it in the fewest moves" }).click();
  await page.waitForSelector(".state.succeeded");
}

/** The commands shown do what the buttons do. */
export async function the_curl_command_submits_the_job(bench) {
  const page = await bench.open();
  await page.locator(".editor textarea").fill("c: (3) / e:");
  await page.getByText("Options", { exact: true }).click();
  await page.getByLabel("Label", { exact: true }).fill("it's a test");
  await page.getByText("The same with curl").click();
  const command = await page.locator(".command code").first().innerText();
  assert.match(command, /^curl -s http/);
  const job = JSON.parse(execFileSync("sh", ["-c", command], { encoding: "utf-8" }));
  assert.equal(job.label, "it's a test");
  assert.equal(job.target.text, "c: (3) / e:");
}

export async function options_are_sent(bench) {
  const page = await bench.open();
  await page.locator(".editor textarea").fill("c: (3) / e:");
  await page.getByText("Options", { exact: true }).click();
  await choose(page, "all");
  await page.getByLabel("Slack").fill("1");
  await page.getByLabel("Only these moves").fill("R U F");
  await page.getByLabel("At most").fill("10");
  await page.getByLabel("Seconds").fill("20");
  await page.getByLabel("Priority").fill("7");
  const [request] = await Promise.all([page.waitForRequest((r) => r.method() === "POST" && r.url().endsWith("/v1/jobs")), page.keyboard.press("Control+Enter")]);
  assert.deepEqual(request.postDataJSON(), { moves: ["R", "U", "F"], cycles: "c: (3) / e:", find: "all", slack: 1, max_length: 10, limits: { seconds: 20 }, priority: 7 });
  await page.waitForSelector(".job");
  // and come back when composing from the job
  await page.getByRole("button", { name: "Compose from this" }).click();
  await page.waitForSelector(".editor textarea");
  assert.equal(await page.locator(".editor textarea").inputValue(), "c: (3) / e:");
  assert.equal(await page.getByLabel("Slack").inputValue(), "1");
}
