import "./style.css";
import { App } from "./app";
import { control } from "./controls";
import { byId } from "./dom";
import { Engine } from "./engine";
import { openLink } from "./links";
import { panels } from "./panels";

declare global {
  interface Window {
    /** For tests: what the page shows, without a look at its pixels. */
    studio?: App;
  }
}

/** A fault is a message in the page, never a blank one. */
function report(text: string): void {
  const message = byId("message");
  message.textContent = text;
  message.hidden = false;
}

async function main(): Promise<void> {
  if (!("WebAssembly" in window)) throw new Error("This browser runs no WebAssembly, which the engine needs.");
  const app = new App(new Engine());
  window.studio = app;
  panels(app);
  control(app);
  await app.begin();
  window.addEventListener("hashchange", () => void openLink(app, location.hash));
}

window.addEventListener("unhandledrejection", (event) => report(String(event.reason?.message ?? event.reason)));
window.addEventListener("error", (event) => report(event.message));

main().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  report(/webgl/i.test(text) ? "This browser draws no WebGL 2, which the map needs." : text);
});
