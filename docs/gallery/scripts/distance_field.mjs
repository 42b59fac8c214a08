import { readFileSync } from "node:fs";
import { World } from "wayfare";

const world = World.open("yard.txt", readFileSync("docs/gallery/worlds/yard.txt"));
// A search a cell: the module has no fields.
let farthest = { cost: 0 };
for (let state = 0; state < 32 * 16; state++) {
  const place = `${state % 32},${Math.floor(state / 32)}`;
  const { found, cost } = world.solve(world.find(place), world.find("4,3"));
  if (found && cost >= farthest.cost) farthest = { place, cost };
}
console.log(`${farthest.place} is ${farthest.cost.toFixed(2)} away`);
