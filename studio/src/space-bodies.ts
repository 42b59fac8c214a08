// Agents in space: upright bodies, dimmed where walls hide them, and what stands in their way.

import { BoxGeometry, CapsuleGeometry, CylinderGeometry, Matrix4, Plane, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Agents, Scenery } from "wayfare/agents";
import { Bodies, FEARED, isOpenGate, PASSAGE, propLook, teamColour } from "./bodies";
import { Crowd } from "./crowd";
import type { Density } from "./density";
import { along, type Look, type Rgb } from "./look";
import { placesIn } from "./space";

/** How tall a body is for its radius, at least, and at most in metres. */
const [SLENDER, TALL] = [4, 1.7];
/** The radius of ways and links, in metres. */
const ROD = 0.06;
/** How high obstacles stand, in metres. */
const HIGH = 1.2;
const UP = new Vector3(0, 1, 0);
const UPRIGHT = new Quaternion();

export class SpaceBodies extends Bodies {
  private readonly agents: Crowd;
  private readonly rods: Crowd;
  private readonly joints: Crowd;
  private readonly pillars: Crowd;
  private readonly boxes: Crowd;
  private readonly hazards: Crowd;
  private readonly heat: Crowd;
  private readonly plane = new Plane(new Vector3(0, -1, 0), Infinity);

  constructor(look: Look) {
    super(look);
    // A capsule of radius 1 and height 2: scaled, its ends are flatter or more pointed.
    const body = new CapsuleGeometry(1, 2, 6, 14);
    const rod = new CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0);
    const pillar = new CylinderGeometry(1, 1, 1, 24).translate(0, 0.5, 0);
    const seen = { isLit: true, isSeenThrough: true };
    this.heat = new Crowd(this.group, new BoxGeometry(1, 1, 1), { order: 7, opacity: 0.55, isLit: true });
    this.hazards = new Crowd(this.group, pillar.clone(), { order: 8, opacity: 0.32, isLit: true });
    this.boxes = new Crowd(this.group, new BoxGeometry(1, 1, 1), { order: 9, isLit: true });
    this.pillars = new Crowd(this.group, pillar, { order: 9, isLit: true });
    this.rods = new Crowd(this.group, rod, { order: 10, ...seen });
    this.joints = new Crowd(this.group, new SphereGeometry(1, 16, 12), { order: 10, ...seen });
    this.agents = new Crowd(this.group, body, { order: 12, ...seen });
    for (const crowd of this.all) crowd.clip(this.plane);
  }

  private get all(): Crowd[] {
    return [this.heat, this.hazards, this.boxes, this.pillars, this.rods, this.joints, this.agents];
  }

  setUnit(): void {}

  override setCut(cut: number): void {
    this.plane.constant = cut;
  }

  setAgents(agents: Agents, chosen: number): void {
    const matrix = new Matrix4();
    this.agents.begin(agents.count);
    for (let at = 0; at < agents.count; at++) {
      const [x, y, z] = agents.places.subarray(at * 3, at * 3 + 3);
      const isChosen = agents.ids[at] === chosen;
      const radius = Math.max(0.12, agents.radii[at]) * (isChosen ? 1.25 : 1);
      const half = Math.min(TALL, radius * SLENDER + 0.5) / 2;
      matrix.compose(new Vector3(x, y + half, z), UPRIGHT, new Vector3(radius, half / 2, radius));
      this.agents.add(matrix, isChosen ? this.look.path : teamColour(agents.teams[at]));
    }
    this.agents.end();
  }

  setDensity(density: Density | null, full: number): void {
    const bins = density?.bins ?? [];
    const side = density?.side ?? 1;
    const matrix = new Matrix4();
    this.heat.begin(bins.length);
    for (const { x, y, z, density } of bins) {
      matrix.makeScale(side, 0.04, side).setPosition(x, y + 0.05, z);
      this.heat.add(matrix, along(this.look.ramp, density / full));
    }
    this.heat.end();
  }

  setScenery({ links, barriers, obstacles, props, dangers }: Scenery, way: Float32Array | null): void {
    const { look } = this;
    const matrix = new Matrix4();
    this.hazards.begin(dangers.length / 5);
    for (let at = 0; at < dangers.length; at += 5) {
      const [x, y, z, radius] = dangers.subarray(at, at + 4);
      this.hazards.add(matrix.makeScale(radius, 0.25, radius).setPosition(x, y + 0.02, z), FEARED);
    }
    this.hazards.end();
    this.pillars.begin(obstacles.length / 4);
    for (let at = 0; at < obstacles.length; at += 4) {
      const [x, y, z, radius] = obstacles.subarray(at, at + 4);
      this.pillars.add(matrix.makeScale(radius, HIGH, radius).setPosition(x, y, z), look.line);
    }
    this.pillars.end();
    this.boxes.begin(barriers.length + props.length);
    for (const { min, max, bottom, top } of barriers) {
      const foot = bottom ?? Math.min(0, top - HIGH);
      matrix.makeScale(max[0] - min[0], top - foot, max[1] - min[1]);
      matrix.setPosition((min[0] + max[0]) / 2, (top + foot) / 2, (min[1] + max[1]) / 2);
      this.boxes.add(matrix, look.line);
    }
    for (const { kind, position, side } of props) {
      const [share, colour] = propLook(kind, look);
      const wide = side * share;
      const [x, y, z] = position;
      this.boxes.add(matrix.makeScale(wide, side / 2, wide).setPosition(x, y + side / 4, z), colour);
    }
    this.boxes.end();
    const points = way ? placesIn(way).map((place) => new Vector3(...place)) : [];
    this.rods.begin(links.length + points.length);
    this.joints.begin(2 * links.length + points.length);
    for (const { ends, gate } of links) {
      const [from, to] = ends.map((end) => new Vector3(...end));
      const colour = PASSAGE[isOpenGate(gate) ? "open" : "shut"];
      this.rod(from, to, ROD, colour);
      for (const end of [from, to]) this.joint(end, ROD * 3, colour);
    }
    points.forEach((point, at) => {
      if (at > 0) this.rod(points[at - 1], point, ROD, look.path);
      this.joint(point, ROD, look.path);
    });
    this.rods.end();
    this.joints.end();
  }

  private rod(from: Vector3, to: Vector3, radius: number, colour: Rgb): void {
    const along = to.clone().sub(from);
    const length = along.length();
    if (!(length > 0)) return;
    const turn = new Quaternion().setFromUnitVectors(UP, along.divideScalar(length));
    const start = from.clone().setY(from.y + 0.1);
    this.rods.add(new Matrix4().compose(start, turn, new Vector3(radius, length, radius)), colour);
  }

  private joint({ x, y, z }: Vector3, radius: number, colour: Rgb): void {
    this.joints.add(new Matrix4().makeScale(radius, radius, radius).setPosition(x, y + 0.1, z), colour);
  }

  override dispose(): void {
    super.dispose();
    for (const crowd of this.all) crowd.dispose();
  }
}
