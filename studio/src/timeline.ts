// A recorded search that is played forwards and backwards.
//
// Every event knows the event before it that touched the same state. The last event of each state
// up to the cursor tells all there is to show of it, so a step back undoes an event as cheaply as a
// step forward applies one: O(events between the two places), and nothing is kept besides.

import type { Events } from "wayfare";

export const GENERATE = 0;
export const RELAX = 1;
export const EXPAND = 2;
export const REOPEN = 3;
export const GOAL = 4;
export const RESTART = 5;

/** No event. */
const NONE = -1;

export class Trace {
  readonly events: Events;
  /** For each event, the one before it that touched the same state; -1 if there is none. */
  readonly before: Int32Array;
  /** stops[t] is the number of events after t expansions; the last entry is the number of all. */
  readonly stops: Uint32Array;
  /** For each event that expands a state, the number of the expansion, from 1; else 0. */
  readonly orders: Uint32Array;
  /** For each event, the last restart at or before it; -1 if there is none. */
  private readonly rounds: Int32Array | null;
  readonly most: { g: number; h: number; f: number };
  /** One more than the largest state. */
  readonly bound: number;

  constructor(events: Events) {
    this.events = events;
    const { count, kinds, states, g, h } = events;
    let bound = 0;
    let expansions = 0;
    let restarts = 0;
    for (let event = 0; event < count; event++) {
      if (states[event] >= bound) bound = states[event] + 1;
      if (kinds[event] === EXPAND) expansions++;
      if (kinds[event] === RESTART) restarts++;
    }
    this.bound = bound;
    const last = new Int32Array(bound).fill(NONE);
    this.before = new Int32Array(count);
    this.orders = new Uint32Array(count);
    this.stops = new Uint32Array(expansions + 1);
    this.rounds = restarts > 0 ? new Int32Array(count) : null;
    this.most = { g: 0, h: 0, f: 0 };
    let order = 0;
    let round = NONE;
    for (let event = 0; event < count; event++) {
      const state = states[event];
      if (kinds[event] === EXPAND) {
        this.stops[order] = event;
        this.orders[event] = ++order;
      }
      if (kinds[event] === RESTART) round = event;
      if (this.rounds) this.rounds[event] = round;
      this.before[event] = last[state];
      last[state] = event;
      if (kinds[event] !== RESTART) {
        if (g[event] > this.most.g) this.most.g = g[event];
        if (h[event] > this.most.h) this.most.h = h[event];
        if (g[event] + h[event] > this.most.f) this.most.f = g[event] + h[event];
      }
    }
    this.stops[expansions] = count;
  }

  get expansions(): number {
    return this.stops.length - 1;
  }

  /** The last restart at or before the event. */
  roundOf(event: number): number {
    return this.rounds && event >= 0 ? this.rounds[event] : NONE;
  }
}

/** A place in a trace. */
export class Cursor {
  readonly trace: Trace;
  /** The number of expansions made. */
  at = 0;
  /** The number of states generated so far. */
  generated = 0;
  /** The number of states reopened so far. */
  reopened = 0;
  /** For each state the last event that touched it; -1 if there was none. */
  private readonly last: Int32Array;
  private applied = 0;

  constructor(trace: Trace) {
    this.trace = trace;
    this.last = new Int32Array(trace.bound).fill(NONE);
  }

  /** The last event that touched a state in the present round; -1 if there was none. */
  eventOf(state: number): number {
    const event = state < this.last.length ? this.last[state] : NONE;
    if (event === NONE || this.trace.events.kinds[event] === RESTART) return NONE;
    return event > this.trace.roundOf(this.applied - 1) ? event : NONE;
  }

  /**
   * Moves to the place after that many expansions. Calls `touched` with each state that may look
   * different now, once or more; with -1 where all of them may.
   */
  move(to: number, touched: (state: number) => void): void {
    const { trace, last } = this;
    const { states, kinds } = trace.events;
    const target = Math.max(0, Math.min(Math.trunc(to), trace.expansions));
    const until = trace.stops[target];
    const roundBefore = trace.roundOf(this.applied - 1);
    for (; this.applied < until; this.applied++) {
      last[states[this.applied]] = this.applied;
      this.count(kinds[this.applied], 1);
      touched(states[this.applied]);
    }
    while (this.applied > until) {
      this.applied--;
      this.count(kinds[this.applied], -1);
      last[states[this.applied]] = trace.before[this.applied];
      touched(states[this.applied]);
    }
    this.at = target;
    if (trace.roundOf(this.applied - 1) !== roundBefore) touched(-1);
  }

  private count(kind: number, by: number): void {
    if (kind === GENERATE) this.generated += by;
    else if (kind === REOPEN) this.reopened += by;
  }

  /** The state expanded last, or -1. */
  current(): number {
    const { stops, events } = this.trace;
    return this.at > 0 ? events.states[stops[this.at - 1]] : NONE;
  }

  /** The states from the start to this one by the parents so far; itself alone if it has none. */
  chain(state: number): number[] {
    const { parents } = this.trace.events;
    const chain = [state];
    // Parents change while a search goes on, but never make a circle; the bound is for safety.
    for (let left = this.trace.bound; left > 0; left--) {
      const event = this.eventOf(chain[chain.length - 1]);
      if (event === NONE) break;
      const parent = parents[event];
      if (parent === chain[chain.length - 1]) break;
      chain.push(parent);
    }
    return chain.reverse();
  }
}
