// Scrolls what a person unfolds into sight, above the bar that covers the foot of the page. Of
// what is higher than the window the beginning is shown.

import { closestTo } from "./dom.js";

/** What was unfolded by hand; what a page opens unfolded must not scroll it. */
const unfoldedByHand = new WeakSet();

document.addEventListener(
  "click",
  (event) => {
    const fold = closestTo(event, "summary")?.parentElement;
    if (fold) unfoldedByHand.add(fold);
  },
  true,
);

document.addEventListener(
  "toggle",
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || !target.open) return;
    if (!unfoldedByHand.has(target)) return;
    if (!document.querySelector(".bar")) return;
    requestAnimationFrame(() => target.scrollIntoView({ block: "nearest" }));
  },
  true,
);
