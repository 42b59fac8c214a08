import { readFileSync } from "node:fs";
import { World } from "wayfare";

const world = World.open("yard.txt", readFileSync("docs/gallery/worlds/yard.txt"));
const solve = () => world.solve(world.find("2,7"), world.find("29,7"), { algorithm: "astar" });
const before = solve().length.toFixed(2);
world.endanger(20, 0, 8, 3, 4);
console.log(`${before} long before, ${solve().length.toFixed(2)} after`);
