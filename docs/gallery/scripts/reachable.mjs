import { readFileSync } from "node:fs";
import { World } from "wayfare";

const world = World.open("yard.txt", readFileSync("docs/gallery/worlds/yard.txt"));
// Dijkstra's algorithm expands cells in the order of their cost.
const search = world.search(world.find("11,9"), world.find("31,15"), { algorithm: "dijkstra" });
let cells = 0;
while (!search.step(100)) count(search.events());
count(search.events());
function count({ kinds, g }) {
  const expanded = 2;
  cells += g.filter((cost, number) => kinds[number] === expanded && cost <= 10 + 1e-9).length;
}
console.log(`${cells} cells`);
