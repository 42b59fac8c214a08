import { readFileSync } from "node:fs";
import { World } from "wayfare";

const scene = `
scene = { name = "yard", map = """
${readFileSync("docs/gallery/worlds/yard.txt", "utf8")}""" }
agents = [{ name = "Ann", at = [0, 0], speed = 1 }] # a second counts as much as a step
nav_links = [{ name = "portal", kind = "teleport", from = [2, 8], to = [24, 13], seconds = 3 }]
`;
const world = World.open("yard.toml", new TextEncoder().encode(scene));
const { path, cost } = world.solve(world.find("4,3"), world.find("29,15"), { algorithm: "astar" });
console.log(`${path.length - 1} moves, cost ${cost.toFixed(2)}`);
