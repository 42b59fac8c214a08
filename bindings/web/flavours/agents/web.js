// For pages that say when to load: `await init()`, or `init(url)` where the module is elsewhere.
import load from "../../pkg/wayfare_web_agents.js";

export default function init(from = new URL("../../pkg/wayfare_web_agents_bg.wasm", import.meta.url)) {
  const isPlain = Object.getPrototypeOf(from) === Object.prototype;
  return load(isPlain ? from : { module_or_path: from });
}

export * from "../../pkg/wayfare_web_agents.js";
