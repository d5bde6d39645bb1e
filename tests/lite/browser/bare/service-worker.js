// Serves the files of this folder without a network.

const FILES = [
  "./",
  "main.js",
  "worker.js",
  "pyodide.mjs",
  "pyodide.asm.mjs",
  "pyodide.asm.wasm",
  "python_stdlib.zip",
  "pyodide-lock.json",
];

async function install() {
  const cache = await caches.open("bare");
  await cache.addAll(FILES);
}

async function serve(request) {
  return (await caches.match(request)) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => event.respondWith(serve(event.request)));
