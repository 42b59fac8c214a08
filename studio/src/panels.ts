// Buttons, lists and dialogs.

import type { App } from "./app";
import { addPane } from "./panes";
import { byId, make, option, save } from "./dom";
import { code, mapFile, nameOf, picture, posthocFile, scenario, sceneFile, traceFile, vectors } from "./export";
import { gif, webm } from "./films";
import { share } from "./links";
import { LOOKS } from "./look";
import type { Tool } from "./painting";
import { SAMPLES } from "./samples";
import type { Colouring } from "./pane";

export function panels(app: App): void {
  const on = (id: string, event: string, act: (element: HTMLInputElement) => void) => {
    const element = byId<HTMLInputElement>(id);
    element.addEventListener(event, () => act(element));
  };

  on("first", "click", () => app.time.step(-Infinity));
  on("back", "click", () => app.time.step(-1));
  on("play", "click", () => app.time.toggle());
  on("forward", "click", () => app.time.step(1));
  on("last", "click", () => app.time.step(Infinity));
  on("scrub", "input", (scrub) => {
    const at = Number(scrub.value);
    app.time.pause();
    app.time.goTo(at);
  });
  on("compare", "click", () => addPane(app));
  on("share", "click", () => void share(app));
  on("undo", "click", () => app.painting.undo());
  on("redo", "click", () => app.painting.redo());
  on("colouring", "change", (select) => app.setColouring(select.value as Colouring));
  on("cut", "input", (cut) => app.setCut(Number(cut.value)));
  on("flat", "change", (flat) => app.setFlat(flat.checked));
  const PIXELS = 60;
  on("turn-left", "click", () => app.stage.turn(PIXELS, 0));
  on("turn-right", "click", () => app.stage.turn(-PIXELS, 0));
  on("tilt-up", "click", () => app.stage.turn(0, PIXELS / 2));
  on("tilt-down", "click", () => app.stage.turn(0, -PIXELS / 2));
  on("nearer", "click", () => app.stage.zoom(1.25, [0, 0]));
  on("further", "click", () => app.stage.zoom(1 / 1.25, [0, 0]));
  on("break-f", "change", (input) => app.breaks.setF(input.value === "" ? null : input.valueAsNumber));
  on("limit", "change", (input) => app.setLimit(input.value === "" ? null : input.valueAsNumber));
  on("break-clear", "click", () => app.breaks.clear());
  on("message", "click", () => app.hush());

  const palette = byId<HTMLSelectElement>("palette");
  palette.replaceChildren(...LOOKS.map((look) => option(look.id, look.label)));
  on("palette", "change", (select) => app.setLook(LOOKS.find((look) => look.id === select.value) ?? LOOKS[0]));

  const tools = [...byId("tools").querySelectorAll<HTMLButtonElement>("[data-tool]")];
  for (const button of tools) {
    const tool = button.dataset.tool as Tool;
    button.addEventListener("click", () => app.painting.choose(tool));
  }

  for (const button of byId("modes").querySelectorAll<HTMLButtonElement>("[data-mode-choice]")) {
    button.addEventListener("click", (event) => {
      // After a click with the pointer the space bar plays again.
      if (event.detail > 0) button.blur();
      void app.setMode(button.dataset.modeChoice as "search" | "agents");
    });
  }

  for (const dialog of document.querySelectorAll("dialog")) {
    // The button that opened it has the focus again. After a click the space bar plays, and opens
    // it no more.
    let isClicked = false;
    dialog.addEventListener("click", (event) => (isClicked = event.detail > 0), { capture: true });
    dialog.addEventListener("close", () => isClicked && (document.activeElement as HTMLElement | null)?.blur());
    dialog.querySelector("[data-close]")?.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }
  gallery(app);
  exports(app);
  dropping(app);
}

/** The pictures of the gallery by their files: `npm run gallery` draws them. */
const PICTURES = import.meta.glob<string>("./gallery/*.webp", { eager: true, query: "?url", import: "default" });

/** The name of a kind as a title. */
function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
}

/** A world to be opened, with its picture where there is one. */
function card(world: string, title: string, about: string, from: "kind" | "sample", act: () => void): HTMLButtonElement {
  const button = make("button");
  button.dataset.world = world;
  const picture = PICTURES[`./gallery/${from}-${world}.webp`];
  if (picture) {
    const image = make("img");
    image.src = picture;
    image.alt = "";
    image.loading = "lazy";
    [image.width, image.height] = [176, 110];
    button.append(image);
  }
  button.append(title, make("small", about));
  button.addEventListener("click", act);
  return button;
}

function gallery(app: App): void {
  const dialog = byId<HTMLDialogElement>("gallery");
  const seed = byId<HTMLInputElement>("seed");
  byId("worlds").addEventListener("click", () => {
    const made = app.kinds.map(({ name, about }) =>
      card(name, titled(name), about, "kind", () => {
        dialog.close();
        void app.worlds.generate(name, Math.max(0, Math.trunc(seed.valueAsNumber || 0)));
      }),
    );
    byId("kinds").replaceChildren(...made);
    dialog.showModal();
  });
  byId("samples").append(
    ...SAMPLES.map(({ name, label, about }) =>
      card(name, label, about, "sample", () => {
        dialog.close();
        void app.worlds.sample(name);
      }),
    ),
  );
  const file = byId<HTMLInputElement>("file");
  file.addEventListener("change", () => {
    const files = [...(file.files ?? [])];
    file.value = "";
    dialog.close();
    if (files.length > 0) void app.worlds.openFiles(files);
  });
}

function exports(app: App): void {
  const dialog = byId<HTMLDialogElement>("exports");
  byId("export").addEventListener("click", () => dialog.showModal());
  const offer = (id: string, make: () => Promise<[string, Blob]>) => {
    byId(id).addEventListener("click", async () => {
      dialog.close();
      try {
        const [name, blob] = await make();
        save(name, blob);
      } catch (error) {
        app.fail(error);
      }
    });
  };
  offer("export-png", async () => ["search.png", await picture(app)]);
  offer("export-webm", async () => ["search.webm", await webm(app)]);
  offer("export-gif", async () => ["search.gif", await gif(app)]);
  offer("export-svg", async () => ["search.svg", vectors(app)]);
  offer("export-trace", async () => ["search.trace.json", await traceFile(app)]);
  offer("export-posthoc", async () => ["search.trace.yaml", posthocFile(app)]);
  offer("export-scen", async () => ["search.scen", scenario(app)]);
  offer("export-scene", async () => [`${nameOf(app)}.toml`, await sceneFile(app)]);
  for (const format of ["map", "txt", "tmj", "png"]) {
    offer(`export-map-${format}`, async () => {
      const [file, legend] = await mapFile(app, format);
      if (legend) save(`${nameOf(app)}.png.toml`, legend);
      return [`${nameOf(app)}.${format}`, file];
    });
  }
  offer("export-code", async () => ["query.rs", code(app)]);
}

function dropping(app: App): void {
  const drop = byId("drop");
  let depth = 0;
  window.addEventListener("dragenter", (event) => {
    event.preventDefault();
    depth++;
    drop.hidden = false;
  });
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    drop.hidden = depth === 0;
  });
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    drop.hidden = true;
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) void app.worlds.openFiles(files);
  });
}
