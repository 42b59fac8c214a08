// The worlds that are opened: generated, samples, files, and those that links and recordings name.

import { fromFragment, type Source } from "wayfare/link";
import type { App } from "./app";
import { byId, grouped } from "./dom";
import { endOf, placeEnds } from "./ends";
import type { Opened } from "./engine.worker";
import { furnish, settingsOf } from "./links";
import { layPanes, MOST_PANES } from "./panes";
import { SAMPLES } from "./samples";
import type { Place } from "./space";

/** The size of generated worlds, in tiles. Links rely on it. */
const [WIDTH, HEIGHT] = [112, 76];
/** The world of the first visit. */
export const FIRST = { kind: "terrain", seed: 7 };
/** What takes longer to open says so, and can be given up, in milliseconds. */
const PATIENCE = 500;
/** Files that belong to others: tile sets, materials, pictures of tiles. */
const BESIDE = /\.(tsx|tsj|mtl|bin|png|jpe?g)$/i;

/** A file that was opened as a world. */
interface WorldFile {
  name: string;
  files: Record<string, Uint8Array>;
}

export class Worlds {
  private readonly app: App;
  /** The file of the open world, where it is one of the visitor's. */
  private file: WorldFile | null = null;
  private isGivenUp = false;

  constructor(app: App) {
    this.app = app;
    byId("cancel").addEventListener("click", () => void this.cancel());
  }

  async generate(kind: string, seed: number): Promise<boolean> {
    const opening = this.app.engine.call("generate", kind, seed, this.settingsOf(kind));
    return this.enter(kind, opening, { from: "generated", kind, seed });
  }

  /** The settings of generated worlds: wider than high where the kind has a size. */
  settingsOf(kind: string): string {
    const parameters = this.app.kinds.find(({ name }) => name === kind)?.parameters ?? [];
    const takes = (side: string, size: number) =>
      parameters.some(({ name, least, most }) => name === side && least <= size && size <= most);
    const isSized = takes("width", WIDTH) && takes("height", HEIGHT);
    if (isSized) return `[${kind}]\nwidth = ${WIDTH}\nheight = ${HEIGHT}\n`;
    // A locked door is a wall to an agent without keys.
    return parameters.some(({ name }) => name === "doors") ? `[${kind}]\ndoors = 0\n` : "";
  }

  async sample(name: string): Promise<boolean> {
    const sample = SAMPLES.find((sample) => sample.name === name);
    if (!sample) {
      this.app.say(`There is no sample world “${name}”.`);
      return false;
    }
    try {
      const load = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());
      const files: Record<string, Uint8Array> = {};
      for (const [file, url] of Object.entries(sample.beside)) files[file] = await load(url);
      const opening = this.app.engine.call("open", sample.name, await load(sample.url), files);
      const isOpen = await this.enter(sample.label, opening, { from: "sample", name });
      if (isOpen && sample.hasAgents) await this.app.setMode("agents");
      return isOpen;
    } catch (error) {
      this.app.fail(error);
      return false;
    }
  }

  /** Opens the first of the files that is a world; the others are those that it names. */
  async openFiles(files: File[]): Promise<boolean> {
    const MOST = 256 * 1024 * 1024;
    const total = files.reduce((sum, file) => sum + file.size, 0);
    if (total > MOST) {
      this.app.say(`The files are too large: ${grouped(Math.round(total / 1e6))} MB; at most 256 MB can be opened.`);
      return false;
    }
    try {
      const bytes: Record<string, Uint8Array> = {};
      for (const file of files) bytes[file.name] = new Uint8Array(await file.arrayBuffer());
      const recording = files.find((file) => /\.json$/i.test(file.name));
      const worlds = files.filter((file) => file !== recording);
      const scene = worlds.find((file) => /\.toml$/i.test(file.name));
      const main = scene ?? worlds.find((file) => !BESIDE.test(file.name)) ?? worlds[0];
      if (main && !(await this.openFile({ name: main.name, files: bytes }))) return false;
      if (main) this.app.terrain.offer();
      return recording ? await this.openRecording(recording.name, bytes[recording.name]) : true;
    } catch (error) {
      this.app.fail(error);
      return false;
    }
  }

  private openFile(file: WorldFile): Promise<boolean> {
    const { name, files } = file;
    return this.enter(name, this.app.engine.call("open", name, files[name], files), null, file);
  }

  /**
   * Shows recorded searches in the world of the file's link, or in the open world where the file
   * has no link.
   */
  private async openRecording(name: string, bytes: Uint8Array): Promise<boolean> {
    const { link } = await this.app.engine.call("readRecording", name, bytes);
    if (link !== null) {
      const reading = fromFragment(link);
      if (!reading.ok || !reading.shared) {
        this.app.say(`${name}: world.link: ${reading.ok ? "It is empty." : reading.problem}`);
        return false;
      }
      if (!(await this.restore(reading.shared.source))) return false;
      await furnish(this.app, reading.shared);
    }
    const { start, goal, endPlaces, asked, traces } = await this.app.engine.call("replay");
    this.app.walking.leave();
    this.app.asked = asked.slice(0, MOST_PANES);
    const place = (end: number) => [...endPlaces.subarray(end * 3, end * 3 + 3)] as Place;
    this.app.ends = { start: endOf(this.app, start, place(0)), goal: endOf(this.app, goal, place(1)) };
    layPanes(this.app);
    this.app.stage.fit();
    this.app.time.isPlaying = true;
    this.app.isReplay = true;
    this.app.take(traces.slice(0, MOST_PANES), "begin");
    const rest = asked.length > MOST_PANES ? ` Its first ${MOST_PANES} searches are shown.` : "";
    this.app.say(`A recorded search. A drag of an end searches again.${rest}`);
    return true;
  }

  /** Opens the world that lies beside the page, as `wayfare studio WORLD` serves it. */
  async openServed(name: string): Promise<boolean> {
    try {
      const answer = await fetch(`world/${encodeURIComponent(name)}`);
      if (!answer.ok) throw new Error(`There is no world “${name}” beside this page.`);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (await this.openFile({ name, files: { [name]: bytes } })) return true;
    } catch (error) {
      this.app.fail(error);
    }
    const problem = byId("message").textContent ?? "";
    await this.generate(FIRST.kind, FIRST.seed);
    this.app.say(problem);
    return true;
  }

  /** Shows a world once it is open. Says what is being opened if that takes a while. */
  private async enter(what: string, opening: Promise<Opened>, source: Source | null, file: WorldFile | null = null): Promise<boolean> {
    const bar = byId<HTMLProgressElement>("opening-share");
    bar.value = 0;
    byId("opening-name").textContent = `Opening ${what} …`;
    this.app.engine.onProgress = ({ doing, share }) => {
      byId("opening-name").textContent = `Opening ${what}: ${doing} …`;
      bar.value = share;
    };
    const notice = window.setTimeout(() => {
      this.app.hush();
      byId("opening").hidden = false;
    }, PATIENCE);
    try {
      const opened = await opening;
      this.file = file;
      this.app.show(opened, source);
      return true;
    } catch (error) {
      this.app.fail(file ? lacking(error, file.name) : error);
      return false;
    } finally {
      clearTimeout(notice);
      byId("opening").hidden = true;
    }
  }

  /** Gives up what is being opened, and opens the world before again, as it was painted. */
  private async cancel(): Promise<void> {
    if (this.isGivenUp) return;
    this.isGivenUp = true;
    this.app.engine.cancel();
    await this.renew();
    this.isGivenUp = false;
    this.app.say("Given up. The world before is open again.");
  }

  restore(source: Source | null): Promise<boolean> {
    if (source?.from === "generated") return this.generate(source.kind, source.seed);
    if (source?.from === "sample") return this.sample(source.name);
    return this.generate(FIRST.kind, FIRST.seed);
  }

  /** Opens the world again that the engine has lost, as it was painted. */
  private async renew(movement = this.app.movement.changes): Promise<boolean> {
    const { app, file } = this;
    const [about, feared] = [app.opened?.about, app.danger.present];
    const kept = app.opened ? { edits: app.painting.edits(), ...settingsOf(app) } : null;
    const isOpen = await (file && !app.source ? this.openFile(file) : this.restore(app.source));
    if (!isOpen || !kept) return isOpen;
    await furnish(app, kept, movement);
    // Danger is known by states, which are those of this world alone.
    const isSame = about && app.opened?.about.states === about.states && app.opened.about.file === about.file;
    if (isSame && feared.states.length > 0) await app.danger.put(feared);
    return true;
  }

  /** Opens the world again for an agent with these changes of its movement; the ends stay. */
  async again(movement: string[]): Promise<void> {
    const { app } = this;
    const ends = app.ends;
    if (!(await this.renew(movement)) || !ends) return;
    app.ends = ends;
    placeEnds(app);
    await app.solve("end");
  }

  async reopen(): Promise<void> {
    await this.renew();
    this.app.say("The engine stopped and was started again.");
  }
}

/** A file that a world names and that was not opened with it is asked for. */
function lacking(error: unknown, name: string): unknown {
  const missing = error instanceof Error ? /^(.+): there is no such file/.exec(error.message)?.[1] : undefined;
  if (missing === undefined || missing === name) return error;
  return new Error(`${name} needs ${missing}: drop both together, or choose both in the dialogue.`);
}
