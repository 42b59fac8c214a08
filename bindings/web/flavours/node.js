// For Node: reads the module from the disk, at once, so that `require` takes it too.
import { readFileSync } from "node:fs";
import { initSync } from "../pkg/wayfare_web.js";

initSync({ module: readFileSync(new URL("../pkg/wayfare_web_bg.wasm", import.meta.url)) });

export * from "../pkg/wayfare_web.js";
export { default } from "../pkg/wayfare_web.js";
