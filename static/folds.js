// Scrolls what a person unfolds into sight, above the bar that covers the foot of the page. Of
// what is higher than the window the beginning is shown.

import { isTapped } from "./tapped-folds.js";

document.addEventListener(
  "toggle",
  ({ target: fold }) => {
    if (!(fold instanceof HTMLDetailsElement) || !fold.open) return;
    if (!isTapped(fold)) return; // what a page opens by itself must not scroll it
    if (!document.querySelector(".bar")) return;
    requestAnimationFrame(() => fold.scrollIntoView({ block: "nearest" }));
  },
  true,
);
