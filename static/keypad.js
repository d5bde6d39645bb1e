// Which keys type the figures of a hand. Where the keypad of this page is wholly in sight together with the cell it
// takes the place of the phone's keyboard; elsewhere the phone's own comes, with a row of the keys that it lacks
// right above it. What `inputmode` says follows from what was measured.

(() => {
  const ROOM = 2.5; // so many cells are in sight above the keypad
  const LOW = 34; // so many times the size of the text: the height from which the bar sticks (scorepad.css)
  const WIDE = 520; // pixels: beside the keypad the grid has as much as on the smallest phones
  const ZOOMED = 1.05; // enlarged with two fingers, only a part of the page is in sight
  const FIGURES = 'input:is([data-kind="count"], [data-kind="points"], [data-kind="signed"])';

  const root = document.documentElement;
  const view = window.visualViewport;
  const isTouch = matchMedia("(pointer: coarse)").matches;

  // The height that nothing covers, from the top of the window.
  const seenHeight = () => (view ? view.offsetTop + view.height : innerHeight);

  /** @param {HTMLFormElement} form @param {HTMLElement} digits */
  function keypadOf(form, digits) {
    const isOwn = () => form.dataset.keys !== "phone";

    // The places for the keypad, the best one first.
    function places() {
      const isLow = innerHeight < LOW * parseFloat(getComputedStyle(root).fontSize);
      if (!isLow) return ["foot", "low"];
      if (innerWidth > innerHeight && innerWidth >= WIDE) return ["beside", "low"];
      return ["low"];
    }

    function fits(place) {
      form.dataset.keys = place;
      const keys = digits.getBoundingClientRect();
      if (keys.width > innerWidth) return false;
      if (place === "beside") return keys.top >= 0 && keys.bottom <= innerHeight;
      const foot = place === "foot" ? form.querySelector(".bar") : digits;
      const cell = form.querySelector(".cell input[data-kind]") || digits.querySelector("button");
      return innerHeight - foot.offsetHeight >= ROOM * cell.offsetHeight;
    }

    function choosePlace() {
      if (view && view.scale > ZOOMED) return "phone";
      return places().find(fits) || "phone";
    }

    // Measures anew, and tells the phone whether its keyboard is wanted.
    function arrange() {
      if (!isTouch) return;
      const wasHidden = digits.hidden;
      digits.hidden = false;
      form.dataset.keys = choosePlace();
      digits.hidden = wasHidden;
      const mode = isOwn() ? "none" : "numeric";
      for (const each of form.querySelectorAll(FIGURES)) {
        if (each.inputMode !== mode) each.inputMode = mode;
      }
      settle();
    }

    // How much of the window's foot is covered: the page scrolls as much further.
    function covered() {
      const place = form.dataset.keys;
      const bar = form.querySelector(".bar");
      const keys = bar.querySelector(".keys:not([hidden])");
      if (place === "beside") return 0;
      if (place === "phone" && keys === digits)
        return innerHeight - seenHeight() + keys.offsetHeight;
      if (place === "low" && keys) return keys.offsetHeight;
      const sticks = getComputedStyle(bar).insetBlockEnd === "0px";
      return sticks ? bar.offsetHeight : 0;
    }

    // Puts the row of keys above the phone's keyboard, and keeps what is typed in above both.
    function settle() {
      if (!isOwn()) {
        digits.style.setProperty("--seen-start", `${view ? view.offsetLeft : 0}px`);
        digits.style.setProperty("--seen-width", `${view ? view.width : innerWidth}px`);
        digits.style.setProperty("--seen-end", `${innerHeight - seenHeight()}px`);
      }
      root.style.setProperty("--covered", `${Math.max(0, covered())}px`);
    }

    return { arrange, settle, isOwn, isTouch };
  }

  window.keypad = { keypadOf, FIGURES };
})();
