// One scene as a grid and as a graph of waypoints.
import assert from "node:assert/strict";
import test, { after, afterEach } from "node:test";
import { start } from "./page.mjs";
import { answered, eventually, settled, shot } from "./tools.mjs";

const { open, stop, errors } = await start();
after(stop);
afterEach(() => assert.deepEqual(errors.splice(0), [], "errors in the page"));

const seen = async (page) => {
  await answered(page);
  return page.evaluate(async () => {
    const app = window.studio;
    const states = Uint32Array.of(app.ends.start.state, app.ends.goal.state);
    return {
      kind: app.opened.shape.kind,
      states: app.opened.about.states,
      cost: app.traces[0].report.cost,
      found: app.traces[0].report.found,
      ends: [...states],
      places: [...(await app.engine.call("positions", states))],
      canUndo: !document.getElementById("undo").disabled,
    };
  });
};

const changed = async (page, kind) => {
  await page.waitForFunction((kind) => window.studio.opened.shape.kind === kind && window.studio.traces.length > 0 && !window.studio.waypoints.isBusy, kind);
  await settled(page);
};

test("a grid is seen as waypoints and back: the path costs the same, and undo restores what was painted", async () => {
  const page = await open();
  assert.ok(await page.evaluate(() => window.studio.worlds.sample("village.tmj")));
  await page.keyboard.press("End");
  await settled(page);
  // Paint a wall first: the waypoints are those of the grid as it is.
  await page.evaluate(async () => {
    const app = window.studio;
    app.painting.choose("erase");
    const { spot } = app.ends.start;
    app.painting.beginPull();
    app.painting.brush([spot[0] + 2, spot[1]], [spot[0] + 2, spot[1] + 3]);
    app.painting.endPull();
    app.painting.choose("move");
  });
  await settled(page);
  const grid = await seen(page);
  assert.equal(grid.kind, "cells");
  const pressed = () => page.locator("[data-form][aria-checked=true]").textContent();
  assert.equal(await pressed(), "Grid");
  await page.getByRole("radio", { name: "Waypoints", exact: true }).click();
  await changed(page, "points");
  const graph = await seen(page);
  assert.equal(await pressed(), "Waypoints");
  assert.ok(Math.abs(graph.cost - grid.cost) < 0.01 * grid.cost, `${graph.cost} and ${grid.cost}`);
  graph.places.forEach((place, at) => assert.ok(Math.abs(place - grid.places[at]) < 1e-3));
  await shot(page, "form-waypoints");
  // Back by a key: a grid that is made of the waypoints.
  await page.keyboard.press("g");
  await changed(page, "cells");
  const back = await seen(page);
  assert.ok(back.found);
  await shot(page, "form-back");
  for (const kind of ["points", "cells"]) {
    await page.click("#undo");
    await changed(page, kind);
  }
  const again = await seen(page);
  assert.deepEqual([again.ends, again.cost, again.states], [grid.ends, grid.cost, grid.states]);
  assert.equal(again.canUndo, true, "what was painted before can still be undone");
  await page.click("#redo");
  await changed(page, "points");
  assert.equal((await seen(page)).cost, graph.cost);
  await page.close();
});

test("a yard of waypoints is sampled into cells; a level has no other form", async () => {
  const page = await open();
  assert.ok(await page.evaluate(() => window.studio.worlds.sample("obstacles.toml")));
  await page.keyboard.press("End");
  await settled(page);
  const graph = await seen(page);
  assert.equal(graph.kind, "points");
  await page.keyboard.press("g");
  await changed(page, "cells");
  const grid = await seen(page);
  assert.ok(grid.found && grid.states > 8000);
  graph.places.forEach((place, at) => at % 3 === 1 || assert.ok(Math.abs(place - grid.places[at]) < 0.5));
  assert.ok(grid.cost < graph.cost * 1.1);
  await shot(page, "form-sampled");
  await page.evaluate(() => window.studio.worlds.sample("courtyard.obj"));
  await eventually(async () => assert.equal(await page.locator("#form-row").isVisible(), false));
  await page.close();
});
