// What is told beside the map: counters, legend, reasons, and what is known of a state.

import type { Ground } from "wayfare";
import type { App } from "./app";
import { PASSAGE } from "./bodies";
import { moveEnds } from "./ends";
import { byId, facts, grouped, make, sentence, tidy } from "./dom";
import { css, groundColour, islandColour, type Rgb } from "./look";
import { cellOf, type Spot } from "./maps";
import type { Colouring, Pane } from "./pane";
import type { Named } from "./engine.worker";
import { EXPAND, GOAL } from "./timeline";

/** The most grounds that the legend tells. */
const MOST_GROUNDS = 10;

/** The counters of a pane, at the place in time that is shown; the cost of a cheapest path, where it is known. */
export function countersOf(pane: Pane, optimum: number | null): [string, string][] {
  const { cursor, report } = pane;
  if (!report) return [];
  const rows: [string, string][] = [
    ["expanded", grouped(cursor?.at ?? report.expanded)],
    ["generated", grouped(cursor?.generated ?? report.generated)],
  ];
  if (report.reopened > 0) rows.push(["reopened", grouped(cursor?.reopened ?? report.reopened)]);
  if (pane.isAtEnd) {
    rows.push(["open list", grouped(report.heapPeak)]);
    if (report.found) {
      rows.push(["cost", tidy(report.cost)]);
      if (optimum) rows.push(["÷ optimal", (report.cost / optimum).toFixed(3)]);
      rows.push(["turns", grouped(turns(pane.route))]);
    } else rows.push(["", report.ending]);
  }
  return rows;
}

export function showCounters(pane: Pane, optimum: number | null): void {
  if (pane.report) facts(pane.element.querySelector(".counters") as HTMLElement, countersOf(pane, optimum));
}

/** What a colour, or colours that go over into each other, stand for. */
export interface Swatch {
  text: string;
  colours: Rgb[];
}

export function legendOf(app: App): Swatch[] {
  const { look, colouring } = app;
  const most = tidy(Math.round((app.mostOfField ?? 0) * 10) / 10);
  const one = (text: string, ...colours: Rgb[]): Swatch => ({ text, colours });
  const colours: Record<Colouring, Swatch[]> = {
    state: [one("open", look.open), one("closed, first to last", ...look.closed)],
    order: [one("low to high", ...look.ramp)],
    g: [one("low to high", ...look.ramp)],
    h: [one("low to high", ...look.ramp)],
    f: [one("low to high", ...look.ramp)],
    difference: [one("only here", look.ramp[look.ramp.length - 1]), one("in both, at once to far apart", ...look.ramp.slice(0, -1))],
    component: [one("each component of its colour", ...[1, 2, 3, 4].map(islandColour))],
    clearance: [one(`0 to ${most} cells from a wall`, ...look.ramp)],
    influence: [one(`danger, up to ${most}`, ...look.ramp)],
    penalty: [one(`penalty of the ground, up to ${most}`, ...look.ramp)],
  };
  const grounds = groundsOf(app).map((ground) => one(ground.name, groundColour(ground, look)));
  // Levels and blocks have colours of their own.
  if (app.opened?.shape.kind === "points") grounds.push(one("wall", look.wall));
  const passages = app.opened?.passages ?? [];
  const ways = [
    ...(passages.some(({ is_open }) => is_open) ? [one("passage", PASSAGE.open)] : []),
    ...(passages.some(({ is_open }) => !is_open) ? [one("shut passage", PASSAGE.shut)] : []),
  ];
  return [...colours[colouring], one("path", look.path), ...ways, ...grounds];
}

/** The lines of a legend. */
export function showSwatches(list: HTMLElement, swatches: Swatch[]): void {
  const lines = swatches.map(({ text, colours }) => {
    const line = make("li");
    const box = make("span", "", colours.length > 1 ? "swatch wide" : "swatch");
    box.style.background = colours.length > 1 ? `linear-gradient(90deg, ${colours.map(css).join(", ")})` : css(colours[0]);
    line.append(box, make("span", text));
    return line;
  });
  list.replaceChildren(...lines);
}

export function showLegend(app: App): void {
  showSwatches(byId("legend"), legendOf(app));
}

/** The grounds that the world has somewhere, as often as they are there; the first of each name. */
function groundsOf(app: App): Ground[] {
  const shape = app.opened?.shape;
  if (shape?.kind !== "cells") return [];
  const counts = new Uint32Array(shape.grounds.length);
  for (const number of shape.ground) counts[number]++;
  const used = [...shape.grounds.keys()].filter((number) => counts[number] > 0).sort((a, b) => counts[b] - counts[a]);
  const names = new Set<string>();
  const grounds = used.map((number) => shape.grounds[number]);
  return grounds.filter(({ name }) => !names.has(name) && names.add(name)).slice(0, MOST_GROUNDS);
}

/** Why there is no path, over the map, with what would open one; else what the path costs, beside it. */
export function showWhy(app: App): void {
  const report = app.traces[0]?.report;
  const reason = report && (app.why?.reason ?? report.reason);
  showReason(app, reason || null);
  const panel = byId("why");
  if (reason || !app.why || app.why.shares.length === 0) {
    panel.replaceChildren();
    return;
  }
  const list = make("dl", "", "facts");
  for (const { ground, moves, cost } of app.why.shares) {
    list.append(make("dt", `${ground}, ${grouped(moves)} moves`), make("dd", tidy(cost)));
  }
  panel.replaceChildren(make("p", "The path costs, by ground:", "muted"), list);
}

function showReason(app: App, reason: string | null): void {
  const card = byId("no-path");
  card.hidden = reason === null;
  if (reason === null) return;
  const close = make("button", "Close", "quiet");
  close.addEventListener("click", () => (card.hidden = true));
  const parts: HTMLElement[] = [close, make("p", sentence(`No path: ${reason}`))];
  const { why } = app;
  if (why?.nearest) parts.push(make("p", `The nearest place that can be reached is ${why.nearest}.`, "muted"));
  if (why && why.remedies.length > 0) {
    parts.push(make("p", "There is a path", "muted"));
    const list = make("ul");
    const unit = app.opened?.about.unit ?? "";
    for (const { sentence, change, length } of why.remedies) {
      const line = make("li");
      line.append(make("span", `${withoutOptions(sentence)}; ${tidy(length)} ${unit} long`));
      const trial = trialOf(app, change);
      if (trial) {
        const button = make("button", "Try");
        button.title = "Makes this change";
        button.addEventListener("click", trial);
        line.append(button);
      }
      list.append(line);
    }
    parts.push(list);
  }
  card.replaceChildren(...parts);
}

/** How a remedy is tried here; `null` where it cannot be. */
function trialOf(app: App, change: string): (() => void) | null {
  const [name, value] = change.split(/=(.*)/s);
  if (value === undefined) return null;
  if (name === "max-expansions") return () => app.setLimit(Number(value));
  if (name === "from" || name === "to") return () => void moveTo(app, change);
  if (["max-cost", "max-generated", "max-open"].includes(name)) return null;
  return () => void app.movement.change(change);
}

/** Puts the ends where a remedy says. */
async function moveTo(app: App, change: string): Promise<void> {
  const states = ["from", "to"].map(async (name) => {
    const place = new RegExp(`(?:^| )${name}=(.*?)(?= to=|$)`).exec(change)?.[1];
    return place === undefined ? -1 : await app.engine.call("find", place);
  });
  try {
    moveEnds(app, await Promise.all(states));
  } catch (error) {
    app.fail(error);
  }
}

/** What is known of a state, at the place in time that is shown. */
export function factsOf(app: App, pane: Pane, state: number): [string, string][] {
  const { cursor } = pane;
  const event = cursor?.eventOf(state) ?? -1;
  if (!cursor || event < 0) return [];
  const { g, h, kinds, parents } = cursor.trace.events;
  const isClosed = kinds[event] === EXPAND || kinds[event] === GOAL;
  const rows: [string, string][] = [
    ["status", isClosed ? "closed" : "open"],
    ["g", tidy(g[event])],
    ["h", tidy(h[event])],
    ["f", tidy(g[event] + h[event])],
  ];
  if (cursor.trace.orders[event] > 0) rows.push(["order", grouped(cursor.trace.orders[event])]);
  if (parents[event] !== state) rows.push(["parent", nameOf(app, parents[event])]);
  return rows;
}

/**
 * The state that a search came from to this one, at the place in time that is shown; `null` for
 * none.
 */
export function cameFrom({ cursor }: Pane, state: number): number | null {
  const event = cursor?.eventOf(state) ?? -1;
  if (!cursor || event < 0) return null;
  const { parents, sides } = cursor.trace.events;
  // A search from the goal goes the other way, and pays for entering the parent.
  return parents[event] === state || sides[event] === 1 ? null : parents[event];
}

/**
 * What entering a state costs: by its ground, the blur of the grounds around it with its slope, and
 * danger. Of the step that a search made to it also the way and the sum, which is g less that of
 * the parent.
 */
export function pricesOf(app: App, state: number, { penalty, step }: Named): [string, string][] {
  const shape = app.opened?.shape;
  const rows: [string, string][] = [];
  const number = shape?.kind === "cells" ? shape.ground[cellOf(shape, state)] : shape?.kind === "points" ? shape.ground[state] : -1;
  const ground = shape?.kind === "cells" || shape?.kind === "points" ? shape.grounds[number] : undefined;
  const multiplier = ground?.multiplier ?? 1;
  const danger = app.danger.at(state);
  // Penalties of grounds count in cells.
  const own = (ground?.penalty ?? 0) * (app.opened?.pitch ?? 1);
  // Elsewhere than on grids the way has no length of its own: waypoints have policies, blocks have
  // jumps.
  const way = step && (shape?.kind === "cells" ? step.length * multiplier : step.cost - penalty - danger);
  if (multiplier !== 1) rows.push(["way ×", tidy(multiplier)]);
  if (way !== null) rows.push(["way", tidy(way)]);
  if (own !== 0) rows.push(["penalty", tidy(own)]);
  if (Math.abs(penalty - own) > 5e-3) rows.push([shape?.kind === "cells" ? "blur, slope" : "own cost", tidy(penalty - own)]);
  if (danger > 0) rows.push(["danger", tidy(danger)]);
  if (step) rows.push(["step", tidy(step.cost)]);
  return rows;
}

/** The name of a state in short. */
export function nameOf(app: App, state: number): string {
  const shape = app.opened?.shape;
  if (shape?.kind !== "cells") return String(state);
  const cell = cellOf(shape, state);
  return `${cell % shape.width},${Math.floor(cell / shape.width)}`;
}

/** The command's options mean nothing here. */
function withoutOptions(text: string): string {
  return text.replace(/ \(--[^)]*\)/g, "");
}

/** The number of places where a route changes its direction. */
function turns(route: Spot[]): number {
  let count = 0;
  for (let at = 2; at < route.length; at++) {
    const [a, b, c] = [route[at - 2], route[at - 1], route[at]];
    const cross = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
    if (Math.abs(cross) > 1e-6) count++;
  }
  return count;
}
