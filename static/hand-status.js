// The line at the foot of the form of a hand that says where what was typed is: on its way, safe
// with the server, or on this device only.

import { elementById } from "./dom.js";

/** The line is looked up each time: an answer of the server may replace it. */
function statusLine() {
  return elementById("kept", HTMLElement);
}

/**
 * The message that is shown now.
 *
 * @returns {string}
 */
export function shownMessage() {
  return statusLine().textContent;
}

/**
 * Shows a message that is no reason to worry.
 *
 * @param {string | undefined} text
 */
export function showMessage(text) {
  calmStatus();
  setText(text);
}

/**
 * Shows a message that screen readers say at once, whatever they are saying.
 *
 * @param {string | undefined} text
 */
export function showAlarm(text) {
  const line = statusLine();
  line.classList.add("away");
  line.setAttribute("role", "alert");
  setText(text);
}

/** Leaves the message that the server sent, as no reason to worry. */
export function calmStatus() {
  const line = statusLine();
  line.classList.remove("away");
  line.removeAttribute("role");
}

/**
 * Sets the text of the line, unless it is the same: a screen reader would read it again.
 *
 * @param {string | undefined} text
 */
function setText(text = "") {
  const line = statusLine();
  if (line.textContent !== text) line.textContent = text;
}
