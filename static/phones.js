// The codes by which other phones join: copies the link of a code, or hands it to the phone's own
// way of sharing, which browsers have on https only.

import { copyText } from "./copying.js";
import { closestTo, find, findAll } from "./dom.js";

const codes = find(document, ".codes", HTMLElement);
if (codes) showButtons(codes);

/** @param {HTMLElement} list */
function showButtons(list) {
  for (const button of findAll(list, ".code:has(.address) .copy", HTMLElement)) {
    button.hidden = false;
  }
  for (const button of findAll(list, ".code:has(.address) .share", HTMLElement)) {
    button.hidden = typeof navigator.share !== "function";
  }
  list.addEventListener("click", (event) => {
    const button = closestTo(event, ".copy, .share");
    const code = button?.closest(".code");
    const address = code && find(code, ".address", HTMLElement);
    if (!button || !address) return; // the code was withdrawn meanwhile
    if (button.matches(".share")) shareLink(address);
    else copyLink(list, code, address);
  });
}

/** @param {HTMLElement} address */
function shareLink(address) {
  const shared = navigator.share({ title: document.title, url: address.textContent });
  shared.catch(() => {}); // the person changed their mind
}

/**
 * @param {HTMLElement} list
 * @param {Element} code
 * @param {HTMLElement} address
 */
async function copyLink(list, code, address) {
  const isCopied = await copyText(address.textContent, () => selectAddress(address));
  const status = find(code, ".link-status", HTMLElement);
  if (status) status.textContent = (isCopied ? list.dataset.copied : list.dataset.notCopied) ?? "";
}

/** @param {HTMLElement} address */
function selectAddress(address) {
  const fold = address.closest("details");
  if (fold) fold.open = true; // browsers select nothing that is folded
  const selection = getSelection();
  const range = document.createRange();
  range.selectNodeContents(address);
  selection?.removeAllRanges();
  selection?.addRange(range);
}
