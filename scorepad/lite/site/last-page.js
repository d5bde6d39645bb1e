// The last page that was seen: it is shown at once while the pad starts, and cannot be used yet.

import { LAST_PAGE_URL, SITE_URL, STATE_CACHE } from "./site.js";

/** Where the browser stores the path of that page, below the application. */
const PATH = `scorepad-last-path ${SITE_URL}`;

/** The path of the last page that was seen; empty for the first page of the application. */
export function lastPath() {
  try {
    return localStorage.getItem(PATH) ?? "";
  } catch {
    return ""; // the browser denies its storage
  }
}

/**
 * Stores a page without its scripts.
 *
 * @param {string} path
 * @param {Document} page
 */
export async function storeLastPage(path, page) {
  const copy = /** @type {HTMLElement} */ (page.documentElement.cloneNode(true));
  for (const script of copy.querySelectorAll("script")) script.remove();
  const response = new Response(`<!doctype html>${copy.outerHTML}`, {
    headers: { "Content-Type": "text/html; charset=utf-8" },
  });
  const cache = await caches.open(STATE_CACHE);
  await cache.put(LAST_PAGE_URL, response);
  try {
    localStorage.setItem(PATH, path);
  } catch {
    // The browser denies its storage: the next start shows the first page.
  }
}

/** Whether a last page is stored. */
export async function hasLastPage() {
  const cache = await caches.open(STATE_CACHE);
  return (await cache.match(LAST_PAGE_URL)) !== undefined;
}
