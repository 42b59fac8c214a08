// What is told of single states: prices of steps, breakpoints in space, influence under danger,
// palettes, passages, in a real browser.
import assert from "node:assert/strict";
import test, { after, afterEach } from "node:test";
import { start } from "./page.mjs";
import { atEnd, eventually, pixels, settled, shot, still } from "./tools.mjs";

const { open, stop, errors } = await start();
after(stop);
afterEach(() => assert.deepEqual(errors.splice(0), [], "errors in the page"));

const sample = async (page, name) => {
  assert.equal(await page.evaluate((name) => window.studio.worlds.sample(name), name), true);
  await atEnd(page);
};

/** Opens a file by its name and text. */
const file = (page, name, text) =>
  page.evaluate(([name, text]) => window.studio.worlds.openFiles([new File([text], name)]), [name, text]);

const isNear = (a, b, by = 12) => a.every((part, at) => Math.abs(part - b[at]) <= by);

const rgb = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** The point of the window at a share of a state's cell. */
const inCell = (page, state, share = [0.5, 0.5]) =>
  page.evaluate(
    ([state, share]) => {
      const { stage } = window.studio;
      const [x, y] = stage.panes[0].map.spot(state);
      return stage.over(stage.panes[0], [x - 0.5 + share[0], y - 0.5 + share[1]]);
    },
    [state, share],
  );

/** Points at a state, and reads what the panel tells of it: numbers by their names. */
const priced = async (page, state) => {
  const [x, y] = await inCell(page, state);
  await page.mouse.move(x + 1, y);
  await page.mouse.move(x, y);
  const place = await page.evaluate(async (state) => (await window.studio.engine.call("name", state, null)).place, state);
  await page.waitForFunction((place) => document.querySelector("#state dd")?.textContent === place, place);
  return page.evaluate(() => {
    const names = [...document.querySelectorAll("#state dt")].map((one) => one.textContent);
    const texts = [...document.querySelectorAll("#state dd")].map((one) => one.textContent);
    return Object.fromEntries(names.map((name, at) => [name, Number(texts[at].replaceAll(/[^\d.\-−]/g, "").replace("−", "-"))]));
  });
};

/** The states of the path, each with what its step costs by the search's own g. */
const steps = (page) =>
  page.evaluate(() => {
    const { cursor } = window.studio.stage.panes[0];
    const { g } = cursor.trace.events;
    const path = [...window.studio.traces[0].report.path];
    return path.slice(1).map((state, at) => [state, g[cursor.eventOf(state)] - g[cursor.eventOf(path[at])]]);
  });

const MARSH = `
scene = { name = "Marsh", map = """
....~~~~....
...~~~~~~...
....~~~~....
"""}
terrains = [
  { name = "meadow", glyph = ".", color = "#b9cb9a" },
  { name = "marsh", glyph = "~", color = "#6f8f7a", multiplier = 3, penalty = 0.5 },
]
`;

test("pointing tells the prices of a step, and they add up to it", async () => {
  const page = await open();
  let seen = new Set();
  const check = async (wanted) => {
    await page.waitForTimeout(50);
    for (const [state, cost] of wanted) {
      const told = await priced(page, state);
      const sum = ["way", "penalty", "blur, slope", "danger"].reduce((sum, name) => sum + (told[name] ?? 0), 0);
      for (const name of Object.keys(told)) seen.add(name);
      assert.ok(Math.abs(sum - cost) < 0.03, `${sum} for ${cost}: ${JSON.stringify(told)}`);
      assert.ok(Math.abs(told.step - cost) < 0.011, `${told.step} for ${cost}`);
    }
  };
  const some = (all, count) => all.filter((_, at) => at % Math.ceil(all.length / count) === 0);
  // Ground that multiplies the way, and costs a penalty besides.
  assert.equal(await file(page, "marsh.toml", MARSH), true);
  await page.waitForFunction(() => window.studio.opened.about.name === "Marsh");
  await atEnd(page);
  const dear = await page.evaluate(() => {
    const app = window.studio;
    const { cursor } = app.stage.panes[0];
    const { g, parents } = cursor.trace.events;
    const { grounds, ground, first, stride, width } = app.opened.shape;
    return [...new Set(cursor.trace.events.states)].flatMap((state) => {
      const cell = Math.floor((state - first) / stride) * width + ((state - first) % stride);
      const before = parents[cursor.eventOf(state)];
      return grounds[ground[cell]].multiplier === 1 || before === state ? [] : [[state, g[cursor.eventOf(state)] - g[cursor.eventOf(before)]]];
    });
  });
  assert.ok(dear.length > 3, "ground that multiplies");
  await check(some(dear, 5));
  // Penalties that are blurred, and danger upon them.
  await sample(page, "hills.toml");
  await check(some(await steps(page), 10));
  await page.evaluate(async () => {
    const app = window.studio;
    const path = app.traces[0].report.path;
    app.danger.known = await app.engine.call("dread", Uint32Array.of(path[Math.floor(path.length / 2)], path[4]), [], 1.5, 3);
    app.danger.take(app.danger.known);
    app.danger.age = async () => {};
    await app.solve("end");
  });
  await settled(page);
  const feared = (await page.evaluate(() => [...window.studio.danger.known.states]));
  const all = await page.evaluate(() => {
    const { cursor } = window.studio.stage.panes[0];
    const { g, parents } = cursor.trace.events;
    return [...window.studio.danger.known.states].flatMap((state) => {
      const event = cursor.eventOf(state);
      const before = event < 0 ? -1 : cursor.eventOf(parents[event]);
      return before < 0 || before === event ? [] : [[state, g[event] - g[before]]];
    });
  });
  assert.ok(feared.length > 4 && all.length > 2, `${feared.length} in danger, ${all.length} searched`);
  await check(some(all, 5));
  await shot(page, "prices");
  for (const name of ["way", "penalty", "blur, slope", "danger", "step", "way ×"]) assert.ok(seen.has(name), `${name} of ${[...seen]}`);
  await page.close();
});

test("breakpoints are seen in space, among blocks and on levels", async () => {
  const page = await open();
  await sample(page, "voxel-village.voxels");
  for (const look of ["dark", "light"]) {
    await page.selectOption("#palette", look);
    await atEnd(page);
    // Pointing at the cube of a state.
    const targets = await page.evaluate(() => {
      const { stage } = window.studio;
      const [pane] = stage.panes;
      const path = pane.report.path;
      return [0.3, 0.4, 0.5, 0.6, 0.7].map((share) => {
        const at = Math.floor(path.length * share);
        return [path[at], ...stage.project(pane, pane.placed[at])];
      });
    });
    let hit = null;
    for (const [state, x, y] of targets) {
      await page.mouse.move(x + 1, y);
      await page.mouse.move(x, y);
      const under = await page.evaluate(([x, y]) => window.studio.stage.stateUnder(window.studio.stage.panes[0], x, y, [0, 0]), [x, y]);
      if (under === state) hit ??= [state, x, y];
    }
    assert.ok(hit, `the cube of a state is under the pointer: ${targets}`);
    const [state, x, y] = hit;
    await page.mouse.move(x + 1, y);
    await page.mouse.move(x, y);
    await page.keyboard.press("x");
    assert.deepEqual(await page.evaluate(() => [...window.studio.breaks.states]), [state]);
    await page.waitForFunction(() => window.studio.stage.panes[0].map.stops.group.children.length === 2);
    await page.evaluate(() => window.studio.time.goTo(0));
    const [red] = await pixels(page, [[x, y]]);
    assert.ok(isNear(red, rgb("#d63031")), `${red}`);
    await shot(page, `breaks-blocks-${look}`);
    await page.evaluate(() => window.studio.time.play());
    await page.waitForFunction(() => !window.studio.time.isPlaying, null, { timeout: 60_000 });
    assert.equal(await page.evaluate(() => window.studio.stage.panes[0].cursor.current()), state, "it stops there");
    await page.locator("#break-clear").click();
    await page.waitForFunction(() => window.studio.stage.panes[0].map.stops.group.children.length === 0);
  }
  await sample(page, "courtyard.obj");
  const [state, ...at] = await page.evaluate(async () => {
    const app = window.studio;
    const { events, stops } = app.stage.panes[0].cursor.trace;
    const seen = [...stops].slice(2, -1).map((event) => events.states[event]);
    const { stage } = app;
    for (const state of seen) {
      const place = [...(await app.engine.call("positions", Uint32Array.of(state)))];
      const [x, y] = stage.project(stage.panes[0], place);
      if (stage.stateUnder(stage.panes[0], x, y, [0, 0]) === state) return [state, x, y];
    }
    return [-1, 0, 0];
  });
  assert.ok(state >= 0, "a polygon is seen");
  await page.mouse.move(at[0] + 1, at[1]);
  await page.mouse.move(...at);
  await page.keyboard.press("x");
  await page.waitForFunction(() => window.studio.stage.panes[0].map.stops.group.children.length === 2);
  await page.evaluate(() => window.studio.time.goTo(0));
  const [red] = await pixels(page, [at]);
  assert.ok(isNear(red, rgb("#d63031")), `${red}`);
  await shot(page, "breaks-level");
  // A pane that comes later shows it, too.
  await page.keyboard.press("c");
  await page.waitForFunction(() => window.studio.stage.panes[1]?.map.stops.group.children.length === 2);
  await page.close();
});

test("influence is coloured round the marks of danger", async () => {
  const page = await open();
  await atEnd(page);
  await page.evaluate(async () => {
    const app = window.studio;
    app.danger.age = async () => {};
    const path = app.traces[0].report.path;
    app.danger.take(await app.engine.call("dread", Uint32Array.of(path[Math.floor(path.length / 2)]), [], 2.5, 12));
    await app.solve("end");
  });
  await settled(page);
  for (const look of ["dark", "light"]) {
    await page.selectOption("#palette", look);
    await page.selectOption("#colouring", "influence");
    await page.waitForFunction(() => window.studio.field !== null);
    const wanted = await page.evaluate(() => {
      const app = window.studio;
      const [pane] = app.stage.panes;
      const path = new Set(app.traces[0].report.path);
      const spots = [...path].map((state) => pane.map.spot(state));
      const isFar = ([x, y]) => spots.every(([left, top]) => Math.hypot(left - x, top - y) > 1.5);
      const states = [...app.danger.known.states].filter((state) => isFar(pane.map.spot(state)));
      return states.slice(0, 6).map((state) => [state, pane.colourOf(state)[0]]);
    });
    assert.ok(wanted.length > 1, `${wanted.length} cells beside the path`);
    for (const [state, colour] of wanted) {
      const [side, middle] = await pixels(page, [await inCell(page, state, [0.88, 0.88]), await inCell(page, state)]);
      assert.ok(isNear(side, colour, 50), `${side} for ${colour}`);
      const apart = Math.max(...side.map((part, at) => Math.abs(part - middle[at])));
      assert.ok(apart > 40, `${side} and ${middle}`);
    }
    await shot(page, `influence-${look}`);
    await page.selectOption("#colouring", "state");
    const [[state]] = wanted;
    const [corner, middle] = await pixels(page, [await inCell(page, state, [0.75, 0.75]), await inCell(page, state)]);
    assert.ok(isNear(corner, middle, 12), `with other colours a mark is as wide as it was: ${corner}, ${middle}`);
  }
  await page.close();
});

test("influence is told and coloured among waypoints and blocks, too", async () => {
  const page = await open();
  for (const name of ["village.toml", "voxel-village.voxels"]) {
    assert.equal(await page.evaluate((name) => window.studio.worlds.sample(name), name), true);
    await atEnd(page);
    await page.evaluate(() => (window.studio.danger.age = async () => {}));
    await page.click("#danger-goal");
    await page.waitForFunction(() => window.studio.danger.known.states.length > 0);
    await settled(page);
    await page.selectOption("#colouring", "influence");
    await page.waitForFunction(() => window.studio.field?.most > 0);
    const goal = await page.evaluate(() => {
      const app = window.studio;
      const { state } = app.ends.goal;
      const { states, amounts } = app.danger.known;
      const amount = amounts[states.indexOf(state)];
      return { value: app.field.values[state], amount, isColoured: app.stage.panes[0].colourOf(state) !== null };
    });
    assert.ok(goal.value > 0 && goal.value === goal.amount && goal.isColoured, JSON.stringify(goal));
    assert.match(await page.locator("#legend").textContent(), /danger, up to/);
    await shot(page, `influence-${name}`);
    await page.selectOption("#colouring", "state");
  }
  await page.close();
});

test("the palettes of the tutorials have their colours", async () => {
  const page = await open();
  await atEnd(page);
  await page.evaluate(() => {
    const app = window.studio;
    app.time.goTo(Math.floor(app.time.most * 0.8));
  });
  /** States of the search at its place in time: far from ends and path. */
  const states = await page.evaluate(() => {
    const app = window.studio;
    const [pane] = app.stage.panes;
    const { cursor } = pane;
    const { events, orders, stops } = cursor.trace;
    const chain = new Set(cursor.chain(cursor.current()));
    const away = (state) => {
      const [x, y] = pane.map.spot(state);
      const clear = [app.ends.start, app.ends.goal].every(({ spot }) => Math.hypot(spot[0] - x, spot[1] - y) > 6);
      return clear && [...chain].every((one) => Math.hypot(pane.map.spot(one)[0] - x, pane.map.spot(one)[1] - y) > 3);
    };
    const all = [...new Set(events.states)].filter((state) => cursor.eventOf(state) >= 0 && away(state));
    const kind = (state) => events.kinds[cursor.eventOf(state)];
    const order = (state) => orders[cursor.eventOf(state)];
    const closed = all.filter((state) => kind(state) === 2).sort((a, b) => order(a) - order(b));
    return {
      open: all.filter((state) => kind(state) < 2).slice(0, 12),
      first: closed[0],
      last: closed.at(-1),
      closed: closed.slice(0, 200),
      lines: closed.slice(0, 40).map((state) => [state, events.parents[cursor.eventOf(state)]]),
      share: [closed[0], closed.at(-1)].map((state) => order(state) / (stops.length - 1)),
    };
  });
  assert.ok(states.open.length > 3 && states.closed.length > 20);
  const corner = async (state) => (await pixels(page, [await inCell(page, state, [0.78, 0.72])]))[0];
  const between = (colour, [low, high], by) => colour.every((part, at) => part >= Math.min(low[at], high[at]) - by && part <= Math.max(low[at], high[at]) + by);

  // Black where visited, yellow to red by the order, the goal blue, the path green.
  await page.selectOption("#palette", "visited-black");
  for (const state of states.closed.slice(0, 10)) {
    const seen = await corner(state);
    assert.ok(Math.max(...seen) < 0x30, `visited is black: ${seen}`);
  }
  await shot(page, "visited-black");
  await page.selectOption("#colouring", "order");
  const [yellow, red] = [await corner(states.first), await corner(states.last)];
  assert.ok(yellow[0] > 200 && yellow[1] > 140 && yellow[2] < 110, `what came first is yellow: ${yellow}, ${states.share}`);
  assert.ok(red[0] > 150 && red[1] < yellow[1] - 60, `what came last is red: ${red}, ${states.share}`);
  await shot(page, "visited-order");
  await page.selectOption("#colouring", "state");
  await page.evaluate(() => window.studio.time.step(Infinity));
  const points = await page.evaluate(() => {
    const { stage, ends } = window.studio;
    const [pane] = stage.panes;
    const { route } = pane;
    return [stage.over(pane, ends.goal.spot), stage.over(pane, route[Math.floor(route.length / 2)])];
  });
  const [goal, path] = await pixels(page, points);
  assert.ok(isNear(goal, rgb("#1f5fff")), `the goal is blue: ${goal}`);
  assert.ok(isNear(path, rgb("#12a150")), `the path is green: ${path}`);
  await shot(page, "visited-path");

  // Green where open, blue where closed, lines to the parents, the path red.
  await page.evaluate(() => window.studio.time.goTo(Math.floor(window.studio.time.most * 0.8)));
  await page.selectOption("#palette", "open-green");
  const greens = [];
  for (const state of states.open) greens.push(await corner(state));
  assert.ok(greens.filter((seen) => isNear(seen, rgb("#4ec26a"), 40)).length > greens.length / 2, `open is green: ${greens.join("; ")}`);
  const blues = [];
  for (const state of states.closed.slice(0, 10)) blues.push(await corner(state));
  const isBlue = (seen) => between(seen, [rgb("#8ec5ff"), rgb("#3f8ef0")], 30);
  assert.ok(blues.filter(isBlue).length > blues.length / 2, `closed is blue: ${blues.join("; ")}`);
  // The line to the parent crosses the border of the cells half-way.
  let lines = 0;
  for (const [state, parent] of states.lines) {
    const [a, b] = [await inCell(page, state), await inCell(page, parent)];
    const seen = await pixels(page, [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [a[0] * 0.7 + b[0] * 0.3 + x, a[1] * 0.7 + b[1] * 0.3 + y])));
    if (Math.max(...seen.map((one) => Math.min(...one))) > Math.min(...(await corner(state))) + 25) lines++;
  }
  assert.ok(lines > states.lines.length * 0.7, `${lines} of ${states.lines.length} lines to parents`);
  await shot(page, "open-green");
  await page.evaluate(() => window.studio.time.step(Infinity));
  const [end, way] = await pixels(page, points);
  assert.ok(isNear(way, rgb("#e02424")) && isNear(end, rgb("#e02424")), `the path is red: ${way}`);
  await page.close();
});

test("the open list tells what the engine keeps it in", async () => {
  const page = await open();
  await page.evaluate(() => window.studio.time.goTo(200));
  await page.locator("#frontier summary").click();
  await page.waitForFunction(() => /buckets by f/.test(document.getElementById("frontier-kind").textContent));
  // What is listed first is what the search expands next, state for state.
  const next = await page.evaluate(async () => {
    const app = window.studio;
    app.time.pause();
    const wrong = [];
    for (const at of [150, 200, 250, 300]) {
      app.time.goTo(at);
      app.frontier.show();
      const { events, stops } = app.stage.panes[0].cursor.trace;
      const [x, y] = app.stage.panes[0].map.spot(events.states[stops[at]]);
      const first = document.querySelector("#frontier-rows td").textContent;
      if (first !== `${Math.floor(x)},${Math.floor(y)}`) wrong.push([at, first, x, y]);
    }
    return wrong;
  });
  assert.deepEqual(next, []);
  await page.selectOption(".algorithm", "bfs");
  await page.waitForFunction(() => /first in, first out/.test(document.getElementById("frontier-kind").textContent));
  await page.close();
});

const BRIDGE = `
[scene]
name = "Two banks"
map = """
......####......
......####......
......####......
"""

[[nav_links]]
name = "bridge"
from = [5, 1]
to = [10, 1]
seconds = 2

[[agents]]
name = "Ann"
at = [2, 1]
orders = [[14, 1]]
`;

test("an order to all tells how many of them are held in passages", async () => {
  const page = await open();
  const two = `${BRIDGE}\n[[agents]]\nname = "Bob"\nat = [0, 0]\n`;
  assert.equal(await file(page, "banks.toml", two), true);
  await page.waitForFunction(() => window.studio.opened.about.name === "Two banks" && !window.studio.solving);
  await page.locator("[data-mode-choice=agents]").click();
  await page.waitForFunction(() => window.studio.walking.agents !== null);
  await page.evaluate(() => window.studio.walking.pause());
  const states = () => page.evaluate(() => [...window.studio.walking.agents.states]);
  for (let tries = 0; tries < 60 && !(await states()).includes(1); tries++) {
    await page.evaluate(() => window.studio.walking.step(3));
    await still(page);
  }
  assert.ok((await states()).includes(1), "Ann is on the bridge");
  const point = await page.evaluate(() => window.studio.stage.over(window.studio.stage.panes[0], [1.5, 2.5]));
  await page.mouse.click(...point);
  await page.waitForFunction(() => /1 of 2 agents are in passages/.test(document.getElementById("message").textContent));
  await page.close();
});

test("a click while an agent is in a passage is obeyed when it comes out; the pointer changes over a passage", async () => {
  const page = await open();
  assert.equal(await file(page, "banks.toml", BRIDGE), true);
  await page.waitForFunction(() => window.studio.opened.about.name === "Two banks" && !window.studio.solving);
  await page.locator("[data-mode-choice=agents]").click();
  await page.waitForFunction(() => window.studio.walking.agents !== null);
  await page.evaluate(() => window.studio.walking.pause());
  await still(page);
  const ann = () =>
    page.evaluate(() => {
      const { agents, bodies, now, agent } = window.studio.walking;
      return { now, state: agents.states[0], spot: bodies.spot(agents.places[0], agents.places[2]), text: agent?.text };
    });
  const at = (spot) => page.evaluate((spot) => window.studio.stage.over(window.studio.stage.panes[0], spot), spot);
  const cursor = () => page.evaluate(() => document.getElementById("stage").style.cursor);
  const step = async (by) => {
    await page.evaluate((by) => window.studio.walking.step(by), by);
    await still(page);
  };
  /** Steps until Ann is inside of a link, or is not. */
  const stepUntil = async (isInside) => {
    for (let tries = 0; tries < 200; tries++) {
      if (((await ann()).state === 1) === isInside) return;
      await page.evaluate(() => window.studio.walking.step(1));
      await still(page);
    }
    assert.fail(`Ann is never ${isInside ? "inside" : "outside"}`);
  };
  for (const [spot, shown] of [[[5.5, 1.5], "cell"], [[10.5, 1.5], "cell"], [[13.5, 0.5], ""]]) {
    await page.mouse.move(...(await at(spot)));
    assert.equal(await cursor(), shown, `over ${spot}`);
  }
  await shot(page, "passage");
  await stepUntil(true);
  const inside = await ann();
  await page.mouse.click(...(await at(inside.spot)));
  await page.waitForFunction(() => window.studio.walking.agent !== null);
  assert.match((await ann()).text, /bridge/);
  // Back to the bank that she came from.
  await page.mouse.click(...(await at([0.5, 2.5])));
  await still(page);
  assert.match(await page.locator("#message").textContent(), /Ann is in a passage/);
  await step(5);
  const later = await ann();
  assert.equal(later.state, 1, "she is inside still");
  await shot(page, "held");
  await stepUntil(false);
  const out = await ann();
  assert.ok(out.now > inside.now + 20 && out.spot[0] > 9.5, `she comes out beyond: ${JSON.stringify(out)}`);
  // The click is obeyed: back over the bridge, to the place that was clicked.
  await stepUntil(true);
  await stepUntil(false);
  await step(100);
  const end = await ann();
  assert.ok(Math.hypot(end.spot[0] - 0.5, end.spot[1] - 2.5) < 0.5, `${end.spot}`);
  await page.close();
});

test("undo takes danger back before and after waypoints were edited", async () => {
  const page = await open();
  await sample(page, "village.toml");
  await page.evaluate(() => {
    window.studio.danger.age = async () => {};
  });
  const known = () => page.evaluate(() => [...window.studio.danger.known.states].map((state, at) => [window.studio.waypoints.graph.waypoints[state].id, window.studio.danger.known.amounts[at]]));
  const waypoints = () => page.evaluate(() => window.studio.waypoints.graph.waypoints.length);
  const undo = async () => {
    const before = JSON.stringify([await known(), await waypoints()]);
    await page.locator("#undo").click();
    await eventually(async () => assert.notEqual(JSON.stringify([await known(), await waypoints()]), before));
    await page.waitForFunction(() => !window.studio.waypoints.isBusy && !window.studio.danger.isTelling);
  };
  await page.click("#danger-goal");
  await page.waitForFunction(() => window.studio.danger.known.states.length > 0);
  await page.waitForFunction(() => !document.getElementById("undo").disabled);
  const first = await known();
  const count = await waypoints();
  // The graph without its first waypoint: all numbers change.
  await page.evaluate(async () => {
    window.studio.waypoints.select(0, false);
    await window.studio.waypoints.deleteSelected();
  });
  await page.waitForFunction((count) => window.studio.waypoints.graph.waypoints.length === count - 1, count);
  await settled(page);
  const kept = await known();
  assert.deepEqual(kept, first.filter(([id]) => kept.some(([other]) => other === id)), "danger is where it was");
  assert.ok(kept.length > 0);
  await page.click("#danger-goal");
  await page.waitForFunction((most) => Math.max(...window.studio.danger.known.amounts) > most, Math.max(...kept.map(([, amount]) => amount)));
  await page.waitForFunction(() => !window.studio.waypoints.isBusy && !window.studio.danger.isTelling);
  await undo();
  assert.deepEqual(await known(), kept, "the second danger is undone");
  assert.equal(await waypoints(), count - 1);
  await undo();
  assert.equal(await waypoints(), count);
  assert.deepEqual(await known(), first, "the waypoint is back");
  await eventually(async () => assert.equal(await page.locator("#undo").isDisabled(), false));
  await undo();
  assert.deepEqual(await known(), [], "the first danger is undone");
  for (let time = 0; time < 3; time++) {
    const before = JSON.stringify([await known(), await waypoints()]);
    await page.locator("#redo").click();
    await eventually(async () => assert.notEqual(JSON.stringify([await known(), await waypoints()]), before));
    await page.waitForFunction(() => !window.studio.waypoints.isBusy && !window.studio.danger.isTelling);
  }
  assert.equal(await waypoints(), count - 1);
  assert.ok(Math.max(...(await known()).map(([, amount]) => amount)) > Math.max(...kept.map(([, amount]) => amount)));
  await page.close();
});

test("the waypoint policies are there, and the switch that ignores the waypoints' own costs", async () => {
  const page = await open();
  await sample(page, "village.toml");
  const chip = page.locator(".chip").first();
  const offered = await chip.locator(".algorithm option").evaluateAll((options) => options.map(({ value }) => value));
  const policies = ["vector3-distance", "manhattan", "cost-of-movement", "inverse-cost-of-movement", "h-score"];
  assert.ok(policies.every((policy) => offered.includes(policy)), offered.join(" "));
  await eventually(async () => assert.equal(await chip.locator(".ignored").isVisible(), false, "A* has no such switch"));
  await chip.locator(".algorithm").selectOption("cost-of-movement");
  await settled(page);
  const cost = () => page.evaluate(() => window.studio.traces[0].report.cost);
  const minding = await cost();
  await chip.getByLabel("ignore waypoints' own costs").check();
  await settled(page);
  const ignoring = await cost();
  assert.notEqual(ignoring, minding);
  await chip.getByLabel("ignore waypoints' own costs").uncheck();
  await settled(page);
  assert.equal(await cost(), minding);
  await shot(page, "policies");
  await page.close();
});
