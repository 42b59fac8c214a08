// The studio: one world, one query, up to four searches that answer it, and a place in time.

import type { Source } from "wayfare/link";
import type { AlgorithmInfo, Asked, Kind, Report, Why } from "wayfare";
import { BlockMap } from "./blocks";
import { Baking } from "./bake";
import { Breaks } from "./breaks";
import { unhover } from "./controls";
import { showCounters, showLegend, showWhy } from "./details";
import { Danger } from "./danger";
import { type Field, fieldOf, isOfField } from "./fields";
import { byId, grouped, make, sentence } from "./dom";
import { Cancelled, type Engine } from "./engine";
import type { Opened, Traced } from "./engine.worker";
import { Frontier } from "./frontier";
import { LOOKS, type Look } from "./look";
import { CellMap, type Spot } from "./maps";
import { Painting } from "./painting";
import { type End, endOf, placeEnds, putEnds } from "./ends";
import { openLink } from "./links";
import { layPanes, NEXT } from "./panes";
import { isInSpace, type Place } from "./space";
import { MeshMap } from "./meshes";
import { Movement } from "./movement";
import { type Colouring, Pane } from "./pane";
import { Stage } from "./stage";
import { Terrain } from "./terrain";
import { Time } from "./time";
import { Trace } from "./timeline";
import { Walking } from "./walking";
import { Waypoints } from "./waypoints";
import { FIRST, Worlds } from "./worlds";

/** Where the timeline goes once a search was made. */
type Then = "begin" | "end" | "keep";

/** What is left above a path where roofs are cut away, in world units. */
const HEADROOM = 1.7;
/** A search that takes longer is not recorded while an end is dragged, in milliseconds. */
const LONG = 8;

export class App {
  readonly engine: Engine;
  readonly stage: Stage;
  readonly painting: Painting;
  readonly walking: Walking;
  readonly danger: Danger;
  readonly baking: Baking;
  readonly terrain: Terrain;
  readonly movement: Movement;
  readonly worlds: Worlds;
  readonly time: Time;
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
  /** The expansions of the longest search that was shown last. */
  private longest = 0;
  optimum: number | null = null;
  private whyTimer = 0;

  constructor(engine: Engine) {
    this.engine = engine;
    this.stage = new Stage(byId<HTMLCanvasElement>("canvas"), byId<HTMLCanvasElement>("writing"));
    this.painting = new Painting(this);
    this.breaks = new Breaks(this);
    this.danger = new Danger(this);
    this.baking = new Baking(this);
    this.terrain = new Terrain(this);
    this.movement = new Movement(this);
    this.worlds = new Worlds(this);
    this.time = new Time(this);
    this.frontier = new Frontier(this);
    this.waypoints = new Waypoints(this);
    this.walking = new Walking(this);
    this.engine.onRestart = () => void this.worlds.reopen();
  }

  async begin(): Promise<void> {
    const { algorithms, heuristics, kinds, stages } = await this.engine.call("about");
    [this.catalog, this.heuristics, this.kinds, this.stages] = [algorithms, heuristics, kinds, stages];
    const isLight = matchMedia("(prefers-color-scheme: light)").matches;
    this.setLook(isLight ? LOOKS[1] : LOOKS[0]);
    const served = new URLSearchParams(location.search).get("world");
    if (served && (await this.worlds.openServed(served))) return;
    const isShown = await openLink(this, location.hash);
    if (!isShown) await this.worlds.generate(FIRST.kind, FIRST.seed);
  }

  /** Shows a world that was opened. */
  show(opened: Opened, source: Source | null): void {
    this.lay(opened, source);
    void this.waypoints.enter();
    this.stage.fit();
    this.time.isPlaying = true;
    void this.solve("begin");
  }

  /** Shows the open world after a change of its waypoints: the view and the place in time stay. */
  showEdited(opened: Opened, source: Source | null): void {
    this.lay(opened, source);
    this.time.isPlaying = false;
  }

  /** Lets searches give up after that many expansions; `null` for never. */
  setLimit(limit: number | null): void {
    this.limit = limit !== null && limit >= 1 ? Math.min(4e9, Math.trunc(limit)) : null;
    byId<HTMLInputElement>("limit").value = this.limit === null ? "" : String(this.limit);
    this.time.isPlaying = false;
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
    this.time.isPlaying = false;
    await putEnds(this, places ?? []);
    await this.solve("end");
  }

  private lay(opened: Opened, source: Source | null): void {
    clearTimeout(this.whyTimer);
    unhover(this);
    this.walking.leave(true);
    this.opened = opened;
    this.source = source;
    const nothing = make("p", "Point at the map.", "muted");
    nothing.id = "state";
    byId("state").replaceWith(nothing);
    this.hush();
    this.traces = [];
    this.time.at = 0;
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
    this.movement.enter(opened.movement);
    this.terrain.enter();
    void this.danger.enter();
    layPanes(this);
    const [start, goal] = opened.ends;
    const place = (end: number) => [...opened.endPlaces.subarray(end * 3, end * 3 + 3)] as Place;
    this.ends = { start: endOf(this, start, place(0)), goal: endOf(this, goal, place(1)) };
    this.showCut();
    this.baking.enter(this.stages);
    showLegend(this);
    const { about } = opened;
    byId("world").textContent = about.name;
    byId("world").title = about.name;
    const what = `${about.name}: ${about.kind}, ${grouped(about.states)} ${about.state}s.`;
    byId("about").textContent = [what, ...about.remarks].join(" ");
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
  prepare(pane: Pane): void {
    if (pane.map instanceof MeshMap && this.opened?.islands) pane.map.setIslands(this.opened.islands);
    pane.setPassages(this.opened?.passages ?? []);
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

  /** Cuts away the roofs over both ends of a world that was just opened, and all that is as high. */
  private cutRoofs(route: Place[]): void {
    const { ends } = this;
    const [{ map }] = this.stage.panes;
    if (!isInSpace(map) || !ends) return;
    const places = [ends.start.place, ends.goal.place].filter((place) => place !== undefined);
    if (!places.some((place) => map.isUnderRoof(place))) return;
    const top = [...places, ...route].reduce((top, [, y]) => Math.max(top, y), -Infinity) + HEADROOM;
    const slider = byId<HTMLInputElement>("cut");
    const cut = map instanceof MeshMap ? top : Math.ceil(top);
    if (cut >= Number(slider.value)) return;
    slider.value = String(cut);
    this.setCut(cut);
    this.stage.fit();
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

  /**
   * Whether recording the searches takes longer than a frame: while an end is dragged, paths will
   * do.
   */
  private get isLong(): boolean {
    return this.traces.reduce((sum, traced) => sum + traced.milliseconds, 0) > LONG;
  }

  /** The world for which `warm` was called. */
  private warmed: Opened | null = null;

  /**
   * Searches without a recording, before an end is dragged: the first such search makes its memory,
   * and lets the browser compile it.
   */
  private warm(): void {
    const { ends, opened } = this;
    if (!ends || !this.isLong || this.warmed === opened) return;
    this.warmed = opened;
    this.engine.call("solve", ends.start.state, ends.goal.state, this.wanted).catch((error) => this.fail(error));
  }

  private takeAnswers(answers: { report: Report; points: Float32Array }[]): void {
    if (this.walking.isOn) return;
    this.stage.panes.forEach((pane, index) => {
      const { report, points } = answers[index];
      pane.setAnswer(report, this.routeOf(pane, report, points), placesOf(pane, points));
    });
    this.time.at = 0;
    this.why = null;
    showWhy(this);
    placeEnds(this);
    this.refresh();
  }

  /** The places of a path, seen from above. */
  private routeOf(pane: Pane, report: Report, points: Float32Array): Spot[] {
    const cells = pane.map instanceof CellMap ? pane.map : null;
    return Array.from(report.path, (state, step) => {
      return cells?.spot(state) ?? [points[step * 3], points[step * 3 + 2]];
    });
  }

  take(traces: Traced[], then: Then): void {
    if (this.walking.isOn) return;
    const isFirst = this.traces.length === 0;
    this.traces = traces;
    const wasAtEnd = this.time.at >= this.longest;
    const made = traces.map((traced) => new Trace(traced.events));
    const most = Math.max(...made.map((trace) => trace.expansions));
    this.longest = most;
    if (then === "begin") this.time.at = 0;
    else if (then === "end") this.time.at = most;
    else {
      this.time.at = Math.min(this.time.at, most);
      // What was seen to its end is, also where a search takes longer now.
      if (wasAtEnd && this.time.at < most) this.time.isPlaying = true;
    }
    this.stage.panes.forEach((pane, index) => {
      const { report, points } = traces[index];
      const { touched } = traces[index];
      if (pane.map instanceof BlockMap && touched) pane.map.setStates(touched.states, touched.places);
      const route = this.routeOf(pane, report, points);
      pane.setTrace(made[index], report, route, placesOf(pane, points), this.time.at, traces[index].intervals);
    });
    if (isFirst) this.cutRoofs(placesOf(this.stage.panes[0], traces[0].points));
    if (isOfField(this.colouring)) void this.readField();
    placeEnds(this);
    this.warm();
    this.askWhy();
    this.refresh();
    if (traces.some((traced) => traced.isCut)) {
      this.say("A search is too long to be recorded to its end: the timeline shows its first part.");
    }
    if (this.time.isPlaying) this.time.run();
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

  // ---- searches or agents

  async setMode(mode: "search" | "agents"): Promise<void> {
    if (mode === "agents") {
      if (this.walking.isOn) return;
      this.time.isPlaying = false;
      await this.walking.enter();
      return;
    }
    if (!this.walking.isOn) return;
    this.walking.leave();
    this.time.at = 0;
    this.time.isPlaying = true;
    await this.solve("begin");
  }

  // ---- what is shown

  setLook(look: Look): void {
    this.look = look;
    document.documentElement.dataset.theme = look.isDark ? "dark" : "light";
    this.stage.setLook(look);
    this.walking.setLook();
    this.terrain.show();
    placeEnds(this);
    showLegend(this);
    byId<HTMLSelectElement>("palette").value = look.id;
  }

  /** The values by which states are coloured, where the colouring is by some. */
  field: Field | null = null;

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

  refresh(): void {
    const { most } = this.time;
    const scrub = byId<HTMLInputElement>("scrub");
    scrub.max = String(most);
    scrub.value = String(this.time.at);
    byId("place").textContent = `${grouped(this.time.at)} / ${grouped(most)}`;
    const play = byId("play");
    play.classList.toggle("playing", this.time.isPlaying);
    play.setAttribute("aria-label", this.time.isPlaying ? "Pause" : "Play");
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
    if (error instanceof Cancelled) return;
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
