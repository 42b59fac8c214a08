// Navigation meshes in space: the triangles of the level, the polygons over them, links as arcs,
// and the intervals that a search looks through.

import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  DirectionalLight,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
  Plane,
  type PerspectiveCamera,
  Raycaster,
  type Scene,
  type Vector2,
  Vector3,
} from "three";
import type { PolygonShape, StageShape } from "wayfare";
import { along, islandColour, type Look, mix, numberColour, type Rgb } from "./look";
import type { Spot } from "./maps";
import { boxAbout, coloured, colourOf, paintCorners, type Place, type SpaceMap, Stops, Way } from "./space";
import { StageView } from "./stages";
import { EXPAND, GOAL, type Trace } from "./timeline";

/** How far polygons, their edges, and lines on them lie above the ground, in metres. */
const [OVER, EDGES, LINES] = [0.04, 0.06, 0.08];
/** The head room that the first cut leaves above the highest polygon, in metres. */
const HEADROOM = 1.2;

/** A line that lies flat, as two triangles. */
function ribbon(from: number[], to: number[], half: number): number[] {
  const far = Math.hypot(to[0] - from[0], to[2] - from[2]) || 1;
  const [x, z] = [(-(to[2] - from[2]) / far) * half, ((to[0] - from[0]) / far) * half];
  const side = ([a, b, c]: number[], by: number) => [a + x * by, b, c + z * by];
  const [a, b, c, d] = [side(from, 1), side(from, -1), side(to, 1), side(to, -1)];
  return [...a, ...b, ...c, ...c, ...b, ...d];
}

export class MeshMap implements SpaceMap {
  readonly bounds: [number, number, number, number];
  readonly box: [Place, Place];
  readonly pitch: number;
  readonly shape: PolygonShape;
  /** The height at which a level with a roof is cut open at first. */
  readonly firstCut: number;
  private look: Look;
  private readonly lights = [new AmbientLight(0xffffff, 1.6), new DirectionalLight(0xffffff, 1.5)];
  private readonly group = new Group();
  private readonly plane = new Plane(new Vector3(0, -1, 0), Infinity);
  private readonly level: Mesh | null;
  private readonly fill: Mesh;
  /** For each polygon its first corner among the triangles. */
  private readonly first: Uint32Array;
  private readonly edges: LineSegments;
  private readonly way: Way;
  private readonly stops: Stops;
  /** The radius of the path. */
  private readonly thick: number;
  /** Half the width of an interval, in metres. */
  private readonly ribbon: number;
  /**
   * The intervals of the states expanded, in that order; and the one expanded last with its root.
   */
  private readonly intervals = new Mesh(new BufferGeometry(), new MeshBasicMaterial({ vertexColors: true, side: DoubleSide }));
  private readonly present = new Mesh(new BufferGeometry(), new MeshBasicMaterial({ transparent: true, opacity: 0.55, side: DoubleSide, depthWrite: false }));
  /** What is not seen beside a stage of the bake. */
  private readonly ofMesh: Object3D[];
  private roots: Float32Array = new Float32Array(0);
  /** For each polygon its island, counted from 1; 0 where no agent can stand. */
  private islands: Uint32Array = new Uint32Array(0);
  private corridor = new Set<number>();
  /** The stage of the bake that is shown in place of the mesh. */
  private stage: StageView | null = null;

  constructor(shape: PolygonShape, look: Look) {
    this.shape = shape;
    this.look = look;
    const { vertices, ends, level } = shape;
    const all = level && level.vertices.length > 0 ? level.vertices : vertices;
    this.box = boxAbout(all) ?? [[0, 0, 0], [1, 1, 1]];
    this.bounds = [this.box[0][0], this.box[0][2], this.box[1][0], this.box[1][2]];
    const [left, top, right, bottom] = this.bounds;
    this.pitch = Math.sqrt(((right - left) * (bottom - top)) / Math.max(1, ends.length));
    let highest = -Infinity;
    for (let at = 1; at < vertices.length; at += 3) highest = Math.max(highest, vertices[at]);
    this.firstCut = Math.min(this.box[1][1], highest + HEADROOM);
    const thick = Math.max(0.06, Math.min(0.2, Math.hypot(right - left, bottom - top) / 190));
    this.way = new Way(thick);
    this.thick = thick;
    this.stops = new Stops(thick * 2.4);
    this.ribbon = thick * 0.6;

    this.level = level ? this.levelOf(level) : null;
    [this.fill, this.first] = this.fillOf();
    this.edges = this.edgesOf();
    this.intervals.renderOrder = 4;
    this.present.renderOrder = 4;
    for (const mesh of [this.intervals, this.present]) {
      mesh.frustumCulled = false;
      (mesh.material as MeshBasicMaterial).clippingPlanes = [this.plane];
    }
    this.way.clip(this.plane);
    this.lights[1].position.set(0.6, 1, 0.35);
    const search = new Group();
    search.add(this.intervals, this.present, this.way.group, this.stops.group);
    this.ofMesh = [this.fill, this.edges, search];
    this.group.add(...this.lights, ...this.ofMesh);
    if (this.level) this.group.add(this.level);
    this.setLook(look);
  }

  /** The level's triangles, each with a side of its own to the light. */
  private levelOf(level: NonNullable<PolygonShape["level"]>): Mesh {
    const { vertices, triangles, materials, colours } = level;
    const positions = new Float32Array(triangles.length * 3);
    triangles.forEach((vertex, corner) => positions.set(vertices.subarray(vertex * 3, vertex * 3 + 3), corner * 3));
    const geometry = coloured(positions);
    geometry.computeVertexNormals();
    materials.forEach((material, triangle) => {
      const colour = [...colours.subarray(material * 3, material * 3 + 3)] as Rgb;
      paintCorners(geometry, triangle * 3, triangle * 3 + 3, colour);
    });
    const clippingPlanes = [this.plane];
    const material = new MeshLambertMaterial({ vertexColors: true, side: DoubleSide, clippingPlanes });
    // The mesh lies on the ground: it wins where both are as near.
    Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    return new Mesh(geometry, material);
  }

  /** The polygons as fans of triangles. */
  private fillOf(): [Mesh, Uint32Array] {
    const { vertices, corners, ends } = this.shape;
    const positions: number[] = [];
    const first = new Uint32Array(ends.length + 1);
    let begin = 0;
    ends.forEach((end, polygon) => {
      first[polygon] = positions.length / 3;
      for (let corner = begin + 1; corner + 1 < end; corner++) {
        for (const one of [begin, corner, corner + 1]) {
          const at = corners[one] * 3;
          positions.push(vertices[at], vertices[at + 1] + OVER, vertices[at + 2]);
        }
      }
      begin = end;
    });
    first[ends.length] = positions.length / 3;
    const material = new MeshBasicMaterial({ vertexColors: true, side: DoubleSide, clippingPlanes: [this.plane] });
    // Some of the level shows through; where there is none, the mesh is all there is.
    const isOver = this.shape.level !== null;
    Object.assign(material, { transparent: isOver, opacity: isOver ? 0.72 : 1, depthWrite: !isOver });
    const mesh = new Mesh(coloured(Float32Array.from(positions)), material);
    mesh.renderOrder = 1;
    return [mesh, first];
  }

  private edgesOf(): LineSegments {
    const { vertices, corners, ends } = this.shape;
    const points: number[] = [];
    let begin = 0;
    for (const end of ends) {
      for (let corner = begin; corner < end; corner++) {
        for (const one of [corner, corner + 1 < end ? corner + 1 : begin]) {
          const at = corners[one] * 3;
          points.push(vertices[at], vertices[at + 1] + EDGES, vertices[at + 2]);
        }
      }
      begin = end;
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(points), 3));
    const material = new LineBasicMaterial({ transparent: true, opacity: 0.55, clippingPlanes: [this.plane] });
    const lines = new LineSegments(geometry, material);
    lines.renderOrder = 2;
    return lines;
  }

  addTo(scene: Scene): void {
    scene.add(this.group);
  }

  setLook(look: Look): void {
    this.look = look;
    (this.edges.material as LineBasicMaterial).color = colourOf(look.isDark ? look.floor : look.line);
    (this.present.material as MeshBasicMaterial).color = colourOf(look.path);
    this.way.setLook(look);
    this.stops.setLook(look);
    this.clear();
    this.flush();
  }

  get cut(): number {
    return this.plane.constant;
  }

  setCut(cut: number): void {
    this.plane.constant = cut;
  }

  setUnit(): void {}

  setIslands(islands: Uint32Array): void {
    this.islands = islands;
    this.clear();
    this.flush();
  }

  /** Its area and island, where nothing was searched. */
  private resting(polygon: number): Rgb {
    const { areas } = this.shape;
    const ground = areas[polygon] === 0 ? mix(this.look.floor, this.look.closed[0], 0.25) : numberColour(areas[polygon]);
    const island = this.islands[polygon] ?? 0;
    const base = island > 1 ? mix(ground, islandColour(island), 0.45) : ground;
    return this.corridor.has(polygon) ? mix(base, this.look.path, 0.55) : base;
  }

  tint(state: number, colour: Rgb | null): void {
    if (state >= this.shape.ends.length) return;
    const shown = colour ? (this.corridor.has(state) ? mix(colour, this.look.path, 0.5) : colour) : this.resting(state);
    paintCorners(this.fill.geometry, this.first[state], this.first[state + 1], shown);
  }

  clear(): void {
    for (let polygon = 0; polygon < this.shape.ends.length; polygon++) this.tint(polygon, null);
  }

  flush(): void {
    this.fill.geometry.getAttribute("color").needsUpdate = true;
  }

  /** Shows a stage of the bake in place of the mesh, or the mesh again. */
  setStage(shape: StageShape | null): void {
    if (shape === (this.stage?.shape ?? null)) return;
    this.stage?.dispose();
    this.stage = shape && new StageView(shape, this.look, this.plane);
    if (this.stage) this.group.add(this.stage.group);
    for (const one of this.ofMesh) one.visible = this.stage === null;
  }

  /** The polygons that the path crosses. Shown with the next colours. */
  setCorridor(polygons: Iterable<number>): void {
    this.corridor = new Set(polygons);
  }

  /**
   * The intervals of a search: for each event x, height, z of the root, of the left and of the
   * right end.
   */
  setIntervals(trace: Trace | null, intervals: Float32Array): void {
    const lines: number[] = [];
    const colours: number[] = [];
    const roots: number[] = [];
    if (trace && intervals.length >= trace.events.count * 9) {
      const { count, kinds } = trace.events;
      for (let event = 0; event < count; event++) {
        if (kinds[event] !== EXPAND && kinds[event] !== GOAL) continue;
        const places = [...intervals.subarray(event * 9, event * 9 + 9)];
        const [red, green, blue] = along(this.look.ramp, trace.orders[event] / Math.max(1, trace.expansions));
        for (let at = 1; at < 9; at += 3) places[at] += LINES;
        roots.push(...places);
        lines.push(...ribbon(places.slice(3, 6), places.slice(6), this.ribbon));
        for (let corner = 0; corner < 6; corner++) colours.push(red / 255, green / 255, blue / 255);
      }
    }
    this.roots = Float32Array.from(roots);
    this.intervals.geometry.dispose();
    this.intervals.geometry = new BufferGeometry();
    this.intervals.geometry.setAttribute("position", new BufferAttribute(Float32Array.from(lines), 3));
    this.intervals.geometry.setAttribute("color", new BufferAttribute(Float32Array.from(colours), 3));
    this.showIntervals(0, false);
  }

  /** Shows the intervals expanded first, and the last of them with the point that sees it. */
  showIntervals(count: number, isOver: boolean): void {
    const shown = Math.min(count, this.roots.length / 9);
    this.intervals.geometry.setDrawRange(0, shown * 6);
    this.intervals.visible = shown > 0;
    this.present.visible = shown > 0 && !isOver;
    if (!this.present.visible) return;
    this.present.geometry.dispose();
    this.present.geometry = new BufferGeometry();
    const corners = this.roots.slice((shown - 1) * 9, shown * 9);
    this.present.geometry.setAttribute("position", new BufferAttribute(corners, 3));
  }

  /** The number of intervals that are shown. */
  get intervalsShown(): number {
    return this.intervals.visible ? this.intervals.geometry.drawRange.count / 6 : 0;
  }

  setRoute(places: Place[]): void {
    this.way.setRoute(places.map(([x, y, z]) => [x, y + 2 * LINES, z]));
  }

  setEnds(ends: [Place, Place] | null): void {
    this.way.setEnds(ends);
  }

  isUnderRoof([x, y, z]: Place): boolean {
    if (!this.level) return false;
    const ray = new Raycaster(new Vector3(x, y + 0.5, z), new Vector3(0, 1, 0));
    return ray.intersectObject(this.level, false).length > 0;
  }

  setBreaks(places: Place[]): void {
    // Most of a ball is above the floor.
    const shown = places.filter(([, y]) => y <= this.plane.constant);
    this.stops.set(shown.map(([x, y, z]) => [x, y + this.thick, z]));
  }

  hit(camera: PerspectiveCamera, at: Vector2): Place | null {
    const ray = new Raycaster();
    ray.setFromCamera(at, camera);
    const targets = this.level ? [this.fill, this.level] : [this.fill];
    const seen = ray.intersectObjects(targets, false).find(({ point }) => point.y <= this.plane.constant);
    return seen ? [seen.point.x, seen.point.y, seen.point.z] : null;
  }

  spot(state: number): Spot | null {
    const place = this.middle(state);
    return place && [place[0], place[2]];
  }

  /** The mean of a polygon's corners. */
  private middle(state: number): Place | null {
    const { vertices, corners, ends } = this.shape;
    if (state >= ends.length) return null;
    const [begin, end] = [state > 0 ? ends[state - 1] : 0, ends[state]];
    if (begin === end) return null;
    const sum: Place = [0, 0, 0];
    for (let corner = begin; corner < end; corner++) {
      for (let axis = 0; axis < 3; axis++) sum[axis] += vertices[corners[corner] * 3 + axis];
    }
    return sum.map((total) => total / (end - begin)) as Place;
  }

  /** The polygon that a ray hits; -1 for none. */
  stateUnder(camera: PerspectiveCamera, at: Vector2): number {
    const ray = new Raycaster();
    ray.setFromCamera(at, camera);
    const targets = this.level ? [this.fill, this.level] : [this.fill];
    const [seen] = ray.intersectObjects(targets, false).filter(({ point }) => point.y <= this.plane.constant);
    if (seen?.object !== this.fill || seen.faceIndex == null) return -1;
    const corner = seen.faceIndex * 3;
    let [low, high] = [0, this.shape.ends.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.first[middle] <= corner) low = middle;
      else high = middle;
    }
    return low;
  }

  stateAt(): number {
    return -1;
  }

  dispose(): void {
    this.stage?.dispose();
    this.way.dispose();
    this.stops.dispose();
    this.group.traverse((one) => {
      if (one instanceof Mesh || one instanceof LineSegments) {
        one.geometry.dispose();
        (one.material as MeshBasicMaterial).dispose();
      }
    });
  }
}
