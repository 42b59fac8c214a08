// The costs of grounds as sliders, and what links and programs hold of them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { after, afterEach } from "node:test";
import { start } from "./page.mjs";
import { answered, eventually, settled, shot } from "./tools.mjs";

const { open, stop, errors } = await start();
after(stop);
afterEach(() => assert.deepEqual(errors.splice(0), [], "errors in the page"));

const seen = async (page) => {
  await answered(page);
  return page.evaluate(() => {
    const app = window.studio;
    const { shape } = app.opened;
    const [pane] = app.stage.panes;
    const name = (state) => shape.grounds[shape.ground[Math.floor((state - shape.first) / shape.stride) * shape.width + ((state - shape.first) % shape.stride)]].name;
    return {
      hashes: app.traces.map((traced) => traced.hash),
      cost: app.traces[0].report.cost,
      grounds: [...app.traces[0].report.path].map(name),
      blur: shape.blur,
      prices: Object.fromEntries(shape.grounds.map(({ name, penalty, multiplier, is_open }) => [name, [penalty, multiplier, is_open]])),
      field: pane.field ? [...pane.field.values].filter((value) => value > 0).length : null,
      colouring: app.colouring,
      asked: app.asked,
      limit: app.limit,
      look: app.look.id,
    };
  });
};

/** Until the engine has been told, and has searched. */
const told = async (page) => {
  await page.waitForFunction(() => !window.studio.terrain.isTelling, null, { timeout: 60_000 });
  await settled(page);
};

/** The name of the open ground that most of the path lies on. */
const walked = ({ grounds }) => {
  const counts = new Map();
  for (const ground of grounds) counts.set(ground, (counts.get(ground) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0][0];
};

const openTerrain = async (page) => {
  await page.keyboard.press("End");
  await settled(page);
  await page.click("#terrain-panel summary");
};

/** Moves a slider as a pointer does: many values, and the last one kept. */
const slide = async (page, slider, values) => {
  await slider.evaluate((element, values) => {
    for (const value of values) {
      element.value = String(value);
      element.dispatchEvent(new Event("input", { bubbles: true }));
    }
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }, values);
  await told(page);
};

test("penalties and blur are live: the search follows the sliders, heat shows them, undo takes them back", async () => {
  const page = await open();
  await openTerrain(page);
  const first = await seen(page);
  const ground = walked(first);
  const slider = page.getByLabel(`Penalty of ${ground}`, { exact: true });
  await slide(page, slider, [1, 3, 8, 14, 20]);
  const dear = await seen(page);
  assert.equal(dear.prices[ground][0], 20);
  assert.notEqual(dear.hashes[0], first.hashes[0]);
  assert.ok(dear.cost > first.cost, `${dear.cost} and ${first.cost} before`);
  const share = ({ grounds }) => grounds.filter((name) => name === ground).length / grounds.length;
  assert.ok(share(dear) < share(first), "the path keeps off it where it can");

  await page.click("#heat");
  await page.waitForFunction(() => window.studio.stage.panes[0].field !== null);
  const flat = await seen(page);
  assert.equal(flat.colouring, "penalty");
  assert.equal(await page.locator("#heat").getAttribute("aria-pressed"), "true");
  await shot(page, "terrain-heat");
  await slide(page, page.locator("#blur"), [1, 2, 3]);
  await page.waitForFunction((before) => [...window.studio.stage.panes[0].field.values].filter((value) => value > 0).length > before, flat.field);
  const blurred = await seen(page);
  assert.equal(blurred.blur, 3);
  assert.notEqual(blurred.hashes[0], dear.hashes[0]);
  await shot(page, "terrain-blur");

  // One step back for each pull of a slider.
  await page.click("#undo");
  await told(page);
  assert.deepEqual([(await seen(page)).hashes[0], (await seen(page)).blur], [dear.hashes[0], 0]);
  await page.click("#undo");
  await told(page);
  assert.equal((await seen(page)).hashes[0], first.hashes[0]);
  assert.equal(await slider.inputValue(), String(first.prices[ground][0]));
  await page.click("#redo");
  await told(page);
  assert.equal((await seen(page)).hashes[0], dear.hashes[0]);
  await page.close();
});

test("a ground is closed and opened, and the way over it made longer", async () => {
  const page = await open();
  await openTerrain(page);
  const first = await seen(page);
  const ground = walked(first);
  await slide(page, page.getByLabel(`Factor on the way over the ground of ${ground}`, { exact: true }), [2, 4]);
  assert.equal((await seen(page)).prices[ground][1], 4);
  assert.ok((await seen(page)).cost > first.cost);
  const row = page.locator("#grounds .terrain").filter({ has: page.getByText(ground, { exact: true }) });
  await row.getByRole("checkbox").uncheck();
  await told(page);
  const closed = await seen(page);
  assert.equal(closed.prices[ground][2], false);
  assert.ok(!closed.grounds.includes(ground));
  await shot(page, "terrain-closed");
  await row.getByRole("checkbox").check();
  await told(page);
  assert.ok((await seen(page)).grounds.includes(ground));
  // Another world has its own costs.
  await page.evaluate(() => window.studio.worlds.generate("caves", 3));
  assert.equal((await seen(page)).blur, 0);
  await page.evaluate(() => window.studio.worlds.sample("courtyard.obj"));
  await eventually(async () => assert.equal(await page.locator("#terrain-panel").isVisible(), false));
  await page.close();
});

test("a link holds heuristics, the limit, the palette and the costs", async () => {
  const page = await open();
  await openTerrain(page);
  const ground = walked(await seen(page));
  await slide(page, page.getByLabel(`Penalty of ${ground}`, { exact: true }), [6.5]);
  await slide(page, page.locator("#blur"), [2]);
  await page.locator(".pane .heuristic").first().selectOption("manhattan");
  await page.click("#compare");
  await page.waitForFunction(() => window.studio.traces.length === 2);
  await page.locator("#palette").selectOption("visited-black");
  await page.locator("#limit").fill("5000");
  await page.locator("#limit").press("Enter");
  await settled(page);
  const made = await seen(page);
  await page.click("#share");
  const fragment = new URL(page.url()).hash;
  const other = await open(fragment);
  await other.keyboard.press("End");
  await other.waitForFunction(() => window.studio.traces.length === 2);
  const same = await seen(other);
  for (const key of ["hashes", "cost", "blur", "prices", "limit", "look"]) assert.deepEqual(same[key], made[key], key);
  assert.deepEqual(same.asked.map(({ heuristic }) => heuristic ?? "natural"), ["manhattan", "natural"]);
  assert.equal(await other.locator(".pane .heuristic").first().inputValue(), "manhattan");
  assert.equal(await other.locator("#limit").inputValue(), "5000");
  await other.close();

  // The program says all of it, too.
  const download = page.waitForEvent("download");
  await page.click("#export");
  await page.click("#export-code");
  const code = readFileSync(await (await download).path()).toString();
  assert.match(code, new RegExp(`set_ground_cost\\("${ground}", cost\\)`));
  assert.match(code, /penalty: 6\.5 /);
  assert.match(code, /site\.set_blur\(2\)/);
  assert.match(code, /"manhattan"/);
  assert.match(code, /max_expansions = Some\(5000\)/);

  // The pane of a waypoint policy, with its switch.
  await page.evaluate(() => window.studio.setLimit(null));
  await page.evaluate(() => window.studio.worlds.sample("village.toml"));
  await page.keyboard.press("End");
  await settled(page);
  await page.locator(".pane .algorithm").first().selectOption("cost-of-movement");
  await page.locator(".pane .ignore-costs").first().check();
  await settled(page);
  const { hashes } = await page.evaluate(() => ({ hashes: window.studio.traces.map((traced) => traced.hash) }));
  await page.click("#share");
  const third = await open(new URL(page.url()).hash);
  await third.keyboard.press("End");
  await settled(third);
  assert.deepEqual(await third.evaluate(() => window.studio.traces.map((traced) => traced.hash)), hashes);
  await eventually(async () => assert.equal(await third.locator(".pane .ignore-costs").first().isChecked(), true));
  await third.close();
  await page.close();
});
