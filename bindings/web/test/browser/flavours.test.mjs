// Every flavour in a browser, of the package as it is installed: the same hashes as natively.
import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { installed } from "../installed.mjs";
import { ofStudio, start } from "./page.mjs";

const cases = fileURLToPath(new URL("../../../../testdata/case-worlds.json", import.meta.url));
let [project, browser] = [null, null];

/** Searches every case, and leaves the number of searches in the page's title, or the fault. */
const SEARCHED = `
  export async function searched(World) {
    let count = 0;
    for (const one of await (await fetch(new URL("./cases.json", document.baseURI))).json()) {
      const world = World.open(one.file, new TextEncoder().encode(one.text), undefined, one.agent);
      const ends = [one.start, one.goal].map((place) => world.find(place));
      for (const [algorithm, hash] of Object.entries(one.hashes)) {
        const search = world.search(...ends, { algorithm });
        while (!search.step(77));
        if (search.traceHash() !== hash) throw new Error(one.name + ", " + algorithm);
        search.free();
        count++;
      }
      world.free();
    }
    document.title = count;
  }`;
const html = (script, head = "") => `<!doctype html><meta charset="utf-8"><title></title>${head}<script type="module">${script}</script>`;
const IMPORTS = `<script type="importmap">{ "imports": {
  "wayfare": "./node_modules/wayfare/flavours/bundler.js",
  "wayfare/web": "./node_modules/wayfare/flavours/web.js",
  "wayfare/compat": "./node_modules/wayfare/flavours/compat.js"
} }</script>`;
const title = async (page) => {
  await page.waitForFunction(() => document.title !== "");
  return page.title();
};

before(async () => {
  project = installed();
  cpSync(cases, join(project.folder, "cases.json"));
  writeFileSync(join(project.folder, "searched.js"), SEARCHED);
  browser = await start(project.folder);
});
after(async () => {
  await browser?.stop();
  project?.remove();
});

for (const [entry, load] of [
  ["wayfare", `import { World } from "wayfare";`],
  ["wayfare/compat", `import { World } from "wayfare/compat";`],
  ["wayfare/web", `import init, { World } from "wayfare/web"; await init();`],
]) {
  test(`${entry} on a plain page searches every case with the hash that it has natively`, async () => {
    writeFileSync(join(project.folder, "plain.html"), html(`import { searched } from "./searched.js"; ${load} await searched(World);`, IMPORTS));
    const page = await browser.open("plain.html");
    assert.ok(Number(await title(page)) > 700);
    await page.close();
  });
}

test("compat works in workers of both kinds and in a service worker", async () => {
  const thread = `import { World } from "./node_modules/wayfare/flavours/compat.js";
    const world = World.open("yard.txt", new TextEncoder().encode("S.G\\n"));
    const found = () => world.solve(...world.ends()).path.length;`;
  writeFileSync(join(project.folder, "thread.js"), `${thread} postMessage(found());`);
  writeFileSync(join(project.folder, "service.js"), `${thread} addEventListener("message", ({ ports }) => ports[0].postMessage(found()));`);
  writeFileSync(join(project.folder, "workers.html"), html(`
    const heard = (target) => new Promise((done) => (target.onmessage = ({ data }) => done(data)));
    const found = [await heard(new Worker("./thread.js", { type: "module" }))];
    const { installing, waiting, active } = await navigator.serviceWorker.register("./service.js", { type: "module" });
    const channel = new MessageChannel();
    (installing ?? waiting ?? active).postMessage(null, [channel.port2]);
    found.push(await heard(channel.port1));
    document.title = found.join();`));
  const page = await browser.open("workers.html");
  assert.equal(await title(page), "3,3");
  await page.close();
});

test("a page that Vite builds has every entry, with the hashes that they have natively", async () => {
  writeFileSync(join(project.folder, "index.html"), '<!doctype html><meta charset="utf-8"><title></title><script type="module" src="./main.js"></script>');
  writeFileSync(join(project.folder, "main.js"), `
    import { World } from "wayfare";
    import { Simulation } from "wayfare/agents";
    import { AStarFinder, Grid } from "wayfare/pathfinding";
    import { startEngine } from "wayfare/worker";
    import { WayfareView } from "wayfare/view";
    import { searched } from "./searched.js";
    const engine = await startEngine();
    const world = await engine.open("yard.txt", new TextEncoder().encode("S.G\\n"));
    const { path } = await world.solve(...(await world.ends()));
    engine.stop();
    const cells = new AStarFinder().findPath(0, 0, 3, 0, new Grid(4, 1));
    window.found = [path.length, cells.length, typeof Simulation.open, customElements.get("wayfare-view") === WayfareView].join();
    await searched(World);`);
  const { build } = await ofStudio("vite");
  await build({ root: project.folder, base: "./", configFile: false, logLevel: "error", build: { target: "es2022" } });
  cpSync(cases, join(project.folder, "dist/cases.json"));
  const page = await browser.open("dist/index.html");
  assert.ok(Number(await title(page)) > 700);
  assert.equal(await page.evaluate(() => window.found), "3,4,function,true");
  await page.close();
});

test("no page complained", () => {
  assert.deepEqual(browser.errors, []);
});
