// What is shown, as files.

import { toFragment } from "wayfare/link";
import type { App } from "./app";
import { Figure } from "./figure";
import { shared } from "./links";
import { css, groundColour } from "./look";
import { CellMap, stateOf, type Spot } from "./maps";
import { CLASS } from "./movement";
import type { Pane } from "./pane";

/** All panes as they are seen, as a figure with title, counters and legend. */
export async function picture(app: App): Promise<Blob> {
  app.stage.draw();
  const figure = new Figure(app);
  figure.draw();
  return new Promise((done, failed) => {
    figure.canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("The browser made no picture."))));
  });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** The first pane as shapes, the whole map. */
export function vectors(app: App): Blob {
  const pane = app.stage.panes[0];
  if (app.opened?.shape.kind === "blocks") throw new Error("Worlds of blocks are exported as PNG.");
  const [left, top, right, bottom] = pane.map.bounds;
  const scale = 1000 / Math.max(right - left, bottom - top);
  const at = ([x, y]: Spot) => `${round((x - left) * scale)},${round((y - top) * scale)}`;
  const [width, height] = [(right - left) * scale, (bottom - top) * scale].map(round);
  const { look } = app;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(app.opened?.about.name ?? "")}</title>`,
    `<rect width="${width}" height="${height}" fill="${css(look.background)}"/>`,
    ...(pane.map instanceof CellMap ? cellsOf(pane, pane.map, scale) : dotsOf(app, pane, scale, at)),
  ];
  const line = (width: number, colour: string) =>
    `<polyline points="${pane.route.map(at).join(" ")}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
  if (pane.isAtEnd && pane.route.length > 0) parts.push(line(7, css(look.pathEdge)), line(4, css(look.path)));
  if (app.ends) {
    const dot = (spot: Spot, radius: number, colour: string) => {
      const [x, y] = at(spot).split(",");
      return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}"/>`;
    };
    parts.push(dot(app.ends.goal.spot, 9, css(look.pathEdge)), dot(app.ends.goal.spot, 7, css(look.goal)));
    parts.push(dot(app.ends.start.spot, 9, css(look.pathEdge)), dot(app.ends.start.spot, 7, css(look.start)));
  }
  return new Blob([...parts, "</svg>"], { type: "image/svg+xml" });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Runs of cells of one colour. */
function cellsOf(pane: Pane, map: CellMap, scale: number): string[] {
  const { width, height, ground, grounds } = map.shape;
  const resting = grounds.map((one) => css(groundColour(one, pane.look)));
  const parts: string[] = [];
  for (let y = 0; y < height; y++) {
    let begun = 0;
    let colour = "";
    for (let x = 0; x <= width; x++) {
      let here = "";
      if (x < width) {
        const cell = y * width + x;
        const tint = pane.colourOf(stateOf(map.shape, cell));
        here = tint ? css(tint[0]) : resting[ground[cell]];
      }
      if (here === colour) continue;
      if (colour) {
        const [from, far, side] = [round(begun * scale), round((x - begun) * scale), round(scale)];
        parts.push(`<rect x="${from}" y="${round(y * scale)}" width="${far}" height="${side}" fill="${colour}"/>`);
      }
      [begun, colour] = [x, here];
    }
  }
  return parts;
}

function dotsOf(app: App, pane: Pane, scale: number, at: (spot: Spot) => string): string[] {
  const shape = app.opened?.shape;
  const parts: string[] = [];
  if (shape?.kind === "points") {
    for (let link = 0; link < shape.links.length; link += 2) {
      const [from, to] = [pane.map.spot(shape.links[link]), pane.map.spot(shape.links[link + 1])];
      if (from && to) parts.push(`<polyline points="${at(from)} ${at(to)}" stroke="${css(app.look.line)}" stroke-opacity="0.4"/>`);
    }
    for (let state = 0; state * 3 < shape.places.length; state++) {
      const [x, y] = at(pane.map.spot(state) as Spot).split(",");
      const colour = pane.colourOf(state)?.[0] ?? app.look.line;
      parts.push(`<circle cx="${x}" cy="${y}" r="${round(Math.min(6, pane.map.pitch * scale * 0.25))}" fill="${css(colour)}"/>`);
    }
  } else if (shape?.kind === "polygons") {
    let begin = 0;
    shape.ends.forEach((end, polygon) => {
      const spots: string[] = [];
      for (let corner = begin; corner < end; corner++) {
        const vertex = shape.corners[corner] * 3;
        spots.push(at([shape.vertices[vertex], shape.vertices[vertex + 2]]));
      }
      const colour = pane.colourOf(polygon)?.[0] ?? app.look.floor;
      parts.push(`<polygon points="${spots.join(" ")}" fill="${css(colour)}" stroke="${css(app.look.line)}" stroke-opacity="0.4"/>`);
      begin = end;
    });
  }
  return parts;
}

/** The searches of all panes, as `wayfare replay` reads them. */
export async function traceFile(app: App): Promise<Blob> {
  if (!app.ends) throw new Error("There is no search to export.");
  // A recording that is shown is exported as it was read.
  if (app.isReplay) return new Blob([(await app.engine.call("recordingBytes")) as Uint8Array<ArrayBuffer>], { type: "application/json" });
  const held = shared(app);
  const { start, goal } = app.ends;
  const link = held && toFragment(held);
  const bytes = await app.engine.call("record", start.state, goal.state, app.asked, link);
  return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/json" });
}

/** The first search as Posthoc reads it: search trace 1.4.0, as JSON, which is YAML too. */
export function posthocFile(app: App): Blob {
  const NAMES = ["generating", "updating", "expanding", "reopening", "end", "restarting"];
  const [traced] = app.traces;
  const pane = app.stage.panes[0];
  if (!traced || !app.ends) throw new Error("There is no search to export.");
  const isCells = app.opened?.shape.kind === "cells";
  // Blocks are seen from above there.
  const above = new Map<number, Spot>();
  const { touched } = traced;
  touched?.states.forEach((state, at) => above.set(state, [touched.places[at * 3], touched.places[at * 3 + 2]]));
  for (const end of Object.values(app.ends)) if (!above.has(end.state)) above.set(end.state, end.spot);
  const place = (state: number) => {
    const [x, y] = pane.map.spot(state) ?? above.get(state) ?? [0, 0];
    return isCells ? { x: Math.floor(x), y: Math.floor(y) } : { x: round(x), y: round(y) };
  };
  const { events } = traced;
  const { start, goal } = app.ends;
  const told: object[] = [
    { type: "source", id: start.state, ...place(start.state) },
    { type: "destination", id: goal.state, ...place(goal.state) },
  ];
  for (let event = 0; event < events.count; event++) {
    const [id, parent] = [events.states[event], events.parents[event]];
    const [g, h] = [events.g[event], events.h[event]];
    const pId = parent === id ? null : parent;
    told.push({ type: NAMES[events.kinds[event]], id, pId, g, h, f: g + h, ...place(id) });
  }
  const size = isCells ? 1 : round(pane.map.pitch * 0.5);
  const form = isCells ? { $: "rect", width: 1, height: 1 } : { $: "circle", radius: size / 2 };
  const middle = isCells ? 0.5 : 0;
  const file = {
    version: "1.4.0",
    views: { main: [{ ...form, x: "${{ $.x }}", y: "${{ $.y }}", fill: "${{ color[$.type] }}" }] },
    pivot: { x: `\${{ $.x + ${middle} }}`, y: `\${{ $.y + ${middle} }}`, scale: isCells ? 1 : round(pane.map.pitch) || 1 },
    events: told,
  };
  return new Blob([JSON.stringify(file)], { type: "application/json" });
}

/** The name of the world as that of a file. */
export function nameOf(app: App): string {
  return (app.opened?.about.name ?? "").replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replaceAll(/^[-.]+|[-.]+$/g, "") || "world";
}

/** The grid as it is painted, as a file of another program; an image has a legend beside it. */
export async function mapFile(app: App, format: string): Promise<[Blob, Blob | null]> {
  if (app.opened?.shape.kind !== "cells" || !app.ends) throw new Error("Only grids are exported as maps. A scene holds waypoints.");
  const { start, goal } = app.ends;
  const { bytes, legend } = await app.engine.call("mapFile", format, start.state, goal.state);
  return [new Blob([bytes as Uint8Array<ArrayBuffer>]), legend === null ? null : new Blob([legend], { type: "application/toml" })];
}

/** The world as a scene with its waypoints one by one; a grid in its form of waypoints. */
export async function sceneFile(app: App): Promise<Blob> {
  if (!app.ends) throw new Error("There is no world to export.");
  const { start, goal } = app.ends;
  return new Blob([await app.engine.call("sceneText", start.state, goal.state)], { type: "application/toml" });
}

/** The query as a Moving AI scenario, version 1: of grids without costs by ground. */
export function scenario(app: App): Blob {
  const shape = app.opened?.shape;
  const cost = app.optimum;
  if (shape?.kind !== "cells" || !app.ends) throw new Error("Only grids have scenarios of Moving AI.");
  const used = new Set(shape.ground);
  const isPlain = shape.grounds.every(
    (ground, number) => !used.has(number) || !ground.is_open || (ground.multiplier === 1 && ground.penalty === 0),
  );
  if (!isPlain) throw new Error("Ground of different costs has no place in a scenario of Moving AI.");
  if (cost === null) throw new Error("A scenario needs the length of a cheapest path, and there is none.");
  const cell = ({ spot }: { spot: Spot }) => spot.map(Math.floor).join("\t");
  const map = (app.opened?.about.name ?? "map").replaceAll(/[\t\n]/g, " ");
  const line = [Math.floor(cost / 4), map, shape.width, shape.height, cell(app.ends.start), cell(app.ends.goal), cost.toFixed(8)];
  return new Blob([`version 1\n${line.join("\t")}\n`], { type: "text/plain" });
}

/** The most painted cells that a program lists. */
const MOST_PAINTED = 400;

/**
 * The query as a program for the crates `wayfare-site` and, for generated worlds,
 * `wayfare-generate`.
 */
export function code(app: App): Blob {
  const text = (value: string) => JSON.stringify(value);
  const place = (spot: Spot, at?: [number, number, number]) => {
    if (at) return at.map((one) => (isMesh ? one.toFixed(3) : String(Math.floor(one)))).join(",");
    const isCells = app.opened?.shape.kind === "cells" && app.opened.about.kind === "tile map";
    return isCells ? `${Math.floor(spot[0])},${Math.floor(spot[1])}` : `${spot[0].toFixed(3)},${spot[1].toFixed(3)}`;
  };
  const { source, ends } = app;
  const [asked] = app.asked;
  const [isBlocks, isMesh] = ["blocks", "polygons"].map((kind) => app.opened?.shape.kind === kind);
  const uses = ["Endpoints", "EngineName", "SearchRequest"];
  const made: string[] = [];
  if (source?.from === "generated") {
    const name = text(`${source.kind}-${source.seed}`);
    made.push(
      "let kinds = Kinds::standard();",
      `let settings = Settings::read(${text(app.worlds.settingsOf(source.kind))}, &kinds)?;`,
      `let made = generate(kinds.get(${text(source.kind)})?, &settings, Seed(${source.seed}))?;`,
    );
    if (isBlocks) {
      uses.push("Site", "VoxelSite");
      made.push(
        'let WorldDraft::Blocks(blocks) = &made.draft else { return Err("no world of blocks".into()) };',
        `let mut site = VoxelSite::new(${name}.as_ref(), &blocks.scene, blocks.profile.clone())?;`,
      );
    } else {
      uses.push("OpenOptions", "build");
      made.push(
        `let world = made.map(${name})?.map_or_else(|| made.document(${name}), Ok)?;`,
        `let mut site = build(${name}.as_ref(), world, &OpenOptions::default())?;`,
      );
    }
  } else {
    const file = source?.from === "sample" ? source.name : (app.opened?.about.file ?? "");
    const named = app.movement.changes.find((change) => change.startsWith(CLASS));
    uses.push("OpenOptions", named ? "open_as" : "open");
    made.push(
      named
        ? `let mut site = open_as(${text(file)}, &OpenOptions::default(), ${text(named.slice(CLASS.length))})?;`
        : `let mut site = open(${text(file)}, &OpenOptions::default())?;`,
    );
  }
  const changes = changesOf(app, uses, `site.find(${text(place(ends?.start.spot ?? [0, 0], ends?.start.place))})?`);
  // What nothing changes is not mutable.
  if (changes.length === 0) made.forEach((line, at) => (made[at] = line.replace("let mut site", "let site")));
  const set: string[] = [];
  // Searches on meshes have their own.
  const heuristic = isMesh ? "natural" : (asked.heuristic ?? "natural");
  if (heuristic !== "natural") {
    set.push(
      `let named = NamedHeuristic::ALL.into_iter().find(|(name, _)| *name == ${text(heuristic)});`,
      'request.options.heuristic = named.ok_or("no such heuristic")?.1;',
    );
  }
  if (asked.weight) set.push(`request.options.weight = wayfare::search::Weight::new(${asked.weight.toFixed(2)})?;`);
  if (asked.ignoreOwnCosts) set.push("request.options.ignore_own_costs = true;");
  if (app.limit !== null) set.push(`request.max_expansions = Some(${app.limit});`);
  const generate = isBlocks ? "{Kinds, Seed, Settings, WorldDraft, generate}" : "{Kinds, Seed, Settings, generate}";
  const lines = [
    ...(heuristic === "natural" ? [] : ["use wayfare::search::NamedHeuristic;"]),
    ...(source?.from === "generated" ? [`use wayfare_generate::${generate};`] : []),
    `use wayfare_site::{${[...new Set(uses)].sort((a, b) => a.localeCompare(b)).join(", ")}};`,
    "",
    "fn main() -> Result<(), Box<dyn std::error::Error>> {",
    ...[
      ...made,
      ...changes,
      "let ends = Endpoints {",
      `    start: site.find(${text(place(ends?.start.spot ?? [0, 0], ends?.start.place))})?,`,
      `    goal: site.find(${text(place(ends?.goal.spot ?? [0, 0], ends?.goal.place))})?,`,
      "};",
      `let engine: EngineName = ${text(asked.algorithm ?? "astar")}.parse()?;`,
      `let ${set.length > 0 ? "mut " : ""}request = SearchRequest::new(engine, ends);`,
      ...set,
      "let report = site.searcher().run(&request, &mut |_| ());",
      'println!("{} steps, {} expansions", report.path.len(), report.stats.expanded);',
      "Ok(())",
    ].map((line) => `    ${line}`),
    "}",
    "",
  ];
  return new Blob([lines.join("\n")], { type: "text/plain" });
}

/** The lines that paint cells and set the costs of grounds as it was done here. */
function changesOf(app: App, uses: string[], start: string): string[] {
  const lines: string[] = [];
  const shape = app.opened?.shape;
  const edits = app.painting.edits().filter(({ states }) => states.length > 0);
  const painted = edits.reduce((sum, { states }) => sum + states.length, 0);
  if (painted > MOST_PAINTED) lines.push(`// ${painted} painted cells are left out.`);
  else if (shape?.kind === "cells") {
    for (const { ground, states } of edits) {
      // By number: the state of a cell is where it lies in this world.
      lines.push(`for state in [${states.join(", ")}] {`, `    site.set_ground(&[(state, ${JSON.stringify(ground)})])?;`, "}");
    }
  }
  const changes = app.movement.changes.filter((change) => !change.startsWith(CLASS));
  if (changes.length > 0) {
    lines.push("// Ground is entered as at the start.", `let from = ${start};`);
    for (const change of changes) lines.push(`site.adapt(${JSON.stringify(change)}, from)?;`);
  }
  const { prices, blur } = app.terrain.changes();
  const number = (value: number) => (Number.isInteger(value) ? value.toFixed(1) : String(value));
  for (const { ground, isOpen, multiplier, penalty } of prices) {
    uses.push("GroundCost");
    lines.push(
      `let cost = GroundCost { is_open: ${isOpen}, multiplier: ${number(multiplier)}, penalty: ${number(penalty)} };`,
      `site.set_ground_cost(${JSON.stringify(ground)}, cost)?;`,
    );
  }
  if (blur !== null) lines.push(`site.set_blur(${blur})?;`);
  return lines;
}
