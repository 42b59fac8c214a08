import { readFileSync } from "node:fs";
import { World } from "wayfare";

const scene = new TextEncoder().encode(`
scene = { name = "yard", map = """
${readFileSync("docs/gallery/worlds/yard.txt", "utf8")}""" }
agents = [{ name = "Ann", at = [0, 0], speed = 1 }] # a second counts as much as a step
classes = [{ name = "guard", keys = ["brass"] }, { name = "thief" }]
nav_links = [{ name = "door", kind = "door", from = [11, 3], to = [13, 3], seconds = 2, gate = "locked", key = "brass" }]
`);
const costs = ["guard", "thief"].map((name) => {
  const world = World.open("yard.toml", scene, {}, { class: name });
  return world.solve(world.find("8,3"), world.find("15,2"), { algorithm: "astar" }).cost.toFixed(2);
});
console.log(`${costs[0]} with the key, ${costs[1]} without`);
