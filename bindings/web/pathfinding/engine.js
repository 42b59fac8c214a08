// The engine behind the finders: its module lies inside the JavaScript, and starts with the first
// search.
import { bytes } from "../flavours/inside.js";
import { Field, initSync, Promise } from "../pkg/wayfare_web_pathfinding.js";
import packed from "../pkg/wayfare_web_pathfinding_packed.js";

export { Promise };

let memory = null;

/** Makes a field: see `Field` in src/lib.rs. */
export function field(width, height, cells, rule) {
  memory ??= initSync({ module: bytes(packed) }).memory;
  return new Field(width, height, cells, rule);
}

/** The path that a field found last, of so many cells. */
export function lastPath(field, count) {
  const words = new Uint32Array(memory.buffer, field.path(), count);
  const path = new Array(count);
  for (let at = 0; at < count; at++) path[at] = [words[at] & 0xffff, words[at] >>> 16];
  return path;
}
