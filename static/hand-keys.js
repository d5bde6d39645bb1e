// The form of a hand: which field the keys of the page type into, and which keys are shown.

import { closestTo, elementById, find } from "./dom.js";
import {
  FIGURE_FIELDS,
  gridCells,
  isFigure,
  isTextField,
  takesCards,
  visibleFields,
} from "./hand-fields.js";
import { isTouchScreen, Keypad } from "./keypad.js";
import { isTapped } from "./folds.js";

/** @import { TextField } from "./hand-fields.js" */

/**
 * The field that the keys type into, and how far typing has come there.
 *
 * @typedef {object} Choice
 * @property {string} id The id of the field, which stays when the server's answer replaces it.
 * @property {boolean} isUntouched Nothing was typed since the field was chosen.
 * @property {boolean} isReachedByDigit The last digit of the field before led to this one.
 * @property {number} [meldIndex] Among the melds of the field, the one that the last card went to.
 *   Absent before the first card; one past the last meld where the next card begins a meld.
 */

/**
 * How long the keys stay when the focus leaves the fields, in milliseconds: what was tapped must not
 * move under the finger.
 */
const HIDE_DELAY = 300;

export const form = elementById("count", HTMLFormElement);
export const digits = elementById("digits", HTMLElement);
export const cardKeys = elementById("card-keys", HTMLElement);
const keypad = new Keypad(form, digits);

/** @type {Choice | null} */
let choice = null;
let hideTimer = 0;

/** @returns {Choice | null} */
export function currentChoice() {
  return choice;
}

/** @returns {TextField | null} */
export function chosenField() {
  if (!choice) return null;
  const field = document.getElementById(choice.id);
  return isTextField(field) ? field : null;
}

/** Measures anew where the keypad fits, and marks the chosen field again. */
export function arrangeKeys() {
  keypad.arrange();
  chosenField()?.setAttribute("aria-current", "true");
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
  field.setAttribute("aria-current", "true");
  digits.hidden = !isTouchScreen || !isFigure(field);
  cardKeys.hidden = !takesCards(field);
  keypad.arrange();
  // On the phone's own keyboard, a digit takes the place of what is selected.
  if (!digits.hidden && !keypad.replacesKeyboard) field.select();
  requestAnimationFrame(revealField);
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

/** Goes to the next cell of the grid; after the last one, hides the keys. */
export function goToNextCell() {
  const next = nextCell();
  if (next) {
    next.focus({ preventScroll: true });
    revealField();
    return;
  }
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  hideKeys();
}

/** The cell after the chosen one; undefined after the last cell, and where no cell is chosen. */
function nextCell() {
  const cells = gridCells(form);
  const field = chosenField();
  if (!(field instanceof HTMLInputElement) || !cells.includes(field)) return undefined;
  return cells[cells.indexOf(field) + 1];
}

function hideKeysSoon() {
  hideTimer = setTimeout(hideKeys, HIDE_DELAY);
}

function unmarkFields() {
  for (const field of form.querySelectorAll("[aria-current]")) {
    field.removeAttribute("aria-current");
  }
}

/** Scrolls the chosen field into sight, above the keys. */
function revealField() {
  chosenField()?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function rearrange() {
  keypad.arrange();
  revealField();
}

/**
 * Unfolds the panel of cards from which a figure follows: the figure changes with those cards.
 *
 * @param {TextField} cell
 */
function openCardsOf(cell) {
  const side = cell.id[0]; // the id of a cell begins with the letter of its side
  const panel = document.getElementById(`cards-${side}`);
  if (!(panel instanceof HTMLDetailsElement)) return;
  if (panel.open) {
    chooseFirstField(panel);
    return;
  }
  find(panel, "summary", HTMLElement)?.click();
}

/** @param {HTMLElement} panel */
function chooseFirstField(panel) {
  const [first] = visibleFields(panel);
  if (first) chooseField(first);
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
  const isBesideKeys = closestTo(event, ".bar") !== null;
  if (!isBesideKeys) hideKeysSoon();
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

// The phone decides by `inputmode` when a field takes the focus: it must be right before that.
form.addEventListener("pointerdown", ({ target }) => {
  if (target instanceof Element && target.matches(FIGURE_FIELDS)) keypad.arrange();
});

// `out` asks who ended the hand. Once that is answered, typing goes on with the first figure, unless
// a figure was typed before.
form.addEventListener("change", ({ target }) => {
  if (!isTouchScreen || !isTextField(target) || target.name !== "out") return;
  const cells = gridCells(form);
  const isAnyFilled = cells.some((cell) => cell.value);
  if (!isAnyFilled) cells[0]?.focus({ preventScroll: true });
});

// A press on a key leaves the focus in the field.
for (const keys of [digits, cardKeys]) {
  keys.addEventListener("mousedown", (event) => event.preventDefault());
}

// ---------------------------------------------------------------- panels

form.addEventListener(
  "toggle",
  ({ target: panel }) => {
    if (!(panel instanceof HTMLDetailsElement) || !panel.open) return;
    const isOpenedByHand = panel.matches(".cards") && isTapped(panel);
    const hasChosenField = panel.contains(chosenField());
    if (isOpenedByHand && !hasChosenField) chooseFirstField(panel);
    keypad.settle(); // folds.js scrolls it into sight, above what covers the window now
  },
  true,
);

// ---------------------------------------------------------------- the window

addEventListener("resize", rearrange);

// The phone's keyboard comes and goes, and two fingers enlarge the page: the keys stay in sight.
window.visualViewport?.addEventListener("resize", rearrange);
window.visualViewport?.addEventListener("scroll", () => keypad.settle());

keypad.arrange();
