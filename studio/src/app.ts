// The studio: one world, one query, up to four searches that answer it, and a place in time.

import type { AlgorithmInfo, Asked, Kind, Report, Why } from "wayfare";
import { BlockMap } from "./blocks";
import { Baking } from "./bake";
import { Breaks } from "./breaks";
import { showCounters, showLegend, showWhy } from "./details";
import { Danger } from "./danger";
import { type Field, fieldOf, isOfField } from "./fields";
import { byId, grouped, make, option, sentence } from "./dom";
import type { Engine } from "./engine";
import type { Opened, Traced } from "./engine.worker";
import { Frontier } from "./frontier";
import { LOOKS, type Look } from "./look";
import { CellMap, cellOf, type Spot } from "./maps";
import { Painting } from "./painting";
import { furnish, openLink } from "./links";
import { fromFragment, type Source } from "./share";
import { isInSpace, type Place } from "./space";
import { MeshMap } from "./meshes";
import { type Colouring, Pane, Stage } from "./stage";
import { Terrain } from "./terrain";
import { Trace } from "./timeline";
import { Walking } from "./walking";
import { Waypoints } from "./waypoints";

export interface End {
  state: number;
  spot: Spot;
  /** In space: in worlds of blocks and on meshes. */
  place?: Place;
}

/** Where the timeline goes once a search was made. */
type Then = "begin" | "end" | "keep";

const MOST_PANES = 4;
/** A search that takes longer is not recorded while an end is dragged, in milliseconds. */
const LONG = 8;
/** The size of generated worlds, in tiles. Links rely on it. */
const [WIDTH, HEIGHT] = [112, 76];
/** The world of the first visit. */
const FIRST = { kind: "terrain", seed: 7 };
/** The waypoint policies: they alone may ignore what waypoints cost themselves. */
const POLICIES = ["vector3-distance", "manhattan", "cost-of-movement", "inverse-cost-of-movement", "h-score"];
/** The searches that are added one after the other. */
const NEXT = ["dijkstra", "greedy", "bidirectional", "jps", "bfs", "corridor"];

export class App {
  readonly engine: Engine;
  readonly stage: Stage;
  readonly painting: Painting;
  readonly walking: Walking;
  readonly danger: Danger;
  readonly baking: Baking;
  readonly terrain: Terrain;
  readonly frontier: Frontier;
  readonly waypoints: Waypoints;
  opened: Opened | null = null;
  source: Source | null = null;
  asked: Asked[] = [{ algorithm: "astar" }];
  traces: Traced[] = [];
  ends: { start: End; goal: End } | null = null;
  held: "start" | "goal" | null = null;
  catalog: AlgorithmInfo[] = [];
  heuristics: string[] = [];
  kinds: Kind[] = [];
  /** The names of the stages of a bake. */
  private stages: string[] = [];
  look: Look = LOOKS[0];
  colouring: Colouring = "state";
  /** The number of expansions that are shown. */
  at = 0;
  isPlaying = false;
  why: Why | null = null;
  readonly breaks: Breaks;
  /** Whether the searches that are shown were read from a file. */
  isReplay = false;
  /** Searches give up after that many expansions. */
  limit: number | null = null;
  /** Whether navigation meshes are shown from above. */
  isFlat = false;
  private solving = false;
  private again: Then | null = null;
  optimum: number | null = null;
  private whyTimer = 0;
  private frame = 0;

  constructor(engine: Engine) {
    this.engine = engine;
    this.stage = new Stage(byId<HTMLCanvasElement>("canvas"));
    this.painting = new Painting(this);
    this.breaks = new Breaks(this);
    this.danger = new Danger(this);
    this.baking = new Baking(this);
    this.terrain = new Terrain(this);
    this.frontier = new Frontier(this);
    this.waypoints = new Waypoints(this);
    this.walking = new Walking(this);
    this.engine.onRestart = () => void this.reopen();
  }

  async begin(): Promise<void> {
    const { algorithms, heuristics, kinds, stages } = await this.engine.call("about");
    [this.catalog, this.heuristics, this.kinds, this.stages] = [algorithms, heuristics, kinds, stages];
    const isLight = matchMedia("(prefers-color-scheme: light)").matches;
    this.setLook(isLight ? LOOKS[1] : LOOKS[0]);
    const served = new URLSearchParams(location.search).get("world");
    if (served && (await this.openServed(served))) return;
    const isShown = await openLink(this, location.hash);
    if (!isShown) await this.generate(FIRST.kind, FIRST.seed);
  }

  // ---- worlds

  async generate(kind: string, seed: number): Promise<boolean> {
    return this.enter(this.engine.call("generate", kind, seed, this.settingsOf(kind)), { from: "generated", kind, seed });
  }

  /** The settings of generated worlds: wider than high, as the page is, where the kind has a size. */
  settingsOf(kind: string): string {
    const parameters = this.kinds.find(({ name }) => name === kind)?.parameters ?? [];
    const takes = (side: string, size: number) =>
      parameters.some(({ name, least, most }) => name === side && least <= size && size <= most);
    const isSized = takes("width", WIDTH) && takes("height", HEIGHT);
    if (isSized) return `[${kind}]\nwidth = ${WIDTH}\nheight = ${HEIGHT}\n`;
    // A locked door is a wall to an agent without keys.
    return parameters.some(({ name }) => name === "doors") ? `[${kind}]\ndoors = 0\n` : "";
  }

  async sample(name: string): Promise<boolean> {
    const { SAMPLES } = await import("./samples");
    const sample = SAMPLES.find((sample) => sample.name === name);
    if (!sample) {
      this.say(`There is no sample world “${name}”.`);
      return false;
    }
    try {
      const load = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());
      const files: Record<string, Uint8Array> = {};
      for (const [file, url] of Object.entries(sample.beside)) files[file] = await load(url);
      const opening = this.engine.call("open", sample.name, await load(sample.url), files);
      const isOpen = await this.enter(opening, { from: "sample", name });
      if (isOpen && sample.hasAgents) await this.setMode("agents");
      return isOpen;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /** Opens the first of the files that is a world; the others are those that it names. */
  async openFiles(files: File[]): Promise<boolean> {
    const MOST = 256 * 1024 * 1024;
    const total = files.reduce((sum, file) => sum + file.size, 0);
    if (total > MOST) {
      this.say(`The files are too large: ${grouped(Math.round(total / 1e6))} MB; at most 256 MB can be opened.`);
      return false;
    }
    try {
      const bytes: Record<string, Uint8Array> = {};
      for (const file of files) bytes[file.name] = new Uint8Array(await file.arrayBuffer());
      const recording = files.find((file) => /\.json$/i.test(file.name));
      const worlds = files.filter((file) => file !== recording);
      const main = worlds.find((file) => file.name.endsWith(".toml")) ?? worlds[0];
      if (main && !(await this.enter(this.engine.call("open", main.name, bytes[main.name], bytes), null))) return false;
      return recording ? await this.openRecording(recording.name, bytes[recording.name]) : true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /**
   * Shows recorded searches in the world of the file's link, or in the open world where the file
   * has no link.
   */
  private async openRecording(name: string, bytes: Uint8Array): Promise<boolean> {
    const { link } = await this.engine.call("readRecording", name, bytes);
    if (link !== null) {
      const reading = fromFragment(link);
      if (!reading.ok || !reading.shared) {
        this.say(`${name}: world.link: ${reading.ok ? "It is empty." : reading.problem}`);
        return false;
      }
      if (!(await this.restore(reading.shared.source))) return false;
      await furnish(this, reading.shared);
    }
    const { start, goal, endPlaces, asked, traces } = await this.engine.call("replay");
    this.walking.leave();
    this.asked = asked.slice(0, MOST_PANES);
    const place = (end: number) => [...endPlaces.subarray(end * 3, end * 3 + 3)] as Place;
    this.ends = { start: this.endOf(start, place(0)), goal: this.endOf(goal, place(1)) };
    this.layPanes();
    this.stage.fit();
    this.isPlaying = true;
    this.isReplay = true;
    this.take(traces.slice(0, MOST_PANES), "begin");
    const rest = asked.length > MOST_PANES ? ` Its first ${MOST_PANES} searches are shown.` : "";
    this.say(`A recorded search. A drag of an end searches again.${rest}`);
    return true;
  }

  /** Opens the world that lies beside the page, as `wayfare studio WORLD` serves it. */
  private async openServed(name: string): Promise<boolean> {
    try {
      const answer = await fetch(`world/${encodeURIComponent(name)}`);
      if (!answer.ok) throw new Error(`There is no world “${name}” beside this page.`);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (await this.enter(this.engine.call("open", name, bytes, {}), null)) return true;
    } catch (error) {
      this.fail(error);
    }
    const problem = byId("message").textContent ?? "";
    await this.generate(FIRST.kind, FIRST.seed);
    this.say(problem);
    return true;
  }

  private async enter(opening: Promise<Opened>, source: Source | null): Promise<boolean> {
    try {
      const opened = await opening;
      this.show(opened, source);
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  restore(source: Source | null): Promise<boolean> {
    if (source?.from === "generated") return this.generate(source.kind, source.seed);
    if (source?.from === "sample") return this.sample(source.name);
    return this.generate(FIRST.kind, FIRST.seed);
  }

  private async reopen(): Promise<void> {
    this.say("The engine stopped and was started again. Painted cells are gone.");
    await this.restore(this.source);
  }

  private show(opened: Opened, source: Source | null): void {
    this.lay(opened, source);
    void this.waypoints.enter();
    this.stage.fit();
    this.isPlaying = true;
    void this.solve("begin");
  }

  /** Shows the open world after a change of its waypoints: the view and the place in time stay. */
  showEdited(opened: Opened, source: Source | null): void {
    this.lay(opened, source);
    this.isPlaying = false;
  }

  /** Lets searches give up after that many expansions; `null` for never. */
  setLimit(limit: number | null): void {
    this.limit = limit !== null && limit >= 1 ? Math.min(4e9, Math.trunc(limit)) : null;
    byId<HTMLInputElement>("limit").value = this.limit === null ? "" : String(this.limit);
    this.isPlaying = false;
    void this.solve("end");
  }

  /** The searches as the engine is asked for them. */
  private get wanted(): Asked[] {
    return this.asked.map((asked) => ({ ...asked, maxExpansions: this.limit ?? undefined }));
  }

  /**
   * Shows the level with another mesh: the view stays, and the ends as near to where they were as
   * can be.
   */
  async showBaked(opened: Opened, places: (Place | undefined)[] | null): Promise<void> {
    this.lay(opened, null);
    this.isPlaying = false;
    await this.putEnds(places ?? []);
    await this.solve("end");
  }

  /** Puts the ends at places in space, or as near as can be. */
  async putEnds(places: (Place | undefined)[]): Promise<void> {
    const { opened } = this;
    for (const [at, which] of (["start", "goal"] as const).entries()) {
      const place = places[at];
      const end = place && (await this.endAbove(place));
      if (end && this.ends && this.opened === opened) this.ends[which] = end;
    }
    this.placeEnds();
  }

  /** Puts the ends at states, and searches; -1 leaves an end where it is. */
  moveEnds([start, goal]: number[]): void {
    const { ends } = this;
    if (!ends) return;
    const map = this.stage.panes[0].map;
    const put = (which: "start" | "goal", state: number) => {
      const spot = state >= 0 ? map.spot(state) : null;
      if (spot) ends[which] = { state, spot };
    };
    put("start", start ?? -1);
    put("goal", goal ?? -1);
    this.placeEnds();
    void this.solve("end");
  }

  private lay(opened: Opened, source: Source | null): void {
    clearTimeout(this.whyTimer);
    this.walking.leave(true);
    this.opened = opened;
    this.source = source;
    const nothing = make("p", "Point at the map.", "muted");
    nothing.id = "state";
    byId("state").replaceWith(nothing);
    this.hush();
    this.traces = [];
    this.at = 0;
    this.optimum = null;
    this.why = null;
    this.field = null;
    this.breaks.clear();
    // Searches that do not suit the new world make way for others, no two for the same one.
    const suits = (asked: { algorithm?: string }): boolean => opened.suited.includes(asked.algorithm ?? "astar");
    const used = this.asked.filter(suits).map((asked) => asked.algorithm ?? "astar");
    const usual = opened.suited.includes("astar") ? "astar" : opened.suited[0];
    this.asked = this.asked.map((asked) => {
      if (suits(asked)) return asked;
      const next = [usual, ...NEXT].find((name) => !used.includes(name) && opened.suited.includes(name));
      used.push(next ?? usual);
      return { ...asked, algorithm: next ?? usual };
    });
    for (const pane of this.stage.panes) {
      pane.setWorld(opened.shape, this.isFlat);
      this.prepare(pane);
    }
    this.painting.enter();
    this.terrain.enter();
    void this.danger.enter();
    this.layPanes();
    const [start, goal] = opened.ends;
    const place = (end: number) => [...opened.endPlaces.subarray(end * 3, end * 3 + 3)] as Place;
    this.ends = { start: this.endOf(start, place(0)), goal: this.endOf(goal, place(1)) };
    this.showCut();
    this.baking.enter(this.stages);
    const { about } = opened;
    byId("world").textContent = about.name || "Worlds";
    byId("world").title = about.name;
    const what = `${about.name}: ${about.kind}, ${grouped(about.states)} ${about.state}s.`;
    byId("about").textContent = [what, ...about.remarks].join(" ");
  }

  /** An end of the query, whose state is at a place in world units. */
  endOf(state: number, place: Place): End {
    const map = this.stage.panes[0].map;
    if (isInSpace(map) || this.opened?.shape.kind === "polygons") return { state, spot: [place[0], place[2]], place };
    return { state, spot: map.spot(state) ?? [place[0], place[2]] };
  }

  /** The slider that cuts away what is above a height. */
  private showCut(): void {
    const shape = this.opened?.shape;
    const { map } = this.stage.panes[0];
    byId("cut-row").hidden = byId("view-row").hidden = !isInSpace(map);
    byId("flat-row").hidden = shape?.kind !== "polygons";
    if (!isInSpace(map)) return;
    const slider = byId<HTMLInputElement>("cut");
    const [low, high] = [map.box[0][1], map.box[1][1]];
    slider.step = map instanceof MeshMap ? "any" : "1";
    slider.min = String(map instanceof MeshMap ? low + 0.05 : 1);
    slider.max = String(high + (map instanceof MeshMap ? 0.05 : 0));
    slider.value = map instanceof MeshMap && map.firstCut < high ? String(map.firstCut) : slider.max;
    this.setCut(Number(slider.value));
    if (shape?.kind === "blocks" && shape.isCut) this.say("The world has more blocks than can be drawn: some are left out.");
  }

  /** Tells a new map what it has to know of the world besides its shape. */
  private prepare(pane: Pane): void {
    if (pane.map instanceof MeshMap && this.opened?.islands) pane.map.setIslands(this.opened.islands);
    if (isInSpace(pane.map)) pane.map.setCut(Number(byId<HTMLInputElement>("cut").value));
  }

  /** Shows a navigation mesh from above, or in space. */
  setFlat(isFlat: boolean): void {
    byId<HTMLInputElement>("flat").checked = isFlat;
    if (isFlat === this.isFlat) return;
    this.isFlat = isFlat;
    const { opened } = this;
    if (opened?.shape.kind !== "polygons") return;
    const wasWalking = this.walking.isOn;
    if (wasWalking) this.walking.leave(true);
    for (const pane of this.stage.panes) {
      pane.setWorld(opened.shape, isFlat);
      this.prepare(pane);
    }
    this.showCut();
    this.breaks.show();
    this.stage.fit();
    if (wasWalking) void this.walking.enter();
    else if (this.traces.length === this.stage.panes.length) this.take(this.traces, "keep");
  }

  setCut(cut: number): void {
    for (const { map } of this.stage.panes) if (isInSpace(map)) map.setCut(cut);
    this.breaks.show();
    this.stage.ask();
  }

  // ---- searches

  async solve(then: Then): Promise<void> {
    if (this.walking.isOn) return;
    if (this.solving) {
      this.again = then;
      return;
    }
    if (!this.opened || !this.ends) return;
    this.solving = true;
    const { start, goal } = this.ends;
    try {
      if (this.held && this.isLong) {
        const answers = await this.engine.call("solve", start.state, goal.state, this.wanted);
        this.isReplay = false;
        if (answers.length === this.stage.panes.length) this.takeAnswers(answers);
        return;
      }
      const traces = await this.engine.call("trace", start.state, goal.state, this.wanted);
      this.isReplay = false;
      if (traces.length === this.stage.panes.length) this.take(traces, then);
    } catch (error) {
      this.fail(error);
    } finally {
      this.solving = false;
      const again = this.again;
      this.again = null;
      if (again) void this.solve(again);
    }
  }

  /** Whether recording the searches takes longer than a frame: while an end is dragged, paths will do. */
  private get isLong(): boolean {
    return this.traces.reduce((sum, traced) => sum + traced.milliseconds, 0) > LONG;
  }

  /**
   * Takes hold of an end. The first search without a recording makes its memory, and the browser
   * compiles it: that is done before the end moves.
   */
  hold(which: "start" | "goal"): void {
    this.held = which;
    this.placeEnds();
    const { ends } = this;
    if (!ends || !this.isLong) return;
    this.engine.call("solve", ends.start.state, ends.goal.state, this.wanted).catch((error) => this.fail(error));
  }

  private takeAnswers(answers: { report: Report; points: Float32Array }[]): void {
    if (this.walking.isOn) return;
    this.stage.panes.forEach((pane, index) => {
      const { report, points } = answers[index];
      pane.setAnswer(report, this.routeOf(pane, report, points), placesOf(pane, points));
    });
    this.at = 0;
    this.why = null;
    showWhy(this);
    this.placeEnds();
    this.refresh();
  }

  /** The places of a path, seen from above. */
  private routeOf(pane: Pane, report: Report, points: Float32Array): Spot[] {
    const cells = pane.map instanceof CellMap ? pane.map : null;
    return Array.from(report.path, (state, step) => {
      return cells?.spot(state) ?? [points[step * 3], points[step * 3 + 2]];
    });
  }

  private take(traces: Traced[], then: Then): void {
    if (this.walking.isOn) return;
    this.traces = traces;
    const made = traces.map((traced) => new Trace(traced.events));
    const most = Math.max(...made.map((trace) => trace.expansions));
    if (then === "begin") this.at = 0;
    else if (then === "end") this.at = most;
    else this.at = Math.min(this.at, most);
    this.stage.panes.forEach((pane, index) => {
      const { report, points } = traces[index];
      const { touched } = traces[index];
      if (pane.map instanceof BlockMap && touched) pane.map.setStates(touched.states, touched.places);
      const route = this.routeOf(pane, report, points);
      pane.setTrace(made[index], report, route, placesOf(pane, points), this.at, traces[index].intervals);
    });
    if (isOfField(this.colouring)) void this.readField();
    this.placeEnds();
    this.askWhy();
    this.refresh();
    if (traces.some((traced) => traced.isCut)) {
      this.say("A search is too long to be recorded to its end: the timeline shows its first part.");
    }
    if (this.isPlaying) this.run();
  }

  private askWhy(): void {
    clearTimeout(this.whyTimer);
    this.why = null;
    showWhy(this);
    if (this.held) return;
    this.whyTimer = window.setTimeout(async () => {
      if (!this.ends || this.held) return;
      const { start, goal } = this.ends;
      const { opened } = this;
      try {
        const why = await this.engine.call("why", start.state, goal.state, { maxExpansions: this.limit ?? undefined });
        if (this.opened !== opened || this.ends.start.state !== start.state || this.ends.goal.state !== goal.state) return;
        this.why = why;
        this.optimum = why.report.found ? why.report.cost : null;
        for (const pane of this.stage.panes) pane.setReached(why.reason ? why.reached : new Uint32Array(0));
        showWhy(this);
        this.refresh();
      } catch (error) {
        // Of a world that is gone by now nothing is told.
        if (this.opened === opened) this.fail(error);
      }
    }, 120);
  }

  setEnd(which: "start" | "goal", end: End): void {
    if (!this.ends || this.ends[which].state === end.state) return;
    this.ends[which] = end;
    this.optimum = null;
    this.isPlaying = false;
    this.placeEnds();
    void this.solve("end");
  }

  /** The end of a query at a place of the map: where an agent can stand. */
  async endAt(spot: Spot): Promise<End | null> {
    const shape = this.opened?.shape;
    const map = this.stage.panes[0]?.map;
    if (!shape || !map) return null;
    if (shape.kind === "polygons") {
      const state = await this.engine.call("find", `${spot[0].toFixed(3)},${spot[1].toFixed(3)}`);
      const at = await this.engine.call("positions", Uint32Array.of(state));
      return { state, spot, place: [at[0], at[1], at[2]] };
    }
    if (shape.kind === "cells") {
      const inside: Spot = [
        Math.max(0, Math.min(shape.width - 1, Math.floor(spot[0]))) + 0.5,
        Math.max(0, Math.min(shape.height - 1, Math.floor(spot[1]))) + 0.5,
      ];
      let state = map.stateAt(inside);
      if (!shape.grounds[shape.ground[cellOf(shape, state)]].is_open) state = await this.engine.call("nearestFree", state);
      return { state, spot: map.spot(state) ?? inside };
    }
    const state = map.stateAt(spot);
    return state < 0 ? null : { state, spot: map.spot(state) ?? spot };
  }

  /**
   * The end of a query at a place in space: above a block, or on the floor of a mesh that is there.
   */
  async endAbove(place: Place): Promise<End | null> {
    const OFF_MAP = 0xffff_ffff;
    const digits = this.opened?.shape.kind === "blocks" ? 0 : 3;
    const found = await this.engine.call("find", place.map((one) => one.toFixed(digits)).join(","));
    if (found === OFF_MAP) return null;
    const state = await this.engine.call("nearestFree", found);
    const at = await this.engine.call("positions", Uint32Array.of(state));
    return this.endOf(state, [at[0], at[1], at[2]]);
  }

  // ---- panes

  addPane(): void {
    if (this.asked.length >= MOST_PANES || !this.opened) return;
    const used = this.asked.map((asked) => asked.algorithm);
    const next = NEXT.find((name) => !used.includes(name) && this.opened?.suited.includes(name));
    this.asked.push({ algorithm: next ?? this.opened.suited[0] });
    this.layPanes();
    this.stage.fit();
    void this.solve("keep");
  }

  removePane(index: number): void {
    if (this.asked.length <= 1) return;
    this.asked.splice(index, 1);
    this.stage.panes.splice(index, 1)[0].dispose();
    this.layPanes();
    this.stage.fit();
    void this.solve("keep");
  }

  /** The switch of the policies. */
  private showIgnored(pane: Pane): void {
    const asked = this.asked[this.stage.panes.indexOf(pane)];
    const isPolicy = this.opened?.shape.kind === "points" && POLICIES.includes(asked.algorithm ?? "astar");
    (pane.element.querySelector(".ignored") as HTMLElement).hidden = !isPolicy;
    (pane.element.querySelector(".ignore-costs") as HTMLInputElement).checked = asked.ignoreOwnCosts ?? false;
  }

  /** One pane for each search asked for. */
  private layPanes(): void {
    if (!this.opened) return;
    const { panes } = this.stage;
    while (panes.length > this.asked.length) panes.pop()?.dispose();
    while (panes.length < this.asked.length) {
      const template = byId<HTMLTemplateElement>("pane-template");
      const element = template.content.firstElementChild?.cloneNode(true) as HTMLElement;
      byId("panes").append(element);
      const pane = new Pane(element, this.opened.shape, this.look, this.isFlat);
      this.prepare(pane);
      panes.push(pane);
      const own = () => this.asked[panes.indexOf(pane)];
      const algorithm = element.querySelector(".algorithm") as HTMLSelectElement;
      algorithm.addEventListener("change", () => {
        own().algorithm = algorithm.value;
        this.showIgnored(pane);
        void this.solve("keep");
      });
      const heuristic = element.querySelector(".heuristic") as HTMLSelectElement;
      heuristic.replaceChildren(...this.heuristics.map((name) => option(name, `h: ${name}`)));
      heuristic.addEventListener("change", () => {
        own().heuristic = heuristic.value;
        void this.solve("keep");
      });
      const ignores = element.querySelector(".ignore-costs") as HTMLInputElement;
      ignores.addEventListener("change", () => {
        own().ignoreOwnCosts = ignores.checked;
        void this.solve("keep");
      });
      const close = element.querySelector(".close") as HTMLButtonElement;
      close.addEventListener("click", () => this.removePane(panes.indexOf(pane)));
    }
    byId("panes").dataset.count = String(panes.length);
    byId<HTMLButtonElement>("compare").disabled = panes.length >= MOST_PANES;
    panes.forEach((pane, index) => {
      const algorithm = pane.element.querySelector(".algorithm") as HTMLSelectElement;
      const suited = this.catalog.filter(({ name }) => this.opened?.suited.includes(name));
      algorithm.replaceChildren(
        ...suited.map(({ name, summary }) => {
          const line = option(name);
          line.title = summary;
          return line;
        }),
      );
      const chosen = this.asked[index].algorithm ?? "astar";
      // A recording may be of an engine that is not in the list.
      if (!suited.some(({ name }) => name === chosen)) algorithm.append(option(chosen));
      algorithm.value = chosen;
      const heuristic = pane.element.querySelector(".heuristic") as HTMLSelectElement;
      this.showIgnored(pane);
      heuristic.value = this.asked[index].heuristic ?? "natural";
      // Searches on meshes have their own.
      heuristic.hidden = this.opened?.shape.kind === "polygons";
      (pane.element.querySelector(".close") as HTMLElement).hidden = panes.length === 1;
      pane.setColouring(this.colouring, panes[0], this.field);
    });
    this.danger.show();
    this.breaks.show();
    this.waypoints.show();
    this.baking.show();
  }

  // ---- searches or agents

  async setMode(mode: "search" | "agents"): Promise<void> {
    if (mode === "agents") {
      if (this.walking.isOn) return;
      this.isPlaying = false;
      await this.walking.enter();
      return;
    }
    if (!this.walking.isOn) return;
    this.walking.leave();
    this.at = 0;
    this.isPlaying = true;
    await this.solve("begin");
  }

  // ---- time

  get most(): number {
    return Math.max(0, ...this.stage.panes.map((pane) => pane.cursor?.trace.expansions ?? 0));
  }

  goTo(at: number): void {
    if (this.walking.isOn) {
      this.walking.goTo(at);
      return;
    }
    this.at = Math.max(0, Math.min(Math.trunc(at), this.most));
    for (const pane of this.stage.panes) pane.show(this.at);
    if (this.colouring === "difference") for (const pane of this.stage.panes) pane.repaint();
    this.refresh();
  }

  step(by: number): void {
    if (this.walking.isOn) {
      this.walking.step(by);
      return;
    }
    this.pause();
    this.goTo(this.at + by);
  }

  pause(): void {
    if (this.walking.isOn) {
      this.walking.pause();
      return;
    }
    this.isPlaying = false;
    this.refresh();
  }

  play(): void {
    if (this.walking.isOn) {
      this.walking.play();
      return;
    }
    if (this.at >= this.most) this.goTo(0);
    this.isPlaying = true;
    this.run();
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** Expansions a second: a whole search takes four seconds at the usual speed. */
  private get pace(): number {
    const speed = Number(byId<HTMLInputElement>("speed").value);
    return Math.max(6, this.most / 4) * 10 ** ((speed - 50) / 25);
  }

  private run(): void {
    cancelAnimationFrame(this.frame);
    let before = performance.now();
    let exact = this.at;
    const next = (now: number) => {
      if (!this.isPlaying) return;
      // A frame that comes late does not leap. The time of the first may lie before the beginning.
      exact = Math.max(exact, this.at) + (Math.max(0, Math.min(100, now - before)) / 1000) * this.pace;
      before = now;
      const stop = this.breaks.next(Math.trunc(exact));
      this.goTo(stop ?? exact);
      if (stop !== null) {
        this.pause();
        this.say(`A breakpoint at expansion ${grouped(this.at)}. Play goes on.`);
      } else if (this.at >= this.most) this.pause();
      else this.frame = requestAnimationFrame(next);
    };
    this.frame = requestAnimationFrame(next);
    this.refresh();
  }

  // ---- what is shown

  setLook(look: Look): void {
    this.look = look;
    document.documentElement.dataset.theme = look.isDark ? "dark" : "light";
    this.stage.setLook(look);
    this.walking.setLook();
    this.terrain.show();
    this.placeEnds();
    showLegend(this);
    byId<HTMLSelectElement>("palette").value = look.id;
  }

  /** The values by which states are coloured, where the colouring is by some. */
  private field: Field | null = null;

  setColouring(colouring: Colouring): void {
    this.colouring = colouring;
    this.field = null;
    if (isOfField(colouring)) void this.readField();
    for (const pane of this.stage.panes) pane.setColouring(colouring, this.stage.panes[0], null);
    byId<HTMLSelectElement>("colouring").value = colouring;
    this.terrain.show();
    showLegend(this);
    this.stage.ask();
  }

  /** Asks for the values of the present colouring again: the world may have changed. */
  private async readField(): Promise<void> {
    const { opened, colouring } = this;
    if (!opened) return;
    try {
      const field = await fieldOf(this, colouring);
      if (this.opened !== opened || this.colouring !== colouring) return;
      this.field = field;
      for (const pane of this.stage.panes) pane.setColouring(colouring, this.stage.panes[0], field);
      showLegend(this);
      this.stage.ask();
    } catch (error) {
      if (this.colouring === colouring) this.setColouring("state");
      this.fail(error);
    }
  }

  /** The largest value of the present colouring by a field. */
  get mostOfField(): number | null {
    return this.field && this.field.most;
  }

  placeEnds(): void {
    if (!this.ends || this.walking.isOn) return;
    const { start, goal } = this.ends;
    for (const pane of this.stage.panes) {
      if (isInSpace(pane.map) && start.place && goal.place) pane.map.setEnds([start.place, goal.place]);
      else pane.setEnds(start.spot, goal.spot, this.held);
    }
    this.stage.ask();
  }

  refresh(): void {
    const { most } = this;
    const scrub = byId<HTMLInputElement>("scrub");
    scrub.max = String(most);
    scrub.value = String(this.at);
    byId("place").textContent = `${grouped(this.at)} / ${grouped(most)}`;
    const play = byId("play");
    play.classList.toggle("playing", this.isPlaying);
    play.setAttribute("aria-label", this.isPlaying ? "Pause" : "Play");
    for (const pane of this.stage.panes) showCounters(pane, this.optimum);
    this.frontier.ask();
    this.stage.ask();
  }

  // ---- messages

  private messageTimer = 0;

  say(text: string): void {
    const message = byId("message");
    message.textContent = text;
    message.hidden = false;
    clearTimeout(this.messageTimer);
    this.messageTimer = window.setTimeout(() => this.hush(), 9000);
  }

  hush(): void {
    byId("message").hidden = true;
  }

  fail(error: unknown): void {
    this.say(error instanceof Error ? sentence(error.message) : String(error));
  }
}

/** The places of a path in space; none where the map is flat. */
function placesOf(pane: Pane, points: Float32Array): Place[] {
  const places: Place[] = [];
  if (!isInSpace(pane.map)) return places;
  for (let at = 0; at < points.length; at += 3) places.push([points[at], points[at + 1], points[at + 2]]);
  return places;
}
