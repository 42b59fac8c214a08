// The worker of a page. Its module lies inside the JavaScript, so that no bundler has to find it.
import * as wayfare from "../flavours/compat.js";
import { serve } from "./serve.js";

serve(
  wayfare,
  (message, moved) => postMessage(message, moved),
  (take) => addEventListener("message", ({ data }) => take(data)),
);
