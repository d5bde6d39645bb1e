// What this device still has of a hand when its form is opened: because the network was away, the
// battery died, or nobody has decided yet which of two hands is to stand. It is in the outbox
// (outbox.js), with an entry for each hand.

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
 * Restores or sends what the outbox has of the hands of this form.
 *
 * @param {HandDraft} draft
 */
export function restoreEntries(draft) {
  if (draft.isShownAgain) {
    draft.keepShownAgain();
    return;
  }
  for (const entry of storedEntries(draft.entryPrefix)) {
    const isOfThisHand = entry.name === draft.outbox.name;
    if (isOfThisHand) restoreOrRemove(entry, draft);
    else deliverOrRemove(entry, draft);
  }
}

/**
 * @param {StoredEntry} entry The entry of the hand that the form shows.
 * @param {HandDraft} draft
 */
function restoreOrRemove(entry, draft) {
  if (entry.isSubmission || isDifferentFromForm(entry, draft)) restore(entry, draft);
  else removeEntry(entry.name);
}

/**
 * @param {StoredEntry} entry The entry of another hand.
 * @param {HandDraft} draft
 */
function deliverOrRemove(entry, draft) {
  if (entry.isSubmission || !draft.isCorrection) deliver(entry, draft);
  else removeEntry(entry.name);
}

/**
 * @param {StoredEntry} entry
 * @param {HandDraft} draft
 * @returns {boolean}
 */
function isDifferentFromForm(entry, draft) {
  return typedContent(entry.values) !== typedContent(draft.values());
}

/**
 * Puts an entry into the form, and sends it.
 *
 * @param {StoredEntry} entry
 * @param {HandDraft} draft
 */
async function restore(entry, draft) {
  fillForm(draft.form, entry);
  draft.form.dispatchEvent(new Event("shown"));
  draft.hasChanges = true;
  const sending = entry.isSubmission ? draft.save() : draft.check();
  const outcome = await sending;
  if (outcome === "checked") showMessage(draft.messages.again);
}

/**
 * @param {HTMLFormElement} form
 * @param {StoredEntry} entry
 */
function fillForm(form, entry) {
  const values = withoutNames(entry.values, ["csrf_token", "do"]);
  for (const name of namesToRestore(form)) restoreField(form, name, values);
  addMissingFields(form, values);
  if (entry.isSubmission) restoreRequestId(form, values);
  inputNamed(form, "version").value = entry.version ?? "";
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
 * Makes the form the same submission as the one that was stored, so that it counts once.
 *
 * @param {HTMLFormElement} form
 * @param {FieldValues} stored
 */
function restoreRequestId(form, stored) {
  const [requestId] = valuesNamed(stored, "request_id");
  if (requestId) inputNamed(form, "request_id").value = requestId;
}

/**
 * @param {HTMLFormElement} form
 * @returns {Set<string>}
 */
function namesToRestore(form) {
  const names = fieldsIn(form).map((field) => field.name);
  const excluded = ["", "do", ...PAGE_FIELDS, ...HAND_FIELDS];
  return new Set(names.filter((name) => !excluded.includes(name)));
}

/**
 * Sets a field to what was stored of it: blank where nothing was.
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
  const hasBoxes = fieldsIn(form).some((field) => field.name === name && isBox(field));
  const blank = hasBoxes ? [] : [""]; // no box is ticked, or the text is empty
  setFields(form, name, blank);
}

/**
 * Sends the entry of a hand that is no longer the open one: it was saved from here without an
 * answer, or by somebody else. Where the server does not take it, its page asks what is to stand.
 *
 * @param {StoredEntry} entry
 * @param {HandDraft} draft
 */
async function deliver(entry, draft) {
  const outbox = new Outbox(entry.name);
  const values = valuesToDeliver(entry, draft);
  const { action } = draft.form;

  async function send() {
    const answer = await outbox.post(action, values);
    if (!answer) {
      outbox.retry(send);
      return;
    }
    if (answer.redirect) {
      outbox.remove(); // the server took it
      return;
    }
    outbox.store({
      values: entry.values,
      version: entry.version,
      isSubmission: false,
      isReported: wasBeingCounted(entry),
    });
    draft.isLeaving = true;
    submitAsPage(action, values);
  }

  await send();
}

/**
 * @param {StoredEntry} entry
 * @param {HandDraft} draft
 * @returns {FieldValues}
 */
function valuesToDeliver(entry, draft) {
  let values = withoutNames(entry.values, ["csrf_token", "version", "do"]);
  if (!entry.isSubmission) values = withValue(values, "request_id", draft.valueOf("request_id"));
  return [
    ...values,
    ["csrf_token", draft.valueOf("csrf_token")],
    ["version", entry.version ?? ""],
    ["do", entry.isSubmission ? "save" : "check"],
  ];
}

/**
 * Whether an entry is of a hand that was being counted, not of a correction. The field `seen` is the
 * number of the saved hand in the log of the match; it is 0 for a hand that was not saved before.
 *
 * @param {StoredEntry} entry
 * @returns {boolean}
 */
function wasBeingCounted(entry) {
  const [seen] = valuesNamed(entry.values, "seen");
  return seen === "0";
}
