// The engine in a worker, as a Node program has it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { after, before } from "node:test";
import { World, algorithms } from "wayfare";
import { startEngine } from "wayfare/worker";

const yard = new TextEncoder().encode("S..\n.#.\n..G\n");
let engine = null;
before(async () => {
  engine = await startEngine();
});
after(() => engine.stop());

test("worlds in a worker answer as worlds here", async () => {
  const here = World.open("yard.txt", yard);
  const there = await engine.open("yard.txt", yard);
  const [start, goal] = await there.ends();
  assert.deepEqual([start, goal], [...here.ends()]);
  const plain = ({ milliseconds, ...report }) => report;
  assert.deepEqual(plain(await there.solve(start, goal)), plain(here.solve(start, goal)));
  assert.deepEqual(await there.shape(), here.shape());
  assert.deepEqual(await engine.call("algorithms"), algorithms());
  await there.setGround(Uint32Array.from([await there.find("1,0"), await there.find("0,1")]), "blocked");
  assert.equal((await there.solve(start, goal)).found, false);
  await there.free();
  await assert.rejects(there.ends(), /was freed/);
});

test("a search streams its events, and has the hash that it has here", async () => {
  const world = await engine.generate("caves", 3);
  const [start, goal] = await world.ends();
  const columns = [];
  const report = await world.search(start, goal, { algorithm: "dijkstra" }, { onEvents: ({ count, states }) => columns.push([count, states.length]) });
  const here = World.generate("caves", 3).search(start, goal, { algorithm: "dijkstra" });
  while (!here.step(1e6));
  assert.equal(report.hash, here.traceHash());
  assert.equal(columns.reduce((sum, [count]) => sum + count, 0), here.eventCount);
  assert.ok(columns.every(([count, length]) => count === length));
  const both = await Promise.all(["astar", "jps"].map((algorithm) => world.search(start, goal, { algorithm })));
  assert.equal(both[0].cost, both[1].cost);
});

test("a search is given up by a signal, and the worker goes on", async () => {
  const world = await engine.open("cave.map", readFileSync(new URL("../../../worlds/cave.map", import.meta.url)));
  const [start, goal] = await world.ends();
  const whole = await world.solve(start, goal, { algorithm: "dijkstra" });
  const control = new AbortController();
  const reason = new Error("no longer needed");
  let expanded = 0;
  const onEvents = ({ kinds }) => {
    expanded += kinds.filter((kind) => kind === 2).length;
    control.abort(reason);
  };
  const pending = world.search(start, goal, { algorithm: "dijkstra" }, { onEvents, signal: control.signal });
  await assert.rejects(pending, (error) => error === reason);
  assert.ok(expanded > 0 && expanded < whole.expanded);
  await assert.rejects(world.search(start, goal, {}, { signal: control.signal }), (error) => error === reason);
  assert.equal((await world.solve(start, goal)).found, true);
});

test("faults come back as errors with the same message", async () => {
  await assert.rejects(engine.open("a.map", new TextEncoder().encode("type nonsense")), (error) => {
    assert.throws(() => World.open("a.map", new TextEncoder().encode("type nonsense")), { message: error.message });
    return true;
  });
  const world = await engine.open("yard.txt", yard);
  await assert.rejects(world.solve(0, 1, { algorithm: "teleport" }), /there is no algorithm/);
  await assert.rejects(world.dance(), /no function dance/);
  await assert.rejects(world.otherForm(...(await world.ends())), /stays in its thread/);
  const other = await startEngine();
  const left = await other.open("yard.txt", yard);
  other.stop();
  await assert.rejects(left.ends(), /was stopped/);
});
