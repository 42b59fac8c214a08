// Waypoints and links placed by hand, in waypoint scenes and over grids, with undo and redo. The
// engine holds the graph: each change opens the scene with the changed graph.

import type { Source } from "wayfare/link";
import type { DrawnGraph } from "wayfare";
import type { App } from "./app";
import { moveEnds } from "./ends";
import { byId, grouped, option } from "./dom";
import type { Opened } from "./engine.worker";
import type { Spot } from "./maps";
import type { History } from "./painting";

/** How near to a waypoint the pointer takes hold of it, in pixels. */
const REACH = 16;
/** The waypoints that the list names. */
const MOST_LISTED = 500;

/**
 * A world before or after a change, which the engine keeps: where it came from, and what was
 * changed in it.
 */
interface Version {
  source: Source | null;
  history: History;
  /** The states of the ends. */
  ends: number[];
}

export class Waypoints {
  private readonly app: App;
  private graph: DrawnGraph = { waypoints: [], links: [] };
  /** Numbers of the selected waypoints: their states. */
  readonly selected = new Set<number>();
  /** The world before each change that can be undone, or done again. */
  private done: Version[] = [];
  private undone: Version[] = [];
  private isBusy = false;

  constructor(app: App) {
    this.app = app;
    const act = (id: string, change: () => Promise<void>) => byId(id).addEventListener("click", () => void change());
    act("waypoint-add", () => this.place(this.app.ends?.goal.spot ?? [0, 0]));
    act("waypoint-link", () => this.linkSelected());
    act("waypoint-delete", () => this.deleteSelected());
    for (const button of byId("form-row").querySelectorAll<HTMLButtonElement>("[data-form]")) {
      button.addEventListener("click", () => {
        if (button.dataset.form !== this.app.opened?.shape.kind) void this.changeForm();
      });
    }
    const list = byId<HTMLSelectElement>("waypoints");
    list.addEventListener("change", () => {
      this.selected.clear();
      for (const { value } of list.selectedOptions) this.selected.add(Number(value));
      this.show();
    });
    list.addEventListener("keydown", (event) => {
      const ways: Record<string, Spot> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const way = ways[event.key];
      if (way && event.altKey) void this.moveSelected(way);
      else if (event.key === "Delete") void this.deleteSelected();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** Whether waypoints can be placed in the open world. */
  get isPossible(): boolean {
    const kind = this.app.opened?.shape.kind;
    return kind === "cells" || kind === "points";
  }

  get canUndo(): boolean {
    return this.done.length > 0;
  }

  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  /** A world was opened. */
  async enter(): Promise<void> {
    [this.done, this.undone] = [[], []];
    await this.read();
  }

  private async read(): Promise<void> {
    const { app } = this;
    const { opened } = app;
    this.selected.clear();
    this.graph = { waypoints: [], links: [] };
    if (opened?.shape.kind === "points") {
      const graph = await app.engine.call("graph");
      if (app.opened === opened) this.graph = graph;
    }
    this.list();
    this.show();
  }

  /** The waypoint near a point of the window; -1 if there is none. */
  near(clientX: number, clientY: number): number {
    const { stage, opened } = this.app;
    const [pane] = stage.panes;
    if (opened?.shape.kind !== "points" || !pane) return -1;
    let [best, nearest] = [-1, REACH];
    for (let state = 0; state * 3 < opened.shape.places.length; state++) {
      const spot = pane.map.spot(state);
      if (!spot) continue;
      const [left, top] = stage.over(pane, spot);
      const far = Math.hypot(left - clientX, top - clientY);
      if (far < nearest) [best, nearest] = [state, far];
    }
    return best;
  }

  /** Selects a waypoint: it alone, or besides those that are. */
  select(state: number, isAdded: boolean): void {
    const was = this.selected.has(state);
    if (!isAdded) this.selected.clear();
    if (isAdded && was) this.selected.delete(state);
    else this.selected.add(state);
    this.list();
    this.show();
  }

  clearSelection(): void {
    this.selected.clear();
    this.list();
    this.show();
  }

  // ---- changes

  /** Places a waypoint, linked with the selected ones. Over a grid the ends are the first two. */
  async place(spot: Spot): Promise<void> {
    const { app } = this;
    await this.change((graph) => {
      const links = [...this.selected].map((state) => graph.waypoints[state]?.id).filter((id) => id !== undefined);
      if (app.opened?.shape.kind === "cells" && app.ends) {
        for (const [id, end] of [["start", app.ends.start], ["goal", app.ends.goal]] as const) {
          graph.waypoints.push({ id, at: this.metres(end.spot) });
          links.push(id);
        }
      }
      const id = this.freeId(graph);
      graph.waypoints.push({ id, at: this.metres(spot) });
      for (const other of links) graph.links.push({ from: other, to: id });
      return [graph.waypoints.length - 1];
    });
  }

  /**
   * Shows a waypoint with its links where it is pulled to; `null` where it is not pulled any more.
   */
  pull(state: number, spot: Spot | null): void {
    const shape = this.app.opened?.shape;
    const linked = new Set<number>();
    if (spot && shape?.kind === "points" && this.app.painting.tool === "place") {
      for (let at = 0; at < shape.links.length; at += 2) {
        if (shape.links[at] === state) linked.add(shape.links[at + 1]);
        if (shape.links[at + 1] === state) linked.add(shape.links[at]);
      }
    }
    // With the tool that links it stays where it is.
    const isMoved = this.app.painting.tool === "place";
    for (const pane of this.app.stage.panes) pane.setGhost(spot, isMoved ? state : -1, isMoved ? [...linked] : spot ? [state] : []);
    this.app.stage.ask();
  }

  /** Puts a waypoint elsewhere. */
  async move(state: number, spot: Spot): Promise<void> {
    await this.change((graph) => {
      const waypoint = graph.waypoints[state];
      if (!waypoint) return null;
      const [x, , z] = this.metres(spot);
      waypoint.at = [x, waypoint.at[1], z];
      return [...this.selected];
    });
  }

  private async moveSelected([x, y]: Spot): Promise<void> {
    const by = this.app.stage.panes[0].map.pitch / 4;
    await this.change((graph) => {
      for (const state of this.selected) {
        const { at } = graph.waypoints[state];
        graph.waypoints[state].at = [at[0] + x * by, at[1], at[2] + y * by];
      }
      return this.selected.size > 0 ? [...this.selected] : null;
    });
  }

  /** Links two waypoints, or takes their link away. One way: only from the first to the second. */
  async link(a: number, b: number, isOneWay: boolean): Promise<void> {
    await this.change((graph) => {
      const [from, to] = [graph.waypoints[a]?.id, graph.waypoints[b]?.id];
      if (!from || !to || from === to) return null;
      const joins = (one: { from: string; to: string }) =>
        (one.from === from && one.to === to) || (one.from === to && one.to === from);
      const others = graph.links.filter((one) => !joins(one));
      if (others.length === graph.links.length) others.push({ from, to, one_way: isOneWay });
      graph.links = others;
      return [b];
    });
  }

  /**
   * Links the selected waypoints, each with the next; where all are linked, takes the links away.
   */
  async linkSelected(): Promise<void> {
    const chosen = [...this.selected];
    if (chosen.length < 2) {
      this.app.say("Select two waypoints or more to link them.");
      return;
    }
    await this.change((graph) => {
      const ids = chosen.map((state) => graph.waypoints[state].id);
      const pairs = ids.slice(1).map((id, at) => [ids[at], id]);
      const joins = ([a, b]: string[]) =>
        graph.links.findIndex(({ from, to }) => (from === a && to === b) || (from === b && to === a));
      const missing = pairs.filter((pair) => joins(pair) < 0);
      if (missing.length > 0) for (const [from, to] of missing) graph.links.push({ from, to });
      else for (const pair of pairs) graph.links.splice(joins(pair), 1);
      return chosen;
    });
  }

  async deleteSelected(): Promise<void> {
    await this.change((graph) => {
      if (this.selected.size === 0) return null;
      const gone = new Set([...this.selected].map((state) => graph.waypoints[state].id));
      graph.waypoints = graph.waypoints.filter(({ id }) => !gone.has(id));
      graph.links = graph.links.filter(({ from, to }) => !gone.has(from) && !gone.has(to));
      return [];
    });
  }

  /** A place of the map in the scene's metres. */
  private metres([x, y]: Spot): [number, number, number] {
    const { opened } = this.app;
    if (opened?.shape.kind !== "cells") return [x, 0, y];
    const [unit, left, top] = this.frame;
    return [left + x * unit, 0, top + y * unit];
  }

  /** Metres to a cell of the grid, and its corner. */
  private frame: [number, number, number] = [1, 0, 0];

  private freeId({ waypoints }: DrawnGraph): string {
    const taken = new Set(waypoints.map(({ id }) => id));
    let number = waypoints.length + 1;
    while (taken.has(`w${number}`)) number++;
    return `w${number}`;
  }

  /**
   * Makes a change: it alters a copy of the graph, and returns what is selected then, or `null` for
   * no change.
   */
  private async change(alter: (graph: DrawnGraph) => number[] | null): Promise<void> {
    const { app } = this;
    if (this.isBusy || !this.isPossible || app.walking.isOn) return;
    this.isBusy = true;
    try {
      if (app.opened?.shape.kind === "cells") this.frame = await app.engine.call("gridFrame");
      const graph = structuredClone(this.graph);
      const selected = alter(graph);
      if (!selected) return;
      const version = this.version();
      const names = this.endNames();
      const opened = await app.engine.call("setGraph", graph);
      this.done.push(version);
      this.undone = [];
      await this.showWorld(opened, null, names);
      for (const state of selected) this.selected.add(state);
      this.list();
      this.show();
    } catch (error) {
      app.fail(error);
    } finally {
      this.isBusy = false;
    }
  }

  /** Shows the grid as waypoints, or the waypoints as a grid. It is a change that can be undone. */
  async changeForm(): Promise<void> {
    const { app } = this;
    const { ends } = app;
    if (this.isBusy || !this.isPossible || app.walking.isOn || !ends) return;
    this.isBusy = true;
    try {
      const version = this.version();
      const opened = await app.engine.call("otherForm", ends.start.state, ends.goal.state);
      this.done.push(version);
      this.undone = [];
      app.showEdited(opened, null);
      await this.read();
      app.stage.fit();
      app.painting.showHistory();
      await app.solve("end");
    } catch (error) {
      app.fail(error);
    } finally {
      this.isBusy = false;
      this.showForm();
    }
  }

  /** Which of both forms is shown. */
  private showForm(): void {
    byId("form-row").hidden = !this.isPossible;
    const kind = this.app.opened?.shape.kind;
    for (const button of byId("form-row").querySelectorAll<HTMLButtonElement>("[data-form]")) {
      button.setAttribute("aria-checked", String(button.dataset.form === kind));
    }
  }

  /** The names of the waypoints that the ends are at. */
  private endNames(): string[] {
    const { ends } = this.app;
    if (this.app.opened?.shape.kind === "cells") return ["start", "goal"];
    return ends ? [ends.start, ends.goal].map(({ state }) => this.graph.waypoints[state]?.id ?? "") : [];
  }

  private async showWorld(opened: Opened, source: Source | null, names: string[]): Promise<void> {
    this.app.showEdited(opened, source);
    await this.read();
    moveEnds(this.app, names.map((name) => this.graph.waypoints.findIndex(({ id }) => id === name)));
    this.app.painting.showHistory();
  }

  async undo(): Promise<void> {
    await this.turn(this.done, this.undone, "undoGraph");
  }

  async redo(): Promise<void> {
    await this.turn(this.undone, this.done, "redoGraph");
  }

  private version(): Version {
    const { source, painting, ends } = this.app;
    return { source, history: painting.history, ends: ends ? [ends.start.state, ends.goal.state] : [] };
  }

  private async turn(from: Version[], to: Version[], call: "undoGraph" | "redoGraph"): Promise<void> {
    const { app } = this;
    if (this.isBusy || from.length === 0) return;
    this.isBusy = true;
    try {
      const names = this.endNames();
      const before = app.opened?.shape.kind;
      const opened = await app.engine.call(call);
      to.push(this.version());
      const version = from.pop();
      await this.showWorld(opened, version?.source ?? null, names);
      const isOtherForm = opened.shape.kind !== before;
      if (isOtherForm) app.stage.fit();
      if (!version) return;
      // The states of that world are the same again.
      app.painting.recall(version.history);
      if (isOtherForm && version.ends.length === 2) moveEnds(app, version.ends);
    } catch (error) {
      app.fail(error);
    } finally {
      this.isBusy = false;
    }
  }

  // ---- what is shown

  /** The list, with what is selected. */
  private list(): void {
    const list = byId<HTMLSelectElement>("waypoints");
    const { waypoints } = this.graph;
    const isShown = this.app.opened?.shape.kind === "points";
    byId("waypoint-panel").hidden = !this.isPossible;
    this.showForm();
    list.hidden = !isShown;
    const lines = waypoints.slice(0, MOST_LISTED).map(({ id }, state) => {
      const line = option(String(state), id);
      line.selected = this.selected.has(state);
      return line;
    });
    list.replaceChildren(...lines);
    const more = waypoints.length > MOST_LISTED ? ` The list has the first ${MOST_LISTED}.` : "";
    byId("waypoint-text").textContent = isShown
      ? `${grouped(waypoints.length)} with ${grouped(this.graph.links.length)} links.${more}`
      : "Placed over the grid, whose walls stay.";
  }

  /** The arrows of the selected waypoints. */
  show(): void {
    const shape = this.app.opened?.shape;
    const arrows: [number, number][] = [];
    if (shape?.kind === "points") {
      for (let at = 0; at < shape.links.length; at += 2) {
        if (this.selected.has(shape.links[at])) arrows.push([shape.links[at], shape.links[at + 1]]);
      }
    }
    for (const pane of this.app.stage.panes) pane.setArrows(this.selected, arrows);
    this.app.stage.ask();
  }
}
