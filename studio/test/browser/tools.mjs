// What the tests in the browser share: waiting, pictures, pixels, strokes.
import { mkdirSync } from "node:fs";

const shots = process.env.SHOTS;
if (shots) mkdirSync(shots, { recursive: true });

/** A picture of the page in the folder `SHOTS`, where one is named. */
export const shot = async (page, name) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
};

/**
 * Until the engine has answered all calls, the last search that was asked among them: an end that is
 * dragged is where the pointer left it.
 */
export const answered = (page) =>
  page.waitForFunction(
    () => {
      const { traces, solving, again, engine } = window.studio;
      return traces.length > 0 && !solving && !again && engine.isIdle;
    },
    null,
    { timeout: 60_000 },
  );

/** Until everything is answered, and nothing plays. */
export const settled = async (page) => {
  await answered(page);
  await page.waitForFunction(() => !window.studio.time.isPlaying, null, { timeout: 60_000 });
  await answered(page);
};

/** Until the agents are at the tick that was asked for, and have taken every order. */
export const still = (page) =>
  page.waitForFunction(
    () => {
      const { walking, engine } = window.studio;
      return !walking.isGoing && walking.target === null && walking.pending === 0 && engine.isIdle;
    },
    null,
    { timeout: 60_000 },
  );

/** The last moment of the searches, once they are answered. Needs no key: the focus may be anywhere. */
export const atEnd = async (page) => {
  await answered(page);
  await page.evaluate(() => window.studio.time.step(Infinity));
  await settled(page);
};

/**
 * Until an assertion about the page holds: it is tried again until it does, and fails with its last
 * words. A state is asserted this way if the page reaches it later than what was waited for.
 */
export const eventually = async (check, patience = 60_000) => {
  const end = Date.now() + patience;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((done) => setTimeout(done, 25));
    }
  }
};

/** The colours of the canvas at points of the window: red, green, blue of each. */
export const pixels = (page, points) =>
  page.evaluate((points) => {
    const { stage } = window.studio;
    stage.draw();
    const box = stage.canvas.getBoundingClientRect();
    const copy = new OffscreenCanvas(stage.canvas.width, stage.canvas.height);
    const context = copy.getContext("2d");
    context.drawImage(stage.canvas, 0, 0);
    const scale = stage.canvas.width / box.width;
    return points.map(([x, y]) => [...context.getImageData((x - box.left) * scale, (y - box.top) * scale, 1, 1).data].slice(0, 3));
  }, points);

/** The ends of a stroke across the middle of the path, in the window. */
export const acrossPath = (page) =>
  page.evaluate(() => {
    const app = window.studio;
    const [pane] = app.stage.panes;
    const middle = pane.route[Math.floor(pane.route.length / 2)];
    return [-4, 4].map((by) => app.stage.over(pane, [middle[0], middle[1] + by]));
  });
