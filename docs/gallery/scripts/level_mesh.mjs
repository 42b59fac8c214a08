import { readFileSync } from "node:fs";
import { World } from "wayfare";

const world = World.open("courtyard.obj", readFileSync("worlds/courtyard.obj"), {}, {});
const [start, goal] = world.ends();
const { length } = world.solve(start, goal);
console.log(`${length.toFixed(2)} ${world.about().unit}`);
