// One search on the map: its states, its path, its ends, and whatever else lies over the map.

import { BoxGeometry, CircleGeometry, Group, Matrix4, PlaneGeometry, Scene } from "three";
import type { Dangers, Passage, Report, Shape } from "wayfare";
import type { Field } from "./fields";
import { along, BREAK, islandColour, mix, type Look, type Rgb } from "./look";
import type { Bodies } from "./bodies";
import { Crowd } from "./crowd";
import { CellMap, mapOf, PointMap, type Spot, type WorldMap } from "./maps";
import { MeshMap } from "./meshes";
import { Passages } from "./passages";
import { isInSpace, type Place } from "./space";
import { Strokes, type Stroke } from "./strokes";
import { Cursor, EXPAND, GOAL, type Trace } from "./timeline";

/** Danger of this much, in units of length, is drawn darkest. */
const FEARFUL = 16;

export type Colouring = "state" | "order" | "g" | "h" | "f" | "difference" | "component" | "clearance" | "influence" | "penalty";

/** One search on the map. */
export class Pane {
  readonly element: HTMLElement;
  readonly scene = new Scene();
  map: WorldMap;
  cursor: Cursor | null = null;
  report: Report | null = null;
  /** The places of the path, seen from above. */
  route: Spot[] = [];
  /** The same in space; only where the map is seen there. */
  private placed: Place[] = [];
  /** On navigation meshes the intervals of the events. */
  private intervals: Float32Array = new Float32Array(0);
  private readonly parents = new Strokes(4);
  private readonly chain = new Strokes(5);
  private readonly path = new Strokes(6);
  private readonly hint = new Strokes(8);
  private readonly ends = new Strokes(7);
  private readonly stops = new Strokes(7);
  private readonly arrows = new Strokes(7);
  private readonly ghost = new Strokes(9);
  private readonly brush: Strokes[] = [
    this.parents,
    this.chain,
    this.path,
    this.ends,
    this.stops,
    this.hint,
    this.arrows,
    this.ghost,
  ];
  private bodies: Bodies | null = null;
  private passages: Passages | null = null;
  private readonly warnings = new Group();
  private dangers: Crowd | null = null;
  private feared: { known: Dangers; places: Float32Array | null } | null = null;
  private reached: Uint32Array = new Uint32Array(0);
  private hadEnd = false;
  private colouring: Colouring = "state";
  private field: Field | null = null;
  /** The pane that differences are taken from. */
  private other: Pane | null = null;
  look: Look;

  constructor(element: HTMLElement, shape: Shape, look: Look, isFlat: boolean) {
    this.element = element;
    this.look = look;
    this.map = mapOf(shape, look, isFlat);
    this.map.addTo(this.scene);
    for (const strokes of this.brush) this.scene.add(strokes.mesh);
    this.scene.add(this.warnings);
  }

  setWorld(shape: Shape, isFlat: boolean): void {
    this.map.dispose();
    this.scene.clear();
    this.map = mapOf(shape, this.look, isFlat);
    this.map.addTo(this.scene);
    for (const strokes of this.brush) {
      strokes.set([]);
      this.scene.add(strokes.mesh);
    }
    this.passages?.dispose();
    this.passages = null;
    this.dangers?.dispose();
    this.dangers = null;
    this.feared = null;
    this.scene.add(this.warnings);
    this.cursor = null;
    this.report = null;
    this.reached = new Uint32Array(0);
  }

  setTrace(trace: Trace, report: Report, route: Spot[], placed: Place[], at: number, intervals: Float32Array): void {
    this.placed = placed;
    this.intervals = intervals;
    this.cursor = new Cursor(trace);
    this.report = report;
    this.route = route;
    this.reached = new Uint32Array(0);
    this.cursor.move(at, () => {});
    if (this.map instanceof MeshMap) this.map.setIntervals(trace, this.intervals);
    this.repaint();
  }

  /** Shows the map alone. */
  forget(): void {
    this.cursor = null;
    this.report = null;
    this.route = [];
    this.placed = [];
    this.reached = new Uint32Array(0);
    this.ends.set([]);
    if (isInSpace(this.map)) this.map.setEnds(null);
    this.hint.set([]);
    this.chain.set([]);
    this.repaint();
  }

  /** The links of the world, in its units; of grids in cells. */
  setPassages(passages: Passage[]): void {
    if (!this.passages) {
      if (passages.length === 0) return;
      this.passages = new Passages(!isInSpace(this.map));
      this.scene.add(this.passages.group);
    }
    this.passages.set(passages);
  }

  /** Agents over the map, with the links as they are at present. */
  setBodies(bodies: Bodies | null): void {
    this.bodies = bodies;
    if (this.passages) this.passages.group.visible = bodies === null;
    if (bodies) this.scene.add(bodies.group);
  }

  /** Shows an answer without its search. */
  setAnswer(report: Report, route: Spot[], placed: Place[]): void {
    this.cursor = null;
    this.report = report;
    this.route = route;
    this.placed = placed;
    this.reached = new Uint32Array(0);
    this.repaint();
  }

  setLook(look: Look): void {
    this.look = look;
    this.map.setLook(look);
    this.setArrows(this.pointed.selected, this.pointed.arrows);
    this.repaint();
  }

  /** `field`: the values of a colouring by one. */
  setColouring(colouring: Colouring, other: Pane | null, field: Field | null): void {
    this.field = field;
    this.colouring = colouring;
    this.other = other;
    if (this.feared) this.setDangers(this.feared.known, this.feared.places);
    this.repaint();
  }

  /** Shades the states that can be reached from the start. */
  setReached(states: Uint32Array): void {
    this.reached = states;
    this.repaint();
  }

  /** The colour of a state by a value that it has whether it was searched or not. */
  private ofField({ values, most }: Field, state: number): [Rgb, number] | null {
    const value = values[state] ?? 0;
    if (value <= 0) return null;
    if (this.colouring === "component") return [islandColour(value), 0.75];
    return [along(this.look.ramp, most > 0 ? value / most : 0), 0.85];
  }

  /** The colour of a state, with how much of it is seen; `null` where the search has not been. */
  colourOf(state: number): [Rgb, number] | null {
    const { cursor, look } = this;
    if (this.field) return this.ofField(this.field, state);
    const event = cursor ? cursor.eventOf(state) : -1;
    if (!cursor || event < 0) return null;
    const { kinds, sides, g, h } = cursor.trace.events;
    const isClosed = kinds[event] === EXPAND || kinds[event] === GOAL;
    const { most } = cursor.trace;
    const share = (value: number, of: number) => (of > 0 ? value / of : 0);
    const order = share(cursor.trace.orders[event], cursor.trace.expansions);
    switch (this.colouring) {
      case "g":
        return [along(look.ramp, share(g[event], most.g)), isClosed ? 1 : 0.75];
      case "h":
        return [along(look.ramp, share(h[event], most.h)), isClosed ? 1 : 0.75];
      case "f":
        return [along(look.ramp, share(g[event] + h[event], most.f)), isClosed ? 1 : 0.75];
      case "order":
        return isClosed ? [along(look.ramp, order), 1] : [look.open, 0.35];
      case "difference": {
        const there = this.other?.cursor?.eventOf(state) ?? -1;
        const other = this.other?.cursor?.trace;
        const isShared = there >= 0 && other?.events.kinds[there] === EXPAND;
        if (!isClosed) return [look.open, 0.25];
        if (!other || !isShared) return [look.ramp[look.ramp.length - 1], 0.95];
        // The part of one search that goes by between both expansions, in parts of the longer
        // search.
        const most = Math.max(cursor.trace.expansions, other.expansions, 1);
        const apart = Math.abs(cursor.trace.orders[event] - other.orders[there]) / most;
        return [along(look.ramp, apart * 0.75), 0.9];
      }
      default: {
        if (!isClosed) return [look.open, 1];
        const [from, to] = sides[event] === 1 ? look.backward : look.closed;
        return [mix(from, to, order), 1];
      }
    }
  }

  private paint(state: number): void {
    const colour = this.colourOf(state);
    if (colour) this.map.tint(state, colour[0], colour[1]);
    else this.map.tint(state, null);
  }

  /** Colours everything anew. */
  repaint(): void {
    if (this.map instanceof MeshMap) {
      this.hadEnd = this.isAtEnd;
      this.map.setCorridor(this.isAtEnd ? (this.report?.corridor ?? []) : []);
    }
    this.map.clear();
    for (const state of this.reached) this.map.tint(state, this.look.reached, 0.35);
    if (this.field) {
      for (let state = 0; state < this.field.values.length; state++) this.paint(state);
    } else if (this.cursor) {
      const { states, count } = this.cursor.trace.events;
      for (let event = 0; event < count; event++) {
        if (this.cursor.eventOf(states[event]) === event) this.paint(states[event]);
      }
    }
    this.map.flush();
    this.drawLines();
  }

  /** Moves to the place after that many expansions. */
  show(at: number): void {
    if (!this.cursor) return;
    let isAll = false;
    this.cursor.move(at, (state) => {
      if (state < 0) isAll = true;
      else if (!isAll) this.paint(state);
    });
    // The corridor of a path is shown with the path.
    if (isAll || (this.map instanceof MeshMap && this.hadEnd !== this.isAtEnd)) this.repaint();
    else {
      this.map.flush();
      this.drawLines();
    }
  }

  get isAtEnd(): boolean {
    if (!this.cursor) return this.report !== null;
    return this.cursor.at >= this.cursor.trace.expansions;
  }

  private drawLines(): void {
    const { cursor, look, report } = this;
    if (isInSpace(this.map)) {
      this.map.setRoute(this.isAtEnd ? this.placed : []);
      if (this.map instanceof MeshMap) this.map.showIntervals(cursor?.at ?? 0, this.isAtEnd);
      return;
    }
    const strokes: Stroke[] = [];
    const lines: Stroke[] = [];
    if (cursor && look.showsParents) {
      const { states, parents, count } = cursor.trace.events;
      for (let event = 0; event < count; event++) {
        if (cursor.eventOf(states[event]) !== event || parents[event] === states[event]) continue;
        const [from, to] = [this.map.spot(states[event]), this.map.spot(parents[event])];
        if (from && to) lines.push({ from, to, radius: 0.6, colour: look.pathEdge, alpha: 0.7 });
      }
    }
    this.parents.set(lines);
    if (report && this.isAtEnd) {
      polyline(this.route, this.pathWidth + 1.6, look.pathEdge, report.found ? 0.9 : 0.5, strokes);
      polyline(this.route, this.pathWidth, look.path, report.found ? 1 : 0.55, strokes);
      this.chain.set([]);
    } else if (cursor) {
      // The way to the state expanded last: a search in progress shows its best guess.
      const current = cursor.current();
      const spots: Spot[] = [];
      for (const state of current >= 0 ? cursor.chain(current) : []) {
        const spot = this.map.spot(state);
        if (spot) spots.push(spot);
      }
      const chain: Stroke[] = [];
      polyline(spots, 1.4, look.path, 0.8, chain);
      this.chain.set(chain);
    }
    this.path.set(strokes);
  }

  private pathWidth = 2.4;
  /** World units a pixel, as barbs of arrows were drawn with. */
  private unit = 1;
  private pointed: { selected: number[]; arrows: [number, number][] } = { selected: [], arrows: [] };

  setEnds(start: Spot | null, goal: Spot | null, held: "start" | "goal" | null): void {
    const { look } = this;
    const strokes: Stroke[] = [];
    const dot = (spot: Spot, radius: number, colour: Rgb) =>
      strokes.push({ from: spot, to: spot, radius, colour });
    if (goal) {
      const grown = held === "goal" ? 2 : 0;
      dot(goal, 10 + grown, look.pathEdge);
      dot(goal, 8.5 + grown, look.goal);
      dot(goal, 5.5 + grown, look.pathEdge);
      dot(goal, 3 + grown, look.goal);
    }
    if (start) {
      const grown = held === "start" ? 2 : 0;
      dot(start, 9 + grown, look.pathEdge);
      dot(start, 7.5 + grown, look.start);
    }
    this.ends.set(strokes);
  }

  /** Marks the states at which playing stops. Places are those in space. */
  setBreaks(states: Iterable<number>, places: Place[]): void {
    const strokes: Stroke[] = [];
    const { look, map } = this;
    if (isInSpace(map)) map.setBreaks(places);
    for (const state of isInSpace(map) ? [] : states) {
      const spot = map.spot(state);
      if (!spot) continue;
      strokes.push({ from: spot, to: spot, radius: 6, colour: look.pathEdge });
      strokes.push({ from: spot, to: spot, radius: 4.5, colour: BREAK });
    }
    this.stops.set(strokes);
  }

  /** Rings round the selected waypoints, and an arrow for each link out of them. */
  setArrows(selected: Iterable<number>, arrows: [number, number][]): void {
    const { map, look } = this;
    this.pointed = { selected: [...selected], arrows };
    const strokes: Stroke[] = [];
    for (const [start, end] of arrows) {
      const [from, to] = [map.spot(start), map.spot(end)];
      if (!from || !to) continue;
      const far = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
      const way: Spot = [(to[0] - from[0]) / far, (to[1] - from[1]) / far];
      strokes.push({ from, to, radius: 1.4, colour: look.path });
      const tip: Spot = [from[0] + (to[0] - from[0]) * 0.78, from[1] + (to[1] - from[1]) * 0.78];
      const barb = Math.min(0.2 * far, 11 * this.unit);
      for (const side of [-1, 1]) {
        const foot: Spot = [
          tip[0] - barb * (way[0] + side * 0.6 * way[1]),
          tip[1] - barb * (way[1] - side * 0.6 * way[0]),
        ];
        strokes.push({ from: tip, to: foot, radius: 1.4, colour: look.path });
      }
    }
    for (const state of this.pointed.selected) {
      const spot = map.spot(state);
      if (!spot) continue;
      strokes.push({ from: spot, to: spot, radius: 8, colour: look.pathEdge });
      strokes.push({ from: spot, to: spot, radius: 6.5, colour: look.path });
    }
    this.arrows.set(strokes);
  }

  /** The place that a waypoint is pulled to, and the waypoints that it is linked with. */
  setGhost(spot: Spot | null, pulled: number, linked: number[]): void {
    const strokes: Stroke[] = [];
    if (spot) {
      for (const state of linked) {
        const to = this.map.spot(state);
        if (to) strokes.push({ from: spot, to, radius: 1.2, colour: this.look.path, alpha: 0.85 });
      }
      strokes.push({ from: spot, to: spot, radius: 6, colour: this.look.path, alpha: 0.85 });
    }
    this.ghost.set(strokes);
    if (this.map instanceof PointMap) this.map.setPulled(spot ? pulled : -1);
  }

  /**
   * Marks the states in danger: the redder and larger, the more it costs to enter. Places are those
   * in space. Where colours tell the influence, marks are small enough to leave them to be seen.
   */
  setDangers(known: Dangers, places: Float32Array | null): void {
    const { map } = this;
    const { states, amounts } = known;
    const isSmall = this.colouring === "influence";
    this.feared = { known, places };
    if (!this.dangers && states.length === 0) return;
    if (!this.dangers) {
      const flat = map instanceof CellMap ? new PlaneGeometry(1, 1) : new CircleGeometry(0.3, 20);
      // Under the dots of waypoints, over the colours of cells.
      const order = map instanceof PointMap ? 2 : 3;
      this.dangers = new Crowd(this.warnings, places ? new BoxGeometry(0.8, 0.5, 0.8) : flat, { order, opacity: 0.5, isLit: places !== null });
    }
    const matrix = new Matrix4();
    this.dangers.begin(states.length);
    states.forEach((state, at) => {
      const share = Math.min(1, amounts[at] / FEARFUL);
      // What fades shrinks, too.
      const size = map.pitch * Math.min(1, 0.35 + 1.3 * share);
      if (places) {
        // A plate below the state's cube, or a box about it.
        const [x, y, z] = places.subarray(at * 3, at * 3 + 3);
        matrix.makeScale(size, isSmall ? 0.2 : size, size).setPosition(x, isSmall ? y - 0.4 : y, z);
      } else {
        const spot = map.spot(state);
        if (!spot) return;
        const across = isSmall && map instanceof CellMap ? size * 0.4 : size;
        matrix.makeScale(across, across, 1).setPosition(spot[0], spot[1], 0);
      }
      this.dangers?.add(matrix, mix([255, 196, 150], [190, 20, 30], share));
    });
    this.dangers.end();
  }

  /** The moves out of a state, and the way to it by the parents so far; -1 for none. */
  setHint(state: number, moves: Uint32Array): void {
    const { map, cursor, look } = this;
    const from = isInSpace(map) ? null : map.spot(state);
    const strokes: Stroke[] = [];
    if (from) {
      for (const target of moves) {
        const to = map.spot(target);
        if (to) strokes.push({ from, to, radius: 0.8, colour: look.start, alpha: 0.55 });
      }
      const way = cursor ? cursor.chain(state).map((one) => map.spot(one)) : [];
      const spots = way.filter((spot) => spot !== null);
      polyline(spots, 1.8, look.start, 0.9, strokes);
    }
    this.hint.set(strokes);
  }

  /** Shows neither agents nor links above a height. */
  cutAt(height: number): void {
    this.bodies?.setCut(height);
    this.passages?.cut(height);
  }

  setUnit(unit: number): void {
    this.map.setUnit(unit);
    this.bodies?.setUnit(unit);
    this.passages?.setUnit(unit);
    for (const strokes of this.brush) strokes.unit = unit;
    if (Math.abs(unit / this.unit - 1) > 0.05) {
      this.unit = unit;
      if (this.pointed.arrows.length > 0) this.setArrows(this.pointed.selected, this.pointed.arrows);
    }
    const wide = Math.max(2, Math.min(5, (0.16 * this.map.pitch) / unit));
    if (Math.abs(wide - this.pathWidth) > 0.2) {
      this.pathWidth = wide;
      this.drawLines();
    }
  }

  dispose(): void {
    this.map.dispose();
    this.dangers?.dispose();
    for (const strokes of this.brush) strokes.dispose();
    this.element.remove();
  }
}

function polyline(spots: Spot[], radius: number, colour: Rgb, alpha: number, to: Stroke[]): void {
  for (let index = 1; index < spots.length; index++) {
    to.push({ from: spots[index - 1], to: spots[index], radius, colour, alpha });
  }
}
