import assert from "node:assert/strict";
import test, { after } from "node:test";
import { modules } from "./modules.mjs";

const { loaded, close } = await modules("/src/share.ts");
const [{ fromFragment, toFragment }] = loaded;
after(close);

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
