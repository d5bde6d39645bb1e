// A match that another pad hands over in a link: the link opens the shell, and the application takes
// the match after it has shown whose it is.

/** How the part of a link begins that holds a match (scorepad/matches/link_format.py). */
const BEGINNING = "#ricevi=";

/** The path of the page that takes links, below the application. */
const PAGE = "file";

/**
 * The path of the page to open for an address of the shell that hands a match over; null for any
 * other address.
 *
 * @param {string} hash
 * @returns {string | null}
 */
export function pageForLink(hash) {
  return hash.startsWith(BEGINNING) ? PAGE : null;
}

/**
 * Sends a link by the form of the page that takes links.
 *
 * @param {Document} page
 * @param {string} link
 */
export function sendLink(page, link) {
  const form = page.querySelector("#take-link");
  const field = form?.querySelector("[name='link']");
  if (!form || !field) return;
  /** @type {HTMLInputElement} */ (field).value = link;
  /** @type {HTMLFormElement} */ (form).submit();
}
