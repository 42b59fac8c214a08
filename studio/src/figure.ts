// What is shown as a figure of its own: a title, each map cut to what is seen of it, with its
// search and its counters, and the legend.

import type { App } from "./app";
import { countersOf, legendOf, type Swatch } from "./details";
import { grouped } from "./dom";
import { css } from "./look";
import type { Pane } from "./pane";
import { isInSpace } from "./space";

/** Lengths in the window's pixels. */
const [MARGIN, GAP, TITLE, HEAD, LINE] = [24, 20, 34, 38, 20];
/** What is seen about a map, so that nothing at its border is cut: ends, their rings. */
const ROOM = 10;
/** A map is given at least that much width, so that the line above it fits. */
const NARROWEST = 340;
const FACE = 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Part {
  pane: Pane;
  /** On the stage. */
  from: Rectangle;
  /** On the figure. */
  to: { x: number; y: number };
}

/** Laid out once: the pictures of a film have one size. */
export class Figure {
  readonly canvas = document.createElement("canvas");
  private readonly app: App;
  private readonly context: CanvasRenderingContext2D;
  /** The figure's pixels for one of the window's. */
  private readonly scale: number;
  private readonly parts: Part[];
  /** What a length on the stage becomes on the figure, in the window's pixels. */
  private readonly shrunk: number;
  /** Of a column, and of the whole figure. */
  private readonly cell: number;
  private readonly wide: number;
  /** Where the legend begins. */
  private readonly below: number;

  /** `most`: the width that is not exceeded, in pixels of the figure. */
  constructor(app: App, most = Infinity) {
    this.app = app;
    const context = this.canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("The browser made no picture.");
    this.context = context;
    const { panes } = app.stage;
    const boxes = panes.map((pane) => pane.element.getBoundingClientRect());
    const shown = panes.map((pane) => seen(app, pane));
    const ratio = app.stage.canvas.width / Math.max(1, app.stage.canvas.clientWidth);
    // As the panes lie in the window: each column and row as wide and high as its widest and highest.
    const columns = [...new Set(boxes.map(({ left }) => Math.round(left)))].sort((a, b) => a - b);
    const rows = [...new Set(boxes.map(({ top }) => Math.round(top)))].sort((a, b) => a - b);
    const width = Math.max(...shown.map((one) => one.width));
    const height = Math.max(...shown.map((one) => one.height));
    const sum = (shrunk: number) => 2 * (MARGIN - ROOM) + columns.length * Math.max(NARROWEST, width * shrunk) + (columns.length - 1) * GAP;
    // Letters keep their size where the maps have to shrink.
    const room = most / ratio;
    const shrunk = sum(1) <= room ? 1 : Math.max(0.1, (room - 2 * (MARGIN - ROOM) - (columns.length - 1) * GAP) / (columns.length * width));
    this.scale = ratio;
    const [cell, tall] = [Math.max(NARROWEST, width * shrunk), height * shrunk];
    this.shrunk = shrunk;
    this.wide = sum(shrunk);
    this.parts = panes.map((pane, at) => {
      const [column, row] = [columns.indexOf(Math.round(boxes[at].left)), rows.indexOf(Math.round(boxes[at].top))];
      const x = MARGIN - ROOM + column * (cell + GAP) + (cell - shown[at].width * shrunk) / 2;
      const y = MARGIN + TITLE + row * (tall + HEAD + GAP) + HEAD;
      return { pane, from: shown[at], to: { x, y } };
    });
    this.cell = cell;
    this.below = MARGIN + TITLE + rows.length * (tall + HEAD) + (rows.length - 1) * GAP + ROOM;
    // The legend is as long as it is now. Films want even sides.
    const high = this.below + this.lines(this.legend()).length * LINE + MARGIN;
    this.canvas.width = 2 * Math.ceil((this.wide * ratio) / 2);
    this.canvas.height = 2 * Math.ceil((high * ratio) / 2);
  }

  private legend(): Swatch[] {
    const { walking } = this.app;
    return walking.isOn ? walking.teams : legendOf(this.app);
  }

  private font(size: number, weight = 400): void {
    this.context.font = `${weight} ${size}px ${FACE}`;
  }

  /** The swatches, line by line, each with its place from the left. */
  private lines(swatches: Swatch[]): { swatch: Swatch; x: number }[][] {
    this.font(12.5);
    const lines: { swatch: Swatch; x: number }[][] = [];
    let x = Infinity;
    for (const swatch of swatches) {
      const width = sideOf(swatch) + 6 + this.context.measureText(swatch.text).width;
      if (x + width > this.wide - MARGIN) {
        lines.push([]);
        x = MARGIN;
      }
      lines.at(-1)?.push({ swatch, x });
      x += width + 16;
    }
    return lines;
  }

  /** Draws what the stage shows at present. */
  draw(): void {
    const { app, context, scale } = this;
    const { look } = app;
    const [ink, muted] = look.isDark ? ["#f4f6f8", "#9aa7b4"] : ["#1d2126", "#5b646e"];
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = css(look.background);
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    context.textBaseline = "middle";
    this.font(17, 650);
    context.fillStyle = ink;
    context.fillText(app.opened?.about.name ?? "", MARGIN, MARGIN + 10, this.wide - 2 * MARGIN - 70);
    this.font(12);
    context.fillStyle = muted;
    context.textAlign = "right";
    context.fillText("Wayfare", this.wide - MARGIN, MARGIN + 10);
    context.textAlign = "left";
    for (const { pane, from, to } of this.parts) {
      const [left, top] = [to.x - (this.cell - from.width * this.shrunk) / 2 + ROOM, to.y - HEAD];
      const [title, line] = this.caption(pane);
      this.font(13.5, 600);
      context.fillStyle = ink;
      context.fillText(title, left, top + 11, this.cell - ROOM);
      this.font(12.5);
      context.fillStyle = muted;
      context.fillText(line, left, top + 29, this.cell - ROOM);
      const [width, height] = [from.width * this.shrunk, from.height * this.shrunk];
      for (const layer of [app.stage.canvas, app.stage.writing]) {
        context.drawImage(layer, from.x * scale, from.y * scale, from.width * scale, from.height * scale, to.x, to.y, width, height);
      }
    }
    this.font(12.5);
    this.lines(this.legend()).forEach((line, row) => {
      for (const { swatch, x } of line) this.swatch(swatch, x, this.below + row * LINE + LINE / 2, ink);
    });
  }

  pixels(): Uint8ClampedArray {
    return this.context.getImageData(0, 0, this.canvas.width, this.canvas.height).data;
  }

  private swatch(swatch: Swatch, x: number, y: number, ink: string): void {
    const { context } = this;
    const side = sideOf(swatch);
    const fill = context.createLinearGradient(x, 0, x + side, 0);
    const { colours } = swatch;
    colours.forEach((colour, at) => fill.addColorStop(colours.length > 1 ? at / (colours.length - 1) : 0, css(colour)));
    context.fillStyle = fill;
    context.beginPath();
    context.roundRect(x, y - 6, side, 12, 3);
    context.fill();
    context.fillStyle = ink;
    context.fillText(swatch.text, x + side + 6, y);
  }

  /** What a pane shows, and how far it is. */
  private caption(pane: Pane): [string, string] {
    const { app } = this;
    const { walking } = app;
    if (walking.isOn) {
      const count = walking.agents?.count ?? 0;
      return [`${grouped(count)} agent${count === 1 ? "" : "s"}`, `${walking.seconds.toFixed(1)} s`];
    }
    const asked = app.asked[app.stage.panes.indexOf(pane)];
    const name = asked?.algorithm ?? "astar";
    const title = app.catalog.find((one) => one.name === name)?.title ?? name;
    const heuristic = asked?.heuristic && asked.heuristic !== "natural" ? `, h: ${asked.heuristic}` : "";
    const counters = countersOf(pane, app.optimum).map(([name, value]) => `${name} ${value}`.trim());
    return [title + heuristic, counters.join(" · ")];
  }
}

function sideOf({ colours }: Swatch): number {
  return colours.length > 1 ? 34 : 12;
}

/** The part of a pane in which its map is, on the stage. */
function seen(app: App, pane: Pane): Rectangle {
  const { stage } = app;
  const box = pane.element.getBoundingClientRect();
  const whole = stage.canvas.getBoundingClientRect();
  const { map } = pane;
  const corners: [number, number][] = [];
  if (isInSpace(map)) {
    const [low, high] = map.box;
    for (const x of [low[0], high[0]]) for (const y of [low[1], high[1]]) for (const z of [low[2], high[2]]) corners.push(stage.project(pane, [x, y, z]));
  } else {
    const [left, top, right, bottom] = map.bounds;
    corners.push(stage.over(pane, [left, top]), stage.over(pane, [right, bottom]));
  }
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const left = Math.max(box.left, Math.min(...xs) - ROOM);
  const right = Math.min(box.right, Math.max(...xs) + ROOM);
  const top = Math.max(box.top, Math.min(...ys) - ROOM);
  const bottom = Math.min(box.bottom, Math.max(...ys) + ROOM);
  // Whoever has moved the map out of sight sees the whole pane.
  if (right - left < 8 || bottom - top < 8) return { x: box.left - whole.left, y: box.top - whole.top, width: box.width, height: box.height };
  return { x: left - whole.left, y: top - whole.top, width: right - left, height: bottom - top };
}
