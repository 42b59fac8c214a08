// The engine in a thread of a Node program, which runs until `stop`.
import { Worker } from "node:worker_threads";
import { Engine } from "./engine.js";

export function startEngine() {
  return Engine.start((take, fail) => {
    const worker = new Worker(new URL("./node-thread.js", import.meta.url));
    worker.on("message", take);
    worker.on("error", fail);
    return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
  });
}
