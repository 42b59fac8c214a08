// <wayfare-view link="#s=…">: the world and the search of a link to the studio, in any page.
import { startEngine } from "../worker/index.js";
import { picture } from "./draw.js";
import { fromFragment } from "./link.js";

/** One engine serves all elements of a page. */
let started = null;
/** The studio's name for the class of agents that sees a world. */
const CLASS = "class=";
const SECONDS = 6;

const SHADOW = `
  <style>
    :host { display: flex; flex-direction: column; aspect-ratio: 3 / 2; color-scheme: light dark; font: 13px system-ui, sans-serif; }
    :host([hidden]) { display: none; }
    canvas { flex: 1; min-height: 0; width: 100%; border-radius: inherit; }
    div { display: flex; gap: 8px; align-items: baseline; min-height: 28px; }
    button { font: inherit; cursor: pointer; }
    p { margin: 0; }
  </style>
  <canvas role="img"></canvas><div><button type="button" hidden>Play</button><p aria-live="polite"></p></div>`;

export class WayfareView extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = ["link", "worlds"];

  #canvas;
  #button;
  #words;
  #picture = null;
  /** The part of the search that is shown, 0 to 1. */
  #progress = 1;
  /** The time of the last frame; `null` while it rests. */
  #before = null;
  /** Counts loads: an older one gives up. */
  #load = 0;
  #sized = null;

  connectedCallback() {
    if (!this.shadowRoot) {
      this.attachShadow({ mode: "open" }).innerHTML = SHADOW;
      this.#canvas = this.shadowRoot.querySelector("canvas");
      this.#button = this.shadowRoot.querySelector("button");
      this.#words = this.shadowRoot.querySelector("p");
      this.#button.addEventListener("click", () => (this.#before === null ? this.play() : this.pause()));
    }
    this.#sized = new ResizeObserver(() => this.#draw());
    this.#sized.observe(this);
    void this.#open();
  }

  disconnectedCallback() {
    this.#load++;
    this.#sized.disconnect();
    this.pause();
  }

  attributeChangedCallback() {
    if (this.#sized) void this.#open();
  }

  /** The part of the search that is shown, 0 to 1. */
  get progress() {
    return this.#progress;
  }

  set progress(part) {
    this.#progress = Math.min(Math.max(Number(part) || 0, 0), 1);
    this.#draw();
  }

  /** Plays on, or from the beginning where the end is shown. */
  play() {
    if (!this.#picture || this.#before !== null) return;
    if (this.#progress === 1) this.#progress = 0;
    this.#before = performance.now();
    this.#button.textContent = "Pause";
    requestAnimationFrame((now) => this.#frame(now));
  }

  pause() {
    this.#before = null;
    if (this.#button) this.#button.textContent = "Play";
  }

  #frame(now) {
    if (this.#before === null) return;
    const seconds = Number(this.getAttribute("seconds")) || SECONDS;
    this.progress = this.#progress + Math.max(now - this.#before, 0) / 1000 / seconds;
    this.#before = now;
    if (this.#progress < 1) {
      requestAnimationFrame((next) => this.#frame(next));
      return;
    }
    this.pause();
    this.dispatchEvent(new Event("end"));
  }

  #draw() {
    const [width, height] = [this.#canvas.clientWidth, this.#canvas.clientHeight].map((side) => Math.round(side * (globalThis.devicePixelRatio || 1)));
    if (!this.#picture || width === 0 || height === 0) return;
    if (this.#canvas.width !== width || this.#canvas.height !== height) Object.assign(this.#canvas, { width, height });
    this.#picture.draw(this.#canvas, this.#progress, matchMedia("(prefers-color-scheme: dark)").matches);
  }

  async #open() {
    const load = ++this.#load;
    this.pause();
    this.#picture = null;
    this.#button.hidden = true;
    this.#words.textContent = "";
    try {
      const link = this.getAttribute("link") ?? "";
      const reading = fromFragment(link.includes("#") ? link.slice(link.indexOf("#")) : link);
      if (!reading.ok) throw new Error(reading.problem);
      if (!reading.shared) return;
      const made = await this.#search(reading.shared);
      if (load !== this.#load) return;
      this.#show(made);
    } catch (error) {
      if (load !== this.#load) return;
      this.#words.textContent = error.message;
      this.dispatchEvent(new CustomEvent("problem", { detail: error.message }));
    }
  }

  #show({ title, words, picture }) {
    this.#picture = picture;
    this.#words.textContent = words;
    this.#canvas.setAttribute("aria-label", `${title}: ${words}`);
    this.#button.hidden = false;
    this.#progress = 1;
    this.#draw();
    this.dispatchEvent(new Event("ready"));
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (this.hasAttribute("autoplay") && !isStill) this.play();
  }

  /** Opens the world of a link as it was shared, and makes its first search. */
  async #search(shared) {
    const { start, goal, algorithms, edits, places, settings } = shared;
    started ??= startEngine();
    const engine = await started;
    const world = await this.#world(engine, shared);
    try {
      const movement = (settings?.movement ?? []).filter((change) => !change.startsWith(CLASS));
      for (const { ground, states } of edits) await world.setGround(Uint32Array.from(states), ground);
      for (const change of movement) await world.adapt(change, start);
      for (const { ground, isOpen, multiplier, penalty } of settings?.prices ?? []) {
        await world.setGroundCost(ground, isOpen, multiplier, penalty);
      }
      if (settings && settings.blur !== null) await world.setBlur(settings.blur);

      const [from, to] = places ? [await world.find(places.slice(0, 3).join()), await world.find(places.slice(3).join())] : [start, goal];
      const asked = {
        algorithm: algorithms[0],
        heuristic: settings?.heuristics[0] ?? undefined,
        ignoreOwnCosts: settings?.ignores[0] ?? undefined,
        weight: settings?.weights[0] ?? undefined,
        maxExpansions: settings?.limit ?? undefined,
      };
      const expanded = [];
      const report = await world.search(from, to, asked, {
        onEvents: ({ kinds, states }) => states.forEach((state, at) => kinds[at] === 2 && expanded.push(state)),
      });
      const { name } = await world.about();
      const known = await engine.call("algorithms");
      const { title } = known.find((one) => one.name === algorithms[0]);
      const ending = report.found ? `cost ${Math.round(report.cost * 100) / 100}` : (report.reason ?? report.ending);
      return {
        title: name,
        words: `${title}: ${report.expanded} expanded, ${ending}`,
        picture: await picture(world, Uint32Array.from(expanded), report.path, Uint32Array.of(from, to)),
      };
    } finally {
      void world.free();
    }
  }

  async #world(engine, { source, settings }) {
    if (source.from === "generated") return engine.generate(source.kind, source.seed);
    const folder = this.getAttribute("worlds");
    if (!folder) throw new Error(`The link shows ${source.name}: the attribute worlds says in which folder it is.`);
    const address = new URL(encodeURIComponent(source.name), new URL(folder.replace(/\/?$/, "/"), document.baseURI));
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${source.name} is not at ${address}.`);
    const named = settings?.movement.find((change) => change.startsWith(CLASS));
    const options = named && { class: named.slice(CLASS.length) };
    return engine.open(source.name, new Uint8Array(await answer.arrayBuffer()), undefined, options);
  }
}

globalThis.customElements?.define("wayfare-view", WayfareView);
