import { readFileSync } from "node:fs";
import { World } from "wayfare";

const world = World.open("floating-islands.voxels", readFileSync("worlds/floating-islands.voxels"), {}, { jumpDistance: 2 });
const { start, goal } = world.routes().find((route) => route.name === "island 2").ends;
const { length } = world.solve(start, goal);
console.log(`${length.toFixed(2)} ${world.about().unit}`);
