// The page on which the referee asks for a fact of the game: its keys add cards to a field without
// sending the page, and the server says how it reads them. Without script each key is a submit
// button that does the same.

import { addCard, removeLastCard } from "./cards.js";
import { closestTo, elementById, find, findAll, parsePage } from "./dom.js";
import { valuesOf } from "./form-fields.js";
import { isTextField } from "./hand-fields.js";

/** How long typing pauses before the server is asked, in milliseconds. */
const PAUSE = 300;

/** Spaces, and strokes between melds. */
const TRAILING_SEPARATORS = /[ /]+$/;

const form = elementById("asking", HTMLFormElement);
let timer = 0;
let lastRequest = 0;

// ---------------------------------------------------------------- keys

/**
 * Keys that change the text of their field; all others send the page. They have `data-card` (types
 * that card), `data-uncard` (takes the last card away) or `data-next` (begins another meld).
 */
const TYPING_KEYS = "[data-card], [data-uncard], [data-next]";

/** A key with a card that is the whole answer: it sends the page. */
const ANSWERING_KEYS = "[data-at-once]";

/**
 * What a key that types makes of the text of its field.
 *
 * @param {HTMLElement} button
 * @param {string} text
 * @returns {string}
 */
function textAfter(button, text) {
  const { card, suit: nameOfSuit } = button.dataset;
  if (card) return textWithCard(button, text, card + chosenSuit(nameOfSuit));
  const trimmed = withoutTrailingSeparators(text);
  if (button.matches("[data-uncard]")) return withoutTrailingSeparators(removeLastCard(trimmed));
  return trimmed === "" ? "" : `${trimmed} / `;
}

/**
 * @param {string} text
 * @returns {string}
 */
function withoutTrailingSeparators(text) {
  return text.replace(TRAILING_SEPARATORS, "");
}

/**
 * A text with one card more; where a single card is asked for, the card alone.
 *
 * @param {HTMLElement} button
 * @param {string} text
 * @param {string} card
 * @returns {string}
 */
function textWithCard(button, text, card) {
  const isOnlyCard = button.matches("[data-single]");
  if (isOnlyCard) return card;
  const isGroupedByRank = button.matches("[data-group]");
  return isGroupedByRank ? addToMelds(text, card) : addCard(text, card);
}

/**
 * The suit chosen beside the ranks: `h`. Empty where none is chosen, or asked for.
 *
 * @param {string | undefined} name The name of the radio buttons for the suit.
 * @returns {string}
 */
function chosenSuit(name) {
  if (!name) return "";
  const choice = find(form, `input[name="${CSS.escape(name)}"]:checked`, HTMLInputElement);
  if (!choice || choice.value === "none") return "";
  return choice.value;
}

/**
 * A list of melds (groups of cards of one rank) with one card more: `3xQ / 4xK`. The meld that the
 * card joins becomes the last one.
 *
 * @param {string} text
 * @param {string} card
 * @returns {string}
 */
function addToMelds(text, card) {
  const melds = text.split("/").map((meld) => meld.trim());
  if (isWild(card)) return addToLastMeld(melds, card).join(" / ");
  const joinedMeld = meldForNatural(melds, card);
  const otherMelds = melds.filter((meld) => meld !== "" && meld !== joinedMeld);
  return [...otherMelds, addNatural(joinedMeld, card)].join(" / ");
}

/**
 * @param {string[]} melds
 * @param {string} card
 * @returns {string[]}
 */
function addToLastMeld(melds, card) {
  const lastMeld = melds[melds.length - 1];
  const otherMelds = melds.slice(0, -1);
  return [...otherMelds, addCard(lastMeld, card)];
}

/**
 * The meld that a natural card joins: that of its rank, else the last meld if it has wild cards
 * only. Empty: a new one.
 *
 * @param {string[]} melds
 * @param {string} card
 * @returns {string}
 */
function meldForNatural(melds, card) {
  for (const meld of melds) {
    if (cardsOf(meld).includes(card.toUpperCase())) return meld;
  }
  const lastMeld = melds[melds.length - 1];
  return cardsOf(lastMeld).every(isWild) ? lastMeld : "";
}

/**
 * A meld with one natural card more, counted with those of its kind: `3xK 2` becomes `4xK 2`.
 *
 * @param {string} meld
 * @param {string} card
 * @returns {string}
 */
function addNatural(meld, card) {
  const kinds = meld.split(/\s+/).filter((kind) => kind !== "");
  for (const [index, kind] of kinds.entries()) {
    const [kindOfCard] = cardsOf(kind);
    if (kindOfCard === card.toUpperCase()) {
      kinds[index] = addCard(kind, card);
      return kinds.join(" ");
    }
  }
  return [...kinds, card].join(" ");
}

/**
 * The kinds of card in a meld, without how many: `4xK 2` has `K` and `2`.
 *
 * @param {string} meld
 * @returns {string[]}
 */
function cardsOf(meld) {
  return meld.split(/\s+/).map((kind) => kind.replace(/^\d{1,2}x/i, "").toUpperCase());
}

/**
 * Whether a card may stand for others. An empty meld has one card, the empty text, which counts as
 * wild: a natural card may join it.
 *
 * @param {string} card
 * @returns {boolean}
 */
function isWild(card) {
  return ["2", "JK", ""].includes(card.toUpperCase());
}

// ---------------------------------------------------------------- the server

/**
 * The URL of this page with what is typed, so that a reload or a step back brings it again. The
 * parameter `passo` is the step of the question: the fact that is asked for.
 */
function currentUrl() {
  const parameters = new URLSearchParams(valuesOf(form));
  parameters.set("passo", form.dataset.fact ?? "");
  return `${form.getAttribute("action")}?${parameters}`;
}

/** Makes the URL with what is typed that of this page. */
function rememberUrl() {
  history.replaceState(null, "", currentUrl());
  // The form that changes the language comes back to this URL.
  const returnUrl = find(document, '.bottom input[name="back"]', HTMLInputElement);
  if (returnUrl) returnUrl.value = currentUrl();
}

function handleChange() {
  rememberUrl();
  clearTimeout(timer);
  timer = setTimeout(showReading, PAUSE);
}

/** Shows how the server reads what is typed; where it does not answer, nothing changes. */
async function showReading() {
  lastRequest += 1;
  const request = lastRequest;
  const html = await fetchReading();
  const isOutdated = request !== lastRequest; // a later request is on its way
  if (html === "" || isOutdated) return;
  updateLiveParts(parsePage(html));
}

/**
 * Shows the parts with `data-live` as they are on a fresh page.
 *
 * @param {Document} page
 */
function updateLiveParts(page) {
  for (const part of findAll(form, "[data-live]", HTMLElement)) {
    const freshPart = page.getElementById(part.id);
    if (!freshPart) continue;
    const isChanged = part.innerHTML !== freshPart.innerHTML;
    if (isChanged) part.innerHTML = freshPart.innerHTML;
  }
}

/**
 * This page with what is typed, as HTML; empty if the server does not answer.
 *
 * @returns {Promise<string>}
 */
async function fetchReading() {
  try {
    const answer = await fetch(currentUrl(), { credentials: "same-origin" });
    return answer.ok ? await answer.text() : "";
  } catch {
    return ""; // there is no network
  }
}

// ---------------------------------------------------------------- what happens in the form

form.addEventListener("click", (event) => {
  const button = closestTo(event, "button");
  if (!button?.matches(TYPING_KEYS) || button.matches(ANSWERING_KEYS)) return;
  const field = document.getElementById(button.dataset.to ?? "");
  if (!isTextField(field)) return;
  event.preventDefault();
  field.value = textAfter(button, field.value);
  handleChange();
});
form.addEventListener("input", handleChange);
