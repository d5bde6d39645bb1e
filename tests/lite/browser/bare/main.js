// Starts Pyodide alone, as the site of a pad does: in a worker, from files that a service worker has.

await navigator.serviceWorker.register("service-worker.js");
if (!navigator.serviceWorker.controller) {
  await new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
  });
}
const worker = new Worker("worker.js", { type: "module" });
worker.onmessage = () => performance.mark("first-page");
