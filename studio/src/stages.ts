// A stage of a bake over its level: tops of spans and floors as tiles, polygons as panes, outlines
// as lines.

import {
  DoubleSide,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Plane,
  PlaneGeometry,
} from "three";
import type { StageShape } from "wayfare";
import { along, type Look, mix, numberColour, type Rgb } from "./look";
import { coloured, colourOf, paintCorners } from "./space";

const [BLOCKED, ERODED, AREA] = [0, 1, 2];
const [BORDER, INNER] = [0, 1];
const STONE: Rgb = [156, 90, 74];
const LEFT_OUT: Rgb = [217, 121, 74];
const WALKABLE: Rgb = [92, 148, 78];
const WHITE: Rgb = [255, 255, 255];
/** How far all of it lies above the ground, in cells: a cell's height is two thirds of its side. */
const OVER = 0.34;

export class StageView {
  readonly group = new Group();
  readonly shape: StageShape;

  constructor(shape: StageShape, look: Look, cut: Plane) {
    this.shape = shape;
    if (shape.kinds.length > 0) this.group.add(this.tiles(look, cut));
    if (shape.polygons.length > 0) this.group.add(this.panes(cut));
    if (shape.lineKinds.length > 0) this.group.add(this.lines(look, cut));
  }

  private colour(tile: number, look: Look): Rgb {
    const { kinds, values, shares, stage } = this.shape;
    const kind = kinds[tile];
    if (kind === ERODED) return LEFT_OUT;
    if (kind === BLOCKED) return mix(STONE, WHITE, shares[tile] * 0.3);
    if (kind !== AREA) return numberColour(values[tile]);
    if (values[tile] > 0) return numberColour(values[tile]);
    // Of the field the distance to the edge is seen, of spans the height.
    return stage === "field" ? along(look.ramp, shares[tile]) : mix(WALKABLE, WHITE, shares[tile] * 0.35);
  }

  private tiles(look: Look, cut: Plane): InstancedMesh {
    const { side, corners, kinds } = this.shape;
    const square = new PlaneGeometry(side * 0.94, side * 0.94).rotateX(-Math.PI / 2);
    const material = new MeshBasicMaterial({ side: DoubleSide, clippingPlanes: [cut] });
    const tiles = new InstancedMesh(square, material, kinds.length);
    const at = new Matrix4();
    for (let tile = 0; tile < kinds.length; tile++) {
      const [x, y, z] = corners.subarray(tile * 3, tile * 3 + 3);
      tiles.setMatrixAt(tile, at.makeTranslation(x + side / 2, y + OVER * side, z + side / 2));
      tiles.setColorAt(tile, colourOf(this.colour(tile, look)));
    }
    tiles.frustumCulled = false;
    return tiles;
  }

  private panes(cut: Plane): Mesh {
    const { panes, polygons, areas, side } = this.shape;
    const raised = panes.map((value, at) => (at % 3 === 1 ? value + OVER * side : value));
    const geometry = coloured(raised);
    polygons.forEach((polygon, pane) => {
      const base = areas[pane] === 0 ? ([63, 167, 196] as Rgb) : numberColour(areas[pane]);
      // Neighbours differ a little.
      paintCorners(geometry, pane * 3, pane * 3 + 3, mix(base, WHITE, [0, 0.14, 0.28, 0.07, 0.21][polygon % 5]));
    });
    const material = new MeshBasicMaterial({ vertexColors: true, side: DoubleSide, clippingPlanes: [cut] });
    return new Mesh(geometry, material);
  }

  private lines(look: Look, cut: Plane): LineSegments {
    const { lines, lineKinds, side } = this.shape;
    const raised = lines.map((value, at) => (at % 3 === 1 ? value + OVER * 1.3 * side : value));
    const geometry = coloured(raised);
    lineKinds.forEach((kind, line) => {
      const colour: Rgb = kind === BORDER ? [216, 72, 32] : kind === INNER ? [20, 50, 63] : [47, 111, 134];
      paintCorners(geometry, line * 2, line * 2 + 2, look.isDark && kind !== BORDER && this.shape.polygons.length === 0 ? look.open : colour);
    });
    return new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, clippingPlanes: [cut] }));
  }

  /** Bytes that only the graphics card holds are set free. */
  dispose(): void {
    this.group.removeFromParent();
    for (const one of this.group.children as (Mesh | LineSegments)[]) {
      one.geometry.dispose();
      (one.material as MeshBasicMaterial).dispose();
      if (one instanceof InstancedMesh) one.dispose();
    }
  }
}

/** What the colours of a stage say, and how much there is. */
export function stageLegend({ stage, count, kinds }: StageShape, look: Look): { text: string; swatches: [string, Rgb][] } {
  const many = count.toLocaleString("en").replaceAll(",", "\u2009");
  const eroded = kinds.reduce((sum, kind) => sum + (kind === ERODED ? 1 : 0), 0);
  switch (stage) {
    case "spans":
      return { text: `${many} solid spans.`, swatches: [["flat enough", WALKABLE], ["too steep", STONE]] };
    case "filters":
      return { text: `${many} spans, less ledges and low ceilings.`, swatches: [["can be stood on", WALKABLE], ["cannot", STONE]] };
    case "field":
      return {
        text: `${many} floors; ${eroded.toLocaleString("en").replaceAll(",", "\u2009")} are nearer to an edge than the radius.`,
        swatches: [["left out", LEFT_OUT], ["at the edge", look.ramp[0]], ["far from it", look.ramp[look.ramp.length - 1]]],
      };
    case "regions":
      return { text: `${many} regions, each of its colour.`, swatches: [["in no region", STONE]] };
    case "contours":
      return { text: `${many} outlines.`, swatches: [["end of the ground", [216, 72, 32]]] };
    case "polygons":
      return { text: `${many} convex polygons.`, swatches: [["end of the mesh", [216, 72, 32]]] };
    default:
      return { text: `${many} triangles that follow the ground.`, swatches: [["end of the mesh", [216, 72, 32]]] };
  }
}
