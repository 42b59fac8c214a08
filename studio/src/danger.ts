// Danger before a search: painted with a brush, seen on the map, forgotten with time.

import type { Dangers } from "wayfare";
import type { App } from "./app";
import type { Spot } from "./maps";

/** What a dab of the brush adds to the cost of entering a state, in steps. */
const DAB = 8;
/** The radius of the brush, in steps. */
const RADIUS = 1.6;
/** Danger ages once in that many milliseconds. */
const BEAT = 1000;

const NONE: Dangers = { states: new Uint32Array(0), amounts: new Float32Array(0) };

export class Danger {
  private readonly app: App;
  private known: Dangers = NONE;
  private amounts = new Map<number, number>();
  private fresh: number[] = [];
  private last = -1;
  private isTelling = false;
  private isPulling = false;

  constructor(app: App) {
    this.app = app;
    setInterval(() => void this.age(), BEAT);
  }

  /** Whether the open world can be dangerous: where states are seen from above. */
  get isPossible(): boolean {
    const kind = this.app.opened?.shape.kind;
    return kind === "cells" || kind === "points";
  }

  /** A world was opened, or edited: it may know of danger by itself. */
  async enter(): Promise<void> {
    [this.fresh, this.last] = [[], -1];
    this.take(NONE);
    if (!this.isPossible) return;
    const { opened } = this.app;
    const known = await this.app.engine.call("dangers");
    if (this.app.opened === opened) this.take(known);
  }

  /** What entering a state costs more. */
  at(state: number): number {
    return this.amounts.get(state) ?? 0;
  }

  beginPull(): void {
    this.isPulling = true;
    this.last = -1;
  }

  endPull(): void {
    this.isPulling = false;
  }

  /** Paints along a line. */
  brush(from: Spot, to: Spot): void {
    const { map } = this.app.stage.panes[0];
    const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / (map.pitch * RADIUS)));
    for (let step = 0; step <= steps; step++) {
      const share = step / steps;
      const state = map.stateAt([from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]);
      if (state < 0 || state === this.last) continue;
      this.last = state;
      this.fresh.push(state);
    }
    void this.tell();
  }

  private async tell(): Promise<void> {
    if (this.isTelling) return;
    this.isTelling = true;
    const { app } = this;
    try {
      while (this.fresh.length > 0) {
        const states = Uint32Array.from(this.fresh.splice(0));
        const [a, b] = await this.neighbours();
        this.take(await app.engine.call("dread", states, RADIUS * Math.max(Math.hypot(a, b), 1e-3), DAB));
        app.isPlaying = false;
        void app.solve("end");
      }
    } catch (error) {
      app.fail(error);
    } finally {
      this.isTelling = false;
    }
  }

  /** The way from one state to the next, in world units. */
  private async neighbours(): Promise<[number, number]> {
    const { opened, stage, engine } = this.app;
    const shape = opened?.shape;
    if (shape?.kind !== "cells") return [stage.panes[0].map.pitch, 0];
    if (shape.width < 2) return [1, 0];
    const at = await engine.call("positions", Uint32Array.of(shape.first, shape.first + 1));
    return [at[3] - at[0], at[5] - at[2]];
  }

  private async age(): Promise<void> {
    const { app } = this;
    const isQuiet = this.known.states.length > 0 && !this.isPulling && !app.isPlaying && !app.held;
    if (!isQuiet || app.walking.isOn || !this.isPossible || document.hidden) return;
    const { opened } = app;
    try {
      const known = await app.engine.call("ageDanger", BEAT / 1000);
      if (app.opened !== opened || app.walking.isOn) return;
      this.take(known);
      await app.solve("keep");
    } catch (error) {
      app.fail(error);
    }
  }

  private take(known: Dangers): void {
    this.known = known;
    this.amounts = new Map();
    known.states.forEach((state, at) => this.amounts.set(state, known.amounts[at]));
    this.show();
  }

  show(): void {
    for (const pane of this.app.stage.panes) pane.setDangers(this.known);
    this.app.stage.ask();
  }
}
