// Levels in space, their bakes, and what else came with them, in a real browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { after, afterEach } from "node:test";
import { start } from "./page.mjs";
import { acrossPath, atEnd, eventually, pixels, settled, shot, still } from "./tools.mjs";

const { open, stop, errors } = await start();
after(stop);
afterEach(() => assert.deepEqual(errors.splice(0), [], "errors in the page"));

const message = (page) => page.locator("#message").textContent();

/** A sample with its whole search. */
const sample = async (page, name) => {
  assert.equal(await page.evaluate((name) => window.studio.worlds.sample(name), name), true);
  if (await page.evaluate(() => window.studio.walking.isOn)) await page.evaluate(() => window.studio.setMode("search"));
  await atEnd(page);
};

const isNear = (a, b, by = 30) => a.every((part, at) => Math.abs(part - b[at]) <= by);

/** The points of the window at which both ends are. */
const endPoints = (page) =>
  page.evaluate(() => {
    const { stage, ends } = window.studio;
    return [ends.start.place, ends.goal.place].map((place) => stage.project(stage.panes[0], place));
  });

test("a level is seen in space, with its mesh, its intervals, its corridor and its path", async () => {
  const page = await open();
  await sample(page, "courtyard.obj");
  const seen = await page.evaluate(() => {
    const app = window.studio;
    const [{ map }] = app.stage.panes;
    const { report, intervals, events } = app.traces[0];
    return {
      level: map.level.geometry.getAttribute("position").count,
      shown: map.intervalsShown,
      corridor: [...report.corridor],
      inMap: [...map.corridor],
      perEvent: intervals.length / events.count,
      route: map.way.route.visible,
      algorithms: app.opened.suited,
    };
  });
  assert.ok(seen.level > 300, `${seen.level} corners`);
  assert.equal(seen.perEvent, 9);
  assert.ok(seen.corridor.length > 3 && seen.corridor.every((polygon) => seen.inMap.includes(polygon)));
  assert.ok(seen.route && seen.shown > 5);
  assert.deepEqual(seen.algorithms, ["polyanya", "corridor"]);
  await shot(page, "level-light");
  // The goal is drawn where the page thinks it is.
  const look = await page.evaluate(() => window.studio.look.goal);
  const [, goal] = await endPoints(page);
  assert.ok(isNear((await pixels(page, [goal]))[0], look), "the goal");
  // A step back takes the path and its corridor away; one interval an expansion.
  await page.keyboard.press("ArrowLeft");
  const before = await page.evaluate(() => {
    const app = window.studio;
    const [{ map }] = app.stage.panes;
    return { at: app.time.at, shown: map.intervalsShown, route: map.way.route.visible, inMap: map.corridor.size, present: map.present.visible };
  });
  assert.deepEqual(before, { at: before.at, shown: before.at, route: false, inMap: 0, present: true });
  await shot(page, "level-step-back");
  await page.selectOption("#palette", "dark");
  await page.evaluate(() => window.studio.time.step(Infinity));
  await page.waitForTimeout(200);
  await shot(page, "level-dark");
  await page.close();
});

test("an end is dragged over the floors of a house, and keys move it; the cut opens the house", async () => {
  const page = await open();
  await sample(page, "house.toml");
  // The cut leaves the upper storey open: the pointer finds its floor.
  const place = () => page.evaluate(() => window.studio.ends.goal.place);
  const [, goal] = await endPoints(page);
  const upstairs = await page.evaluate(() => {
    const { stage } = window.studio;
    return stage.project(stage.panes[0], [10, 3, 6.8]);
  });
  await page.mouse.move(...goal);
  await page.mouse.down();
  await page.mouse.move(...upstairs, { steps: 6 });
  await page.mouse.up();
  // On its way the goal is upstairs too: the last of the moves counts.
  await page.waitForFunction(() => {
    const [x, y, z] = window.studio.ends.goal.place;
    return y > 2.5 && Math.hypot(x - 10, z - 6.8) < 0.8;
  });
  await settled(page);
  assert.equal(await page.evaluate(() => window.studio.traces[0].report.found), true, "up the stairs");
  await page.evaluate(() => window.studio.time.step(Infinity));
  await shot(page, "house-upstairs");
  // With the upper storey cut away the same point of the window is on the floor below.
  await page.locator("#cut").fill("2.4");
  await page.mouse.move(...(await endPoints(page))[1]);
  const [x, y] = (await endPoints(page))[1];
  await page.mouse.down();
  await page.mouse.move(x - 4, y + 4, { steps: 3 });
  await page.mouse.up();
  await page.waitForFunction(() => window.studio.ends.goal.place[1] < 1);
  await settled(page);
  await page.evaluate(() => window.studio.time.step(Infinity));
  await shot(page, "house-cut");
  // By keys, half a step at a time.
  const low = await place();
  await page.locator("#goal-handle").focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((x) => window.studio.ends.goal.place[0] > x + 0.2, low[0]);
  // The view turns by buttons, and the mesh is seen from above.
  const yaw = await page.evaluate(() => window.studio.stage.orbit.yaw);
  await page.click("#turn-left");
  assert.notEqual(await page.evaluate(() => window.studio.stage.orbit.yaw), yaw);
  await page.check("#flat");
  await eventually(async () => assert.equal(await page.locator("#cut-row").isVisible(), false));
  await page.waitForTimeout(200);
  await shot(page, "house-flat");
  const cost = await page.evaluate(() => window.studio.traces[0].report.cost);
  await page.uncheck("#flat");
  assert.equal(await page.evaluate(() => window.studio.traces[0].report.cost), cost);
  // A link holds the places of both ends.
  const goalPlace = await place();
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 4);
  const other = await open(new URL(page.url()).hash);
  await other.waitForFunction((goal) => {
    const place = window.studio.ends?.goal.place;
    return place && Math.hypot(...place.map((part, at) => part - goal[at])) < 0.01;
  }, goalPlace);
  await settled(other);
  assert.equal(await other.evaluate(() => window.studio.walking.isOn), false, "a link is of searches");
  await other.close();
  await page.close();
});

test("the stages of a bake are shown, and a wider body leaves less ground", async () => {
  const page = await open();
  await sample(page, "courtyard.obj");
  const stages = await page.locator("#bake-stage option").allTextContents();
  assert.equal(stages.length, 8);
  const counts = {};
  for (const stage of ["spans", "filters", "field", "regions", "contours", "polygons", "heights"]) {
    await page.selectOption("#bake-stage", stage);
    await page.waitForFunction((stage) => window.studio.stage.panes[0].map.stage?.shape.stage === stage, stage);
    counts[stage] = await page.evaluate(() => window.studio.stage.panes[0].map.stage.shape.count);
    assert.match(await page.locator("#bake-text").textContent(), /\d/);
    await page.waitForTimeout(100);
    await shot(page, `stage-${stage}`);
  }
  assert.equal(counts.polygons, await page.evaluate(() => window.studio.opened.about.states));
  assert.ok(counts.spans > counts.field && counts.field > counts.regions && counts.heights > counts.polygons, JSON.stringify(counts));
  assert.equal(await page.evaluate(() => window.studio.stage.panes[0].map.fill.visible), false);
  // Another pane shows the same stage.
  await page.selectOption("#bake-stage", "field");
  await page.waitForFunction(() => window.studio.stage.panes[0].map.stage?.shape.stage === "field");
  await page.click("#compare");
  await page.waitForFunction(() => window.studio.traces.length === 2);
  assert.equal(await page.evaluate(() => window.studio.stage.panes[1].map.stage.shape.stage), "field");
  // A wider body, by keys: fewer floors.
  await page.locator("#bake-radius").focus();
  for (let press = 0; press < 8; press++) await page.keyboard.press("ArrowRight");
  assert.equal(await page.textContent("#bake-radius-text"), "0.8 m");
  await page.click("#bake");
  await page.waitForFunction(() => Math.abs(window.studio.opened.bake.radius - 0.8) < 1e-6 && window.studio.stage.panes[0].map.stage?.shape.stage === "field");
  const floors = await page.evaluate(() => window.studio.stage.panes[0].map.stage.shape.count * window.studio.stage.panes[0].map.stage.shape.side ** 2);
  assert.ok(floors < counts.field * 0.04 * 0.95, `${floors} m² for ${counts.field * 0.04}`);
  await shot(page, "stage-field-wide");
  // Nothing is left for a giant: a message, and the mesh as it was.
  await page.locator("#bake-height").fill("4");
  await page.locator("#bake-radius").fill("2");
  await page.locator("#bake-slope").fill("0");
  await page.locator("#bake-step").fill("0");
  const states = await page.evaluate(() => window.studio.opened.about.states);
  await page.evaluate(() => (document.getElementById("bake-radius").max = "60"));
  await page.locator("#bake-radius").fill("40");
  await page.click("#bake");
  await page.waitForFunction(() => !document.getElementById("message").hidden);
  assert.match(await message(page), /walkable/);
  assert.equal(await page.evaluate(() => window.studio.opened.about.states), states);
  await eventually(async () => assert.equal(await page.locator("#bake").isDisabled(), false));
  await page.close();
});

test("a level fits a phone", async () => {
  const page = await open("", { width: 390, height: 780 });
  await sample(page, "courtyard.obj");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} pixels wide`);
  for (const id of ["bake-stage", "bake-radius", "bake", "turn-left", "further", "cut"]) {
    await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    const box = await page.locator(`#${id}`).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390, `${id} at ${box.x}`);
  }
  await page.selectOption("#bake-stage", "regions");
  await page.waitForFunction(() => window.studio.stage.panes[0].map.stage?.shape.stage === "regions");
  await page.waitForTimeout(200);
  await shot(page, "level-phone");
  await page.close();
});

test("danger is undone and made again, on grids and among blocks; a mesh says that it knows none", async () => {
  const page = await open();
  await page.evaluate(() => window.studio.time.step(Infinity));
  await settled(page);
  const known = () => page.evaluate(() => Math.max(0, ...window.studio.danger.known.amounts));
  const cost = () => page.evaluate(() => window.studio.traces[0].report.cost);
  const cheap = await cost();
  await page.keyboard.press("d");
  const [from, to] = await acrossPath(page);
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 6 });
  await page.mouse.up();
  await page.waitForFunction((cheap) => window.studio.traces[0].report.cost > cheap, cheap);
  assert.match(await page.textContent("#danger-text"), /up to [\d.]+ more/);
  await page.waitForFunction(() => !document.getElementById("undo").disabled);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => window.studio.danger.known.states.length === 0);
  await page.waitForFunction((cheap) => window.studio.traces[0].report.cost === cheap, cheap);
  await page.keyboard.press("Control+y");
  await page.waitForFunction((cheap) => window.studio.traces[0].report.cost > cheap, cheap);
  assert.ok((await known()) > 5);
  await page.selectOption("#colouring", "influence");
  await page.waitForFunction(() => /danger, up to/.test(document.getElementById("legend").textContent));
  await shot(page, "danger-influence");
  await page.selectOption("#colouring", "state");

  await sample(page, "voxel-village.voxels");
  const [x, y] = await page.evaluate(() => {
    const { stage } = window.studio;
    const [pane] = stage.panes;
    return stage.project(pane, pane.placed[Math.floor(pane.placed.length / 2)]);
  });
  await page.keyboard.press("d");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y + 8, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction(() => window.studio.danger.known.states.length > 3);
  await page.waitForFunction(() => !document.getElementById("undo").disabled);
  await page.waitForTimeout(300);
  await shot(page, "danger-blocks");
  await page.click("#undo");
  await page.waitForFunction(() => window.studio.danger.known.states.length === 0);
  // Without a pointer.
  await page.keyboard.press("v");
  await page.click("#danger-goal");
  await page.waitForFunction(() => window.studio.danger.known.states.length > 0);

  await sample(page, "courtyard.obj");
  await page.keyboard.press("d");
  assert.match(await message(page), /know no danger/);
  await page.close();
});

test("links follow a waypoint that is pulled", async () => {
  const page = await open();
  await page.selectOption("#palette", "dark");
  await sample(page, "obstacles.toml");
  await shot(page, "waypoints-dark");
  // Floor and wall differ to the eye, in the dark palette too.
  const [floor, wall] = await page.evaluate(() => [window.studio.look.floor, window.studio.look.wall]);
  const light = ([red, green, blue]) => red * 0.3 + green * 0.59 + blue * 0.11;
  assert.ok(light(floor) - light(wall) > 20);
  const points = await page.evaluate(() => {
    const { stage, opened } = window.studio;
    const [pane] = stage.panes;
    const outline = opened.shape.outlines.filter(({ ground }) => ground === null).at(-1);
    const middle = [0, 1].map((axis) => outline.corners.filter((_, at) => at % 2 === axis).reduce((a, b) => a + b) / (outline.corners.length / 2));
    const [left, top] = pane.map.bounds;
    return [stage.over(pane, [left + 0.05, top + 0.05]), stage.over(pane, middle)];
  });
  const [seenFloor, seenWall] = await pixels(page, points);
  assert.ok(isNear(seenFloor, floor, 6) && isNear(seenWall, wall, 6), `${seenFloor} ${seenWall}`);
  await page.keyboard.press("p");
  const from = await page.evaluate(() => window.studio.stage.over(window.studio.stage.panes[0], window.studio.stage.panes[0].map.spot(20)));
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(from[0] + 40, from[1] + 30, { steps: 4 });
  const pulled = await page.evaluate(() => {
    const [pane] = window.studio.stage.panes;
    const { links } = window.studio.opened.shape;
    const linked = new Set();
    links.forEach((state, at) => state === 20 && linked.add(links[at ^ 1]));
    return { strokes: pane.ghost.mesh.geometry.instanceCount, linked: linked.size, hidden: pane.map.pulled };
  });
  assert.ok(pulled.linked > 1);
  assert.deepEqual(pulled, { strokes: pulled.linked + 1, linked: pulled.linked, hidden: 20 });
  await shot(page, "waypoint-pulled");
  await page.mouse.up();
  await page.waitForFunction(() => window.studio.stage.panes[0].map.pulled === -1);
  await page.close();
});

test("a film lasts until it is stopped, and is a GIF where that is wanted", async () => {
  const page = await open();
  await page.evaluate(() => window.studio.worlds.sample("bottleneck.toml"));
  await page.waitForFunction(() => window.studio.walking.now > 5, null, { timeout: 60_000 });
  const film = async (id, seconds) => {
    await page.click("#export");
    const downloading = page.waitForEvent("download", { timeout: 90_000 });
    await page.click(id);
    await page.waitForFunction(() => !document.getElementById("film-stop").hidden);
    await page.waitForTimeout(seconds * 1000);
    assert.equal(await page.evaluate(() => window.studio.time.isPlaying), true, "it still plays");
    await page.keyboard.press(" ");
    const bytes = readFileSync(await (await downloading).path());
    await eventually(async () => assert.equal(await page.locator("#film-stop").isVisible(), false));
    return bytes;
  };
  const webm = await film("#export-webm", 11);
  assert.equal(webm.readUInt32BE(0), 0x1a45dfa3);
  const gif = await film("#export-gif", 2);
  assert.equal(gif.subarray(0, 6).toString("latin1"), "GIF89a");
  assert.equal(gif.at(-1), 0x3b, "whole to its last byte");
  // A browser plays it: several pictures.
  const frames = await page.evaluate(async (coded) => {
    const bytes = Uint8Array.from(atob(coded), (character) => character.charCodeAt(0));
    const decoder = new ImageDecoder({ data: bytes, type: "image/gif" });
    await decoder.tracks.ready;
    await decoder.completed;
    const { image } = await decoder.decode({ frameIndex: 1 });
    return [decoder.tracks.selectedTrack.frameCount, image.displayWidth, image.displayHeight];
  }, gif.toString("base64"));
  assert.ok(frames[0] > 4 && frames[1] > 300 && frames[1] <= 720 && frames[2] > 200, `${frames}`);
  await page.close();
});

test("a recording that was opened is exported as it was", async () => {
  const page = await open();
  await page.evaluate(() => window.studio.time.step(Infinity));
  await settled(page);
  const exported = async () => {
    await page.click("#export");
    const downloading = page.waitForEvent("download");
    await page.click("#export-trace");
    return readFileSync(await (await downloading).path());
  };
  const file = JSON.parse(await exported());
  // Told by its name: a new search would have its own.
  file.searches[0].algorithm = "by-hand";
  await page.locator("#file").setInputFiles({ name: "old.trace.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(file)) });
  await page.waitForFunction(() => window.studio.isReplay && !window.studio.solving);
  await page.evaluate(() => window.studio.time.step(Infinity));
  assert.equal(JSON.parse(await exported()).searches[0].algorithm, "by-hand");
  // Another algorithm searches anew.
  await page.selectOption(".algorithm", "dijkstra");
  await page.waitForFunction(() => !window.studio.isReplay);
  assert.equal(JSON.parse(await exported()).searches[0].algorithm, "dijkstra");
  await page.close();
});

test("a search that gives up says how many expansions it needs; states are coloured by what they are", async () => {
  const page = await open();
  await page.evaluate(() => window.studio.time.step(Infinity));
  await settled(page);
  const needed = await page.evaluate(() => window.studio.traces[0].report.expanded);
  await page.locator("#limit").fill("20");
  await page.locator("#limit").press("Enter");
  await page.waitForFunction(() => /There is a path/.test(document.getElementById("no-path").textContent), null, { timeout: 20_000 });
  const why = await page.textContent("#no-path");
  assert.match(why, /limit|expansions/);
  const told = Number(/may make ([\d\s,.\u2009\u202f]+) expansions/.exec(why)?.[1].replaceAll(/\D/g, ""));
  assert.ok(told > 20 && told <= needed * 2, `${told} of ${needed}: ${why}`);
  await page.locator("#limit").fill(String(told));
  await page.locator("#limit").press("Enter");
  await page.waitForFunction(() => window.studio.traces[0].report.found && !window.studio.solving);
  await page.locator("#limit").fill("");
  await page.locator("#limit").press("Enter");
  await settled(page);
  // The same cells in another colouring have other colours; the goal is far from all walls or not.
  await page.evaluate(() => window.studio.time.step(Infinity));
  for (const colouring of ["component", "clearance"]) {
    await page.selectOption("#colouring", colouring);
    await page.waitForFunction(() => window.studio.field !== null);
    await page.waitForTimeout(100);
    await shot(page, `by-${colouring}`);
  }
  const field = await page.evaluate(() => {
    const { field, opened } = window.studio;
    const { ground, grounds, first, stride, width } = opened.shape;
    const wrong = [...ground].filter((number, cell) => {
      const value = field.values[first + Math.floor(cell / width) * stride + (cell % width)] ?? 0;
      return value > 0 !== grounds[number].is_open;
    });
    return { wrong: wrong.length, most: field.most };
  });
  assert.equal(field.wrong, 0, "clearance where one can stand, and nowhere else");
  assert.ok(field.most > 2);
  await page.close();
});

test("the animations of an agent are weighed by its speed", async () => {
  const page = await open();
  await page.evaluate(() => window.studio.worlds.sample("square.toml"));
  await page.waitForFunction(() => window.studio.walking.now > 40, null, { timeout: 60_000 });
  await page.keyboard.press(" ");
  await still(page);
  await page.evaluate(async () => {
    const { walking } = window.studio;
    let fastest = 0;
    walking.agents.speeds.forEach((speed, at) => (fastest = speed > walking.agents.speeds[fastest] ? at : fastest));
    walking.chosen = walking.agents.ids[fastest];
    walking.target = walking.now;
    await walking.go();
  });
  await page.waitForFunction(() => document.querySelectorAll("#blend .bar").length === 3);
  const [weights, speed] = await page.evaluate(() => {
    const { walking } = window.studio;
    const at = walking.agents.ids.indexOf(walking.chosen);
    return [[...walking.blend], walking.agents.speeds[at]];
  });
  // Idle, walk at 1.4 m/s, run at 4 m/s: two neighbours share.
  const run = Math.max(0, Math.min(1, (speed - 1.4) / 2.6));
  const idle = Math.max(0, 1 - speed / 1.4);
  assert.ok(Math.abs(weights[2] - run) < 1e-3 && Math.abs(weights[0] - idle) < 1e-3, `${weights} at ${speed}`);
  assert.ok(Math.abs(weights[0] + weights[1] + weights[2] - 1) < 1e-5);
  await shot(page, "blend");
  await page.close();
});

test("the open list names the states that are expanded next, and the difference of searches is heat", async () => {
  const page = await open();
  await page.evaluate(() => window.studio.time.pause());
  await page.locator("#frontier summary").focus();
  await page.keyboard.press("Enter");
  await page.evaluate(() => window.studio.time.goTo(300));
  await page.waitForFunction(() => document.querySelectorAll("#frontier-rows tr").length > 0);
  // What comes first in the list is expanded next: its f is the least.
  const next = await page.evaluate(() => {
    const { cursor } = window.studio.stage.panes[0];
    const { g, h } = cursor.trace.events;
    const event = cursor.trace.stops[300];
    return g[event] + h[event];
  });
  // The list is made when the place in time rests.
  await eventually(async () => {
    const first = await page.locator("#frontier-rows tr").first().locator("td").allTextContents();
    assert.ok(Math.abs(Number(first[1].replaceAll(/[^\d.]/g, "")) - next) < 0.06, `${first} and then ${next}`);
  });
  await shot(page, "open-list");
  const last = await page.evaluate(() => Number(document.querySelector("#frontier-rows tr:last-child td:nth-child(2)").textContent));
  assert.ok(last > next, "the first ones differ in f");
  await page.click("#compare");
  await page.waitForFunction(() => window.studio.traces.length === 2 && !window.studio.solving);
  await page.evaluate(() => window.studio.time.step(Infinity));
  await page.selectOption("#colouring", "difference");
  await page.waitForTimeout(200);
  await shot(page, "difference");
  const kinds = await page.evaluate(() => {
    const [a] = window.studio.stage.panes;
    const seen = new Set();
    for (const state of new Set(a.cursor.trace.events.states)) seen.add(String(window.studio.stage.panes[1].colourOf(state)?.[0]));
    return seen.size;
  });
  assert.ok(kinds > 4, `${kinds} colours`);
  await page.close();
});

test("fingers drag the goal and turn, move and near a level", async () => {
  const page = await open("", { width: 390, height: 780 });
  await page.evaluate(() => window.studio.time.step(Infinity));
  await settled(page);
  const client = await page.context().newCDPSession(page);
  const touch = (type, points) => client.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const before = await page.evaluate(() => window.studio.ends.goal.state);
  const [x, y] = await page.evaluate(() => window.studio.stage.over(window.studio.stage.panes[0], window.studio.ends.goal.spot));
  await touch("touchStart", [[x, y]]);
  for (let step = 1; step <= 5; step++) await touch("touchMove", [[x - step * 12, y - step * 4]]);
  await touch("touchEnd", []);
  await page.waitForFunction((goal) => window.studio.ends.goal.state !== goal, before);
  await settled(page);
  await sample(page, "courtyard.obj");
  const orbit = () => page.evaluate(() => ({ yaw: window.studio.stage.orbit.yaw, distance: window.studio.stage.orbit.distance, x: window.studio.stage.orbit.target.x }));
  const unmoved = await orbit();
  await touch("touchStart", [[40, 480]]);
  for (let step = 1; step <= 4; step++) await touch("touchMove", [[40 + step * 20, 480]]);
  await touch("touchEnd", []);
  await eventually(async () => assert.notEqual((await orbit()).yaw, unmoved.yaw));
  const turned = await orbit();
  await touch("touchStart", [[120, 400], [220, 400]]);
  for (let step = 1; step <= 4; step++) await touch("touchMove", [[120 - step * 10, 410], [240 + step * 15, 410]]);
  await touch("touchEnd", []);
  const near = await orbit();
  assert.ok(near.distance < turned.distance * 0.8 && near.x !== turned.x, JSON.stringify([turned, near]));
  assert.equal(near.yaw, turned.yaw);
  await page.close();
});

test("comparing goes on in a level, by searches of its own, and each pane shows all of it", async () => {
  const page = await open();
  await page.keyboard.press("c");
  await settled(page);
  await sample(page, "courtyard.obj");
  const { algorithms, corners } = await page.evaluate(() => {
    const { asked, stage } = window.studio;
    const [low, high] = stage.panes[1].map.box;
    const box = stage.panes[1].element.getBoundingClientRect();
    const corners = [low, [high[0], low[1], low[2]], [low[0], low[1], high[2]], [high[0], low[1], high[2]]];
    return {
      algorithms: asked.map(({ algorithm }) => algorithm),
      corners: corners.map((corner) => stage.project(stage.panes[1], corner)).map(([x]) => [x - box.left, box.right - x]),
    };
  });
  assert.deepEqual(algorithms, ["polyanya", "corridor"]);
  for (const [left, right] of corners) assert.ok(left > 0 && right > 0, `${left} ${right}`);
  await shot(page, "level-compared");
  await page.close();
});
