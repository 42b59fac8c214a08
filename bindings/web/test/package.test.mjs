// The package in Node: node --test
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { World, algorithms, heuristics, kinds, offMap } from "../node.mjs";

const root = new URL("../../../", import.meta.url);
const bytes = (text) => new TextEncoder().encode(text);
const shipped = (name) => World.open(name, readFileSync(new URL(`worlds/${name}`, root)));
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
    assert.deepEqual(one.grounds(), two.grounds());
    assert.ok(one.grounds().length > 100, name);
    const [start, goal] = one.ends();
    assert.equal(one.solve(start, goal).found, true, name);
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
