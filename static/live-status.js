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

/** @returns {Status} */
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
  const text = message.replace("{clock}", clock);
  // A screen reader would read the same text again.
  if (statusLine.firstChild?.textContent === text) return;
  statusLine.textContent = text;
  if (!link) return;
  const anchor = document.createElement("a");
  anchor.href = link.url;
  anchor.textContent = link.text;
  statusLine.append(" ", anchor);
}

/**
 * Makes inert whatever would write. The form of a hand is told instead: what is typed there stays
 * on this device.
 *
 * @param {boolean} readOnly
 */
function setReadOnly(readOnly) {
  if (handForm) {
    if (isReadOnly !== readOnly) {
      handForm.dispatchEvent(new CustomEvent("readonly", { detail: readOnly }));
    }
  } else {
    for (const control of findAll(main, "form[method=post] button, .bar a", HTMLElement)) {
      control.inert = readOnly;
    }
  }
  isReadOnly = readOnly;
}
