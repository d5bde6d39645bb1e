// Shows in the form of a hand what the server knows of it, beside what is typed and never over it.

import { setFields, valuesOf } from "./form-fields.js";
import { showProblemSummary } from "./hand-problems.js";
import { keepScrollPosition, updateContent } from "./page-update.js";

/** @import { FieldValues } from "./form-fields.js" */

/** Hidden fields that each page has for itself. */
export const PAGE_FIELDS = ["request_id", "csrf_token", "refused"];

/** Hidden fields and buttons: nobody types in them. */
export const UNTYPED_FIELDS = ["csrf_token", "request_id", "version", "noted", "do"];

/** Attributes of fields that follow from this device. */
const OWN_ATTRIBUTES = ["inputmode", "aria-current"];

/**
 * Makes the form what it is on a fresh page. What was typed since the page was asked for stays.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLFormElement} freshForm
 * @param {FieldValues} sentValues What the form had when the page was asked for.
 */
export function updateHand(form, freshForm, sentValues) {
  keepTyped(form, freshForm, sentValues);
  keepScrollPosition(() => {
    updateContent(form, freshForm, { isKept: isKeys, ownAttributes: OWN_ATTRIBUTES });
  });
  showProblemSummary(form);
  form.dispatchEvent(new Event("shown"));
}

/**
 * Puts into a fresh form what was typed since other values were sent.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLFormElement} freshForm
 * @param {FieldValues} sentValues
 */
function keepTyped(form, freshForm, sentValues) {
  const sent = new Map(sentValues);
  const typed = new Map(valuesOf(form));
  const names = new Set([...typed.keys(), ...sent.keys()]);
  for (const name of names) {
    if (UNTYPED_FIELDS.includes(name)) continue;
    const value = typed.get(name);
    const isTypedSince = value !== sent.get(name);
    if (!isTypedSince) continue;
    const values = value === undefined ? [] : [value]; // a box that is not ticked has none
    setFields(freshForm, name, values);
  }
}

/**
 * Whether an element has the keys of the page, which no answer changes.
 *
 * @param {Element} element
 * @returns {boolean}
 */
function isKeys(element) {
  return element.classList.contains("keys");
}

/**
 * A form from the content that the server sends when it has checked a hand.
 *
 * @param {string} html
 * @returns {HTMLFormElement}
 */
export function formWithContent(html) {
  const form = document.createElement("form");
  form.innerHTML = html;
  return form;
}
