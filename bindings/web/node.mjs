// For Node: loads both modules, and exports the same as the page sees.
import { readFileSync } from "node:fs";
import { initSync } from "./pkg/wayfare_web.js";
import { initSync as initAgents } from "./pkg/wayfare_web_agents.js";

initSync({ module: readFileSync(new URL("./pkg/wayfare_web_bg.wasm", import.meta.url)) });
initAgents({ module: readFileSync(new URL("./pkg/wayfare_web_agents_bg.wasm", import.meta.url)) });

export * from "./pkg/wayfare_web.js";
export { Simulation } from "./pkg/wayfare_web_agents.js";
