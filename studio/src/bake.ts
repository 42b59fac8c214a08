// Levels of triangles: the stages of their bake, and the same level baked for another body.

import type { BakeAbout, StageShape } from "wayfare";
import type { App } from "./app";
import { byId, make, option } from "./dom";
import { css } from "./look";
import { MeshMap } from "./meshes";
import { stageLegend } from "./stages";

const SLIDERS = ["radius", "height", "step", "slope", "cell"] as const;
const UNITS = { radius: "m", height: "m", step: "m", slope: "°", cell: "m" };
const LABELS: Record<string, string> = {
  spans: "1 Spans",
  filters: "2 Filters",
  field: "3 Field, with distances",
  regions: "4 Regions",
  contours: "5 Outlines",
  polygons: "6 Polygons",
  heights: "7 Heights",
};

export class Baking {
  private readonly app: App;
  private shown: StageShape | null = null;
  private isBusy = false;
  /** Whether the cells follow the radius, as they do by default. */
  private isCellFree = true;

  constructor(app: App) {
    this.app = app;
    byId("bake-stage").addEventListener("change", () => void this.choose(byId<HTMLSelectElement>("bake-stage").value));
    for (const name of SLIDERS) {
      byId(`bake-${name}`).addEventListener("input", () => {
        if (name === "cell") this.isCellFree = false;
        if (name === "radius" && this.isCellFree) this.slider("cell").value = String(this.value("radius") / 2);
        this.label();
      });
    }
    byId("bake").addEventListener("click", () => void this.bake());
  }

  private slider(name: (typeof SLIDERS)[number]): HTMLInputElement {
    return byId<HTMLInputElement>(`bake-${name}`);
  }

  private value(name: (typeof SLIDERS)[number]): number {
    return Number(this.slider(name).value);
  }

  /** A world was opened. */
  enter(stages: string[]): void {
    const about = this.app.opened?.bake ?? null;
    byId("bake-panel").hidden = !about;
    const select = byId<HTMLSelectElement>("bake-stage");
    select.replaceChildren(option("", "The mesh"), ...stages.map((name) => option(name, LABELS[name] ?? name)));
    this.take(null);
    if (about) this.set(about);
  }

  private set({ radius, height, step, slope, cellSize }: BakeAbout): void {
    this.isCellFree = Math.abs(cellSize - radius / 2) < 1e-4;
    const values = { radius, height, step, slope, cell: cellSize };
    for (const name of SLIDERS) {
      const slider = this.slider(name);
      // A level may be for a body that the slider does not reach.
      if (values[name] > Number(slider.max)) slider.max = String(values[name]);
      slider.value = String(values[name]);
    }
    this.label();
  }

  private label(): void {
    for (const name of SLIDERS) {
      byId(`bake-${name}-text`).textContent = `${Number(this.value(name).toFixed(2))} ${UNITS[name]}`;
    }
  }

  /** Shows a stage; none for the mesh itself. */
  async choose(stage: string): Promise<void> {
    const { app } = this;
    byId<HTMLSelectElement>("bake-stage").value = stage;
    if (stage === "") {
      this.take(null);
      return;
    }
    await this.busy(`Baking up to the stage of ${stage} …`, async () => {
      const { opened } = app;
      const shape = await app.engine.call("bakeStage", stage);
      if (app.opened !== opened) return;
      app.setFlat(false);
      this.take(shape);
    });
  }

  /** Bakes the level anew, and shows the same stage of it. */
  async bake(): Promise<void> {
    const { app } = this;
    const stage = byId<HTMLSelectElement>("bake-stage").value;
    await this.busy("Baking the level …", async () => {
      const [radius, height, step, slope] = SLIDERS.slice(0, 4).map((name) => this.value(name));
      const cell = this.isCellFree ? null : this.value("cell");
      const places = app.ends && [app.ends.start, app.ends.goal].map(({ place }) => place);
      const opened = await app.engine.call("rebake", radius, height, step, slope, cell);
      await app.showBaked(opened, places);
    });
    if (stage) await this.choose(stage);
  }

  private async busy(text: string, work: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    const [button, sign] = [byId<HTMLButtonElement>("bake"), byId("bake-text")];
    button.disabled = true;
    byId("bake-panel").setAttribute("aria-busy", "true");
    sign.replaceChildren(make("span", "", "busy"), ` ${text}`);
    try {
      await work();
    } catch (error) {
      byId<HTMLSelectElement>("bake-stage").value = this.shown?.stage ?? "";
      this.app.fail(error);
    } finally {
      this.isBusy = false;
      button.disabled = false;
      byId("bake-panel").removeAttribute("aria-busy");
      this.tell();
    }
  }

  private take(shape: StageShape | null): void {
    this.shown = shape;
    this.show();
    this.tell();
  }

  /** Shows the chosen stage in all panes, whose maps may be new. */
  show(): void {
    for (const { map } of this.app.stage.panes) if (map instanceof MeshMap) map.setStage(this.shown);
    this.app.stage.ask();
  }

  private tell(): void {
    const sign = byId("bake-text");
    if (!this.shown) {
      sign.replaceChildren();
      return;
    }
    const { text, swatches } = stageLegend(this.shown, this.app.look);
    const list = make("ul", "", "legend");
    for (const [name, colour] of swatches) {
      const [line, box] = [make("li"), make("span", "", "swatch")];
      box.style.background = css(colour);
      line.append(box, make("span", name));
      list.append(line);
    }
    sign.replaceChildren(make("span", text), list);
  }
}
