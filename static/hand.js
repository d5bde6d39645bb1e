// The form of a hand, which is one round of a match, while it is typed: connects what happens in it
// to the scripts that see to it. Without script it is a plain form.

import "./hand-digits.js";
import "./hand-card-keys.js";
import { closestTo, find } from "./dom.js";
import { fieldsIn, isChanged } from "./form-fields.js";
import { HandDraft } from "./hand-draft.js";
import { isFigure, isTextField } from "./hand-fields.js";
import { followOthers } from "./hand-follow.js";
import { arrangeKeys, form } from "./hand-keys.js";
import { pointToProblem } from "./hand-problems.js";
import { restoreEntries } from "./hand-restore.js";
import { showMissingSums, showResult, showSums } from "./hand-sums.js";

const draft = new HandDraft(form);

/** On a slow phone somebody may type before this script is there. */
const isTypedEarly = fieldsIn(form).some(isChanged);

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

// A link that loads the page anew, without what was typed.
form.addEventListener("click", (event) => {
  const isAfresh = closestTo(event, "[data-afresh]") !== null;
  if (isAfresh) draft.forgetAll();
});

// The buttons that check the hand, and that take a noted penalty back.
form.addEventListener("click", (event) => {
  const button = closestTo(event, 'button[value="check"], button[value^="noted."]');
  if (!(button instanceof HTMLButtonElement)) return;
  if (draft.isLeaving) return; // as without script
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
  const isRestored = event.persisted; // "back" shows the page as it was left
  if (isRestored) location.reload();
});

// What was refused is kept by the server as well: a reload asks for the page, and sends nothing.
if (!draft.isCorrection) history.replaceState(null, "", location.href);

const errors = find(document, ".errors", HTMLElement);
errors?.focus();

form.classList.add("lively"); // hides what only a form without script needs
showMissingSums(form);
followOthers(draft);
const isRestored = restoreEntries(draft);
if (isTypedEarly && !isRestored) draft.change();
