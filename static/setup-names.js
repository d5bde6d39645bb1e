// A new match: what the page says of sides and players follows the names while they are typed.

import { find, findAll } from "./dom.js";

/**
 * A sentence with values in place of its placeholders: `Begin {sides}` becomes `Begin A and B`.
 *
 * @param {string | undefined} sentence
 * @param {Record<string, string | number>} values
 * @returns {string}
 */
export function fillIn(sentence, values) {
  return (sentence ?? "").replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/**
 * Names the seats from which the first dealer is chosen.
 *
 * @param {HTMLFormElement} form
 */
export function nameDealers(form) {
  for (const choice of findAll(form, "input[name=dealer]", HTMLInputElement)) {
    const label = choice.labels?.[0];
    if (label) label.textContent = seatName(form, choice.value);
  }
}

/**
 * The name of a seat; `1-0` is the first seat of the second side. Where each side has one player,
 * it is that of the side.
 *
 * @param {HTMLFormElement} form
 * @param {string} seat
 * @returns {string}
 */
function seatName(form, seat) {
  const [side, place] = seat.split("-");
  const sideField = find(form, `input[name="name-${side}"]`, HTMLInputElement);
  const sideName = sideField ? nameIn(sideField) : "";
  const playerField = find(form, `input[name="player-${side}-${place}"]`, HTMLInputElement);
  if (!playerField) return sideName;

  const player = playerField.value.trim();
  const values = { side: sideName, seat: Number(place) + 1, player };
  const { named, unnamed } = form.dataset; // `{player} ({side})`, `{side}, player {seat}`
  return fillIn(player ? named : unnamed, values);
}

/**
 * Names the sides on the button that begins the match.
 *
 * @param {HTMLFormElement} form
 */
export function nameStartButton(form) {
  const button = find(form, "#start", HTMLButtonElement);
  if (!button) return;
  const names = findAll(form, "input[name^=name-]", HTMLInputElement).map(nameIn);
  button.textContent = fillIn(form.dataset.start, { sides: listNames(form, names) });
}

/**
 * Names in a sentence: "Us vs. Them", or "Anna, Bea and Carla".
 *
 * @param {HTMLFormElement} form
 * @param {string[]} names
 * @returns {string}
 */
function listNames(form, names) {
  const { versus, versusUnnamed, firstUnnamed, secondUnnamed, listed } = form.dataset;
  if (names.length === 2) {
    const [one, other] = names;
    // As pronouns they change in English: "We" and "They", but "Us vs. Them".
    const areUnnamed = one === firstUnnamed && other === secondUnnamed;
    return fillIn(areUnnamed ? versusUnnamed : versus, { one, other });
  }
  const last = names[names.length - 1];
  const allButLast = names.slice(0, -1);
  return fillIn(listed, { some: allButLast.join(", "), last });
}

/**
 * The name typed in a field, or the one that the field came with.
 *
 * @param {HTMLInputElement} field
 * @returns {string}
 */
function nameIn(field) {
  return field.value.trim() || field.defaultValue;
}
