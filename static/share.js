// The result of a match, to be sent on: its text is copied with one tap; text and picture are
// handed to the phone's own way of sharing, which browsers have on https only.

import { copyText } from "./copying.js";
import { elementById, find } from "./dom.js";

/** A screen reader says a text again only where it was gone for a moment, in milliseconds. */
const UNTIL_SAID_AGAIN = 50;

const part = find(document, "#share", HTMLElement);
if (part) {
  showCopyButton(part);
  if (typeof navigator.share === "function") showShareButton();
}

// Text and picture are looked up each time: an open page replaces them when the match goes on.

function resultText() {
  return elementById("text", HTMLTextAreaElement);
}

function pictureUrl() {
  return elementById("picture", HTMLImageElement).src;
}

/** @param {HTMLElement} share */
function showCopyButton(share) {
  const button = elementById("copy", HTMLButtonElement);
  button.hidden = false;
  button.addEventListener("click", () => copyResult(share, button));
  share.addEventListener("click", (event) => {
    if (event.target === resultText()) selectResult();
  });
}

/**
 * @param {HTMLElement} share
 * @param {HTMLButtonElement} button
 */
async function copyResult(share, button) {
  const isCopied = await copyText(resultText().value, selectResult);
  const status = elementById("share-status", HTMLElement);
  status.textContent = "";
  setTimeout(() => {
    status.textContent = (isCopied ? share.dataset.copied : share.dataset.notCopied) ?? "";
  }, UNTIL_SAID_AGAIN);
  if (isCopied) button.focus({ preventScroll: true });
  else selectResult();
}

function selectResult() {
  const field = resultText();
  field.focus({ preventScroll: true });
  field.setSelectionRange(0, field.value.length);
}

function showShareButton() {
  /** @type {Map<string, File>} Browsers share only what is at hand when the button is pressed. */
  const pictures = new Map();

  async function loadPicture() {
    const url = pictureUrl();
    if (pictures.has(url)) return;
    const answer = await fetch(url, { credentials: "same-origin" });
    if (!answer.ok) return;
    pictures.set(url, new File([await answer.blob()], "canasta.png", { type: "image/png" }));
  }

  function sharedData() {
    const text = resultText().value;
    const picture = pictures.get(pictureUrl());
    if (!picture) return { text };
    const withPicture = { text, files: [picture] };
    return navigator.canShare?.(withPicture) ? withPicture : { text };
  }

  const button = elementById("send", HTMLButtonElement);
  button.hidden = false;
  button.addEventListener("click", () => {
    navigator.share(sharedData()).catch(() => {}); // the person changed their mind
    loadPicture().catch(() => {});
  });
  loadPicture().catch(() => {}); // without network the text is shared alone
}
