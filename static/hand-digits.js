// The form of a hand: typing figures, by the keypad of the page (`#digits`) or a keyboard.
//
// A field for a figure says by `data-kind` what it takes: a `count`, `points`, or `signed` points,
// which may be negative. `data-most` has the largest count.

import { closestTo } from "./dom.js";
import { evaluate } from "./figures.js";
import { isFigure, isTextField, typeText } from "./hand-fields.js";
import { chosenField, currentChoice, digits, form, goToNextCell } from "./hand-keys.js";

/** @import { TextField } from "./hand-fields.js" */
/** @import { Choice } from "./hand-keys.js" */

/** The largest count of a field that names none. */
const USUAL_LARGEST = 99;

// ---------------------------------------------------------------- the keypad

digits.addEventListener("click", (event) => {
  const key = closestTo(event, "button")?.dataset.key;
  const field = chosenField();
  const choice = currentChoice();
  if (key && field && choice) pressKey(key, field, choice);
});

/**
 * Does what a key is for: a digit, `+`, `−`, `×`, `back` or `next`.
 *
 * @param {string} key
 * @param {TextField} field The field that the keys type into.
 * @param {Choice} choice How far typing has come there.
 */
function pressKey(key, field, choice) {
  const isFirstKey = choice.isUntouched;
  const isReachedByDigit = choice.isReachedByDigit;
  choice.isUntouched = false;
  choice.isReachedByDigit = false;

  if (key === "next") {
    // The last digit has led to this cell by itself: "next" right after it must not skip the cell.
    if (!isReachedByDigit) goToNextCell();
    return;
  }
  if (key === "back") {
    typeText(field, field.value.slice(0, -1));
    return;
  }
  const isDigit = /[0-9]/.test(key);
  if (isDigit) typeDigit(field, key, isFirstKey);
  else typeOperator(field, key);
}

/**
 * Types a digit. The first one replaces what the field had. Goes to the next cell when the figure is
 * complete.
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
 * Whether no digit can follow: after a leading nought, and where one more would make the count too
 * large. `3` is complete if there are at most 12 of something.
 *
 * @param {TextField} field
 * @param {string} text
 * @returns {boolean}
 */
function isComplete(field, text) {
  if (text === "0") return true;
  if (!isCount(field)) return false;
  const largest = Number(field.dataset.most);
  const isLimited = largest > 0;
  const smallestWithOneMore = Number(text) * 10;
  return isLimited && smallestWithOneMore > largest;
}

/**
 * Types `+`, `−` or `×`. In a count, `+` and `−` add one and take one away. Elsewhere they begin the
 * next term of a sum, `120+`, and change the sign.
 *
 * @param {TextField} field
 * @param {string} operator
 */
function typeOperator(field, operator) {
  if (isCount(field) && operator === "+") {
    changeCount(field, 1);
    return;
  }
  if (isCount(field) && operator === "−") {
    changeCount(field, -1);
    return;
  }
  if (operator === "−") {
    changeSign(field);
    return;
  }
  const endsWithDigit = /[0-9]$/.test(field.value);
  if (!endsWithDigit) return;
  const typedOperator = operator === "×" ? "x" : "+";
  typeText(field, field.value + typedOperator);
}

// ---------------------------------------------------------------- a keyboard

form.addEventListener("keydown", (event) => {
  const field = event.target;
  if (!isTextField(field) || !isFigure(field)) return;
  if (event.key === "Enter") {
    event.preventDefault(); // it would send the form
    goToNextCell();
    return;
  }
  if (!isCount(field)) return;
  if (event.key === "ArrowUp") {
    event.preventDefault();
    changeCount(field, 1);
  } else if (event.key === "ArrowDown") {
    event.preventDefault();
    changeCount(field, -1);
  }
});

// ---------------------------------------------------------------- changing a figure

/**
 * Whether something is counted in a field: canastas, or red threes.
 *
 * @param {TextField} field
 * @returns {boolean}
 */
function isCount(field) {
  return field.dataset.kind === "count";
}

/**
 * Adds to a count, within its limits; a count that is too large already may stay.
 *
 * @param {TextField} field
 * @param {number} difference
 */
function changeCount(field, difference) {
  const count = evaluate(field.value);
  const limit = Number(field.dataset.most || USUAL_LARGEST);
  const largest = Math.max(limit, count);
  const changed = Math.max(0, count + difference);
  typeText(field, String(Math.min(changed, largest)));
}

/**
 * Makes points that may be negative so, or positive again.
 *
 * @param {TextField} field
 */
function changeSign(field) {
  if (field.dataset.kind !== "signed") return;
  const isNegative = field.value.startsWith("−");
  const changed = isNegative ? field.value.slice(1) : `−${field.value}`;
  typeText(field, changed);
}
