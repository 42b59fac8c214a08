// Breakpoints: places where playing stops.

import type { App } from "./app";
import { byId, grouped } from "./dom";
import { isInSpace, placesIn } from "./space";

export class Breaks {
  private readonly app: App;
  /** Playing stops where one of these states is expanded. */
  readonly states = new Set<number>();
  /** Playing stops where f rises above this value. */
  private f: number | null = null;

  constructor(app: App) {
    this.app = app;
  }

  toggle(state: number): void {
    if (!this.states.delete(state)) this.states.add(state);
    this.show();
  }

  setF(value: number | null): void {
    this.f = value !== null && Number.isFinite(value) ? value : null;
  }

  clear(): void {
    this.states.clear();
    this.f = null;
    byId<HTMLInputElement>("break-f").value = "";
    this.show();
  }

  /** Marks them on all maps. */
  show(): void {
    void this.mark().catch((error: unknown) => this.app.fail(error));
    const count = this.states.size;
    byId("break-text").textContent = count === 0 ? "Point at a state and press X." : `${grouped(count)} on the map.`;
  }

  private async mark(): Promise<void> {
    const { app } = this;
    const { opened, stage } = app;
    const states = Uint32Array.from(this.states);
    const isPlaced = states.length > 0 && isInSpace(stage.panes[0]?.map);
    const at = isPlaced ? await app.engine.call("positions", states.slice()) : new Float32Array(0);
    // Of a world that is gone, or of former breakpoints, nothing is marked.
    const isPresent = app.opened === opened && states.length === this.states.size && states.every((state) => this.states.has(state));
    if (!isPresent) return;
    for (const pane of stage.panes) pane.setBreaks(states, placesIn(at));
    stage.ask();
  }

  /** The first expansion after the present one, up to a place, that a breakpoint stops at. */
  next(to: number): number | null {
    const { states, f, app } = this;
    if (states.size === 0 && f === null) return null;
    let first: number | null = null;
    for (const { cursor } of app.stage.panes) {
      if (!cursor) continue;
      const { stops, events } = cursor.trace;
      const value = (at: number) => (at > 0 ? events.g[stops[at - 1]] + events.h[stops[at - 1]] : -Infinity);
      const last = Math.min(first ?? to, to, cursor.trace.expansions);
      for (let at = app.time.at + 1; at <= last; at++) {
        const isAbove = f !== null && value(at) > f && value(at - 1) <= f;
        if (isAbove || states.has(events.states[stops[at - 1]])) {
          first = at;
          break;
        }
      }
    }
    return first;
  }
}
