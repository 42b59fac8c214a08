// What a link to the studio holds, and its text. A link comes from anywhere: every field is checked, and a link
// with a fault in it is refused whole, with a sentence.

const VERSION = 1;
const MOST_TEXT = 64_000;
const MOST_EDITS = 2_000;
const MOST_STATES = 20_000;
const MOST_PRICES = 256;
const MOST_CHANGES = 64;

export function toFragment(shared) {
  const { source, start, goal, algorithms, colour, edits, places, settings } = shared;
  const painted = edits.map(({ ground, states }) => [ground, ...steps(states)]);
  const world = source.from === "generated" ? [source.kind, source.seed] : [source.name];
  const last = [];
  if (places || settings) last.push(places?.map((value) => Math.round(value * 1000) / 1000) ?? null);
  if (settings) last.push(coded(settings));
  const text = JSON.stringify([VERSION, world, start, goal, algorithms, colour, painted, ...last]);
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const fragment = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return fragment.length <= MOST_TEXT ? `#s=${fragment}` : null;
}

export function fromFragment(fragment) {
  if (fragment === "" || fragment === "#") return { ok: true, shared: null };
  const bad = (problem) => ({ ok: false, problem });
  if (!fragment.startsWith("#s=")) return bad("The link's end is not one of the studio's.");
  const body = fragment.slice(3);
  if (body.length > MOST_TEXT) return bad("The link is too long.");
  if (!/^[A-Za-z0-9_-]+$/.test(body)) return bad("The link is damaged.");
  let value;
  try {
    const binary = atob(body.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return bad("The link is damaged.");
  }
  if (!Array.isArray(value) || value[0] !== VERSION) {
    return bad("The link is of another version of the studio.");
  }
  const [, world, start, goal, algorithms, colour, painted, places, rest] = value;
  const source = sourceOf(world);
  if (!source) return bad("The link names no world.");
  if (!isState(start) || !isState(goal)) return bad("The link's start or goal is no state.");
  const named =
    Array.isArray(algorithms) && algorithms.length >= 1 && algorithms.length <= 4 && algorithms.every(isText);
  if (!named) return bad("The link names no algorithms, or more than four.");
  if (!isText(colour)) return bad("The link's colouring is unknown.");
  const edits = editsOf(painted);
  if (!edits) return bad("The link's painted cells are damaged.");
  const isPlaces = Array.isArray(places) && places.length === 6 && places.every((one) => typeof one === "number" && Math.abs(one) < 1e6);
  if (places !== undefined && places !== null && !isPlaces) return bad("The link's start or goal is no place.");
  const settings = rest === undefined ? undefined : settingsOf(rest, algorithms.length);
  if (settings === null) return bad("The link's settings are damaged.");
  const shared = { source, start, goal, algorithms, colour, edits };
  if (isPlaces) shared.places = places;
  if (settings) shared.settings = settings;
  return { ok: true, shared };
}

function isText(value) {
  return typeof value === "string" && /^[A-Za-z0-9 _.+'()-]{1,64}$/.test(value) && !value.includes("..");
}

function isChange(value) {
  return typeof value === "string" && /^[a-z-]+=[A-Za-z0-9 _.+'(),-]{0,200}$/.test(value);
}

function isState(value) {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 0xffff_ffff;
}

function sourceOf(world) {
  if (!Array.isArray(world) || !isText(world[0])) return null;
  if (world.length === 1) return { from: "sample", name: world[0] };
  const seed = world[1];
  const isSeed = typeof seed === "number" && Number.isSafeInteger(seed) && seed >= 0;
  return world.length === 2 && isSeed ? { from: "generated", kind: world[0], seed } : null;
}

/** Each state as its distance from the one before: short where a brush went along. */
function steps(states) {
  return states.map((state, index) => (index === 0 ? state : state - states[index - 1]));
}

/** Settings as a list, short enough for a link. */
function coded({ heuristics, ignores, limit, palette, prices, blur, weights, movement }) {
  const priced = prices.map(({ ground, isOpen, multiplier, penalty }) => [ground, isOpen ? 1 : 0, multiplier, penalty]);
  const isPlain = movement.length === 0 && weights.every((weight) => weight === null);
  return [heuristics, ignores.map((ignored) => (ignored ? 1 : 0)), limit, palette, priced, blur, ...(isPlain ? [] : [weights, movement])];
}

/** Settings, for a number of searches; `null` where something is wrong with them. */
function settingsOf(list, searches) {
  if (!Array.isArray(list) || (list.length !== 6 && list.length !== 8)) return null;
  const none = Array.from({ length: searches }, () => null);
  const [heuristics, ignores, limit, palette, priced, blur, weights = none, movement = []] = list;
  const isSwitch = (value) => value === 0 || value === 1;
  const isName = (value) => value === null || isText(value);
  const isSound =
    Array.isArray(heuristics) && heuristics.length === searches && heuristics.every(isName) &&
    Array.isArray(ignores) && ignores.length === searches && ignores.every(isSwitch) &&
    (limit === null || (isState(limit) && limit >= 1)) && isName(palette) &&
    Array.isArray(priced) && priced.length <= MOST_PRICES &&
    (blur === null || (isWithin(blur, 0, 64) && Number.isInteger(blur))) &&
    Array.isArray(weights) && weights.length === searches && weights.every((weight) => weight === null || isWithin(weight, 1, 1e6)) &&
    Array.isArray(movement) && movement.length <= MOST_CHANGES && movement.every(isChange);
  if (!isSound) return null;
  const prices = [];
  for (const price of priced) {
    if (!Array.isArray(price) || price.length !== 4) return null;
    const [ground, open, multiplier, penalty] = price;
    if (!isText(ground) || !isSwitch(open) || !isWithin(multiplier, 0, 1000) || !isWithin(penalty, -1e5, 1e5)) return null;
    prices.push({ ground, isOpen: open === 1, multiplier, penalty });
  }
  return { heuristics, ignores: ignores.map((ignored) => ignored === 1), limit, palette, prices, blur, weights, movement };
}

function isWithin(value, least, most) {
  return typeof value === "number" && value >= least && value <= most;
}

function editsOf(painted) {
  if (!Array.isArray(painted) || painted.length > MOST_EDITS) return null;
  let left = MOST_STATES;
  const edits = [];
  for (const edit of painted) {
    if (!Array.isArray(edit) || !isText(edit[0])) return null;
    const states = [];
    let state = 0;
    for (const step of edit.slice(1)) {
      if (typeof step !== "number" || !Number.isInteger(step) || left-- <= 0) return null;
      state += step;
      if (!isState(state)) return null;
      states.push(state);
    }
    edits.push({ ground: edit[0], states });
  }
  return edits;
}
