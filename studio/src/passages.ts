// Doors, bridges and leaps: ways between two places beside the ground. Those that are shut to the
// agent have another colour.

import { CubicBezierCurve3, Group, Mesh, MeshBasicMaterial, Plane, TubeGeometry, Vector3 } from "three";
import type { Passage } from "wayfare";
import { PASSAGE } from "./bodies";
import type { Spot } from "./maps";
import { behind, colourOf, type Place } from "./space";
import { Strokes, type Stroke } from "./strokes";

/** The radius of an arc in space, in world units. */
const THICK = 0.05;

export class Passages {
  readonly group = new Group();
  private readonly strokes: Strokes | null;
  private readonly plane = new Plane(new Vector3(0, -1, 0), Infinity);

  constructor(isFlat: boolean) {
    this.strokes = isFlat ? new Strokes(3) : null;
    if (this.strokes) this.group.add(this.strokes.mesh);
  }

  set(passages: Passage[]): void {
    if (this.strokes) this.strokes.set(passages.flatMap(strokesOf));
    else {
      this.clear();
      for (const passage of passages) this.group.add(...this.arcOf(passage));
    }
  }

  /** World units a pixel, of flat maps. */
  setUnit(unit: number): void {
    if (this.strokes) this.strokes.unit = unit;
  }

  /** What is above that height is not shown. */
  cut(height: number): void {
    this.plane.constant = height;
  }

  /** An arc from end to end, the higher, the further they are apart; dimmed behind walls. */
  private arcOf({ ends, is_open }: Passage): Mesh[] {
    const [from, to] = ends.map((end) => new Vector3(...(end as Place)));
    const rise = 0.35 + from.distanceTo(to) * 0.35;
    const [up, over] = [from, to].map((end) => new Vector3(end.x, Math.max(from.y, to.y) + rise, end.z));
    const tube = new TubeGeometry(new CubicBezierCurve3(from, up, over, to), 24, THICK, 6);
    return [behind(), new MeshBasicMaterial()].map((material, at) => {
      material.color = colourOf(PASSAGE[is_open ? "open" : "shut"]);
      material.clippingPlanes = [this.plane];
      const arc = new Mesh(tube, material);
      arc.renderOrder = 3 + at;
      return arc;
    });
  }

  private clear(): void {
    for (const arc of this.group.children) {
      (arc as Mesh).geometry.dispose();
      ((arc as Mesh).material as MeshBasicMaterial).dispose();
    }
    this.group.clear();
  }

  dispose(): void {
    this.group.removeFromParent();
    if (this.strokes) this.strokes.dispose();
    else this.clear();
  }
}

function strokesOf({ ends, is_open }: Passage): Stroke[] {
  const [from, to] = ends.map(([x, , z]): Spot => [x, z]);
  const colour = PASSAGE[is_open ? "open" : "shut"];
  const dot = (at: Spot): Stroke => ({ from: at, to: at, radius: 4, colour, alpha: 0.9 });
  return [{ from, to, radius: 1.6, colour, alpha: 0.9 }, dot(from), dot(to)];
}
