// How the agent moves, chosen in the panel, tried from reasons, undone, and held by links.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { after, afterEach } from "node:test";
import { start } from "./page.mjs";
import { atEnd, eventually, settled, shot } from "./tools.mjs";

const { open, stop, errors } = await start();
after(stop);
afterEach(() => assert.deepEqual(errors.splice(0), [], "errors in the page"));

const sample = async (page, name) => {
  assert.equal(await page.evaluate((name) => window.studio.worlds.sample(name), name), true);
  await atEnd(page);
};

/** The first search, and the movement by its parts. */
const seen = async (page) => {
  await settled(page);
  return page.evaluate(() => {
    const app = window.studio;
    const { report, hash } = app.traces[0];
    return { found: report.found, cost: report.cost, hash, parts: Object.fromEntries(app.movement.parts.map(({ name, value }) => [name, value])), changes: app.movement.changes };
  });
};

const panel = async (page) => {
  await page.click("#movement-panel summary");
  return page.locator("#movement-parts");
};

const undo = async (page) => {
  await page.click("#undo");
  await settled(page);
};

test("neighbours, corners and width of a walker are chosen, undone, and held by a link", async () => {
  const page = await open();
  await sample(page, "maze.txt");
  const first = await seen(page);
  assert.deepEqual(first.parts, { neighbours: "8", corners: "both", width: "1" });
  const parts = await panel(page);
  await parts.getByLabel("Neighbours").selectOption("4");
  await eventually(async () => assert.equal((await seen(page)).parts.neighbours, "4"));
  const four = await seen(page);
  assert.ok(four.found && four.cost >= first.cost && four.hash !== first.hash);
  await parts.getByLabel("Corners").selectOption("one");
  await eventually(async () => assert.deepEqual((await seen(page)).changes, ["neighbours=4", "corners=one"]));
  await shot(page, "movement");
  // Another page shows the same.
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 4);
  const other = await open(new URL(page.url()).hash);
  await other.waitForFunction(() => window.studio.movement.changes.length === 2);
  await atEnd(other);
  const there = await seen(other);
  assert.deepEqual([there.parts, there.cost], [{ neighbours: "4", corners: "one", width: "1" }, four.cost]);
  await other.close();
  await undo(page);
  assert.deepEqual((await seen(page)).changes, ["neighbours=4"]);
  await undo(page);
  const back = await seen(page);
  assert.deepEqual([back.parts, back.hash], [first.parts, first.hash]);
  // Wider than the ways: none, and why; a value out of range is said to be one.
  await parts.getByLabel("Width").fill("9");
  await parts.getByLabel("Width").press("Enter");
  await eventually(async () => assert.match(await page.locator("#no-path").textContent(), /No path:.*9/));
  await page.click("#movement-usual");
  await eventually(async () => assert.equal((await seen(page)).hash, first.hash));
  await page.close();
});

test("abilities of an agent among blocks are chosen, and the remedy of its reason is tried", async () => {
  const page = await open();
  await sample(page, "floating-islands.voxels");
  const first = await seen(page);
  assert.equal(first.found, false);
  const card = page.locator("#no-path");
  await eventually(async () => assert.match(await card.textContent(), /There is a path/));
  await card.getByRole("button", { name: "Try" }).click();
  await eventually(async () => assert.equal((await seen(page)).found, true));
  const tried = await seen(page);
  assert.deepEqual(tried.changes, ["jump-height=2", "jump-distance=2", "max-fall=3"]);
  await eventually(async () => assert.ok(await card.isHidden()));
  await shot(page, "movement-blocks");
  await undo(page);
  assert.equal((await seen(page)).found, false);
  const parts = await panel(page);
  await parts.getByLabel("fly").check();
  await eventually(async () => assert.equal((await seen(page)).found, true));
  assert.ok((await seen(page)).cost < tried.cost, "it flies straight");
  await page.close();
});

test("closed ground is entered where a reason says so, with its button; the world is opened anew to undo it", async () => {
  const page = await open();
  await sample(page, "two-islands.txt");
  const card = page.locator("#no-path");
  await eventually(async () => assert.match(await card.textContent(), /may enter 'sea'/));
  await card.getByRole("button", { name: "Try" }).click();
  await eventually(async () => assert.equal((await seen(page)).found, true));
  const feared = () => page.evaluate(() => window.studio.danger.present.states.length);
  await page.click("#danger-goal");
  await eventually(async () => assert.ok((await feared()) > 0));
  await settled(page);
  assert.match(await page.locator("#movement-opened").textContent(), /Opened: enter sea/);
  const isOpen = () => page.evaluate(() => window.studio.opened.shape.grounds.find(({ name }) => name === "sea").is_open);
  assert.equal(await isOpen(), true);
  // The program does the same.
  await page.click("#export");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export-code")]);
  assert.match(readFileSync(await download.path(), "utf8"), /let from = site\.find\("5,4"\)\?;\s*site\.adapt\("enter=sea", from\)\?;/);
  // Danger is undone by itself; the ground is shut by opening the world anew, which keeps the danger.
  await page.click("#undo");
  await eventually(async () => assert.equal(await feared(), 0));
  await page.click("#redo");
  await eventually(async () => assert.ok((await feared()) > 0));
  await page.evaluate(() => window.studio.worlds.again([]));
  await eventually(async () => assert.equal((await seen(page)).found, false));
  assert.equal(await isOpen(), false);
  assert.ok((await feared()) > 0);
  await page.close();
});

const BRIDGE = `
scene = { name = "A bridge down" }
waypoints = [{ id = "a", at = [0.0, 0.0, 0.0] }, { id = "b", at = [4.0, 0.0, 0.0] }, { id = "c", at = [4.0, 0.0, 3.0] }]
links = [{ from = "b", to = "a", one_way = true }, { from = "b", to = "c" }]
queries = [{ name = "across", from = "a", to = "c" }]
`;

const DOOR = `
places = [{ name = "in", at = [0, 0] }, { name = "out", at = [5, 2] }]
nav_links = [{ name = "old oak", kind = "door", from = [2, 0], to = [2, 2], seconds = 1, gate = "locked", key = "iron" }]
classes = [{ name = "rich", keys = ["iron"] }]
[scene]
name = "A locked door"
map = """
......
######
......
"""
`;

/** Puts the ends at places, whether an agent can stand there or not. */
const putEnds = (page, names) =>
  page.evaluate(async (names) => {
    const app = window.studio;
    const [start, goal] = await Promise.all(names.map((name) => app.engine.call("find", name)));
    const end = (state) => ({ state, spot: app.stage.panes[0].map.spot(state) });
    app.ends = { start: end(start), goal: end(goal) };
    await app.solve("end");
  }, names);

test("every remedy has a button: one-way links, keys, ends in walls", async () => {
  const page = await open();
  for (const [name, text, change, ends] of [["bridge.toml", BRIDGE, "one-way=ignored", ["a", "c"]], ["door.toml", DOOR, "keys=iron", ["0,0", "5,2"]]]) {
    assert.equal(await page.evaluate(([name, text]) => window.studio.worlds.openFiles([new File([text], name)]), [name, text]), true);
    await putEnds(page, ends);
    await atEnd(page);
    assert.equal((await seen(page)).found, false, name);
    const card = page.locator("#no-path");
    await eventually(async () => assert.match(await card.textContent(), /There is a path/));
    const lines = await card.locator("li").count();
    assert.equal(await card.getByRole("button", { name: "Try" }).count(), lines, `${name}: ${await card.textContent()}`);
    await card.getByRole("button", { name: "Try" }).first().click();
    await eventually(async () => assert.equal((await seen(page)).found, true, name));
    assert.ok((await seen(page)).changes.includes(change), String((await seen(page)).changes));
  }
  // A goal in a wall goes to the nearest place to stand on.
  assert.ok(await page.evaluate(() => window.studio.worlds.openFiles([new File(["S..#\n...G\n"], "end.txt")])));
  await atEnd(page);
  await putEnds(page, ["0,0", "3,0"]);
  const card = page.locator("#no-path");
  await eventually(async () => assert.match(await card.textContent(), /nearest place to stand on/));
  await card.getByRole("button", { name: "Try" }).first().click();
  await eventually(async () => assert.equal((await seen(page)).found, true));
  await page.close();
});

test("weighted A* has its weight", async () => {
  const page = await open();
  await atEnd(page);
  const chip = page.locator(".chip").first();
  await eventually(async () => assert.equal(await chip.locator(".weighted").isVisible(), false));
  await chip.locator(".algorithm").selectOption("weighted-astar");
  const expanded = async () => {
    await settled(page);
    return page.evaluate(() => window.studio.traces[0].report.expanded);
  };
  await eventually(async () => assert.equal(await chip.locator(".weighted").isVisible(), true));
  const usual = await expanded();
  await chip.locator(".weight").fill("4");
  await chip.locator(".weight").press("Enter");
  await eventually(async () => assert.ok((await expanded()) < usual));
  await page.close();
});

test("the agent is of a class of the scene: with its ground, its keys, and what is chosen besides", async () => {
  const page = await open();
  const scene = `scene = { name = "moat", map = """
...~...
...~...
...~...
"""}
terrains = [{ name = "water", glyph = "~", walkable = false }]
classes = [{ name = "walker" }, { name = "boat", neighbours = 4, terrains = [{ terrain = "water", walkable = true, multiplier = 2 }] }]
`;
  assert.equal(await page.evaluate((scene) => window.studio.worlds.openFiles([new File([scene], "moat.toml")]), scene), true);
  await atEnd(page);
  // From one side of the water to the other.
  await page.evaluate(async () => {
    const app = window.studio;
    const end = async (column) => ({ state: await app.engine.call("find", `${column},0`), spot: [column + 0.5, 0.5] });
    app.ends = { start: await end(0), goal: await end(6) };
    await app.solve("end");
  });
  assert.equal((await seen(page)).found, false);
  const parts = await panel(page);
  await parts.getByLabel("Class").selectOption("boat");
  await eventually(async () => assert.equal((await seen(page)).found, true));
  const boat = await seen(page);
  assert.deepEqual([boat.cost, boat.changes, boat.parts.neighbours], [7, ["class=boat"], "4"]);
  // Painted walls stay, and so does the class, when something else is undone or chosen.
  await page.locator("#movement-parts").getByLabel("Neighbours").selectOption("8");
  await eventually(async () => assert.deepEqual((await seen(page)).changes, ["class=boat", "neighbours=8"]));
  await undo(page);
  assert.deepEqual((await seen(page)).changes, ["class=boat"]);
  await shot(page, "class");
  await page.click("#movement-usual");
  await eventually(async () => assert.equal((await seen(page)).found, false));
  assert.deepEqual((await seen(page)).changes, []);
  await page.close();
});

test("a link holds the class; one that the scene has not is said, and the world is there", async () => {
  const page = await open();
  await sample(page, "drawbridge.toml");
  const walker = await seen(page);
  const parts = await panel(page);
  await parts.getByLabel("Class").selectOption("cart");
  await eventually(async () => assert.deepEqual((await seen(page)).changes, ["class=cart"]));
  const cart = await seen(page);
  assert.deepEqual([cart.parts.width, cart.hash === walker.hash], ["2", false]);
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 4);
  const hash = new URL(page.url()).hash;
  const other = await open(hash);
  await other.waitForFunction(() => window.studio.movement.changes.length === 1);
  await atEnd(other);
  const there = await seen(other);
  assert.deepEqual([there.changes, there.hash, there.cost], [cart.changes, cart.hash, cart.cost]);
  await other.close();
  const text = Buffer.from(hash.slice(3).replaceAll("-", "+").replaceAll("_", "/"), "base64").toString();
  const wrong = Buffer.from(text.replace("class=cart", "class=tank")).toString("base64url");
  const third = await open(`#s=${wrong}`);
  await eventually(async () => assert.match(await third.locator("#message").textContent(), /tank/));
  await atEnd(third);
  assert.deepEqual((await seen(third)).changes, []);
  await third.close();
  await page.close();
});
