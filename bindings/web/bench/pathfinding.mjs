// wayfare/pathfinding beside PathFinding.js, in one run: AStarFinder on maps of Moving AI.
//
//   npm ci && WAYFARE_DATA=… node pathfinding.mjs [MAP …]
//
// Of each map 20 queries across its scenario. Theirs need a fresh clone of the grid each, ours do
// not. Every path of ours has to be as long as theirs. Ratios of mean times: `search` without the
// clones, `whole` with a clone for each query on both sides.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import PF from "pathfinding";
import Wayfare from "../pathfinding/index.js";

const folder = join(process.env.WAYFARE_DATA ?? ".", "grid");
const usual = ["brc202d", "AR0011SR", "Berlin_0_512", "maze512-8-0", "8room_000", "random512-25-0"];
const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : usual;
const QUERIES = 20;
const ROUNDS = 10;

const lines = (name) => readFileSync(join(folder, name), "utf8").trim().split(/\r?\n/);
const timed = (run) => {
  const begun = performance.now();
  run();
  return (performance.now() - begun) / QUERIES;
};
const microseconds = (milliseconds) => `${Math.round(milliseconds * 1000)}`.padStart(8);

console.log("µs a query".padEnd(28), "  theirs  + clone     ours  + clone   search   whole   first");
for (const name of names) {
  const matrix = lines(`${name}.map`).slice(4).map((row) => [...row].map((glyph) => (".GS".includes(glyph) ? 0 : 1)));
  const scenario = lines(`${name}.map.scen`).slice(1).map((line) => line.split(/\s+/).slice(-5, -1).map(Number));
  const queries = Array.from({ length: QUERIES }, (_, at) => scenario[Math.floor(((at + 0.5) * scenario.length) / QUERIES)]);
  for (const [rule, diagonalMovement] of Object.entries(PF.DiagonalMovement)) {
    const grid = new PF.Grid(matrix);
    const finder = new PF.AStarFinder({ diagonalMovement });
    let [theirs, clones, paths] = [0, 0, []];
    for (const query of queries) {
      let copy;
      clones += timed(() => (copy = grid.clone()));
      theirs += timed(() => paths.push(finder.findPath(...query, copy)));
    }

    const ownGrid = new Wayfare.Grid(matrix);
    const own = new Wayfare.AStarFinder({ diagonalMovement });
    const first = timed(() => own.findPath(...queries[0], ownGrid)) * QUERIES;
    const repeated = (find) => timed(() => Array.from({ length: ROUNDS }, () => queries.forEach(find))) / ROUNDS;
    const ours = repeated((query) => own.findPath(...query, ownGrid));
    const cloned = repeated((query) => own.findPath(...query, ownGrid.clone()));
    queries.forEach((query, at) => {
      const [length, ownLength] = [paths[at], own.findPath(...query, ownGrid)].map(PF.Util.pathLength);
      assert.ok(Math.abs(length - ownLength) < 1e-6, `${name}, ${query}: ${ownLength} in place of ${length}`);
    });
    const ratio = (a, b) => `${Math.round(a / b)}`.padStart(7);
    console.log(`${name}, ${rule}`.padEnd(28).slice(0, 28), microseconds(theirs), microseconds(theirs + clones), microseconds(ours), microseconds(cloned), ratio(theirs, ours), ratio(theirs + clones, cloned), `${first.toFixed(0)} ms`.padStart(8));
  }
}
