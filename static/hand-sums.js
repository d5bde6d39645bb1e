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
 * Shows the sums of all sides; with `onlyUnknown`, those that the server has sent stay.
 *
 * @param {HTMLFormElement} form
 * @param {{ onlyUnknown?: boolean }} [options]
 */
export function showSums(form, { onlyUnknown = false } = {}) {
  for (const output of findAll(form, "output[data-sum]", HTMLOutputElement)) {
    const hasServerSum = output.textContent !== NO_SUM;
    if (onlyUnknown && hasServerSum) continue;
    const side = output.dataset.sum ?? "";
    if (isAnythingTyped(form, side)) showSumsOfSide(form, side, output);
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
  const isAgreed = agreedSum !== "";
  let pointsOfRows = isAgreed ? 0 : pointsForGoingOut(form, side);
  let pointsWithoutRow = isAgreed ? evaluate(agreedSum) : pointsOfNotedPenalties(side);
  const fields = findAll(form, `input[data-worth][name^="${side}."]`, HTMLInputElement);
  for (const field of fields) {
    const isAdjustment = field.dataset.group === "adjustments";
    const isCounted = isAdjustment || !isAgreed;
    const points = isCounted ? pointsOfField(form, side, field) : 0;
    const isInGrid = field.closest(".cell") !== null;
    if (isInGrid) {
      pointsOfRows += points;
      showPoints(field, points);
    } else {
      pointsWithoutRow += points;
    }
  }
  return { points: pointsOfRows + pointsWithoutRow, pointsWithoutRow };
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
 * The points for ending the hand; there are more for a player who had laid no card before.
 *
 * @param {HTMLFormElement} form
 * @param {string} side
 * @returns {number}
 */
function pointsForGoingOut(form, side) {
  const out = find(form, 'input[name="out"]:checked', HTMLInputElement);
  if (!out?.value.startsWith(side)) return 0; // the value begins with the letter of the side
  const { out: usualPoints, concealed: pointsIfConcealed } = bonuses(form);
  const concealed = find(form, 'input[name="concealed"]', HTMLInputElement);
  return Number(concealed?.checked ? pointsIfConcealed : usualPoints);
}

// ---------------------------------------------------------------- a field

/**
 * What the grid says of points that no field has: `out` and `concealed` for ending the hand, and
 * the factor `unopened` for red threes of a side without melds.
 *
 * @param {HTMLFormElement} form
 */
function bonuses(form) {
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
  const points = figureTimesWorth(field);
  const isRedThrees = field.dataset.group === "red_threes";
  if (isRedThrees && !hasMelds(form, side)) return points * Number(bonuses(form).unopened);
  return points;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} side
 * @returns {boolean}
 */
function hasMelds(form, side) {
  const cards = fieldOfSide(form, side, "cards");
  if (!cards) return true; // the form does not ask
  return figureIn(cards) !== 0;
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
function figureTimesWorth(field) {
  const figure = figureIn(field);
  const worths = worthsOf(field);
  if (worths.length === 1) return figure * worths[0];
  if (figure === 0) return 0;
  const position = Math.min(figure, worths.length);
  return worths[position - 1];
}

/**
 * @param {HTMLInputElement} field
 * @returns {number[]}
 */
function worthsOf(field) {
  return (field.dataset.worth ?? "").split(",").map(Number);
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
  const [worthBesideName] = worthsOf(field);
  if (points === figureIn(field) * worthBesideName) return;
  const below = elementById(`${field.id}-echo`, HTMLElement);
  below.textContent = formatSigned(points);
  below.classList.add("points");
}
