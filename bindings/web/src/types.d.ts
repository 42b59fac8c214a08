/** The agent that moves in a world. Missing fields are as usual for the kind of world. */
export interface OpenAs {
  /** Grids: 4 or 8. */
  neighbours?: 4 | 8;
  /** Grids: when a diagonal may pass a blocked corner. */
  corners?: "both" | "one" | "always";
  /** Grids and blocks: the agent's width. */
  width?: number;
  /** Blocks: the agent's height. */
  height?: number;
  /** Blocks: walk, jump, fall, swim, climb, fly. */
  abilities?: string[];
  jumpHeight?: number;
  jumpDistance?: number;
  maxFall?: number;
  /** Scenes: the class of their agents whose movement, costs and keys it has. */
  class?: string;
}

/** How a search is asked for. */
export interface Asked {
  /** A name of `algorithms()`; default "astar". */
  algorithm?: string;
  /** A name of `heuristics()`; default "natural": the space's own. */
  heuristic?: string;
  /** Of weighted A*: 1 or more; default 1.5. */
  weight?: number;
  /** Whether the waypoint policies ignore the waypoints' own costs. */
  ignoreOwnCosts?: boolean;
  /** Give up after that many expansions. */
  maxExpansions?: number;
  /** Go as near as possible where there is known to be no path. */
  approach?: boolean;
}

export interface About {
  file: string;
  name: string;
  /** "tile map", "waypoint scene", "sampled scene", "voxel world" or "navigation mesh". */
  kind: string;
  /** The unit of lengths, in the plural. */
  unit: string;
  unit_cost: number;
  /** The noun for a state. */
  state: string;
  states: number;
  bytes: number | null;
  agent: string | null;
  remarks: string[];
  details: string[];
}

/** One part of an agent's movement. */
export interface MovementPart {
  /** As remedies and `adapt` name it. */
  name: string;
  /** Of a list its items, separated by commas. */
  value: string;
  /** The values that it can have; empty for a number. */
  choices: string[];
  /** Whether any number of the choices go together. */
  is_list: boolean;
  /** The least and the largest of a number. */
  range: [number, number] | null;
}

export interface Ground {
  name: string;
  /** Red, green, blue. */
  colour: [number, number, number];
  is_open: boolean;
  multiplier: number;
  penalty: number;
  /** Of blocks: the part of their place that they fill, from its floor. 1, or 0.5 for slabs. */
  height: number;
}

/** Cells row by row from the top. Cell x, y is state first + y * stride + x. */
export interface CellShape {
  kind: "cells";
  width: number;
  height: number;
  first: number;
  stride: number;
  /** For each cell its place in grounds. */
  ground: Uint8Array;
  grounds: Ground[];
  /** The radius of the blur over the penalties, in cells. */
  blur: number;
}

export interface PointShape {
  kind: "points";
  /** x, height, z of each state. */
  places: Float32Array;
  /** From and to of each one-way link. */
  links: Uint32Array;
  /** 255: none. */
  ground: Uint8Array;
  grounds: Ground[];
  /** x, z of each corner. */
  outlines: { corners: Float32Array; ground: number | null }[];
}

export interface PolygonShape {
  kind: "polygons";
  vertices: Float32Array;
  /** The corners of all polygons, one after the other. */
  corners: Uint32Array;
  /** For each polygon the end of its corners. */
  ends: Uint32Array;
  areas: Uint8Array;
  /** The level that the mesh was baked from, where it was. */
  level: LevelShape | null;
}

/** A link between two places: a door, a bridge, a leap. */
export interface Passage {
  /** It says the kind: "door 'side door'". */
  name: string;
  /** x, height, z of both ends, in world units. */
  ends: [[number, number, number], [number, number, number]];
  is_two_way: boolean;
  /** Whether the agent may use it, with the keys that it has. */
  is_open: boolean;
}

export interface LevelShape {
  /** x, height, z of each. */
  vertices: Float32Array;
  /** Three corners of each triangle. */
  triangles: Uint32Array;
  /** For each triangle its place in colours. */
  materials: Uint16Array;
  /** Red, green, blue of each material. */
  colours: Uint8Array;
}

/** How a level was baked: metres and degrees. */
export interface BakeAbout {
  radius: number;
  height: number;
  step: number;
  slope: number;
  cellSize: number;
}

/** What a stage of a bake makes of a level. */
export interface StageShape {
  stage: string;
  /** The side of a tile in metres. */
  side: number;
  /** The regions, outlines, polygons or triangles that the stage makes; before, the tiles. */
  count: number;
  /** x, height, z of the corner of each tile with the least x and z. */
  corners: Float32Array;
  /** Of each tile: 0 blocked, 1 eroded, 2 ground of an area, 3 a region. */
  kinds: Uint8Array;
  /** The number of the area or region. */
  values: Uint32Array;
  /** 0 to 1: the distance to the nearest edge of floors; else the height. */
  shares: Float32Array;
  /** x, height, z of three corners of each pane, its polygon and area. */
  panes: Float32Array;
  polygons: Uint32Array;
  areas: Uint8Array;
  /** x, height, z of both ends of each line. */
  lines: Float32Array;
  /** 0 border, 1 inner, 2 height. */
  lineKinds: Uint8Array;
}

export interface BlockShape {
  kind: "blocks";
  size: [number, number, number];
  /** x, height, z of each block that can be seen. */
  places: Uint32Array;
  kinds: Uint32Array;
  grounds: Ground[];
  isCut: boolean;
}

export type Shape = CellShape | PointShape | PolygonShape | BlockShape;

/** Columns of equal length, oldest event first. Costs are in units of length on plain ground. */
export interface Events {
  count: number;
  /** 0 generate, 1 relax, 2 expand, 3 reopen, 4 goal, 5 restart. */
  kinds: Uint8Array;
  /** 0 forward, 1 backward. */
  sides: Uint8Array;
  states: Uint32Array;
  /** The state itself for the first. */
  parents: Uint32Array;
  g: Float64Array;
  h: Float64Array;
}

export interface Report {
  /** "found", "no path", "limit" or "interrupted". */
  ending: string;
  found: boolean;
  reason: string | null;
  method: string;
  because: string | null;
  /** The path, or the one that leads nearest to the goal. */
  path: Uint32Array;
  /** The cost from the start to each state of the path. */
  costs: Float64Array;
  /** On navigation meshes the polygons that the path crosses. */
  corridor: Uint32Array;
  cost: number;
  length: number;
  expanded: number;
  generated: number;
  reopened: number;
  heapPeak: number;
  milliseconds: number;
}

/** The world that a recording was made in. */
export interface TracedWorld {
  name: string;
  file: string;
  kind: string;
  state: string;
  unit: string;
  unit_cost: number;
  states: number;
  /** The end of an address that shows the world. */
  link: string | null;
}

/** The searches of a recording. */
export interface Replay {
  start: number;
  goal: number;
  searches: {
    algorithm: string;
    heuristic: string;
    isWhole: boolean;
    events: Events;
    report: Report;
    hash: string;
  }[];
}

export interface Why {
  reason: string | null;
  straightLine: number | null;
  nearest: string | null;
  /** Each sentence ends "There is a path …". */
  remedies: { sentence: string; change: string; length: number }[];
  shares: { ground: string; moves: number; length: number; cost: number }[];
  /** The states that can be reached from the start, in order. */
  reached: Uint32Array;
  report: Report;
}

export interface Moves {
  states: Uint32Array;
  costs: Float64Array;
}

/** Columns of equal length. */
export interface Dangers {
  states: Uint32Array;
  /** What entering costs more, in units of length. */
  amounts: Float32Array;
}

/** Waypoints and links, one by one, as in the file of a scene. */
export interface DrawnGraph {
  waypoints: { id: string; at: [number, number, number]; cost?: number | null; terrain?: string | null }[];
  links: { from: string; to: string; one_way?: boolean; cost?: number | null; danger?: number }[];
}

/** New ground for agents on a grid. */
export interface GroundChange {
  /** For `replace` of a simulation. */
  change: string;
  /** For each cell its place in the old grid's grounds. */
  ground: Uint8Array;
}

export interface Route {
  name: string | null;
  ends: { start: number; goal: number };
}

/** A grid as a file; an image has a legend beside it. */
/** A file by its name. */
export interface WorldFile {
  name: string;
  bytes: Uint8Array;
}

export interface MapFile {
  bytes: Uint8Array;
  legend: string | null;
}

export interface AlgorithmInfo {
  /** The name to ask for it by. */
  name: string;
  /** The name that people know it by. */
  title: string;
  summary: string;
  /** "optimal", "bounded", "fewest moves", "any angle" or "none". */
  guarantee: string;
}

export interface Kind {
  name: string;
  about: string;
  parameters: { name: string; about: string; unit: string; least: number; most: number }[];
}
