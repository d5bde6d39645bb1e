// The form of a hand: typing cards by the keys of the page. A field has a list of cards, or a meld
// (cards of one rank, laid on the table) on each line: natural cards join the meld of their rank.

import { addCard, removeLastCard } from "./cards.js";
import { closestTo, find, findAll } from "./dom.js";
import { typeText, visibleFields } from "./hand-fields.js";
import { cardKeys, chooseField, chosenField, currentChoice, form, hideKeys } from "./hand-keys.js";

/** @import { TextField } from "./hand-fields.js" */
/** @import { Choice } from "./hand-keys.js" */

/** The rank of a meld that begins with natural cards without suits: `4xK 2` → `K`. */
const RANK_OF_MELD = /^(?:[0-9]{1,2}x)?(10|[AKQJ2-9])(?![0-9hdsc])/;
const WILD_CARDS = ["2", "JK"];
const BLACK_THREE = "3b";

/** What a field has where somebody said that there are no cards. */
const NO_CARDS = "0";

/** The suit that the next natural cards get; empty: none. */
let suit = "";

cardKeys.addEventListener("click", (event) => {
  const key = closestTo(event, "button");
  const field = chosenField();
  const choice = currentChoice();
  if (key && field && choice) pressKey(key, field, choice);
});

/**
 * @param {HTMLElement} key
 * @param {TextField} field
 * @param {Choice} choice
 */
function pressKey(key, field, choice) {
  const { card, suit: suitOfKey, key: command } = key.dataset;
  if (card) {
    const takesSuit = "suited" in key.dataset;
    typeCard(field, choice, { card, suit: takesSuit ? suit : "" });
    return;
  }
  if (suitOfKey) {
    chooseSuit(suitOfKey);
    return;
  }
  switch (command) {
    case "back":
      takeBack(field, choice);
      break;
    case "meld":
      choice.meldIndex = meldsIn(field).length; // the next card begins a meld after the others
      break;
    default:
      goToNextField(field);
  }
}

// The melds of a side are shown as buttons below the field for its opening, which are the melds
// that the side laid first. A button adds its meld to the field, or removes it.
form.addEventListener("click", (event) => {
  const button = closestTo(event, "button[data-opening]");
  const field = button?.closest(".line")?.querySelector("textarea");
  if (!button || !field) return;
  event.preventDefault();
  const meld = button.dataset.opening ?? "";
  const opening = meldsIn(field).map((line) => line.trim());
  const wasInOpening = opening.includes(meld);
  const changed = wasInOpening ? opening.filter((line) => line !== meld) : [...opening, meld];
  typeText(field, changed.join("\n"));
  button.setAttribute("aria-pressed", String(!wasInOpening));
});

/**
 * @param {TextField} field
 * @returns {string[]}
 */
function meldsIn(field) {
  if (field.value.trim() === NO_CARDS) return [];
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
 * @param {Choice} choice
 * @param {{ card: string, suit: string }} typed
 */
function typeCard(field, choice, typed) {
  const card = typed.card + typed.suit;
  if (!hasMelds(field)) {
    const cards = field.value.trim() === NO_CARDS ? "" : field.value;
    typeText(field, addCard(cards, card));
    return;
  }
  const melds = meldsIn(field);
  const index = meldToJoin(melds, choice, typed);
  choice.meldIndex = index;
  const meld = melds[index] ?? "";
  melds[index] = addCard(meld, card);
  typeText(field, melds.join("\n"));
}

/**
 * The index of the meld that a card joins. Wild cards, and cards with a suit, follow the card typed
 * before them; other cards join the meld of their rank.
 *
 * @param {string[]} melds
 * @param {Choice} choice
 * @param {{ card: string, suit: string }} typed
 * @returns {number}
 */
function meldToJoin(melds, choice, typed) {
  const newMeld = melds.length;
  if (choice.meldIndex === newMeld) return newMeld;
  if (typed.suit !== "" || WILD_CARDS.includes(typed.card)) {
    const lastMeld = Math.max(0, melds.length - 1);
    return choice.meldIndex ?? lastMeld;
  }
  for (const [index, meld] of melds.entries()) {
    if (isOfRank(meld, typed.card)) return index;
  }
  return newMeld;
}

/**
 * @param {string} meld
 * @param {string} card
 * @returns {boolean}
 */
function isOfRank(meld, card) {
  if (card === BLACK_THREE) return meld.includes(BLACK_THREE);
  const match = RANK_OF_MELD.exec(meld);
  if (!match) return false;
  const [, rank] = match;
  return rank === card;
}

/**
 * Takes the last card away, in the meld that it went to.
 *
 * @param {TextField} field
 * @param {Choice} choice
 */
function takeBack(field, choice) {
  if (!hasMelds(field)) {
    typeText(field, removeLastCard(field.value));
    return;
  }
  const melds = meldsIn(field);
  if (melds.length > 0) {
    const lastMeld = melds.length - 1;
    const index = Math.min(choice.meldIndex ?? lastMeld, lastMeld);
    melds[index] = removeLastCard(melds[index]);
  }
  const meldsLeft = melds.filter((meld) => meld !== "");
  typeText(field, meldsLeft.join("\n"));
}

/**
 * Chooses a suit; the key of the suit that is chosen already takes the choice back.
 *
 * @param {string} suitOfKey
 */
function chooseSuit(suitOfKey) {
  const isChosen = suit === suitOfKey;
  suit = isChosen ? "" : suitOfKey;
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
  if (next) {
    chooseField(next);
    return;
  }
  if (panel) find(panel, "summary", HTMLElement)?.click();
  hideKeys();
}
