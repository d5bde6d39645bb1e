// The form of a hand: typing cards by the keys of the page (`#card-keys`).
//
// A field has either a list of cards, `4xK 2` (four kings and a two), or the melds of a side, one on
// each line. A meld is a set of cards laid on the table: mostly cards of one rank and wild cards,
// which stand for any rank (twos and jokers). Cards without a suit join the meld of their rank.

import { addCard, removeLastCard } from "./cards.js";
import { closestTo, find, findAll } from "./dom.js";
import { typeText, visibleFields } from "./hand-fields.js";
import { cardKeys, chooseField, chosenField, currentChoice, form, hideKeys } from "./hand-keys.js";

/** @import { TextField } from "./hand-fields.js" */
/** @import { Choice } from "./hand-keys.js" */

/**
 * A card whose key was pressed: `{ rank: "K", suit: "h" }` is the king of hearts. The suit is empty
 * where none is chosen. A joker (`JK`) and a black three (`3b`) are ranks of their own.
 *
 * @typedef {{ rank: string, suit: string }} PressedCard
 */

/** Finds the rank of a meld that begins with cards without a suit: `K` in `4xK 2`. */
const RANK_OF_MELD = /^(?:[0-9]{1,2}x)?(10|[AKQJ2-9])(?![0-9hdsc])/;
const WILD_RANKS = ["2", "JK"];
const BLACK_THREE = "3b";

/** The text of a field when somebody said that there are no cards. */
const NO_CARDS = "0";

/** The suit that is chosen on the keys: `h`, `d`, `s` or `c`; empty if none is. */
let chosenSuit = "";

// ---------------------------------------------------------------- keys

cardKeys.addEventListener("click", (event) => {
  const key = closestTo(event, "button");
  const field = chosenField();
  const choice = currentChoice();
  if (key && field && choice) pressKey(key, field, choice);
});

/**
 * Does what a key is for. A key has one of the attributes `data-card="K"`, `data-suit="h"` and
 * `data-key="back"`, `"meld"` or `"next"`.
 *
 * @param {HTMLElement} key
 * @param {TextField} field The field that the keys type into.
 * @param {Choice} choice How far typing has come there.
 */
function pressKey(key, field, choice) {
  const { card: rank, suit, key: command } = key.dataset;
  if (rank) {
    const mayHaveSuit = "suited" in key.dataset;
    const suitOfCard = mayHaveSuit ? chosenSuit : "";
    typeCard({ rank, suit: suitOfCard }, field, choice);
    return;
  }
  if (suit) {
    toggleSuit(suit);
    return;
  }
  switch (command) {
    case "back":
      removeTypedCard(field, choice);
      break;
    case "meld":
      beginMeld(field, choice);
      break;
    case "next":
      goToNextField(field);
      break;
  }
}

/**
 * Chooses a suit for the next cards; a second press on its key means: no suit.
 *
 * @param {string} suit
 */
function toggleSuit(suit) {
  const wasChosen = chosenSuit === suit;
  chosenSuit = wasChosen ? "" : suit;
  for (const button of findAll(cardKeys, "[data-suit]", HTMLElement)) {
    const isChosen = button.dataset.suit === chosenSuit;
    button.setAttribute("aria-pressed", String(isChosen));
  }
}

/**
 * Goes to the next field of the panel; after the last one, folds the panel and hides the keys.
 *
 * @param {TextField} field
 */
function goToNextField(field) {
  const panel = field.closest("details");
  if (!panel) {
    hideKeys();
    return;
  }
  const fields = visibleFields(panel);
  const nextField = fields[fields.indexOf(field) + 1];
  if (nextField) {
    chooseField(nextField);
    return;
  }
  find(panel, "summary", HTMLElement)?.click();
  hideKeys();
}

// ---------------------------------------------------------------- cards

/**
 * Adds a card to the text of a field.
 *
 * @param {PressedCard} card
 * @param {TextField} field
 * @param {Choice} choice
 */
function typeCard(card, field, choice) {
  if (hasMelds(field)) typeIntoMelds(card, field, choice);
  else typeIntoList(card, field);
}

/**
 * Adds a card to a list: `4xK` becomes `4xK 2`.
 *
 * @param {PressedCard} card
 * @param {TextField} field
 */
function typeIntoList(card, field) {
  const isNoCards = field.value.trim() === NO_CARDS;
  const cards = isNoCards ? "" : field.value;
  typeText(field, addCard(cards, card.rank + card.suit));
}

/**
 * Adds a card to one of the melds of a field, and remembers to which.
 *
 * @param {PressedCard} card
 * @param {TextField} field
 * @param {Choice} choice
 */
function typeIntoMelds(card, field, choice) {
  const melds = meldsIn(field);
  const index = indexOfMeldToJoin(card, melds, choice);
  const meld = melds[index] ?? ""; // empty: the card begins a meld
  melds[index] = addCard(meld, card.rank + card.suit);
  choice.meldIndex = index;
  typeText(field, melds.join("\n"));
}

/**
 * Which meld a card joins, as its index. An index after the last meld means: it begins a new one.
 *
 * In `["7xQ", "4xK"]` a queen joins 0, an ace begins 2, and a two or a queen of hearts joins the
 * meld of the card that was typed before.
 *
 * @param {PressedCard} card
 * @param {string[]} melds
 * @param {Choice} choice
 * @returns {number}
 */
function indexOfMeldToJoin(card, melds, choice) {
  const indexOfNewMeld = melds.length;
  const isNewMeldAsked = choice.meldIndex === indexOfNewMeld; // by the key "meld"
  if (isNewMeldAsked) return indexOfNewMeld;

  const isWild = WILD_RANKS.includes(card.rank);
  const hasSuit = card.suit !== "";
  if (isWild || hasSuit) return choice.meldIndex ?? indexOfLast(melds);

  for (const [index, meld] of melds.entries()) {
    if (isOfRank(meld, card.rank)) return index;
  }
  return indexOfNewMeld;
}

/**
 * Whether a meld has the rank of a card: `4xK 2` has the rank `K`.
 *
 * @param {string} meld
 * @param {string} rank
 * @returns {boolean}
 */
function isOfRank(meld, rank) {
  if (rank === BLACK_THREE) return meld.includes(BLACK_THREE);
  const match = RANK_OF_MELD.exec(meld);
  if (!match) return false;
  const [, rankOfMeld] = match;
  return rankOfMeld === rank;
}

/**
 * Removes the last card: in a list, or in the meld that a card was added to last.
 *
 * @param {TextField} field
 * @param {Choice} choice
 */
function removeTypedCard(field, choice) {
  if (!hasMelds(field)) {
    typeText(field, removeLastCard(field.value));
    return;
  }
  const melds = meldsIn(field);
  if (melds.length > 0) {
    const lastIndex = indexOfLast(melds);
    const index = Math.min(choice.meldIndex ?? lastIndex, lastIndex);
    melds[index] = removeLastCard(melds[index]);
  }
  const remainingMelds = melds.filter((meld) => meld !== "");
  typeText(field, remainingMelds.join("\n"));
}

// ---------------------------------------------------------------- melds

/**
 * Whether a field has melds, one on each line, and not a single list of cards.
 *
 * @param {TextField} field
 * @returns {boolean}
 */
function hasMelds(field) {
  return field.dataset.kind === "melds";
}

/**
 * The melds typed in a field: `["7xQ", "4xK"]`.
 *
 * @param {TextField} field
 * @returns {string[]}
 */
function meldsIn(field) {
  if (field.value.trim() === NO_CARDS) return [];
  const lines = field.value.split("\n");
  return lines.filter((line) => line.trim() !== "");
}

/**
 * The index of the last meld; 0 where there is none yet, which is the index of the first one.
 *
 * @param {string[]} melds
 * @returns {number}
 */
function indexOfLast(melds) {
  return Math.max(0, melds.length - 1);
}

/**
 * Lets the next card begin a meld, after all others.
 *
 * @param {TextField} field
 * @param {Choice} choice
 */
function beginMeld(field, choice) {
  choice.meldIndex = meldsIn(field).length;
}

// ---------------------------------------------------------------- the opening

// The opening is what a side laid first. Below its field each meld of the side is a button,
// `data-opening="7xQ"`, that adds the meld to the field or removes it.
form.addEventListener("click", (event) => {
  const button = closestTo(event, "button[data-opening]");
  const line = button?.closest(".line");
  const field = line?.querySelector("textarea");
  if (!button || !field) return;
  event.preventDefault(); // without script the button sends the form
  toggleOpeningMeld(button, field);
});

/**
 * Adds the meld of a button to the opening, or removes it if it is there already.
 *
 * @param {HTMLElement} button
 * @param {HTMLTextAreaElement} field
 */
function toggleOpeningMeld(button, field) {
  const meld = button.dataset.opening ?? "";
  const opening = meldsIn(field).map((line) => line.trim());
  const wasInOpening = opening.includes(meld);
  if (wasInOpening) {
    const others = opening.filter((other) => other !== meld);
    typeText(field, others.join("\n"));
  } else {
    typeText(field, [...opening, meld].join("\n"));
  }
  button.setAttribute("aria-pressed", String(!wasInOpening));
}
