import { readFileSync } from "node:fs";
import { World } from "wayfare";

const world = World.open("yard.txt", readFileSync("docs/gallery/worlds/yard.txt"));
const search = world.search(world.find("4,3"), world.find("29,14"), { algorithm: "astar" });
const { path, cost } = world.finish(search);
console.log(`${path.length - 1} moves, cost ${cost.toFixed(2)}`);
