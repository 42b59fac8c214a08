// Links: what is shown, as the end of an address, and back.

import type { App } from "./app";
import { byId } from "./dom";
import { isInSpace, type Place } from "./space";
import { fromFragment, type Shared, toFragment } from "./share";
import type { Colouring } from "./stage";

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
  };
}

/** Copies a link to the present picture. */
export async function share(app: App): Promise<void> {
  const held = shared(app);
  if (!held) {
    app.say("This world is a file of yours, which a link cannot hold. Share the file beside it.");
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
    await app.restore(null);
    app.say(reading.problem);
    return true;
  }
  const { shared } = reading;
  if (!shared) return false;
  const isUnknown = shared.algorithms.some((name) => !app.catalog.some((known) => known.name === name));
  if (isUnknown) {
    await app.restore(null);
    app.say("The link names an algorithm that there is not.");
    return true;
  }
  app.asked = shared.algorithms.map((algorithm) => ({ algorithm }));
  const { source } = shared;
  if (!(await app.restore(source))) {
    const problem = byId("message").textContent ?? "";
    await app.restore(null);
    app.say(problem);
    return true;
  }
  // Links are made of searches, also in scenes that open with their agents.
  await app.setMode("search");
  const map = app.stage.panes[0].map;
  const known = ["state", "order", "g", "h", "f", "difference", "component", "clearance", "influence"];
  if (known.includes(shared.colour)) app.setColouring(shared.colour as Colouring);
  if (app.opened?.shape.kind === "polygons") {
    if (shared.places) await app.putEnds([shared.places.slice(0, 3) as Place, shared.places.slice(3) as Place]);
    await app.solve("begin");
    return true;
  }
  const isKnown = (state: number) => isInSpace(map) || map.spot(state) !== null;
  if (!isKnown(shared.start) || !isKnown(shared.goal)) {
    app.say("The link's start or goal is not on the map.");
    return true;
  }
  await app.painting.replay(shared.edits);
  const at = await app.engine.call("positions", Uint32Array.of(shared.start, shared.goal));
  app.ends = {
    start: app.endOf(shared.start, [at[0], at[1], at[2]]),
    goal: app.endOf(shared.goal, [at[3], at[4], at[5]]),
  };
  app.placeEnds();
  await app.solve("begin");
  return true;
}
