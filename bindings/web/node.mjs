// For Node: loads the module, and exports the same as the page sees.
import { readFileSync } from "node:fs";
import { initSync } from "./pkg/wayfare_web.js";

initSync({ module: readFileSync(new URL("./pkg/wayfare_web_bg.wasm", import.meta.url)) });

export * from "./pkg/wayfare_web.js";
