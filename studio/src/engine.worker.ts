// The engine, in a thread of its own. It holds one world, and answers one message after the other.
//
// Simulations are a module of their own, which is loaded when agents are first asked for. What it
// needs of the world comes as the text of a scene.

import init, {
  algorithms,
  bakeStages,
  heuristics,
  kinds,
  Recording,
  World,
  type About,
  type Asked,
  type BakeAbout,
  type Dangers,
  type DrawnGraph,
  type Events,
  type MovementPart,
  type Passage,
  type Report,
  type Route,
  type Shape,
  type StageShape,
  type TracedWorld,
  type Why,
} from "wayfare/web";
import initAgents, {
  blendWeights,
  Simulation,
  type AgentAbout,
  type Agents,
  type Limits,
  type PlannerAbout,
  type SceneAbout,
  type Scenery,
} from "wayfare/agents/web";
import agentsUrl from "wayfare/agents.wasm?url";
import type { Price } from "wayfare/link";
import wasmUrl from "wayfare/wasm?url";
import { CLIPS } from "./clips";
import type { Progress } from "./engine";

/** A search longer than this is not recorded to its end. */
const MOST_EVENTS = 4_000_000;
/** Expansions between two looks at the number of events. */
const SLICE = 20_000;

export interface Opened {
  about: About;
  shape: Shape;
  ends: [number, number];
  /** x, height, z of both ends. */
  endPlaces: Float32Array;
  /** The length of a straight step on a grid, in world units; elsewhere 1. */
  pitch: number;
  routes: Route[];
  /** On navigation meshes the island of each polygon, counted from 1. */
  islands: Uint32Array | null;
  /** How a level was baked; `null` where the world is none. */
  bake: BakeAbout | null;
  suited: string[];
  /** How the agent moves, part by part. */
  movement: MovementPart[];
  /** The names of the classes of agents that the world's scene has. */
  classes: string[];
  /** The links, on the map: of grids in cells. */
  passages: Passage[];
}

export interface Traced {
  events: Events;
  report: Report;
  /** x, height, z of each state of the path. */
  points: Float32Array;
  /** In worlds of blocks the states that the search touched, and their places. */
  touched: { states: Uint32Array; places: Float32Array } | null;
  /**
   * On navigation meshes, for each event its interval: places of the root, of the left and right
   * end.
   */
  intervals: Float32Array;
  /** Whether the search was too long to be recorded to its end. */
  isCut: boolean;
  hash: string;
  milliseconds: number;
}

/** Danger, and where it is: x, height, z of each state. */
export interface Endangered extends Dangers {
  places: Float32Array;
}

/** What a recording holds, in the open world. */
export interface Replayed {
  start: number;
  goal: number;
  /** x, height, z of both ends. */
  endPlaces: Float32Array;
  asked: Asked[];
  traces: Traced[];
}

export interface Named {
  place: string;
  ground: string;
  /** What entering it costs beyond the way there and danger. */
  penalty: number;
  /** The move from another state to this one: its cost, and how far apart they are from above. */
  step: { cost: number; length: number } | null;
  moves: { states: Uint32Array; costs: Float64Array };
}

/** Agents at one tick. */
export interface Moment {
  now: number;
  furthest: number;
  agents: Agents;
  planner: PlannerAbout;
  /** Where it was asked for. */
  scenery: Scenery | null;
  /** The chosen agent, and its way ahead: x, height, z of each point. */
  agent: AgentAbout | null;
  way: Float32Array | null;
  /** The weights of its animations, by the speeds of CLIPS, and last how fast they are played. */
  blend: Float32Array | null;
}

/** Agents for a world that has none of its own. */
export interface Population {
  count: number;
  seed: number;
  avoidance: string;
}

interface WorldFile {
  name: string;
  bytes: Uint8Array;
  files: Record<string, Uint8Array>;
}

let world: World | null = null;
/** The file of the world, where it is one. */
let source: WorldFile | null = null;
let simulation: Simulation | null = null;
/** The recording that was read last. */
let recording: Recording | null = null;

const encoded = (text: string) => new TextEncoder().encode(text);

function playing(): Simulation {
  if (!simulation) throw new Error("There are no agents.");
  return simulation;
}

function moment(chosen: number, wantsScenery: boolean): Moment {
  const simulation = playing();
  const agent = chosen >= 0 ? simulation.agent(chosen) : null;
  const agents = simulation.agents();
  const speed = agents.speeds[agents.ids.indexOf(chosen)];
  return {
    now: simulation.now,
    furthest: simulation.furthest,
    agents,
    planner: simulation.planner(),
    scenery: wantsScenery ? simulation.scenery() : null,
    agent,
    way: agent ? simulation.wayAhead(chosen) : null,
    blend: agent && speed !== undefined ? blendWeights(Float32Array.from(CLIPS, ([, at]) => at), speed) : null,
  };
}

/** Loads the module of simulations, once it is needed. After a failure it is loaded again. */
async function loadAgents(): Promise<void> {
  try {
    await initAgents({ module_or_path: new URL(agentsUrl, import.meta.url) });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(`The agents could not be loaded: ${cause}. Try again.`);
  }
}

/** The scene of the open file where it has agents. */
function ownScene(): Simulation | null {
  const generated = world?.scene;
  if (generated) return Simulation.open("generated.toml", encoded(generated));
  if (!source || !/\.toml$/i.test(source.name)) return null;
  const isPeopled = /^\s*(\[\[agents\]\]|agents\s*=)/m.test(new TextDecoder().decode(source.bytes));
  return isPeopled ? Simulation.open(source.name, source.bytes, source.files) : null;
}

/** The files that a scene in the open world names: that of the world itself, and those that it names. */
function filesBeside(): Record<string, Uint8Array> {
  const made = current().file();
  const { name, bytes, files } = made ? { ...made, files: {} } : (source ?? { name: "", bytes: new Uint8Array(0), files: {} });
  return { ...files, [name.replace(/^.*[/\\]/, "")]: bytes };
}

/** Where the metres of a simulation are on the map of the world. */
function frame(isScene: boolean, world = current(), shape = world.shape()): { corner: [number, number]; unit: number } {
  if (!isScene || shape.kind !== "cells") return { corner: [0, 0], unit: 1 };
  const [x, , z, right] = world.positions(Uint32Array.of(shape.first, shape.first + 1));
  const unit = shape.width > 1 ? right - x : 1;
  return { corner: [x - unit / 2, z - unit / 2], unit };
}

/** The links on the map. */
function passagesOf(world: World, shape?: Shape): Passage[] {
  const passages = world.passages();
  if (passages.length === 0) return [];
  const { corner, unit } = frame(true, world, shape);
  const onMap = ([x, y, z]: [number, number, number]): [number, number, number] => [(x - corner[0]) / unit, y, (z - corner[1]) / unit];
  return passages.map((passage) => ({ ...passage, ends: [onMap(passage.ends[0]), onMap(passage.ends[1])] }));
}

function current(): World {
  if (!world) throw new Error("No world is open.");
  return world;
}

/** Tells what is done at present; `share` of the work is done. The page hears it at once. */
function tell(doing: string, share: number): void {
  const progress: Progress = { doing, share };
  self.postMessage({ id: 0, progress });
}

function described(next: World): Opened {
  const about = next.about();
  tell("laying out the map", 0.4);
  const shape = next.shape();
  tell("looking for two places far apart", 0.5);
  const ends = next.ends();
  tell("drawing", 0.95);
  const endPlaces = next.positions(Uint32Array.from(ends));
  const islands = shape.kind === "polygons" ? byLargest(next.regions()) : null;
  const [x, , z, toX, , toZ] = shape.kind === "cells" && shape.width > 1 ? next.positions(Uint32Array.of(shape.first, shape.first + 1)) : [0, 0, 0, 1, 0, 0];
  const pitch = Math.hypot(toX - x, toZ - z);
  return { about, shape, ends, endPlaces, pitch, routes: next.routes(), islands, bake: next.bake(), suited: next.suited(), movement: next.movement(), classes: next.classes(), passages: passagesOf(next, shape) };
}

/** Regions numbered by their size, the largest 1. */
function byLargest(regions: Uint32Array): Uint32Array {
  const sizes = new Map<number, number>();
  for (const region of regions) if (region > 0) sizes.set(region, (sizes.get(region) ?? 0) + 1);
  const order = [...sizes].sort(([a, many], [b, more]) => more - many || a - b);
  const numbers = new Map(order.map(([region], at) => [region, at + 1]));
  return regions.map((region) => numbers.get(region) ?? 0);
}

function opened(next: World): Opened {
  // First: where ends cannot be chosen, the former world stays.
  const reply = described(next);
  world?.free();
  world = next;
  source = null;
  endAgents();
  forget(past);
  forget(future);
  return reply;
}

/** A world with its file, before or after a change of its graph. */
interface Version {
  world: World;
  source: WorldFile | null;
}

/** The most changes that are undone. */
const MOST_UNDONE = 100;
const past: Version[] = [];
const future: Version[] = [];

function forget(versions: Version[]): void {
  for (const { world } of versions.splice(0)) world.free();
}

/** Opens this world with another graph; the former one is kept to be undone. */
function setGraph(graph: DrawnGraph): Opened {
  const bytes = encoded(current().withGraph(graph));
  const name = "drawn.toml";
  const next = World.open(name, bytes);
  takeDangers(current(), next);
  return replaced(next, { name, bytes, files: {} });
}

/** Shows another world; the former one is kept to be undone. */
function replaced(next: World, file: WorldFile | null): Opened {
  const reply = described(next);
  past.push({ world: current(), source });
  if (past.length > MOST_UNDONE) past.shift()?.world.free();
  forget(future);
  [world, source] = [next, file];
  endAgents();
  return reply;
}

/** Tells the waypoints of one world of the danger at those of the same names in another. */
function takeDangers(from: World, to: World): void {
  const { states, amounts } = from.dangers();
  if (states.length === 0 || from.shape().kind !== "points") return;
  const names = from.graph().waypoints.map(({ id }) => id);
  const numbers = new Map(to.graph().waypoints.map(({ id }, state) => [id, state]));
  const known: [number, number][] = [];
  states.forEach((state, at) => {
    const number = numbers.get(names[state]);
    if (number !== undefined) known.push([number, amounts[at]]);
  });
  to.setDangers(Uint32Array.from(known, ([state]) => state), Float32Array.from(known, ([, amount]) => amount));
}

/** Takes a version from one pile, and puts the present one onto the other. */
function turn(from: Version[], to: Version[]): Opened {
  const version = from.pop();
  if (!version) throw new Error("There is nothing to undo or redo.");
  to.push({ world: current(), source });
  [world, source] = [version.world, version.source];
  endAgents();
  return described(version.world);
}

function traced(start: number, goal: number, asked: Asked): Traced {
  const world = current();
  const search = world.search(start, goal, asked);
  const begun = performance.now();
  let isCut = false;
  while (!search.step(SLICE)) {
    if (search.eventCount > MOST_EVENTS) {
      isCut = true;
      break;
    }
  }
  const milliseconds = performance.now() - begun;
  const events = search.events();
  const hash = search.traceHash();
  const intervals = search.intervals();
  let report: Report;
  if (isCut) {
    search.free();
    report = world.solve(start, goal, asked);
  } else {
    report = world.finish(search);
  }
  return { events, report, points: world.positions(report.path), touched: touchedBy(events), intervals, isCut, hash, milliseconds };
}

/** In worlds of blocks the states of the events, and their places. */
function touchedBy(events: Events): Traced["touched"] {
  const world = current();
  if (world.about().kind !== "voxel world") return null;
  const states = Uint32Array.from(new Set(events.states));
  return { states, places: world.positions(states) };
}

function replayed(): Replayed {
  const world = current();
  if (!recording) throw new Error("There is no recording.");
  const { start, goal, searches } = world.replay(recording);
  const traces = searches.map(({ events, report, hash, isWhole }) => {
    const points = world.positions(report.path);
    return { events, report, points, touched: touchedBy(events), intervals: new Float32Array(0), isCut: !isWhole, hash, milliseconds: 0 };
  });
  const asked = searches.map(({ algorithm, heuristic }) => ({ algorithm, heuristic }));
  return { start, goal, endPlaces: world.positions(Uint32Array.of(start, goal)), asked, traces };
}

/** The states in danger, with their places. */
function endangered(): Endangered {
  const { states, amounts } = current().dangers();
  return { states, amounts, places: current().positions(states) };
}

/** The move between two states; `null` where there is none, as for jumps over many cells. */
function stepBetween(from: number, to: number): Named["step"] {
  const { states, costs } = current().movesFrom(from);
  const cost = costs[states.indexOf(to)];
  const [x, , z, toX, , toZ] = current().positions(Uint32Array.of(from, to));
  return cost === undefined ? null : { cost, length: Math.hypot(toX - x, toZ - z) };
}

function endAgents(): void {
  simulation?.free();
  simulation = null;
}

const calls = {
  about: () => ({ algorithms: algorithms(), heuristics: heuristics(), kinds: kinds(), stages: bakeStages() }),
  open: (name: string, bytes: Uint8Array, files: Record<string, Uint8Array>) => {
    tell("reading the file", 0);
    const reply = opened(World.open(name, bytes, files));
    source = { name, bytes, files };
    return reply;
  },
  /** The world of the open file as a class of its scene sees it. */
  openAs: (className: string) => {
    if (!source) throw new Error("Only scenes have classes.");
    const file = source;
    const reply = opened(World.open(file.name, file.bytes, file.files, { class: className }));
    source = file;
    return reply;
  },
  generate: (kind: string, seed: number, settings: string) => {
    tell("generating", 0);
    return opened(World.generate(kind, seed, settings));
  },
  /** The level baked for another body. Its file stays that of the world. */
  rebake: (radius: number, height: number, step: number, slope: number, cell: number | null) => {
    const file = source;
    const reply = opened(current().rebaked(radius, height, step, slope, cell ?? undefined));
    source = file;
    return reply;
  },
  bakeStage: (stage: string): StageShape => current().bakeStage(stage),
  trace: (start: number, goal: number, all: Asked[]) => all.map((asked) => traced(start, goal, asked)),
  /** The searches as a file. */
  record: (start: number, goal: number, all: Asked[], link: string | null) => {
    const made = current().record(start, goal, all, MOST_EVENTS, link ?? undefined);
    const bytes = made.bytes();
    made.free();
    return bytes;
  },
  /** Reads a recording; `replay` shows it once its world is open. */
  readRecording: (name: string, bytes: Uint8Array): TracedWorld => {
    const read = Recording.read(name, bytes);
    recording?.free();
    recording = read;
    return read.world;
  },
  /** The recording that was read last, as a file. */
  recordingBytes: () => {
    if (!recording) throw new Error("There is no recording.");
    return recording.bytes();
  },
  replay: replayed,
  /** Without a trace: for an end that is dragged over a large map. */
  solve: (start: number, goal: number, all: Asked[]) =>
    all.map((asked) => {
      const report = current().solve(start, goal, asked);
      return { report, points: current().positions(report.path) };
    }),
  /** Puts agents on the world: those of its own scene, or as many as are asked for. */
  agents: async ({ count, seed, avoidance }: Population) => {
    await loadAgents();
    const own = ownScene();
    const populated = () => encoded(current().populated(count, seed, avoidance));
    const next = own ?? Simulation.open("agents.toml", populated(), filesBeside());
    endAgents();
    simulation = next;
    const about: SceneAbout = next.about();
    return { about, isScene: own !== null, frame: frame(own !== null), moment: moment(-1, true) };
  },
  agentsAt: (tick: number, chosen: number, wantsScenery: boolean) => {
    playing().goTo(tick);
    return moment(chosen, wantsScenery);
  },
  endAgents,
  order: (agents: Uint32Array, x: number, height: number, z: number) => playing().order(agents, x, height, z),
  setLimits: (agent: number, limits: Limits) => playing().setLimits(agent, limits),
  block: (x: number, height: number, z: number, radius: number) => playing().block(x, height, z, radius),
  clearObstacles: () => playing().clear(),
  endanger: (x: number, height: number, z: number, radius: number, amount: number) =>
    playing().endanger(x, height, z, radius, amount),
  agentsHash: () => playing().hash(),
  why: (start: number, goal: number, asked: Asked): Why => current().why(start, goal, asked),
  paint: (states: Uint32Array, ground: string) => current().setGround(states, ground),
  /** Changes how the agent moves, or what is open to it. Returns how it moves then. */
  adapt: (change: string, from: number): Pick<Opened, "movement" | "passages"> => {
    current().adapt(change, from);
    return { movement: current().movement(), passages: passagesOf(current()) };
  },
  /** Changes the costs of grounds, and the blur over their penalties where it is given. */
  setCosts: (prices: Price[], blur: number | null) => {
    for (const { ground, isOpen, multiplier, penalty } of prices) {
      current().setGroundCost(ground, isOpen, multiplier, penalty);
    }
    if (blur !== null) current().setBlur(blur);
  },
  penalties: () => current().penalties(),
  graph: () => current().graph(),
  setGraph,
  /** The grid as waypoints, or waypoints as a grid. */
  otherForm: (start: number, goal: number) => replaced(current().otherForm(start, goal), null),
  undoGraph: () => turn(past, future),
  redoGraph: () => turn(future, past),
  /** The world as the text of a scene with its waypoints one by one. */
  sceneText: (start: number, goal: number) => current().sceneFile(start, goal),
  mapFile: (format: string, start: number, goal: number) => current().mapFile(format, start, goal),
  /** Metres to a cell of the grid, and x and z of its corner. */
  gridFrame: (): [number, number, number] => {
    const { unit, corner } = frame(true);
    return [unit, ...corner];
  },
  /**
   * Makes the agents' ground that of the same kind of world by another seed. Returns the new ground
   * of each cell.
   */
  resetGround: (seed: number) => {
    const next = current().reseeded(seed);
    try {
      const { change, ground } = current().changeTo(next);
      playing().replace(change);
      return ground;
    } finally {
      next.free();
    }
  },
  /** Makes the places around states, and around places by name, dangerous in one go. */
  dread: (states: Uint32Array, names: string[], radius: number, amount: number) => {
    const OFF_MAP = 0xffff_ffff;
    const named = names.map((name) => current().find(name)).filter((state) => state !== OFF_MAP);
    const at = current().positions(Uint32Array.from([...states, ...named]));
    for (let state = 0; state < at.length; state += 3) {
      current().endanger(at[state], at[state + 1], at[state + 2], radius, amount);
    }
    return endangered();
  },
  ageDanger: (seconds: number) => {
    current().ageDanger(seconds);
    return endangered();
  },
  setDangers: (states: Uint32Array, amounts: Float32Array) => {
    current().setDangers(states, amounts);
    return endangered();
  },
  dangers: () => endangered(),
  /** The component of each state, by size, the largest 1; 0 for none. */
  islands: () => byLargest(current().regions()),
  clearances: () => current().clearances(),
  nearestFree: (state: number) => current().nearestFree(state),
  find: (text: string) => current().find(text),
  positions: (states: Uint32Array) => current().positions(states),
  name: (state: number, from: number | null): Named => ({
    place: current().place(state),
    ground: current().ground(state),
    penalty: current().penalty(state),
    step: from === null ? null : stepBetween(from, state),
    moves: current().movesFrom(state),
  }),
};

export type Calls = typeof calls;

/** The buffers in an answer, which go across without a copy. */
function buffers(value: unknown, found: Set<ArrayBuffer> = new Set()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) {
    found.add(value.buffer as ArrayBuffer);
  } else if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object") buffers(item, found);
  } else if (value && typeof value === "object") {
    for (const item of Object.values(value)) buffers(item, found);
  }
  return found;
}

const ready = init({ module_or_path: new URL(wasmUrl, import.meta.url) });

interface Question {
  id: number;
  call: keyof Calls;
  given: unknown[];
}

async function answer({ id, call, given }: Question): Promise<void> {
  try {
    await ready;
    const result = await (calls[call] as (...given: unknown[]) => unknown)(...given);
    self.postMessage({ id, result }, { transfer: [...buffers(result)] });
  } catch (error) {
    // A trap leaves the module in no state to go on; everything else is a message.
    const isDead = error instanceof WebAssembly.RuntimeError;
    const text = error instanceof Error ? error.message : String(error);
    self.postMessage({ id, problem: isDead ? "The engine stopped. It was started again." : text, isDead });
  }
}

/** Done when all questions so far are answered: none overtakes one that waits for a module. */
let answered = Promise.resolve();
self.onmessage = (message: MessageEvent<Question>) => {
  answered = answered.then(() => answer(message.data));
};
