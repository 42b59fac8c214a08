// Agents and what stands in their way, drawn over a map: bodies as large as they are, the way of
// the chosen one, obstacles, danger, links, and the parts of puzzles.

import { CircleGeometry, Group, Matrix4, PlaneGeometry, Quaternion, Shape as Outline, ShapeGeometry, Vector3, type BufferGeometry } from "three";
import type { Agents, Scenery } from "wayfare/agents";
import { Crowd } from "./crowd";
import type { Density } from "./density";
import { along, type Look, type Rgb } from "./look";
import type { Spot } from "./maps";
import { Strokes, type Stroke } from "./strokes";

/** Told apart by all kinds of colour vision (M. Okabe, K. Ito, 2008). */
const TEAMS: Rgb[] = [
  [86, 180, 233],
  [230, 159, 0],
  [0, 158, 115],
  [204, 121, 167],
  [240, 228, 66],
  [213, 94, 0],
  [0, 114, 178],
  [190, 190, 190],
];
export const FEARED: Rgb = [213, 60, 40];
/** Links that may be used, and that may not. */
export const PASSAGE: Record<"open" | "shut", Rgb> = { open: [0, 158, 115], shut: [213, 60, 40] };
/** Agents are never smaller than this, in pixels: few, and many. */
const [LEAST, LEAST_OF_MANY] = [3.4, 1.4];
/** More agents than this are many. */
const MANY = 600;

export function teamColour(team: number): Rgb {
  return TEAMS[team % TEAMS.length];
}

/** Where metres are on the map. */
export interface Frame {
  /** The place of the map's corner, in metres. */
  corner: [number, number];
  /** Metres to a unit of the map. */
  unit: number;
}

/** Agents and their surroundings over a map. */
export abstract class Bodies {
  readonly group = new Group();
  protected look: Look;
  protected frame: Frame = { corner: [0, 0], unit: 1 };

  constructor(look: Look) {
    this.look = look;
  }

  setFrame(frame: Frame): void {
    this.frame = frame;
  }

  setLook(look: Look): void {
    this.look = look;
  }

  /** Metres as a place on the map. */
  spot(x: number, z: number): Spot {
    const { corner, unit } = this.frame;
    return [(x - corner[0]) / unit, (z - corner[1]) / unit];
  }

  /** A place on the map in metres. */
  metres([x, y]: Spot): Spot {
    const { corner, unit } = this.frame;
    return [corner[0] + x * unit, corner[1] + y * unit];
  }

  /** World units a pixel. */
  abstract setUnit(unit: number): void;
  /** What is above that height is not shown. */
  setCut(_cut: number): void {}
  abstract setAgents(agents: Agents, chosen: number): void;
  /** Shows how crowded places are, from none to `full` agents a square metre; `null` hides it. */
  abstract setDensity(density: Density | null, full: number): void;
  /** `way`: x, height, z of the points ahead of the chosen agent. */
  abstract setScenery(scenery: Scenery, way: Float32Array | null): void;

  dispose(): void {
    this.group.removeFromParent();
  }
}

/** A round body that points along x. */
function drop(): BufferGeometry {
  const outline = new Outline();
  outline.absarc(0, 0, 1, Math.PI * 0.22, Math.PI * 1.78, false);
  outline.lineTo(1.55, 0);
  return new ShapeGeometry(outline, 10);
}

const UP = new Vector3(0, 0, 1);

/** Agents seen from above. */
export class FlatBodies extends Bodies {
  private readonly agents: Crowd;
  private readonly rims: Crowd;
  private readonly discs: Crowd;
  private readonly hazards: Crowd;
  private readonly squares: Crowd;
  private readonly heat: Crowd;
  private readonly lines = new Strokes(9);
  private unit = 1;
  private shown: Agents | null = null;
  private chosen = -1;

  constructor(look: Look, hasCells: boolean) {
    super(look);
    const hazard = hasCells ? new PlaneGeometry(2, 2) : new CircleGeometry(1, 24);
    this.heat = new Crowd(this.group, new PlaneGeometry(1, 1), { order: 7, opacity: 0.62 });
    this.hazards = new Crowd(this.group, hazard, { order: 8, opacity: 0.28 });
    this.squares = new Crowd(this.group, new PlaneGeometry(1, 1), { order: 9 });
    this.discs = new Crowd(this.group, new CircleGeometry(1, 28), { order: 9 });
    this.rims = new Crowd(this.group, new CircleGeometry(1, 28), { order: 10 });
    this.agents = new Crowd(this.group, drop(), { order: 11 });
    this.group.add(this.lines.mesh);
  }

  setUnit(unit: number): void {
    this.lines.unit = unit;
    if (Math.abs(unit - this.unit) < 1e-9) return;
    this.unit = unit;
    if (this.shown) this.setAgents(this.shown, this.chosen);
  }

  setAgents(agents: Agents, chosen: number): void {
    [this.shown, this.chosen] = [agents, chosen];
    const { look } = this;
    const matrix = new Matrix4();
    const turn = new Quaternion();
    const scale = new Vector3();
    const small = LEAST * Math.sqrt(MANY / Math.max(MANY, agents.count));
    const least = Math.max(LEAST_OF_MANY, small) * this.unit;
    this.agents.begin(agents.count);
    this.rims.begin(1);
    for (let at = 0; at < agents.count; at++) {
      const [x, , z] = agents.places.subarray(at * 3, at * 3 + 3);
      const isChosen = agents.ids[at] === chosen;
      const colour = isChosen ? look.path : teamColour(agents.teams[at]);
      const [left, top] = this.spot(x, z);
      const radius = Math.max(agents.radii[at] / this.frame.unit, least) * (isChosen ? 1.2 : 1);
      turn.setFromAxisAngle(UP, agents.headings[at]);
      if (isChosen) {
        const wide = radius + 2.4 * this.unit;
        this.rims.add(matrix.makeScale(wide, wide, 1).setPosition(left, top, 0), look.pathEdge);
      }
      // Inside a link a body is not on the map.
      const shrink = agents.states[at] === 1 ? 0.55 : 1;
      matrix.compose(new Vector3(left, top, 0), turn, scale.set(radius * shrink, radius * shrink, 1));
      this.agents.add(matrix, colour);
    }
    this.agents.end();
    this.rims.end();
  }

  setDensity(density: Density | null, full: number): void {
    const bins = density?.bins ?? [];
    const side = (density?.side ?? 1) / this.frame.unit;
    const matrix = new Matrix4();
    this.heat.begin(bins.length);
    for (const { x, z, density } of bins) {
      const [left, top] = this.spot(x, z);
      this.heat.add(matrix.makeScale(side, side, 1).setPosition(left, top, 0), along(this.look.ramp, density / full));
    }
    this.heat.end();
  }

  setScenery(scenery: Scenery, way: Float32Array | null): void {
    const { look } = this;
    const matrix = new Matrix4();
    const { links, barriers, obstacles, props, dangers } = scenery;
    this.hazards.begin(dangers.length / 5);
    for (let at = 0; at < dangers.length; at += 5) {
      const [x, y] = this.spot(dangers[at], dangers[at + 2]);
      const radius = dangers[at + 3] / this.frame.unit;
      this.hazards.add(matrix.makeScale(radius, radius, 1).setPosition(x, y, 0), FEARED);
    }
    this.hazards.end();
    this.discs.begin(obstacles.length / 4);
    for (let at = 0; at < obstacles.length; at += 4) {
      const [x, y] = this.spot(obstacles[at], obstacles[at + 2]);
      const radius = obstacles[at + 3] / this.frame.unit;
      this.discs.add(matrix.makeScale(radius, radius, 1).setPosition(x, y, 0), look.line);
    }
    this.discs.end();
    this.squares.begin(barriers.length + props.length);
    for (const { min, max } of barriers) {
      const [left, top] = this.spot(min[0], min[1]);
      const [right, bottom] = this.spot(max[0], max[1]);
      matrix.makeScale(right - left, bottom - top, 1).setPosition((left + right) / 2, (top + bottom) / 2, 0);
      this.squares.add(matrix, look.line);
    }
    for (const { kind, position, side } of props) {
      const [x, y] = this.spot(position[0], position[2]);
      const [share, colour] = propLook(kind, look);
      const wide = (side / this.frame.unit) * share;
      this.squares.add(matrix.makeScale(wide, wide, 1).setPosition(x, y, 0), colour);
    }
    this.squares.end();
    const strokes: Stroke[] = [];
    for (const { ends, gate } of links) {
      const [from, to] = ends.map(([x, , z]) => this.spot(x, z));
      strokes.push({ from, to, radius: 1.6, colour: PASSAGE[isOpenGate(gate) ? "open" : "shut"], alpha: 0.9 });
      for (const end of [from, to]) strokes.push({ from: end, to: end, radius: 4, colour: PASSAGE[isOpenGate(gate) ? "open" : "shut"], alpha: 0.9 });
    }
    for (let at = 3; way && at < way.length; at += 3) {
      const [from, to] = [this.spot(way[at - 3], way[at - 1]), this.spot(way[at], way[at + 2])];
      strokes.push({ from, to, radius: 1.8, colour: look.path, alpha: 0.9 });
    }
    this.lines.set(strokes);
  }

  override dispose(): void {
    super.dispose();
    for (const crowd of [this.agents, this.rims, this.discs, this.hazards, this.heat, this.squares]) crowd.dispose();
    this.lines.dispose();
  }
}

/** Whether a gate, as the engine tells of it, is open. */
export function isOpenGate(gate: unknown): boolean {
  return gate === "open" || gate === "Open";
}

/** The share of its cell that a part of a puzzle covers, and its colour. */
export function propLook(kind: unknown, look: Look): [number, Rgb] {
  const [name, state] =
    typeof kind === "string" ? [kind, {}] : (Object.entries(kind as Record<string, object>)[0] ?? ["", {}]);
  const isOn = Object.values(state).includes(true);
  switch (name) {
    case "door":
    case "heavy_door":
      return isOn ? [0.3, look.line] : [1, [140, 100, 60]];
    case "gap":
      return isOn ? [0.9, [150, 112, 70]] : [0.2, look.line];
    case "crate":
      return [0.72, [176, 130, 74]];
    case "key":
      return [0.34, [240, 200, 60]];
    case "plate":
      return [0.6, isOn ? [0, 158, 115] : look.line];
    case "lever":
      return [0.4, isOn ? [0, 158, 115] : [213, 94, 0]];
    case "platform":
      return [0.86, isOn ? [120, 140, 160] : look.wall];
    default:
      return [0.45, look.line];
  }
}
