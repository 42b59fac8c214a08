// The page's modules in Node, as Vite reads them.
import { createServer } from "vite";

export async function modules(...paths) {
  const server = await createServer({ server: { middlewareMode: true }, appType: "custom", logLevel: "error" });
  const loaded = await Promise.all(paths.map((path) => server.ssrLoadModule(path)));
  return { loaded, close: () => server.close() };
}
