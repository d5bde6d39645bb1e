// The form of a hand: typing figures, by the keypad of the page or a keyboard.

import { closestTo } from "./dom.js";
import { evaluate } from "./figures.js";
import { isFigure, isTextField, typeText } from "./hand-fields.js";
import { chosenField, currentChoice, digits, form, goToNextCell } from "./hand-keys.js";

/** @import { TextField } from "./hand-fields.js" */

/** The largest count of a field that names none. */
const USUAL_LARGEST = 99;

digits.addEventListener("click", (event) => {
  const key = closestTo(event, "button")?.dataset.key;
  const field = chosenField();
  const choice = currentChoice();
  if (!key || !field || !choice) return;
  const { isUntouched, isReachedByDigit } = choice;
  choice.isUntouched = false;
  choice.isReachedByDigit = false;
  // The last digit has led to this cell by itself: "next" right after it must not skip the cell.
  if (key === "next" && isReachedByDigit) return;

  if (key === "next") goToNextCell();
  else if (key === "back") typeText(field, field.value.slice(0, -1));
  else if (/[0-9]/.test(key)) typeDigit(field, key, isUntouched);
  else typeOperator(field, key);
});

form.addEventListener("keydown", (event) => {
  const field = event.target;
  if (!isTextField(field) || !isFigure(field)) return;
  const isCount = field.dataset.kind === "count";
  if (event.key === "Enter") goToNextCell();
  else if (isCount && event.key === "ArrowUp") changeCount(field, 1);
  else if (isCount && event.key === "ArrowDown") changeCount(field, -1);
  else return;
  event.preventDefault();
});

/**
 * Types a digit. The first one takes the place of what the field had.
 *
 * @param {TextField} field
 * @param {string} digit
 * @param {boolean} isFirst
 */
function typeDigit(field, digit, isFirst) {
  const text = isFirst ? digit : field.value + digit;
  typeText(field, text);
  if (!isComplete(field, text)) return;
  goToNextCell();
  const choice = currentChoice();
  if (choice) choice.isReachedByDigit = true;
}

/**
 * Whether no digit can follow: after a leading nought, and where one more would be too much.
 *
 * @param {TextField} field
 * @param {string} text
 * @returns {boolean}
 */
function isComplete(field, text) {
  if (text === "0") return true;
  const largest = field.dataset.kind === "count" ? Number(field.dataset.most) : 0;
  return largest > 0 && Number(text) * 10 > largest;
}

/**
 * Types one of `+`, `−` and `×`. On a count, the first two add one and take one away.
 *
 * @param {TextField} field
 * @param {string} operator
 */
function typeOperator(field, operator) {
  const isCount = field.dataset.kind === "count";
  if (isCount && operator === "+") changeCount(field, 1);
  else if (isCount && operator === "−") changeCount(field, -1);
  else if (operator === "−") changeSign(field);
  else if (/[0-9]$/.test(field.value)) {
    typeText(field, field.value + (operator === "×" ? "x" : "+"));
  }
}

/**
 * @param {TextField} field
 * @param {number} difference
 */
function changeCount(field, difference) {
  const count = evaluate(field.value);
  const largest = Math.max(Number(field.dataset.most || USUAL_LARGEST), count);
  const changed = Math.min(Math.max(0, count + difference), largest);
  typeText(field, String(changed));
}

/** @param {TextField} field */
function changeSign(field) {
  if (field.dataset.kind !== "signed") return;
  const isNegative = field.value.startsWith("−");
  typeText(field, isNegative ? field.value.slice(1) : `−${field.value}`);
}
