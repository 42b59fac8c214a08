// Runs the tests in a browser. A test that fails is tried once more, and a line says so: a browser
// beside other work may keep a test waiting for longer than it allows.
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";

const files = ["studio.test.mjs", "levels.test.mjs", "states.test.mjs", "terrain.test.mjs", "forms.test.mjs"].map((name) => fileURLToPath(new URL(name, import.meta.url)));

/** Runs the tests, or those of these names. Returns the names of those that failed. */
async function failing(names) {
  const patterns = names?.map((name) => new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`));
  const failed = new Set();
  const tests = run({ files, testNamePatterns: patterns });
  tests.on("test:fail", ({ name }) => failed.add(name));
  const report = tests.compose(new spec());
  report.pipe(process.stdout);
  await new Promise((done) => report.on("end", done));
  // A file fails with its tests.
  const named = [...failed].filter((name) => !files.includes(name));
  return named.length > 0 ? named : [...failed];
}

const failed = await failing(null);
if (failed.length > 0) {
  const isWhole = failed.some((name) => files.includes(name));
  console.log(`Failed, and tried once more: ${isWhole ? "all tests" : failed.join("; ")}`);
  const again = await failing(isWhole ? null : failed);
  if (again.length > 0) {
    console.log(`Failed twice: ${again.join("; ")}`);
    process.exitCode = 1;
  } else {
    console.log(`Passed at the second try: ${isWhole ? "all tests" : failed.join("; ")}`);
  }
}
