import assert from "node:assert/strict";
import test from "node:test";
import { fromFragment, toFragment } from "wayfare/link";

const shared = {
  source: { from: "generated", kind: "caves", seed: 7 },
  start: 81,
  goal: 4000,
  algorithms: ["astar", "dijkstra"],
  colour: "f",
  edits: [{ ground: "wall", states: [90, 91, 171, 170] }, { ground: "floor", states: [] }],
};

const link = (value) => `#s=${Buffer.from(JSON.stringify(value)).toString("base64url")}`;

test("a link comes back as it was", () => {
  for (const source of [shared.source, { from: "sample", name: "village.tmj" }]) {
    const fragment = toFragment({ ...shared, source });
    assert.match(fragment, /^#s=[A-Za-z0-9_-]+$/);
    assert.deepEqual(fromFragment(fragment), { ok: true, shared: { ...shared, source } });
  }
  assert.deepEqual(fromFragment(""), { ok: true, shared: null });
});

const settings = {
  heuristics: ["manhattan", null],
  ignores: [false, true],
  limit: 5000,
  palette: "visited-black",
  prices: [{ ground: "mud", isOpen: true, multiplier: 1.5, penalty: -2 }],
  blur: 3,
  weights: [null, 2.5],
  movement: ["enter=deep sea", "neighbours=4", "abilities=walk,swim", "open=door 'old oak'"],
};

test("settings come back as they were, with places and without", () => {
  for (const places of [{}, { places: [1, 2, 3, 4, 5, 6.125] }]) {
    const all = { ...shared, ...places, settings };
    assert.deepEqual(fromFragment(toFragment(all)), { ok: true, shared: all });
  }
  const usual = { heuristics: [null, null], ignores: [false, false], limit: null, palette: null, prices: [], blur: null, weights: [null, null], movement: [] };
  assert.deepEqual(fromFragment(toFragment({ ...shared, settings: usual })).shared.settings, usual);
});

test("settings with a fault are refused", () => {
  const good = [["octile"], [0], 100, null, [["mud", 1, 2, 3]], 4];
  const whole = (settings) => [1, ["caves", 7], 81, 4000, ["astar"], "state", [], null, settings];
  for (const sound of [good, [...good, [2], ["width=2"]]]) assert.equal(fromFragment(link(whole(sound))).ok, true);
  const faults = [
    "settings",
    [],
    good.slice(1),
    good.with(0, ["octile", "octile"]),
    good.with(0, ["<b>"]),
    good.with(0, "octile"),
    good.with(1, [2]),
    good.with(1, []),
    good.with(2, 0),
    good.with(2, -5),
    good.with(2, "5"),
    good.with(3, 7),
    good.with(3, "<script>"),
    good.with(4, [["mud", 1, 2]]),
    good.with(4, [["mud", 1, -1, 0]]),
    good.with(4, [["mud", 1, 1e9, 0]]),
    good.with(4, [["mud", 1, 1, 1e9]]),
    good.with(4, [["mud", true, 1, 1]]),
    good.with(4, [["<i>", 1, 1, 1]]),
    good.with(4, new Array(300).fill(["mud", 1, 1, 1])),
    good.with(5, 65),
    good.with(5, 1.5),
    [...good, [2]],
    [...good, [2], ["width"]],
    [...good, [2], ["width=<b>"]],
    [...good, [0.5], []],
    [...good, [], []],
    [...good, [null], "width=2"],
  ];
  for (const fault of faults) {
    const reading = fromFragment(link(whole(fault)));
    assert.equal(reading.ok, false, JSON.stringify(fault).slice(0, 80));
    assert.match(reading.problem, /^The link.*\.$/);
  }
});

test("a link with a fault is refused with a sentence", () => {
  const good = [1, ["caves", 7], 81, 4000, ["astar"], "state", []];
  assert.equal(fromFragment(link(good)).ok, true);
  const faults = [
    "#nonsense",
    "#s=",
    "#s=%3Cscript%3E",
    "#s=AAAA",
    `#s=${"A".repeat(100_000)}`,
    link({}),
    link(null),
    link([2, ...good.slice(1)]),
    link(good.with(1, ["<img src=x onerror=alert(1)>", 7])),
    link(good.with(1, ["../../secrets"])),
    link(good.with(1, ["caves", -1])),
    link(good.with(1, ["caves", 1.5])),
    link(good.with(1, ["caves", 7, 8])),
    link(good.with(1, [])),
    link(good.with(2, "81")),
    link(good.with(2, -1)),
    link(good.with(3, 1e20)),
    link(good.with(4, [])),
    link(good.with(4, ["a", "b", "c", "d", "e"])),
    link(good.with(4, [{}])),
    link(good.with(5, 5)),
    link(good.with(6, [["wall", "x"]])),
    link(good.with(6, [["wall", -1]])),
    link(good.with(6, [["<b>", 1]])),
    link(good.with(6, [["wall", ...new Array(30_000).fill(1)]])),
    link(good.with(6, "no list")),
  ];
  for (const fragment of faults) {
    const reading = fromFragment(fragment);
    assert.equal(reading.ok, false, fragment.slice(0, 80));
    assert.match(reading.problem, /^The link.*\.$/);
  }
});
