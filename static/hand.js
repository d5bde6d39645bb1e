// The form of a hand while it is typed. Without script it is a plain form.

import "./hand-digits.js";
import "./hand-card-keys.js";
import { closestTo, find } from "./dom.js";
import { HandDraft } from "./hand-draft.js";
import { isFigure, isTextField } from "./hand-fields.js";
import { followOthers } from "./hand-follow.js";
import { arrangeKeys, form } from "./hand-keys.js";
import { pointToProblem } from "./hand-problems.js";
import { restoreEntries } from "./hand-restore.js";
import { showMissingSums, showResult, showSums } from "./hand-sums.js";

const draft = new HandDraft(form);

form.addEventListener("input", ({ target }) => {
  if (isTextField(target) && isFigure(target)) showResult(target);
  showSums(form);
  draft.change();
});

// The answer of the server was shown: its sums are right, and its fields may have moved.
form.addEventListener("shown", () => {
  arrangeKeys();
  showMissingSums(form);
  pointToProblem();
});

form.addEventListener("click", (event) => {
  if (closestTo(event, "[data-afresh]")) draft.forgetAll();
  const button = closestTo(event, 'button[value="check"], button[value^="noted."]');
  if (!(button instanceof HTMLButtonElement) || draft.isLeaving) return;
  event.preventDefault();
  if (button.value === "check") draft.check();
  else draft.leaveBy(button.value);
});

form.addEventListener("submit", (event) => {
  if (draft.isLeaving) return; // as without script
  event.preventDefault();
  draft.save();
});

// live.js tells whether this device may still write.
form.addEventListener("readonly", (event) => {
  const isReadOnly = /** @type {CustomEvent<boolean>} */ (event).detail;
  if (isReadOnly) {
    draft.forbidWriting();
    return;
  }
  draft.allowWriting();
  draft.resume();
});

addEventListener("pagehide", () => draft.sendLast());
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

// What was refused is kept by the server as well: a reload asks for the page, and sends nothing.
if (!draft.isCorrection) history.replaceState(null, "", location.href);
find(document, ".errors", HTMLElement)?.focus();

form.classList.add("lively"); // hides what only a form without script needs
showMissingSums(form);
followOthers(draft);
restoreEntries(draft);
