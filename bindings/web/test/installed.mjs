// The package as npm packs it, installed into an empty project without a network.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const own = fileURLToPath(new URL("../", import.meta.url));
const run = (program, args, cwd) => execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

export function installed() {
  const folder = mkdtempSync(join(tmpdir(), "wayfare-npm-"));
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--offline", "--pack-destination", folder], own));
  writeFileSync(join(folder, "package.json"), '{ "name": "empty", "private": true }');
  const begun = performance.now();
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, packed.filename)], folder);
  const seconds = (performance.now() - begun) / 1000;
  /** Runs a module of the project, and returns what it prints. */
  const inProject = (name, text) => {
    writeFileSync(join(folder, name), text);
    return run("node", [name], folder).trim();
  };
  return { folder, packed, seconds, inProject, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
