// The service worker: it serves the files of the site from the browser's storage, without a network,
// and passes every request for the application to the shell, whose worker answers it.
//
// Several versions of the site may be stored. Which one is used is written down, and changes only
// when the shell asks for it: a new version never replaces one in the middle of a match. One that
// does not start is given up for the one before.

/** @import { FromShell, Site, Versions } from "./messages.js" */

/** @typedef {ServiceWorkerGlobalScope & { SCOREPAD_SITE: Site }} Scope */

const serviceWorker = /** @type {Scope} */ (/** @type {unknown} */ (self));

/** The files of this version; the build puts them in. */
const SITE = serviceWorker.SCOREPAD_SITE;

const scope = serviceWorker.registration.scope;
const APPLICATION = `${scope}app/`;
const STATIC_FILES = `${scope}app/static/`;
const CACHE_PREFIX = `scorepad ${scope} `;
const STATE_CACHE = `${CACHE_PREFIX}state`;
const VERSIONS_KEY = `${scope}versions`;

/** How long the shell may take to answer, in milliseconds. */
const TIMEOUT = 90000;

/** How often a new version may try to start before the one before is used again. */
const MOST_ATTEMPTS = 3;

// ---------------------------------------------------------------- versions

/** @param {string} version */
function cacheName(version) {
  return CACHE_PREFIX + version;
}

/**
 * Which versions there are: the one in use, and the one before.
 *
 * @returns {Promise<Versions>}
 */
async function readVersions() {
  const cache = await caches.open(STATE_CACHE);
  const stored = await cache.match(VERSIONS_KEY);
  if (stored) return stored.json();
  return { current: SITE.version, previous: null, failed: null, attempts: 0 };
}

/** @param {Versions} versions */
async function writeVersions(versions) {
  const cache = await caches.open(STATE_CACHE);
  await cache.put(VERSIONS_KEY, new Response(JSON.stringify(versions)));
}

/**
 * Stores all files of this version. What a version before has under the same name is the same file,
 * because the names have digests.
 */
async function install() {
  const cache = await caches.open(cacheName(SITE.version));
  let loaded = 0;
  await tellShells({ type: "loading", loaded, total: SITE.size });
  for (const { name, size } of SITE.files) {
    const url = new URL(name, scope).href;
    const stored = url === scope ? undefined : await findInCaches(url);
    const response = stored ?? (await fetch(url, { cache: "no-cache" }));
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    if (url === scope) await requireOwnVersion(response.clone());
    await cache.put(url, response);
    loaded += size;
    await tellShells({ type: "loading", loaded, total: SITE.size });
  }
}

/**
 * Refuses the page of another version: the site is being published just now. The browser tries again
 * later.
 *
 * @param {Response} page
 */
async function requireOwnVersion(page) {
  const text = await page.text();
  if (!text.includes(SITE.version)) throw new Error("The site has just changed.");
}

async function activate() {
  await writeVersions(await readVersions()); // after the first installation there is none yet
  await removeOldVersions();
  await serviceWorker.clients.claim();
}

/** Removes the versions that are neither in use nor kept to fall back on. */
async function removeOldVersions() {
  const { current, previous } = await readVersions();
  const keptCaches = [STATE_CACHE, cacheName(current), cacheName(SITE.version)];
  if (previous !== null) keptCaches.push(cacheName(previous));
  for (const name of await caches.keys()) {
    if (name.startsWith(CACHE_PREFIX) && !keptCaches.includes(name)) await caches.delete(name);
  }
}

/**
 * A stored file of any version.
 *
 * @param {string} url
 */
async function findInCaches(url) {
  for (const name of await caches.keys()) {
    if (!name.startsWith(CACHE_PREFIX)) continue;
    const cache = await caches.open(name);
    const response = await cache.match(url);
    if (response) return response;
  }
  return undefined;
}

/**
 * Uses the version of this service worker from the next start on. The one before stays until this
 * one has shown its first page.
 *
 * @param {MessagePort} port Gets a message when that is written down.
 */
async function useOwnVersion(port) {
  const { current } = await readVersions();
  if (current !== SITE.version) {
    await writeVersions({ current: SITE.version, previous: current, failed: null, attempts: 0 });
  }
  await serviceWorker.skipWaiting();
  port.postMessage(true);
}

/** Gives up the version before: the one in use has shown its first page. */
async function confirmStart() {
  const versions = await readVersions();
  if (versions.previous === null) return;
  await writeVersions({ ...versions, previous: null, attempts: 0 });
  await removeOldVersions();
}

/**
 * Uses the version before again, because the one in use does not start.
 *
 * @returns {Promise<string | null>} That version; null if there is none.
 */
async function fallBack() {
  const { current, previous } = await readVersions();
  if (previous === null) return null;
  await writeVersions({ current: previous, previous: null, failed: current, attempts: 0 });
  return previous;
}

/**
 * The version to start. One that has not shown a page yet has a few attempts: its script may be too
 * broken to say that it does not start.
 *
 * @returns {Promise<string>}
 */
async function chooseVersion() {
  const versions = await readVersions();
  if (versions.previous === null) return versions.current;
  if (versions.attempts >= MOST_ATTEMPTS) return (await fallBack()) ?? versions.current;
  await writeVersions({ ...versions, attempts: versions.attempts + 1 });
  return versions.current;
}

// ---------------------------------------------------------------- the files of the site

/**
 * The page of the shell, in the version in use.
 *
 * @param {Request} request
 */
async function serveShell(request) {
  const version = await chooseVersion();
  const cache = await caches.open(cacheName(version));
  return (await cache.match(scope)) ?? fetch(request);
}

/**
 * A file of the site; from the network if it is in no stored version.
 *
 * @param {Request} request
 */
async function serveFile(request) {
  const url = request.url.split("?")[0];
  return (await findInCaches(url)) ?? fetch(request);
}

// ---------------------------------------------------------------- the application

/**
 * Whether a URL is that of the shell: browsers ask for it with or without the name of its file.
 *
 * @param {string} url
 */
function isShell(url) {
  const page = url.split(/[?#]/)[0];
  return page === scope || page === `${scope}index.html`;
}

/** The windows that show the shell; one of them has the worker. */
async function findShells() {
  const windows = await serviceWorker.clients.matchAll({
    type: "window",
    includeUncontrolled: true,
  });
  return windows.filter((client) => isShell(client.url));
}

/** @param {object} message */
async function tellShells(message) {
  for (const shell of await findShells()) shell.postMessage(message);
}

/**
 * Answers a request for the application.
 *
 * @param {FetchEvent} event
 * @returns {Promise<Response>}
 */
async function serveApplication(event) {
  const { request } = event;
  const shells = await findShells();
  if (shells.length === 0) return answerWithoutShell(request);
  const body = hasBody(request) ? await request.arrayBuffer() : null;
  const answer = await Promise.race([
    ...shells.map((shell) => askShell(shell, request, body)),
    waitForTimeout(),
  ]);
  if (!answer) return answerWithoutShell(request);
  return new Response(mayHaveBody(answer.status) ? answer.body : null, {
    status: answer.status,
    headers: answer.headers,
  });
}

/** @param {Request} request */
function hasBody(request) {
  return request.method !== "GET" && request.method !== "HEAD";
}

/** @param {number} status */
function mayHaveBody(status) {
  return ![204, 205, 304].includes(status);
}

/**
 * Passes a request to a shell. A shell without the worker never answers.
 *
 * @param {Client} shell
 * @param {Request} request
 * @param {ArrayBuffer | null} body
 * @returns {Promise<{ status: number, headers: [string, string][], body: Uint8Array<ArrayBuffer> }>}
 */
function askShell(shell, request, body) {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  const { method, url } = request;
  const headers = [...request.headers];
  shell.postMessage({ type: "ask", method, url, headers, body }, [port2]);
  return answer;
}

/** @returns {Promise<null>} */
function waitForTimeout() {
  return new Promise((resolve) => setTimeout(() => resolve(null), TIMEOUT));
}

/**
 * What a request gets if there is no shell, or if it did not answer: a page that was opened by itself
 * leads to the shell, which then shows it.
 *
 * @param {Request} request
 */
function answerWithoutShell(request) {
  if (request.mode === "navigate" && request.destination === "document") {
    return Response.redirect(`${scope}#/${request.url.slice(APPLICATION.length)}`);
  }
  return new Response("", { status: 503, statusText: "The pad does not answer" });
}

// ---------------------------------------------------------------- events

serviceWorker.addEventListener("install", (event) => event.waitUntil(install()));
serviceWorker.addEventListener("activate", (event) => event.waitUntil(activate()));

serviceWorker.addEventListener("message", (event) => {
  /** @type {FromShell} */
  const { type } = event.data;
  if (type === "use-version") event.waitUntil(useOwnVersion(event.ports[0]));
  if (type === "claim") event.waitUntil(serviceWorker.clients.claim());
  if (type === "confirm-start") event.waitUntil(confirmStart());
  if (type === "fall-back") event.waitUntil(tellFallBack(event.ports[0]));
  if (type === "get-versions") event.waitUntil(tellVersions(event.ports[0]));
});

/**
 * Answers the shell's question for the versions.
 *
 * @param {MessagePort} port
 */
async function tellVersions(port) {
  const versions = await readVersions();
  port.postMessage({ ...versions, own: SITE.version });
}

/**
 * Falls back, and tells the shell whether there is a version before.
 *
 * @param {MessagePort} port
 */
async function tellFallBack(port) {
  const previous = await fallBack();
  port.postMessage(previous !== null);
}

serviceWorker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = request.url.split(/[?#]/)[0];
  if (!url.startsWith(scope)) return;
  if (isShell(url)) event.respondWith(serveShell(request));
  else if (url.startsWith(STATIC_FILES)) event.respondWith(serveFile(request));
  else if (url.startsWith(APPLICATION)) event.respondWith(serveApplication(event));
  else event.respondWith(serveFile(request));
});
