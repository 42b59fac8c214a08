// The examples of docs/gallery say what their page says, which is what those in Rust say.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const gallery = join(root, "docs/gallery");
const page = readFileSync(join(gallery, "README.md"), "utf8");
const said = [...page.matchAll(/^!\[.*\]\((\w+)\.png\)$[\s\S]*?^Both say: `(.*)`$/gm)].map(([, name, line]) => [name, line]);

// A folder whose programs find the package by its name, as it is for Node.
const folder = mkdtempSync(join(tmpdir(), "wayfare-gallery-"));
after(() => rmSync(folder, { recursive: true }));
const { exports } = JSON.parse(readFileSync(join(root, "bindings/web/package.json"), "utf8"));
const entry = exports["./node"]?.default ?? exports["."].node;
const entries = { ".": entry, "./agents": exports["./agents"].node ?? entry };
mkdirSync(join(folder, "node_modules/wayfare"), { recursive: true });
for (const [name, file] of Object.entries(entries)) {
  const from = pathToFileURL(join(root, "bindings/web", file)).href;
  writeFileSync(join(folder, "node_modules/wayfare", name === "." ? "index.mjs" : "agents.mjs"), `export * from "${from}";\n`);
}
writeFileSync(
  join(folder, "node_modules/wayfare/package.json"),
  JSON.stringify({ name: "wayfare", type: "module", exports: { ".": "./index.mjs", "./agents": "./agents.mjs" } }),
);

test("every example is on the page", () => {
  const scripts = readdirSync(join(gallery, "scripts")).map((file) => file.replace(".mjs", ""));
  assert.deepEqual(said.map(([name]) => name).sort(), scripts.sort());
  assert.ok(said.length >= 20);
});

for (const [name, line] of said) {
  test(`${name} says what its page says`, () => {
    const program = join(folder, `${name}.mjs`);
    writeFileSync(program, readFileSync(join(gallery, `scripts/${name}.mjs`)));
    const output = execFileSync(process.execPath, [program], { cwd: root, encoding: "utf8" });
    assert.equal(output.trim(), line);
  });
}
