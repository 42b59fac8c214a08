import { readFileSync } from "node:fs";
import { World } from "wayfare";

const world = World.open("voxel-village.voxels", readFileSync("worlds/voxel-village.voxels"), {}, { abilities: ["walk", "jump", "fall", "swim"] });
const [start, goal] = world.ends();
const { length } = world.solve(start, goal);
console.log(`${length.toFixed(2)} ${world.about().unit}`);
