// The costs of the grounds of a grid, and the blur over their penalties, as sliders. Searches
// follow while a slider is moved.

import type { CellShape, Ground } from "wayfare";
import type { Price } from "wayfare/link";
import type { App } from "./app";
import { byId, make, tidy } from "./dom";
import { css, groundColour } from "./look";
import { CellMap } from "./maps";

/** Costs that are to be, or to be again. */
interface Prices {
  prices: Price[];
  /** The radius of the blur in cells; `null` where it stays. */
  blur: number | null;
}

/** The ends of the sliders. Worlds may cost more: their sliders reach as far. */
const MOST_PENALTY = 20;
const MOST_MULTIPLIER = 5;
const MOST_BLUR = 16;

export class Terrain {
  private readonly app: App;
  /** The world as it was opened. */
  private first: Prices = { prices: [], blur: 0 };
  /** The costs when a slider was taken hold of. */
  private before: Prices | null = null;
  private readonly waiting = new Map<string, Price>();
  private waitingBlur: number | null = null;
  private isTelling = false;
  private shown: (() => void)[] = [];

  constructor(app: App) {
    this.app = app;
    const blur = byId<HTMLInputElement>("blur");
    blur.addEventListener("input", () => this.change({ prices: [], blur: blur.valueAsNumber }));
    blur.addEventListener("change", () => this.keep());
    byId("heat").addEventListener("click", () => {
      app.setColouring(app.colouring === "penalty" ? "state" : "penalty");
    });
  }

  private get shape(): CellShape | null {
    const shape = this.app.opened?.shape;
    return shape?.kind === "cells" ? shape : null;
  }

  /**
   * Of a map of a visitor that is open everywhere, and has several grounds: says so, and shows them,
   * so that those that block can be chosen.
   */
  offer(): void {
    const shape = this.shape;
    if (!shape) return;
    const isUsed = new Uint8Array(shape.grounds.length);
    for (const number of shape.ground) isUsed[number] = 1;
    const used = shape.grounds.filter((_, number) => isUsed[number]);
    if (used.length < 2 || used.some(({ is_open }) => !is_open)) return;
    this.app.say("Every place of this map is open. Choose under Terrain what blocks.");
    const panel = byId("terrain-panel");
    (panel.querySelector("details") as HTMLDetailsElement).open = true;
    panel.scrollIntoView({ block: "nearest" });
  }

  /** The grounds that the world names: all but the last, which is for cells without a name. */
  private get named(): Ground[] {
    return this.shape?.grounds.slice(0, -1) ?? [];
  }

  /** The present costs. */
  private now(): Prices {
    return { prices: this.named.map(priceOf), blur: this.shape?.blur ?? 0 };
  }

  /** A world was opened. */
  enter(): void {
    this.waiting.clear();
    [this.waitingBlur, this.before] = [null, null];
    this.first = this.now();
    byId("terrain-panel").hidden = this.shape === null;
    this.shown = this.named.map((_, number) => this.row(number));
    byId("grounds").replaceChildren(...this.rows.splice(0));
    this.show();
  }

  private readonly rows: HTMLElement[] = [];

  /** Makes the row of a ground. Returns how it shows its present cost. */
  private row(number: number): () => void {
    const ground = () => this.named[number];
    const row = make("div", "", "terrain");
    const swatch = make("span", "", "swatch");
    const open = make("input");
    open.type = "checkbox";
    const head = make("label", "", "row");
    const name = make("span", ground().name);
    head.title = "Whether the agent may enter";
    head.append(swatch, name, open);
    row.append(head);
    const set = (price: Partial<Price>) => this.change({ prices: [{ ...priceOf(ground()), ...price }], blur: null });
    open.addEventListener("change", () => {
      set({ isOpen: open.checked });
      this.keep();
    });
    const slider = (sign: string, label: string, least: number, most: number, value: () => number, taken: (value: number) => void) => {
      const line = make("label", sign, "row");
      const text = make("span", "", "value");
      const input = make("input");
      input.type = "range";
      [input.min, input.max, input.step] = [String(least), String(Math.max(most, Math.ceil(value()))), "0.25"];
      input.setAttribute("aria-label", `${label} of ${ground().name}`);
      input.addEventListener("input", () => taken(input.valueAsNumber));
      input.addEventListener("change", () => this.keep());
      line.append(text, input);
      row.append(line);
      return () => {
        line.hidden = !ground().is_open;
        text.textContent = tidy(value());
        input.value = String(value());
      };
    };
    // A penalty below nothing raises all others: the slider reaches as far down as the world does.
    const least = Math.min(0, Math.floor(ground().penalty));
    const shows = [
      slider("Way ×", "Factor on the way over the ground", 0.25, MOST_MULTIPLIER, () => ground().multiplier, (multiplier) => set({ multiplier })),
      slider("Penalty", "Penalty", least, MOST_PENALTY, () => ground().penalty, (penalty) => set({ penalty })),
    ];
    this.rows.push(row);
    return () => {
      open.checked = ground().is_open;
      swatch.style.background = css(groundColour(ground(), this.app.look));
      for (const show of shows) show();
    };
  }

  /** Shows the present costs. */
  show(): void {
    const { shape } = this;
    if (!shape) return;
    for (const show of this.shown) show();
    const blur = byId<HTMLInputElement>("blur");
    blur.max = String(Math.max(MOST_BLUR, shape.blur));
    blur.value = String(shape.blur);
    byId("blur-text").textContent = shape.blur === 0 ? "none" : `${shape.blur} cells`;
    byId("heat").setAttribute("aria-pressed", String(this.app.colouring === "penalty"));
  }

  /** Changes costs. `keep` makes the changes so far one that can be undone. */
  private change(next: Prices): void {
    this.before ??= this.now();
    this.take(next);
    void this.tell();
  }

  private keep(): void {
    const [before, after] = [this.before, this.now()];
    this.before = null;
    if (!before || JSON.stringify(before) === JSON.stringify(after)) return;
    const put = (prices: Prices) => {
      this.take(prices);
      void this.tell();
    };
    this.app.painting.keep({ undo: () => put(before), redo: () => put(after) });
  }

  /** Notes other costs, and what is to be told to the engine. */
  private take({ prices, blur }: Prices): void {
    const { shape } = this;
    if (!shape) return;
    let isOtherWall = false;
    for (const price of prices) {
      const number = this.named.findIndex(({ name }) => name === price.ground);
      if (number < 0) continue;
      const ground = shape.grounds[number];
      if (isSame(priceOf(ground), price)) continue;
      isOtherWall ||= ground.is_open !== price.isOpen;
      shape.grounds[number] = { ...ground, is_open: price.isOpen, multiplier: price.multiplier, penalty: price.penalty };
      this.waiting.set(price.ground, price);
    }
    if (blur !== null && blur !== shape.blur) {
      shape.blur = blur;
      this.waitingBlur = blur;
    }
    if (isOtherWall) for (const { map } of this.app.stage.panes) if (map instanceof CellMap) map.showGround();
    this.show();
  }

  /** Tells the engine, and searches again; one change at a time, with the latest of each. */
  private async tell(): Promise<void> {
    if (this.isTelling) return;
    this.isTelling = true;
    const { app } = this;
    try {
      while (this.waiting.size > 0 || this.waitingBlur !== null) {
        await this.send();
        app.time.isPlaying = false;
        await app.solve("end");
      }
    } catch (error) {
      app.fail(error);
    } finally {
      this.isTelling = false;
    }
  }

  private async send(): Promise<void> {
    const prices = [...this.waiting.values()];
    const blur = this.waitingBlur;
    this.waiting.clear();
    this.waitingBlur = null;
    await this.app.engine.call("setCosts", prices, blur);
  }

  /** The costs that are others than those of the world as it was opened: links hold them. */
  changes(): Prices {
    const { prices, blur } = this.now();
    const isChanged = (price: Price, number: number) => !isSame(price, this.first.prices[number]);
    return { prices: prices.filter(isChanged), blur: blur === this.first.blur ? null : blur };
  }

  /** A ground is open now; the engine knows, and links hold it as a change of the movement. */
  open(name: string): void {
    const { shape } = this;
    const number = shape?.grounds.findIndex((ground) => ground.name === name) ?? -1;
    if (!shape || number < 0) return;
    shape.grounds[number] = { ...shape.grounds[number], is_open: true };
    const first = this.first.prices.at(number);
    if (first) first.isOpen = true;
    for (const { map } of this.app.stage.panes) if (map instanceof CellMap) map.showGround();
    this.show();
  }

  /** Takes on the costs that a link holds. Grounds that the world has not are left out. */
  async replay(prices: Prices): Promise<void> {
    this.take(prices);
    await this.send();
  }
}

function priceOf({ name, is_open, multiplier, penalty }: Ground): Price {
  return { ground: name, isOpen: is_open, multiplier, penalty };
}

function isSame(a: Price, b: Price | undefined): boolean {
  return b !== undefined && a.isOpen === b.isOpen && a.multiplier === b.multiplier && a.penalty === b.penalty;
}
