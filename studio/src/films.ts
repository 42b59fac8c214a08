// What plays as a film: WebM as the browser records it, or GIF.

import { applyPalette, GIFEncoder, quantize } from "gifenc";
import type { App } from "./app";
import { byId } from "./dom";
import { Figure } from "./figure";

/** A film ends by itself after that many seconds, lest it fills the memory. */
const MOST = { webm: 600, gif: 60 };
/** The last picture stays for that long, in milliseconds. */
const LAST = 700;
/** GIFs: milliseconds from picture to picture, pixels across, colours. */
const [DELAY, WIDTH, COLOURS] = [80, 720, 128];

/**
 * Plays, a search from its beginning, and calls `each` every few milliseconds until play ends: by
 * itself, by a pause, by the button that stops the film, or after `most` seconds.
 */
async function rolling(app: App, most: number, beat: number, each: () => void): Promise<void> {
  const stop = byId<HTMLButtonElement>("film-stop");
  let isStopped = false;
  const end = () => (isStopped = true);
  app.time.pause();
  if (!app.walking.isOn) app.time.goTo(0);
  app.time.play();
  app.say("Recording what plays, until it ends or is stopped.");
  stop.hidden = false;
  // The space bar stops the film.
  stop.focus();
  stop.addEventListener("click", end);
  const begun = performance.now();
  try {
    while (app.time.isPlaying && !isStopped && performance.now() - begun < most * 1000) {
      const next = performance.now() + beat;
      each();
      await new Promise((done) => setTimeout(done, Math.max(0, next - performance.now())));
    }
  } finally {
    stop.removeEventListener("click", end);
    stop.hidden = true;
    if (app.time.isPlaying) app.time.pause();
  }
}

export async function webm(app: App): Promise<Blob> {
  if (!("MediaRecorder" in window)) throw new Error("This browser records no films as WebM. It makes GIFs.");
  const figure = new Figure(app);
  figure.draw();
  const stream = figure.canvas.captureStream(30);
  const recorder = new MediaRecorder(stream, { mimeType: "video/webm" });
  const parts: Blob[] = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  const done = new Promise<void>((done, failed) => {
    recorder.onstop = () => done();
    recorder.onerror = () => failed(new Error("The browser could not record the film."));
  });
  // A part each second: memory goes to the browser, which may keep it on disk.
  recorder.start(1000);
  await rolling(app, MOST.webm, 33, () => figure.draw());
  // A recorder takes a picture when one is drawn.
  for (let rest = LAST; rest > 0; rest -= 50) {
    app.stage.draw();
    figure.draw();
    await new Promise((next) => setTimeout(next, 50));
  }
  recorder.stop();
  await done;
  for (const track of stream.getTracks()) track.stop();
  app.hush();
  return new Blob(parts, { type: "video/webm" });
}

export async function gif(app: App): Promise<Blob> {
  const figure = new Figure(app, WIDTH);
  const { width, height } = figure.canvas;
  const encoder = GIFEncoder();
  let before = performance.now();
  let held: Uint8ClampedArray | null = null;
  const write = (pixels: Uint8ClampedArray, delay: number) => {
    const palette = quantize(pixels, COLOURS);
    encoder.writeFrame(applyPalette(pixels, palette), width, height, { palette, delay });
  };
  /** A picture is shown until the next: its time is known then. */
  const shoot = () => {
    app.stage.draw();
    figure.draw();
    const now = performance.now();
    if (held) write(held, Math.max(20, now - before));
    [held, before] = [figure.pixels(), now];
  };
  await rolling(app, MOST.gif, DELAY, shoot);
  shoot();
  if (held) write(held, LAST);
  encoder.finish();
  app.hush();
  return new Blob([encoder.bytes()], { type: "image/gif" });
}
