// Danger before a search: painted with a brush, seen on the map, forgotten with time.

import type { Dangers } from "wayfare";
import type { App } from "./app";
import { byId, grouped, tidy } from "./dom";
import type { Endangered } from "./engine.worker";
import type { Spot } from "./maps";
import { isInSpace, type Place } from "./space";

/** What a dab of the brush adds to the cost of entering a state, in steps. */
const DAB = 8;
/** The radius of the brush, in steps. */
const RADIUS = 1.6;
/** Danger ages once in that many milliseconds. */
const BEAT = 1000;

const NONE: Endangered = { states: new Uint32Array(0), amounts: new Float32Array(0), places: new Float32Array(0) };

export class Danger {
  private readonly app: App;
  private known: Endangered = NONE;
  private amounts = new Map<number, number>();
  private fresh: number[] = [];
  private freshPlaces: Place[] = [];
  private last = "";
  private isTelling = false;
  private isPulling = false;
  /** What was known when the brush was put down. */
  private before: Dangers = NONE;

  constructor(app: App) {
    this.app = app;
    setInterval(() => void this.age(), BEAT);
    byId("danger-goal").addEventListener("click", () => void this.atGoal());
  }

  /** Whether the open world can be dangerous: searches on meshes know no danger. */
  get isPossible(): boolean {
    const kind = this.app.opened?.shape.kind;
    return kind !== undefined && kind !== "polygons";
  }

  /** A world was opened, or edited: it may know of danger by itself. */
  async enter(): Promise<void> {
    [this.fresh, this.freshPlaces, this.last] = [[], [], ""];
    this.take(NONE);
    byId("danger-panel").hidden = !this.isPossible;
    if (!this.isPossible) return;
    const { opened } = this.app;
    const known = await this.app.engine.call("dangers");
    if (this.app.opened === opened) this.take(known);
  }

  /** What is known at present. */
  get present(): Dangers {
    return this.known;
  }

  /** What entering a state costs more. */
  at(state: number): number {
    return this.amounts.get(state) ?? 0;
  }

  beginPull(): void {
    this.isPulling = true;
    this.last = "";
    this.before = this.known;
  }

  endPull(): void {
    this.isPulling = false;
    void this.tell();
  }

  /** Without a pointer: danger at the goal's place. */
  private async atGoal(): Promise<void> {
    const { ends } = this.app;
    if (!ends || !this.isPossible) return;
    this.beginPull();
    if (ends.goal.place) this.freshPlaces.push(ends.goal.place);
    else this.fresh.push(ends.goal.state);
    this.endPull();
  }

  /** Paints along a line. */
  brush(from: Spot, to: Spot): void {
    const { map } = this.app.stage.panes[0];
    const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / (map.pitch * RADIUS)));
    for (let step = 0; step <= steps; step++) {
      const share = step / steps;
      const state = map.stateAt([from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]);
      if (state < 0 || String(state) === this.last) continue;
      this.last = String(state);
      this.fresh.push(state);
    }
    void this.tell();
  }

  /** Paints above a block. */
  brushPlace(place: Place): void {
    const name = place.map(Math.floor).join(",");
    if (name === this.last) return;
    this.last = name;
    this.freshPlaces.push(place);
    void this.tell();
  }

  private async tell(): Promise<void> {
    if (this.isTelling) return;
    this.isTelling = true;
    const { app } = this;
    try {
      while (this.fresh.length + this.freshPlaces.length > 0) {
        const [a, b] = await this.neighbours();
        const radius = RADIUS * Math.max(Math.hypot(a, b), 1e-3);
        const places = this.freshPlaces.splice(0).map((place) => place.map(Math.floor).join(","));
        const states = Uint32Array.from(this.fresh.splice(0));
        this.take(await app.engine.call("dread", states, places, radius, DAB));
        app.time.isPlaying = false;
        void app.solve("end");
      }
      if (!this.isPulling) this.keep();
    } catch (error) {
      app.fail(error);
    } finally {
      this.isTelling = false;
    }
  }

  /**
   * Keeps what the brush did since it was put down, to be undone: danger is as before then,
   * unfaded.
   */
  private keep(): void {
    const [before, after] = [this.before, this.known];
    this.before = after;
    if (before === after) return;
    this.app.painting.keep({ undo: () => void this.put(before), redo: () => void this.put(after) });
  }

  /** Makes that known which was known at another time, in the same world. */
  async put({ states, amounts }: Dangers): Promise<void> {
    const { app } = this;
    const { opened } = app;
    try {
      const known = await app.engine.call("setDangers", states.slice(), amounts.slice());
      if (app.opened !== opened) return;
      this.take(known);
      app.time.isPlaying = false;
      await app.solve("end");
    } catch (error) {
      app.fail(error);
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
    const isQuiet = this.known.states.length > 0 && !this.isPulling && !this.isTelling && !app.time.isPlaying && !app.held;
    if (!isQuiet || app.walking.isOn || !this.isPossible || document.hidden) return;
    const { opened } = app;
    try {
      const known = await app.engine.call("ageDanger", BEAT / 1000);
      if (app.opened !== opened || app.walking.isOn || this.isPulling) return;
      this.take(known);
      // Who has seen the whole search sees the whole of the next.
      await app.solve(app.time.at >= app.time.most ? "end" : "keep");
    } catch (error) {
      app.fail(error);
    }
  }

  private take(known: Endangered): void {
    this.known = known;
    this.amounts = new Map();
    known.states.forEach((state, at) => this.amounts.set(state, known.amounts[at]));
    const noun = this.app.opened?.about.state ?? "state";
    const most = known.amounts.reduce((most, amount) => Math.max(most, amount), 0);
    byId("danger-text").textContent =
      known.states.length === 0
        ? "None. Paint it with the tool Danger, or put it at the goal."
        : `${grouped(known.states.length)} ${noun}${known.states.length === 1 ? "" : "s"}, up to ${tidy(Math.round(most * 10) / 10)} more to enter. It fades while nothing plays.`;
    this.show();
  }

  show(): void {
    for (const pane of this.app.stage.panes) {
      if (!this.app.walking.isOn) pane.setDangers(this.known, isInSpace(pane.map) ? this.known.places : null);
    }
    this.app.stage.ask();
  }
}
