// Requests to the server by which forms are checked and sent.

import { addHiddenField } from "./form-fields.js";

/** @import { FieldValues } from "./form-fields.js" */

/**
 * An answer; only that of status 200 has a page. `redirect` is where the answer leads, if anywhere.
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Headers} headers
 * @property {string} html
 * @property {string | null} redirect
 */

/** How long to wait for an answer, in milliseconds. */
const TIMEOUT = 15000;

// Status codes of HTTP.
const OK = 200;
const FORBIDDEN = 403;
const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;
const INSUFFICIENT_STORAGE = 507;

/** The server, or the browser of a pad that is alone, has no room to store what was sent. */
export class NoRoom extends Error {}

/**
 * What the server answers. Throws where it does not answer in time, and where it cannot serve the
 * request now: both may be tried again. Throws NoRoom where it has no room to store something.
 *
 * @param {string} url
 * @param {RequestInit} options
 * @returns {Promise<Answer>}
 */
export async function request(url, options) {
  const control = new AbortController();
  const timeout = setTimeout(() => control.abort(), TIMEOUT);
  try {
    const answer = await fetch(url, {
      credentials: "same-origin",
      signal: control.signal,
      ...options,
    });
    const { status, headers } = answer;
    if (status === INSUFFICIENT_STORAGE) throw new NoRoom();
    const isOverloaded = status >= SERVER_ERROR || status === TOO_MANY_REQUESTS;
    if (isOverloaded) throw new Error(`The server answered ${status}.`);
    const html = status === OK ? await answer.text() : "";
    return { status, headers, html, redirect: headers.get("Scorepad-To") };
  } finally {
    clearTimeout(timeout);
  }
}

/**
 * Sends fields. The server then tells where its answer leads instead of redirecting there.
 *
 * @param {string} url
 * @param {FieldValues} values
 * @returns {Promise<Answer>}
 */
export function post(url, values) {
  return request(url, {
    method: "POST",
    body: new URLSearchParams(values),
    headers: { "Scorepad-Script": "1" },
  });
}

/**
 * The page as it is now, as an open page fetches it.
 *
 * @param {string} url
 * @returns {Promise<Answer>}
 */
export function fetchAgain(url) {
  return request(url, { headers: { "Scorepad-Live": "1" } });
}

/**
 * Whether this device may not write in the match, or may not see it any more.
 *
 * @param {Answer} answer
 * @returns {boolean}
 */
export function isDenied(answer) {
  return answer.status === FORBIDDEN || answer.status === NOT_FOUND;
}

/**
 * Sends fields as a form without script does: the answer is the next page.
 *
 * @param {string} url
 * @param {FieldValues} values
 */
export function submitAsPage(url, values) {
  const form = document.createElement("form");
  form.method = "post";
  form.action = url;
  for (const [name, value] of values) addHiddenField(form, name, value);
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form); // a field may be called "submit"
}
