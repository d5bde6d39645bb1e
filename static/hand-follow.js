// The form of a hand follows what other devices type in the same hand, and notices when one of them
// saves it. live.js tells of both by the events "drafted" and "overtaken". Nothing happens while
// something is typed here, or on its way to the server.

import { elementById, find, inputNamed, parsePage } from "./dom.js";
import { valuesOf } from "./form-fields.js";
import { PAGE_FIELDS, updateHand } from "./hand-update.js";
import { fetchAgain } from "./server.js";

/** @import { HandDraft } from "./hand-draft.js" */
/** @import { FieldValues } from "./form-fields.js" */

/** Names of fields that change a score: those of side a, b or c, and who ended the hand. */
const SCORE_FIELD = /^([abc]\.|(out|single)$)/;

/**
 * Lets the form of a hand follow other devices.
 *
 * @param {HandDraft} draft
 */
export function followOthers(draft) {
  followTyping(draft);
  followSaving(draft);
}

// ---------------------------------------------------------------- another device types

/**
 * Shows what another device types. The event "drafted" tells the state of the draft on the server.
 *
 * @param {HandDraft} draft
 */
function followTyping(draft) {
  const { form } = draft;
  let isFetching = false;

  form.addEventListener("drafted", async (event) => {
    const stateOnServer = /** @type {CustomEvent<string | null>} */ (event).detail;
    const isKnown = !stateOnServer || stateOnServer === draftState(form);
    if (isKnown) return;
    if (isFetching || !draft.isIdle || isOvertaken()) return;
    isFetching = true;
    await showOthersFields(draft);
    isFetching = false;
  });
}

/**
 * Fetches what another device typed, and shows it.
 *
 * @param {HandDraft} draft
 */
async function showOthersFields(draft) {
  const { form } = draft;
  const showsErrors = draft.valueOf("refused") !== ""; // saving was refused: the page says why
  const query = showsErrors ? "?errori=1" : "";
  const freshForm = await fetchForm(form.action + query);
  if (!freshForm) return;
  if (!draft.isIdle) return; // somebody typed meanwhile
  if (!isNewer(freshForm, form)) return;
  keepPageFields(freshForm, draft);
  updateHand(form, freshForm, draft.values());
}

/**
 * Puts into a fresh form the hidden fields that each page has for itself, as they are here.
 *
 * @param {HTMLFormElement} freshForm
 * @param {HandDraft} draft
 */
function keepPageFields(freshForm, draft) {
  for (const name of PAGE_FIELDS) {
    inputNamed(freshForm, name).value = draft.valueOf(name);
  }
}

/**
 * Whether a fresh form has more of the same hand than the form of this page.
 *
 * @param {HTMLFormElement} freshForm
 * @param {HTMLFormElement} form
 * @returns {boolean}
 */
function isNewer(freshForm, form) {
  const isSameHand = inputNamed(freshForm, "hand").value === inputNamed(form, "hand").value;
  if (!isSameHand) return false;
  const isSameState = draftState(freshForm) === draftState(form);
  if (isSameState) return false;
  return numberIn(freshForm, "version") >= numberIn(form, "version");
}

/**
 * How far a hand is typed: the version of its draft, and the log entries of the penalties noted in
 * it, `4:17 21`. The server tells the same to live.js, in the header Scorepad-Typed.
 *
 * @param {HTMLFormElement} form
 * @returns {string}
 */
function draftState(form) {
  const version = inputNamed(form, "version").value;
  const penalties = inputNamed(form, "noted").value;
  return `${version}:${penalties}`;
}

// ---------------------------------------------------------------- another device saves

/**
 * Leaves the page when another device has saved the hand. The event "overtaken" brings the form of a
 * fresh page, which is that of the next hand; null where the match is over.
 *
 * @param {HandDraft} draft
 */
function followSaving(draft) {
  const { form } = draft;
  form.addEventListener("overtaken", (event) => {
    const freshForm = /** @type {CustomEvent<HTMLFormElement | null>} */ (event).detail;
    if (draft.isIdle && isMatchAhead(freshForm, form)) leaveIfSaved(draft);
  });
}

/** Whether the page says already that this hand was saved elsewhere. */
function isOvertaken() {
  const statusLine = elementById("live-status", HTMLElement);
  return statusLine.dataset.says === "overtaken";
}

/**
 * Whether the match is at a later hand than the form of this page, or over.
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
 * Goes to the match if the hand that another device saved has all that is typed here. Otherwise the
 * page stays: somebody has to compare the two.
 *
 * @param {HandDraft} draft
 */
async function leaveIfSaved(draft) {
  const { counted: savedUrl = "", overtakenMatch: matchUrl = "" } = draft.form.dataset;
  const savedForm = await fetchForm(savedUrl);
  if (!savedForm) return;
  if (!draft.isIdle) return; // somebody typed meanwhile
  if (hasAll(savedForm, draft.values())) draft.goTo(matchUrl);
}

/**
 * Whether a saved hand has everything that was typed and changes its score.
 *
 * @param {HTMLFormElement} savedForm
 * @param {FieldValues} typed
 * @returns {boolean}
 */
function hasAll(savedForm, typed) {
  const saved = new Map(valuesOf(savedForm));
  for (const [name, value] of typed) {
    const isSaved = saved.get(name) === value;
    if (!isSaved && changesScore(name, value)) return false;
  }
  return true;
}

/**
 * Whether a field changes the score: `a.cards` with 340 does, a blank one or a remark does not.
 *
 * @param {string} name
 * @param {string} value
 * @returns {boolean}
 */
function changesScore(name, value) {
  const isBlank = ["", "0"].includes(value.trim());
  return !isBlank && SCORE_FIELD.test(name);
}

// ---------------------------------------------------------------- reading forms

/**
 * The form of a hand on a page of the server; null where it does not answer, or has none.
 *
 * @param {string} url
 * @returns {Promise<HTMLFormElement | null>}
 */
async function fetchForm(url) {
  try {
    const answer = await fetchAgain(url);
    const page = parsePage(answer.html);
    return find(page, "#count", HTMLFormElement);
  } catch {
    return null; // live.js tells again
  }
}

/**
 * The number in a hidden field of a form.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {number}
 */
function numberIn(form, name) {
  return Number(inputNamed(form, name).value);
}
