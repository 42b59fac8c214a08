import { readFileSync } from "node:fs";
import { World } from "wayfare";

const world = World.open("yard.txt", readFileSync("docs/gallery/worlds/yard.txt"));
// A search a door.
const doors = ["4,5", "15,4", "23,4"].map((door) => world.find(door));
const costs = doors.map((door) => world.solve(world.find("15,11"), door).cost);
const nearest = costs.indexOf(Math.min(...costs));
console.log(`door ${nearest}, cost ${costs[nearest].toFixed(2)}`);
