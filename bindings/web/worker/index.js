// The engine in a worker of the page.
import { Engine } from "./engine.js";

export function startEngine() {
  return Engine.start((take, fail) => {
    const worker = new Worker(new URL("./thread.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => take(data));
    worker.addEventListener("error", ({ message }) => fail(new Error(message || "the worker of wayfare cannot be loaded")));
    return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
  });
}
