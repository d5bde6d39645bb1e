// Folds (<details>): remembers which of them a person has tapped, and scrolls what they unfold into
// sight, above the bar at the foot of the page.

import { closestTo } from "./dom.js";

/** @type {WeakSet<Element>} Folds that a person has folded or unfolded. */
const tappedFolds = new WeakSet();

/**
 * Whether a person has folded or unfolded it, as opposed to the page itself.
 *
 * @param {Element} fold
 * @returns {boolean}
 */
export function isTapped(fold) {
  return tappedFolds.has(fold);
}

document.addEventListener(
  "click",
  (event) => {
    const summary = closestTo(event, "summary");
    const fold = summary?.parentElement;
    if (fold) tappedFolds.add(fold);
  },
  true, // before other listeners, which ask for it
);

document.addEventListener(
  "toggle",
  ({ target: fold }) => {
    if (!(fold instanceof HTMLDetailsElement) || !fold.open) return;
    if (!isTapped(fold)) return; // what a page opens by itself must not scroll it
    const hasBar = document.querySelector(".bar") !== null;
    if (!hasBar) return; // nothing covers what is unfolded
    requestAnimationFrame(() => fold.scrollIntoView({ block: "nearest" }));
  },
  true, // "toggle" does not bubble
);
