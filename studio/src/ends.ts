// The ends of a query: where they are, and where they can be put.

import type { App } from "./app";
import { cellOf, type Spot } from "./maps";
import { isInSpace, type Place } from "./space";

export interface End {
  state: number;
  spot: Spot;
  /** In space: in worlds of blocks and on meshes. */
  place?: Place;
}

/** Puts the ends at places in space, or as near as can be. */
export async function putEnds(app: App, places: (Place | undefined)[]): Promise<void> {
  const { opened } = app;
  for (const [at, which] of (["start", "goal"] as const).entries()) {
    const place = places[at];
    const end = place && (await endAbove(app, place));
    if (end && app.ends && app.opened === opened) app.ends[which] = end;
  }
  placeEnds(app);
}

/** Puts the ends at states, and searches; -1 leaves an end where it is. */
export function moveEnds(app: App, [start, goal]: number[]): void {
  const { ends } = app;
  if (!ends) return;
  const map = app.stage.panes[0].map;
  const put = (which: "start" | "goal", state: number) => {
    const spot = state >= 0 ? map.spot(state) : null;
    if (spot) ends[which] = { state, spot };
  };
  put("start", start ?? -1);
  put("goal", goal ?? -1);
  placeEnds(app);
  void app.solve("end");
}

/** An end of the query, whose state is at a place in world units. */
export function endOf(app: App, state: number, place: Place): End {
  const map = app.stage.panes[0].map;
  if (isInSpace(map) || app.opened?.shape.kind === "polygons") return { state, spot: [place[0], place[2]], place };
  return { state, spot: map.spot(state) ?? [place[0], place[2]] };
}

export function setEnd(app: App, which: "start" | "goal", end: End): void {
  if (!app.ends || app.ends[which].state === end.state) return;
  app.ends[which] = end;
  app.optimum = null;
  app.time.isPlaying = false;
  placeEnds(app);
  void app.solve("end");
}

/** The end of a query at a place of the map: where an agent can stand. */
export async function endAt(app: App, spot: Spot): Promise<End | null> {
  const shape = app.opened?.shape;
  const map = app.stage.panes[0]?.map;
  if (!shape || !map) return null;
  if (shape.kind === "polygons") {
    const state = await app.engine.call("find", `${spot[0].toFixed(3)},${spot[1].toFixed(3)}`);
    const at = await app.engine.call("positions", Uint32Array.of(state));
    return { state, spot, place: [at[0], at[1], at[2]] };
  }
  if (shape.kind === "cells") {
    const inside: Spot = [
      Math.max(0, Math.min(shape.width - 1, Math.floor(spot[0]))) + 0.5,
      Math.max(0, Math.min(shape.height - 1, Math.floor(spot[1]))) + 0.5,
    ];
    let state = map.stateAt(inside);
    if (!shape.grounds[shape.ground[cellOf(shape, state)]].is_open) state = await app.engine.call("nearestFree", state);
    return { state, spot: map.spot(state) ?? inside };
  }
  const state = map.stateAt(spot);
  return state < 0 ? null : { state, spot: map.spot(state) ?? spot };
}

/**
 * The end of a query at a place in space: above a block, or on the floor of a mesh that is there.
 */
export async function endAbove(app: App, place: Place): Promise<End | null> {
  const OFF_MAP = 0xffff_ffff;
  const digits = app.opened?.shape.kind === "blocks" ? 0 : 3;
  const found = await app.engine.call("find", place.map((one) => one.toFixed(digits)).join(","));
  if (found === OFF_MAP) return null;
  const state = await app.engine.call("nearestFree", found);
  const at = await app.engine.call("positions", Uint32Array.of(state));
  return endOf(app, state, [at[0], at[1], at[2]]);
}

export function placeEnds(app: App): void {
  if (!app.ends || app.walking.isOn) return;
  const { start, goal } = app.ends;
  for (const pane of app.stage.panes) {
    if (isInSpace(pane.map) && start.place && goal.place) pane.map.setEnds([start.place, goal.place]);
    else pane.setEnds(start.spot, goal.spot, app.held);
  }
  app.stage.ask();
}
