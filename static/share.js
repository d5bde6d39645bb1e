// The result of a match, to be sent on: its text is copied with one tap; text and picture are
// handed to the phone's own way of sharing, which browsers have on https only.

import { copyText } from "./copying.js";
import { closestTo, elementById, find } from "./dom.js";
import { isDrawing, pngFile, saveFile } from "./picture.js";

/** A screen reader says a text again only if it was gone for a moment, in milliseconds. */
const REPEAT_DELAY = 50;

// Text and picture are looked up each time: an open page replaces them when the match goes on.

/** The text of the result, in a field from which it is copied. */
function resultText() {
  return elementById("text", HTMLTextAreaElement);
}

/** The URL of the picture of the result: PNG, or SVG where the server cannot make that. */
function pictureUrl() {
  return find(document, "#picture", HTMLImageElement)?.src ?? "";
}

// ---------------------------------------------------------------- copying the text

/**
 * Shows the button that copies the text, which could do nothing without script.
 *
 * @param {HTMLElement} share The part of the page with the result.
 */
function showCopyButton(share) {
  const button = elementById("copy", HTMLButtonElement);
  button.hidden = false;
  button.addEventListener("click", () => copyResult(share, button));
  share.addEventListener("click", (event) => {
    if (event.target === resultText()) selectResult();
  });
}

/**
 * Copies the text, and says whether that worked. Where it did not, the text stays selected.
 *
 * @param {HTMLElement} share
 * @param {HTMLButtonElement} button
 */
async function copyResult(share, button) {
  const isCopied = await copyText(resultText().value, selectResult);
  const { copied = "", notCopied = "" } = share.dataset;
  sayAgain(isCopied ? copied : notCopied);
  if (isCopied) button.focus({ preventScroll: true });
  else selectResult();
}

/**
 * Shows a message, which a screen reader says although it may be the same as before.
 *
 * @param {string} text
 */
function sayAgain(text) {
  const status = elementById("share-status", HTMLElement);
  status.textContent = "";
  setTimeout(() => {
    status.textContent = text;
  }, REPEAT_DELAY);
}

/** Selects the text, so that it can be copied by hand. */
function selectResult() {
  const field = resultText();
  field.focus({ preventScroll: true });
  field.setSelectionRange(0, field.value.length);
}

// ---------------------------------------------------------------- sharing text and picture

/**
 * The pictures loaded so far, by URL. Browsers share only what is at hand when the button is
 * pressed.
 *
 * @type {Map<string, File>}
 */
const pictures = new Map();

/** Shows the button that hands the result to the phone's own way of sharing. */
function showShareButton() {
  const button = elementById("send", HTMLButtonElement);
  button.hidden = false;
  button.addEventListener("click", () => {
    navigator.share(sharedData()).catch(() => {}); // the person changed their mind
    loadPicture().catch(() => {});
  });
  loadPicture().catch(() => {}); // without network the text is shared alone
}

/** Loads the picture of the result, unless it is at hand already. Throws if nobody answers. */
async function loadPicture() {
  const url = pictureUrl();
  if (!url || pictures.has(url)) return;
  pictures.set(url, await pngFile(url, "canasta.png"));
}

/**
 * What is shared: text and picture, or the text alone where the phone cannot share a picture.
 *
 * @returns {ShareData}
 */
function sharedData() {
  const text = resultText().value;
  const picture = pictures.get(pictureUrl());
  if (!picture) return { text };
  const withPicture = { text, files: [picture] };
  return navigator.canShare?.(withPicture) ? withPicture : { text };
}

// ---------------------------------------------------------------- saving the picture

/**
 * Saves a picture that the server has as SVG only as PNG, which every app of a phone shows. Where
 * drawing fails the link is followed.
 *
 * @param {MouseEvent} event
 */
async function saveDrawing(event) {
  const link = closestTo(event, "#save-picture");
  if (!(link instanceof HTMLAnchorElement) || !isDrawing(link.href)) return;
  event.preventDefault();
  try {
    saveFile(await pngFile(link.href, link.dataset.png ?? "canasta.png"));
  } catch {
    location.assign(link.href);
  }
}

// ---------------------------------------------------------------- the page

const part = find(document, "#share", HTMLElement);
if (part) {
  showCopyButton(part);
  part.addEventListener("click", saveDrawing);
  if (typeof navigator.share === "function") showShareButton();
}
