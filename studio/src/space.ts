// What maps that are seen in space have in common, and colours and lines for them.

import { BackSide, BufferAttribute, BufferGeometry, Color, CurvePath, GreaterDepth, Group, LineCurve3, Mesh, MeshBasicMaterial, type Plane, type PerspectiveCamera, SphereGeometry, TubeGeometry, type Vector2, Vector3 } from "three";
import { BREAK, type Look, type Rgb } from "./look";
import type { WorldMap } from "./maps";

/** A place in space, in world units: x, height, z. */
export type Place = [number, number, number];

/** A map that a camera goes round. */
export interface SpaceMap extends WorldMap {
  /** The least and the largest corner of the world. */
  readonly box: [Place, Place];
  /** What is above that height is not shown. */
  readonly cut: number;
  setCut(cut: number): void;
  /** The path; none with fewer than two places. */
  setRoute(places: Place[]): void;
  /** Both ends; `null` for none. */
  setEnds(ends: [Place, Place] | null): void;
  /** Whether something of the world is right above a place. */
  isUnderRoof(place: Place): boolean;
  /** Marks the places at which playing stops. */
  setBreaks(places: Place[]): void;
  /** The state under a ray; -1 for none. */
  stateUnder(camera: PerspectiveCamera, at: Vector2): number;
  /** The place on the ground that a ray hits: where an agent would stand. */
  hit(camera: PerspectiveCamera, at: Vector2): Place | null;
}

export function isInSpace(map: WorldMap | undefined): map is SpaceMap {
  return map !== undefined && "box" in map;
}

export function colourOf([red, green, blue]: Rgb): Color {
  return new Color().setRGB(red / 255, green / 255, blue / 255);
}

/** The least box about places, three numbers each, or about cubes of a side at them; `null` about none. */
export function boxAbout(places: ArrayLike<number>, side = 0): [Place, Place] | null {
  const [low, high]: [Place, Place] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (let at = 0; at < places.length; at++) {
    low[at % 3] = Math.min(low[at % 3], places[at]);
    high[at % 3] = Math.max(high[at % 3], places[at] + side);
  }
  return places.length > 0 ? [low, high] : null;
}

/** The places of a column of numbers, three to a place. */
export function placesIn(column: Float32Array): Place[] {
  const places: Place[] = [];
  for (let at = 0; at + 2 < column.length; at += 3) places.push([column[at], column[at + 1], column[at + 2]]);
  return places;
}

/** How much is seen of what lies behind walls. */
const BEHIND = 0.45;

/** A material for what lies behind other things: nothing is drawn where it is in front. */
export function behind(opacity = BEHIND): MeshBasicMaterial {
  return new MeshBasicMaterial({ transparent: true, opacity, depthFunc: GreaterDepth, depthWrite: false });
}

/** Both ends of a query and the path between them; dimmed where walls hide them. */
export class Way {
  readonly group = new Group();
  private readonly ends: Mesh[];
  private readonly route = new Mesh(new TubeGeometry(), new MeshBasicMaterial());
  /** The same once more, for where they are hidden. */
  private readonly hidden: Mesh[];
  private readonly radius: number;

  /** `radius` is that of the path; the ends are more than twice as thick. */
  constructor(radius: number) {
    this.radius = radius;
    this.ends = [0, 1].map(() => new Mesh(new SphereGeometry(radius * 2.3, 24, 16), new MeshBasicMaterial()));
    this.route.visible = false;
    this.hidden = this.all.map((one) => new Mesh(one.geometry, behind()));
    // Over the ground that they lie on.
    for (const one of this.all) one.renderOrder = 6;
    for (const one of this.hidden) one.renderOrder = 5;
    this.group.add(...this.all, ...this.hidden);
  }

  private get all(): Mesh[] {
    return [this.route, ...this.ends];
  }

  /** What is above a plane is not shown. */
  clip(plane: Plane): void {
    for (const one of [...this.all, ...this.hidden]) (one.material as MeshBasicMaterial).clippingPlanes = [plane];
  }

  setLook(look: Look): void {
    [look.path, look.start, look.goal].forEach((colour, at) => {
      for (const one of [this.all[at], this.hidden[at]]) (one.material as MeshBasicMaterial).color = colourOf(colour);
    });
  }

  setRoute(places: Place[]): void {
    this.route.visible = this.hidden[0].visible = places.length > 1;
    if (!this.route.visible) return;
    const curve = new CurvePath<Vector3>();
    for (let at = 1; at < places.length; at++) {
      curve.add(new LineCurve3(new Vector3(...places[at - 1]), new Vector3(...places[at])));
    }
    this.route.geometry.dispose();
    this.route.geometry = this.hidden[0].geometry = new TubeGeometry(curve, places.length * 3, this.radius, 8);
  }

  setEnds(ends: [Place, Place] | null): void {
    this.ends.forEach((end, at) => {
      for (const one of [end, this.hidden[at + 1]]) {
        one.visible = ends !== null;
        if (ends) one.position.set(...ends[at]);
      }
    });
  }

  dispose(): void {
    for (const one of [...this.all, ...this.hidden]) {
      one.geometry.dispose();
      (one.material as MeshBasicMaterial).dispose();
    }
  }
}

/** Breakpoints: red balls, with a rim as on flat maps. */
export class Stops {
  readonly group = new Group();
  private readonly ball: SphereGeometry;
  private readonly red = new MeshBasicMaterial({ color: colourOf(BREAK) });
  private readonly rim = new MeshBasicMaterial({ side: BackSide });

  constructor(radius: number) {
    this.ball = new SphereGeometry(radius, 20, 14);
  }

  setLook(look: Look): void {
    this.rim.color = colourOf(look.pathEdge);
  }

  set(places: Place[]): void {
    const balls = places.flatMap((place) => {
      const [ball, rim] = [new Mesh(this.ball, this.red), new Mesh(this.ball, this.rim)];
      rim.scale.setScalar(1.3);
      for (const one of [ball, rim]) {
        one.position.set(...place);
        one.renderOrder = 6;
      }
      return [rim, ball];
    });
    this.group.clear();
    if (balls.length > 0) this.group.add(...balls);
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const one of [this.ball, this.red, this.rim]) one.dispose();
  }
}

/** Triangles with a colour at each corner. */
export function coloured(positions: Float32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(positions.length), 3));
  return geometry;
}

/** Gives the corners `from` to `to` of a geometry a colour. */
export function paintCorners(geometry: BufferGeometry, from: number, to: number, [red, green, blue]: Rgb): void {
  const colours = geometry.getAttribute("color") as BufferAttribute;
  for (let corner = from; corner < to; corner++) colours.setXYZ(corner, red / 255, green / 255, blue / 255);
}
