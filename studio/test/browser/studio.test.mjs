// The page in a real browser. WebGL runs in software there: nothing asserts on frames a second.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { after, afterEach } from "node:test";
import { start } from "./page.mjs";
import { acrossPath, answered, atEnd, eventually, settled, shot, still } from "./tools.mjs";

const { open, stop, errors, asked, refused } = await start();
after(stop);
afterEach(() => assert.deepEqual(errors.splice(0), [], "errors in the page"));

/** The page's own state. */
const state = (page) =>
  page.evaluate(() => {
    const app = window.studio;
    return {
      at: app.time.at,
      most: app.time.most,
      isPlaying: app.time.isPlaying,
      start: app.ends.start.state,
      goal: app.ends.goal.state,
      panes: app.stage.panes.length,
      places: app.stage.panes.map((pane) => pane.cursor?.at),
      hashes: app.traces.map((traced) => traced.hash),
      found: app.traces.map((traced) => traced.report.found),
      costs: app.traces.map((traced) => traced.report.cost),
      name: app.opened.about.name,
      grounds: app.opened.shape.kind === "cells" ? [...app.opened.shape.ground] : [],
    };
  });

/** The last moment, by the key. */
const pressEnd = async (page) => {
  await page.keyboard.press("End");
  await settled(page);
};

/** Waits until a function returns true. */
const until = async (isSo, what) => {
  await eventually(async () => assert.ok(await isSo(), what));
};

/** The point of the window where an end of the query is. */
const endPoint = (page, which) =>
  page.evaluate((which) => {
    const app = window.studio;
    return app.stage.over(app.stage.panes[0], app.ends[which].spot);
  }, which);

/** A few pixels of the canvas, each once. */
const colours = (page) =>
  page.evaluate(() => {
    window.studio.stage.draw();
    const { canvas } = window.studio.stage;
    const copy = new OffscreenCanvas(canvas.width, canvas.height);
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let at = 0; at < data.length; at += 4 * 37) seen.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
    return [...seen];
  });

const message = (page) => page.locator("#message").textContent();

test("the page opens on a running search", async () => {
  const page = await open();
  const first = await state(page);
  assert.ok(first.most > 50, `${first.most} expansions`);
  await page.waitForFunction(() => window.studio.time.at > 5, null, { timeout: 30_000 });
  await page.waitForFunction(() => window.studio.time.at > window.studio.time.most * 0.55, null, { timeout: 30_000 });
  await shot(page, "first-paint");
  assert.ok((await colours(page)).length > 5, "the map is drawn");
  await page.waitForFunction(() => !window.studio.time.isPlaying, null, { timeout: 60_000 });
  assert.equal((await state(page)).at, first.most);
  await shot(page, "done");
  // The path and both ends are drawn, in their colours.
  const drawn = await page.evaluate(() => {
    const { stage, ends, look } = window.studio;
    stage.draw();
    const [pane] = stage.panes;
    const box = stage.canvas.getBoundingClientRect();
    const copy = new OffscreenCanvas(stage.canvas.width, stage.canvas.height);
    const context = copy.getContext("2d");
    context.drawImage(stage.canvas, 0, 0);
    const scale = stage.canvas.width / box.width;
    const at = (spot) => {
      const [x, y] = stage.over(pane, spot);
      return [...context.getImageData((x - box.left) * scale, (y - box.top) * scale, 1, 1).data].slice(0, 3);
    };
    const middle = pane.route[Math.floor(pane.route.length / 2)];
    return [
      [at(ends.start.spot), look.start],
      [at(ends.goal.spot), look.goal],
      [at(middle), look.path],
    ];
  });
  for (const [seen, meant] of drawn) {
    const off = Math.max(...seen.map((part, index) => Math.abs(part - meant[index])));
    assert.ok(off < 24, `${seen} for ${meant}`);
  }
  await page.close();
});

test("dragging the goal solves again, on every frame", async () => {
  const page = await open();
  await pressEnd(page);
  const before = await state(page);
  const [x, y] = await endPoint(page, "goal");
  await page.mouse.move(x, y);
  await page.mouse.down();
  const goals = new Set();
  for (let step = 1; step <= 8; step++) {
    await page.mouse.move(x - step * 30, y - step * 8);
    // Water and walls may hold it where it is.
    const { size } = goals;
    for (let tries = 0; tries < 20 && goals.size === size; tries++) {
      await page.waitForTimeout(50);
      goals.add((await state(page)).goal);
    }
  }
  await shot(page, "dragging");
  await page.mouse.up();
  await settled(page);
  const now = await state(page);
  assert.ok(goals.size >= 4, `${goals.size} goals on the way`);
  assert.notEqual(now.goal, before.goal);
  assert.notDeepEqual(now.hashes, before.hashes);
  assert.equal(now.at, now.most, "the whole search is shown");
  // The other end moves, too.
  const [startX, startY] = await endPoint(page, "start");
  await page.mouse.move(startX, startY);
  await page.mouse.down();
  await page.mouse.move(startX + 60, startY + 10, { steps: 4 });
  await page.mouse.up();
  await settled(page);
  assert.notEqual((await state(page)).start, before.start);
  await page.close();
});

test("time goes back and forth", async () => {
  const page = await open();
  await pressEnd(page);
  const { most } = await state(page);
  const complete = await colours(page);
  await page.click("#back");
  assert.equal((await state(page)).at, most - 1);
  await page.keyboard.press("Shift+ArrowLeft");
  assert.equal((await state(page)).at, most - 11);
  await page.click("#forward");
  assert.equal((await state(page)).at, most - 10);
  await page.click("#first");
  assert.equal((await state(page)).at, 0);
  const none = await colours(page);
  await page.locator("#scrub").fill(String(Math.floor(most / 2)));
  assert.equal((await state(page)).at, Math.floor(most / 2));
  await shot(page, "halfway");
  await page.click("#last");
  assert.deepEqual(new Set(await colours(page)), new Set(complete), "the end looks as it did");
  assert.notDeepEqual(new Set(none), new Set(complete));
  // So slow that it still plays when it is stopped, however slow the machine.
  await page.locator("#speed").fill("0");
  await page.click("#play");
  await page.waitForFunction(() => window.studio.time.isPlaying && window.studio.time.at < window.studio.time.most);
  await page.keyboard.press("v");
  await page.click("#play");
  assert.equal((await state(page)).isPlaying, false);
  await page.close();
});

test("searches are compared in locked panes", async () => {
  const page = await open();
  await pressEnd(page);
  await page.click("#compare");
  await page.waitForFunction(() => window.studio.traces.length === 2);
  await pressEnd(page);
  const two = await state(page);
  assert.equal(two.panes, 2);
  assert.notEqual(two.hashes[0], two.hashes[1]);
  assert.ok(Math.abs(two.costs[0] - two.costs[1]) < 1e-9, "both are optimal");
  await page.waitForFunction(() => document.querySelector(".counters").textContent.includes("optimal"));
  await shot(page, "compare");
  await page.locator("#scrub").fill("40");
  assert.deepEqual((await state(page)).places, [40, 40]);
  await page.selectOption("#colouring", "difference");
  await pressEnd(page);
  await shot(page, "difference");
  await page.keyboard.press("c");
  await page.keyboard.press("c");
  await page.waitForFunction(() => window.studio.traces.length === 4);
  await eventually(async () => assert.equal(await page.locator("#compare").isDisabled(), true));
  await page.selectOption("#colouring", "order");
  await pressEnd(page);
  await shot(page, "four");
  await page.locator(".pane .algorithm").nth(1).selectOption("jps");
  await settled(page);
  await page.locator(".pane .close").nth(3).click();
  await page.waitForFunction(() => window.studio.traces.length === 3);
  assert.equal((await state(page)).panes, 3);
  await page.close();
});

test("painted walls change the way, and are undone", async () => {
  const page = await open();
  await pressEnd(page);
  const before = await state(page);
  // A stroke across the middle of the route.
  const [x, y] = await page.evaluate(() => {
    const [pane] = window.studio.stage.panes;
    return window.studio.stage.over(pane, pane.route[Math.floor(pane.route.length / 2)]);
  });
  await page.keyboard.press("w");
  await page.mouse.move(x - 14, y - 14);
  await page.mouse.down();
  await page.mouse.move(x + 14, y + 14, { steps: 6 });
  await page.mouse.up();
  await settled(page);
  const painted = await state(page);
  assert.notDeepEqual(painted.grounds, before.grounds);
  assert.notDeepEqual(painted.hashes, before.hashes);
  await shot(page, "painted");
  await page.click("#undo");
  await settled(page);
  const undone = await state(page);
  assert.deepEqual(undone.grounds, before.grounds);
  assert.deepEqual(undone.hashes, before.hashes, "the engine's world is as it was");
  await page.keyboard.press("Control+y");
  await settled(page);
  assert.deepEqual((await state(page)).hashes, painted.hashes);
  // The eraser opens the ground again.
  await page.keyboard.press("e");
  await page.mouse.move(x - 14, y - 14);
  await page.mouse.down();
  await page.mouse.move(x + 14, y + 14, { steps: 6 });
  await page.mouse.up();
  await settled(page);
  assert.notDeepEqual((await state(page)).hashes, painted.hashes);
  await page.close();
});

test("no path: the reason, the remedies, and the reached region", async () => {
  const page = await open();
  await page.evaluate(() => window.studio.worlds.sample("two-islands.txt"));
  await page.waitForFunction(() => window.studio.why?.reason);
  const why = await page.locator("#no-path").textContent();
  assert.match(why, /No path:.*islands/);
  assert.match(why, /There is a path/);
  assert.doesNotMatch(why, /--/, "options of the command mean nothing here");
  assert.ok(await page.evaluate(() => window.studio.why.reached.length > 3));
  await shot(page, "why");
  await page.close();
});

test("a link shows the same in another page", async () => {
  const page = await open();
  await page.evaluate(() => window.studio.worlds.generate("rooms", 12));
  await answered(page);
  await page.click("#compare");
  await page.waitForFunction(() => window.studio.traces.length === 2);
  await pressEnd(page);
  const [x, y] = await endPoint(page, "goal");
  await page.keyboard.press("w");
  await page.mouse.move(x - 40, y - 30);
  await page.mouse.down();
  await page.mouse.move(x - 40, y + 30, { steps: 5 });
  await page.mouse.up();
  await settled(page);
  await page.selectOption("#colouring", "f");
  await page.click("#share");
  const fragment = await page.evaluate(() => location.hash);
  assert.match(fragment, /^#s=/);
  const here = await state(page);
  const other = await open(fragment);
  await other.waitForFunction(() => window.studio.traces.length === 2);
  await pressEnd(other);
  await other.waitForFunction((hash) => window.studio.traces[0].hash === hash, here.hashes[0]);
  const there = await state(other);
  assert.deepEqual([there.hashes, there.grounds, there.goal], [here.hashes, here.grounds, here.goal]);
  assert.equal(await other.locator("#colouring").inputValue(), "f");
  await other.close();
  await page.close();
});

test("a malicious or damaged link shows a message and nothing else", async () => {
  const coded = (value) => `#s=${Buffer.from(JSON.stringify(value)).toString("base64url")}`;
  const bad = [
    "#<script>alert(1)</script>",
    "#s=!!!",
    coded([1, ["<img src=x onerror=alert(1)>", 7], 1, 2, ["astar"], "state", []]),
    coded([1, ["caves", 7], 1, 2, ["teleport"], "state", []]),
    coded([1, ["nowhere", 7], 1, 2, ["astar"], "state", []]),
    coded([1, ["caves", 7], 4_000_000_000, 2, ["astar"], "state", []]),
  ];
  for (const fragment of bad) {
    const page = await open(fragment);
    let dialogs = 0;
    page.on("dialog", () => dialogs++);
    await page.waitForFunction(() => !document.getElementById("message").hidden);
    assert.ok((await message(page)).length > 10, fragment);
    assert.equal(await page.evaluate(() => document.querySelectorAll("#message *, main img, main script").length), 0);
    assert.equal(dialogs, 0);
    assert.ok((await state(page)).most > 0, "a world is shown all the same");
    await page.close();
  }
});

test("files open; faulty ones leave the former world", async () => {
  const page = await open();
  const give = (name, content) =>
    page.setInputFiles("#file", { name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });
  await give("yard.txt", "S....\n.###.\n....G\n");
  await page.waitForFunction(() => window.studio.opened.about.states === 15);
  await answered(page);
  await page.waitForFunction(() => window.studio.traces.length > 0 && window.studio.traces[0].report.found);
  const yard = await state(page);
  const faulty = [
    ["broken.map", "type octile\nheight 9999999\nwidth 9999999\nmap\n"],
    ["noise.png", "\x00\x01\x02 no picture"],
    ["evil.txt", ""],
    ["page.html", "<script>alert(1)</script>"],
    ["<img src=x onerror=alert(1)>.txt", "\u0000\u0001"],
    ["broken.tmj", '{"width": 1e9, "layers": ['],
  ];
  for (const [name, content] of faulty) {
    await page.evaluate(() => window.studio.hush());
    await give(name, content);
    await page.waitForFunction(() => !document.getElementById("message").hidden);
    assert.ok((await message(page)).length > 10, name);
    const now = await state(page);
    assert.deepEqual([now.name, now.hashes], [yard.name, yard.hashes], `${name}: the former world`);
  }
  assert.equal(await page.locator("#message *").count(), 0, "names are shown as text");
  // It can still be searched.
  await page.evaluate(() => window.studio.solve("end"));
  assert.deepEqual((await state(page)).hashes, yard.hashes);
  await page.click("#share");
  assert.match(await message(page), /file of yours/);
  await page.close();
});

test("exports are sound files", async () => {
  const page = await open();
  await pressEnd(page);
  const take = async (id) => {
    await page.click("#export");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(id)]);
    return readFileSync(await download.path());
  };
  const png = await take("#export-png");
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  assert.ok(png.length > 3000, `${png.length} bytes`);
  const svg = (await take("#export-svg")).toString();
  const faults = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    return [parsed.querySelectorAll("parsererror").length, parsed.querySelectorAll("polyline").length];
  }, svg);
  assert.deepEqual(faults, [0, 2]);
  const trace = JSON.parse((await take("#export-trace")).toString());
  assert.deepEqual([trace.format, trace.version], ["wayfare-trace", 1]);
  assert.equal(trace.searches[0].hash, (await state(page)).hashes[0]);
  assert.deepEqual([trace.searches[0].kinds[0], trace.searches[0].states[0]], [0, trace.query.start]);
  await page.locator("#speed").fill("80");
  const film = await take("#export-webm");
  assert.equal(film.readUInt32BE(0), 0x1a45dfa3, "a WebM file begins so");
  assert.ok(film.length > 3000, `${film.length} bytes`);
  const code = (await take("#export-code")).toString();
  assert.match(code, /fn main/);

  const posthoc = JSON.parse((await take("#export-posthoc")).toString());
  assert.equal(posthoc.version, "1.4.0");
  const { start, goal } = await state(page);
  assert.deepEqual(
    posthoc.events.slice(0, 3).map(({ type, id }) => [type, id]),
    [["source", start], ["destination", goal], ["generating", start]],
  );
  assert.equal(posthoc.events.at(-1).type, "end");
  assert.equal(posthoc.events.length, trace.searches[0].kinds.length + 2);
  const known = new Set(posthoc.events.map(({ id }) => id));
  for (const { id, pId, x, y } of posthoc.events) {
    assert.ok(Number.isInteger(x) && Number.isInteger(y) && x >= 0 && y >= 0, `${id} at ${x},${y}`);
    assert.ok(pId === undefined || pId === null || known.has(pId));
  }

  // Ground of different costs has no place in a scenario; plain maps have.
  await page.click("#export");
  await page.click("#export-scen");
  assert.match(await message(page), /different costs/);
  assert.ok(await page.evaluate(() => window.studio.worlds.sample("city.map")));
  await pressEnd(page);
  await page.waitForFunction(() => window.studio.optimum !== null, null, { timeout: 30_000 });
  const [head, line] = (await take("#export-scen")).toString().trimEnd().split("\n");
  assert.equal(head, "version 1");
  const fields = line.split("\t");
  assert.equal(fields.length, 9);
  assert.deepEqual(fields.slice(1, 4), ["city", "512", "512"]);
  const { costs } = await state(page);
  assert.ok(Math.abs(Number(fields[8]) - costs[0]) < 1e-6);
  await page.close();
});

test("a recorded search opens where it was made, or beside its world, and one that lies does not", async () => {
  const page = await open();
  await pressEnd(page);
  // Painted ground, two searches, and an end that was moved: all of it is in the file.
  await page.evaluate(() => {
    const app = window.studio;
    app.painting.choose("paint");
    app.painting.beginPull();
    const [x, y] = app.stage.panes[0].map.spot(app.traces[0].report.path[9]);
    app.painting.brush([x, y], [x + 3, y]);
    app.painting.endPull();
    document.getElementById("compare").click();
  });
  await page.waitForFunction(() => window.studio.traces.length === 2);
  await pressEnd(page);
  const before = await state(page);
  await page.click("#export");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export-trace")]);
  const text = readFileSync(await download.path(), "utf8");
  await page.evaluate(() => window.studio.worlds.generate("maze", 3));
  await atEnd(page);

  const drop = (files) =>
    page.evaluate(async (files) => {
      const made = Object.entries(files).map(([name, text]) => new File([text], name));
      return window.studio.worlds.openFiles(made);
    }, files);
  assert.ok(await drop({ "search.trace.json": text }));
  await page.waitForFunction(() => window.studio.traces.length === 2);
  await shot(page, "recorded");
  await pressEnd(page);
  const after = await state(page);
  for (const key of ["start", "goal", "panes", "hashes", "costs", "name", "grounds"]) {
    assert.deepEqual(after[key], before[key], key);
  }
  assert.match(await message(page), /recorded search/);

  // Without a link the open world counts, or the one dropped with it.
  const trace = JSON.parse(text);
  trace.world.link = null;
  assert.ok(await drop({ "search.trace.json": JSON.stringify(trace) }));
  await page.evaluate(() => window.studio.worlds.generate("maze", 3));
  await atEnd(page);
  const maze = await state(page);
  const lies = [
    [{ ...trace }, /is a trace of/],
    [{ ...trace, version: 7 }, /version: 7 is not known/],
    [{ ...trace, world: { ...trace.world, link: "#s=<img>" } }, /world\.link: The link is damaged/],
    [{ ...trace, searches: [{ ...trace.searches[0], hash: "<b>0</b>" }] }, /searches\[0\]\.hash: it says <b>0/],
    [{ ...trace, searches: [{ ...trace.searches[0], states: [1] }] }, /searches\[0\]\.states: it has 1 entries/],
    ["{", /EOF/],
  ];
  for (const [lie, told] of lies) {
    assert.equal(await drop({ "lie.json": typeof lie === "string" ? lie : JSON.stringify(lie) }), false);
    assert.match(await message(page), told);
    assert.equal(await page.locator("#message *").count(), 0, "files are shown as text");
    assert.deepEqual(await state(page), maze, "the former world is still there");
  }
  await page.close();
});

test("the keyboard is enough", async () => {
  const page = await open();
  await pressEnd(page);
  const before = await state(page);
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement?.id === "goal-handle")) break;
  }
  assert.equal(await page.evaluate(() => document.activeElement?.id), "goal-handle");
  await page.keyboard.press("Shift+ArrowLeft");
  await page.waitForFunction((goal) => window.studio.ends.goal.state !== goal, before.goal);
  await settled(page);
  assert.notDeepEqual((await state(page)).hashes, before.hashes);
  await page.keyboard.press("Tab");
  await page.locator("#palette").focus();
  const unnamed = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, input")].filter((element) => {
      const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
      return !label?.trim();
    }).length,
  );
  assert.equal(unnamed, 0, "every control has a name");
  await page.close();
});

test("it is usable at phone width", async () => {
  const page = await open("", { width: 390, height: 844 });
  await pressEnd(page);
  const [wide, box] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.getElementById("stage").getBoundingClientRect().toJSON(),
  ]);
  assert.ok(wide <= 390, `${wide} pixels wide`);
  assert.ok(box.height > 300 && box.width > 380, JSON.stringify(box));
  for (const id of ["#play", "#compare", "#worlds", "#scrub"]) {
    const place = await page.locator(id).boundingBox();
    assert.ok(place && place.x >= 0 && place.x + place.width <= 391 && place.y + place.height <= 845, id);
  }
  await shot(page, "phone");
  await page.click("#compare");
  await page.waitForFunction(() => window.studio.traces.length === 2);
  await pressEnd(page);
  await shot(page, "phone-compare");
  await page.close();
});

test("palettes and colourings change the picture, not the search", async () => {
  const page = await open();
  await pressEnd(page);
  const { hashes } = await state(page);
  const seen = new Set();
  for (const palette of ["dark", "light", "visited-black", "open-green"]) {
    await page.selectOption("#palette", palette);
    await page.waitForTimeout(100);
    seen.add((await colours(page)).sort().join(" "));
    await shot(page, `palette-${palette}`);
  }
  assert.equal(seen.size, 4);
  await page.selectOption("#palette", "dark");
  for (const colouring of ["state", "order", "g", "h", "f"]) {
    await page.selectOption("#colouring", colouring);
    await page.waitForTimeout(100);
    seen.add((await colours(page)).sort().join(" "));
    await shot(page, `colour-${colouring}`);
  }
  assert.ok(seen.size >= 8, `${seen.size} pictures`);
  assert.deepEqual((await state(page)).hashes, hashes);
  await page.close();
});

test("pointing at a cell tells what is known of it", async () => {
  const page = await open();
  await pressEnd(page);
  const [x, y] = await page.evaluate(() => {
    const [pane] = window.studio.stage.panes;
    return window.studio.stage.over(pane, pane.route[Math.floor(pane.route.length / 3)]);
  });
  await page.mouse.move(x, y);
  await page.waitForFunction(() => document.getElementById("state").textContent.includes("parent"));
  const facts = await page.locator("#state").textContent();
  for (const name of ["place", "ground", "status", "g", "h", "f", "order", "moves"]) assert.ok(facts.includes(name), name);
  assert.match(await page.locator("#tip").textContent(), /g \d/);
  await shot(page, "hover");
  await page.close();
});

test("every sample and every kind opens", async () => {
  const page = await open();
  await page.click("#worlds");
  await page.waitForTimeout(200);
  await shot(page, "gallery");
  await page.keyboard.press("Escape");
  const kinds = await page.evaluate(() => window.studio.kinds.map((kind) => kind.name));
  for (const kind of kinds) {
    assert.equal(await page.evaluate((kind) => window.studio.worlds.generate(kind, 7), kind), true, kind);
    await page.waitForFunction(() => window.studio.traces.length === 1, null, { timeout: 60_000 });
    await page.keyboard.press("End");
    await page.waitForTimeout(400);
    await shot(page, `kind-${kind}`);
  }
  const samples = ["village.tmj", "city.map", "cave.map", "hills.toml", "village.toml", "obstacles.toml", "courtyard.obj", "voxel-cave.voxels", "floating-islands.voxels", "two-islands.txt", "maze.txt", "drawbridge.toml"];
  for (const name of samples) {
    assert.equal(await page.evaluate((name) => window.studio.worlds.sample(name), name), true, name);
    await page.waitForFunction(() => window.studio.traces.length === 1, null, { timeout: 60_000 });
    await page.keyboard.press("End");
    await page.waitForTimeout(500);
    await shot(page, `sample-${name}`);
    const height = await page.evaluate(() => document.querySelector("header").offsetHeight);
    assert.ok(height < 60, `${name}: the head of the page has one line, and is ${height} high`);
  }
  await page.close();
});

test("a world that lies beside the page is opened", async () => {
  const page = await open("?world=my%20yard.txt");
  assert.equal(await page.evaluate(() => window.studio.opened.about.states), 15);
  await page.close();
  // Names that lead elsewhere lead nowhere; the browser reports the refusal, too.
  const other = await open("?world=..%2f..%2fsecret");
  await eventually(async () => assert.match(await message(other), /no world/));
  assert.ok((await state(other)).most > 0);
  errors.splice(0);
  await other.close();
});

test("a world of blocks is seen in space, turned, cut open and searched", async () => {
  const page = await open();
  assert.equal(await page.evaluate(() => window.studio.worlds.sample("voxel-village.voxels")), true);
  await page.waitForFunction(() => window.studio.traces[0]?.touched?.states.length > 10);
  await pressEnd(page);
  await page.waitForTimeout(300);
  const before = await state(page);
  assert.ok(before.found[0] && before.most > 10);
  const whole = await colours(page);
  assert.ok(whole.length > 10, "blocks with light and shade");
  await shot(page, "blocks");
  // The route is drawn.
  const isDrawn = await page.evaluate(() => window.studio.stage.panes[0].map.way.route.visible);
  assert.equal(isDrawn, true);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.evaluate(() => window.studio.stage.panes[0].map.way.route.visible), false);
  await pressEnd(page);
  // Dragging beside the ends turns the camera.
  const yaw = () => page.evaluate(() => window.studio.stage.orbit.yaw);
  const from = await yaw();
  await page.mouse.move(140, 640);
  await page.mouse.down();
  await page.mouse.move(240, 600, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await yaw(), from);
  await page.locator("#cut").fill("4");
  await page.waitForTimeout(200);
  await shot(page, "blocks-cut");
  assert.notDeepEqual(new Set(await colours(page)), new Set(whole));
  await page.locator("#cut").fill(await page.locator("#cut").getAttribute("max"));
  // The goal follows the pointer over the ground.
  const [x, y] = await page.evaluate(() => {
    const app = window.studio;
    return app.stage.project(app.stage.panes[0], app.ends.goal.place);
  });
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 50, y + 30, { steps: 5 });
  await page.mouse.move(x - 90, y + 40, { steps: 5 });
  await page.mouse.up();
  await settled(page);
  assert.notEqual((await state(page)).goal, before.goal);
  await page.click("#compare");
  await page.waitForFunction(() => window.studio.traces.length === 2);
  await pressEnd(page);
  await page.waitForTimeout(300);
  await shot(page, "blocks-compare");
  await page.close();
});

test("on a map of 512 × 512 the path follows a dragged goal; the search is shown once it rests", async () => {
  const page = await open();
  assert.equal(await page.evaluate(() => window.studio.worlds.sample("city.map")), true);
  await page.waitForFunction(() => window.studio.traces[0]?.report.expanded > 10_000);
  await pressEnd(page);
  const before = await state(page);
  // However fast this machine is: a recording that took long.
  await page.evaluate(() => (window.studio.traces[0].milliseconds = 100));
  const [x, y] = await endPoint(page, "goal");
  const [toX, toY] = await endPoint(page, "start");
  await page.mouse.move(x, y);
  await page.mouse.down();
  // All the way to the start: near ends and far ones.
  const [STEPS, times, expanded] = [40, [], []];
  for (let step = 1; step < STEPS; step++) {
    await page.mouse.move(x + ((toX - x) * step) / STEPS, y + ((toY - y) * step) / STEPS);
    await page.waitForTimeout(40);
    const report = await page.evaluate(() => window.studio.stage.panes[0].report);
    times.push(report.milliseconds);
    expanded.push(report.expanded);
  }
  await page.mouse.move((x + toX) / 2, (y + toY) / 2);
  const isHeld = () =>
    page.evaluate(() => {
      const [pane] = window.studio.stage.panes;
      return pane.cursor === null && pane.report.found && pane.route.length > 10;
    });
  await until(isHeld, "the path alone");
  await page.mouse.up();
  await settled(page);
  const now = await state(page);
  assert.notEqual(now.hashes[0], before.hashes[0]);
  assert.ok(now.most > 1000 && now.at === now.most && now.found[0], JSON.stringify({ ...now, grounds: [] }));
  const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const [first] = times;
  const median = times.toSorted((a, b) => a - b)[times.length >> 1];
  console.log(
    `engine time a frame: ${median.toFixed(1)} ms median, ${mean(times).toFixed(1)} mean, ${first.toFixed(1)} the first; ${mean(expanded).toFixed(0)} cells expanded`,
  );
  await page.close();
});

test("playing stops at breakpoints", async () => {
  const page = await open();
  await pressEnd(page);
  const seen = await page.evaluate(() => {
    const app = window.studio;
    const { events, stops } = app.stage.panes[0].cursor.trace;
    const at = Math.floor(app.time.most / 2);
    const f = (order) => events.g[stops[order - 1]] + events.h[stops[order - 1]];
    return { at, state: events.states[stops[at - 1]], values: Array.from({ length: app.time.most }, (_, order) => f(order + 1)) };
  });
  // The first time that this state is expanded.
  const point = await page.evaluate((state) => {
    const app = window.studio;
    return app.stage.over(app.stage.panes[0], app.stage.panes[0].map.spot(state));
  }, seen.state);
  await page.mouse.move(point[0] + 1, point[1] + 1);
  await page.waitForTimeout(200);
  await page.keyboard.press("x");
  assert.deepEqual(await page.evaluate(() => [...window.studio.breaks.states]), [seen.state]);
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => !window.studio.time.isPlaying, null, { timeout: 60_000 });
  const stopped = await page.evaluate(() => {
    const app = window.studio;
    const { cursor } = app.stage.panes[0];
    return { at: app.time.at, current: cursor.current(), most: app.time.most };
  });
  assert.equal(stopped.current, seen.state);
  assert.ok(stopped.at < stopped.most);
  assert.match(await message(page), /breakpoint/);
  await shot(page, "breakpoint");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => !window.studio.time.isPlaying, null, { timeout: 60_000 });
  assert.equal((await state(page)).at, stopped.most, "it goes on to the end");

  await page.locator("#break-clear").click();
  const limit = (Math.min(...seen.values) + Math.max(...seen.values)) / 2;
  await page.locator("#break-f").fill(String(limit));
  await page.locator("#break-f").press("Enter");
  await page.locator("#break-f").blur();
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => !window.studio.time.isPlaying, null, { timeout: 60_000 });
  const first = seen.values.findIndex((value) => value > limit) + 1;
  assert.equal((await state(page)).at, first);
  await page.close();
});

/** Agents at a tick. */
const walk = (page) =>
  page.evaluate(() => {
    const { walking, stage } = window.studio;
    const agents = walking.agents;
    return {
      isOn: walking.isOn,
      now: walking.now,
      furthest: walking.furthest,
      count: agents?.count ?? 0,
      places: agents ? [...agents.places] : [],
      chosen: walking.chosen,
      name: walking.agent?.name ?? null,
      limits: walking.agent?.limits ?? null,
      obstacles: walking.scenery?.obstacles.length ?? 0,
      dangers: walking.scenery?.dangers.length ?? 0,
      panes: stage.panes.length,
    };
  });

/** The point of the window at which an agent is. */
const agentPoint = (page, at) =>
  page.evaluate((at) => {
    const { stage, walking } = window.studio;
    const { places } = walking.agents;
    return stage.over(stage.panes[0], walking.bodies.spot(places[at * 3], places[at * 3 + 2]));
  }, at);

const hashOf = (page) => page.evaluate(() => window.studio.engine.call("agentsHash"));

test("agents walk over the map that is shown, and time goes back", async () => {
  const page = await open();
  await pressEnd(page);
  await page.keyboard.press("c");
  await settled(page);
  await page.locator("[data-mode-choice=agents]").click();
  await page.waitForFunction(() => window.studio.walking.now > 40, null, { timeout: 60_000 });
  await page.keyboard.press("Space");
  await still(page);
  assert.equal(await page.locator("#play").getAttribute("aria-label"), "Play", "it rests");
  await shot(page, "agents");
  const there = await walk(page);
  assert.equal(there.count, 200);
  assert.equal(there.panes, 1, "one map is enough");
  assert.ok((await colours(page)).includes("86,180,233"), "bodies are drawn");
  assert.match(await page.locator("#queue-text").textContent(), /answered/);
  assert.match(await page.locator("#place").textContent(), /^\d+\.\d \/ \d+\.\d s$/);
  const hash = await hashOf(page);

  await page.keyboard.press("ArrowLeft");
  await still(page);
  const before = await walk(page);
  assert.equal(before.now, there.now - 1);
  assert.notDeepEqual(before.places, there.places);
  await page.keyboard.press("Home");
  await still(page);
  assert.equal((await walk(page)).now, 0);
  await page.keyboard.press("End");
  await still(page);
  assert.equal((await walk(page)).now, there.furthest);
  assert.deepEqual((await walk(page)).places, there.places);
  assert.equal(await hashOf(page), hash, "the same agents at the same tick");
  await page.locator("#scrub").fill("7");
  await still(page);
  assert.equal((await walk(page)).now, 7);

  await page.keyboard.press("a");
  await answered(page);
  await page.waitForFunction(() => window.studio.traces.length > 0 && !window.studio.walking.isOn);
  assert.ok((await state(page)).found[0], "the search is back");
  await page.close();
});

test("an agent is chosen, sent, slowed and hindered", async () => {
  const page = await open();
  await pressEnd(page);
  await page.evaluate(() => {
    document.getElementById("count").value = "3";
    document.getElementById("avoidance").value = "off";
  });
  await page.keyboard.press("a");
  await page.waitForFunction(() => window.studio.walking.now > 5, null, { timeout: 60_000 });
  await page.keyboard.press("Space");
  await still(page);
  const [x, y] = await agentPoint(page, 1);
  await page.mouse.click(x, y);
  await page.waitForFunction(() => window.studio.walking.agent !== null);
  const chosen = await walk(page);
  assert.equal(chosen.chosen, 1);
  assert.equal(await page.locator("#agent-name").textContent(), chosen.name);
  assert.notEqual(await page.locator("#agent-text").textContent(), "");

  // Sent to where the goal of the search was.
  const [toX, toY] = await endPoint(page, "goal");
  await page.mouse.click(toX, toY);
  await still(page);
  await page.keyboard.press("ArrowRight");
  await still(page);
  const goal = await page.evaluate(() => window.studio.ends.goal.spot);
  const last = await page.evaluate(() => {
    const way = window.studio.walking.way;
    return window.studio.walking.bodies.spot(way[way.length - 3], way[way.length - 1]);
  });
  assert.ok(Math.hypot(last[0] - goal[0], last[1] - goal[1]) < 1.5, `${last} for ${goal}`);

  await page.locator("#max_speed").fill("0.5");
  await still(page);
  assert.equal((await walk(page)).limits.max_speed, 0.5);

  const { now } = await walk(page);
  await page.keyboard.press("b");
  await page.mouse.click(toX, toY);
  await still(page);
  assert.equal((await walk(page)).obstacles, 4);
  await page.keyboard.press("d");
  await page.mouse.click(toX - 60, toY);
  await still(page);
  assert.ok((await walk(page)).dangers > 0);
  await shot(page, "meddled");
  // Before they were placed they are not there.
  await page.evaluate((now) => window.studio.time.goTo(now - 1), now);
  await still(page);
  assert.equal((await walk(page)).obstacles, 0);
  await page.keyboard.press("End");
  await still(page);
  await page.locator("#clear").click();
  await still(page);
  assert.equal((await walk(page)).obstacles, 0);
  await page.close();
});

test("danger is painted before a search, dreaded, told, and fades", async () => {
  const page = await open();
  await atEnd(page);
  const before = await state(page);
  await page.keyboard.press("d");
  assert.equal(await page.getAttribute("[data-tool=danger]", "aria-checked"), "true");
  const [from, to] = await acrossPath(page);
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 6 });
  await page.waitForFunction(() => window.studio.danger.known.states.length > 20);
  // It does not fade while the brush is down.
  await answered(page);
  const feared = await page.evaluate(() => Math.max(...window.studio.danger.known.amounts));
  assert.ok(feared > 3, `${feared}`);
  assert.ok((await state(page)).costs[0] > before.costs[0]);
  await page.mouse.up();
  await shot(page, "danger");
  // The pointer tells the price.
  await page.keyboard.press("v");
  const spot = await page.evaluate(() => {
    const app = window.studio;
    const { states, amounts } = app.danger.known;
    const worst = states[amounts.indexOf(Math.max(...amounts))];
    return app.stage.over(app.stage.panes[0], app.stage.panes[0].map.spot(worst));
  });
  await page.mouse.move(spot[0] + 1, spot[1]);
  await page.mouse.move(...spot);
  await page.waitForFunction(() => /danger/.test(document.getElementById("state").textContent));
  // It fades by itself, to nothing in the end.
  await page.waitForFunction((feared) => Math.max(0, ...window.studio.danger.known.amounts) < feared * 0.7, feared, { timeout: 15_000 });
  await page.evaluate(async () => window.studio.danger.take(await window.studio.engine.call("ageDanger", 600)));
  await page.evaluate(() => window.studio.solve("end"));
  await page.waitForFunction((hash) => window.studio.traces[0].hash === hash, before.hashes[0]);
  await page.close();
});

test("waypoints are placed over a grid, linked, moved, deleted, undone and exported", async () => {
  const page = await open();
  await page.evaluate(() => window.studio.worlds.generate("caves", 4));
  await atEnd(page);
  const grid = await state(page);
  const idle = () => page.waitForFunction(() => !window.studio.waypoints.isBusy && !window.studio.solving && window.studio.engine.isIdle);
  const graph = () =>
    page.evaluate(() => {
      const { graph, selected } = window.studio.waypoints;
      return {
        ids: graph.waypoints.map(({ id }) => id),
        links: graph.links.map(({ from, to, one_way }) => [from, to, Boolean(one_way)]),
        selected: [...selected],
        places: graph.waypoints.map(({ at }) => at),
      };
    });
  const at = (state) => page.evaluate((state) => {
    const { stage } = window.studio;
    return stage.over(stage.panes[0], stage.panes[0].map.spot(state));
  }, state);
  // A click between the ends: the ends become waypoints, too, linked with the new one.
  const middle = await page.evaluate(() => {
    const { stage, ends } = window.studio;
    const [a, b] = [ends.start.spot, ends.goal.spot];
    return stage.over(stage.panes[0], [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
  });
  await page.keyboard.press("p");
  await page.mouse.click(...middle);
  await page.waitForFunction(() => window.studio.waypoints.graph.waypoints.length === 3);
  await idle();
  let now = await graph();
  assert.deepEqual(now.ids, ["start", "goal", "w3"]);
  assert.deepEqual(now.links, [["start", "w3", false], ["goal", "w3", false]]);
  assert.deepEqual(now.selected, [2]);
  assert.equal(await page.evaluate(() => window.studio.opened.shape.kind), "points");
  assert.ok(await page.evaluate(() => window.studio.opened.shape.outlines.length > 10), "walls stay");
  assert.deepEqual((await state(page)).found, [true]);
  // Another, linked with the selected one; then several selected, whose arrows are seen.
  await page.mouse.click(middle[0], middle[1] - 60);
  await page.waitForFunction(() => window.studio.waypoints.graph.waypoints.length === 4);
  await idle();
  assert.deepEqual((await graph()).links.at(-1), ["w3", "w4", false]);
  const alone = await colours(page);
  await page.mouse.click(...(await at(0)));
  await page.keyboard.down("Shift");
  await page.mouse.click(...(await at(2)));
  await page.keyboard.up("Shift");
  assert.deepEqual((await graph()).selected, [0, 2]);
  assert.notDeepEqual(await colours(page), alone);
  for (const look of ["light", "dark"]) {
    await page.selectOption("#palette", look);
    await page.waitForTimeout(150);
    await shot(page, `waypoints-${look}`);
  }
  // Pulled elsewhere.
  const from = await at(3);
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(from[0] + 40, from[1] - 20, { steps: 4 });
  await page.mouse.up();
  await idle();
  const moved = (await graph()).places[3];
  assert.ok(moved[0] > now.places[2][0] + 1, `${moved}`);
  // One way, with the tool of links; the same again parts them.
  await page.keyboard.press("l");
  await page.mouse.click(...(await at(3)));
  await page.keyboard.down("Shift");
  await page.mouse.click(...(await at(1)));
  await page.keyboard.up("Shift");
  await page.waitForFunction(() => window.studio.waypoints.graph.links.length === 4);
  await idle();
  assert.ok((await graph()).links.some(([a, b, isOneWay]) => a === "w4" && b === "goal" && isOneWay));
  // The file opens to the same graph.
  await page.click("#export");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export-scene")]);
  const text = readFileSync(await download.path(), "utf8");
  const drawn = await graph();
  const other = await open();
  assert.ok(await other.evaluate((text) => window.studio.worlds.openFiles([new File([text], "mine.toml")]), text));
  await other.waitForFunction(() => window.studio.waypoints.graph.waypoints.length === 4);
  assert.deepEqual(
    await other.evaluate(() => window.studio.waypoints.graph.links.map(({ from, to }) => [from, to]).sort()),
    drawn.links.map(([a, b]) => [a, b]).sort(),
  );
  await other.close();
  // By the keyboard: the list selects, Alt and arrows move, Delete removes.
  await page.locator("#waypoints").selectOption(["3"]);
  await page.locator("#waypoints").press("Alt+ArrowRight");
  await idle();
  assert.ok((await graph()).places[3][0] > moved[0]);
  await page.locator("#waypoints").press("Delete");
  await page.waitForFunction(() => window.studio.waypoints.graph.waypoints.length === 3);
  await idle();
  assert.equal((await graph()).links.length, 2);
  await page.locator("#waypoints").selectOption(["0", "1"]);
  await page.click("#waypoint-link");
  await page.waitForFunction(() => window.studio.waypoints.graph.links.length === 3);
  await idle();
  // Undone, change by change, back to the grid, and done again.
  for (let left = 0; left < 20 && !(await page.locator("#undo").isDisabled()); left++) {
    await page.click("#undo");
    await idle();
  }
  await atEnd(page);
  const back = await state(page);
  assert.deepEqual([back.name, back.grounds, back.hashes], [grid.name, grid.grounds, grid.hashes]);
  await page.click("#redo");
  await page.waitForFunction(() => window.studio.waypoints.graph.waypoints.length === 3);
  await page.close();
});

test("a waypoint scene is edited, with its costs, at phone width", async () => {
  const page = await open("", { width: 390, height: 780 });
  await page.evaluate(() => window.studio.worlds.sample("village.toml"));
  await atEnd(page);
  const before = await state(page);
  await page.waitForFunction(() => window.studio.waypoints.graph.waypoints.length === 256);
  await page.evaluate(() => window.studio.waypoints.select(17, false));
  await page.evaluate(() => window.studio.waypoints.deleteSelected());
  await page.waitForFunction(() => window.studio.waypoints.graph.waypoints.length === 255 && !window.studio.waypoints.isBusy);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => window.studio.waypoints.graph.waypoints.length === 256 && !window.studio.waypoints.isBusy);
  await atEnd(page);
  assert.deepEqual((await state(page)).costs, before.costs);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide}`);
  await shot(page, "waypoints-phone");
  await page.close();
});

test("a key resets the ground under agents, and going back takes it back", async () => {
  const page = await open();
  await atEnd(page);
  const first = await state(page);
  await page.keyboard.press("a");
  await page.waitForFunction(() => window.studio.walking.now > 20, null, { timeout: 30_000 });
  await page.keyboard.press(" ");
  await still(page);
  const then = await page.evaluate(() => window.studio.walking.now);
  await page.keyboard.press("r");
  await page.waitForFunction((then) => window.studio.walking.now > then, then);
  await still(page);
  assert.match(await message(page), /seed 8/);
  const second = await state(page);
  assert.notDeepEqual(second.grounds, first.grounds);
  await shot(page, "reset");
  // Nobody stands in a wall.
  const inWalls = await page.evaluate(() => {
    const { walking, opened } = window.studio;
    const { places, count } = walking.agents;
    const { shape } = opened;
    let walls = 0;
    for (let at = 0; at < count; at++) {
      const [x, y] = walking.bodies.spot(places[at * 3], places[at * 3 + 2]);
      const ground = shape.ground[Math.floor(y) * shape.width + Math.floor(x)];
      if (!shape.grounds[ground].is_open) walls++;
    }
    return walls;
  });
  assert.equal(inWalls, 0);
  await page.keyboard.press("r");
  await page.waitForFunction(() => window.studio.walking.grounds.length === 3);
  await still(page);
  const third = await state(page);
  assert.notDeepEqual(third.grounds, second.grounds);
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await page.waitForFunction(() => window.studio.walking.now === 0);
  await eventually(async () => assert.deepEqual((await state(page)).grounds, first.grounds));
  // The search afterwards is on the ground as it was.
  await page.keyboard.press("a");
  await page.waitForFunction((hash) => window.studio.traces[0]?.hash === hash, first.hashes[0]);
  await page.evaluate(() => window.studio.worlds.sample("bottleneck.toml"));
  await page.waitForFunction(() => window.studio.walking.isOn);
  await page.keyboard.press("r");
  assert.match(await message(page), /Only generated grids/);
  await page.close();
});

test("the density of a crowd is heat, and what plays is filmed", async () => {
  const page = await open();
  await page.evaluate(() => window.studio.worlds.sample("bottleneck.toml"));
  await page.waitForFunction(() => window.studio.walking.now > 60, null, { timeout: 60_000 });
  await page.keyboard.press(" ");
  const before = await colours(page);
  await page.keyboard.press("h");
  await eventually(async () => assert.ok(await page.locator("#density").isChecked()));
  await page.waitForFunction(() => /Up to [\d.]+ a square metre/.test(document.getElementById("density-text").textContent));
  await until(async () => String(await colours(page)) !== String(before), "another picture");
  for (const look of ["light", "dark"]) {
    await page.selectOption("#palette", look);
    await page.waitForTimeout(200);
    await shot(page, `density-${look}`);
  }
  await page.click("#export");
  const downloading = page.waitForEvent("download", { timeout: 60_000 });
  await page.click("#export-webm");
  await page.waitForFunction(() => !document.getElementById("film-stop").hidden && window.studio.time.isPlaying);
  await page.waitForTimeout(2500);
  await page.keyboard.press(" ");
  const film = readFileSync(await (await downloading).path());
  assert.equal(film.readUInt32BE(0), 0x1a45dfa3, "a WebM file begins so");
  // A browser plays it. The page itself loads no films.
  const player = await page.context().newPage();
  const seen = await player.evaluate(async (coded) => {
    const bytes = Uint8Array.from(atob(coded), (character) => character.charCodeAt(0));
    const video = document.createElement("video");
    video.muted = true;
    const ready = new Promise((done, failed) => {
      video.onloadeddata = done;
      video.onerror = () => failed(new Error(video.error?.message));
    });
    video.src = URL.createObjectURL(new Blob([bytes], { type: "video/webm" }));
    await ready;
    return [video.videoWidth, video.videoHeight];
  }, film.toString("base64"));
  assert.ok(seen[0] > 300 && seen[1] > 200, `${seen}`);
  await player.close();
  await page.close();
});

test("the module of agents is loaded when it is first asked for, and a failure is told", async () => {
  const AGENTS = "wayfare_web_agents_bg";
  const isAsked = () => asked.some((path) => path.includes(AGENTS));
  asked.splice(0);
  const page = await open();
  await atEnd(page);
  assert.ok(!isAsked(), "searches need no agents");

  refused.text = AGENTS;
  await page.locator("[data-mode-choice=agents]").click();
  await page.waitForFunction(() => !document.getElementById("message").hidden);
  assert.match(await message(page), /agents could not be loaded/);
  assert.ok(isAsked());
  assert.equal(await page.evaluate(() => window.studio.walking.isOn), false);
  // The browser reports the refusal, too.
  errors.splice(0);
  refused.text = "";
  await page.evaluate(() => window.studio.solve("end"));
  await settled(page);
  assert.deepEqual((await state(page)).found, [true], "searches go on");

  // The world is the one that is open when they are asked for, though the module comes late.
  const begun = await page.evaluate(async () => {
    const { engine } = window.studio;
    const population = { count: 7, seed: 1, avoidance: "low" };
    const coming = engine.call("agents", population);
    const next = engine.call("generate", "caves", 3, "");
    const counts = [(await coming).moment.agents.count];
    await next;
    return counts;
  });
  assert.deepEqual(begun, [7]);
  await page.locator("[data-mode-choice=agents]").click();
  await page.waitForFunction(() => window.studio.walking.agents?.count > 0);
  await page.close();
});

test("scenes with agents open with them on their way", async () => {
  const page = await open();
  await pressEnd(page);
  for (const name of ["square.toml", "guards.toml", "errands.toml", "house.toml"]) {
    assert.ok(await page.evaluate((name) => window.studio.worlds.sample(name), name), name);
    await page.waitForFunction(() => window.studio.walking.isOn && window.studio.walking.now > 20, null, {
      timeout: 60_000,
    });
    assert.equal(await page.locator("#population").isHidden(), true);
    await page.locator("#play").click();
    await still(page);
    await shot(page, name.replace(".toml", ""));
    // Everybody is on the map.
    const isInside = await page.evaluate(() => {
      const { stage, walking } = window.studio;
      const [left, top, right, bottom] = stage.panes[0].map.bounds;
      const { places, count } = walking.agents;
      return Array.from({ length: count }, (_, at) => walking.bodies.spot(places[at * 3], places[at * 3 + 2])).every(
        ([x, y]) => x >= left && x <= right && y >= top && y <= bottom,
      );
    });
    assert.ok(isInside, name);
  }
  await page.close();
});

test("agents solve the puzzles of a generated hall", async () => {
  const page = await open();
  await pressEnd(page);
  assert.ok(await page.evaluate(() => window.studio.worlds.generate("heavy-door", 7)));
  await settled(page);
  await page.locator("[data-mode-choice=agents]").click();
  await page.waitForFunction(() => window.studio.walking.now > 60, null, { timeout: 60_000 });
  await page.locator("#play").click();
  await still(page);
  const props = await page.evaluate(() => window.studio.walking.scenery.props.length);
  assert.ok(props > 2, `${props} parts`);
  await shot(page, "puzzle");
  await page.close();
});

test("a world without room for agents says so, and five thousand walk", async () => {
  const page = await open();
  await pressEnd(page);
  await page.evaluate(() => window.studio.worlds.openFiles([new File(["S#\n##\n#G\n"], "pits.txt")]));
  await settled(page);
  await page.evaluate(() => window.studio.engine.call("paint", Uint32Array.from({ length: 40 }, (_, state) => state), window.studio.opened.shape.grounds.find(({ is_open }) => !is_open).name));
  await page.locator("[data-mode-choice=agents]").click();
  await page.waitForFunction(() => !document.getElementById("message").hidden);
  assert.match(await message(page), /no room for agents/);
  assert.equal((await walk(page)).isOn, false);

  assert.ok(await page.evaluate(() => window.studio.worlds.sample("city.map")));
  await pressEnd(page);
  await page.evaluate(() => {
    document.getElementById("count").value = "5000";
    document.getElementById("avoidance").value = "off";
  });
  await page.keyboard.press("a");
  await page.waitForFunction(() => window.studio.walking.now > 10, null, { timeout: 120_000 });
  await page.keyboard.press("Space");
  await still(page);
  assert.equal((await walk(page)).count, 5000);
  await shot(page, "five-thousand");
  await page.close();
});
