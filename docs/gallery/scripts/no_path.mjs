import { readFileSync } from "node:fs";
import { World } from "wayfare";

const world = World.open("two-islands.txt", readFileSync("worlds/two-islands.txt"));
const [start, goal] = world.ends();
const { reason, remedies } = world.why(start, goal, { algorithm: "astar" });
console.log(`${reason}; there is a path ${remedies[0].sentence}`);
