// A fact that the referee asks for, while it is answered: cards are added to the field without
// sending the page, and the server says how it reads them. Without script each key is a submit
// button that does the same.

import { addCard, removeLastCard } from "./cards.js";
import { closestTo, elementById, find, findAll, parsePage } from "./dom.js";
import { valuesOf } from "./form-fields.js";

/** How long typing pauses before the server is asked, in milliseconds. */
const PAUSE = 300;
const TRAILING_SEPARATORS = /[ /]+$/;

const form = elementById("asking", HTMLFormElement);
let timer = 0;
let lastRequest = 0;

// ---------------------------------------------------------------- keys

/**
 * What a key makes of the text of its field. Null: the key is a submit button.
 *
 * @param {HTMLElement} button
 * @param {string} text
 * @returns {string | null}
 */
function textAfter(button, text) {
  const key = button.dataset;
  const trimmed = text.replace(TRAILING_SEPARATORS, "");
  if (key.card) return textWithCard(button, text, key.card + chosenSuit(key.suit));
  if ("uncard" in key) return removeLastCard(trimmed).replace(TRAILING_SEPARATORS, "");
  if ("next" in key) return trimmed && `${trimmed} / `;
  return null;
}

/**
 * @param {HTMLElement} button
 * @param {string} text
 * @param {string} card
 * @returns {string}
 */
function textWithCard(button, text, card) {
  if ("single" in button.dataset) return card;
  if ("group" in button.dataset) return addToMelds(text, card);
  return addCard(text, card);
}

/**
 * The suit chosen beside the ranks: `h`. Empty where none is chosen, or asked for.
 *
 * @param {string | undefined} name
 * @returns {string}
 */
function chosenSuit(name) {
  if (!name) return "";
  const choice = find(form, `input[name="${CSS.escape(name)}"]:checked`, HTMLInputElement);
  if (!choice || choice.value === "none") return "";
  return choice.value;
}

/**
 * A list of melds with one card more: `3xQ / 4xK`. A natural card joins the meld of its rank; a
 * wild card joins the last meld, and natural cards of a new rank join one that has wild cards only.
 *
 * @param {string} text
 * @param {string} card
 * @returns {string}
 */
function addToMelds(text, card) {
  const melds = text.split("/").map((meld) => meld.trim());
  const last = melds[melds.length - 1];
  if (isWild(card)) return [...melds.slice(0, -1), addCard(last, card)].join(" / ");

  let ownMeld = melds.find((meld) => cardsOf(meld).includes(card.toUpperCase())) ?? "";
  if (!ownMeld && cardsOf(last).every(isWild)) ownMeld = last;
  const others = melds.filter((meld) => meld && meld !== ownMeld);
  return [...others, addNatural(ownMeld, card)].join(" / ");
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
  const index = kinds.findIndex((kind) => cardsOf(kind)[0] === card.toUpperCase());
  if (index < 0) kinds.push(card);
  else kinds[index] = addCard(kinds[index], card);
  return kinds.join(" ");
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

/** The URL of this page with what is typed, so that a reload or a step back brings it again. */
function currentUrl() {
  const parameters = new URLSearchParams(valuesOf(form));
  parameters.set("passo", form.dataset.fact ?? "");
  return `${form.getAttribute("action")}?${parameters}`;
}

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
  if (!html || request !== lastRequest) return; // a later request is on its way
  const page = parsePage(html);
  for (const shown of findAll(form, "[data-live]", HTMLElement)) {
    const fresh = page.getElementById(shown.id);
    if (fresh && shown.innerHTML !== fresh.innerHTML) shown.innerHTML = fresh.innerHTML;
  }
}

/** @returns {Promise<string>} */
async function fetchReading() {
  try {
    const answer = await fetch(currentUrl(), { credentials: "same-origin" });
    return answer.ok ? await answer.text() : "";
  } catch {
    return ""; // there is no network
  }
}

form.addEventListener("click", (event) => {
  const button = closestTo(event, "button");
  const field = document.getElementById(button?.dataset.to ?? "");
  if (!button || !(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement))
    return;
  if ("atOnce" in button.dataset) return;
  const text = textAfter(button, field.value);
  if (text === null) return;
  event.preventDefault();
  field.value = text;
  handleChange();
});
form.addEventListener("input", handleChange);
