// For bundlers: loads the module beside this file, which Vite, webpack and others find by its
// address, and is ready once imported.
import init from "./web.js";

await init();

export * from "./web.js";
export { default } from "./web.js";
