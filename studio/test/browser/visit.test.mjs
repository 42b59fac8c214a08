// A visit from the first drag to an export that the command opens, by mouse and keys alone.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, afterEach } from "node:test";
import { fileURLToPath } from "node:url";
import { start } from "./page.mjs";
import { atEnd, eventually, settled, shot, still } from "./tools.mjs";

const { open, stop, errors } = await start();
after(stop);
afterEach(() => assert.deepEqual(errors.splice(0), [], "errors in the page"));

const program = process.env.WAYFARE_PROGRAM;
const skip = program ? false : "WAYFARE_PROGRAM names no wayfare command to open the files with";

const endPoint = (page, which) =>
  page.evaluate((which) => {
    const app = window.studio;
    return app.stage.over(app.stage.panes[0], app.ends[which].spot);
  }, which);

const pull = async (page, from, to) => {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 8 });
  await page.mouse.up();
};

test("a visitor drags, compares, opens three files, paints, exports, and opens the export with the command", { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "wayfare-"));
  const world = (name) => fileURLToPath(new URL(`../../../worlds/${name}`, import.meta.url));
  const page = await open();
  const said = () => page.locator("#message:not([hidden])").allTextContents();
  try {
    // Drags the goal: the path follows.
    await atEnd(page);
    const before = await page.evaluate(() => window.studio.traces[0].report.cost);
    const goal = await endPoint(page, "goal");
    await pull(page, goal, [goal[0] - 150, goal[1] + 40]);
    await settled(page);
    assert.notEqual(await page.evaluate(() => window.studio.traces[0].report.cost), before);
    assert.deepEqual(await said(), []);

    // Compares, and plays to the end.
    await page.click("#compare");
    await page.waitForFunction(() => window.studio.stage.panes.length === 2);
    await atEnd(page);
    assert.ok(await page.evaluate(() => window.studio.traces.every(({ report }) => report.found)));
    assert.deepEqual(await said(), []);

    // Three files of the visitor's: a level, a picture, a Tiled map. Agents walk on the first.
    const [level, picture, tiled] = ["house.glb", "Maze.png", "forest.tmx"].map((name) => join(folder, name));
    execFileSync(program, ["convert", world("house.obj"), level]);
    execFileSync(program, ["convert", world("maze.txt"), picture]);
    const layer = (name, tiles) => `<layer name="${name}" width="6" height="6"><data encoding="csv">${tiles}</data></layer>`;
    writeFileSync(tiled, `<map orientation="orthogonal" width="6" height="6" tilewidth="16" tileheight="16"><tileset firstgid="1"/>${layer("Ground", Array(36).fill(1).join(","))}${layer("Walls", `0,0,0,2,0,0,0,0,0,2,0,0,0,0,0,2,0,0,${Array(18).fill(0).join(",")}`)}</map>`);
    const opened = async (file, name) => {
      await page.locator("#file").setInputFiles(file);
      await eventually(async () => assert.equal(await page.locator("#world").textContent(), name));
      await atEnd(page);
      assert.deepEqual(await said(), [], name);
    };
    await opened(level, "house");
    await page.click("[data-mode-choice=agents]");
    await page.waitForFunction(() => window.studio.walking.now > 20, null, { timeout: 60_000 });
    await page.keyboard.press("Space");
    await still(page);
    assert.ok(await page.evaluate(() => window.studio.walking.agents.speeds.some((speed) => speed > 0.5)));
    await shot(page, "visit-level");
    await opened(picture, "Maze");
    await opened(tiled, "forest");
    assert.ok(await page.evaluate(() => window.studio.traces[0].report.found));

    // Paints a wall across the path: it goes round.
    const straight = await page.evaluate(() => window.studio.traces[0].report.cost);
    await page.click("[data-tool=paint]");
    const path = await page.evaluate(() => {
      const app = window.studio;
      const [pane] = app.stage.panes;
      return app.stage.over(pane, pane.route[Math.floor(pane.route.length / 2)]);
    });
    await pull(page, path, path);
    await settled(page);
    await shot(page, "visit-painted");
    const painted = await page.evaluate(() => {
      const app = window.studio;
      const place = ({ spot }) => spot.map(Math.floor).join(",");
      return { cost: app.traces[0].report.cost, from: place(app.ends.start), to: place(app.ends.goal) };
    });
    assert.ok(painted.cost > straight, `${painted.cost} and ${straight}`);

    // Exports, and the command finds the same path in the file.
    const download = page.waitForEvent("download");
    await page.click("#export");
    await page.click("#export-map-tmj");
    const file = join(folder, "taken.tmj");
    copyFileSync(await (await download).path(), file);
    const found = JSON.parse(execFileSync(program, ["solve", file, "--from", painted.from, "--to", painted.to, "--algorithm", "astar", "--format", "json"], { encoding: "utf8" }));
    assert.ok(Math.abs(found.cost - painted.cost) < 1e-3 * painted.cost, `${found.cost} and ${painted.cost}`);
    // The page opens it, too.
    await page.locator("#file").setInputFiles(file);
    await eventually(async () => assert.equal(await page.locator("#world").textContent(), "taken"));
    await atEnd(page);
    assert.deepEqual(await said(), []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await page.close();
  }
});
