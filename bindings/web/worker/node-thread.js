// The worker of a Node program.
import { parentPort } from "node:worker_threads";
import * as wayfare from "../flavours/node.js";
import { serve } from "./serve.js";

serve(
  wayfare,
  (message, moved) => parentPort.postMessage(message, moved),
  (take) => parentPort.on("message", take),
);
