// The place in time that is shown, and playing from there.

import type { App } from "./app";
import { byId, grouped } from "./dom";

export class Time {
  private readonly app: App;
  /** The number of expansions that are shown. */
  at = 0;
  isPlaying = false;
  private frame = 0;

  constructor(app: App) {
    this.app = app;
  }

  /** The expansions of the longest search. */
  get most(): number {
    return Math.max(0, ...this.app.stage.panes.map((pane) => pane.cursor?.trace.expansions ?? 0));
  }

  goTo(at: number): void {
    if (this.app.walking.isOn) {
      this.app.walking.goTo(at);
      return;
    }
    this.at = Math.max(0, Math.min(Math.trunc(at), this.most));
    for (const pane of this.app.stage.panes) pane.show(this.at);
    if (this.app.colouring === "difference") for (const pane of this.app.stage.panes) pane.repaint();
    this.app.refresh();
  }

  step(by: number): void {
    if (this.app.walking.isOn) {
      this.app.walking.step(by);
      return;
    }
    this.pause();
    this.goTo(this.at + by);
  }

  pause(): void {
    if (this.app.walking.isOn) {
      this.app.walking.pause();
      return;
    }
    this.isPlaying = false;
    this.app.refresh();
  }

  play(): void {
    if (this.app.walking.isOn) {
      this.app.walking.play();
      return;
    }
    if (this.at >= this.most) this.goTo(0);
    this.isPlaying = true;
    this.run();
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** Expansions a second: a whole search takes four seconds at the usual speed. */
  private get pace(): number {
    const speed = Number(byId<HTMLInputElement>("speed").value);
    return Math.max(6, this.most / 4) * 10 ** ((speed - 50) / 25);
  }

  /** Plays on from the present place. */
  run(): void {
    cancelAnimationFrame(this.frame);
    let before = performance.now();
    let exact = this.at;
    const next = (now: number) => {
      if (!this.isPlaying) return;
      // A frame that comes late does not leap. The time of the first may lie before the beginning.
      exact = Math.max(exact, this.at) + (Math.max(0, Math.min(100, now - before)) / 1000) * this.pace;
      before = now;
      const stop = this.app.breaks.next(Math.trunc(exact));
      this.goTo(stop ?? exact);
      if (stop !== null) {
        this.pause();
        this.app.say(`A breakpoint at expansion ${grouped(this.at)}. Play goes on.`);
      } else if (this.at >= this.most) this.pause();
      else this.frame = requestAnimationFrame(next);
    };
    this.frame = requestAnimationFrame(next);
    this.app.refresh();
  }
}
