// Prints the golden hashes that a WebAssembly module computes, in the form of testdata/hashes.txt.
import { readFile } from "node:fs/promises";

const module = await WebAssembly.instantiate(await readFile(process.argv[2]), {});
const { count, hash, name, name_length, memory } = module.instance.exports;
const lines = [];
for (let number = 0; number < count(); number++) {
  const text = new TextDecoder().decode(new Uint8Array(memory.buffer, name(number), name_length(number)));
  lines.push(`${BigInt.asUintN(64, hash(number)).toString(16).padStart(16, "0")} ${text}\n`);
}
process.stdout.write(lines.join(""));
