// The open list at the place in time that is shown: its states, the next to be expanded first.

import type { App } from "./app";
import { nameOf } from "./details";
import { byId, grouped, make, tidy } from "./dom";
import type { Cursor } from "./timeline";
import { EXPAND, GOAL, RESTART } from "./timeline";

/** The states that are listed. */
const LISTED = 10;
/**
 * How long the place has to rest before the list is made, in milliseconds: it takes a look at every
 * event.
 */
const REST = 160;

/**
 * What the engine keeps the open states of a search in (`OpenList` in crates/wayfare/src/search).
 */
const BUCKETS =
  "The engine keeps no heap of it, but buckets by f: only the lowest is sorted, and what is pushed into that one later waits in a small heap beside it. Of equal f the least h comes first.";
const KEPT: Record<string, string> = {
  astar: BUCKETS,
  dijkstra: BUCKETS,
  greedy: BUCKETS,
  bfs: "The engine keeps it as a queue, first in, first out: f does not count.",
};

export interface OpenState {
  state: number;
  g: number;
  h: number;
}

/** The sum of two costs is off by less than a part of this. */
const EXACT = 1e6;

/**
 * The open states in ascending order of f, then of h, then of their number, as the engine pops
 * them.
 */
export function openStates(cursor: Cursor): OpenState[] {
  const { states, kinds, g, h, count } = cursor.trace.events;
  const open: OpenState[] = [];
  for (let event = 0; event < count; event++) {
    if (kinds[event] === EXPAND || kinds[event] === GOAL || kinds[event] === RESTART) continue;
    if (cursor.eventOf(states[event]) === event) open.push({ state: states[event], g: g[event], h: h[event] });
  }
  const f = ({ g, h }: OpenState) => Math.round((g + h) * EXACT);
  return open.sort((a, b) => f(a) - f(b) || a.h - b.h || a.state - b.state);
}

export class Frontier {
  private readonly app: App;
  private timer = 0;

  constructor(app: App) {
    this.app = app;
    byId("frontier").addEventListener("toggle", () => this.ask());
  }

  /** Makes the list once the place rests. */
  ask(): void {
    clearTimeout(this.timer);
    const isShown = byId<HTMLDetailsElement>("frontier").open;
    if (isShown) this.timer = window.setTimeout(() => this.show(), REST);
  }

  private show(): void {
    const { app } = this;
    const [pane] = app.stage.panes;
    const cursor = pane?.cursor;
    const open = cursor ? openStates(cursor) : [];
    const rows = open.slice(0, LISTED).map(({ state, g, h }) => {
      const row = make("tr");
      for (const text of [nameOf(app, state), tidy(g + h), tidy(g), tidy(h)]) row.append(make("td", text));
      return row;
    });
    byId("frontier-rows").replaceChildren(...rows);
    byId("frontier-kind").textContent = KEPT[app.asked[0].algorithm ?? "astar"] ?? "";
    const rest = open.length > LISTED ? `, and ${grouped(open.length - LISTED)} more` : "";
    byId("frontier-text").textContent = open.length === 0 ? "It is empty." : `${grouped(Math.min(LISTED, open.length))} of the first search, the least f first${rest}.`;
  }
}
