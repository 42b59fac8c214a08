// Pictures: figures that are taken out, numbers in cells, and what is seen in space.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { after, afterEach } from "node:test";
import { start } from "./page.mjs";
import { atEnd, eventually, pixels, settled, shot } from "./tools.mjs";

const { open, stop, errors } = await start();
after(stop);
afterEach(() => assert.deepEqual(errors.splice(0), [], "errors in the page"));

/** The bytes of an export. */
const taken = async (page, id) => {
  await page.click("#export");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(id)]);
  return readFileSync(await download.path());
};

/** The size of a picture, and its colours at places in its pixels. */
const seenIn = (page, png, places) =>
  page.evaluate(
    async ([coded, places]) => {
      const bytes = Uint8Array.from(atob(coded), (character) => character.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
      context.drawImage(picture, 0, 0);
      return { width: picture.width, height: picture.height, colours: places.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3)) };
    },
    [png.toString("base64"), places],
  );

const isNear = (a, b, by = 12) => a.every((part, at) => Math.abs(part - b[at]) <= by);

test("a picture is a figure: cut to the map, with title, counters and legend", async () => {
  const page = await open("", { width: 1440, height: 900 });
  await page.selectOption("#palette", "light");
  await atEnd(page);
  const { map, look, across } = await page.evaluate(() => {
    const { stage, look } = window.studio;
    const [pane] = stage.panes;
    const [left, top, right, bottom] = pane.map.bounds;
    const [a, b] = [stage.over(pane, [left, top]), stage.over(pane, [right, bottom])];
    return { map: [b[0] - a[0], b[1] - a[1]], look, across: stage.canvas.clientWidth };
  });
  const png = await taken(page, "#export-png");
  const { width, height } = await seenIn(page, png, []);
  // A little more than the map to the sides, some lines above and below; far less than the stage.
  assert.ok(width - map[0] < 60 && width >= map[0], `${width} for a map of ${map[0]}`);
  assert.ok(height > map[1] + 80 && height < map[1] + 220, `${height} for a map of ${map[1]}`);
  assert.ok(width < across - 30, `${width} of ${across}`);
  // The swatch of the path lies in the line of the legend, and letters lie above the map.
  const line = Array.from({ length: width }, (_, x) => [x, height - 34]);
  const head = Array.from({ length: 200 }, (_, x) => [24 + x, 34]);
  const { colours } = await seenIn(page, png, [...line, ...head]);
  assert.ok(colours.slice(0, width).some((colour) => isNear(colour, look.path)), "the path in the legend");
  assert.ok(colours.slice(width).some((colour) => !isNear(colour, look.background, 60)), "a title");
  // Two searches: both are in it, side by side.
  await page.click("#compare");
  await page.waitForFunction(() => window.studio.traces.length === 2);
  await atEnd(page);
  const two = await seenIn(page, await taken(page, "#export-png"), []);
  assert.ok(two.width > two.height * 1.5, `${two.width} × ${two.height}`);
  await page.close();
});

test("after an export that was clicked the space bar plays", async () => {
  const page = await open();
  await atEnd(page);
  await taken(page, "#export-png");
  await page.keyboard.press(" ");
  await page.waitForFunction(() => window.studio.time.isPlaying);
  assert.equal(await page.locator("#exports").evaluate((dialog) => dialog.open), false);
  await page.close();
});

test("cells with room for them hold g, h and f", async () => {
  const page = await open();
  await page.selectOption("#palette", "light");
  await atEnd(page);
  const written = () =>
    page.evaluate(() => {
      const { stage } = window.studio;
      stage.draw();
      const { writing } = stage;
      return writing.getContext("2d").getImageData(0, 0, writing.width, writing.height).data.some((part) => part > 0);
    });
  assert.equal(await written(), false, "small cells");
  const text = "S.........\n.####.###.\n....#...#.\n.##.#.#.#.\n..#...#..G\n";
  assert.ok(await page.evaluate((text) => window.studio.worlds.openFiles([new File([text], "first.txt")]), text));
  await atEnd(page);
  assert.equal(await written(), true);
  await shot(page, "numbers");
  // What is written at the start: g is 0, and h and f are the same.
  const told = await page.evaluate(() => {
    const app = window.studio;
    const said = [];
    const { writing } = app.stage;
    const context = writing.getContext("2d");
    const fillText = context.fillText.bind(context);
    context.fillText = (text, ...rest) => {
      said.push(text);
      fillText(text, ...rest);
    };
    app.stage.draw();
    return said.slice(0, 3);
  });
  assert.equal(told[0], "0");
  assert.equal(told[1], told[2]);
  await page.close();
});

/** Whether the whole box of a world in space is inside of the pane, and the share of it that it takes. */
const extent = (page) =>
  page.evaluate(() => {
    const { stage } = window.studio;
    const [pane] = stage.panes;
    const [low, high] = pane.map.box;
    const top = Math.min(high[1], pane.map.cut);
    const box = pane.element.getBoundingClientRect();
    const corners = [low[0], high[0]].flatMap((x) => [low[1], top].flatMap((y) => [low[2], high[2]].map((z) => stage.project(pane, [x, y, z]))));
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    const [left, right, above, below] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const isInside = left >= box.left && right <= box.right && above >= box.top && below <= box.bottom;
    return { isInside, share: Math.max((right - left) / box.width, (below - above) / (box.height - 92)) };
  });

test("worlds in space fill the pane, and roofs over the ends are cut", async () => {
  for (const size of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    const page = await open("", size);
    for (const [name, hasRoof] of [["courtyard.obj", false], ["voxel-village.voxels", false], ["voxel-cave.voxels", true]]) {
      assert.equal(await page.evaluate((name) => window.studio.worlds.sample(name), name), true);
      await atEnd(page);
      const { isInside, share } = await extent(page);
      assert.ok(isInside && share > 0.85, `${name} at ${size.width}: ${share}`);
      const [cut, most] = await page.evaluate(() => [window.studio.stage.panes[0].map.cut, window.studio.stage.panes[0].map.box[1][1]]);
      assert.equal(cut < most - 1, hasRoof, `${name} is cut at ${cut} of ${most}`);
      await shot(page, `space-${size.width}-${name}`);
    }
    await page.close();
  }
});

test("path, ends and states are seen through walls, dimmed", async () => {
  const page = await open("", { width: 1440, height: 900 });
  await page.selectOption("#palette", "light");
  assert.equal(await page.evaluate(() => window.studio.worlds.sample("voxel-cave.voxels")), true);
  await atEnd(page);
  // Places of the path that a block hides: a ray to them hits a block before.
  const hidden = await page.evaluate(() => {
    const { stage } = window.studio;
    const [pane] = stage.panes;
    const eye = stage.look3(pane);
    return pane.placed
      .filter((place) => {
        const [x, y] = stage.project(pane, place);
        const hit = stage.placeUnder(pane, x, y);
        if (!hit) return false;
        const far = (one) => Math.hypot(...one.map((part, axis) => part - eye.position.getComponent(axis)));
        return far([hit[0] + 0.5, hit[1], hit[2] + 0.5]) < far(place) - 2;
      })
      .map((place) => stage.project(pane, place));
  });
  assert.ok(hidden.length > 8, `${hidden.length} places are behind walls`);
  const shown = await pixels(page, hidden);
  await page.evaluate(() => {
    const { map } = window.studio.stage.panes[0];
    map.setRoute([]);
    map.setEnds(null);
  });
  const without = await pixels(page, hidden);
  const apart = shown.filter((colour, at) => !isNear(colour, without[at], 18)).length;
  assert.ok(apart > hidden.length * 0.8, `${apart} of ${hidden.length} are seen`);
  await page.close();
});

const GATE = `
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
`;

test("a click on a passage leads through it", async () => {
  const page = await open();
  assert.equal(await page.evaluate((text) => window.studio.worlds.openFiles([new File([text], "banks.toml")]), GATE), true);
  await page.waitForFunction(() => window.studio.opened.about.name === "Two banks");
  await settled(page);
  await page.evaluate(() => window.studio.setMode("agents"));
  await page.waitForFunction(() => window.studio.walking.agents !== null);
  const at = await page.evaluate(() => window.studio.stage.over(window.studio.stage.panes[0], [5.5, 1.5]));
  await page.mouse.click(...at);
  await eventually(async () => {
    const x = await page.evaluate(() => {
      const { walking } = window.studio;
      if (!window.studio.time.isPlaying) walking.play();
      return walking.bodies.spot(walking.agents.places[0], walking.agents.places[2])[0];
    });
    assert.ok(Math.abs(x - 10.5) < 0.3, `Ann is at ${x}`);
  });
  await page.close();
});
