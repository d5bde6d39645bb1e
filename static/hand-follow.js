// The form of a hand follows what other devices type in the same hand, and notices when one of them
// saves it. live.js tells of both; nothing happens while something is typed or on its way here.

import { elementById, find, inputNamed, parsePage } from "./dom.js";
import { valuesOf } from "./form-fields.js";
import { PAGE_FIELDS, updateHand } from "./hand-update.js";
import { fetchAgain } from "./server.js";

/** @import { HandDraft } from "./hand-draft.js" */

/** Fields of a side, and who went out: what has to be saved of a hand. */
const COUNTED_FIELD = /^([abc]\.|(out|single)$)/;

/** @param {HandDraft} draft */
export function followOthers(draft) {
  const { form } = draft;
  let isFetching = false;

  form.addEventListener("drafted", async (event) => {
    const state = /** @type {CustomEvent<string | null>} */ (event).detail;
    const isKnown = !state || state === draftState(form);
    if (isKnown || isFetching || !draft.isIdle || isOvertaken()) return;
    isFetching = true;
    await showOthersFields(draft);
    isFetching = false;
  });

  form.addEventListener("overtaken", (event) => {
    const freshForm = /** @type {CustomEvent<HTMLFormElement | null>} */ (event).detail;
    if (draft.isIdle && isMatchAhead(freshForm, form)) leaveIfSaved(draft);
  });
}

/** Whether the page has said that this hand was saved elsewhere. */
function isOvertaken() {
  return elementById("live-status", HTMLElement).dataset.says === "overtaken";
}

/**
 * How far a hand is typed: the version of its draft, and the penalties noted. The server tells it
 * in the same form (Scorepad-Typed).
 *
 * @param {HTMLFormElement} form
 * @returns {string}
 */
function draftState(form) {
  return `${inputNamed(form, "version").value}:${inputNamed(form, "noted").value}`;
}

/**
 * Whether the match is at a later hand, or over: then the fresh page has no form.
 *
 * @param {HTMLFormElement | null} freshForm
 * @param {HTMLFormElement} form
 * @returns {boolean}
 */
function isMatchAhead(freshForm, form) {
  if (!freshForm) return true;
  return numberIn(freshForm, "number") > numberIn(form, "number");
}

/**
 * Fetches what another device typed, and shows it.
 *
 * @param {HandDraft} draft
 */
async function showOthersFields(draft) {
  const { form } = draft;
  const query = draft.valueOf("refused") ? "?errori=1" : "";
  const freshForm = await fetchForm(form.action + query);
  if (!freshForm || !draft.isIdle || !isNewer(freshForm, form)) return;
  for (const name of PAGE_FIELDS) inputNamed(freshForm, name).value = draft.valueOf(name);
  updateHand(form, freshForm, draft.values());
}

/**
 * @param {HTMLFormElement} freshForm
 * @param {HTMLFormElement} form
 * @returns {boolean}
 */
function isNewer(freshForm, form) {
  const isSameHand = inputNamed(freshForm, "hand").value === inputNamed(form, "hand").value;
  if (!isSameHand || draftState(freshForm) === draftState(form)) return false;
  return numberIn(freshForm, "version") >= numberIn(form, "version");
}

/**
 * Goes to the match if the hand that another device saved has all that stands here.
 *
 * @param {HandDraft} draft
 */
async function leaveIfSaved(draft) {
  const savedForm = await fetchForm(draft.form.dataset.counted ?? "");
  if (!savedForm || !draft.isIdle) return;
  const saved = new Map(valuesOf(savedForm));
  const counted = draft.values().filter(([name, value]) => isCounted(name, value));
  const isAllSaved = counted.every(([name, value]) => saved.get(name) === value);
  if (isAllSaved) draft.goTo(draft.form.dataset.overtakenMatch ?? "");
}

/**
 * @param {string} name
 * @param {string} value
 * @returns {boolean}
 */
function isCounted(name, value) {
  const isBlank = ["", "0"].includes(value.trim());
  return COUNTED_FIELD.test(name) && !isBlank;
}

/**
 * The form of a hand on a page of the server; null where it does not answer, or has none.
 *
 * @param {string} url
 * @returns {Promise<HTMLFormElement | null>}
 */
async function fetchForm(url) {
  try {
    const answer = await fetchAgain(url);
    return find(parsePage(answer.html), "#count", HTMLFormElement);
  } catch {
    return null; // live.js asks again
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {number}
 */
function numberIn(form, name) {
  return Number(inputNamed(form, name).value);
}
