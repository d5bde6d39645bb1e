// The form of a hand: typing cards by the keys of the page. A field has a list of cards, or a meld
// on each line: cards of a rank join their meld by themselves.

import { addCard, removeLastCard } from "./cards.js";
import { closestTo, find, findAll } from "./dom.js";
import { isTextField, typeText, visibleFields } from "./hand-fields.js";
import { cardKeys, chooseField, chosenField, currentChoice, form, hideKeys } from "./hand-keys.js";

/** @import { TextField } from "./hand-fields.js" */

/** The rank of a meld that begins with natural cards without suits: `4xK 2` → `K`. */
const RANK_OF_MELD = /^(?:[0-9]{1,2}x)?(10|[AKQJ2-9])(?![0-9hdsc])/;
const WILD_CARDS = ["2", "JK"];
const BLACK_THREE = "3b";

/** The suit that the next natural cards get; empty: none. */
let suit = "";

cardKeys.addEventListener("click", (event) => {
  const button = closestTo(event, "button");
  const field = chosenField();
  if (!button || !field) return;
  const { card, suit: suitOfKey, key } = button.dataset;
  if (card) typeCard(field, card, "suited" in button.dataset ? suit : "");
  else if (suitOfKey) chooseSuit(suitOfKey);
  else if (key === "back") takeBack(field);
  else if (key === "meld") beginMeld(field);
  else goToNextField(field);
});

// A meld that is tapped is one of the opening, or no longer.
form.addEventListener("click", (event) => {
  const button = closestTo(event, "button[data-opening]");
  const field = button?.closest(".line")?.querySelector("textarea");
  if (!button || !field) return;
  event.preventDefault();
  const meld = button.dataset.opening ?? "";
  const melds = meldsIn(field).map((line) => line.trim());
  const isChosen = !melds.includes(meld);
  const opening = isChosen ? [...melds, meld] : melds.filter((line) => line !== meld);
  typeText(field, opening.join("\n"));
  button.setAttribute("aria-pressed", String(isChosen));
});

/**
 * @param {TextField} field
 * @returns {string[]}
 */
function meldsIn(field) {
  if (field.value.trim() === "0") return [];
  return field.value.split("\n").filter((line) => line.trim() !== "");
}

/**
 * @param {TextField} field
 * @returns {boolean}
 */
function hasMelds(field) {
  return field.dataset.kind === "melds";
}

/**
 * @param {TextField} field
 * @param {string} card
 * @param {string} suitOfCard
 */
function typeCard(field, card, suitOfCard) {
  if (!hasMelds(field)) {
    const cards = field.value.trim() === "0" ? "" : field.value;
    typeText(field, addCard(cards, card + suitOfCard));
    return;
  }
  const choice = currentChoice();
  const melds = meldsIn(field);
  const index = meldFor(melds, card, suitOfCard !== "");
  if (choice) choice.meld = index;
  melds[index] = addCard(melds[index] ?? "", card + suitOfCard);
  typeText(field, melds.join("\n"));
}

/**
 * The index of the meld that a card joins: that of its rank, or a new one. Wild cards and cards
 * with a suit join the meld that the last card went to.
 *
 * @param {string[]} melds
 * @param {string} card
 * @param {boolean} hasSuit
 * @returns {number}
 */
function meldFor(melds, card, hasSuit) {
  const lastMeld = currentChoice()?.meld ?? -1;
  if (lastMeld === melds.length) return lastMeld; // another meld was asked for
  if (hasSuit || WILD_CARDS.includes(card)) {
    return Math.max(0, lastMeld < 0 ? melds.length - 1 : lastMeld);
  }
  const sameRank = melds.findIndex((meld) => isOfRank(meld, card));
  return sameRank < 0 ? melds.length : sameRank;
}

/**
 * @param {string} meld
 * @param {string} card
 * @returns {boolean}
 */
function isOfRank(meld, card) {
  if (card === BLACK_THREE) return meld.includes(BLACK_THREE);
  return RANK_OF_MELD.exec(meld)?.[1] === card;
}

/**
 * Takes the last card away, in the meld that it went to.
 *
 * @param {TextField} field
 */
function takeBack(field) {
  if (!hasMelds(field)) {
    typeText(field, removeLastCard(field.value));
    return;
  }
  const melds = meldsIn(field);
  const lastMeld = currentChoice()?.meld ?? -1;
  const index = lastMeld < 0 ? melds.length - 1 : Math.min(lastMeld, melds.length - 1);
  if (index >= 0) melds[index] = removeLastCard(melds[index]);
  typeText(field, melds.filter((meld) => meld !== "").join("\n"));
}

/** @param {TextField} field */
function beginMeld(field) {
  const choice = currentChoice();
  if (choice) choice.meld = meldsIn(field).length;
}

/** @param {string} suitOfKey */
function chooseSuit(suitOfKey) {
  suit = suit === suitOfKey ? "" : suitOfKey;
  for (const button of findAll(cardKeys, "[data-suit]", HTMLElement)) {
    button.setAttribute("aria-pressed", String(button.dataset.suit === suit));
  }
}

/**
 * Goes to the next field of the panel; after the last one, the panel folds.
 *
 * @param {TextField} field
 */
function goToNextField(field) {
  const panel = field.closest("details");
  const fields = panel ? visibleFields(panel) : [];
  const next = fields[fields.indexOf(field) + 1];
  if (isTextField(next)) {
    chooseField(next);
    return;
  }
  if (panel) find(panel, "summary", HTMLElement)?.click();
  hideKeys();
}
