// Agents on worlds of every kind, in a real browser.
import assert from "node:assert/strict";
import test, { after, afterEach } from "node:test";
import { start } from "./page.mjs";
import { answered, atEnd, eventually, pixels, shot, still } from "./tools.mjs";

const { open, stop, errors } = await start();
after(stop);
afterEach(() => assert.deepEqual(errors.splice(0), [], "errors in the page"));

/** Opens a sample, and puts agents on it. They rest after some ticks. */
const walkOn = async (page, name, ticks = 40) => {
  assert.equal(await page.evaluate((name) => window.studio.worlds.sample(name), name), true);
  await atEnd(page);
  await page.evaluate(() => (document.getElementById("count").value = "60"));
  await page.locator("[data-mode-choice=agents]").click();
  await page.waitForFunction((ticks) => window.studio.walking.now > ticks, ticks, { timeout: 60_000 });
  await page.evaluate(() => window.studio.walking.pause());
  await still(page);
};

const walk = (page) =>
  page.evaluate(() => {
    const { now, agents, planner, scenery, way, chosen, isOn } = window.studio.walking;
    return {
      now,
      isOn,
      chosen,
      count: agents?.count,
      moving: agents?.speeds.filter((speed) => speed > 0.5).length,
      failed: planner?.failed,
      obstacles: scenery?.obstacles.length,
      dangers: scenery?.dangers.length,
      way: way && [...way.slice(-3)],
    };
  });

/** Where an agent is seen, in the window. */
const agentPoint = (page, agent) =>
  page.evaluate((agent) => {
    const { stage, walking } = window.studio;
    const at = walking.agents.ids.indexOf(agent) * 3;
    const [x, y, z] = walking.agents.places.subarray(at, at + 3);
    return stage.project(stage.panes[0], [x, y + 0.6, z]);
  }, agent);

for (const [name, spot] of [
  ["courtyard.obj", "a level"],
  ["voxel-village.voxels", "blocks"],
]) {
  test(`agents walk on ${spot}: they are chosen, sent and hindered`, async () => {
    const page = await open();
    await walkOn(page, name);
    const begun = await walk(page);
    assert.equal(begun.count, 60);
    assert.ok(begun.moving > 30, `${begun.moving} of 60 move`);
    assert.equal(begun.failed, 0);
    await shot(page, `agents-${name}`);

    // One that is seen from here is chosen by a click.
    const seen = await page.evaluate(() => {
      const { walking, stage } = window.studio;
      const box = stage.canvas.getBoundingClientRect();
      return [...walking.agents.ids].find((id, at) => {
        const [x, y, z] = walking.agents.places.subarray(at * 3, at * 3 + 3);
        const [left, top] = stage.project(stage.panes[0], [x, y + 0.8, z]);
        return left > box.left + 300 && left < box.right - 300 && top > box.top + 150 && top < box.bottom - 150 && walking.near(left, top) === id;
      });
    });
    const [x, y] = await agentPoint(page, seen);
    await page.mouse.click(x, y);
    await page.waitForFunction(() => window.studio.walking.agent !== null);
    await still(page);
    assert.equal((await walk(page)).chosen, seen);
    const ahead = await page.evaluate(() => window.studio.walking.bodies.joints.mesh.count);
    assert.ok(ahead > 1, "its way is drawn");

    // Sent to where the path of the search went through.
    const goal = await page.evaluate(() => {
      const { ends } = window.studio;
      return [...ends.goal.place];
    });
    await page.evaluate(([x, y, z]) => window.studio.walking.meddle(() => window.studio.engine.call("order", Uint32Array.of(window.studio.walking.chosen), x, y, z)), goal);
    await still(page);
    await page.evaluate(() => window.studio.walking.step(3));
    await still(page);
    await eventually(async () => {
      const { way } = await walk(page);
      assert.ok(Math.hypot(way[0] - goal[0], way[2] - goal[2]) < 1.5, `${way} for ${goal}`);
    });

    const at = await page.evaluate(() => {
      const { stage, ends } = window.studio;
      return stage.project(stage.panes[0], ends.start.place);
    });
    await page.keyboard.press("b");
    await page.mouse.click(...at);
    await eventually(async () => assert.equal((await walk(page)).obstacles, 4));
    await page.keyboard.press("d");
    await page.mouse.click(at[0] + 30, at[1]);
    await eventually(async () => assert.ok((await walk(page)).dangers > 0));
    await page.evaluate(() => window.studio.walking.toggleDensity(true));
    const drawn = await page.evaluate(() => {
      const { pillars, hazards, heat, agents } = window.studio.walking.bodies;
      return [pillars, hazards, heat, agents].map(({ mesh }) => mesh.count);
    });
    assert.ok(drawn.every((count) => count > 0), `${drawn}`);
    await shot(page, `meddled-${name}`);
    await page.keyboard.press("Home");
    await still(page);
    assert.deepEqual(await walk(page).then(({ obstacles, dangers }) => [obstacles, dangers]), [0, 0]);
    await page.close();
  });
}

test("agents behind walls are seen, dimmed, and those above the cut are not", async () => {
  const page = await open();
  await page.evaluate(() => window.studio.worlds.sample("house.toml"));
  await page.waitForFunction(() => window.studio.walking.now > 20, null, { timeout: 60_000 });
  await page.evaluate(() => window.studio.walking.pause());
  await still(page);
  const drawn = await page.evaluate(() => {
    const { bodies } = window.studio.walking;
    return { ghosts: bodies.agents.ghost.count, agents: bodies.agents.mesh.count };
  });
  assert.ok(drawn.agents > 0 && drawn.ghosts === drawn.agents);
  const cut = await page.evaluate(() => {
    const app = window.studio;
    app.setCut(0.5);
    app.stage.draw();
    return app.walking.bodies.plane.constant;
  });
  assert.equal(cut, 0.5);
  await shot(page, "house-cut");
  await page.close();
});

test("agents move as the panel says, among waypoints and cells, too", async () => {
  const page = await open();
  await walkOn(page, "obstacles.toml");
  assert.equal((await walk(page)).failed, 0);
  assert.ok((await walk(page)).moving > 10);
  await shot(page, "agents-waypoints");
  await page.keyboard.press("a");
  await page.waitForFunction(() => !window.studio.walking.isOn);

  // Diagonals between corners join both halves of this yard.
  const yard = "S...#\n...#.\n..#..\n.#...\n#...G\n";
  await page.evaluate((yard) => window.studio.worlds.openFiles([new File([yard], "halves.txt")]), yard);
  await answered(page);
  const sides = async () => {
    await page.evaluate(() => (document.getElementById("count").value = "12"));
    await page.evaluate(() => window.studio.setMode("agents"));
    await page.waitForFunction(() => window.studio.walking.isOn);
    await page.evaluate(() => window.studio.walking.pause());
    await still(page);
    const seen = new Set();
    for (let tick = 0; tick < 400; tick += 20) {
      await page.evaluate((tick) => window.studio.engine.call("agentsAt", tick, -1, false), tick);
      const places = await page.evaluate((tick) => window.studio.engine.call("agentsAt", tick, -1, false).then(({ agents }) => [...agents.places]), tick);
      for (let at = 0; at < places.length; at += 3) seen.add(places[at] + places[at + 2] > 5);
    }
    await page.evaluate(() => window.studio.setMode("search"));
    await page.waitForFunction(() => !window.studio.walking.isOn);
    return seen.size;
  };
  assert.equal(await sides(), 1);
  await page.evaluate(() => window.studio.movement.change("corners=always"));
  await answered(page);
  assert.equal(await sides(), 2);
  await page.close();
});

test("doors are drawn, and those that are shut have another colour", async () => {
  const page = await open();
  const scene = `scene = { name = "gates", map = """
.....#.....
.....#.....
.....#.....
"""}
nav_links = [
  { name = "open door", kind = "door", from = [4, 0], to = [6, 0], seconds = 1 },
  { name = "shut door", kind = "door", from = [4, 2], to = [6, 2], seconds = 1, gate = "locked", key = "brass" },
]
classes = [{ name = "anyone" }, { name = "warden", keys = ["brass"] }]
`;
  assert.equal(await page.evaluate((scene) => window.studio.worlds.openFiles([new File([scene], "gates.toml")]), scene), true);
  await atEnd(page);
  const middles = () =>
    page.evaluate(() => {
      const { stage } = window.studio;
      return [0.5, 2.5].map((row) => stage.over(stage.panes[0], [5.5, row]));
    });
  const looks = await page.evaluate(() => ({ passages: window.studio.opened.passages.map(({ name, is_open }) => [name, is_open]) }));
  const [green, red] = [[0, 158, 115], [213, 60, 40]];
  assert.deepEqual(looks.passages, [
    ["door 'open door'", true],
    ["door 'shut door'", false],
  ]);
  const near = (a, b) => Math.hypot(...a.map((part, at) => part - b[at]));
  const shut = (await pixels(page, await middles()))[1];
  assert.ok(near(shut, red) < near(shut, green), `${shut}`);
  await shot(page, "doors");
  // With the key it is open.
  await page.evaluate(() => window.studio.movement.change("keys=brass"));
  await answered(page);
  assert.ok(await page.evaluate(() => window.studio.opened.passages.every(({ is_open }) => is_open)));
  const opened = (await pixels(page, await middles()))[1];
  assert.ok(near(opened, green) < near(opened, red), `${opened}`);
  assert.match(await page.locator("#legend").textContent(), /passage/);
  await page.close();
});
