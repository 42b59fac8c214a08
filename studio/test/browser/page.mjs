// A server for the built page, and a browser that looks at it.
import { createReadStream, existsSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

/**
 * Serves the page from a folder below the root: its addresses have to be relative. Notes the paths
 * that are asked for, and refuses those that hold the text of `refused`.
 */
function serve(asked, refused) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const file = join(dist, path.replace(/^\/some\/folder\//, "") || "index.html");
    asked.push(path);
    if (refused.text && path.includes(refused.text)) {
      response.writeHead(503).end();
      return;
    }
    if (path === "/some/folder/world/my yard.txt") {
      response.writeHead(200).end("S....\n.###.\n....G\n");
      return;
    }
    if (!path.startsWith("/some/folder/") || !file.startsWith(dist) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

export async function start() {
  const asked = [];
  const refused = { text: "" };
  const server = await serve(asked, refused);
  const address = `http://127.0.0.1:${server.address().port}/some/folder/`;
  const profile = await mkdtemp(join(tmpdir(), "studio-"));
  const quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking"];
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--enable-unsafe-swiftshader",
      "--disable-component-update",
      "--disable-sync",
      ...quiet,
    ],
  });
  const errors = [];
  /** A page whose engine is there and whose first search was made. */
  const open = async (fragment = "", size = { width: 1280, height: 800 }) => {
    const page = await context.newPage();
    // A machine under load is slow: it is no fault of the page.
    page.setDefaultTimeout(90_000);
    await page.setViewportSize(size);
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(address + fragment);
    await page.waitForFunction(() => window.studio?.traces.length > 0, null, { timeout: 60_000 });
    return page;
  };
  const stop = async () => {
    await context.close();
    server.close();
    server.closeAllConnections();
    await rm(profile, { recursive: true, force: true });
  };
  return { open, stop, errors, address, asked, refused };
}
