// What a visitor does first: points, drags, compares, opens another world, turns the phone.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, afterEach } from "node:test";
import { start } from "./page.mjs";
import { answered, atEnd, eventually, settled, shot } from "./tools.mjs";

const { open, stop, errors } = await start();
after(stop);
afterEach(() => assert.deepEqual(errors.splice(0), [], "errors in the page"));

/** The place in the window of the middle of the path, and whether the tip and its lines are shown. */
const pointed = (page) =>
  page.evaluate(() => {
    const app = window.studio;
    const [pane] = app.stage.panes;
    const middle = pane.route[Math.floor(pane.route.length / 2)];
    return { at: app.stage.over(pane, middle), hasTip: !document.getElementById("tip").hidden, lines: pane.hint.mesh.geometry.instanceCount };
  });

/** Points at the middle of the path, until the tip and its lines are there. */
const point = async (page) => {
  const { at } = await pointed(page);
  await page.mouse.move(at[0] + 1, at[1] + 1);
  await page.mouse.move(...at);
  await eventually(async () => {
    const { hasTip, lines } = await pointed(page);
    assert.ok(hasTip && lines > 0, `${hasTip}, ${lines} lines`);
  });
  return at;
};

test("the tip and its lines vanish when the map is dragged, and with the world", async () => {
  const page = await open();
  await atEnd(page);
  const [x, y] = await point(page);
  await page.mouse.down();
  const gone = async () => {
    const { hasTip, lines } = await pointed(page);
    assert.deepEqual([hasTip, lines], [false, 0]);
  };
  await eventually(gone);
  await page.mouse.move(x + 40, y + 25, { steps: 4 });
  await gone();
  await page.mouse.up();
  await point(page);
  assert.ok(await page.evaluate(() => window.studio.worlds.sample("village.tmj")));
  await gone();
  await page.close();
});

test("a search that is added to others is played to its end", async () => {
  const page = await open();
  await atEnd(page);
  // Dijkstra expands more than A*.
  await page.click("#compare");
  await page.waitForFunction(() => window.studio.traces.length === 2 && window.studio.stage.panes.every((pane) => pane.cursor));
  await eventually(async () => {
    const ends = await page.evaluate(() => window.studio.stage.panes.map((pane) => pane.isAtEnd));
    assert.deepEqual(ends, [true, true]);
  });
  // Who looks at the middle stays there.
  await page.locator("#scrub").fill("40");
  await page.keyboard.press("c");
  await page.waitForFunction(() => window.studio.traces.length === 3);
  await settled(page);
  assert.equal(await page.evaluate(() => window.studio.time.at), 40);
  await page.close();
});

test("another world is opened under agents that walk, without a word", async () => {
  const page = await open();
  await answered(page);
  // Whatever the page says is kept, also if it is gone soon.
  await page.evaluate(() => {
    window.said = [];
    const message = document.getElementById("message");
    new MutationObserver(() => window.said.push(message.textContent)).observe(message, { childList: true, characterData: true, subtree: true });
  });
  for (const name of ["village.tmj", "", "maze.txt"]) {
    await page.evaluate(() => window.studio.setMode("agents"));
    await page.waitForFunction(() => window.studio.walking.isOn && window.studio.walking.now > 3);
    // A tick is under way while the world is opened.
    const isOpen = await page.evaluate((name) => {
      const { worlds, walking } = window.studio;
      const opening = name ? worlds.sample(name) : worlds.generate("terrain", 3);
      walking.step(1);
      for (let tick = 0; tick < 5; tick++) walking.app.engine.call("agentsAt", walking.now + tick, -1, false).catch(() => {});
      walking.play();
      return opening;
    }, name);
    assert.ok(isOpen);
    await settled(page);
  }
  assert.deepEqual(await page.evaluate(() => window.said), []);
  await page.close();
});

test("keys are taken while a checkbox has the focus", async () => {
  const page = await open();
  await atEnd(page);
  await page.keyboard.press("a");
  await page.waitForFunction(() => window.studio.walking.isOn);
  await page.locator("#density").focus();
  await page.keyboard.press("a");
  await page.waitForFunction(() => !window.studio.walking.isOn);
  // Space is the checkbox's own.
  await page.keyboard.press("a");
  await page.waitForFunction(() => window.studio.walking.isOn && window.studio.time.isPlaying);
  await page.locator("#density").focus();
  const before = await page.locator("#density").isChecked();
  await page.keyboard.press(" ");
  assert.equal(await page.locator("#density").isChecked(), !before);
  assert.ok(await page.evaluate(() => window.studio.time.isPlaying));
  // A number that is typed is no key.
  await page.locator("#count").focus();
  await page.keyboard.press("a");
  assert.ok(await page.evaluate(() => window.studio.walking.isOn));
  await page.close();
});

test("the whole map is shown when a phone is turned", async () => {
  const page = await open("", { width: 390, height: 844 });
  await atEnd(page);
  const isWhole = () =>
    page.evaluate(() => {
      const { stage } = window.studio;
      const [pane] = stage.panes;
      const [left, top, right, bottom] = pane.map.bounds;
      const box = pane.element.getBoundingClientRect();
      const corners = [stage.over(pane, [left, top]), stage.over(pane, [right, bottom])];
      const [[x, y], [toX, toY]] = corners;
      const isInside = x >= box.left && y >= box.top && toX <= box.right && toY <= box.bottom;
      // And as large as there is room, in one of the two directions.
      return isInside && (toX - x > 0.8 * box.width || toY - y > 0.5 * box.height);
    });
  for (const [width, height] of [[844, 390], [390, 844]]) {
    await page.setViewportSize({ width, height });
    await eventually(async () => assert.ok(await isWhole(), `${width} × ${height}`), 10_000);
  }
  await page.close();
});

/** Opens files whose texts are made in the page; does not wait for it. */
const drop = (page, files) =>
  page.evaluate((files) => {
    const made = Object.entries(files).map(([name, text]) => new File([text], name));
    window.dropped = window.studio.worlds.openFiles(made);
  }, files);

test("what takes long to open says so, and is given up: the world before is there as it was painted", async () => {
  const page = await open();
  await atEnd(page);
  await drop(page, { "Own Yard.txt": "S.....\n......\n.....G\n" });
  await eventually(async () => assert.equal(await page.locator("#world").textContent(), "Own Yard"));
  await settled(page);
  const seen = () =>
    page.evaluate(() => {
      const { about, shape } = window.studio.opened;
      return { name: about.name, ground: Array.from(shape.ground, (number) => shape.grounds[number].name) };
    });
  await page.evaluate(async () => {
    const app = window.studio;
    app.painting.choose("paint");
    app.painting.beginPull();
    app.painting.brush([2.5, 1.5], [2.5, 2.5]);
    app.painting.endPull();
    app.painting.choose("move");
  });
  await settled(page);
  const before = await seen();
  assert.ok(before.ground.some((ground) => ground !== before.ground[0]), "something is painted");
  const dropLarge = () =>
    page.evaluate(() => {
      const row = `${".".repeat(4000)}\n`;
      window.told = [];
      const watch = new MutationObserver(() => window.told.push(`${document.getElementById("opening-name").textContent} ${document.getElementById("opening-share").value}`));
      watch.observe(document.getElementById("opening-name"), { childList: true });
      window.dropped = window.studio.worlds.openFiles([new File([row.repeat(3000)], "Large.txt")]);
    });
  await dropLarge();
  await page.waitForFunction(() => !document.getElementById("opening").hidden);
  assert.match(await page.locator("#opening").textContent(), /Opening Large\.txt: .+ …\s*Cancel/);
  await page.click("#cancel");
  await eventually(async () => assert.match(await page.locator("#message").textContent(), /^Given up\./));
  await settled(page);
  assert.equal(await page.locator("#opening").isHidden(), true);
  assert.deepEqual(await seen(), before);
  // Not given up, it tells what it does until it is open.
  await dropLarge();
  assert.equal(await page.evaluate(() => window.dropped), true);
  const told = await page.evaluate(() => window.told);
  assert.ok(told.length >= 4 && /reading the file/.test(told.join()) && /two places/.test(told.join()), `${told}`);
  await page.waitForFunction(() => document.getElementById("opening").hidden && window.studio.opened.about.states === 12_000_000);
  await page.close();
});

test("a Tiled map that says nothing is open everywhere: that is said first, and its tiles are offered", async () => {
  const page = await open();
  await atEnd(page);
  const layer = (name, tiles) => `<layer name="${name}" width="5" height="3"><data encoding="csv">${tiles}</data></layer>`;
  const map = `<map orientation="orthogonal" width="5" height="3" tilewidth="16" tileheight="16"><tileset firstgid="1"/>${layer("Ground", Array(15).fill(1).join(","))}${layer("Trees", "0,0,2,0,0,0,0,2,0,0,0,0,0,0,0")}</map>`;
  await drop(page, { "forest.tmx": map });
  await eventually(async () => assert.match(await page.locator("#message").textContent(), /^Every place of this map is open\. Choose under Terrain/));
  await settled(page);
  assert.match(await page.locator("#about").textContent(), /^forest: tile map, [^.]+\. every place with a tile is open/i);
  const before = await page.evaluate(() => window.studio.traces[0].report.cost);
  const tree = page.locator("#grounds").getByRole("checkbox", { name: "Trees, tile 1" });
  assert.ok(await tree.isVisible());
  await shot(page, "tiles-offered");
  await tree.uncheck();
  await eventually(async () => {
    await settled(page);
    const { open, cost } = await page.evaluate(() => {
      const { opened, traces } = window.studio;
      const { grounds, ground } = opened.shape;
      return { open: [...ground].filter((number) => grounds[number].is_open).length, cost: traces[0].report.cost };
    });
    assert.ok(open === 13 && cost > before, `${open} ${cost} ${before}`);
  });
  await page.close();
});

test("names of files keep their case; a Tiled map without its tile set says which file to drop with it", async () => {
  const page = await open();
  await atEnd(page);
  const layer = '<layer id="1" name="g" width="2" height="1"><data encoding="csv">1,1</data></layer>';
  const map = `<map version="1.10" orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16"><tileset firstgid="1" source="ground.tsx"/>${layer}</map>`;
  const tiles = '<tileset version="1.10" name="ground" tilewidth="16" tileheight="16" tilecount="1" columns="1"><image source="ground.png" width="16" height="16"/></tileset>';
  const message = () => page.locator("#message").textContent();
  await drop(page, { "innerYard.tmx": map });
  await eventually(async () => assert.equal(await message(), "innerYard.tmx needs ground.tsx: drop both together, or choose both in the dialogue."));
  await drop(page, { "ground.tsx": tiles, "innerYard.tmx": map });
  await eventually(async () => assert.equal(await page.locator("#world").textContent(), "innerYard"));
  await settled(page);
  await drop(page, { "brokenMap.txt": "" });
  await eventually(async () => assert.match(await message(), /^brokenMap\.txt:1: /));
  await page.close();
});

test("the legend tells the grounds of the world; the gallery is behind the button that says so", async () => {
  const page = await open();
  await atEnd(page);
  const legend = () => page.locator("#legend li").allTextContents();
  const used = await page.evaluate(() => {
    const { ground, grounds } = window.studio.opened.shape;
    return [...new Set(ground)].map((number) => grounds[number].name);
  });
  const lines = await legend();
  assert.ok(used.length > 3);
  for (const name of used) assert.ok(lines.includes(name), `${name} in ${lines}`);
  await page.getByRole("button", { name: "Worlds", exact: true }).click();
  // Each world has its picture.
  const cards = page.locator("#gallery .cards button");
  assert.ok((await cards.count()) > 30);
  for (const card of await cards.all()) {
    await card.scrollIntoViewIfNeeded();
    await eventually(async () => assert.ok((await card.locator("img").evaluate((image) => image.naturalWidth)) > 300, await card.textContent()));
  }
  await page.locator("#gallery .cards button", { hasText: "Maze" }).first().click();
  await eventually(async () => assert.ok(!(await legend()).includes(used[0]), String(await legend())));
  // Searches have the names that people know.
  const names = await page.locator(".algorithm option").allTextContents();
  assert.ok(names.includes("A*") && names.includes("Dijkstra") && !names.includes("astar"), String(names));
  await page.close();
});

test("why there is no path stands on the map, and what would open one is tried there", async () => {
  for (const size of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
    const page = await open("", size);
    assert.ok(await page.evaluate(() => window.studio.worlds.sample("two-islands.txt")));
    await page.waitForFunction(() => window.studio.why?.reason);
    const card = page.locator("#no-path");
    await eventually(async () => assert.match(await card.textContent(), /No path:.*There is a path/));
    const [box, stage] = [await card.boundingBox(), await page.locator("#stage").boundingBox()];
    assert.ok(box.x >= stage.x && box.y >= stage.y && box.x + box.width <= stage.x + stage.width && box.y + box.height <= stage.y + stage.height, "over the map");
    await card.getByRole("button", { name: "Close" }).click();
    assert.ok(await card.isHidden());
    // A search that gave up may go on.
    assert.ok(await page.evaluate(() => window.studio.worlds.generate("terrain", 7)));
    await atEnd(page);
    await page.evaluate(() => window.studio.setLimit(20));
    await eventually(async () => assert.match(await card.textContent(), /may make .+ expansions/));
    await card.getByRole("button", { name: "Try" }).click();
    await eventually(async () => assert.ok(await page.evaluate(() => window.studio.traces[0].report.found)));
    await eventually(async () => assert.ok(await card.isHidden()));
    await page.close();
  }
});

const program = process.env.WAYFARE_PROGRAM;
const skip = program ? false : "WAYFARE_PROGRAM names no wayfare command to open the files with";

test("what was painted is taken out, and the command opens it and finds the same path", { skip }, async () => {
  const page = await open();
  const folder = mkdtempSync(join(tmpdir(), "wayfare-"));
  const run = (...given) => JSON.parse(execFileSync(program, [...given, "--format", "json"], { encoding: "utf8" }));
  /** Exports, and keeps the files; returns the path of the last one. */
  const take = async (id, files = 1) => {
    const downloads = [];
    const keep = (download) => downloads.push(download);
    page.on("download", keep);
    await page.click("#export");
    await page.click(id);
    await eventually(async () => assert.equal(downloads.length, files));
    page.off("download", keep);
    let path = "";
    for (const download of downloads) {
      path = join(folder, download.suggestedFilename());
      copyFileSync(await download.path(), path);
    }
    return path;
  };
  /** Paints or erases walls at the path, and says where the ends are and what the path costs then. */
  const painted = async (tool) => {
    await atEnd(page);
    await page.evaluate((tool) => {
      const app = window.studio;
      const [x, y] = app.stage.panes[0].route[Math.floor(app.stage.panes[0].route.length / 2)];
      app.painting.choose(tool);
      app.painting.beginPull();
      app.painting.brush([x - 1, y - 1], [x + 1, y + 1]);
      app.painting.endPull();
      app.painting.choose("move");
    }, tool);
    await atEnd(page);
    return page.evaluate(() => {
      const app = window.studio;
      const place = ({ spot }) => spot.map(Math.floor).join(",");
      return { from: place(app.ends.start), to: place(app.ends.goal), cost: app.traces[0].report.cost, name: app.opened.about.name };
    });
  };
  const near = (a, b, what) => assert.ok(Math.abs(a - b) < 1e-3 * b, `${what}: ${a} and ${b}`);
  try {
    const terrain = await painted("paint");
    for (const [format, files] of [["tmj", 1], ["txt", 1], ["png", 2]]) {
      const file = await take(`#export-map-${format}`, files);
      near(run("solve", file, "--from", terrain.from, "--to", terrain.to, "--algorithm", "astar").cost, terrain.cost, format);
    }
    // Text holds the ends, and so does the scene.
    near(run("solve", join(folder, `${terrain.name}.txt`), "--algorithm", "astar").cost, terrain.cost, "the ends of the text");
    near(run("solve", await take("#export-scene"), "--algorithm", "astar").cost, terrain.cost, "scene");
    // The trace of a generated, painted world, over the world that was taken out.
    const trace = await take("#export-trace");
    const picture = join(folder, "again.png");
    run("replay", trace, "--world", join(folder, `${terrain.name}.tmj`), "-o", picture);
    assert.ok(statSync(picture).size > 3000);
    // Moving AI has no costs of grounds, and says so.
    await page.click("#export");
    await page.click("#export-map-map");
    await eventually(async () => assert.match(await page.locator("#message").textContent(), /cannot say what terrain '.+' costs/));

    assert.ok(await page.evaluate(() => window.studio.worlds.sample("maze.txt")));
    const maze = await painted("erase");
    const file = await take("#export-map-map");
    near(run("solve", file, "--from", maze.from, "--to", maze.to, "--algorithm", "astar").cost, maze.cost, "map");
  } finally {
    rmSync(folder, { recursive: true });
  }
  await page.close();
});

test("beside each other on a phone, searches keep to their panes, and their maps lie below their counters", async () => {
  const page = await open("", { width: 390, height: 844 });
  await atEnd(page);
  for (const count of [2, 3, 4]) {
    await page.click("#compare");
    await page.waitForFunction((count) => window.studio.stage.panes.length === count, count);
  }
  await atEnd(page);
  await shot(page, "compare-phone");
  const seen = await page.evaluate(() =>
    window.studio.stage.panes.map(({ element }) => {
      const [pane, chip] = [element, element.querySelector(".chip")].map((one) => one.getBoundingClientRect());
      const over = [...element.querySelectorAll(".chip select, .chip .close, .counters div")].map((one) => one.getBoundingClientRect());
      return { isWithin: over.every(({ width, right }) => width === 0 || right <= chip.right + 1) && chip.right <= pane.right, share: chip.height / pane.height };
    }),
  );
  assert.equal(seen.length, 4);
  assert.ok(seen.every(({ isWithin, share }) => isWithin && share < 0.45), JSON.stringify(seen));
  await page.close();
});
