// The package as npm installs it: packed, installed without a network into an empty project, and
// every flavour imported and required there.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath } from "node:url";
import { installed } from "./installed.mjs";

const own = fileURLToPath(new URL("../", import.meta.url));
const root = new URL("../../../", import.meta.url);
const { packed, inProject, remove } = installed();
after(remove);

const path = `
  const world = World.open("yard.txt", new TextEncoder().encode("S..\\n.#.\\n..G\\n"));
  const [start, goal] = world.ends();
  console.log([...world.solve(start, goal).path].map((state) => world.place(state)).join(" "));`;

test("the package has its licences and what it needs, and nothing of a workplace", () => {
  const names = packed.files.map(({ path }) => path);
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "pkg/wayfare_web_bg.wasm"]) assert.ok(names.includes(name), name);
  const misplaced = names.filter((name) => /(^|\/)(src|test|target|node_modules|examples)\/|\.rs$|\.toml$/.test(name));
  assert.deepEqual(misplaced, []);
  const about = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  assert.deepEqual([about.private, about.dependencies], [undefined, undefined]);
  // Every file that the package exports is in it.
  const targets = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(targets));
  for (const target of targets(about.exports)) {
    if (target !== "./package.json") assert.ok(names.includes(target.slice(2)), target);
  }
});

test("the first blocks of the README find their paths", () => {
  const [first, second] = [...readFileSync(join(own, "README.md"), "utf8").matchAll(/```js\n(.*?)```/gs)].map(([, block]) => block);
  assert.deepEqual(Function(`return ${inProject("first.mjs", first)}`)(), [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2], [1, 2], [0, 2]]);
  assert.match(inProject("second.mjs", second), /^true 4 \[ '0,0', .*'2,2' \]$/s);
});

for (const entry of ["wayfare", "wayfare/compat"]) {
  test(`${entry} finds a path once imported, and once required`, () => {
    const found = inProject("worlds.mjs", `import { World } from "${entry}";${path}`);
    assert.equal(found, "0,0 1,0 2,0 2,1 2,2");
    assert.equal(inProject("worlds.cjs", `const { World } = require("${entry}");${path}`), found);
  });
}

test("wayfare/pathfinding finds a path at once, imported in either form or required", () => {
  const found = (load) => `${load} console.log(JSON.stringify(new PF.AStarFinder().findPath(0, 0, 2, 0, new PF.Grid(3, 1))));`;
  const loads = { "default.mjs": `import PF from "wayfare/pathfinding";`, "named.mjs": `import * as PF from "wayfare/pathfinding";`, "required.cjs": `const PF = require("wayfare/pathfinding");` };
  for (const [name, load] of Object.entries(loads)) assert.equal(inProject(name, found(load)), "[[0,0],[1,0],[2,0]]", name);
});

for (const entry of ["wayfare/agents", "wayfare/agents/compat"]) {
  test(`${entry} plays a scene with the hash that it has natively`, () => {
    const [hash, name, ticks] = readFileSync(new URL("testdata/simulations.txt", root), "utf8")
      .split("\n").map((line) => line.split(" ")).find(([, name]) => name === "adders.toml");
    const played = inProject("agents.mjs", `
      import { readFileSync } from "node:fs";
      import { Simulation } from "${entry}";
      const scene = readFileSync(${JSON.stringify(fileURLToPath(new URL(`worlds/${name}`, root)))});
      const played = Simulation.open("${name}", scene);
      played.goTo(${ticks});
      console.log(played.hash());`);
    assert.equal(played, hash);
  });
}

test("wayfare/web waits for init, which takes bytes too", () => {
  const found = inProject("web.mjs", `
    import { readFile } from "node:fs/promises";
    import init, { World } from "wayfare/web";
    await init({ module_or_path: readFile(new URL(import.meta.resolve("wayfare/wasm"))) });${path}`);
  assert.equal(found, "0,0 1,0 2,0 2,1 2,2");
});

test("compat searches every case with the hash that it has natively", () => {
  const count = inProject("cases.mjs", `
    import assert from "node:assert/strict";
    import { readFileSync } from "node:fs";
    import { World } from "wayfare/compat";
    let count = 0;
    for (const one of JSON.parse(readFileSync(${JSON.stringify(fileURLToPath(new URL("testdata/case-worlds.json", root)))}, "utf8"))) {
      const world = World.open(one.file, new TextEncoder().encode(one.text), undefined, one.agent);
      const ends = [one.start, one.goal].map((place) => world.find(place));
      for (const [algorithm, hash] of Object.entries(one.hashes)) {
        const search = world.search(...ends, { algorithm });
        while (!search.step(77));
        assert.equal(search.traceHash(), hash, one.name + ", " + algorithm);
        count++;
      }
    }
    console.log(count);`);
  assert.ok(Number(count) > 700, count);
});
