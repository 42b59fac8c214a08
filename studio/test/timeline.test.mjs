import assert from "node:assert/strict";
import test, { after } from "node:test";
import { World } from "wayfare";
import { modules } from "./modules.mjs";

const { loaded, close } = await modules("/src/timeline.ts");
const [{ Cursor, Trace, EXPAND, RESTART }] = loaded;
after(close);

const map = "S....\n.##..\n.....\n..##.\n....G\n";

function traced(algorithm, text = map) {
  const world = World.open("yard.txt", new TextEncoder().encode(text));
  const [start, goal] = world.ends();
  const search = world.search(start, goal, { algorithm });
  while (!search.step(100));
  const events = search.events();
  return { events, report: world.finish(search) };
}

/** What is known of all states after the first events, told without a cursor. */
function plainly(events, until) {
  const known = new Map();
  for (let event = 0; event < until; event++) {
    if (events.kinds[event] === RESTART) known.clear();
    else known.set(events.states[event], event);
  }
  return known;
}

function seen(cursor) {
  const known = new Map();
  for (let state = 0; state < cursor.trace.bound; state++) {
    const event = cursor.eventOf(state);
    if (event >= 0) known.set(state, event);
  }
  return known;
}

for (const algorithm of ["astar", "dijkstra", "bidirectional", "idastar", "jps", "weighted-astar"]) {
  test(`${algorithm}: any way through time shows what the events say`, () => {
    const { events, report } = traced(algorithm);
    const trace = new Trace(events);
    const kinds = [...events.kinds];
    assert.equal(trace.expansions, kinds.filter((kind) => kind === EXPAND).length);
    if (algorithm === "astar") assert.equal(trace.expansions, report.expanded);
    const cursor = new Cursor(trace);
    const most = trace.expansions;
    for (const at of [0, 1, most, most - 1, Math.floor(most / 2), 2, most, 0, Infinity, -5, 3]) {
      cursor.move(at, () => {});
      const expected = plainly(events, trace.stops[cursor.at]);
      assert.deepEqual(seen(cursor), new Map([...expected].sort((a, b) => a[0] - b[0])), `at ${at}`);
      const generated = kinds.slice(0, trace.stops[cursor.at]).filter((kind) => kind === 0).length;
      assert.equal(cursor.generated, generated);
    }
  });
}

test("each change is told", () => {
  const trace = new Trace(traced("idastar").events);
  const [told, silent] = [new Cursor(trace), new Cursor(trace)];
  let shown = seen(told);
  for (let at = 0; at <= trace.expansions; at++) {
    const touched = new Set();
    told.move(at, (state) => touched.add(state));
    silent.move(at, () => {});
    const now = seen(silent);
    if (!touched.has(-1)) {
      for (let state = 0; state < trace.bound; state++) {
        if (shown.get(state) !== now.get(state)) assert.ok(touched.has(state), `${state} at ${at}`);
      }
    }
    shown = now;
  }
});

test("the chain leads from the start along the parents", () => {
  const { events, report } = traced("astar");
  const cursor = new Cursor(new Trace(events));
  cursor.move(Infinity, () => {});
  assert.deepEqual(cursor.chain(report.path.at(-1)), [...report.path]);
});

test("a million events are scrubbed within 100 ms", () => {
  const world = World.generate("caves", 3, "[caves]\nwidth = 700\nheight = 700\nopen = 0.6");
  const [start, goal] = world.ends();
  const search = world.search(start, goal, { algorithm: "dijkstra" });
  while (!search.step(100_000));
  const events = search.events();
  assert.ok(events.count > 300_000, `${events.count}`);
  const cursor = new Cursor(new Trace(events));
  cursor.move(Infinity, () => {});
  const begun = performance.now();
  cursor.move(0, () => {});
  cursor.move(Infinity, () => {});
  const each = ((performance.now() - begun) / 2 / events.count) * 1e6;
  console.log(`a million events: ${each.toFixed(1)} ms`);
});
