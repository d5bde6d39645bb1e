// Which version of the site is used, and the offer to use a newer one.

/** @import { FromShell, VersionsOfWorker } from "./messages.js" */

/** How often an open pad looks for a new version, in milliseconds. */
const INTERVAL = 6 * 60 * 60 * 1000;

/**
 * Asks a service worker, and returns its answer.
 *
 * @param {ServiceWorker} worker
 * @param {FromShell} message
 * @returns {Promise<any>}
 */
function ask(worker, message) {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  worker.postMessage(message, [port2]);
  return answer;
}

/**
 * Finds the service worker of a version that is newer than the one shown, and did start so far.
 *
 * @param {ServiceWorkerRegistration} registration
 * @param {string} shown
 */
async function findNewer(registration, shown) {
  const worker = registration.waiting ?? registration.active;
  if (!worker) return null;
  /** @type {VersionsOfWorker} */
  const { own, failed } = await ask(worker, { type: "get-versions" });
  if (own === shown || own === failed) return null;
  return worker;
}

/**
 * Calls a function for each new version that is ready, with a function that starts using it.
 *
 * @param {ServiceWorkerRegistration} registration
 * @param {string} shown The version of this page.
 * @param {(useVersion: () => void) => void} offer
 */
export function watchForVersions(registration, shown, offer) {
  async function look() {
    const newer = await findNewer(registration, shown);
    if (newer) offer(() => useVersion(newer));
  }

  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", look);
  });
  setInterval(() => registration.update().catch(() => {}), INTERVAL);
  look();
}

/**
 * Uses a version from now on.
 *
 * @param {ServiceWorker} worker
 */
async function useVersion(worker) {
  await ask(worker, { type: "use-version" });
  location.reload();
}

/**
 * Uses the version before again, if this one has never shown a page. Returns whether there is one.
 *
 * @returns {Promise<boolean>}
 */
export async function fallBack() {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return false;
  return ask(worker, { type: "fall-back" });
}
