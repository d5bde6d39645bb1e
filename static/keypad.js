// Where the digits of the page, the keypad, are shown on a phone. Where the whole keypad fits into
// the window together with the cell that it types into, it replaces the phone's keyboard. Elsewhere
// the phone's own keyboard comes, and above it a row of the keys that it lacks.

import { find, findAll, findRequired } from "./dom.js";
import { FIGURE_FIELDS } from "./hand-fields.js";

/**
 * A place for the keypad. The attribute `data-keys` of the form has it, and hand.css moves the
 * keypad there.
 *
 * - `foot`: at the foot of the window, below the bar with the buttons;
 * - `low`: there too, but the bar scrolls with the page;
 * - `beside`: beside the grid with the figures;
 * - `phone`: none, as the phone's own keyboard is used.
 *
 * @typedef {"foot" | "low" | "beside" | "phone"} Place
 */

/** How many cells must be in sight above the keypad. */
const CELLS_IN_SIGHT = 2.5;

/** A lower window, in font sizes, is too low for a bar that sticks to its foot (scorepad.css). */
const LOW_WINDOW = 34;

/** In a wider window, in pixels, the grid has enough room beside the keypad. */
const WIDE_WINDOW = 520;

/** On a page zoomed in more than this, only a part of it is in sight. */
const ZOOMED_IN = 1.05;

const root = document.documentElement;
const viewport = window.visualViewport;

export const isTouchScreen = matchMedia("(pointer: coarse)").matches;

// ---------------------------------------------------------------- the window

/** The part of the window that the phone's keyboard leaves in sight, in pixels. */
function visibleArea() {
  if (!viewport) return { left: 0, width: innerWidth, bottom: innerHeight };
  return {
    left: viewport.offsetLeft,
    width: viewport.width,
    bottom: viewport.offsetTop + viewport.height,
  };
}

/** How much of the window the phone's keyboard covers, in pixels. */
function keyboardHeight() {
  return innerHeight - visibleArea().bottom;
}

/**
 * The places for the keypad in a window of this size, the best one first.
 *
 * @returns {Place[]}
 */
function possiblePlaces() {
  const isZoomedIn = viewport !== null && viewport.scale > ZOOMED_IN;
  if (isZoomedIn) return [];

  const textSize = Number.parseFloat(getComputedStyle(root).fontSize);
  const isHigh = innerHeight >= LOW_WINDOW * textSize;
  if (isHigh) return ["foot", "low"];

  const isWide = innerWidth > innerHeight && innerWidth >= WIDE_WINDOW;
  if (isWide) return ["beside", "low"];

  return ["low"];
}

// ---------------------------------------------------------------- the keypad

export class Keypad {
  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement} digits The keypad itself.
   */
  constructor(form, digits) {
    this.form = form;
    this.digits = digits;
    this.bar = findRequired(form, ".bar", HTMLElement);
  }

  /** Whether the keypad is used in place of the phone's keyboard. */
  get replacesKeyboard() {
    return this.form.dataset.keys !== "phone";
  }

  /** Measures anew where the keypad fits, and tells the phone whether to show its keyboard. */
  arrange() {
    if (!isTouchScreen) return;
    const wasHidden = this.digits.hidden;
    this.digits.hidden = false; // what is hidden has no size
    this.#moveToBestPlace();
    this.digits.hidden = wasHidden;
    this.#setInputMode();
    this.settle();
  }

  /** Puts the row of keys above the phone's keyboard, and lets the page scroll above both. */
  settle() {
    if (!this.replacesKeyboard) this.#putAboveKeyboard();
    const covered = Math.max(0, this.#coveredHeight());
    root.style.setProperty("--covered", `${covered}px`);
  }

  /** Moves the keypad to the first place where it fits, or leaves typing to the phone. */
  #moveToBestPlace() {
    for (const place of possiblePlaces()) {
      this.form.dataset.keys = place; // it can be measured only where it is
      if (this.#fits(place)) return;
    }
    this.form.dataset.keys = "phone";
  }

  /**
   * Whether the keypad is in sight at the place where it is, with enough cells above it.
   *
   * @param {Place} place
   * @returns {boolean}
   */
  #fits(place) {
    const keypad = this.digits.getBoundingClientRect();
    if (keypad.width > innerWidth) return false;
    if (place === "beside") return keypad.top >= 0 && keypad.bottom <= innerHeight;

    const isBelowBar = place === "foot";
    const covering = isBelowBar ? this.bar : this.digits; // the bar has the keypad in it
    const heightAbove = innerHeight - covering.offsetHeight;
    return heightAbove >= CELLS_IN_SIGHT * this.#cellHeight();
  }

  /** The height of a cell of the grid; where it has none, that of a key. */
  #cellHeight() {
    const cell = find(this.form, ".cell input[data-kind]", HTMLElement);
    if (cell) return cell.offsetHeight;
    const key = find(this.digits, "button", HTMLElement);
    if (key) return key.offsetHeight;
    return 0;
  }

  /** Lets the phone show no keyboard for a figure where the keypad is used. */
  #setInputMode() {
    const mode = this.replacesKeyboard ? "none" : "numeric";
    for (const field of findAll(this.form, FIGURE_FIELDS, HTMLInputElement)) {
      if (field.inputMode !== mode) field.inputMode = mode;
    }
  }

  #putAboveKeyboard() {
    const { left, width } = visibleArea();
    const { style } = this.digits;
    style.setProperty("--seen-start", `${left}px`);
    style.setProperty("--seen-width", `${width}px`);
    style.setProperty("--seen-end", `${keyboardHeight()}px`);
  }

  /** How much of the foot of the window is covered by keys and by the bar, in pixels. */
  #coveredHeight() {
    const place = this.form.dataset.keys;
    if (place === "beside") return 0;

    const shownKeys = find(this.bar, ".keys:not([hidden])", HTMLElement);
    if (place === "phone" && shownKeys === this.digits) {
      return keyboardHeight() + shownKeys.offsetHeight;
    }
    if (place === "low" && shownKeys) return shownKeys.offsetHeight;

    const isBarAtFoot = getComputedStyle(this.bar).insetBlockEnd === "0px";
    return isBarAtFoot ? this.bar.offsetHeight : 0;
  }
}
