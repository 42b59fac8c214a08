// The side of the worker: holds worlds by number, and answers one call after the other.

/** Expansions between two looks at the messages. */
const SLICE = 20_000;

/** Serves `World` and the functions beside it to whoever posts to the port. */
export function serve({ World, ...functions }, post, listen) {
  const worlds = new Map();
  const given = new Set();
  let last = 0;

  const keep = (world) => {
    worlds.set(++last, world);
    return last;
  };
  const worldOf = (number) => {
    const world = worlds.get(number);
    if (!world) throw new Error("this world was freed");
    return world;
  };

  /** Steps a search to its end, posts its events if they are wanted, and gives it up when told. */
  async function search(call, world, [start, goal, asked], wantsEvents) {
    const search = world.search(start, goal, asked);
    let isDone = false;
    while (!isDone && !given.has(call)) {
      isDone = search.step(SLICE);
      const events = wantsEvents ? search.events() : null;
      if (events?.count) post({ call, events }, buffers(events));
      if (!isDone) await turn();
    }
    return { hash: search.traceHash(), ...world.finish(search) };
  }

  const answer = async ({ call, world, method, values, wantsEvents }) => {
    if (method === "open") return keep(World.open(...values));
    if (method === "generate") return keep(World.generate(...values));
    if (world === undefined) return called(functions, method, values);
    if (method === "search") return search(call, worldOf(world), values, wantsEvents);
    if (method === "free") {
      worlds.get(world)?.free();
      return worlds.delete(world);
    }
    return called(worldOf(world), method, values);
  };

  listen(async (message) => {
    if (message.giveUp !== undefined) {
      given.add(message.giveUp);
      return;
    }
    const { call } = message;
    try {
      const value = await answer(message);
      post({ call, value }, buffers(value));
    } catch (error) {
      post({ call, error: error instanceof Error ? error.message : String(error) });
    }
    given.delete(call);
  });
  post({ call: 0 });
}

function called(owner, method, values) {
  if (typeof owner[method] !== "function") throw new Error(`there is no function ${method}`);
  const value = owner[method](...values);
  if (typeof value?.free !== "function") return value;
  value.free();
  throw new Error(`${method} answers with an object that stays in its thread`);
}

/** Lets messages in that wait. */
function turn() {
  return new Promise((done) => setTimeout(done));
}

/** The memory of a value's typed arrays, which moves along with it. */
function buffers(value) {
  if (value === null || typeof value !== "object") return [];
  const arrays = ArrayBuffer.isView(value) ? [value] : Object.values(value).filter(ArrayBuffer.isView);
  return [...new Set(arrays.map(({ buffer }) => buffer))];
}
