import { readFileSync } from "node:fs";
import { Simulation } from "wayfare/agents";

const simulation = Simulation.open("counterflow.toml", readFileSync("worlds/counterflow.toml"));
const tick = Math.ceil(14 / simulation.about().tickSeconds);
simulation.goTo(tick);
console.log(`tick ${tick}, hash ${simulation.hash()}`);
