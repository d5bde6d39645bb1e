// The form of a hand: which field the keys of the page type into, and which keys are shown.
//
// There are two groups of keys in the bar at the foot of the page: digits for a figure, and card
// keys for a list of cards. They type into the chosen field, which is the one that had the focus
// last. What the keys do is in hand-digits.js and hand-card-keys.js.

import { closestTo, elementById, find } from "./dom.js";
import { isTapped } from "./folds.js";
import {
  FIGURE_FIELDS,
  gridCells,
  isFigure,
  isTextField,
  takesCards,
  visibleFields,
} from "./hand-fields.js";
import { isTouchScreen, Keypad } from "./keypad.js";

/** @import { TextField } from "./hand-fields.js" */

/**
 * The chosen field, and how far typing has come there.
 *
 * @typedef {object} Choice
 * @property {string} id The id of the field, which stays when the server's answer replaces it.
 * @property {boolean} isUntouched Nothing was typed since the field was chosen.
 * @property {boolean} isReachedByDigit The last digit of the field before led to this one.
 * @property {number} [meldIndex] In a field with a meld on each line, the line that the last card
 *   was added to. Absent before the first card; the number of lines if the next card begins a meld.
 */

/**
 * How long the keys stay when the focus leaves the fields, in milliseconds: what somebody is about
 * to tap must not move under the finger.
 */
const HIDE_DELAY = 300;

export const form = elementById("count", HTMLFormElement);
export const digits = elementById("digits", HTMLElement);
export const cardKeys = elementById("card-keys", HTMLElement);
const keypad = new Keypad(form, digits);

/** @type {Choice | null} */
let choice = null;
let hideTimer = 0;

// ---------------------------------------------------------------- the chosen field

/**
 * How far typing has come in the chosen field; null if no field is chosen.
 *
 * @returns {Choice | null}
 */
export function currentChoice() {
  return choice;
}

/**
 * The field that the keys type into, or null.
 *
 * @returns {TextField | null}
 */
export function chosenField() {
  if (!choice) return null;
  const field = document.getElementById(choice.id);
  return isTextField(field) ? field : null;
}

/**
 * Shows the keys of a field, and lets them type into it.
 *
 * @param {TextField} field
 */
export function chooseField(field) {
  clearTimeout(hideTimer);
  choice = { id: field.id, isUntouched: true, isReachedByDigit: false };
  unmarkFields();
  markField(field);
  showKeysOf(field);
  keypad.arrange();
  selectForKeyboard(field);
  requestAnimationFrame(revealChosenField);
}

/** @param {TextField} field */
function markField(field) {
  field.setAttribute("aria-current", "true");
}

function unmarkFields() {
  for (const field of form.querySelectorAll("[aria-current]")) {
    field.removeAttribute("aria-current");
  }
}

/**
 * Selects the text of a figure where the phone's own keyboard is used: a digit replaces it.
 *
 * @param {TextField} field
 */
function selectForKeyboard(field) {
  const usesPhoneKeyboard = !digits.hidden && !keypad.replacesKeyboard;
  if (usesPhoneKeyboard) field.select();
}

/** Scrolls the chosen field into sight, above the keys. */
function revealChosenField() {
  chosenField()?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// ---------------------------------------------------------------- the keys

/**
 * Shows the digits for a figure, and the card keys for cards. A mouse comes with a keyboard: there
 * the digits stay hidden.
 *
 * @param {TextField} field
 */
function showKeysOf(field) {
  const needsDigits = isTouchScreen && isFigure(field);
  digits.hidden = !needsDigits;
  cardKeys.hidden = !takesCards(field);
}

/** Hides all keys; no field is chosen any more. */
export function hideKeys() {
  clearTimeout(hideTimer);
  choice = null;
  digits.hidden = true;
  cardKeys.hidden = true;
  unmarkFields();
  keypad.settle();
}

function hideKeysSoon() {
  hideTimer = setTimeout(hideKeys, HIDE_DELAY);
}

/** Measures anew where the keypad fits, and marks the chosen field again. */
export function arrangeKeys() {
  keypad.arrange();
  const field = chosenField();
  if (field) markField(field);
}

function arrangeAndReveal() {
  keypad.arrange();
  revealChosenField();
}

// ---------------------------------------------------------------- from cell to cell

/** Goes to the next cell of the grid; after the last one, hides the keys. */
export function goToNextCell() {
  const cell = cellAfterChosen();
  if (cell) {
    cell.focus({ preventScroll: true });
    revealChosenField();
    return;
  }
  leaveFocusedField();
  hideKeys();
}

/**
 * The cell after the chosen one; null after the last cell, and where no cell is chosen.
 *
 * @returns {HTMLInputElement | null}
 */
function cellAfterChosen() {
  const cells = gridCells(form);
  const field = chosenField();
  if (!(field instanceof HTMLInputElement)) return null;
  const index = cells.indexOf(field);
  if (index === -1) return null;
  return cells[index + 1] ?? null;
}

function leaveFocusedField() {
  const field = document.activeElement;
  if (field instanceof HTMLElement) field.blur();
}

// ---------------------------------------------------------------- choosing a field

form.addEventListener("focusin", (event) => {
  const { target } = event;
  if (isTextField(target) && target.readOnly) {
    openCardsOf(target);
    return;
  }
  if (isTextField(target) && hasKeys(target)) {
    chooseField(target);
    return;
  }
  const isInBar = closestTo(event, ".bar") !== null; // where the keys are
  if (!isInBar) hideKeysSoon();
});

/**
 * Whether the page has keys for what is typed in a field.
 *
 * @param {TextField} field
 * @returns {boolean}
 */
function hasKeys(field) {
  return isFigure(field) || takesCards(field);
}

/**
 * A figure that follows from typed cards is read-only. Opens the panel with those cards instead.
 *
 * @param {TextField} cell
 */
function openCardsOf(cell) {
  const side = cell.id[0]; // "a" in the id "a-cards"
  const panel = document.getElementById(`cards-${side}`);
  if (!(panel instanceof HTMLDetailsElement)) return;
  if (panel.open) {
    chooseFirstField(panel);
    return;
  }
  find(panel, "summary", HTMLElement)?.click(); // "toggle" below chooses the field
}

/** @param {HTMLElement} panel */
function chooseFirstField(panel) {
  const [firstField] = visibleFields(panel);
  if (firstField) chooseField(firstField);
}

// The phone decides by `inputmode` when a field takes the focus: it must be right before that.
form.addEventListener("pointerdown", ({ target }) => {
  const isOnFigure = target instanceof Element && target.matches(FIGURE_FIELDS);
  if (isOnFigure) keypad.arrange();
});

// The question "out" asks which player ended the hand. Once it is answered, typing goes on with the
// first figure, unless there are figures already.
form.addEventListener("change", ({ target }) => {
  const isAnswer = isTextField(target) && target.name === "out";
  if (!isTouchScreen || !isAnswer) return;
  const cells = gridCells(form);
  const isAnyFilled = cells.some((cell) => cell.value);
  if (!isAnyFilled) cells[0]?.focus({ preventScroll: true });
});

// A press on a key leaves the focus in the field.
for (const keys of [digits, cardKeys]) {
  keys.addEventListener("mousedown", (event) => event.preventDefault());
}

// ---------------------------------------------------------------- panels

// A panel of cards that was opened by hand has its first field chosen.
form.addEventListener(
  "toggle",
  ({ target: panel }) => {
    if (!(panel instanceof HTMLDetailsElement) || !panel.open) return;
    const isOpenedByHand = panel.matches(".cards") && isTapped(panel);
    const hasChosenField = panel.contains(chosenField());
    if (isOpenedByHand && !hasChosenField) chooseFirstField(panel);
    keypad.settle(); // folds.js scrolls it into sight, above what covers the window now
  },
  true, // "toggle" does not bubble
);

// ---------------------------------------------------------------- the window

addEventListener("resize", arrangeAndReveal);

// The phone's keyboard comes and goes, and two fingers enlarge the page: the keys stay in sight.
window.visualViewport?.addEventListener("resize", arrangeAndReveal);
window.visualViewport?.addEventListener("scroll", () => keypad.settle());

keypad.arrange();
