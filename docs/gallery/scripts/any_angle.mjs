import { readFileSync } from "node:fs";
import { World } from "wayfare";

const world = World.open("yard.txt", readFileSync("docs/gallery/worlds/yard.txt"));
const costs = ["astar", "theta"].map((algorithm) => {
  return world.solve(world.find("0,15"), world.find("31,6"), { algorithm }).cost.toFixed(2);
});
console.log(`${costs[0]} along the grid, ${costs[1]} across`);
