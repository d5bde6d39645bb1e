// What this device still has of a hand when its form is opened: because the network was away, the
// battery died, or nobody has decided yet which of two hands is to stand.

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

/** Fields that say which hand a form is about. */
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
    const isNew = entry.isSubmission || isDifferent(entry, draft);
    if (isOfThisHand && isNew) restore(entry, draft);
    else if (!isOfThisHand && (entry.isSubmission || !draft.isCorrection)) deliver(entry, draft);
    else removeEntry(entry.name);
  }
}

/**
 * @param {StoredEntry} entry
 * @param {HandDraft} draft
 * @returns {boolean}
 */
function isDifferent(entry, draft) {
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
  const outcome = await (entry.isSubmission ? draft.save() : draft.check());
  if (outcome === "checked") showMessage(draft.messages.again);
}

/**
 * @param {HTMLFormElement} form
 * @param {StoredEntry} entry
 */
function fillForm(form, entry) {
  const values = withoutNames(entry.values, ["csrf_token", "do"]);
  for (const name of namesToRestore(form)) restoreField(form, name, values);
  for (const [name, value] of values) {
    const isMissing = form.elements.namedItem(name) === null;
    if (isMissing && name !== "request_id") addHiddenField(form, name, value);
  }
  // A save is the same submission as when it was asked for, so that it counts once.
  const [requestId] = valuesNamed(values, "request_id");
  if (entry.isSubmission && requestId) inputNamed(form, "request_id").value = requestId;
  inputNamed(form, "version").value = entry.version ?? "";
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
  const isTicked = fieldsIn(form).some((field) => field.name === name && isBox(field));
  const blank = isTicked ? [] : [""];
  setFields(form, name, values.length > 0 ? values : blank);
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
      outbox.remove();
      return;
    }
    const { version } = entry;
    const isReported = isOpenHand(entry);
    outbox.store({ values: entry.values, version, isSubmission: false, isReported });
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
 * Whether an entry is of a hand that was being counted, not of a correction.
 *
 * @param {StoredEntry} entry
 * @returns {boolean}
 */
function isOpenHand(entry) {
  return valuesNamed(entry.values, "seen")[0] === "0";
}
