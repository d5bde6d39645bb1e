// The fields of a hand in which figures and cards are typed; `data-kind` says of each what it takes.

import { findAll } from "./dom.js";

/** @typedef {HTMLInputElement | HTMLTextAreaElement} TextField */

/** Figures: something counted, points, or points that may be negative. */
const FIGURE_KINDS = ["count", "points", "signed"];

/** Cards: the melds of a side, or a list of cards. */
const CARD_KINDS = ["melds", "cards"];

/** The selector of the fields for figures. */
export const FIGURE_FIELDS =
  'input:is([data-kind="count"], [data-kind="points"], [data-kind="signed"])';

/**
 * Whether an element is a field in which a text is typed.
 *
 * @param {EventTarget | null} element
 * @returns {element is TextField}
 */
export function isTextField(element) {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

/**
 * Whether a figure is typed in a field.
 *
 * @param {TextField} field
 * @returns {boolean}
 */
export function isFigure(field) {
  return FIGURE_KINDS.includes(field.dataset.kind ?? "");
}

/**
 * Whether cards are typed in a field.
 *
 * @param {TextField} field
 * @returns {boolean}
 */
export function takesCards(field) {
  return CARD_KINDS.includes(field.dataset.kind ?? "");
}

/**
 * Whether an element is shown, and not hidden or in a panel that is folded.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function isVisible(element) {
  return element.getClientRects().length > 0;
}

/**
 * The visible fields for figures and cards in a part of the form.
 *
 * @param {Element} part
 * @returns {TextField[]}
 */
export function visibleFields(part) {
  return findAll(part, "[data-kind]", HTMLElement).filter(isTextField).filter(isVisible);
}

/**
 * The cells of the grid that can be typed in: down the first column, which is that of the side of
 * this device, then down the next.
 *
 * @param {HTMLFormElement} form
 * @returns {HTMLInputElement[]}
 */
export function gridCells(form) {
  const outputs = findAll(form, "output[data-sum]", HTMLOutputElement);
  const sides = outputs.map((output) => output.dataset.sum); // from left to right: ["b", "a"]

  /** @param {HTMLInputElement} cell */
  function columnOf(cell) {
    const side = cell.name[0]; // "a" in the name "a.cards"
    return sides.indexOf(side);
  }

  const inputs = findAll(form, ".cell input[data-kind]", HTMLInputElement);
  const cells = inputs.filter((input) => isVisible(input) && !input.readOnly);
  return cells.sort((one, other) => columnOf(one) - columnOf(other));
}

/**
 * Types a text into a field, as if by hand.
 *
 * @param {TextField} field
 * @param {string} text
 */
export function typeText(field, text) {
  field.value = text;
  field.scrollLeft = field.scrollWidth; // the end of a long text is what was typed last
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
