// What a link holds, and its text. A link comes from anywhere: every field is checked, and a link
// with a fault in it is refused whole, with a sentence.

import type { Price } from "./terrain";

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

const VERSION = 1;
const MOST_TEXT = 64_000;
const MOST_EDITS = 2_000;
const MOST_STATES = 20_000;
const MOST_PRICES = 256;
const MOST_CHANGES = 64;

export function toFragment(shared: Shared): string | null {
  const { source, start, goal, algorithms, colour, edits, places, settings } = shared;
  const painted = edits.map(({ ground, states }) => [ground, ...steps(states)]);
  const world = source.from === "generated" ? [source.kind, source.seed] : [source.name];
  const last: unknown[] = [];
  if (places || settings) last.push(places?.map((value) => Math.round(value * 1000) / 1000) ?? null);
  if (settings) last.push(coded(settings));
  const text = JSON.stringify([VERSION, world, start, goal, algorithms, colour, painted, ...last]);
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const fragment = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return fragment.length <= MOST_TEXT ? `#s=${fragment}` : null;
}

export function fromFragment(fragment: string): Reading {
  if (fragment === "" || fragment === "#") return { ok: true, shared: null };
  const bad = (problem: string): Reading => ({ ok: false, problem });
  if (!fragment.startsWith("#s=")) return bad("The link's end is not one of the studio's.");
  const body = fragment.slice(3);
  if (body.length > MOST_TEXT) return bad("The link is too long.");
  if (!/^[A-Za-z0-9_-]+$/.test(body)) return bad("The link is damaged.");
  let value: unknown;
  try {
    const binary = atob(body.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return bad("The link is damaged.");
  }
  if (!Array.isArray(value) || value[0] !== VERSION) {
    return bad("The link is of another version of the studio.");
  }
  const [, world, start, goal, algorithms, colour, painted, places, rest] = value as unknown[];
  const source = sourceOf(world);
  if (!source) return bad("The link names no world.");
  if (!isState(start) || !isState(goal)) return bad("The link's start or goal is no state.");
  const named =
    Array.isArray(algorithms) && algorithms.length >= 1 && algorithms.length <= 4 && algorithms.every(isText);
  if (!named) return bad("The link names no algorithms, or more than four.");
  if (!isText(colour)) return bad("The link's colouring is unknown.");
  const edits = editsOf(painted);
  if (!edits) return bad("The link's painted cells are damaged.");
  const isPlaces = Array.isArray(places) && places.length === 6 && places.every((one) => typeof one === "number" && Math.abs(one) < 1e6);
  if (places !== undefined && places !== null && !isPlaces) return bad("The link's start or goal is no place.");
  const settings = rest === undefined ? undefined : settingsOf(rest, (algorithms as string[]).length);
  if (settings === null) return bad("The link's settings are damaged.");
  const shared: Shared = { source, start, goal, algorithms: algorithms as string[], colour, edits };
  if (isPlaces) shared.places = places as number[];
  if (settings) shared.settings = settings;
  return { ok: true, shared };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9 _.+'()-]{1,64}$/.test(value) && !value.includes("..");
}

function isChange(value: unknown): value is string {
  return typeof value === "string" && /^[a-z-]+=[A-Za-z0-9 _.+'(),-]{0,200}$/.test(value);
}

function isState(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 0xffff_ffff;
}

function sourceOf(world: unknown): Source | null {
  if (!Array.isArray(world) || !isText(world[0])) return null;
  if (world.length === 1) return { from: "sample", name: world[0] };
  const seed = world[1];
  const isSeed = typeof seed === "number" && Number.isSafeInteger(seed) && seed >= 0;
  return world.length === 2 && isSeed ? { from: "generated", kind: world[0], seed } : null;
}

/** Each state as its distance from the one before: short where a brush went along. */
function steps(states: number[]): number[] {
  return states.map((state, index) => (index === 0 ? state : state - states[index - 1]));
}

/** Settings as a list, short enough for a link. */
function coded({ heuristics, ignores, limit, palette, prices, blur, weights, movement }: Settings): unknown[] {
  const priced = prices.map(({ ground, isOpen, multiplier, penalty }) => [ground, isOpen ? 1 : 0, multiplier, penalty]);
  const isPlain = movement.length === 0 && weights.every((weight) => weight === null);
  return [heuristics, ignores.map((ignored) => (ignored ? 1 : 0)), limit, palette, priced, blur, ...(isPlain ? [] : [weights, movement])];
}

/** Settings, for a number of searches; `null` where something is wrong with them. */
function settingsOf(list: unknown, searches: number): Settings | null {
  if (!Array.isArray(list) || (list.length !== 6 && list.length !== 8)) return null;
  const none = Array.from({ length: searches }, () => null);
  const [heuristics, ignores, limit, palette, priced, blur, weights = none, movement = []] = list as unknown[];
  const isSwitch = (value: unknown) => value === 0 || value === 1;
  const isName = (value: unknown) => value === null || isText(value);
  const isSound =
    Array.isArray(heuristics) && heuristics.length === searches && heuristics.every(isName) &&
    Array.isArray(ignores) && ignores.length === searches && ignores.every(isSwitch) &&
    (limit === null || (isState(limit) && limit >= 1)) && isName(palette) &&
    Array.isArray(priced) && priced.length <= MOST_PRICES &&
    (blur === null || (isWithin(blur, 0, 64) && Number.isInteger(blur))) &&
    Array.isArray(weights) && weights.length === searches && weights.every((weight) => weight === null || isWithin(weight, 1, 1e6)) &&
    Array.isArray(movement) && movement.length <= MOST_CHANGES && movement.every(isChange);
  if (!isSound) return null;
  const prices: Price[] = [];
  for (const price of priced as unknown[]) {
    if (!Array.isArray(price) || price.length !== 4) return null;
    const [ground, open, multiplier, penalty] = price as unknown[];
    if (!isText(ground) || !isSwitch(open) || !isWithin(multiplier, 0, 1000) || !isWithin(penalty, -1e5, 1e5)) return null;
    prices.push({ ground, isOpen: open === 1, multiplier, penalty });
  }
  return {
    heuristics: heuristics as (string | null)[],
    ignores: (ignores as number[]).map((ignored) => ignored === 1),
    limit: limit as number | null,
    palette: palette as string | null,
    prices,
    blur: blur as number | null,
    weights: weights as (number | null)[],
    movement: movement as string[],
  };
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && value >= least && value <= most;
}

function editsOf(painted: unknown): Shared["edits"] | null {
  if (!Array.isArray(painted) || painted.length > MOST_EDITS) return null;
  let left = MOST_STATES;
  const edits: Shared["edits"] = [];
  for (const edit of painted) {
    if (!Array.isArray(edit) || !isText(edit[0])) return null;
    const states: number[] = [];
    let state = 0;
    for (const step of edit.slice(1)) {
      if (typeof step !== "number" || !Number.isInteger(step) || left-- <= 0) return null;
      state += step;
      if (!isState(state)) return null;
      states.push(state);
    }
    edits.push({ ground: edit[0], states });
  }
  return edits;
}
