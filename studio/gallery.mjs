// Draws the pictures of the gallery anew, from the built page: `npm run gallery`.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { start } from "./test/browser/page.mjs";
import { atEnd, still } from "./test/browser/tools.mjs";

/** In pixels; each is shown at half of that. */
const [WIDTH, HEIGHT] = [352, 220];
/** Agents are shown after that many ticks. */
const LATE = 120;

const folder = fileURLToPath(new URL("src/gallery/", import.meta.url));
mkdirSync(folder, { recursive: true });
const { open, stop } = await start();
const page = await open("", { width: 1440, height: 900 });
await page.selectOption("#palette", "light");

/** The middle of what is seen of the map, as a WebP picture. */
const picture = () =>
  page.evaluate(
    async ([width, height]) => {
      const { stage } = window.studio;
      stage.draw();
      const [pane] = stage.panes;
      const whole = stage.canvas.getBoundingClientRect();
      const corners = pane.map.box
        ? pane.map.box[0].flatMap((_, axis) => [pane.map.box[0], pane.map.box[1]].map((one) => pane.map.box[0].with(axis, one[axis]))).concat([pane.map.box[1]]).map((corner) => stage.project(pane, corner))
        : [stage.over(pane, pane.map.bounds.slice(0, 2)), stage.over(pane, pane.map.bounds.slice(2))];
      const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
      const inside = (value, least, most) => Math.max(least, Math.min(most, value));
      const [left, right] = [inside(Math.min(...xs), whole.left, whole.right), inside(Math.max(...xs), whole.left, whole.right)];
      const [top, bottom] = [inside(Math.min(...ys), whole.top, whole.bottom), inside(Math.max(...ys), whole.top, whole.bottom)];
      // As large as fits into what is seen; a world in space is shown whole.
      const fit = pane.map.box ? Math.max : Math.min;
      const scale = fit((right - left) / width, (bottom - top) / height);
      const [x, y] = [(left + right) / 2 - (scale * width) / 2 - whole.left, (top + bottom) / 2 - (scale * height) / 2 - whole.top];
      const ratio = stage.canvas.width / whole.width;
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d");
      context.fillStyle = `rgb(${window.studio.look.background.join(" ")})`;
      context.fillRect(0, 0, width, height);
      context.imageSmoothingQuality = "high";
      context.drawImage(stage.canvas, x * ratio, y * ratio, scale * width * ratio, scale * height * ratio, 0, 0, width, height);
      const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.82 });
      return [...new Uint8Array(await blob.arrayBuffer())];
    },
    [WIDTH, HEIGHT],
  );

const keep = async (name) => {
  writeFileSync(`${folder}${name}.webp`, Uint8Array.from(await picture()));
  console.log(name);
};

for (const kind of await page.evaluate(() => window.studio.kinds.map(({ name }) => name))) {
  await page.evaluate((kind) => window.studio.worlds.generate(kind, 7), kind);
  await atEnd(page);
  await keep(`kind-${kind}`);
}
for (const name of await page.locator("#samples button").evaluateAll((cards) => cards.map(({ dataset }) => dataset.world))) {
  await page.evaluate((name) => window.studio.worlds.sample(name), name);
  if (await page.evaluate(() => window.studio.walking.isOn)) {
    await page.waitForFunction((late) => window.studio.walking.now > late, LATE, { timeout: 120_000 });
    await page.evaluate(() => window.studio.walking.pause());
    await still(page);
  } else await atEnd(page);
  await keep(`sample-${name}`);
}
await stop();
