import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses: the page works from any folder.
  base: "./",
  worker: { format: "es" },
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 900 },
  // The binding and the sample worlds lie beside this folder.
  server: { fs: { allow: [".."] } },
});
