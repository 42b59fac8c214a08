// One pane for each search that is asked for.

import type { App } from "./app";
import { byId, option } from "./dom";
import { Pane } from "./pane";

export const MOST_PANES = 4;
/** The waypoint policies: they alone may ignore what waypoints cost themselves. */
const POLICIES = ["vector3-distance", "manhattan", "cost-of-movement", "inverse-cost-of-movement", "h-score"];
/** The searches with a weight on their estimates, and the usual one. */
const WEIGHTED = ["weighted-astar"];
const USUAL_WEIGHT = 1.5;
/** The searches that are added one after the other. */
export const NEXT = ["dijkstra", "greedy", "bidirectional", "jps", "bfs", "corridor"];

export function addPane(app: App): void {
  if (app.asked.length >= MOST_PANES || !app.opened) return;
  const used = app.asked.map((asked) => asked.algorithm);
  const next = NEXT.find((name) => !used.includes(name) && app.opened?.suited.includes(name));
  app.asked.push({ algorithm: next ?? app.opened.suited[0] });
  layPanes(app);
  app.stage.fit();
  void app.solve("keep");
}

export function removePane(app: App, index: number): void {
  if (app.asked.length <= 1) return;
  app.asked.splice(index, 1);
  app.stage.panes.splice(index, 1)[0].dispose();
  layPanes(app);
  app.stage.fit();
  void app.solve("keep");
}

/** What only some algorithms have: the switch of the policies, the weight of weighted A*. */
function showOwn(app: App, pane: Pane): void {
  const asked = app.asked[app.stage.panes.indexOf(pane)];
  (pane.element.querySelector(".weighted") as HTMLElement).hidden = !WEIGHTED.includes(asked.algorithm ?? "");
  (pane.element.querySelector(".weight") as HTMLInputElement).value = String(asked.weight ?? USUAL_WEIGHT);
  const isPolicy = app.opened?.shape.kind === "points" && POLICIES.includes(asked.algorithm ?? "astar");
  (pane.element.querySelector(".ignored") as HTMLElement).hidden = !isPolicy;
  (pane.element.querySelector(".ignore-costs") as HTMLInputElement).checked = asked.ignoreOwnCosts ?? false;
}

/** One pane for each search asked for. */
export function layPanes(app: App): void {
  if (!app.opened) return;
  const { panes } = app.stage;
  while (panes.length > app.asked.length) panes.pop()?.dispose();
  while (panes.length < app.asked.length) {
    const template = byId<HTMLTemplateElement>("pane-template");
    const element = template.content.firstElementChild?.cloneNode(true) as HTMLElement;
    byId("panes").append(element);
    const pane = new Pane(element, app.opened.shape, app.look, app.isFlat);
    app.prepare(pane);
    panes.push(pane);
    const own = () => app.asked[panes.indexOf(pane)];
    const algorithm = element.querySelector(".algorithm") as HTMLSelectElement;
    algorithm.addEventListener("change", () => {
      own().algorithm = algorithm.value;
      showOwn(app, pane);
      void app.solve("keep");
    });
    const heuristic = element.querySelector(".heuristic") as HTMLSelectElement;
    heuristic.replaceChildren(...app.heuristics.map((name) => option(name, `h: ${name}`)));
    heuristic.addEventListener("change", () => {
      own().heuristic = heuristic.value;
      void app.solve("keep");
    });
    const ignores = element.querySelector(".ignore-costs") as HTMLInputElement;
    ignores.addEventListener("change", () => {
      own().ignoreOwnCosts = ignores.checked;
      void app.solve("keep");
    });
    const weight = element.querySelector(".weight") as HTMLInputElement;
    weight.addEventListener("change", () => {
      own().weight = Math.max(1, weight.valueAsNumber || USUAL_WEIGHT);
      weight.value = String(own().weight);
      void app.solve("keep");
    });
    const close = element.querySelector(".close") as HTMLButtonElement;
    close.addEventListener("click", () => removePane(app, panes.indexOf(pane)));
  }
  byId("panes").dataset.count = String(panes.length);
  byId<HTMLButtonElement>("compare").disabled = panes.length >= MOST_PANES;
  panes.forEach((pane, index) => {
    const algorithm = pane.element.querySelector(".algorithm") as HTMLSelectElement;
    const suited = app.catalog.filter(({ name }) => app.opened?.suited.includes(name));
    algorithm.replaceChildren(
      ...suited.map(({ name, title, summary }) => {
        const line = option(name, title);
        line.title = summary;
        return line;
      }),
    );
    const chosen = app.asked[index].algorithm ?? "astar";
    // A recording may be of an engine that is not in the list.
    if (!suited.some(({ name }) => name === chosen)) algorithm.append(option(chosen));
    algorithm.value = chosen;
    const heuristic = pane.element.querySelector(".heuristic") as HTMLSelectElement;
    showOwn(app, pane);
    heuristic.value = app.asked[index].heuristic ?? "natural";
    // Searches on meshes have their own.
    heuristic.hidden = app.opened?.shape.kind === "polygons";
    (pane.element.querySelector(".close") as HTMLElement).hidden = panes.length === 1;
    pane.setColouring(app.colouring, panes[0], app.field);
  });
  app.danger.show();
  app.breaks.show();
  app.waypoints.show();
  app.baking.show();
}
