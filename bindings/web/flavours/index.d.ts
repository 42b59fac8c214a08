import type { InitInput, InitOutput } from "../pkg/wayfare_web.js";

export * from "../pkg/wayfare_web.js";

/** Loads the module, from that address or those bytes. Only `wayfare/web` needs it: once. */
export default function init(from?: InitInput | Promise<InitInput> | { module_or_path: InitInput | Promise<InitInput> }): Promise<InitOutput>;
