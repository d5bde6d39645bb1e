// What the build writes about the site, as types, and the addresses of the site.

/** @import { Texts } from "./texts.js" */
/** @import { Pieces } from "./messages.js" */

/**
 * What the shell knows about its version; paths are below the site.
 *
 * @typedef {object} Shell
 * @property {string} version
 * @property {string} scripts
 * @property {string} pyodide
 * @property {string} solver
 * @property {string} archive
 * @property {Record<string, Texts>} texts By language.
 */

/** The URL of the site, with a slash at its end. */
export const SITE_URL = new URL("./", location.href.split(/[?#]/)[0]).href;

/** The URL under which the service worker reaches the application. */
export const APPLICATION_URL = `${SITE_URL}app/`;

/** The last page that was seen, as the service worker serves it. */
export const LAST_PAGE_URL = `${SITE_URL}last-page`;

/** The name of the cache that has it, and what the service worker writes down. */
export const STATE_CACHE = `scorepad ${SITE_URL} state`;

/** @returns {Shell} */
export function readShell() {
  const element = document.getElementById("site");
  return JSON.parse(element?.textContent ?? "{}");
}

/**
 * What the worker needs to start.
 *
 * @param {Shell} shell
 * @returns {Pieces}
 */
export function piecesOf(shell) {
  return {
    pyodide: SITE_URL + shell.pyodide,
    solver: SITE_URL + shell.solver,
    archive: SITE_URL + shell.archive,
    application: `${SITE_URL}app`,
    storage: `scorepad ${SITE_URL}`,
  };
}
