// What an open page says about itself: that it cannot be brought up to date, and since when, or
// that this device may no longer write.

import { elementById, find, findAll } from "./dom.js";

/**
 * Why the page is not up to date; empty where it is.
 *
 * @typedef {"" | "away" | "offline" | "gone" | "denied" | "overtaken"} Status
 */

/**
 * A link behind the message.
 *
 * @typedef {{ url: string, text: string }} StatusLink
 */

const main = elementById("content", HTMLElement);
const statusLine = elementById("live-status", HTMLElement);
const handForm = find(document, "#count", HTMLFormElement);

let isReadOnly = false;
let clock = main.dataset.liveClock ?? "";

/**
 * Remembers the time of the last answer, as people read it: `21:45`.
 *
 * @param {string | null} time
 */
export function rememberClock(time) {
  if (time) clock = time;
}

/**
 * The status that the page shows.
 *
 * @returns {Status}
 */
export function currentStatus() {
  return /** @type {Status} */ (statusLine.dataset.says ?? "");
}

/**
 * Shows a status with its message, in which `{clock}` stands for the time of the last answer. A
 * device that may not write finds nothing to press.
 *
 * @param {Status} status
 * @param {string} [message]
 * @param {StatusLink | null} [link]
 */
export function showStatus(status, message = "", link = null) {
  statusLine.dataset.says = status;
  setReadOnly(status === "gone" || status === "denied");
  showMessage(message.replace("{clock}", clock), link);
}

/**
 * Shows a message and its link, unless the message is shown already: a screen reader would read it
 * again.
 *
 * @param {string} text
 * @param {StatusLink | null} link
 */
function showMessage(text, link) {
  const isShownAlready = statusLine.firstChild?.textContent === text;
  if (isShownAlready) return;
  statusLine.textContent = text;
  if (!link) return;
  const anchor = document.createElement("a");
  anchor.href = link.url;
  anchor.textContent = link.text;
  statusLine.append(" ", anchor);
}

/**
 * Lets nobody write on this page, or lets them write again.
 *
 * @param {boolean} readOnly
 */
function setReadOnly(readOnly) {
  const isChanged = isReadOnly !== readOnly;
  isReadOnly = readOnly;
  if (!handForm) {
    setControlsInert(readOnly);
    return;
  }
  // The form of a hand keeps on this device what is typed in it.
  if (isChanged) handForm.dispatchEvent(new CustomEvent("readonly", { detail: readOnly }));
}

/**
 * Makes all buttons that write unusable, or usable again.
 *
 * @param {boolean} isInert
 */
function setControlsInert(isInert) {
  for (const control of findAll(main, "form[method=post] button, .bar a", HTMLElement)) {
    control.inert = isInert;
  }
}
