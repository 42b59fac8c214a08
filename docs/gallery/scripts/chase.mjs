import { readFileSync } from "node:fs";
import { Simulation } from "wayfare/agents";

const simulation = Simulation.open("guards.toml", readFileSync("worlds/guards.toml"));
const tick = Math.ceil(12 / simulation.about().tickSeconds);
simulation.goTo(tick);
console.log(`tick ${tick}, hash ${simulation.hash()}`);
