import type { InitInput, InitOutput } from "../../pkg/wayfare_web_agents.js";

export * from "../../pkg/wayfare_web_agents.js";

/** Loads the module, from that address or those bytes. Only `wayfare/agents/web` needs it: once. */
export default function init(from?: InitInput | Promise<InitInput> | { module_or_path: InitInput | Promise<InitInput> }): Promise<InitOutput>;
