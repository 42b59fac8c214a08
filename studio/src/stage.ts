// The panes: one canvas, a part of it for each search, and the same view of the map in all.

import { BoxGeometry, CircleGeometry, Color, Group, Matrix4, OrthographicCamera, PlaneGeometry, PerspectiveCamera, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import type { Dangers, Report, Shape } from "wayfare";
import type { Field } from "./fields";
import { along, BREAK, islandColour, mix, type Look, type Rgb } from "./look";
import { type Bodies, Crowd } from "./bodies";
import { CellMap, mapOf, PointMap, type Spot, type WorldMap } from "./maps";
import { MeshMap } from "./meshes";
import { drawNumbers, hasNumbers } from "./numbers";
import { isInSpace, type Place } from "./space";
import { Strokes, type Stroke } from "./strokes";
import { Cursor, EXPAND, GOAL, Trace } from "./timeline";

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

  /** Agents over the map. */
  setBodies(bodies: Bodies | null): void {
    this.bodies = bodies;
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
      this.dangers = new Crowd(this.warnings, places ? new BoxGeometry(0.8, 0.5, 0.8) : flat, order, 0.5, places !== null);
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

  setUnit(unit: number): void {
    this.map.setUnit(unit);
    this.bodies?.setUnit(unit);
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

/** The diagonal of a box. */
function sizeOf([low, high]: [Place, Place]): number {
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

/** A point of the window across a pane: -1 to 1 from left to right, and upwards. */
function across(pane: Pane, clientX: number, clientY: number): Vector2 {
  const box = pane.element.getBoundingClientRect();
  return new Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
}

/** The canvas behind all panes. */
export class Stage {
  readonly canvas: HTMLCanvasElement;
  /** What is written over the maps. */
  readonly writing: HTMLCanvasElement;
  panes: Pane[] = [];
  /** The place in the middle of each pane, and the world units a pixel. */
  view = { x: 0, y: 0, unit: 1 };
  /** Maps in space: the place in the middle, and how the camera looks at it; angles in radians. */
  orbit = { target: new Vector3(), distance: 10, yaw: 0.6, pitch: 0.85 };
  private readonly eye = new PerspectiveCamera(40, 1, 0.1, 10_000);
  private readonly renderer: WebGLRenderer;
  private readonly camera = new OrthographicCamera(-1, 1, -1, 1, -1, 1);
  private readonly size = new Vector2();
  private isAsked = false;
  private background = new Color(0);
  frames = 0;

  constructor(canvas: HTMLCanvasElement, writing: HTMLCanvasElement) {
    this.canvas = canvas;
    this.writing = writing;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    // Colours are given as they are shown.
    this.renderer.outputColorSpace = "srgb-linear";
    this.renderer.autoClear = false;
    this.renderer.localClippingEnabled = true;
    let wasUpright: boolean | null = null;
    new ResizeObserver(([{ contentRect }]) => {
      const isUpright = contentRect.height > contentRect.width;
      // A phone that was turned shows the whole map again.
      if (wasUpright !== null && isUpright !== wasUpright) this.fit();
      wasUpright = isUpright;
      this.ask();
    }).observe(canvas.parentElement as Element);
  }

  setLook(look: Look): void {
    const [red, green, blue] = look.background;
    this.background = new Color().setRGB(red / 255, green / 255, blue / 255);
    for (const pane of this.panes) pane.setLook(look);
    this.ask();
  }

  /** Shows the whole map. */
  fit(): void {
    const pane = this.panes[0];
    if (!pane) return;
    if (isInSpace(pane.map)) {
      const [low, [right, top, far]] = pane.map.box;
      this.fitSpace(pane, [low, [right, Math.max(low[1], Math.min(top, pane.map.cut)), far]]);
      return;
    }
    const { width, height } = pane.element.getBoundingClientRect();
    const [left, top, right, bottom] = pane.map.bounds;
    // Below the chip, whose counters take two lines in a narrow pane.
    const [margin, above] = [14, Math.min(width > 560 ? 92 : 116, height / 3)];
    this.view.unit = Math.max(
      (right - left) / Math.max(1, width - 2 * margin),
      (bottom - top) / Math.max(1, height - above - margin),
    );
    this.view.x = (left + right) / 2;
    this.view.y = (top + bottom) / 2 - ((above - margin) / 2) * this.view.unit;
    this.ask();
  }

  /** As near as the whole world is seen, below the chip. */
  private fitSpace(pane: Pane, [low, high]: [Place, Place]): void {
    const { width, height } = pane.element.getBoundingClientRect();
    const { orbit } = this;
    const middle = new Vector3(...low).add(new Vector3(...high)).multiplyScalar(0.5);
    const back = new Vector3(Math.sin(orbit.yaw) * Math.cos(orbit.pitch), Math.sin(orbit.pitch), Math.cos(orbit.yaw) * Math.cos(orbit.pitch));
    const right = new Vector3(Math.cos(orbit.yaw), 0, -Math.sin(orbit.yaw));
    const up = new Vector3().crossVectors(back, right);
    // What a pane shows to each side of its middle, a length away from the camera; below the chip.
    const tall = Math.tan((this.eye.fov * Math.PI) / 360);
    const wide = (tall * width) / Math.max(1, height);
    const chip = (2 * Math.min(width > 560 ? 92 : 116, height / 4)) / Math.max(1, height);
    const corners = [low[0], high[0]].flatMap((x) => [low[1], high[1]].flatMap((y) => [low[2], high[2]].map((z) => new Vector3(x, y, z))));
    let distance = 2 * sizeOf([low, high]);
    // What is near looks larger: the middle of what is seen is not that of the world.
    for (let turn = 0; turn < 12; turn++) {
      const [xs, ys]: [number[], number[]] = [[], []];
      for (const corner of corners) {
        const from = corner.clone().sub(middle);
        const away = Math.max(distance * 0.05, distance - from.dot(back));
        xs.push(from.dot(right) / away);
        ys.push(from.dot(up) / away);
      }
      const [left, end, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      const share = Math.max((end - left) / (1.92 * wide), (top - bottom) / (tall * (1.92 - chip)));
      middle.addScaledVector(right, (distance * (left + end)) / 2).addScaledVector(up, distance * ((bottom + top) / 2 + (tall * chip) / 2));
      distance *= share;
    }
    orbit.distance = Math.max(distance, 1);
    orbit.target.copy(middle);
    this.ask();
  }

  /** Nearer by a factor, about a place that stays where it is. */
  zoom(factor: number, about: Spot): void {
    const pane = this.panes[0];
    if (!pane) return;
    if (isInSpace(pane.map)) {
      const size = sizeOf(pane.map.box);
      this.orbit.distance = Math.max(Math.min(3, size / 8), Math.min(size * 4, this.orbit.distance / factor));
      this.ask();
      return;
    }
    const [left, top, right, bottom] = pane.map.bounds;
    const most = Math.max(right - left, bottom - top);
    const unit = Math.max(most / 60_000, Math.min(most / 60, this.view.unit / factor));
    const by = unit / this.view.unit;
    this.view.x = about[0] + (this.view.x - about[0]) * by;
    this.view.y = about[1] + (this.view.y - about[1]) * by;
    this.view.unit = unit;
    this.ask();
  }

  /** Goes round a map in space, by pixels. */
  turn(byX: number, byY: number): void {
    this.orbit.yaw -= byX * 0.008;
    this.orbit.pitch = Math.max(0.08, Math.min(1.55, this.orbit.pitch + byY * 0.008));
    this.ask();
  }

  /** Moves a map in space across the window, by pixels. */
  shift(byX: number, byY: number): void {
    const { target, distance, yaw } = this.orbit;
    const step = (distance * 0.73) / Math.max(1, this.canvas.clientHeight);
    target.x -= (Math.cos(yaw) * byX + Math.sin(yaw) * byY) * step;
    target.z -= (Math.cos(yaw) * byY - Math.sin(yaw) * byX) * step;
    this.ask();
  }

  /** The camera of a pane that shows a map in space. */
  private look3(pane: Pane): PerspectiveCamera {
    const { target, distance, yaw, pitch } = this.orbit;
    const box = pane.element.getBoundingClientRect();
    const flat = Math.cos(pitch) * distance;
    this.eye.position.set(
      target.x + Math.sin(yaw) * flat,
      target.y + Math.sin(pitch) * distance,
      target.z + Math.cos(yaw) * flat,
    );
    this.eye.lookAt(target);
    this.eye.aspect = box.width / Math.max(1, box.height);
    this.eye.far = distance * 6;
    this.eye.updateProjectionMatrix();
    this.eye.updateMatrixWorld();
    return this.eye;
  }

  /** The place on the ground of a map in space that is under a point of the window. */
  placeUnder(pane: Pane, clientX: number, clientY: number): Place | null {
    if (!isInSpace(pane.map)) return null;
    return pane.map.hit(this.look3(pane), across(pane, clientX, clientY));
  }

  /** The state under a point of the window; -1 for none. */
  stateUnder(pane: Pane, clientX: number, clientY: number, spot: Spot): number {
    if (!isInSpace(pane.map)) return pane.map.stateAt(spot);
    return pane.map.stateUnder(this.look3(pane), across(pane, clientX, clientY));
  }

  /** The point of the window at which a place in space is. */
  project(pane: Pane, place: Place): [number, number] {
    const box = pane.element.getBoundingClientRect();
    const at = new Vector3(...place).project(this.look3(pane));
    return [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
  }

  pan(byX: number, byY: number): void {
    this.view.x -= byX * this.view.unit;
    this.view.y -= byY * this.view.unit;
    this.ask();
  }

  /** The pane under a point of the window, and the place on its map. */
  under(clientX: number, clientY: number): { pane: Pane; spot: Spot } | null {
    for (const pane of this.panes) {
      const box = pane.element.getBoundingClientRect();
      if (clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom) continue;
      const x = this.view.x + (clientX - box.left - box.width / 2) * this.view.unit;
      const y = this.view.y + (clientY - box.top - box.height / 2) * this.view.unit;
      return { pane, spot: [x, y] };
    }
    return null;
  }

  /** The point of the window at which a place of a pane's map is. */
  over(pane: Pane, [x, y]: Spot): [number, number] {
    const box = pane.element.getBoundingClientRect();
    return [
      box.left + box.width / 2 + (x - this.view.x) / this.view.unit,
      box.top + box.height / 2 + (y - this.view.y) / this.view.unit,
    ];
  }

  /** Draws before the next frame. */
  ask(): void {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      this.draw();
    });
  }

  draw(): void {
    const { renderer, camera, view, canvas } = this;
    const whole = (canvas.parentElement as Element).getBoundingClientRect();
    const size = renderer.getSize(this.size);
    if (size.x !== whole.width || size.y !== whole.height) {
      renderer.setSize(whole.width, whole.height, false);
    }
    renderer.setScissorTest(false);
    renderer.setClearColor(this.background, 1);
    renderer.clear();
    renderer.setScissorTest(true);
    for (const pane of this.panes) {
      const box = pane.element.getBoundingClientRect();
      if (box.width < 2 || box.height < 2) continue;
      const bottom = whole.bottom - box.bottom;
      renderer.setViewport(box.left - whole.left, bottom, box.width, box.height);
      renderer.setScissor(box.left - whole.left, bottom, box.width, box.height);
      if (isInSpace(pane.map)) {
        renderer.render(pane.scene, this.look3(pane));
        continue;
      }
      camera.left = view.x - (box.width / 2) * view.unit;
      camera.right = view.x + (box.width / 2) * view.unit;
      camera.top = view.y - (box.height / 2) * view.unit;
      camera.bottom = view.y + (box.height / 2) * view.unit;
      camera.updateProjectionMatrix();
      pane.setUnit(view.unit);
      renderer.render(pane.scene, camera);
    }
    this.write();
    this.frames++;
  }

  /** Whether something is written over the maps. */
  private isWritten = false;

  private write(): void {
    const { writing, canvas } = this;
    const panes = this.panes.filter((pane) => hasNumbers(this, pane));
    if (panes.length === 0 && !this.isWritten) return;
    this.isWritten = panes.length > 0;
    if (writing.width !== canvas.width || writing.height !== canvas.height) [writing.width, writing.height] = [canvas.width, canvas.height];
    const context = writing.getContext("2d");
    if (!context) return;
    const scale = canvas.width / Math.max(1, canvas.clientWidth);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (const pane of panes) drawNumbers(context, this, pane);
  }
}
