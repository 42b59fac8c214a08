// Pointer, touch and keys.

import type { App } from "./app";
import { type End, endAbove, endAt, placeEnds, setEnd } from "./ends";
import { addPane } from "./panes";
import { cameFrom, factsOf, pricesOf } from "./details";
import { byId, facts, make } from "./dom";
import type { Spot } from "./maps";
import { isInSpace, type Place } from "./space";
import type { Pane } from "./pane";

/** How near to an end the pointer takes hold of it, in pixels. */
const REACH = 18;

export function control(app: App): void {
  pointers(app);
  keys(app);
}

function pointers(app: App): void {
  const stage = byId("stage");
  const active = new Map<number, [number, number]>();
  let doing: "end" | "paint" | "danger" | "waypoint" | "pan" | "pinch" | null = null;
  let before: [number, number] = [0, 0];
  let pressed: [number, number] = [0, 0];
  let spread = 0;
  /** The waypoint that was pressed; -1 for none. */
  let grasped = -1;
  /** Where an end was pulled to last, until it is there: it arrives also if it was let go before. */
  let latest: { which: "start" | "goal"; spot: Spot; place: Place | null } | null = null;
  let isMoving = false;

  const isOnControl = (target: EventTarget | null) =>
    target instanceof Element && target.closest(".chip, #message, #opening, button, select") !== null;

  /** Moves an end to the latest place; one move at a time. */
  const follow = async () => {
    if (isMoving) return;
    isMoving = true;
    while (latest) {
      const { which, spot, place } = latest;
      latest = null;
      try {
        const end = place ? await endAbove(app, place) : await endAt(app, spot);
        if (end) setEnd(app, which, end);
      } catch (error) {
        app.fail(error);
      }
    }
    isMoving = false;
  };

  stage.addEventListener("pointerdown", (event) => {
    if (isOnControl(event.target) || event.button > 1) return;
    const under = app.stage.under(event.clientX, event.clientY);
    if (!under) return;
    stage.setPointerCapture(event.pointerId);
    unhover(app);
    active.set(event.pointerId, [event.clientX, event.clientY]);
    before = [event.clientX, event.clientY];
    pressed = before;
    if (active.size === 2) {
      if (doing === "paint") app.painting.endPull();
      if (doing === "danger") app.danger.endPull();
      app.held = null;
      doing = "pinch";
      const [a, b] = [...active.values()];
      spread = Math.hypot(a[0] - b[0], a[1] - b[1]);
      before = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      return;
    }
    const isDrawing = !app.walking.isOn && (app.painting.tool === "place" || app.painting.tool === "link");
    if (isDrawing && event.button === 0) {
      doing = "waypoint";
      grasped = app.waypoints.near(event.clientX, event.clientY);
      stage.classList.add("holding");
      return;
    }
    const near = app.walking.isOn ? null : endNear(app, under.pane, event.clientX, event.clientY);
    if (near && event.button === 0) {
      doing = "end";
      app.held = near;
      placeEnds(app);
    } else if (!app.walking.isOn && app.painting.tool === "danger" && event.button === 0) {
      doing = "danger";
      app.held = null;
      app.danger.beginPull();
      dabAt(app, under, under.spot, event.clientX, event.clientY);
    } else if (!app.walking.isOn && app.painting.tool !== "move" && event.button === 0) {
      doing = "paint";
      app.held = null;
      app.painting.beginPull();
      app.painting.brush(under.spot, under.spot);
    } else doing = "pan";
    stage.classList.add("holding");
  });

  stage.addEventListener("pointermove", (event) => {
    const here: [number, number] = [event.clientX, event.clientY];
    if (active.has(event.pointerId)) active.set(event.pointerId, here);
    const under = app.stage.under(...here);
    if (doing === "pinch") {
      const [a, b] = [...active.values()];
      if (!a || !b) return;
      const middle: [number, number] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      const far = Math.hypot(a[0] - b[0], a[1] - b[1]);
      const about = app.stage.under(...middle);
      const by: [number, number] = [middle[0] - before[0], middle[1] - before[1]];
      if (isInSpace(app.stage.panes[0]?.map)) app.stage.shift(...by);
      else app.stage.pan(...by);
      if (about && spread > 0) app.stage.zoom(far / spread, about.spot);
      [spread, before] = [far, middle];
    } else if (doing === "end" && under && app.held) {
      const place = app.stage.placeUnder(under.pane, ...here);
      if (isInSpace(under.pane.map) && !place) return;
      latest = { which: app.held, spot: under.spot, place };
      void follow();
    } else if (doing === "paint") {
      const last = app.stage.under(...before);
      if (last && under && last.pane === under.pane) app.painting.brush(last.spot, under.spot);
      before = here;
    } else if (doing === "waypoint") {
      if (grasped >= 0 && under) app.waypoints.pull(grasped, under.spot);
    } else if (doing === "danger") {
      const last = app.stage.under(...before);
      if (last && under && last.pane === under.pane) dabAt(app, under, last.spot, ...here);
      before = here;
    } else if (doing === "pan" && app.walking.isOn && app.walking.tool === "danger" && !isTurned(app)) {
      if (under) void app.walking.brush(under.spot).catch((error: unknown) => app.fail(error));
    } else if (doing === "pan") {
      const by: [number, number] = [here[0] - before[0], here[1] - before[1]];
      if (!isInSpace(app.stage.panes[0]?.map)) app.stage.pan(...by);
      else if (event.shiftKey) app.stage.shift(...by);
      else app.stage.turn(...by);
      before = here;
    } else if (under && app.walking.isOn) {
      const isAgent = app.walking.near(...here) >= 0;
      const isPassage = !isAgent && app.walking.isPassage(...here);
      stage.style.cursor = isAgent ? "pointer" : isPassage ? "cell" : "";
    } else if (under && !isOnControl(event.target)) {
      const near = endNear(app, under.pane, ...here);
      stage.style.cursor = near ? "move" : "";
      hover(app, under.pane, under.spot, here);
    } else unhover(app);
  });

  /** A click or a pull with a tool of waypoints. */
  const draw = (event: PointerEvent) => {
    const here: [number, number] = [event.clientX, event.clientY];
    const under = app.stage.under(...here);
    const isPulled = Math.hypot(here[0] - pressed[0], here[1] - pressed[1]) >= 5;
    const { waypoints } = app;
    if (!under) return;
    if (app.painting.tool === "link") {
      const [first] = waypoints.selected;
      const target = isPulled ? waypoints.near(...here) : grasped;
      const from = isPulled ? grasped : (first ?? -1);
      if (from >= 0 && target >= 0 && from !== target) void waypoints.link(from, target, event.shiftKey);
      else if (grasped >= 0) waypoints.select(grasped, false);
    } else if (grasped < 0) {
      if (!isPulled) void waypoints.place(under.spot);
    } else if (isPulled) void waypoints.move(grasped, under.spot);
    else waypoints.select(grasped, event.shiftKey || event.ctrlKey);
  };

  const release = (event: PointerEvent) => {
    if (!active.delete(event.pointerId)) return;
    if (doing === "paint") app.painting.endPull();
    if (doing === "danger") app.danger.endPull();
    if (doing === "end") {
      app.held = null;
      placeEnds(app);
      void app.solve("end");
    }
    if (doing === "waypoint" && event.type === "pointerup") draw(event);
    if (doing === "waypoint") app.waypoints.pull(-1, null);
    const isClick = doing === "pan" && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 5;
    if (isClick && app.walking.isOn && event.type === "pointerup" && event.button === 0) {
      const here: [number, number] = [event.clientX, event.clientY];
      const under = app.stage.under(...here);
      const place = under && app.stage.placeUnder(under.pane, ...here);
      if (under && (place || !isInSpace(under.pane.map))) {
        app.walking.click(under.spot, place, ...here).catch((error: unknown) => app.fail(error));
      }
    }
    doing = active.size > 0 ? "pan" : null;
    const [left] = active.values();
    if (left) before = left;
    stage.classList.remove("holding");
  };
  stage.addEventListener("pointerup", release);
  stage.addEventListener("pointercancel", release);
  stage.addEventListener("pointerleave", () => unhover(app));

  stage.addEventListener(
    "wheel",
    (event) => {
      if (isOnControl(event.target)) return;
      event.preventDefault();
      const under = app.stage.under(event.clientX, event.clientY);
      const lines = event.deltaMode === 1 ? 16 : 1;
      if (under) app.stage.zoom(Math.exp((-event.deltaY * lines) / 400), under.spot);
    },
    { passive: false },
  );
  stage.addEventListener("dblclick", (event) => {
    if (!isOnControl(event.target) && !app.walking.isOn) app.stage.fit();
  });
}

/** Danger at a point of the window, or along the line to it. */
function dabAt(app: App, { pane, spot }: { pane: Pane; spot: Spot }, from: Spot, x: number, y: number): void {
  if (!isInSpace(pane.map)) {
    app.danger.brush(from, spot);
    return;
  }
  const place = app.stage.placeUnder(pane, x, y);
  if (place) app.danger.brushPlace(place);
}

/** Whether a pull goes round the world, which is seen in space. */
function isTurned(app: App): boolean {
  return isInSpace(app.stage.panes[0]?.map);
}

function endNear(app: App, pane: Pane, x: number, y: number): "start" | "goal" | null {
  if (!app.ends) return null;
  const far = ({ spot, place }: End) => {
    const [endX, endY] = place && isInSpace(pane.map) ? app.stage.project(pane, place) : app.stage.over(pane, spot);
    return Math.hypot(endX - x, endY - y);
  };
  const [start, goal] = [far(app.ends.start), far(app.ends.goal)];
  if (Math.min(start, goal) > REACH) return null;
  return goal <= start ? "goal" : "start";
}

let hovered = -1;

function hover(app: App, pane: Pane, spot: Spot, [x, y]: [number, number]): void {
  const state = app.stage.stateUnder(pane, x, y, spot);
  const tip = byId("tip");
  if (state < 0) {
    unhover(app);
    return;
  }
  const rows = factsOf(app, pane, state);
  const box = byId("stage").getBoundingClientRect();
  const value = (name: string) => rows.find((row) => row[0] === name)?.[1];
  tip.hidden = rows.length === 0;
  tip.textContent = `g ${value("g")}  h ${value("h")}  f ${value("f")}`;
  const isLeft = x - box.left > box.width - 190;
  tip.style.left = `${x - box.left + (isLeft ? -180 : 16)}px`;
  tip.style.top = `${Math.min(y - box.top + 16, box.height - 40)}px`;
  if (hovered === state) return;
  hovered = state;
  void app.engine
    .call("name", state, cameFrom(pane, state))
    .then((named) => {
      const { place, ground, moves } = named;
      if (hovered !== state) return;
      const list = make("dl", "", "facts");
      list.id = "state";
      facts(list, []);
      const all: [string, string][] = [["place", place], ["ground", ground], ...pricesOf(app, state, named), ...rows];
      if (moves.states.length > 0) all.push(["moves", String(moves.states.length)]);
      for (const [name, text] of all) list.append(make("dt", name), make("dd", text));
      byId("state").replaceWith(list);
      for (const one of app.stage.panes) one.setHint(state, moves.states);
      app.stage.ask();
    })
    .catch(() => {});
}

export function unhover(app: App): void {
  if (hovered >= 0) {
    for (const pane of app.stage.panes) pane.setHint(-1, new Uint32Array(0));
    app.stage.ask();
  }
  hovered = -1;
  byId("tip").hidden = true;
}

function keys(app: App): void {
  for (const which of ["start", "goal"] as const) {
    byId(`${which}-handle`).addEventListener("keydown", async (event) => {
      const ways: Record<string, Spot> = {
        ArrowLeft: [-1, 0],
        ArrowRight: [1, 0],
        ArrowUp: [0, -1],
        ArrowDown: [0, 1],
      };
      const way = ways[event.key];
      if (!way || !app.ends) return;
      event.preventDefault();
      event.stopPropagation();
      const { pitch } = app.stage.panes[0].map;
      const by = pitch * (event.shiftKey ? 5 : 1);
      const { spot: from, place } = app.ends[which];
      const { map } = app.stage.panes[0];
      if (place && isInSpace(map)) {
        const isMesh = app.opened?.shape.kind === "polygons";
        const step = isMesh ? (event.shiftKey ? 2 : 0.4) : 1;
        const [x, y, z] = isMesh ? place : place.map(Math.floor);
        const to: Place = [x + way[0] * step, y, z + way[1] * step];
        const above = await endAbove(app, to);
        if (above) setEnd(app, which, above);
        return;
      }
      const end = await endAt(app, [from[0] + way[0] * by, from[1] + way[1] * by]);
      if (end) setEnd(app, which, end);
    });
  }
  window.addEventListener("keydown", (event) => {
    const target = event.target as Element;
    const isText = target instanceof HTMLInputElement && !/^(range|checkbox|radio|color)$/.test(target.type);
    if (target.closest("dialog, select, textarea") || isText) return;
    // Arrows move the slider that has the focus; that of time steps.
    const isOnSlider = target instanceof HTMLInputElement && target.type === "range" && target.id !== "scrub";
    if (isOnSlider && /^(Arrow|Home|End|Page)/.test(event.key)) return;
    const isOnButton = target.closest("button, summary, input") !== null;
    const far = event.shiftKey ? 10 : 1;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      if (app.walking.isOn) return;
      if (key === "z" && !event.shiftKey) app.painting.undo();
      else if (key === "y" || (key === "z" && event.shiftKey)) app.painting.redo();
      else return;
    } else if (key === " " && !isOnButton) app.time.toggle();
    else if (key === "ArrowRight") app.time.step(far);
    else if (key === "ArrowLeft") app.time.step(-far);
    else if (key === "Home") app.time.step(-Infinity);
    else if (key === "End") app.time.step(Infinity);
    else if (key === "a") void app.setMode(app.walking.isOn ? "search" : "agents");
    else if (app.walking.isOn && key === "s") app.walking.choose("send");
    else if (app.walking.isOn && key === "b") app.walking.choose("block");
    else if (app.walking.isOn && key === "d") app.walking.choose("danger");
    else if (app.walking.isOn && key === "r") void app.walking.reset();
    else if (app.walking.isOn && key === "h") app.walking.toggleDensity();
    else if (app.walking.isOn) return;
    else if (key === "c") addPane(app);
    else if (key === "x" && hovered >= 0) app.breaks.toggle(hovered);
    else if (key === "v") app.painting.choose("move");
    else if (key === "w") app.painting.choose("paint");
    else if (key === "e") app.painting.choose("erase");
    else if (key === "d") app.painting.choose("danger");
    else if (key === "p") app.painting.choose("place");
    else if (key === "l") app.painting.choose("link");
    else if (key === "g") void app.waypoints.changeForm();
    else if (key === "Delete") void app.waypoints.deleteSelected();
    else return;
    event.preventDefault();
  });
}
