// Agents on the map: a simulation that is played, stepped, taken back and meddled with.

import type { AgentAbout, Agents, Limits, PlannerAbout, SceneAbout, Scenery } from "wayfare/agents";
import type { App } from "./app";
import { removePane } from "./panes";
import { endAbove, endAt } from "./ends";
import { CLIPS } from "./clips";
import { densityOf } from "./density";
import { showSwatches, type Swatch } from "./details";
import { FlatBodies, teamColour, type Bodies, type Frame } from "./bodies";
import { byId, facts, grouped, make, tidy } from "./dom";
import type { Moment } from "./engine.worker";
import { CellMap, stateOf, type Spot } from "./maps";
import { isInSpace, type Place } from "./space";
import { SpaceBodies } from "./space-bodies";

export type AgentTool = "send" | "block" | "danger";

/** The ticks that the chart of requests shows. */
const CHARTED = 240;
/** How near to an agent the pointer chooses it, in pixels. */
const REACH = 14;
/** Radius of an obstacle and of a danger that are placed, in metres. */
const [OBSTACLE, DANGER] = [1.2, 3];
/** A density that crowds seldom go beyond, in agents a square metre. */
const CROWDED = 4;
/** What danger costs, in metres walked. */
const FEARED = 25;
const SLIDERS = ["max_speed", "acceleration", "angular_speed", "turn_radius", "stopping_distance"] as const;

export class Walking {
  private readonly app: App;
  isOn = false;
  about: SceneAbout | null = null;
  now = 0;
  furthest = 0;
  agents: Agents | null = null;
  scenery: Scenery | null = null;
  planner: PlannerAbout | null = null;
  chosen = -1;
  agent: AgentAbout | null = null;
  tool: AgentTool = "send";
  isFollowing = false;
  /** Requests at each tick, the latest last. */
  private queue: { tick: number; waiting: number; done: number }[] = [];
  private way: Float32Array | null = null;
  private blend: Float32Array | null = null;
  private bodies: Bodies | null = null;
  private target: number | null = null;
  private isGoing = false;
  /** Clicks and changes that are not carried out yet. */
  private pending = 0;
  private frame = 0;
  private lastScenery = 0;
  private isOwnScene = false;
  private showsDensity = false;
  /** The ground from a tick on, the first one of all first; only of grids. */
  private grounds: { tick: number; ground: Uint8Array }[] = [];
  /** The ground as it was before the agents came. */
  private before: Uint8Array | null = null;
  private resets = 0;
  private dabbed: Spot | null = null;

  constructor(app: App) {
    this.app = app;
    for (const button of byId("agent-tools").querySelectorAll<HTMLButtonElement>("[data-agent-tool]")) {
      button.addEventListener("click", () => this.choose(button.dataset.agentTool as AgentTool));
    }
    byId("clear").addEventListener("click", () => void this.meddle(() => app.engine.call("clearObstacles")));
    for (const id of ["count", "avoidance"]) byId(id).addEventListener("change", () => void this.repopulate());
    byId("again").addEventListener("click", () => void this.repopulate(1));
    byId<HTMLInputElement>("follow").addEventListener("change", (event) => {
      this.isFollowing = (event.target as HTMLInputElement).checked;
      this.show();
    });
    byId("reset").addEventListener("click", () => void this.reset());
    byId("density").addEventListener("change", () => this.toggleDensity(byId<HTMLInputElement>("density").checked));
    for (const name of SLIDERS) byId(name).addEventListener("change", () => void this.limit());
    byId("auto_braking").addEventListener("change", () => void this.limit());
  }

  // ---- beginning and end

  /** Puts agents on the open world: those of its scene, or as many as are asked for. */
  async enter(): Promise<boolean> {
    const { app } = this;
    try {
      const count = Math.max(1, Math.min(5000, Math.trunc(byId<HTMLInputElement>("count").valueAsNumber || 1)));
      const avoidance = byId<HTMLSelectElement>("avoidance").value;
      const begun = await app.engine.call("agents", { count, seed: this.seed, avoidance });
      this.about = begun.about;
      this.isOwnScene = begun.isScene;
      this.begin(begun.frame);
      this.take(begun.moment);
      this.play();
      return true;
    } catch (error) {
      if (this.isOn) this.leave();
      app.fail(error);
      return false;
    }
  }

  private seed = 1;

  private async repopulate(bySeed = 0): Promise<void> {
    this.seed += bySeed;
    if (this.isOn) await this.enter();
  }

  private begin(frame: Frame): void {
    const { app } = this;
    const shape = app.opened?.shape;
    if (shape?.kind === "cells") {
      if (!this.isOn) this.before = shape.ground.slice();
      this.grounds = [{ tick: -1, ground: shape.ground.slice() }];
    } else this.grounds = [];
    this.isOn = true;
    document.body.dataset.mode = "agents";
    while (app.stage.panes.length > 1) removePane(app, app.stage.panes.length - 1);
    const [pane] = app.stage.panes;
    pane.forget();
    this.bodies?.dispose();
    this.bodies = isInSpace(pane.map) ? new SpaceBodies(app.look) : new FlatBodies(app.look, pane.map instanceof CellMap);
    this.bodies.setFrame(frame);
    pane.setBodies(this.bodies);
    [this.queue, this.target, this.chosen, this.agent, this.way] = [[], null, -1, null, null];
    [this.now, this.furthest] = [0, 0];
    byId("population").hidden = this.isOwnScene;
    byId("reset").hidden = app.source?.from !== "generated" || this.grounds.length === 0;
    const { about } = this;
    if (this.isOwnScene && about) byId("about").textContent = about.description || about.name;
    showSwatches(byId("teams"), this.teams);
    this.showModes();
    this.choose(this.tool);
  }

  /** `isReplaced`: another world is open by now. */
  leave(isReplaced = false): void {
    if (!this.isOn) return;
    if (this.before && !isReplaced) this.setGround(this.before);
    this.before = null;
    this.isOn = false;
    cancelAnimationFrame(this.frame);
    this.app.time.isPlaying = false;
    delete document.body.dataset.mode;
    this.app.stage.panes[0]?.setBodies(null);
    this.bodies?.dispose();
    this.bodies = null;
    this.agents = null;
    void this.app.engine.call("endAgents");
    this.showModes();
  }

  private showModes(): void {
    for (const button of byId("modes").querySelectorAll<HTMLElement>("[data-mode-choice]")) {
      button.setAttribute("aria-checked", String((button.dataset.modeChoice === "agents") === this.isOn));
    }
  }

  setLook(): void {
    if (!this.bodies) return;
    this.bodies.setLook(this.app.look);
    showSwatches(byId("teams"), this.teams);
    this.show();
  }

  // ---- time

  get seconds(): number {
    return this.now * (this.about?.tickSeconds ?? 0);
  }

  /** Goes to a tick; the latest wish counts. */
  goTo(tick: number): void {
    const most = Math.max(this.furthest, this.now);
    this.target = Math.max(0, Math.min(Math.trunc(tick), most));
    void this.go();
  }

  step(by: number): void {
    this.pause();
    const to = by === Infinity ? this.furthest : this.now + by;
    this.target = Math.max(0, by === -Infinity ? 0 : Math.trunc(to));
    void this.go();
  }

  private async go(): Promise<void> {
    if (this.isGoing) return;
    this.isGoing = true;
    try {
      while (this.target !== null && this.isOn) {
        const tick = this.target;
        this.target = null;
        const wants = performance.now() - this.lastScenery > 250 || tick < this.now;
        this.take(await this.app.engine.call("agentsAt", tick, this.chosen, wants || !this.app.time.isPlaying));
      }
    } catch (error) {
      // Of agents that are gone by now, with their world, nothing is told.
      if (this.isOn) {
        this.pause();
        this.app.fail(error);
      }
    } finally {
      this.isGoing = false;
    }
  }

  play(): void {
    this.app.time.isPlaying = true;
    cancelAnimationFrame(this.frame);
    let before = performance.now();
    let exact = this.now;
    const next = (time: number) => {
      if (!this.app.time.isPlaying || !this.isOn) return;
      const speed = 10 ** ((Number(byId<HTMLInputElement>("speed").value) - 50) / 25);
      // A frame that comes late does not leap. An engine that is slower than time sets the pace.
      const elapsed = Math.max(0, Math.min(100, time - before)) / 1000;
      exact = Math.min(this.now + 40, Math.max(exact, this.now) + (elapsed * speed) / (this.about?.tickSeconds || 0.05));
      before = time;
      if (!this.isGoing && Math.trunc(exact) > this.now) {
        this.target = Math.trunc(exact);
        void this.go();
      }
      this.frame = requestAnimationFrame(next);
    };
    this.frame = requestAnimationFrame(next);
    this.refresh();
  }

  pause(): void {
    this.app.time.isPlaying = false;
    cancelAnimationFrame(this.frame);
    this.refresh();
  }

  private take(moment: Moment): void {
    if (!this.isOn) return;
    this.now = moment.now;
    this.furthest = moment.furthest;
    this.agents = moment.agents;
    this.planner = moment.planner;
    this.agent = moment.agent;
    this.way = moment.way;
    this.blend = moment.blend;
    if (moment.scenery) {
      this.scenery = moment.scenery;
      this.lastScenery = performance.now();
    }
    this.queue = this.queue.filter(({ tick }) => tick < moment.now);
    this.queue.push({
      tick: moment.now,
      waiting: moment.planner.queued + moment.planner.running,
      done: moment.planner.finished,
    });
    this.showGround();
    if (this.queue.length > CHARTED) this.queue.splice(0, this.queue.length - CHARTED);
    this.show();
    this.refresh();
  }

  // ---- meddling

  choose(tool: AgentTool): void {
    this.tool = tool;
    for (const button of byId("agent-tools").querySelectorAll<HTMLElement>("[data-agent-tool]")) {
      button.setAttribute("aria-checked", String(button.dataset.agentTool === tool));
    }
    byId("stage").classList.toggle("painting", this.isOn && tool !== "send");
  }

  /** A change, and the picture after the next tick: it is carried out then. */
  private async meddle(change: () => Promise<unknown>): Promise<void> {
    this.pending++;
    try {
      await change();
      // What came later is forgotten.
      this.grounds = this.grounds.filter(({ tick }) => tick <= this.now);
      this.lastScenery = 0;
      if (!this.app.time.isPlaying) this.target = this.now + 1;
      if (this.target !== null) await this.go();
    } catch (error) {
      if (this.isOn) this.app.fail(error);
    } finally {
      this.pending--;
    }
  }

  /** Swaps the generated ground and its puzzles for those of the next seed, under the agents. */
  async reset(): Promise<void> {
    const { app, grounds } = this;
    const { source } = app;
    if (source?.from !== "generated" || grounds.length === 0) {
      app.say("Only generated grids are reset: choose one under Worlds.");
      return;
    }
    const seed = (source.seed + ++this.resets) % Number.MAX_SAFE_INTEGER;
    await this.meddle(async () => {
      // No tick goes by between the change of the engine's ground and that of the world.
      await this.idle();
      const ground = await app.engine.call("resetGround", seed);
      this.grounds = this.grounds.filter(({ tick }) => tick <= this.now);
      this.grounds.push({ tick: this.now, ground });
      this.showGround();
      app.say(`The ground is that of seed ${seed} now. Step back, and it is as it was.`);
    });
  }

  /** Until no tick is under way. */
  private async idle(): Promise<void> {
    this.target = null;
    while (this.isGoing) await new Promise((next) => setTimeout(next, 5));
  }

  /** Shows the ground of the present tick. */
  private showGround(): void {
    const present = this.grounds.findLast(({ tick }) => tick <= this.now);
    if (present) this.setGround(present.ground);
  }

  /** Gives cells another ground, on the map and in the engine's world. */
  private setGround(ground: Uint8Array): void {
    const { app } = this;
    const shape = app.opened?.shape;
    const map = app.stage.panes[0]?.map;
    if (shape?.kind !== "cells" || !(map instanceof CellMap)) return;
    const changed = new Map<number, number[]>();
    ground.forEach((number, cell) => {
      if (shape.ground[cell] === number) return;
      const states = changed.get(number) ?? [];
      states.push(stateOf(shape, cell));
      changed.set(number, states);
    });
    if (changed.size === 0) return;
    shape.ground.set(ground);
    map.showGround();
    for (const [number, states] of changed) {
      const painted = app.engine.call("paint", Uint32Array.from(states), shape.grounds[number].name);
      painted.catch((error: unknown) => app.fail(error));
    }
    app.stage.ask();
  }

  /** Paints danger where the pointer is pulled. */
  async brush(spot: Spot): Promise<void> {
    const { app, bodies, dabbed } = this;
    if (!bodies) return;
    const [x, z] = bodies.metres(spot);
    if (dabbed && Math.hypot(dabbed[0] - x, dabbed[1] - z) < DANGER) return;
    this.dabbed = [x, z];
    await this.meddle(() => app.engine.call("endanger", x, 0, z, DANGER, FEARED));
  }

  toggleDensity(isShown = !this.showsDensity): void {
    this.showsDensity = isShown;
    byId<HTMLInputElement>("density").checked = isShown;
    this.show();
    this.refresh();
  }

  /** The agent near a point of the window; -1 if there is none. */
  near(clientX: number, clientY: number): number {
    const { agents, bodies, app } = this;
    const [pane] = app.stage.panes;
    if (!agents || !bodies || !pane) return -1;
    let [best, nearest] = [-1, REACH];
    for (let at = 0; at < agents.count; at++) {
      const [x, y, z] = agents.places.subarray(at * 3, at * 3 + 3);
      const [left, top] = isInSpace(pane.map)
        ? app.stage.project(pane, [x, y + 0.8, z])
        : app.stage.over(pane, bodies.spot(x, z));
      const far = Math.hypot(left - clientX, top - clientY);
      if (far < nearest) [best, nearest] = [agents.ids[at], far];
    }
    return best;
  }

  /** Whether the end of a link is under the pointer. */
  isPassage(clientX: number, clientY: number): boolean {
    return this.beyond(clientX, clientY) !== null;
  }

  /** Where a passage leads whose entrance or exit is at a point of the window; `null` for none there. */
  private beyond(clientX: number, clientY: number): Place | null {
    const { scenery, bodies, app } = this;
    const [pane] = app.stage.panes;
    if (!scenery || !bodies) return null;
    for (const { ends, one_way } of scenery.links) {
      const near = ends.findIndex(([x, y, z]) => {
        const [left, top] = isInSpace(pane.map) ? app.stage.project(pane, [x, y, z]) : app.stage.over(pane, bodies.spot(x, z));
        return Math.hypot(left - clientX, top - clientY) < REACH;
      });
      if (near >= 0) return ends[one_way ? 1 : 1 - near];
    }
    return null;
  }

  /** A click: chooses the agent there, or does what the tool does. */
  async click(spot: Spot, block: Place | null, clientX: number, clientY: number): Promise<void> {
    this.pending++;
    try {
      await this.act(spot, block, clientX, clientY);
    } finally {
      this.pending--;
    }
  }

  private async act(spot: Spot, block: Place | null, clientX: number, clientY: number): Promise<void> {
    const { app, bodies } = this;
    if (!bodies) return;
    const near = this.near(clientX, clientY);
    if (this.tool === "send" && near >= 0) {
      this.chosen = near === this.chosen ? -1 : near;
      this.target = this.now;
      await this.go();
      return;
    }
    const exit = this.tool === "send" ? this.beyond(clientX, clientY) : null;
    if (exit) {
      const ids = this.ordered;
      this.sayHeld(ids);
      await this.meddle(() => app.engine.call("order", ids, ...exit));
      return;
    }
    const end = block ? await endAbove(app, block) : await endAt(app, spot);
    if (!end) return;
    const at = await app.engine.call("positions", Uint32Array.of(end.state));
    const isPoint = app.opened?.shape.kind === "points";
    const [x, z] = block || isPoint ? [at[0], at[2]] : bodies.metres(spot);
    const height = at[1];
    if (this.tool === "block") await this.meddle(() => app.engine.call("block", x, height, z, OBSTACLE));
    else if (this.tool === "danger") await this.meddle(() => app.engine.call("endanger", x, height, z, DANGER, FEARED));
    else {
      const ids = this.ordered;
      this.sayHeld(ids);
      await this.meddle(() => app.engine.call("order", ids, x, height, z));
    }
  }

  /** Who takes an order: the chosen agent, else all. */
  private get ordered(): Uint32Array {
    return this.chosen >= 0 ? Uint32Array.of(this.chosen) : (this.agents?.ids ?? new Uint32Array(0));
  }

  /** Tells of the agents in passages, who are held there, before orders to them. */
  private sayHeld(ids: Uint32Array): void {
    const inside = ids.filter((id) => this.stateOf(id) === 1).length;
    if (inside === 0) return;
    if (ids.length === 1) this.app.say(`${this.agent?.name ?? "The agent"} is in a passage, and goes on when it is through.`);
    else this.app.say(`${grouped(inside)} of ${grouped(ids.length)} agents are in passages, and go on when they are through.`);
  }

  private stateOf(agent: number): number {
    const at = this.agents?.ids.indexOf(agent) ?? -1;
    return at < 0 ? 0 : (this.agents?.states[at] ?? 0);
  }

  private async limit(): Promise<void> {
    const { agent, chosen } = this;
    if (!agent || chosen < 0) return;
    const limits: Limits = { ...agent.limits };
    for (const name of SLIDERS) limits[name] = Number(byId<HTMLInputElement>(name).value);
    limits.auto_braking = byId<HTMLInputElement>("auto_braking").checked;
    await this.meddle(() => this.app.engine.call("setLimits", chosen, limits));
  }

  // ---- what is shown

  private show(): void {
    const { agents, bodies, app, scenery } = this;
    if (!agents || !bodies) return;
    bodies.setAgents(agents, this.chosen);
    if (scenery) bodies.setScenery(scenery, this.way);
    const density = this.showsDensity ? densityOf(agents.places) : null;
    if (density) density.bins = density.bins.filter(({ x, z }) => this.isOpen(bodies.spot(x, z)));
    bodies.setDensity(density, CROWDED);
    byId("density-text").textContent = density
      ? `Up to ${tidy(Math.round(density.most * 10) / 10)} a square metre; bright from ${CROWDED}.`
      : "";
    const at = this.chosen >= 0 ? agents.ids.indexOf(this.chosen) : -1;
    if (this.isFollowing && at >= 0) {
      const [x, y, z] = agents.places.subarray(at * 3, at * 3 + 3);
      if (isInSpace(app.stage.panes[0].map)) app.stage.orbit.target.set(x, y, z);
      else [app.stage.view.x, app.stage.view.y] = bodies.spot(x, z);
    }
    app.stage.ask();
  }

  /** Whether agents can be at a place of a grid; elsewhere it is not known. */
  private isOpen([x, y]: Spot): boolean {
    const shape = this.app.opened?.shape;
    if (shape?.kind !== "cells") return true;
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const isInside = column >= 0 && row >= 0 && column < shape.width && row < shape.height;
    return isInside && shape.grounds[shape.ground[row * shape.width + column]].is_open;
  }

  /** The teams that have names, by their colours. */
  get teams(): Swatch[] {
    const named = (this.about?.teams ?? []).map((name, team) => ({ name, team })).filter(({ name }) => name);
    return named.map(({ name, team }) => ({ text: name, colours: [teamColour(team)] }));
  }

  refresh(): void {
    if (!this.isOn || !this.about) return;
    const scrub = byId<HTMLInputElement>("scrub");
    scrub.max = String(this.furthest);
    scrub.value = String(this.now);
    const total = this.furthest * this.about.tickSeconds;
    byId("place").textContent = `${this.seconds.toFixed(1)} / ${total.toFixed(1)} s`;
    const play = byId("play");
    play.classList.toggle("playing", this.app.time.isPlaying);
    play.setAttribute("aria-label", this.app.time.isPlaying ? "Pause" : "Play");
    const [pane] = this.app.stage.panes;
    const list = pane?.element.querySelector(".counters") as HTMLElement | null;
    const { agents, planner, agent } = this;
    if (list && agents && planner) {
      const moving = agents.speeds.reduce((sum, speed) => sum + (speed > 0.01 ? 1 : 0), 0);
      const rows: [string, string][] = [
        ["agents", grouped(agents.count)],
        ["moving", grouped(moving)],
        ["paths", grouped(planner.done)],
        ["waiting for one", grouped(planner.queued + planner.running)],
      ];
      if (planner.failed > 0) rows.push(["without a path", grouped(planner.failed)]);
      facts(list, rows);
    }
    byId("chosen").hidden = !agent;
    byId("nobody").hidden = agent !== null;
    if (agent) {
      byId("agent-name").textContent = agent.name;
      const at = this.agents?.ids.indexOf(this.chosen) ?? -1;
      const speed = at >= 0 ? (this.agents?.speeds[at] ?? 0) : 0;
      byId("agent-text").textContent = `${agent.text}, ${tidy(Math.round(speed * 100) / 100)} m/s`;
      this.showBlend();
      for (const name of SLIDERS) {
        const slider = byId<HTMLInputElement>(name);
        if (document.activeElement !== slider) slider.value = String(agent.limits[name]);
      }
      byId<HTMLInputElement>("auto_braking").checked = agent.limits.auto_braking;
    }
    this.chart();
  }

  /** The weights of the chosen agent's animations, as bars. */
  private showBlend(): void {
    const { blend } = this;
    if (!blend) return;
    const parts = CLIPS.map(([name], clip) => {
      const row = make("div", "", "bar");
      const bar = make("span");
      bar.style.width = `${Math.round(blend[clip] * 100)}%`;
      row.append(make("span", name, "name"), bar, make("output", `${Math.round(blend[clip] * 100)} %`));
      return row;
    });
    byId("blend").replaceChildren(...parts);
    const rate = blend[CLIPS.length];
    byId("blend").title = `Played ${rate.toFixed(2)} times as fast`;
  }

  /** The requests of the last ticks: those that wait, and those answered. */
  private chart(): void {
    const canvas = byId<HTMLCanvasElement>("queue");
    const context = canvas.getContext("2d");
    if (!context) return;
    const { width, height } = canvas;
    const style = getComputedStyle(document.documentElement);
    const most = Math.max(4, ...this.queue.map(({ waiting, done }) => Math.max(waiting, done)));
    const [from] = this.queue;
    const to = this.queue[this.queue.length - 1];
    context.clearRect(0, 0, width, height);
    if (!from || !to) return;
    const span = Math.max(60, to.tick - from.tick);
    const x = (tick: number) => width - ((to.tick - tick) / span) * width;
    const y = (count: number) => height - 2 - (count / most) * (height - 16);
    context.fillStyle = style.getPropertyValue("--accent");
    for (const { tick, done } of this.queue) if (done > 0) context.fillRect(x(tick) - 1, y(done), 2, height - y(done));
    context.strokeStyle = style.getPropertyValue("--text");
    context.lineWidth = 1.5;
    context.beginPath();
    for (const { tick, waiting } of this.queue) context.lineTo(x(tick), y(waiting));
    context.stroke();
    byId("queue-text").textContent = `${grouped(to.waiting)} waiting, ${grouped(to.done)} answered in this tick; ${grouped(most)} at the top`;
  }
}
