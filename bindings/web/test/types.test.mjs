// The types of every entry, by the compiler of the studio.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";

const compiler = fileURLToPath(new URL("../../../studio/node_modules/typescript/bin/tsc", import.meta.url));
const folder = fileURLToPath(new URL("types", import.meta.url));

test("every entry has its types", { skip: existsSync(compiler) ? false : "TypeScript is not installed in studio" }, () => {
  const { stdout, status } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
});
