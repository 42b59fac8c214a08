// For everywhere: the module is in the JavaScript. Nothing is fetched, read or waited for.
import { bytes } from "./inside.js";
import packed from "../pkg/wayfare_web_packed.js";
import { initSync } from "../pkg/wayfare_web.js";

initSync({ module: bytes(packed) });

export * from "../pkg/wayfare_web.js";
export { default } from "../pkg/wayfare_web.js";
