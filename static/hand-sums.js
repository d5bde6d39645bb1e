// The form of a hand: its sums follow every key. They are what this page can reckon by itself, and
// the sums of the server replace them.

import { elementById, find, findAll } from "./dom.js";
import { evaluate, formatFigure, formatSigned } from "./figures.js";
import { isFigure } from "./hand-fields.js";

/** What a side has no sum for yet. */
const NO_SUM = "–";

/** An output with a longer text than this is written smaller. */
const LONGEST_USUAL = 5;

/** A sum or product, of which a field shows what it comes to. */
const SUM = /[0-9][+x×*][0-9]/i;

/**
 * Shows the sums of all sides; those that the server told stay where `onlyUnknown` says so.
 *
 * @param {HTMLFormElement} form
 * @param {{ onlyUnknown?: boolean }} [options]
 */
export function showSums(form, { onlyUnknown = false } = {}) {
  for (const output of findAll(form, "output[data-sum]", HTMLOutputElement)) {
    const isKnown = onlyUnknown && output.textContent !== NO_SUM;
    const side = output.dataset.sum ?? "";
    if (!isKnown && isAnythingTyped(form, side)) showSumsOfSide(form, side, output);
  }
  const others = findAll(form, "output[data-other]", HTMLOutputElement);
  elementById("row-other", HTMLElement).hidden = others.every((output) => !output.textContent);
}

/**
 * Shows below a field what the sum typed in it comes to.
 *
 * @param {HTMLElement} field
 * @param {string} text
 */
export function showResult(field, text) {
  const result = document.getElementById(`${field.id}-echo`);
  if (!result) return;
  result.textContent = SUM.test(text) ? `= ${formatFigure(evaluate(text))}` : "";
  result.classList.remove("points");
}

// ---------------------------------------------------------------- a side

/**
 * @param {HTMLFormElement} form
 * @param {string} side
 * @returns {boolean}
 */
function isAnythingTyped(form, side) {
  if (pointsOfNotedPenalties(side) !== 0) return true;
  const prefix = `${side}.`;
  for (const [name, value] of new FormData(form)) {
    if (name.startsWith(prefix) && String(value).trim() !== "") return true;
  }
  return false;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} side
 * @param {HTMLOutputElement} output
 */
function showSumsOfSide(form, side, output) {
  const total = elementById(`total-${side}`, HTMLOutputElement);
  const { points, pointsWithoutRow } = reckonSide(form, side);
  showText(output, formatSigned(points));
  showText(total, formatFigure(Number(total.dataset.before) + points));
  const other = pointsWithoutRow === 0 ? "" : formatSigned(pointsWithoutRow);
  showText(elementById(`other-${side}`, HTMLOutputElement), other);
}

/**
 * @param {HTMLOutputElement} output
 * @param {string} text
 */
function showText(output, text) {
  output.textContent = text;
  output.dataset.local = "";
  output.toggleAttribute("data-wide", text.length > LONGEST_USUAL);
}

/**
 * The points of a side in this hand, and how many of them have no row in the grid. A sum that was
 * agreed stands for all but the adjustments.
 *
 * @param {HTMLFormElement} form
 * @param {string} side
 * @returns {{ points: number, pointsWithoutRow: number }}
 */
function reckonSide(form, side) {
  const agreedSum = fieldOfSide(form, side, "sum")?.value.trim() ?? "";
  let rows = agreedSum ? 0 : pointsForGoingOut(form, side);
  let pointsWithoutRow = agreedSum ? evaluate(agreedSum) : pointsOfNotedPenalties(side);
  const fields = findAll(form, `input[data-worth][name^="${side}."]`, HTMLInputElement);
  for (const field of fields) {
    const counts = !agreedSum || field.dataset.group === "adjustments";
    const points = counts ? pointsOfField(form, side, field) : 0;
    if (field.closest(".cell")) {
      rows += points;
      showPoints(field, points);
    } else {
      pointsWithoutRow += points;
    }
  }
  return { points: rows + pointsWithoutRow, pointsWithoutRow };
}

/**
 * @param {HTMLFormElement} form
 * @param {string} side
 * @param {string} name
 * @returns {HTMLInputElement | null}
 */
function fieldOfSide(form, side, name) {
  return find(form, `input[name="${side}.${name}"]`, HTMLInputElement);
}

/**
 * The points of the penalties noted for a side while the hand is played.
 *
 * @param {string} side
 * @returns {number}
 */
function pointsOfNotedPenalties(side) {
  return Number(elementById(`${side}-noted`, HTMLElement).dataset.points);
}

/**
 * @param {HTMLFormElement} form
 * @param {string} side
 * @returns {number}
 */
function pointsForGoingOut(form, side) {
  const out = find(form, 'input[name="out"]:checked', HTMLInputElement);
  if (out?.value[0] !== side) return 0;
  const { out: usual, concealed: withConcealedHand } = worths(form);
  const concealed = find(form, 'input[name="concealed"]', HTMLInputElement);
  return Number(concealed?.checked ? withConcealedHand : usual);
}

// ---------------------------------------------------------------- a field

/** @param {HTMLFormElement} form */
function worths(form) {
  return find(form, ".grid", HTMLElement)?.dataset ?? {};
}

/**
 * What a field counts for. Red threes may count against a side that has no melds.
 *
 * @param {HTMLFormElement} form
 * @param {string} side
 * @param {HTMLInputElement} field
 * @returns {number}
 */
function pointsOfField(form, side, field) {
  const worth = worthOf(field);
  if (field.dataset.group !== "red_threes" || hasMelds(form, side)) return worth;
  return worth * Number(worths(form).unopened);
}

/**
 * @param {HTMLFormElement} form
 * @param {string} side
 * @returns {boolean}
 */
function hasMelds(form, side) {
  const cards = fieldOfSide(form, side, "cards");
  return !cards || figureIn(cards) !== 0;
}

/**
 * The figure typed in a field, or the one that follows from the cards.
 *
 * @param {HTMLInputElement} field
 * @returns {number}
 */
function figureIn(field) {
  if (field.value) return evaluate(field.value);
  return field.readOnly ? evaluate(field.placeholder) : 0;
}

/**
 * The figure of a field times its worth. Where `data-worth` has several, the n-th is that of n.
 *
 * @param {HTMLInputElement} field
 * @returns {number}
 */
function worthOf(field) {
  const count = figureIn(field);
  const worths = (field.dataset.worth ?? "").split(",").map(Number);
  if (worths.length === 1) return count * worths[0];
  if (count === 0) return 0;
  return worths[Math.min(count, worths.length) - 1];
}

/**
 * Shows below a cell what it counts for, where that is not its figure times the worth beside the
 * name of its row.
 *
 * @param {HTMLInputElement} field
 * @param {number} points
 */
function showPoints(field, points) {
  if (isFigure(field)) showResult(field, field.value);
  const worthBesideName = Number((field.dataset.worth ?? "").split(",")[0]);
  if (points === figureIn(field) * worthBesideName) return;
  const below = elementById(`${field.id}-echo`, HTMLElement);
  below.textContent = formatSigned(points);
  below.classList.add("points");
}
