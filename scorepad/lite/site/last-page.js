// The last page that was seen: it is shown at once while the pad starts, and cannot be used yet.

/**
 * Stores a page without its scripts.
 *
 * @param {string} url The URL by which the service worker serves it.
 * @param {string} cacheName
 * @param {Document} page
 */
export async function storeLastPage(url, cacheName, page) {
  const copy = /** @type {HTMLElement} */ (page.documentElement.cloneNode(true));
  for (const script of copy.querySelectorAll("script")) script.remove();
  const response = new Response(`<!doctype html>${copy.outerHTML}`, {
    headers: { "Content-Type": "text/html; charset=utf-8" },
  });
  const cache = await caches.open(cacheName);
  await cache.put(url, response);
}

/**
 * Whether a last page is stored.
 *
 * @param {string} url
 * @param {string} cacheName
 */
export async function hasLastPage(url, cacheName) {
  const cache = await caches.open(cacheName);
  return (await cache.match(url)) !== undefined;
}
