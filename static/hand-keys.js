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
 * @property {number} meld The index of the meld that the last card went to; −1: none yet.
 */

/**
 * How long the keys stay when the focus leaves the fields, in milliseconds: what was tapped must not
 * move under the finger.
 */
const UNTIL_HIDDEN = 300;

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
  const field = choice && document.getElementById(choice.id);
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
  choice = { id: field.id, isUntouched: true, isReachedByDigit: false, meld: -1 };
  unmarkFields();
  field.setAttribute("aria-current", "true");
  digits.hidden = !isTouchScreen || !isFigure(field);
  cardKeys.hidden = !takesCards(field);
  keypad.arrange();
  // On the phone's own keyboard, a digit takes the place of what is selected.
  if (!digits.hidden && !keypad.replacesKeyboard) field.select();
  requestAnimationFrame(revealField);
}

/** Hides all keys: nothing is typed into. */
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
  const cells = gridCells(form);
  const field = chosenField();
  const index = field instanceof HTMLInputElement ? cells.indexOf(field) : -1;
  const next = index < 0 ? undefined : cells[index + 1];
  if (!next) {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    hideKeys();
    return;
  }
  next.focus({ preventScroll: true });
  revealField();
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
 * A figure that follows from cards is changed by those: unfolds their panel.
 *
 * @param {TextField} cell
 */
function openCards(cell) {
  const panel = document.getElementById(`cards-${cell.id[0]}`);
  if (!(panel instanceof HTMLDetailsElement)) return;
  if (panel.open) chooseFirstField(panel);
  else find(panel, "summary", HTMLElement)?.click();
}

/** @param {HTMLElement} panel */
function chooseFirstField(panel) {
  const [first] = visibleFields(panel);
  if (first) chooseField(first);
}

// ---------------------------------------------------------------- choosing a field

form.addEventListener("focusin", (event) => {
  const { target } = event;
  if (isTextField(target) && target.readOnly) openCards(target);
  else if (isTextField(target) && (isFigure(target) || takesCards(target))) chooseField(target);
  else if (!closestTo(event, ".bar")) hideTimer = setTimeout(hideKeys, UNTIL_HIDDEN);
});

// The phone decides by `inputmode` when a field takes the focus: it must be right before that.
form.addEventListener("pointerdown", ({ target }) => {
  if (target instanceof Element && target.matches(FIGURE_FIELDS)) keypad.arrange();
});

// When it is answered who went out, typing goes on with the first figure, unless there is one.
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
    const isCardPanel = panel.matches(".cards") && isTapped(panel);
    if (isCardPanel && !panel.contains(chosenField())) chooseFirstField(panel);
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
