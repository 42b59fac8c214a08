import type { Asked, Events, OpenAs, Report, World } from "../pkg/wayfare_web.js";

/** The methods of `World` that take and return plain values, with promises of what they return. */
type Called = Omit<
  { [Name in keyof World]: World[Name] extends (...values: infer Values) => infer Value ? (...values: Values) => Promise<Value> : never },
  "search" | "finish" | "otherForm" | "reseeded" | "rebaked" | "changeTo" | "record" | "replay" | "scene" | typeof Symbol.dispose
>;

export interface SearchOptions {
  /** Called with the events since the last call, while the search is under way. */
  onEvents?: (events: Events) => void;
  /** Gives the search up: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
}

/** A world in the worker. Free it when it is no longer needed: nobody else knows. */
export interface RemoteWorld extends Called {
  /** Runs a search to its end. `hash` is that of its trace. */
  search(start: number, goal: number, asked?: Asked, options?: SearchOptions): Promise<Report & { hash: string }>;
}

export interface Engine {
  /** As `World.open`. */
  open(name: string, bytes: Uint8Array, files?: Record<string, Uint8Array>, options?: OpenAs): Promise<RemoteWorld>;
  /** As `World.generate`. */
  generate(kind: string, seed: number, settings?: string): Promise<RemoteWorld>;
  /** Calls a function of the package: `call("algorithms")`. */
  call(name: "algorithms" | "heuristics" | "kinds" | "bakeStages" | "offMap", ...values: unknown[]): Promise<unknown>;
  /** Ends the worker. What is under way is rejected. */
  stop(): void;
}

/** Starts a worker with an engine of its own. Each holds its own worlds. */
export function startEngine(): Promise<Engine>;
