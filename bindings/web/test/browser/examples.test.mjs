// The examples, in a browser.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { start } from "./page.mjs";

let browser = null;
const open = (name) => browser.open(`bindings/web/examples/${name}`);
before(async () => {
  browser = await start(fileURLToPath(new URL("../../../../", import.meta.url)));
});
after(() => browser?.stop());

test("on the plain page the path follows the walls that are drawn", async () => {
  const page = await open("page.html");
  const output = page.locator("output");
  await page.waitForFunction(() => document.querySelector("output").value !== "");
  // 31 columns and 19 rows further: 19 diagonals and 12 straight steps.
  assert.equal(await output.innerText(), "32 cells");
  const { x, y } = await page.locator("canvas").boundingBox();
  await page.mouse.move(x + 51, y + 6);
  await page.mouse.down();
  for (let row = 1; row < 20; row++) await page.mouse.move(x + 51, y + 6 + row * 20);
  await page.mouse.up();
  assert.equal(await output.innerText(), "There is no path.");
  await page.mouse.click(x + 51, y + 391);
  assert.match(await output.innerText(), /^\d+ cells$/);
  await page.close();
});

test("Phaser's hero walks around the walls to the tile that is clicked", async () => {
  const page = await open("phaser.html");
  await page.waitForFunction(() => globalThis.game?.scene.scenes[0]?.hero);
  const { x, y } = await page.locator("canvas").boundingBox();
  await page.mouse.click(x + 15.5 * 32, y + 9.5 * 32);
  const place = () => page.evaluate(() => [game.scene.scenes[0].hero.x / 32, game.scene.scenes[0].hero.y / 32].map(Math.floor));
  await page.waitForFunction(() => Math.floor(game.scene.scenes[0].hero.x / 32) === 15 && Math.floor(game.scene.scenes[0].hero.y / 32) === 9);
  await page.mouse.click(x + 1.5 * 32, y + 1.5 * 32);
  assert.deepEqual(await place(), [15, 9], "a wall is no goal");
  await page.close();
});

test("three.js: the agent goes around the walls and up onto the platform", async () => {
  const page = await open("three.html");
  await page.waitForFunction(() => globalThis.level);
  assert.equal(await page.evaluate(() => level.goTo(7, 1.2, 3)), true);
  await page.waitForFunction(() => level.isThere());
  const [x, height, z] = await page.evaluate(() => level.position());
  assert.ok(Math.abs(x - 7) < 0.6 && Math.abs(height - 1.2) < 0.4 && Math.abs(z - 3) < 0.6, `${[x, height, z]}`);
  await page.close();
});

test("the element shows a link, plays its search, and says what is wrong with a bad one", async () => {
  const page = await open("view.html");
  const words = (id) => page.evaluate((id) => document.querySelector(id).shadowRoot.querySelector("p").textContent, id);
  const colours = (id) =>
    page.evaluate((id) => {
      const canvas = document.querySelector(id).shadowRoot.querySelector("canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    }, id);
  for (const [id, said] of [["#cave", /^Dijkstra.*: \d+ expanded, cost \d/], ["#village", /^A\*: \d+ expanded, cost \d/]]) {
    await page.waitForFunction((id) => document.querySelector(id).shadowRoot?.querySelector("p").textContent, id);
    assert.match(await words(id), said);
    assert.ok((await colours(id)) > 8, id);
  }
  // At its beginning the search has fewer colours than at its end.
  const end = await colours("#village");
  await page.evaluate(() => (document.querySelector("#village").progress = 0));
  assert.ok((await colours("#village")) < end);
  await page.evaluate(
    () =>
      new Promise((done) => {
        const view = document.querySelector("#village");
        view.setAttribute("seconds", "0.2");
        view.addEventListener("end", done);
        view.play();
      }),
  );
  assert.equal(await page.evaluate(() => document.querySelector("#village").progress), 1);
  assert.equal(await colours("#village"), end);
  await page.evaluate(() => document.querySelector("#cave").setAttribute("link", "#s=!"));
  await page.waitForFunction(() => /damaged/.test(document.querySelector("#cave").shadowRoot.querySelector("p").textContent));
  await page.close();
});

test("no page complained", () => {
  assert.deepEqual(browser.errors, []);
});
