// Where the keypad of the hand is shown. Where it is wholly in sight together with the cell that it
// types into, it takes the place of the phone's keyboard. Elsewhere the phone's own keyboard comes,
// and above it a row of the keys that it lacks.

import { find, findAll, findRequired } from "./dom.js";
import { FIGURE_FIELDS } from "./hand-fields.js";

/**
 * `foot`: at the foot of the window, under the bar; `low`: there, and the bar does not stick;
 * `beside`: beside the grid; `phone`: the phone's own keyboard is used.
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

/** The height that nothing covers, from the top of the window. */
function visibleHeight() {
  return viewport ? viewport.offsetTop + viewport.height : innerHeight;
}

/**
 * The places for the keypad in a window of this size, the best one first.
 *
 * @returns {Place[]}
 */
function possiblePlaces() {
  const textSize = Number.parseFloat(getComputedStyle(root).fontSize);
  if (innerHeight >= LOW_WINDOW * textSize) return ["foot", "low"];
  const isWide = innerWidth > innerHeight && innerWidth >= WIDE_WINDOW;
  return isWide ? ["beside", "low"] : ["low"];
}

export class Keypad {
  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement} digits
   */
  constructor(form, digits) {
    this.form = form;
    this.digits = digits;
    this.bar = findRequired(form, ".bar", HTMLElement);
  }

  /** Whether the keypad takes the place of the phone's keyboard. */
  get replacesKeyboard() {
    return this.form.dataset.keys !== "phone";
  }

  /** Measures anew where the keypad fits, and tells the phone whether to show its keyboard. */
  arrange() {
    if (!isTouchScreen) return;
    const wasHidden = this.digits.hidden;
    this.digits.hidden = false;
    this.form.dataset.keys = this.#choosePlace();
    this.digits.hidden = wasHidden;
    const mode = this.replacesKeyboard ? "none" : "numeric";
    for (const field of findAll(this.form, FIGURE_FIELDS, HTMLInputElement)) {
      if (field.inputMode !== mode) field.inputMode = mode;
    }
    this.settle();
  }

  /** Puts the row of keys above the phone's keyboard, and lets the page scroll above both. */
  settle() {
    if (!this.replacesKeyboard) {
      const { style } = this.digits;
      style.setProperty("--seen-start", `${viewport ? viewport.offsetLeft : 0}px`);
      style.setProperty("--seen-width", `${viewport ? viewport.width : innerWidth}px`);
      style.setProperty("--seen-end", `${innerHeight - visibleHeight()}px`);
    }
    root.style.setProperty("--covered", `${Math.max(0, this.#coveredHeight())}px`);
  }

  /** @returns {Place} */
  #choosePlace() {
    if (viewport && viewport.scale > ZOOMED_IN) return "phone";
    for (const place of possiblePlaces()) {
      if (this.#fits(place)) return place;
    }
    return "phone";
  }

  /**
   * Whether the keypad is in sight at a place, with enough cells above it. Puts it there.
   *
   * @param {Place} place
   * @returns {boolean}
   */
  #fits(place) {
    this.form.dataset.keys = place;
    const keypad = this.digits.getBoundingClientRect();
    if (keypad.width > innerWidth) return false;
    if (place === "beside") return keypad.top >= 0 && keypad.bottom <= innerHeight;
    const foot = place === "foot" ? this.bar : this.digits;
    const cell =
      find(this.form, ".cell input[data-kind]", HTMLElement) ??
      find(this.digits, "button", HTMLElement);
    const cellHeight = cell ? cell.offsetHeight : 0;
    return innerHeight - foot.offsetHeight >= CELLS_IN_SIGHT * cellHeight;
  }

  /** How much of the foot of the window is covered, in pixels. */
  #coveredHeight() {
    const { keys: place } = this.form.dataset;
    const shownKeys = find(this.bar, ".keys:not([hidden])", HTMLElement);
    if (place === "beside") return 0;
    if (place === "phone" && shownKeys === this.digits) {
      return innerHeight - visibleHeight() + shownKeys.offsetHeight;
    }
    if (place === "low" && shownKeys) return shownKeys.offsetHeight;
    const sticks = getComputedStyle(this.bar).insetBlockEnd === "0px";
    return sticks ? this.bar.offsetHeight : 0;
  }
}
