// The side of the program: calls become messages, and answers promises.

/** The engine in a worker: see index.d.ts. */
export class Engine {
  #post;
  #end;
  #waiting = new Map();
  #last = 0;
  #fault = null;

  /** `connect` starts the worker: takes a function for its messages and one for its failures. */
  static async start(connect) {
    const engine = new Engine();
    const begun = new Promise((resolve, reject) => engine.#waiting.set(0, { resolve, reject }));
    const { post, end } = connect(
      (message) => engine.#take(message),
      (error) => engine.#fail(error),
    );
    engine.#post = post;
    engine.#end = end;
    await begun;
    return engine;
  }

  async open(name, bytes, files, options) {
    return this.#world(await this.call("open", name, bytes, files, options));
  }

  async generate(kind, seed, settings) {
    return this.#world(await this.call("generate", kind, seed, settings));
  }

  /** Calls a function of the package: `call("algorithms")`. */
  call(method, ...values) {
    return this.#ask({ method, values });
  }

  stop() {
    this.#fail(new Error("the engine was stopped"));
    this.#end();
  }

  /** A world in the worker: its methods are those of `World`, and answer by promises. */
  #world(world) {
    const search = (start, goal, asked, { onEvents, signal } = {}) => {
      signal?.throwIfAborted();
      const message = { world, method: "search", values: [start, goal, asked], wantsEvents: onEvents !== undefined };
      return this.#ask(message, { onEvents, signal });
    };
    return new Proxy(
      {},
      {
        get: (_, method) => {
          // Whoever awaits a world asks whether it is a promise.
          if (typeof method !== "string" || method === "then") return undefined;
          if (method === "search") return async (...values) => search(...values);
          return (...values) => this.#ask({ world, method, values });
        },
      },
    );
  }

  #ask(message, { onEvents, signal } = {}) {
    if (this.#fault) return Promise.reject(this.#fault);
    const call = ++this.#last;
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#post({ giveUp: call });
        this.#waiting.delete(call);
        reject(signal.reason);
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      const settled = (settle) => (value) => {
        signal?.removeEventListener("abort", giveUp);
        settle(value);
      };
      this.#waiting.set(call, { resolve: settled(resolve), reject: settled(reject), onEvents });
      try {
        this.#post({ call, ...message });
      } catch (error) {
        this.#waiting.delete(call);
        reject(error);
      }
    });
  }

  #take({ call, events, error, value }) {
    const waiting = this.#waiting.get(call);
    if (!waiting) return;
    if (events) {
      waiting.onEvents(events);
      return;
    }
    this.#waiting.delete(call);
    if (error === undefined) waiting.resolve(value);
    else waiting.reject(new Error(error));
  }

  #fail(error) {
    this.#fault ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
