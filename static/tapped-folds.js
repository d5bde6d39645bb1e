// Which folds (<details>) a person has opened or closed, as opposed to the page itself.

import { closestTo } from "./dom.js";

/** @type {WeakSet<Element>} */
const tappedFolds = new WeakSet();

/**
 * @param {Element} fold
 * @returns {boolean}
 */
export function isTapped(fold) {
  return tappedFolds.has(fold);
}

document.addEventListener(
  "click",
  (event) => {
    const fold = closestTo(event, "summary")?.parentElement;
    if (fold) tappedFolds.add(fold);
  },
  true,
);
