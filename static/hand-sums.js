// The form of a hand: its sums follow every key. They are what this page can reckon by itself; the
// answer of the server, which knows all rules, replaces them.
//
// Each side has a letter, `a`, `b` or `c`, with which its fields and outputs are named: the field
// `a.cards` has the points of the cards of side a, and `#total-a` its total after this hand. A field
// has what one of it counts in `data-worth`.

import { elementById, find, findAll } from "./dom.js";
import { evaluate, formatFigure, formatSigned } from "./figures.js";
import { isFigure } from "./hand-fields.js";

/** What an output shows that has no sum yet. */
const NO_SUM = "–";

/** An output with a longer text than this, in characters, is written smaller. */
const LONGEST_USUAL = 5;

/** Finds a sum or product, as in `120+85` or `3x50`, of which a field shows what it comes to. */
const SUM = /[0-9][+x×*][0-9]/i;

// ---------------------------------------------------------------- showing sums

/**
 * Shows the sums of all sides, as they are reckoned here.
 *
 * @param {HTMLFormElement} form
 */
export function showSums(form) {
  for (const output of sumOutputs(form)) showSumsOfSide(form, output);
  hideOtherRowIfEmpty(form);
}

/**
 * Shows the sums of those sides for which the server has sent none.
 *
 * @param {HTMLFormElement} form
 */
export function showMissingSums(form) {
  for (const output of sumOutputs(form)) {
    const isMissing = output.textContent === NO_SUM;
    if (isMissing) showSumsOfSide(form, output);
  }
  hideOtherRowIfEmpty(form);
}

/**
 * The outputs with the points of this hand, one for each side; `data-sum` has the letter of the side.
 *
 * @param {HTMLFormElement} form
 * @returns {HTMLOutputElement[]}
 */
function sumOutputs(form) {
  return findAll(form, "output[data-sum]", HTMLOutputElement);
}

/**
 * Shows the points of a side in this hand, its total, and what each of its cells counts for. Where
 * nothing is typed for the side, everything stays as it is.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLOutputElement} handOutput The output for the points of the side in this hand.
 */
function showSumsOfSide(form, handOutput) {
  const side = handOutput.dataset.sum ?? "";
  if (!isAnythingTyped(form, side)) return;

  showPointsOfCells(form, side);

  const { handPoints, otherPoints } = reckonSide(form, side);
  showText(handOutput, formatSigned(handPoints));

  const totalOutput = elementById(`total-${side}`, HTMLOutputElement);
  const totalBefore = Number(totalOutput.dataset.before);
  showText(totalOutput, formatFigure(totalBefore + handPoints));

  const otherOutput = elementById(`other-${side}`, HTMLOutputElement);
  showText(otherOutput, otherPoints === 0 ? "" : formatSigned(otherPoints));
}

/**
 * Hides the row for points without a row of their own, unless a side has some.
 *
 * @param {HTMLFormElement} form
 */
function hideOtherRowIfEmpty(form) {
  const outputs = findAll(form, "output[data-other]", HTMLOutputElement);
  const isEmpty = outputs.every((output) => output.textContent === "");
  elementById("row-other", HTMLElement).hidden = isEmpty;
}

/**
 * @param {HTMLOutputElement} output
 * @param {string} text
 */
function showText(output, text) {
  output.textContent = text;
  output.dataset.local = ""; // it was reckoned here
  output.toggleAttribute("data-wide", text.length > LONGEST_USUAL);
}

// ---------------------------------------------------------------- showing what cells count for

/**
 * Shows below each cell of a side what it counts for, where the row does not tell.
 *
 * @param {HTMLFormElement} form
 * @param {string} side
 */
function showPointsOfCells(form, side) {
  for (const field of countingFields(form, side)) {
    if (isCell(field)) showPoints(field, pointsOfField(form, side, field));
  }
}

/**
 * Shows below a cell what it counts for, where that is not its figure times the worth beside the
 * name of its row.
 *
 * @param {HTMLInputElement} cell
 * @param {number} points
 */
function showPoints(cell, points) {
  if (isFigure(cell)) showResult(cell);
  const [worthBesideName] = worthsOf(cell);
  const isExpected = points === figureIn(cell) * worthBesideName;
  if (isExpected) return;
  const textBelow = elementById(`${cell.id}-echo`, HTMLElement);
  textBelow.textContent = formatSigned(points);
  textBelow.classList.add("points");
}

/**
 * Shows below a field what the sum typed in it comes to: `= 205` for `120+85`.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 */
export function showResult(field) {
  const textBelow = document.getElementById(`${field.id}-echo`);
  if (!textBelow) return;
  textBelow.textContent = resultOf(field.value);
  textBelow.classList.remove("points");
}

/**
 * What a sum comes to, `= 205`; empty for a text that is no sum.
 *
 * @param {string} text
 * @returns {string}
 */
function resultOf(text) {
  const isSum = SUM.test(text);
  if (!isSum) return "";
  return `= ${formatFigure(evaluate(text))}`;
}

// ---------------------------------------------------------------- the points of a side

/**
 * Whether anything is typed or noted for a side.
 *
 * @param {HTMLFormElement} form
 * @param {string} side
 * @returns {boolean}
 */
function isAnythingTyped(form, side) {
  if (pointsOfNotedPenalties(side) !== 0) return true;
  for (const [name, value] of new FormData(form)) {
    const isOfSide = name.startsWith(`${side}.`);
    const isBlank = String(value).trim() === "";
    if (isOfSide && !isBlank) return true;
  }
  return false;
}

/**
 * The points of a side in this hand, and those among them that have no row in the grid.
 *
 * @param {HTMLFormElement} form
 * @param {string} side
 * @returns {{ handPoints: number, otherPoints: number }}
 */
function reckonSide(form, side) {
  let rowPoints = 0;
  let otherPoints = 0;
  const agreedSum = agreedSumOf(form, side);
  if (agreedSum === "") {
    rowPoints += pointsForGoingOut(form, side);
    otherPoints += pointsOfNotedPenalties(side);
  } else {
    otherPoints += evaluate(agreedSum);
  }
  for (const field of countingFields(form, side)) {
    const points = pointsOfField(form, side, field);
    if (isCell(field)) rowPoints += points;
    else otherPoints += points;
  }
  return { handPoints: rowPoints + otherPoints, otherPoints };
}

/**
 * The sum for which the players have agreed instead of counting, as it is typed; empty: none.
 *
 * @param {HTMLFormElement} form
 * @param {string} side
 * @returns {string}
 */
function agreedSumOf(form, side) {
  const field = fieldOfSide(form, side, "sum");
  if (!field) return "";
  return field.value.trim();
}

/**
 * The points of the penalties noted for a side while the hand was played.
 *
 * @param {string} side
 * @returns {number}
 */
function pointsOfNotedPenalties(side) {
  const list = elementById(`${side}-noted`, HTMLElement);
  return Number(list.dataset.points);
}

/**
 * The points for going out, which is to end the hand by playing one's last card; 0 if another side
 * went out. Going out concealed, with no card on the table before, may be worth more.
 *
 * @param {HTMLFormElement} form
 * @param {string} side
 * @returns {number}
 */
function pointsForGoingOut(form, side) {
  const answer = find(form, 'input[name="out"]:checked', HTMLInputElement);
  const isThisSide = answer?.value.startsWith(side); // `a`, or a player of side a: `a.0`
  if (!isThisSide) return 0;
  const { out: usualPoints, concealed: pointsIfConcealed } = worthsOfGrid(form);
  const concealed = find(form, 'input[name="concealed"]', HTMLInputElement);
  const isConcealed = concealed?.checked;
  return Number(isConcealed ? pointsIfConcealed : usualPoints);
}

/**
 * What the grid says of points that no field has: `out` and `concealed` for going out, and
 * `unopened`, the factor for red threes of a side without melds.
 *
 * @param {HTMLFormElement} form
 */
function worthsOfGrid(form) {
  const grid = find(form, ".grid", HTMLElement);
  return grid ? grid.dataset : {};
}

// ---------------------------------------------------------------- fields

/**
 * The fields of a side that count something.
 *
 * @param {HTMLFormElement} form
 * @param {string} side
 * @returns {HTMLInputElement[]}
 */
function countingFields(form, side) {
  return findAll(form, `input[data-worth][name^="${side}."]`, HTMLInputElement);
}

/**
 * The field of a side with this name: for `a` and `cards`, that with the name `a.cards`.
 *
 * @param {HTMLFormElement} form
 * @param {string} side
 * @param {string} name
 * @returns {HTMLInputElement | null}
 */
function fieldOfSide(form, side, name) {
  return find(form, `input[name="${side}.${name}"]`, HTMLInputElement);
}

/**
 * Whether a field is in a row of the grid, and not in one of the panels.
 *
 * @param {HTMLInputElement} field
 * @returns {boolean}
 */
function isCell(field) {
  return field.closest(".cell") !== null;
}

/**
 * The points of a field. A sum that was agreed stands for all fields but adjustments. Red threes may
 * count against a side that has no melds.
 *
 * @param {HTMLFormElement} form
 * @param {string} side
 * @param {HTMLInputElement} field
 * @returns {number}
 */
function pointsOfField(form, side, field) {
  const { group } = field.dataset;
  const isAgreed = agreedSumOf(form, side) !== "";
  if (isAgreed && group !== "adjustments") return 0;

  const points = figureTimesWorth(field);
  const countsAgainstSide = group === "red_threes" && !hasMelds(form, side);
  if (countsAgainstSide) return points * Number(worthsOfGrid(form).unopened);
  return points;
}

/**
 * Whether a side has laid cards on the table; true where the form does not ask.
 *
 * @param {HTMLFormElement} form
 * @param {string} side
 * @returns {boolean}
 */
function hasMelds(form, side) {
  const cardPoints = fieldOfSide(form, side, "cards");
  if (!cardPoints) return true;
  return figureIn(cardPoints) !== 0;
}

/**
 * The figure of a field times its worth. With a worth for each count, `100,200,300,1000`, three of
 * it are worth 300, and five 1000.
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
 * The figure typed in a field, or the one that follows from the cards of the side.
 *
 * @param {HTMLInputElement} field
 * @returns {number}
 */
function figureIn(field) {
  if (field.value) return evaluate(field.value);
  const followsFromCards = field.readOnly; // then the field shows the figure as its placeholder
  return followsFromCards ? evaluate(field.placeholder) : 0;
}

/**
 * The numbers in `data-worth`: one for each of what is counted, or several.
 *
 * @param {HTMLInputElement} field
 * @returns {number[]}
 */
function worthsOf(field) {
  const numbers = (field.dataset.worth ?? "").split(",");
  return numbers.map(Number);
}
