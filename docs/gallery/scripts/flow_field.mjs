import { readFileSync } from "node:fs";
import { World } from "wayfare";

const world = World.open("yard.txt", readFileSync("docs/gallery/worlds/yard.txt"));
// A search a unit: the module has no fields.
const costs = ["4,3", "1,15", "16,11"].map((unit) => {
  return world.solve(world.find(unit), world.find("25,3")).cost.toFixed(2);
});
console.log(costs.join(", "));
