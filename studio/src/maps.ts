// The map of each kind of world: what it looks like, and where its states are. A map takes the
// colours of states; it knows nothing of searches.

import {
  BufferAttribute,
  BufferGeometry,
  ClampToEdgeWrapping,
  DataTexture,
  DoubleSide,
  GLSL3,
  Mesh,
  MeshBasicMaterial,
  NearestFilter,
  PlaneGeometry,
  RawShaderMaterial,
  RGBAFormat,
  Scene,
  Shape as Outline,
  ShapeGeometry,
  UnsignedByteType,
  Vector2,
} from "three";
import type { CellShape, PointShape, PolygonShape, Shape } from "wayfare";
import { BlockMap } from "./blocks";
import { groundColour, mix, type Look, type Rgb } from "./look";
import { MeshMap } from "./meshes";
import { Strokes, type Stroke } from "./strokes";

/** The cell of a state, counted row by row; -1 if it is none. */
export function cellOf({ width, height, first, stride }: CellShape, state: number): number {
  const [row, column] = [Math.floor((state - first) / stride), (state - first) % stride];
  return row >= 0 && row < height && column >= 0 && column < width ? row * width + column : -1;
}

/** The state of a cell, counted row by row. */
export function stateOf({ width, first, stride }: CellShape, cell: number): number {
  return first + Math.floor(cell / width) * stride + (cell % width);
}

/** Obstacles with more edges than this, as the blocked cells of a grid, are drawn without them. */
const MOST_RIMS = 4000;

/** A place on the map. */
export type Spot = [number, number];

export interface WorldMap {
  /** Left, top, right, bottom. */
  readonly bounds: [number, number, number, number];
  /** The usual distance between two neighbouring states. */
  readonly pitch: number;
  addTo(scene: Scene): void;
  /** Gives a state a colour; `null` takes it away. */
  tint(state: number, colour: Rgb | null, alpha?: number): void;
  clear(): void;
  flush(): void;
  setLook(look: Look): void;
  setUnit(unit: number): void;
  spot(state: number): Spot | null;
  /** The state at a place; -1 if there is none. */
  stateAt(spot: Spot): number;
  dispose(): void;
}

const CELLS_VERTEX = `
precision highp float;
uniform mat4 projectionMatrix, viewMatrix, modelMatrix;
uniform vec2 size;
in vec3 position;
in vec2 uv;
out vec2 at;
void main() {
  at = uv * size;
  gl_Position = projectionMatrix * viewMatrix * vec4(at, 0.0, 1.0);
}`;

const CELLS_FRAGMENT = `
precision highp float;
precision highp sampler2D;
uniform sampler2D grounds, tints;
uniform vec2 size;
uniform float pixels; // a cell
uniform float shade;
in vec2 at;
out vec4 result;
bool wall(ivec2 cell) {
  if (any(lessThan(cell, ivec2(0))) || any(greaterThanEqual(cell, ivec2(size)))) return true;
  return texelFetch(grounds, cell, 0).a < 0.5;
}
void main() {
  ivec2 cell = ivec2(clamp(floor(at), vec2(0.0), size - 1.0));
  vec2 inside = at - vec2(cell);
  vec4 ground = texelFetch(grounds, cell, 0);
  vec4 tint = texelFetch(tints, cell, 0);
  vec3 colour = ground.rgb;
  // Cells part from each other as they grow.
  float gap = smoothstep(9.0, 22.0, pixels) * 0.045;
  vec2 off = abs(inside - 0.5);
  float soft = 1.0 / max(pixels, 1.0);
  float cover = gap > 0.0 ? 1.0 - smoothstep(0.5 - gap - soft, 0.5 - gap, max(off.x, off.y)) : 1.0;
  if (ground.a > 0.5) {
    colour = mix(colour, colour * 0.93, 1.0 - cover);
    colour = mix(colour, tint.rgb, tint.a * mix(0.72, 1.0, cover));
    if (pixels > 3.0) {
      // Walls stand a little above the floor.
      float dark = 0.0;
      if (wall(cell + ivec2(0, -1))) dark = max(dark, 1.0 - inside.y / 0.35);
      if (wall(cell + ivec2(-1, 0))) dark = max(dark, (1.0 - inside.x / 0.25) * 0.7);
      if (wall(cell + ivec2(-1, -1))) dark = max(dark, (1.0 - length(inside / vec2(0.25, 0.35))) * 0.7);
      colour *= 1.0 - shade * max(dark, 0.0) * smoothstep(3.0, 8.0, pixels);
    }
  } else {
    colour = mix(colour, tint.rgb, tint.a * 0.25);
  }
  result = vec4(colour, 1.0);
}`;

function texture(width: number, height: number): DataTexture {
  const map = new DataTexture(new Uint8Array(width * height * 4), width, height, RGBAFormat, UnsignedByteType);
  map.magFilter = NearestFilter;
  map.minFilter = NearestFilter;
  map.wrapS = ClampToEdgeWrapping;
  map.wrapT = ClampToEdgeWrapping;
  return map;
}

/** A grid, seen from above. */
export class CellMap implements WorldMap {
  readonly bounds: [number, number, number, number];
  readonly pitch = 1;
  readonly shape: CellShape;
  private readonly grounds: DataTexture;
  private readonly tints: DataTexture;
  private readonly mesh: Mesh;
  private readonly material: RawShaderMaterial;
  private look: Look;

  constructor(shape: CellShape, look: Look) {
    const { width, height } = shape;
    this.shape = shape;
    this.bounds = [0, 0, width, height];
    this.grounds = texture(width, height);
    this.tints = texture(width, height);
    this.look = look;
    this.material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: CELLS_VERTEX,
      fragmentShader: CELLS_FRAGMENT,
      uniforms: {
        grounds: { value: this.grounds },
        tints: { value: this.tints },
        size: { value: new Vector2(width, height) },
        pixels: { value: 1 },
        shade: { value: look.shade },
      },
      side: DoubleSide,
      depthTest: false,
    });
    this.mesh = new Mesh(new PlaneGeometry(1, 1), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 0;
    this.setLook(look);
  }

  addTo(scene: Scene): void {
    scene.add(this.mesh);
  }

  setLook(look: Look): void {
    this.look = look;
    this.material.uniforms.shade.value = look.shade;
    this.showGround();
  }

  /** Shows the ground again, after cells of the shape were painted. */
  showGround(): void {
    const { ground, grounds } = this.shape;
    const colours = grounds.map((one) => groundColour(one, this.look));
    const data = this.grounds.image.data as Uint8Array;
    for (let cell = 0; cell < ground.length; cell++) {
      const [red, green, blue] = colours[ground[cell]];
      data[cell * 4] = red;
      data[cell * 4 + 1] = green;
      data[cell * 4 + 2] = blue;
      data[cell * 4 + 3] = grounds[ground[cell]].is_open ? 255 : 0;
    }
    this.grounds.needsUpdate = true;
  }

  setUnit(unit: number): void {
    this.material.uniforms.pixels.value = 1 / unit;
  }

  tint(state: number, colour: Rgb | null, alpha = 1): void {
    const data = this.tints.image.data as Uint8Array;
    const cell = cellOf(this.shape, state);
    if (cell < 0) return;
    const at = cell * 4;
    if (colour) {
      data[at] = colour[0];
      data[at + 1] = colour[1];
      data[at + 2] = colour[2];
      data[at + 3] = Math.round(alpha * 255);
    } else {
      data[at + 3] = 0;
    }
  }

  clear(): void {
    (this.tints.image.data as Uint8Array).fill(0);
  }

  flush(): void {
    this.tints.needsUpdate = true;
  }

  spot(state: number): Spot | null {
    const { width } = this.shape;
    const cell = cellOf(this.shape, state);
    return cell < 0 ? null : [(cell % width) + 0.5, Math.floor(cell / width) + 0.5];
  }

  stateAt([x, y]: Spot): number {
    const { width, height } = this.shape;
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const isInside = column >= 0 && row >= 0 && column < width && row < height;
    return isInside ? stateOf(this.shape, row * width + column) : -1;
  }

  dispose(): void {
    this.grounds.dispose();
    this.tints.dispose();
    this.material.dispose();
    this.mesh.geometry.dispose();
  }
}

function boundsOf(spots: Spot[], margin: number): [number, number, number, number] {
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of spots) {
    bounds[0] = Math.min(bounds[0], x - margin);
    bounds[1] = Math.min(bounds[1], y - margin);
    bounds[2] = Math.max(bounds[2], x + margin);
    bounds[3] = Math.max(bounds[3], y + margin);
  }
  return spots.length > 0 ? bounds : [0, 0, 1, 1];
}

function meshOf(geometry: BufferGeometry, order: number, colour: Rgb): Mesh {
  const material = new MeshBasicMaterial({ side: DoubleSide, depthTest: false, transparent: true });
  material.color.setRGB(colour[0] / 255, colour[1] / 255, colour[2] / 255);
  const mesh = new Mesh(geometry, material);
  mesh.renderOrder = order;
  mesh.frustumCulled = false;
  return mesh;
}

/** Waypoints with their links, and the obstacles between them. */
export class PointMap implements WorldMap {
  readonly bounds: [number, number, number, number];
  readonly pitch: number;
  readonly shape: PointShape;
  private readonly spots: Spot[] = [];
  private readonly dots = new Strokes(3);
  private readonly links = new Strokes(2);
  private readonly outlines: Mesh[] = [];
  private readonly floor: Mesh;
  private readonly edges = new Strokes(1);
  private pulled = -1;
  private look: Look;

  constructor(shape: PointShape, look: Look) {
    this.shape = shape;
    this.look = look;
    const { places, links, outlines } = shape;
    for (let at = 0; at < places.length; at += 3) this.spots.push([places[at], places[at + 2]]);
    let sum = 0;
    for (let at = 0; at < links.length; at += 2) {
      const [a, b] = [this.spots[links[at]], this.spots[links[at + 1]]];
      sum += Math.hypot(a[0] - b[0], a[1] - b[1]);
    }
    this.pitch = links.length > 0 ? sum / (links.length / 2) : 1;
    const corners = outlines.flatMap((outline) => {
      const spots: Spot[] = [];
      for (let at = 0; at < outline.corners.length; at += 2) spots.push([outline.corners[at], outline.corners[at + 1]]);
      return spots;
    });
    this.bounds = boundsOf([...this.spots, ...corners], this.pitch * 0.5);
    const [left, top, right, bottom] = this.bounds;
    const plane = new PlaneGeometry(right - left, bottom - top).translate((left + right) / 2, (top + bottom) / 2, 0);
    this.floor = meshOf(plane, -1, look.floor);
    for (const outline of outlines) {
      const points: Vector2[] = [];
      for (let at = 0; at < outline.corners.length; at += 2) {
        points.push(new Vector2(outline.corners[at], outline.corners[at + 1]));
      }
      const order = outline.ground === null ? 1 : 0;
      this.outlines.push(meshOf(new ShapeGeometry(new Outline(points)), order, look.wall));
    }
    this.setLook(look);
  }

  addTo(scene: Scene): void {
    scene.add(this.floor, this.edges.mesh);
    for (const outline of this.outlines) scene.add(outline);
    scene.add(this.links.mesh, this.dots.mesh);
  }

  private resting(state: number): Rgb {
    const ground = this.shape.grounds[this.shape.ground[state]];
    const base = ground ? groundColour(ground, this.look) : this.look.floor;
    return mix(base, this.look.line, 0.3);
  }

  setLook(look: Look): void {
    this.look = look;
    this.shape.outlines.forEach((outline, index) => {
      const ground = outline.ground === null ? null : this.shape.grounds[outline.ground];
      const [red, green, blue] = ground ? groundColour(ground, look) : look.wall;
      (this.outlines[index].material as MeshBasicMaterial).color.setRGB(red / 255, green / 255, blue / 255);
    });
    const [red, green, blue] = look.floor;
    (this.floor.material as MeshBasicMaterial).color.setRGB(red / 255, green / 255, blue / 255);
    this.edges.set(this.rims(look));
    this.dots.set(
      this.spots.map((spot, state) => ({ from: spot, to: spot, radius: 4.5, colour: this.resting(state) })),
    );
    this.drawLinks();
  }

  /** The edges of obstacles: where floor and wall are alike, they part them. */
  private rims(look: Look): Stroke[] {
    const rims: Stroke[] = [];
    for (const { corners, ground } of this.shape.outlines) {
      if (ground !== null) continue;
      for (let at = 0; at < corners.length; at += 2) {
        const next = (at + 2) % corners.length;
        const [from, to]: Spot[] = [[corners[at], corners[at + 1]], [corners[next], corners[next + 1]]];
        rims.push({ from, to, radius: 0.7, colour: look.line, alpha: 0.55 });
      }
    }
    return rims.length > MOST_RIMS ? [] : rims;
  }

  private drawLinks(): void {
    const { links } = this.shape;
    const lines: Stroke[] = [];
    for (let at = 0; at < links.length; at += 2) {
      // The links of the waypoint that is pulled are drawn to where it is.
      if (links[at] === this.pulled || links[at + 1] === this.pulled) continue;
      const [from, to] = [this.spots[links[at]], this.spots[links[at + 1]]];
      lines.push({ from, to, radius: 0.6, colour: this.look.line, alpha: 0.35 });
    }
    this.links.set(lines);
  }

  /** Leaves out the links of a waypoint, which is pulled elsewhere; -1 for none. */
  setPulled(state: number): void {
    if (state === this.pulled) return;
    this.pulled = state;
    this.drawLinks();
  }

  setUnit(unit: number): void {
    this.edges.unit = unit;
    this.dots.unit = unit;
    this.links.unit = unit;
  }

  tint(state: number, colour: Rgb | null): void {
    if (state < this.spots.length) this.dots.colour(state, colour ?? this.resting(state), 1);
  }

  clear(): void {
    this.spots.forEach((_, state) => this.dots.colour(state, this.resting(state), 1));
  }

  flush(): void {
    this.dots.flush();
  }

  spot(state: number): Spot | null {
    return this.spots[state] ?? null;
  }

  stateAt([x, y]: Spot): number {
    let [best, nearest] = [-1, this.pitch * this.pitch];
    this.spots.forEach((spot, state) => {
      const far = (spot[0] - x) ** 2 + (spot[1] - y) ** 2;
      if (far < nearest) [best, nearest] = [state, far];
    });
    return best;
  }

  dispose(): void {
    this.dots.dispose();
    this.links.dispose();
    this.edges.dispose();
    for (const outline of [this.floor, ...this.outlines]) {
      outline.geometry.dispose();
      (outline.material as MeshBasicMaterial).dispose();
    }
  }
}

/** A navigation mesh, seen from above. */
export class PolygonMap implements WorldMap {
  readonly bounds: [number, number, number, number];
  readonly pitch: number;
  readonly shape: PolygonShape;
  private readonly fill: Mesh;
  private readonly colours: BufferAttribute;
  /** For each polygon its first vertex among the triangles. */
  private readonly first: Uint32Array;
  private readonly edges = new Strokes(1);
  private look: Look;

  constructor(shape: PolygonShape, look: Look) {
    this.shape = shape;
    this.look = look;
    const { vertices, corners, ends } = shape;
    const at = (corner: number): Spot => [vertices[corner * 3], vertices[corner * 3 + 2]];
    const positions: number[] = [];
    this.first = new Uint32Array(ends.length + 1);
    let begin = 0;
    ends.forEach((end, polygon) => {
      this.first[polygon] = positions.length / 3;
      for (let corner = begin + 1; corner + 1 < end; corner++) {
        for (const one of [begin, corner, corner + 1]) {
          const [x, y] = at(corners[one]);
          positions.push(x, y, 0);
        }
      }
      begin = end;
    });
    this.first[ends.length] = positions.length / 3;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
    this.colours = new BufferAttribute(new Float32Array(positions.length), 3);
    geometry.setAttribute("color", this.colours);
    this.fill = meshOf(geometry, 0, [255, 255, 255]);
    (this.fill.material as MeshBasicMaterial).vertexColors = true;
    const spots: Spot[] = [];
    for (let vertex = 0; vertex * 3 < vertices.length; vertex++) spots.push(at(vertex));
    this.bounds = boundsOf(spots, 0.5);
    const [left, top, right, bottom] = this.bounds;
    this.pitch = Math.sqrt(((right - left) * (bottom - top)) / Math.max(1, ends.length));
    this.setLook(look);
  }

  addTo(scene: Scene): void {
    scene.add(this.fill, this.edges.mesh);
  }

  private resting(polygon: number): Rgb {
    return this.shape.areas[polygon] === 0 ? this.look.floor : mix(this.look.floor, this.look.line, 0.25);
  }

  setLook(look: Look): void {
    this.look = look;
    const { vertices, corners, ends } = this.shape;
    const at = (corner: number): Spot => [vertices[corner * 3], vertices[corner * 3 + 2]];
    const lines: Stroke[] = [];
    let begin = 0;
    for (const end of ends) {
      for (let corner = begin; corner < end; corner++) {
        const next = corner + 1 < end ? corner + 1 : begin;
        lines.push({ from: at(corners[corner]), to: at(corners[next]), radius: 0.5, colour: look.line, alpha: 0.4 });
      }
      begin = end;
    }
    this.edges.set(lines);
    this.clear();
    this.flush();
  }

  setUnit(unit: number): void {
    this.edges.unit = unit;
  }

  tint(state: number, colour: Rgb | null): void {
    if (state >= this.shape.ends.length) return;
    const [red, green, blue] = colour ?? this.resting(state);
    for (let vertex = this.first[state]; vertex < this.first[state + 1]; vertex++) {
      this.colours.setXYZ(vertex, red / 255, green / 255, blue / 255);
    }
  }

  clear(): void {
    for (let polygon = 0; polygon < this.shape.ends.length; polygon++) this.tint(polygon, null);
  }

  flush(): void {
    this.colours.needsUpdate = true;
  }

  spot(state: number): Spot | null {
    const { vertices, corners, ends } = this.shape;
    if (state >= ends.length) return null;
    const [begin, end] = [state > 0 ? ends[state - 1] : 0, ends[state]];
    if (begin === end) return null;
    let [x, y] = [0, 0];
    for (let corner = begin; corner < end; corner++) {
      x += vertices[corners[corner] * 3];
      y += vertices[corners[corner] * 3 + 2];
    }
    return [x / (end - begin), y / (end - begin)];
  }

  stateAt([x, y]: Spot): number {
    const { vertices, corners, ends } = this.shape;
    let begin = 0;
    let found = -1;
    ends.forEach((end, polygon) => {
      let isInside = false;
      for (let corner = begin, last = end - 1; corner < end; last = corner++) {
        const [ax, ay] = [vertices[corners[corner] * 3], vertices[corners[corner] * 3 + 2]];
        const [bx, by] = [vertices[corners[last] * 3], vertices[corners[last] * 3 + 2]];
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
      }
      if (isInside) found = polygon;
      begin = end;
    });
    return found;
  }

  dispose(): void {
    this.fill.geometry.dispose();
    (this.fill.material as MeshBasicMaterial).dispose();
    this.edges.dispose();
  }
}

/** `isFlat`: a navigation mesh is seen from above. */
export function mapOf(shape: Shape, look: Look, isFlat: boolean): WorldMap {
  switch (shape.kind) {
    case "cells":
      return new CellMap(shape, look);
    case "points":
      return new PointMap(shape, look);
    case "polygons":
      return isFlat ? new PolygonMap(shape, look) : new MeshMap(shape, look);
    case "blocks":
      return new BlockMap(shape, look);
  }
}
