/** The costs of a ground, by its name. */
export interface Price {
  ground: string;
  isOpen: boolean;
  multiplier: number;
  penalty: number;
}

export type Source =
  | { from: "generated"; kind: string; seed: number }
  | { from: "sample"; name: string };

export interface Shared {
  source: Source;
  start: number;
  goal: number;
  algorithms: string[];
  colour: string;
  /** Ground by name, and the states that were painted with it, in the order of painting. */
  edits: { ground: string; states: number[] }[];
  /** On meshes x, height, z of both ends: numbers of points are those of one visit. */
  places?: number[];
  /** What is not as usual of the rest. */
  settings?: Settings;
}

/** How searches are made and the ground is priced, beside the algorithms. */
export interface Settings {
  /** Of each search; `null` for the space's own. */
  heuristics: (string | null)[];
  /** Of each search whether it ignores the waypoints' own costs. */
  ignores: boolean[];
  /** Searches give up after that many expansions; `null` for never. */
  limit: number | null;
  /** The palette of a tutorial; `null` for light or dark, as the visitor likes it. */
  palette: string | null;
  /** Grounds of other costs than the world's own. */
  prices: Price[];
  /** The radius of the blur in cells, where it is not the world's own. */
  blur: number | null;
  /** Of each search the weight of its estimates; `null` for the usual one. */
  weights: (number | null)[];
  /** Changes of the agent's movement, and of what is open to it. */
  movement: string[];
}

export type Reading = { ok: true; shared: Shared | null } | { ok: false; problem: string };

/** The end of an address; `null` where it would be too long. */
export function toFragment(shared: Shared): string | null;
/** What the end of an address holds; a sentence where something is wrong with it. */
export function fromFragment(fragment: string): Reading;
