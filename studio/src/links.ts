// Links: what is shown, as the end of an address, and back.

import { fromFragment, type Settings, type Shared, toFragment } from "wayfare/link";
import type { App } from "./app";
import { endOf, placeEnds, putEnds } from "./ends";
import { byId } from "./dom";
import { isInSpace, type Place } from "./space";
import { LOOKS } from "./look";
import { CLASS } from "./movement";
import type { Colouring } from "./pane";

/** What a link to the present picture holds; `null` where the world is a file. */
export function shared(app: App): Shared | null {
  if (!app.source || !app.ends) return null;
  const onMesh = app.opened?.shape.kind === "polygons" && app.ends.start.place && app.ends.goal.place;
  return {
    source: app.source,
    start: app.ends.start.state,
    goal: app.ends.goal.state,
    algorithms: app.asked.map((asked) => asked.algorithm ?? "astar"),
    colour: app.colouring,
    edits: app.painting.edits(),
    ...(onMesh ? { places: [...(app.ends.start.place ?? []), ...(app.ends.goal.place ?? [])] } : {}),
    ...settingsOf(app),
  };
}

/** What is not as usual; nothing where all is. */
export function settingsOf(app: App): { settings?: Settings } {
  const { prices, blur } = app.terrain.changes();
  const settings: Settings = {
    heuristics: app.asked.map(({ heuristic }) => (heuristic === "natural" ? null : (heuristic ?? null))),
    ignores: app.asked.map(({ ignoreOwnCosts }) => ignoreOwnCosts ?? false),
    limit: app.limit,
    palette: ["dark", "light"].includes(app.look.id) ? null : app.look.id,
    prices,
    blur,
    weights: app.asked.map(({ weight }) => weight ?? null),
    movement: app.movement.changes,
  };
  const { heuristics, ignores, limit, palette, weights, movement } = settings;
  const isUsual =
    weights.every((weight) => weight === null) && movement.length === 0 &&
    heuristics.every((name) => name === null) && ignores.every((ignored) => !ignored) &&
    limit === null && palette === null && prices.length === 0 && blur === null;
  return isUsual ? {} : { settings };
}

/** Changes the open world as a link says: its painted cells, how the agent moves, the costs of its grounds. */
export async function furnish(app: App, { edits, settings }: Pick<Shared, "edits" | "settings">, movement = settings?.movement ?? []): Promise<void> {
  const named = movement.find((change) => change.startsWith(CLASS));
  try {
    if (named) await app.movement.openAs(named.slice(CLASS.length));
    await app.painting.replay(edits);
    // First what is open: then it has its price.
    await app.movement.replay(movement.filter((change) => change !== named));
  } catch (error) {
    app.fail(error);
  }
  if (settings) await app.terrain.replay(settings);
}

/** Copies a link to the present picture. */
export async function share(app: App): Promise<void> {
  const held = shared(app);
  if (!held) {
    app.say("A link holds generated worlds and samples, not a file of yours, nor a world that changed its form or its waypoints. Export the scene, and share that.");
    return;
  }
  const fragment = toFragment(held);
  if (!fragment) {
    app.say("Too much is painted for a link.");
    return;
  }
  history.replaceState(null, "", fragment);
  try {
    await navigator.clipboard.writeText(location.href);
    app.say("The link is copied.");
  } catch {
    app.say("The link is in the address bar.");
  }
}

/** Shows what a link holds. Returns false, after a message, where it is no sound link. */
export async function openLink(app: App, fragment: string): Promise<boolean> {
  const reading = fromFragment(fragment);
  if (!reading.ok) {
    await app.worlds.restore(null);
    app.say(reading.problem);
    return true;
  }
  const { shared } = reading;
  if (!shared) return false;
  const isUnknown = shared.algorithms.some((name) => !app.catalog.some((known) => known.name === name));
  if (isUnknown) {
    await app.worlds.restore(null);
    app.say("The link names an algorithm that there is not.");
    return true;
  }
  const { settings } = shared;
  const look = LOOKS.find(({ id }) => id === settings?.palette);
  const isStrange = settings?.heuristics.some((name) => name !== null && !app.heuristics.includes(name));
  if (isStrange || (settings?.palette && !look)) {
    await app.worlds.restore(null);
    app.say(isStrange ? "The link names a heuristic that there is not." : "The link names a palette that there is not.");
    return true;
  }
  app.asked = shared.algorithms.map((algorithm, at) => ({
    algorithm,
    heuristic: settings?.heuristics[at] ?? undefined,
    ignoreOwnCosts: settings?.ignores[at] ?? undefined,
    weight: settings?.weights[at] ?? undefined,
  }));
  if (look) app.setLook(look);
  app.setLimit(settings?.limit ?? null);
  const { source } = shared;
  if (!(await app.worlds.restore(source))) {
    const problem = byId("message").textContent ?? "";
    await app.worlds.restore(null);
    app.say(problem);
    return true;
  }
  // Links are made of searches, also in scenes that open with their agents.
  await app.setMode("search");
  const map = app.stage.panes[0].map;
  const known = ["state", "order", "g", "h", "f", "difference", "component", "clearance", "influence", "penalty"];
  if (known.includes(shared.colour)) app.setColouring(shared.colour as Colouring);
  if (app.opened?.shape.kind === "polygons") {
    if (shared.places) await putEnds(app, [shared.places.slice(0, 3) as Place, shared.places.slice(3) as Place]);
    await app.solve("begin");
    return true;
  }
  const isKnown = (state: number) => isInSpace(map) || map.spot(state) !== null;
  if (!isKnown(shared.start) || !isKnown(shared.goal)) {
    app.say("The link's start or goal is not on the map.");
    return true;
  }
  await furnish(app, shared);
  const at = await app.engine.call("positions", Uint32Array.of(shared.start, shared.goal));
  app.ends = {
    start: endOf(app, shared.start, [at[0], at[1], at[2]]),
    goal: endOf(app, shared.goal, [at[3], at[4], at[5]]),
  };
  placeEnds(app);
  await app.solve("begin");
  return true;
}
