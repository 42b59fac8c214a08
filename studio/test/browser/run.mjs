// Runs the tests in a browser, each once: a test waits for the state that it asserts, so one that
// fails has found something. Two files run at a time, each with a browser and a server of its own:
// one alone leaves the second core idle half of the time.
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";

const files = ["studio.test.mjs", "levels.test.mjs", "states.test.mjs", "terrain.test.mjs", "forms.test.mjs", "gestures.test.mjs", "pictures.test.mjs", "movement.test.mjs", "agents.test.mjs", "visit.test.mjs"].map((name) => fileURLToPath(new URL(name, import.meta.url)));

const tests = run({ files, concurrency: 2 });
tests.on("test:fail", () => (process.exitCode = 1));
const report = tests.compose(new spec());
report.pipe(process.stdout);
await new Promise((done) => report.on("end", done));
