import { readFileSync } from "node:fs";
import { World } from "wayfare";

const scene = `
terrains = [{ name = "bog", glyph = "~", multiplier = 3 }]
scene = { name = "bog", map = """
${readFileSync("docs/gallery/worlds/bog.txt", "utf8")}""" }
`;
const world = World.open("bog.toml", new TextEncoder().encode(scene));
const { cost } = world.solve(world.find("2,7"), world.find("29,8"));
console.log(`cost ${cost.toFixed(2)}`);
