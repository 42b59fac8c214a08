// For bundlers: loads the module beside this file, which Vite, webpack and others find by its
// address, and is ready once imported.
import init from "../pkg/wayfare_web.js";

await init();

export * from "../pkg/wayfare_web.js";
export { default } from "../pkg/wayfare_web.js";
