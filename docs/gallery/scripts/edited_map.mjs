import { readFileSync } from "node:fs";
import { World } from "wayfare";

const world = World.open("yard.txt", readFileSync("docs/gallery/worlds/yard.txt"));
const solve = () => world.solve(world.find("9,3"), world.find("15,2")).cost.toFixed(2);
const before = solve();
world.setGround([world.find("12,4")], "blocked");
console.log(`${before} before, ${solve()} after`);
