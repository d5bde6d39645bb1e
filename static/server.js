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

/** In milliseconds. */
const TIMEOUT = 15000;
const TOO_MANY_REQUESTS = 429;

/**
 * What the server answers. Throws where it does not answer in time, and where it cannot serve the
 * request now: both may be tried again.
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
    if (status >= 500 || status === TOO_MANY_REQUESTS) throw new Error(`It answered ${status}.`);
    const html = status === 200 ? await answer.text() : "";
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
  return answer.status === 403 || answer.status === 404;
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
