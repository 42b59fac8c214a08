// How the agent moves, part by part, and what was opened to it: the panel, the remedies, undoing.

import type { MovementPart } from "wayfare";
import type { App } from "./app";
import { byId, make, option } from "./dom";

/** The parts by the words of the panel; numbers in cells or blocks. */
const LABELS: Record<string, string> = {
  neighbours: "Neighbours",
  corners: "Corners",
  width: "Width",
  abilities: "Abilities",
  "jump-height": "Jumps up",
  "jump-distance": "Jumps across",
  "max-fall": "Falls",
  "character-height": "Height",
  "opens-doors": "Opens doors",
  "endures-lava": "Endures lava",
  keys: "Keys",
};
/** A change that opens something, among others. */
const OPENING = /(?:^| )((?:enter|one-way|open|room)=.*?)(?= [a-z-]+=|$)/g;
const CHOICES: Record<string, Record<string, string>> = {
  corners: { both: "both free", one: "one free", always: "any" },
};

/** Before the name of the agent's class, among the changes. */
export const CLASS = "class=";

export class Movement {
  private readonly app: App;
  /** As the world was opened. */
  private usual: MovementPart[] = [];
  private parts: MovementPart[] = [];
  /** What was opened to the agent: ground, links, ways. */
  private opened: string[] = [];
  /** The class of the scene that the agent is of; `null` for none. */
  private className: string | null = null;

  constructor(app: App) {
    this.app = app;
    byId("movement-usual").addEventListener("click", () => void this.reset());
  }

  /** A world was opened. */
  enter(parts: MovementPart[]): void {
    [this.usual, this.parts, this.opened, this.className] = [parts, parts, [], null];
    this.show();
  }

  /** Opens the world as a class of its scene sees it, as it was before anything was changed. */
  async openAs(className: string): Promise<void> {
    const { app } = this;
    app.showEdited(await app.engine.call("openAs", className), app.source);
    this.className = className;
    this.show();
  }

  /** The changes since the world was opened, in the order in which they have to be made. */
  get changes(): string[] {
    const others = this.parts.filter(({ value }, at) => value !== this.usual[at]?.value);
    const named = this.className === null ? [] : [CLASS + this.className];
    return [...named, ...this.opened, ...others.map(textOf)];
  }

  /** Makes the changes that a link holds. */
  async replay(changes: string[]): Promise<void> {
    for (const change of changes) await this.make(change);
    this.show();
  }

  /** Makes a change, and searches; it can be undone. */
  async change(change: string): Promise<void> {
    const { app } = this;
    const [before, parts, opened] = [this.changes, this.parts, this.opened.length];
    try {
      await this.make(change);
    } catch (error) {
      this.show();
      app.fail(error);
      return;
    }
    this.show();
    const after = this.changes;
    if (String(before) === String(after)) return;
    // Parts go back to what they were; what was opened is shut in the world that is opened again.
    const back = this.opened.length === opened ? () => void this.put(parts.map(textOf).join(" ")) : () => void app.worlds.again(before);
    app.painting.keep({ undo: back, redo: () => void this.put(change) });
    await this.search();
  }

  private async put(change: string): Promise<void> {
    try {
      await this.make(change);
      this.show();
      await this.search();
    } catch (error) {
      this.app.fail(error);
    }
  }

  private async search(): Promise<void> {
    this.app.time.isPlaying = false;
    this.app.optimum = null;
    await this.app.solve("end");
  }

  private async make(change: string): Promise<void> {
    const { app } = this;
    const from = app.ends?.start.state ?? 0;
    const { movement, passages } = await app.engine.call("adapt", change, from);
    this.parts = movement;
    for (const pane of app.stage.panes) pane.setPassages(passages);
    if (app.opened) app.opened.passages = passages;
    app.stage.ask();
    for (const [, opened] of change.matchAll(OPENING)) {
      if (!this.opened.includes(opened)) this.opened.push(opened);
      if (opened.startsWith("enter=")) app.terrain.open(opened.slice("enter=".length));
    }
  }

  private async reset(): Promise<void> {
    if (this.opened.length > 0 || this.className !== null) await this.app.worlds.again([]);
    else if (this.changes.length > 0) await this.change(this.usual.map(textOf).join(" "));
  }

  /** The parts as they are; nothing where the agent has none. */
  private show(): void {
    const classes = this.app.opened?.classes ?? [];
    byId("movement-panel").hidden = this.parts.length === 0 && classes.length === 0;
    const rows = this.parts.map((part) => this.row(part));
    if (classes.length > 0) rows.unshift(this.classRow(classes));
    byId("movement-parts").replaceChildren(...rows);
    byId("movement-opened").textContent = this.opened.length > 0 ? `Opened: ${this.opened.map((change) => change.replace("=", " ")).join(", ")}.` : "";
    byId<HTMLButtonElement>("movement-usual").disabled = this.changes.length === 0;
  }

  /** Another class is another agent: what was chosen for the one before is not kept. */
  private classRow(classes: string[]): HTMLElement {
    const line = make("label", "Class", "row");
    const select = make("select");
    select.append(option("", "none"), ...classes.map((name) => option(name, name)));
    select.value = this.className ?? "";
    select.addEventListener("change", () => void this.app.worlds.again(select.value ? [CLASS + select.value] : []));
    line.append(select);
    return line;
  }

  private row(part: MovementPart): HTMLElement {
    const label = LABELS[part.name] ?? part.name;
    const set = (value: string) => void this.change(`${part.name}=${value}`);
    if (part.is_list) {
      const group = make("fieldset", "", "abilities");
      const held = new Set(part.value.split(","));
      group.append(make("legend", label));
      for (const choice of part.choices) {
        const line = make("label", "", "row");
        const box = make("input");
        box.type = "checkbox";
        box.checked = held.has(choice);
        box.addEventListener("change", () => {
          if (box.checked) held.add(choice);
          else held.delete(choice);
          set(part.choices.filter((one) => held.has(one)).join(","));
        });
        line.append(make("span", choice), box);
        group.append(line);
      }
      return group;
    }
    const line = make("label", label, "row");
    if (part.range) {
      const input = make("input");
      input.type = "number";
      [input.min, input.max, input.step] = [String(part.range[0]), String(part.range[1]), "1"];
      input.value = part.value;
      input.addEventListener("change", () => set(String(Math.trunc(input.valueAsNumber || 0))));
      line.append(input);
    } else {
      const select = make("select");
      select.append(...part.choices.map((choice) => option(choice, CHOICES[part.name]?.[choice] ?? choice)));
      select.value = part.value;
      select.addEventListener("change", () => set(select.value));
      line.append(select);
    }
    return line;
  }
}

function textOf({ name, value }: MovementPart): string {
  return `${name}=${value}`;
}
