/** A scene with agents. */
export interface SceneAbout {
  name: string;
  description: string;
  tickSeconds: number;
  /** The number of ticks that the scene asks for. */
  ticks: number;
  /** By number; that of agents without a team is empty. */
  teams: string[];
}

/** Columns of equal length, in metres and seconds. */
export interface Agents {
  count: number;
  ids: Uint32Array;
  /** x, height, z of each. */
  places: Float32Array;
  /** In radians, from the x axis towards the z axis. */
  headings: Float32Array;
  speeds: Float32Array;
  radii: Float32Array;
  teams: Uint16Array;
  /** 0 at large, 1 inside a link, 2 waiting for one. */
  states: Uint8Array;
}

/** How an agent moves, in metres, seconds and radians. */
export interface Limits {
  max_speed: number;
  acceleration: number;
  angular_speed: number;
  spot_turn_speed: number;
  stopping_distance: number;
  auto_braking: boolean;
  turn_radius: number;
  radius: number;
}

export interface AgentAbout {
  name: string;
  text: string;
  isTroubled: boolean;
  limits: Limits;
}

export interface Scenery {
  links: {
    name: string;
    ends: [[number, number, number], [number, number, number]];
    one_way: boolean;
    capacity: number | null;
    gate: unknown;
    inside: number;
    waiting: number;
  }[];
  barriers: { min: [number, number]; max: [number, number]; bottom: number | null; top: number }[];
  /** x, height, z and radius of the obstacles that `block` has put there. */
  obstacles: Float32Array;
  props: { kind: unknown; position: [number, number, number]; side: number }[];
  /** x, height, z, radius and amount of each. */
  dangers: Float32Array;
}

/** The queue of requests for paths. */
export interface PlannerAbout {
  /** Requests that nobody works on. */
  queued: number;
  /** Searches under way. */
  running: number;
  /** Of the last tick. */
  finished: number;
  /** Of the last tick, in expansions. */
  work: number;
  requested: number;
  done: number;
  failed: number;
  /** Answered from a field that they share with others. */
  shared: number;
}
