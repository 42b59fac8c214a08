import { readFileSync } from "node:fs";
import { Simulation } from "wayfare/agents";

const simulation = Simulation.open("drawbridge.toml", readFileSync("worlds/drawbridge.toml"));
const tick = Math.ceil(20 / simulation.about().tickSeconds);
simulation.goTo(tick);
console.log(`tick ${tick}, hash ${simulation.hash()}`);
