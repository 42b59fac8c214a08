// Densities of crowds.
import assert from "node:assert/strict";
import test, { after } from "node:test";
import { modules } from "./modules.mjs";

const {
  loaded: [{ densityOf }],
  close,
} = await modules("/src/density.ts");
after(close);

test("nobody is no density", () => {
  assert.deepEqual(densityOf(new Float32Array(0)), { side: 1, bins: [], most: 0 });
});

test("one agent counts as one, most where it is", () => {
  const { bins, most } = densityOf(Float32Array.of(-2.5, 9, 7.2));
  assert.equal(bins.length, 9);
  assert.equal(bins.reduce((sum, { density }) => sum + density, 0), 1);
  const [densest] = bins.filter(({ density }) => density === most);
  assert.deepEqual([densest.x, densest.z, most], [-2.5, 7.5, 0.25]);
});

test("agents on one spot add up, and places that are none are left out", () => {
  const { bins, most } = densityOf(Float32Array.of(0.5, 0, 0.5, 0.6, 1, 0.4, NaN, 0, 0, 1e30, 0, 0));
  assert.equal(most, 0.5);
  assert.equal(bins.reduce((sum, { density }) => sum + density, 0), 2);
});
