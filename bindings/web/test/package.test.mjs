// The package in Node: node --test
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { Recording, World, algorithms, heuristics, kinds, offMap } from "wayfare";
import { Simulation } from "wayfare/agents";

const root = new URL("../../../", import.meta.url);
const bytes = (text) => new TextEncoder().encode(text);
const shipped = (name) => World.open(name, readFileSync(new URL(`worlds/${name}`, root)));
/** Agents on a grid. */
const populate = (world, count, seed, avoidance) =>
  Simulation.open("agents.toml", bytes(world.populated(count, seed, avoidance)));
const yard = () => World.open("yard.txt", bytes("S..\n.#.\n..G\n"));

test("traces have the hashes that they have natively", () => {
  const lines = readFileSync(new URL("testdata/traces.txt", root), "utf8").trimEnd().split("\n");
  assert.ok(lines.length > 100);
  let world = null;
  let open = "";
  for (const line of lines) {
    const [hash, name, algorithm] = line.split(" ");
    if (name !== open) {
      world?.free();
      world = shipped(name);
      open = name;
    }
    const [start, goal] = world.ends();
    const search = world.search(start, goal, { algorithm, maxExpansions: 20000 });
    while (!search.step(777));
    assert.equal(search.traceHash(), hash, line);
    search.free();
  }
});

test("every search on every case has the hash that it has natively", () => {
  const cases = JSON.parse(readFileSync(new URL("testdata/case-worlds.json", root), "utf8"));
  assert.ok(cases.length > 70);
  let count = 0;
  for (const { name, file, text, agent, start, goal, hashes } of cases) {
    const world = World.open(file, bytes(text), undefined, agent);
    const ends = [start, goal].map((place) => world.find(place));
    for (const [algorithm, hash] of Object.entries(hashes)) {
      const search = world.search(...ends, { algorithm });
      while (!search.step(77));
      assert.equal(search.traceHash(), hash, `${name}, ${algorithm}`);
      search.free();
      count++;
    }
    world.free();
  }
  assert.ok(count > 700, `${count} searches`);
});

test("a search is stepped, and its events come once each", () => {
  const world = yard();
  const [start, goal] = world.ends();
  assert.equal(world.place(start), "0,0");
  const search = world.search(start, goal, { algorithm: "dijkstra" });
  const kinds = [];
  let isDone = false;
  while (!isDone) {
    isDone = search.step(1);
    const events = search.events();
    assert.equal(events.states.length, events.count);
    kinds.push(...events.kinds);
  }
  assert.equal(kinds.length, search.eventCount);
  assert.equal(kinds[0], 0, "the start is generated first");
  assert.equal(kinds.at(-1), 4, "the goal comes last");
  const expanded = kinds.filter((kind) => kind === 2).length;
  const report = world.finish(search);
  assert.equal(report.found, true);
  assert.equal(report.cost, 4);
  assert.equal(report.path.length, 5);
  assert.equal(report.costs.at(-1), 4);
  assert.ok(report.expanded === expanded && report.generated > 0);
  assert.deepEqual([...world.positions(report.path.slice(0, 1))].length, 3);
  assert.equal(world.solve(start, goal).cost, 4);
});

test("an edit changes the searches after it", () => {
  const world = yard();
  const [start, goal] = world.ends();
  const shape = world.shape();
  assert.deepEqual([shape.kind, shape.width, shape.height], ["cells", 3, 3]);
  const states = ["1,0", "0,1"].map((text) => world.find(text));
  assert.throws(() => world.setGround(Uint32Array.from(states), "lava"), /no ground 'lava'/);
  world.setGround(Uint32Array.from(states), "blocked");
  const report = world.solve(start, goal);
  assert.equal(report.found, false);
  assert.match(report.reason, /islands/);
  const why = world.why(start, goal);
  assert.ok(why.remedies.length > 0);
  assert.deepEqual([...why.reached], [start]);
  const free = shape.grounds[shape.ground[0]].name;
  world.setGround(Uint32Array.from(states), free);
  assert.equal(world.solve(start, goal).found, true);
  assert.ok(world.why(start, goal).shares.length > 0);
  assert.equal(world.movesFrom(start).states.length, 2);
  assert.equal(world.nearestFree(world.find("1,1")), world.find("1,0"));
});

test("costs and blur of a ground change the searches after them", () => {
  const scene = `scene = { name = "road", map = ".....\\n,,,,,\\n" }
    terrains = [
      { name = "road", glyph = ".", color = "#808080" },
      { name = "mud", glyph = ",", color = "#604020" },
    ]`;
  const world = World.open("road.toml", bytes(scene));
  const [start, goal] = ["0,1", "4,1"].map((text) => world.find(text));
  assert.equal(world.solve(start, goal).cost, 4);
  assert.equal(world.shape().blur, 0);
  world.setGroundCost("mud", true, 1, 10);
  const dear = world.solve(start, goal);
  assert.ok(dear.path.length >= 5 && [...dear.path].some((state) => world.ground(state) === "road"));
  assert.deepEqual([...world.penalties()], [0, 0, 0, 0, 0, 10, 10, 10, 10, 10]);
  world.setBlur(1);
  assert.equal(world.shape().blur, 1);
  assert.ok([...world.penalties()].every((penalty) => penalty > 0));
  assert.equal(world.shape().grounds[1].penalty, 10);
  world.setGroundCost("mud", false, 1, 10);
  assert.equal(world.shape().grounds[1].is_open, false);
  assert.throws(() => world.setGroundCost("mud", true, NaN, 0), /multiplier/);
  assert.throws(() => world.setGroundCost("lava", true, 1, 0), /no ground 'lava'/);
  for (const blur of [-1, 65, NaN]) assert.throws(() => world.setBlur(blur), /0 to 64/);
});

test("the agent's movement is changed part by part, and remedies are made", () => {
  const world = shipped("two-islands.txt");
  const [start, goal] = world.ends();
  const [{ change }] = world.why(start, goal).remedies;
  assert.equal(change, "enter=sea");
  world.adapt(change, start);
  assert.ok(world.solve(start, goal).found);
  world.adapt("neighbours=4", start);
  assert.deepEqual(world.movement().map(({ name, value }) => [name, value]), [["neighbours", "4"], ["corners", "both"], ["width", "1"]]);
  assert.throws(() => world.adapt("width=99", start), /width=99: it takes 1 to 64/);
  assert.throws(() => world.adapt("shoes=red", start), /changes begin with/);
  world.free();
});

test("every kind of world has its shape", () => {
  const shapes = {
    "village.tmj": "cells",
    "village.toml": "points",
    "courtyard.obj": "polygons",
    "voxel-cave.voxels": "blocks",
  };
  for (const [name, kind] of Object.entries(shapes)) {
    const world = shipped(name);
    assert.equal(world.shape().kind, kind);
    const [start, goal] = world.ends();
    assert.ok(start < offMap() && world.solve(start, goal).path.length > 0, name);
    world.free();
  }
});

test("scenes find the files that they name", () => {
  const scene = bytes('scene = { name = "walk", world = "yard.txt" }');
  const world = World.open("walk.toml", scene, { "yard.txt": bytes("..\n..\n") });
  assert.equal(world.about().name, "walk");
  assert.equal(world.about().states, 4);
  assert.throws(() => World.open("walk.toml", scene), Error);
});

test("generated worlds repeat", () => {
  for (const { name } of kinds()) {
    const [one, two] = [7, 7].map((seed) => World.generate(name, seed));
    assert.deepEqual(one.shape(), two.shape(), name);
    if (one.shape().kind === "cells") assert.ok(one.grounds().length > 100, name);
    const [start, goal] = one.ends();
    if (!one.scene) {
      assert.equal(one.solve(start, goal).found, true, name);
      continue;
    }
    // The way is shut until agents have opened it.
    const played = Simulation.open(`${name}.toml`, bytes(one.scene));
    played.goTo(100);
    const [moved] = played.agents().places;
    played.goTo(0);
    assert.notEqual(played.agents().places[0], moved, name);
  }
  assert.throws(() => World.generate("caves", -1), /whole number/);
  assert.throws(() => World.generate("nothing", 1), /no kind/);
  assert.throws(() => World.generate("caves", 1, "[caves]\nopen = 7"), Error);
});

test("faults are errors with a message", () => {
  assert.throws(() => World.open("a.map", bytes("type nonsense")), (error) => error.message.length > 10);
  assert.throws(() => World.open("a.png", bytes("no picture")), Error);
  assert.throws(() => World.open("a.nothing", bytes("")), Error);
  const world = yard();
  const [start, goal] = world.ends();
  assert.throws(() => world.solve(start, goal, { algorithm: "teleport" }), /there is no algorithm/);
  assert.throws(() => world.solve(start, goal, { heuristic: "luck" }), /there is no heuristic/);
  assert.throws(() => world.solve(start, goal, { weight: 0 }), Error);
  assert.throws(() => world.solve(start, goal, { colour: "red" }), /colour/);
  assert.throws(() => world.find("somewhere"), Error);
  assert.equal(world.solve(start, offMap()).found, false);
  assert.equal(world.solve(4_000_000_000, goal).found, false);
  assert.ok(world.regions().length >= 9);
  assert.ok(algorithms().length > 10 && heuristics().includes("octile"));
});

test("simulations have the hashes that they have natively", () => {
  const beside = (name) => {
    const text = readFileSync(new URL(`worlds/${name}`, root), "utf8");
    const world = /^world = "(.*)"$/m.exec(text)?.[1];
    return world ? { [world]: readFileSync(new URL(`worlds/${world}`, root)) } : {};
  };
  const lines = readFileSync(new URL("testdata/simulations.txt", root), "utf8").trimEnd().split("\n");
  assert.ok(lines.length > 5);
  for (const line of lines) {
    const [hash, name, ticks] = line.split(" ");
    const bytes = readFileSync(new URL(`worlds/${name}`, root));
    const played = Simulation.open(name, bytes, beside(name));
    played.goTo(Number(ticks));
    assert.equal(played.hash(), hash, line);
    played.free();
  }
});

test("agents are put on a grid, sent, stopped, and taken back in time", () => {
  const world = World.open("field.txt", bytes("........\n........\n........\n........\n"));
  const played = populate(world, 5, 3, "low");
  world.free();
  assert.deepEqual(played.about().teams, [""]);
  const first = played.agents();
  assert.equal(first.count, 5);
  assert.equal(first.places.length, 15);
  assert.ok(first.radii.every((radius) => radius > 0));
  played.goTo(10);
  const before = played.hash();
  assert.equal(played.agent(99), null);
  const { name, limits } = played.agent(2);
  assert.ok(name.startsWith("walker"));
  played.setLimits(2, { ...limits, max_speed: 0.5 });
  played.order(Uint32Array.of(2), 7.5, 0, 3.5);
  played.block(3.5, 0, 1.5, 0.4);
  played.endanger(1.5, 0, 3.5, 1, 10);
  played.goTo(40);
  assert.equal(played.agent(2).limits.max_speed, 0.5);
  const { obstacles, dangers } = played.scenery();
  assert.deepEqual([...obstacles].map((part) => Math.round(part * 10) / 10), [3.5, 0, 1.5, 0.4]);
  assert.ok(dangers.length >= 5 && dangers.length % 5 === 0);
  const way = played.wayAhead(2);
  assert.ok(way.length >= 3 && way.length % 3 === 0);
  assert.ok(played.planner().done > 0);
  assert.equal(played.furthest, 40);

  played.goTo(10);
  assert.equal(played.now, 10);
  assert.equal(played.hash(), before, "the past is as it was");
  played.goTo(40);
  played.clear();
  played.goTo(42);
  assert.equal(played.scenery().obstacles.length, 0);
});

test("agents are put on levels and among blocks, generated ones too", () => {
  for (const name of ["courtyard.obj", "voxel-village.voxels"]) {
    const world = shipped(name);
    const file = readFileSync(new URL(`worlds/${name}`, root));
    const played = Simulation.open("agents.toml", bytes(world.populated(12, 1, "low")), { [name]: file });
    played.goTo(60);
    assert.ok(played.agents().speeds.some((speed) => speed > 0.5), name);
    assert.equal(played.planner().failed, 0, name);
  }
  assert.equal(shipped("courtyard.obj").file(), null);
  for (const kind of ["house", "voxel-village", "caves"]) {
    const world = World.generate(kind, 3);
    const { name, bytes: file } = world.file() ?? {};
    const beside = name ? { [name]: file } : {};
    const played = Simulation.open("agents.toml", bytes(world.populated(12, 1, "low")), beside);
    played.goTo(60);
    assert.ok(played.agents().speeds.some((speed) => speed > 0.5), kind);
  }
});

test("what cannot be played says why", () => {
  const rock = World.open("rock.txt", bytes("S#G\n###\n###\n"));
  const message = (call) => {
    try {
      call();
    } catch (error) {
      return error.message;
    }
    return "";
  };
  assert.match(message(() => World.open("full.txt", bytes("##\n##\n")).populated(1, 0, "off")), /no room for agents/);
  assert.match(message(() => rock.populated(1, 0, "often")), /avoidance is/);
  assert.match(message(() => Simulation.open("x.toml", bytes('scene = { name = "x", map = "..." }'))), /agents/);
  assert.match(message(() => Simulation.open("x.toml", bytes("nothing"))), /x\.toml/);
  const played = populate(World.open("field.txt", bytes("....\n....\n")), 1, 0, "off");
  assert.match(message(() => played.block(0, 0, 0, Number.NaN)), /radius/);
  assert.match(message(() => played.setLimits(0, { speed: 1 })), /speed/);
});

const program = process.env.WAYFARE_PROGRAM;
const skip = program ? false : "WAYFARE_PROGRAM names no wayfare command to compare with";
test("generated worlds are those of the native command", { skip }, () => {
  /** The name of the ground at each cell. */
  const named = ({ ground, grounds }) => Array.from(ground, (number) => grounds[number].name);
  const nameless = (text) => text.replace(/name = "[^"]*"/, "");
  const folder = mkdtempSync(join(tmpdir(), "wayfare-"));
  try {
    for (const { name } of kinds()) {
      for (const seed of [3, 4, 5]) {
        const to = join(folder, `${name}-${seed}`);
        execFileSync(program, ["generate", "--only", name, "--pin", `1=${name}:${seed}`, "-o", to], { stdio: "ignore" });
        const [file] = readdirSync(to);
        const written = readFileSync(join(to, file));
        // Settings of its own keep the locked doors, which a world to be searched has not.
        const world = World.generate(name, seed, `[${name}]\n`);
        if (world.scene) assert.equal(nameless(world.scene), nameless(written.toString()), to);
        const [native, own] = [World.open(file, written).shape(), world.shape()];
        if (native.kind === "cells") {
          assert.deepEqual(named(own), named(native), to);
          for (const shape of [native, own]) delete shape.ground, delete shape.grounds;
        }
        assert.deepEqual(own, native, to);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a recording is the file of the command, and shows the search again", () => {
  const world = yard();
  const [start, goal] = world.ends();
  const asked = [{ algorithm: "astar" }, { algorithm: "bidirectional", heuristic: "octile" }];
  const bytesOf = world.record(start, goal, asked, 1000, "#s=abc").bytes();
  const file = JSON.parse(new TextDecoder().decode(bytesOf));
  assert.deepEqual([file.format, file.version, file.searches.length], ["wayfare-trace", 1, 2]);
  const recording = Recording.read("yard.trace.json", bytesOf);
  assert.deepEqual([recording.world.link, recording.world.states], ["#s=abc", 9]);
  const replay = world.replay(recording);
  assert.deepEqual([replay.start, replay.goal], [start, goal]);
  replay.searches.forEach(({ algorithm, events, report, hash, isWhole }, number) => {
    const search = world.search(start, goal, asked[number]);
    while (!search.step(10));
    const live = search.events();
    assert.deepEqual([algorithm, isWhole, hash], [asked[number].algorithm, true, search.traceHash()]);
    for (const column of ["states", "parents", "g", "h", "kinds"]) assert.deepEqual(events[column], live[column]);
    const { found, path, costs, cost, length } = world.finish(search);
    assert.deepEqual([report.found, report.path, report.costs, report.cost, report.length], [found, path, costs, cost, length]);
  });
  // Of a long search the first events only; the answer is that of the whole.
  const city = shipped("cave.map");
  const ends = city.ends();
  const [cut] = city.replay(city.record(...ends, [{ algorithm: "dijkstra" }], 10)).searches;
  assert.equal(cut.isWhole, cut.events.count < 20000);
  assert.equal(cut.report.cost, city.solve(...ends).cost);
  assert.throws(() => city.replay(recording), /is a trace of yard/);
  assert.throws(() => Recording.read("x.json", bytes("{}")), /x\.json: format: it is no trace/);
});

test("a state tells its penalty", () => {
  const hills = shipped("hills.toml");
  const [start] = hills.ends();
  const { states, costs } = hills.movesFrom(start);
  // The way is 1 or the root of 2, times 1.
  states.forEach((state, at) => {
    const way = costs[at] - hills.penalty(state);
    assert.ok(Math.abs(way - 1) < 1e-3 || Math.abs(way - Math.SQRT2) < 1e-3, `${way}`);
  });
  assert.equal(yard().penalty(0), 0);
});

test("danger is learnt, dreaded and forgotten", () => {
  const world = yard();
  const [start, goal] = world.ends();
  const before = world.solve(start, goal);
  const [x, height, z] = world.positions(Uint32Array.of(before.path[1]));
  world.endanger(x, height, z, 0.2, 7);
  assert.deepEqual([[...world.dangers().states], [...world.dangers().amounts]], [[before.path[1]], [7]]);
  const after = world.solve(start, goal);
  assert.ok(!after.path.includes(before.path[1]) && after.cost >= before.cost);
  assert.equal([...world.movesFrom(start).costs].sort().at(-1), 8);
  world.ageDanger(1);
  assert.ok(Math.max(...world.dangers().amounts) < 7);
  world.ageDanger(100);
  assert.equal(world.dangers().states.length, 0);
  assert.throws(() => world.endanger(NaN, 0, 0, 1, 1), /a danger has a place/);
});

test("waypoints are placed and linked by hand", () => {
  const world = yard();
  assert.deepEqual(world.graph(), { waypoints: [], links: [] });
  const graph = {
    waypoints: [{ id: "a", at: [0.5, 0, 0.5] }, { id: "b", at: [2.5, 0, 0.5] }, { id: "<c>", at: [2.5, 0, 2.5] }],
    links: [{ from: "a", to: "b" }, { from: "b", to: "<c>", one_way: true }],
  };
  const text = world.withGraph(graph);
  const drawn = World.open("drawn.toml", bytes(text));
  assert.equal(drawn.shape().outlines.length, 1, "the wall is an obstacle");
  const path = [...drawn.solve(drawn.find("a"), drawn.find("<c>")).path];
  assert.deepEqual(path.map((state) => drawn.place(state)), ["a", "b", "<c>"]);
  assert.equal(drawn.solve(drawn.find("<c>"), drawn.find("a")).found, false);
  const again = drawn.graph();
  assert.deepEqual(again.waypoints.map(({ id }) => id), ["a", "b", "<c>"]);
  assert.deepEqual(again.links.map(({ from, to }) => [from, to]), [["a", "b"], ["b", "<c>"]]);
  assert.throws(() => drawn.withGraph({ waypoints: [], links: [{ from: "a", to: "a" }] }), /a/);
  // What a scene says of its waypoints stays.
  const village = shipped("village.toml");
  const same = World.open("same.toml", bytes(village.withGraph(village.graph())));
  assert.equal(same.solve(...village.ends()).cost, village.solve(...village.ends()).cost);
});

test("ground is replaced under agents, and the past is as it was", () => {
  const grid = World.generate("caves", 5);
  const next = grid.reseeded(6);
  assert.throws(() => yard().reseeded(6), /only generated worlds/);
  const walk = populate(grid, 20, 1, "low");
  walk.goTo(40);
  const before = walk.hash();
  const { change, ground } = grid.changeTo(next);
  walk.replace(change);
  assert.deepEqual([...ground], [...next.grounds()]);
  walk.goTo(120);
  const after = walk.hash();
  const open = next.shape().grounds.map((one) => one.is_open);
  const { width } = next.shape();
  const { places, count } = walk.agents();
  assert.equal(count, 20);
  for (let at = 0; at < count; at++) {
    const cell = Math.floor(places[at * 3 + 2]) * width + Math.floor(places[at * 3]);
    assert.ok(open[ground[cell]], `agent ${at} stands in a wall`);
  }
  walk.goTo(40);
  assert.equal(walk.hash(), before);
  walk.goTo(120);
  assert.equal(walk.hash(), after);
  assert.throws(() => grid.changeTo(yard()), /by/);
  assert.throws(() => walk.replace("replace = {}"), /1:\d+: missing field/);
});

test("a reset swaps a puzzle with its ground, in halls and dungeons, and it is solved", () => {
  const exit = (play) => {
    play.goTo(play.now + 6000);
    assert.equal(play.agent(0).text, "idle");
    return [...play.agents().places].slice(0, 3);
  };
  const play = (world) => Simulation.open("play.toml", bytes(world.scene));
  for (const kind of ["heavy-door", "hook", "platform", "dungeon"]) {
    const world = World.generate(kind, 5);
    const next = world.reseeded(6);
    const reset = play(world);
    reset.goTo(299);
    const gates = () => JSON.stringify(reset.scenery().props);
    const before = gates();
    reset.goTo(300);
    assert.notEqual(reset.agent(0).text, "idle", `${kind} is being solved`);
    reset.replace(world.changeTo(next).change);
    reset.goTo(301);
    assert.notEqual(gates(), before, `${kind} has other parts`);
    assert.deepEqual(exit(reset), exit(play(next)), kind);
    const [solved, after] = [reset.now, reset.hash()];
    reset.goTo(299);
    assert.equal(gates(), before, `${kind} is as it was before`);
    reset.goTo(solved);
    assert.equal(reset.hash(), after, kind);
  }
});

test("a state that there is not is off the map, and stops nothing", () => {
  for (const world of [yard(), shipped("village.toml"), shipped("voxel-village.voxels"), shipped("courtyard.obj")]) {
    for (const state of [70_000, 4_000_000_000, offMap()]) {
      world.positions(Uint32Array.of(state));
      world.place(state);
      world.ground(state);
      world.movesFrom(state);
      world.nearestFree(state);
      const [start] = world.ends();
      for (const [from, to] of [[start, state], [state, start]]) {
        assert.ok(typeof world.solve(from, to).found === "boolean");
        try {
          world.why(from, to);
        } catch (error) {
          assert.match(error.message, /none of the waypoints/);
        }
      }
    }
  }
});
