// The page's end of the engine: calls that come back as promises.

import type { Calls } from "./engine.worker";

type Answer<Name extends keyof Calls> = Promise<Awaited<ReturnType<Calls[Name]>>>;

/** What a call does at present, and which share of its work is done. */
export interface Progress {
  doing: string;
  share: number;
}

interface Reply {
  id: number;
  /** Of a call that is not answered yet. */
  progress?: Progress;
  result?: unknown;
  problem?: string;
  isDead?: boolean;
}

/** Of a call that was given up: nothing is told. */
export class Cancelled extends Error {}

export class Engine {
  private worker: Worker;
  private waiting = new Map<number, { done: (value: never) => void; failed: (error: Error) => void }>();
  private next = 1;
  /** Called after the engine had to be started again: its world is gone. */
  onRestart: () => void = () => {};
  /** Called while a world is opened. */
  onProgress: (progress: Progress) => void = () => {};

  constructor() {
    this.worker = this.start();
  }

  private start(): Worker {
    const worker = new Worker(new URL("./engine.worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = (message: MessageEvent<Reply>) => {
      const { id, progress, result, problem, isDead } = message.data;
      if (progress) {
        this.onProgress(progress);
        return;
      }
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      if (problem === undefined) waiting?.done(result as never);
      else waiting?.failed(new Error(problem));
      if (isDead) this.restart();
    };
    worker.onerror = () => this.restart();
    return worker;
  }

  private restart(): void {
    this.renew(new Error("The engine stopped. It was started again."));
    this.onRestart();
  }

  /** Whether every call is answered. */
  get isIdle(): boolean {
    return this.waiting.size === 0;
  }

  /** Gives up all calls, and starts the engine again without a world. */
  cancel(): void {
    this.renew(new Cancelled());
  }

  private renew(error: Error): void {
    this.worker.terminate();
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { failed } of waiting) failed(error);
    this.worker = this.start();
  }

  call<Name extends keyof Calls>(call: Name, ...given: Parameters<Calls[Name]>): Answer<Name> {
    const id = this.next++;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done: done as (value: never) => void, failed });
      this.worker.postMessage({ id, call, given });
    }) as Answer<Name>;
  }
}
