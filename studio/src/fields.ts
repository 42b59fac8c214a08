// Values that every state of a world has, searched or not: its component, its clearance, its
// danger, its penalty.

import type { App } from "./app";
import { stateOf } from "./maps";
import type { Colouring } from "./pane";

/** For each state its value; 0 for none. */
export interface Field {
  values: Float32Array;
  most: number;
}

const FIELDS: Colouring[] = ["component", "clearance", "influence", "penalty"];

export function isOfField(colouring: Colouring): boolean {
  return FIELDS.includes(colouring);
}

/** The field of a colouring in the open world. */
export async function fieldOf(app: App, colouring: Colouring): Promise<Field> {
  const shape = app.opened?.shape;
  if (colouring === "component") {
    const islands = await app.engine.call("islands");
    if (islands.length === 0) throw new Error("The world is too large for its components.");
    return measured(Float32Array.from(islands));
  }
  if (colouring === "influence") {
    const { states, amounts } = await app.engine.call("dangers");
    const values = new Float32Array(states.reduce((most, state) => Math.max(most, state + 1), 0));
    states.forEach((state, at) => (values[state] = amounts[at]));
    return measured(values);
  }
  const isPenalty = colouring === "penalty";
  if (shape?.kind !== "cells") throw new Error(`Only grids have ${isPenalty ? "penalties" : "a clearance"}.`);
  const ofCells = await app.engine.call(isPenalty ? "penalties" : "clearances");
  const values = new Float32Array(ofCells.length > 0 ? stateOf(shape, ofCells.length - 1) + 1 : 0);
  ofCells.forEach((value, cell) => {
    // Nobody pays for walls.
    const isWall = isPenalty && !shape.grounds[shape.ground[cell]].is_open;
    values[stateOf(shape, cell)] = isWall ? 0 : value;
  });
  return measured(values);
}

function measured(values: Float32Array): Field {
  return { values, most: values.reduce((most, value) => Math.max(most, value), 0) };
}
