// The score board: makes its figures as large as their places allow, and keeps the screen lit.

import { elementById, findAll } from "./dom.js";

const board = elementById("board", HTMLElement);

/** The style sheet multiplies the size of the figures by `--fit`, within these limits. */
const SMALLEST_FIT = 0.5;
const LARGEST_FIT = 1.6;

/** The width of a digit that board.css reckons with, in font sizes: it cannot measure the font. */
const RECKONED_WIDTH = 0.35;

/** A little less than what fits, so that rounding does not break a line. */
const MARGIN = 0.98;

/** Makes all figures so large that the widest one fits. */
function fitFigures() {
  let fit = LARGEST_FIT;
  for (const figure of findAll(board, ".board-total span", HTMLElement)) {
    fit = Math.min(fit, largestFit(figure));
  }
  fit = Math.max(fit, SMALLEST_FIT);
  document.documentElement.style.setProperty("--fit", String(fit));
}

/**
 * By how much the text of a figure may be wider than board.css reckons with. `--width` has the
 * number of digits for which the style sheet leaves room.
 *
 * @param {HTMLElement} figure
 * @returns {number}
 */
function largestFit(figure) {
  const digits = Number(getComputedStyle(board).getPropertyValue("--width"));
  const fontSize = Number.parseFloat(getComputedStyle(figure).fontSize);
  const reckonedWidth = digits * RECKONED_WIDTH * fontSize;
  return (reckonedWidth / figure.offsetWidth) * MARGIN;
}

/** Keeps the screen lit. Browsers have the wake lock on https and on the machine itself only. */
async function keepScreenLit() {
  if (!navigator.wakeLock || document.hidden) return;
  try {
    await navigator.wakeLock.request("screen");
  } catch {
    // The battery is low, or nobody has touched the page yet.
  }
}

addEventListener("resize", fitFigures);
const changes = new MutationObserver(fitFigures);
changes.observe(board, { childList: true, subtree: true, characterData: true });
fitFigures();

// The browser drops the wake lock while the page is hidden.
document.addEventListener("visibilitychange", keepScreenLit);
keepScreenLit();
