// A server for folders, and a browser that looks at them. Browser and bundler are the studio's.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize, sep } from "node:path";
import { pathToFileURL } from "node:url";

const studio = createRequire(new URL("../../../../studio/package.json", import.meta.url));
/** A module that the studio has installed, of either form. */
export async function ofStudio(name) {
  const { default: whole, ...named } = await import(pathToFileURL(studio.resolve(name)));
  return { ...whole, ...named };
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

function serve(folder) {
  const server = createServer((request, response) => {
    const file = join(folder, normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)));
    if (!file.startsWith(folder + sep) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

/** Serves a folder to a browser. `errors` gathers what the pages complain of. */
export async function start(folder) {
  const { chromium } = await ofStudio("playwright-core");
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-background-networking"],
  });
  const server = await serve(folder.replace(/[\\/]$/, ""));
  const errors = [];
  const open = async (path, size = { width: 900, height: 700 }) => {
    const page = await browser.newPage({ viewport: size });
    // A machine under load is slow: it is no fault of the page.
    page.setDefaultTimeout(60_000);
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && !/favicon/.test(message.location().url) && errors.push(`${message.text()} ${message.location().url}`));
    await page.goto(`http://127.0.0.1:${server.address().port}/${path}`);
    return page;
  };
  const stop = async () => {
    await browser.close();
    server.close();
    server.closeAllConnections();
  };
  return { open, stop, errors };
}
