// Links: what is shown, as the end of an address, and back.

import type { App } from "./app";
import { BlockMap } from "./blocks";
import { byId } from "./dom";
import { fromFragment, type Shared, toFragment } from "./share";
import type { Colouring } from "./stage";

/** What a link to the present picture holds; `null` where the world is a file. */
export function shared(app: App): Shared | null {
  if (!app.source || !app.ends) return null;
  return {
    source: app.source,
    start: app.ends.start.state,
    goal: app.ends.goal.state,
    algorithms: app.asked.map((asked) => asked.algorithm ?? "astar"),
    colour: app.colouring,
    edits: app.painting.edits(),
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
  const map = app.stage.panes[0].map;
  const known = ["state", "order", "g", "h", "f", "difference"];
  if (known.includes(shared.colour)) app.setColouring(shared.colour as Colouring);
  const isKnown = (state: number) => map instanceof BlockMap || map.spot(state) !== null;
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
