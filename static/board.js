// The board fits its figures to their places, whatever the font, and asks the screen to stay lit where it may.

(() => {
  const board = document.getElementById("board");
  const root = document.documentElement;
  const LARGEST = 1.6;

  // How much larger than the style sheet dares the totals can be: it knows no font, and takes a digit for 0.7 of one.
  // By the letters' own proportions, so that it holds where the height, and not the width, is the limit at first.
  function fit() {
    const dared = Number(getComputedStyle(board).getPropertyValue("--width")) * 0.35;
    const room = [...board.querySelectorAll(".board-total span")].map(
      (figure) => (dared * parseFloat(getComputedStyle(figure).fontSize)) / figure.offsetWidth,
    );
    root.style.setProperty(
      "--fit",
      String(Math.min(LARGEST, Math.max(0.5, Math.min(...room) * 0.98))),
    );
  }

  addEventListener("resize", fit);
  new MutationObserver(fit).observe(board, { childList: true, subtree: true, characterData: true });
  fit();

  // Only over https, and on the machine itself.
  async function stayLit() {
    try {
      if (navigator.wakeLock && !document.hidden) await navigator.wakeLock.request("screen");
    } catch {
      /* the battery is low, or nobody touched the page yet */
    }
  }
  document.addEventListener("visibilitychange", stayLit);
  stayLit();
})();
