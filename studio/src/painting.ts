// Ground that is painted, with undo and redo. The engine's world and the picture change alike.

import type { App } from "./app";
import { byId, option } from "./dom";
import { CellMap, cellOf, stateOf } from "./maps";
import type { CellShape } from "wayfare";

/** The cells of one pull of the brush. */
interface Pull {
  cells: number[];
  /** The ground of each cell before. */
  before: number[];
  after: number;
}

/** A change that can be undone and done again. */
export interface Change {
  undo(): void;
  redo(): void;
  /** Painted ground, which links hold. */
  pull?: Pull;
}

/** What the pointer does on the map. */
export type Tool = "move" | "paint" | "erase" | "danger" | "place" | "link";

/** Changes that are undone, and done again, the latest last. */
export interface History {
  done: Change[];
  undone: Change[];
}

export class Painting {
  private readonly app: App;
  private done: Change[] = [];
  private undone: Change[] = [];
  private pull: Pull | null = null;
  tool: Tool = "move";

  constructor(app: App) {
    this.app = app;
  }

  private get shape(): CellShape | null {
    const shape = this.app.opened?.shape;
    return shape?.kind === "cells" ? shape : null;
  }

  /** A world was opened. */
  enter(): void {
    [this.done, this.undone, this.pull] = [[], [], null];
    const select = byId<HTMLSelectElement>("ground");
    const grounds = this.shape?.grounds ?? [];
    select.replaceChildren(...grounds.map((ground, number) => option(String(number), ground.name)));
    const named = grounds.findIndex((ground) => ground.name === "wall");
    const wall = named >= 0 ? named : grounds.findLastIndex((ground) => !ground.is_open);
    select.value = String(Math.max(0, wall));
    select.disabled = grounds.length === 0;
    for (const button of byId("tools").querySelectorAll<HTMLButtonElement>("[data-tool]")) {
      button.disabled = !this.allows(button.dataset.tool as Tool);
    }
    if (!this.allows(this.tool)) this.choose("move");
    this.showHistory();
  }

  /** The changes to the open world. */
  get history(): History {
    return { done: this.done, undone: this.undone };
  }

  /** A world is open again: so are the changes to it. */
  recall({ done, undone }: History): void {
    [this.done, this.undone] = [done, undone];
    this.showHistory();
  }

  private allows(tool: Tool): boolean {
    // On meshes the tool says why not.
    if (tool === "danger") return this.app.opened !== null;
    if (tool === "place") return this.app.waypoints.isPossible;
    if (tool === "link") return this.app.opened?.shape.kind === "points";
    return tool === "move" || this.shape !== null;
  }

  choose(tool: Tool): void {
    if (!this.allows(tool)) return;
    if (tool === "danger" && !this.app.danger.isPossible) {
      this.app.say("Searches on navigation meshes know no danger. Grids, waypoints and worlds of blocks do.");
      return;
    }
    // A link begins at the waypoint that is clicked next.
    if (tool === "link") this.app.waypoints.clearSelection();
    this.tool = tool;
    for (const button of byId("tools").querySelectorAll("[data-tool]")) {
      button.setAttribute("aria-checked", String((button as HTMLElement).dataset.tool === tool));
    }
    byId("stage").classList.toggle("painting", tool !== "move");
  }

  /** The open ground that most cells have. */
  private common(shape: CellShape): number {
    const counts = new Array<number>(shape.grounds.length).fill(0);
    for (const ground of shape.ground) counts[ground]++;
    let best = -1;
    shape.grounds.forEach((ground, number) => {
      if (ground.is_open && (best < 0 || counts[number] > counts[best])) best = number;
    });
    return Math.max(best, 0);
  }

  beginPull(): void {
    const { shape } = this;
    if (!shape) return;
    const after = this.tool === "erase" ? this.common(shape) : Number(byId<HTMLSelectElement>("ground").value);
    this.pull = { cells: [], before: [], after };
  }

  /** Paints the cells on the line between two places. */
  brush(from: [number, number], to: [number, number]): void {
    const { shape, pull } = this;
    const ends = this.app.ends;
    if (!shape || !pull || !ends) return;
    const far = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
    const steps = Math.max(1, Math.ceil(far * 2));
    const fresh: number[] = [];
    for (let step = 0; step <= steps; step++) {
      const x = Math.floor(from[0] + ((to[0] - from[0]) * step) / steps);
      const y = Math.floor(from[1] + ((to[1] - from[1]) * step) / steps);
      if (x < 0 || y < 0 || x >= shape.width || y >= shape.height) continue;
      const cell = y * shape.width + x;
      const isEnd = [ends.start, ends.goal].some((end) => end.state === stateOf(shape, cell));
      if (isEnd || shape.ground[cell] === pull.after) continue;
      pull.cells.push(cell);
      pull.before.push(shape.ground[cell]);
      shape.ground[cell] = pull.after;
      fresh.push(cell);
    }
    if (fresh.length > 0) {
      this.tell(fresh, pull.after);
      this.changed();
    }
  }

  endPull(): void {
    const { pull } = this;
    this.pull = null;
    this.app.held = null;
    if (pull && pull.cells.length > 0) this.keep(this.changeOf(pull));
  }

  /** Keeps a change that was made, to be undone. */
  keep(change: Change): void {
    this.done.push(change);
    this.undone = [];
    this.showHistory();
  }

  private changeOf(pull: Pull): Change {
    return { pull, undo: () => this.takeBack(pull), redo: () => this.makeAgain(pull) };
  }

  private tell(cells: number[], ground: number): void {
    const { shape } = this;
    if (!shape) return;
    const states = Uint32Array.from(cells, (cell) => stateOf(shape, cell));
    this.app.engine.call("paint", states, shape.grounds[ground].name).catch((error) => this.app.fail(error));
  }

  private changed(): void {
    for (const pane of this.app.stage.panes) if (pane.map instanceof CellMap) pane.map.showGround();
    this.app.time.isPlaying = false;
    void this.app.solve("end");
  }

  undo(): void {
    const change = this.done.pop();
    if (!change) {
      void this.app.waypoints.undo();
      return;
    }
    this.undone.push(change);
    change.undo();
    this.showHistory();
  }

  redo(): void {
    const change = this.undone.pop();
    if (!change) {
      void this.app.waypoints.redo();
      return;
    }
    this.done.push(change);
    change.redo();
    this.showHistory();
  }

  private takeBack(pull: Pull): void {
    const { shape } = this;
    if (!shape) return;
    for (let at = pull.cells.length - 1; at >= 0; at--) shape.ground[pull.cells[at]] = pull.before[at];
    for (const ground of new Set(pull.before)) {
      this.tell(pull.cells.filter((_, at) => pull.before[at] === ground), ground);
    }
    this.changed();
  }

  private makeAgain(pull: Pull): void {
    const { shape } = this;
    if (!shape) return;
    for (const cell of pull.cells) shape.ground[cell] = pull.after;
    this.tell(pull.cells, pull.after);
    this.changed();
  }

  edits(): { ground: string; states: number[] }[] {
    const { shape } = this;
    if (!shape) return [];
    const pulls = this.done.flatMap(({ pull }) => pull ?? []);
    return pulls.map(({ after, cells }) => {
      return { ground: shape.grounds[after].name, states: cells.map((cell) => stateOf(shape, cell)) };
    });
  }

  /** Paints what a link holds. Cells beside the map and unknown grounds are left out. */
  async replay(edits: { ground: string; states: number[] }[]): Promise<void> {
    const { shape } = this;
    if (!shape) return;
    for (const { ground, states } of edits) {
      const after = shape.grounds.findIndex((known) => known.name === ground);
      if (after < 0) continue;
      const cells = states.map((state) => cellOf(shape, state)).filter((cell) => cell >= 0);
      const before = cells.map((cell) => shape.ground[cell]);
      for (const cell of cells) shape.ground[cell] = after;
      this.done.push(this.changeOf({ cells, before, after }));
      this.tell(cells, after);
    }
    for (const pane of this.app.stage.panes) if (pane.map instanceof CellMap) pane.map.showGround();
    this.showHistory();
  }

  showHistory(): void {
    const { canUndo, canRedo } = this.app.waypoints;
    byId<HTMLButtonElement>("undo").disabled = this.done.length === 0 && !canUndo;
    byId<HTMLButtonElement>("redo").disabled = this.undone.length === 0 && !canRedo;
  }
}
