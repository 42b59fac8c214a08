// g, h and f in the cells that a search has reached, where there is room for them: g and h above, f
// below and larger.

import { css, type Rgb } from "./look";
import { CellMap, stateOf } from "./maps";
import type { Pane } from "./pane";
import type { Stage } from "./stage";

/** From that size on cells have room for numbers, in the window's pixels. */
const ROOM = 40;
/** The most cells with numbers: more are no longer read. */
const MOST = 2000;
const FACE = 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** A number with as many digits as a cell has room for. */
function short(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 100 ? 1 : 0);
}

/** Whether the cells of a pane have room for numbers, and a search. */
export function hasNumbers(stage: Stage, pane: Pane): boolean {
  return pane.map instanceof CellMap && pane.cursor !== null && stage.view.unit * ROOM <= 1;
}

/** Draws the numbers of a pane over the stage; the context counts in the window's pixels. */
export function drawNumbers(context: CanvasRenderingContext2D, stage: Stage, pane: Pane): void {
  const { map, cursor } = pane;
  const side = 1 / stage.view.unit;
  if (!(map instanceof CellMap) || !cursor || !hasNumbers(stage, pane)) return;
  const whole = stage.canvas.getBoundingClientRect();
  const box = pane.element.getBoundingClientRect();
  const { width, height } = map.shape;
  const [halfWide, halfHigh] = [(box.width / 2) * stage.view.unit, (box.height / 2) * stage.view.unit];
  const [left, right] = [Math.max(0, Math.floor(stage.view.x - halfWide)), Math.min(width, Math.ceil(stage.view.x + halfWide))];
  const [top, bottom] = [Math.max(0, Math.floor(stage.view.y - halfHigh)), Math.min(height, Math.ceil(stage.view.y + halfHigh))];
  if ((right - left) * (bottom - top) > MOST) return;
  const { g, h } = cursor.trace.events;
  context.save();
  context.lineJoin = "round";
  context.beginPath();
  context.rect(box.left - whole.left, box.top - whole.top, box.width, box.height);
  context.clip();
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const state = stateOf(map.shape, row * width + column);
      const event = cursor.eventOf(state);
      if (event < 0) continue;
      const [x, y] = stage.over(pane, [column, row]);
      const [from, down] = [x - whole.left, y - whole.top];
      const ground = pane.colourOf(state)?.[0] ?? pane.look.floor;
      context.fillStyle = css(inkOn(ground));
      const small = Math.min(13, side * 0.2);
      context.font = `400 ${small}px ${FACE}`;
      context.textBaseline = "top";
      context.textAlign = "left";
      context.fillText(short(g[event]), from + side * 0.08, down + side * 0.08, side * 0.42);
      context.textAlign = "right";
      context.fillText(short(h[event]), from + side * 0.92, down + side * 0.08, side * 0.42);
      context.font = `600 ${Math.min(20, side * 0.3)}px ${FACE}`;
      context.textBaseline = "alphabetic";
      context.textAlign = "center";
      // A path may lead through it.
      context.strokeStyle = css(ground);
      context.lineWidth = side * 0.05;
      context.strokeText(short(g[event] + h[event]), from + side * 0.5, down + side * 0.86, side * 0.84);
      context.fillText(short(g[event] + h[event]), from + side * 0.5, down + side * 0.86, side * 0.84);
    }
  }
  context.restore();
}

/** Black or white, whichever is read on a colour. */
function inkOn([red, green, blue]: Rgb): Rgb {
  return red * 0.3 + green * 0.59 + blue * 0.11 > 130 ? [16, 20, 26] : [244, 246, 248];
}
