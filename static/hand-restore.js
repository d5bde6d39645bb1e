// What this device still has of a hand when its form is opened: because the network was away, the
// battery died, or nobody has decided yet which of two versions of a hand is to stand.
//
// It is in the outbox (outbox.js), which has an entry for each hand that was typed on this device
// and has not reached the server: the names and values of the fields, `[["a.cards", "340"], …]`.

import { inputNamed } from "./dom.js";
import {
  addHiddenField,
  fieldsIn,
  isBox,
  setFields,
  valuesNamed,
  withoutNames,
  withValue,
} from "./form-fields.js";
import { typedContent } from "./hand-draft.js";
import { showMessage } from "./hand-status.js";
import { PAGE_FIELDS } from "./hand-update.js";
import { Outbox, removeEntry, storedEntries } from "./outbox.js";
import { submitAsPage } from "./server.js";

/** @import { HandDraft } from "./hand-draft.js" */
/** @import { FieldValues } from "./form-fields.js" */
/** @import { StoredEntry } from "./outbox.js" */

/** Hidden fields that say which hand a form is about. */
const HAND_FIELDS = ["hand", "number", "seen", "contest"];

/**
 * Restores the entry of the hand that the form shows, and sends those of other hands. Returns
 * whether the form shows an entry now.
 *
 * @param {HandDraft} draft The hand that the form shows.
 * @returns {boolean}
 */
export function restoreEntries(draft) {
  if (draft.isShownAgain) {
    draft.keepShownAgain(); // the page has what was typed
    return false;
  }
  let isRestored = false;
  for (const entry of storedEntries(draft.entryPrefix)) {
    const isOfShownHand = entry.name === draft.outbox.name;
    if (!isOfShownHand) deliverOrRemove(entry, draft);
    else isRestored = restoreOrRemove(entry, draft);
  }
  return isRestored;
}

/**
 * Restores the entry of the hand that the form shows, unless the form has the same already. Returns
 * whether it was restored.
 *
 * @param {StoredEntry} entry
 * @param {HandDraft} draft
 * @returns {boolean}
 */
function restoreOrRemove(entry, draft) {
  const isNeeded = entry.isSubmission || isDifferentFromForm(entry, draft);
  if (isNeeded) restore(entry, draft);
  else removeEntry(entry.name);
  return isNeeded;
}

/**
 * Sends the entry of another hand. One that nobody asked to save is forgotten when a hand that was
 * saved before is corrected in the form.
 *
 * @param {StoredEntry} entry
 * @param {HandDraft} draft
 */
function deliverOrRemove(entry, draft) {
  const isNeeded = entry.isSubmission || !draft.isCorrection;
  if (isNeeded) deliver(entry, draft);
  else removeEntry(entry.name);
}

/**
 * Whether something else was typed in an entry than the form shows.
 *
 * @param {StoredEntry} entry
 * @param {HandDraft} draft
 * @returns {boolean}
 */
function isDifferentFromForm(entry, draft) {
  return typedContent(entry.values) !== typedContent(draft.values());
}

// ---------------------------------------------------------------- the hand that the form shows

/**
 * Puts an entry into the form. Then sends it, to be saved or only to be checked, as it was meant.
 *
 * @param {StoredEntry} entry
 * @param {HandDraft} draft
 */
async function restore(entry, draft) {
  fillForm(draft.form, entry);
  draft.form.dispatchEvent(new Event("shown"));
  draft.hasChanges = true;
  if (entry.isSubmission) {
    await draft.save();
    return;
  }
  const outcome = await draft.check();
  if (outcome === "checked") showMessage(draft.messages.again);
}

/**
 * Makes the form what it was when the entry was stored.
 *
 * @param {HTMLFormElement} form
 * @param {StoredEntry} entry
 */
function fillForm(form, entry) {
  const stored = withoutNames(entry.values, ["csrf_token", "do"]);
  for (const name of namesToRestore(form)) restoreField(form, name, stored);
  addMissingFields(form, stored);
  if (entry.isSubmission) restoreRequestId(form, stored);
  inputNamed(form, "version").value = entry.version ?? "";
}

/**
 * The names of the fields in which somebody may type: `a.cards`, `out`, `remark`.
 *
 * @param {HTMLFormElement} form
 * @returns {Set<string>}
 */
function namesToRestore(form) {
  const excluded = ["", "do", ...PAGE_FIELDS, ...HAND_FIELDS];
  const names = new Set();
  for (const field of fieldsIn(form)) {
    if (!excluded.includes(field.name)) names.add(field.name);
  }
  return names;
}

/**
 * Sets the fields of a name to their stored values; where nothing was stored, empties them.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {FieldValues} stored
 */
function restoreField(form, name, stored) {
  const values = valuesNamed(stored, name);
  if (values.length > 0) {
    setFields(form, name, values);
    return;
  }
  if (hasBoxes(form, name)) {
    setFields(form, name, []); // no box is ticked
    return;
  }
  setFields(form, name, [""]);
}

/**
 * Whether the fields of a name are checkboxes or radio buttons.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {boolean}
 */
function hasBoxes(form, name) {
  return fieldsIn(form).some((field) => field.name === name && isBox(field));
}

/**
 * Adds hidden fields for what was stored and has no field in the form.
 *
 * @param {HTMLFormElement} form
 * @param {FieldValues} stored
 */
function addMissingFields(form, stored) {
  for (const [name, value] of withoutNames(stored, ["request_id"])) {
    const isMissing = form.elements.namedItem(name) === null;
    if (isMissing) addHiddenField(form, name, value);
  }
}

/**
 * Makes the form the same submission as the one that was stored: it may have reached the server, and
 * must count once.
 *
 * @param {HTMLFormElement} form
 * @param {FieldValues} stored
 */
function restoreRequestId(form, stored) {
  const [requestId] = valuesNamed(stored, "request_id");
  if (requestId) inputNamed(form, "request_id").value = requestId;
}

// ---------------------------------------------------------------- other hands

/**
 * Sends the entry of a hand that the form no longer shows: it was saved from here without an answer,
 * or by somebody else. Sends it again until the server answers.
 *
 * @param {StoredEntry} entry
 * @param {HandDraft} draft
 */
async function deliver(entry, draft) {
  const outbox = new Outbox(entry.name);
  const values = valuesToDeliver(entry, draft); // the same in each attempt, so that they count once
  const { action } = draft.form;

  async function send() {
    const answer = await outbox.post(action, values);
    if (!answer) {
      outbox.retry(send);
      return;
    }
    if (answer.redirect) {
      outbox.remove(); // the server has taken it
      return;
    }
    storeUndecided(outbox, entry);
    draft.isLeaving = true;
    submitAsPage(action, values); // the page that answers asks which version is to stand
  }

  await send();
}

/**
 * Keeps an entry until somebody has decided about it; it is not sent again by itself.
 *
 * @param {Outbox} outbox
 * @param {StoredEntry} entry
 */
function storeUndecided(outbox, entry) {
  outbox.store({
    values: entry.values,
    version: entry.version,
    isSubmission: false,
    isReported: wasBeingCounted(entry),
  });
}

/**
 * The fields of an entry as the server expects them now: with the token of this page, and with what
 * is to be done. What nobody asked to save is a new submission, which is only checked.
 *
 * @param {StoredEntry} entry
 * @param {HandDraft} draft
 * @returns {FieldValues}
 */
function valuesToDeliver(entry, draft) {
  let values = entry.values;
  values = withValue(values, "csrf_token", draft.valueOf("csrf_token"));
  values = withValue(values, "version", entry.version ?? "");
  if (entry.isSubmission) return withValue(values, "do", "save");
  values = withValue(values, "request_id", draft.valueOf("request_id"));
  return withValue(values, "do", "check");
}

/**
 * Whether an entry is of a hand that was counted for the first time, and not of a correction. The
 * field `seen` says which saved count of the hand the page showed; 0: it had not been saved.
 *
 * @param {StoredEntry} entry
 * @returns {boolean}
 */
function wasBeingCounted(entry) {
  const [seen] = valuesNamed(entry.values, "seen");
  return seen === "0";
}
