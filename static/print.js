// A sheet as a page to print: its button, and the text size of a rules card, which takes one page.

import { elementById, find } from "./dom.js";

/** Height of the printed part of a rules card in CSS pixels: A4 without its margins of 9 mm. */
const CARD_HEIGHT = ((297 - 2 * 9) * 96) / 25.4;

/** Shows the button to print, which could do nothing without script. */
function showPrintButton() {
  const button = elementById("print", HTMLButtonElement);
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

/**
 * Chooses the largest text size in which a rules card fits on a page. It comes in the smallest one.
 *
 * @param {HTMLElement} card
 */
function enlargeCard(card) {
  document.body.style.zoom = "1"; // it is measured as it is printed, also on a narrow screen
  chooseLargestSize(card);
  document.body.style.zoom = "";
}

/** @param {HTMLElement} card */
function chooseLargestSize(card) {
  const smallest = card.className;
  for (const size of (card.dataset.larger ?? "").split(" ")) {
    card.className = `rules size-${size}`;
    if (card.getBoundingClientRect().height <= CARD_HEIGHT) return;
  }
  card.className = smallest;
}

showPrintButton();
const card = find(document, ".rules[data-larger]", HTMLElement);
if (card) {
  card.getBoundingClientRect(); // lays the card out, so that the browser begins to load its fonts
  document.fonts.ready.then(() => enlargeCard(card));
}
