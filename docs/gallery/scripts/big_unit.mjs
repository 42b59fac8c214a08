import { readFileSync } from "node:fs";
import { World } from "wayfare";

const map = readFileSync("docs/gallery/worlds/yard.txt");
const costs = [1, 2].map((width) => {
  const world = World.open("yard.txt", map, {}, { width });
  return world.solve(world.find("3,13"), world.find("14,14")).cost;
});
console.log(costs.map((cost) => cost.toFixed(2)).join(" and "));
