// The codes by which other phones join: copies the link of a code, or hands it to the phone's own
// way of sharing, which browsers have on https only.

import { copyText } from "./copying.js";
import { closestTo, find, findAll } from "./dom.js";

const codes = find(document, ".codes", HTMLElement);
if (codes) showButtons(codes);

/**
 * Shows the buttons that copy and share the links of codes; without script they could do nothing.
 *
 * @param {HTMLElement} list
 */
function showButtons(list) {
  for (const button of findAll(list, ".code:has(.address) .copy", HTMLElement)) {
    button.hidden = false;
  }
  const canShare = typeof navigator.share === "function";
  for (const button of findAll(list, ".code:has(.address) .share", HTMLElement)) {
    button.hidden = !canShare;
  }
  list.addEventListener("click", (event) => {
    const button = closestTo(event, ".copy, .share");
    if (button) pressButton(button, list);
  });
}

/**
 * Copies or shares the link of the code that a button belongs to.
 *
 * @param {HTMLElement} button
 * @param {HTMLElement} list
 */
function pressButton(button, list) {
  const code = button.closest(".code");
  if (!code) return;
  const address = find(code, ".address", HTMLElement);
  if (!address) return; // the code was withdrawn meanwhile
  if (button.matches(".share")) shareLink(address);
  else copyLink(list, code, address);
}

/**
 * Hands a link to the phone's own way of sharing.
 *
 * @param {HTMLElement} address
 */
function shareLink(address) {
  const shared = navigator.share({ title: document.title, url: address.textContent });
  shared.catch(() => {}); // the person changed their mind
}

/**
 * Copies the link of a code, and says beside the code whether that worked.
 *
 * @param {HTMLElement} list The list of codes, which has the texts of both messages.
 * @param {Element} code
 * @param {HTMLElement} address
 */
async function copyLink(list, code, address) {
  const isCopied = await copyText(address.textContent, () => selectAddress(address));
  const { copied = "", notCopied = "" } = list.dataset;
  const status = find(code, ".link-status", HTMLElement);
  if (status) status.textContent = isCopied ? copied : notCopied;
}

/**
 * Selects a link, so that it can be copied by hand.
 *
 * @param {HTMLElement} address
 */
function selectAddress(address) {
  const fold = address.closest("details");
  if (fold) fold.open = true; // browsers select nothing that is folded
  const selection = getSelection();
  const range = document.createRange();
  range.selectNodeContents(address);
  selection?.removeAllRanges();
  selection?.addRange(range);
}
