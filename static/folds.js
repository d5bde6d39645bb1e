// What is unfolded is seen above the bar at the foot of the page; where it is higher than the window, its beginning.

(() => {
  const byHand = new WeakSet(); // what opens with the page stays where it is

  document.addEventListener(
    "click",
    ({ target }) => {
      const summary = target.closest("summary");
      if (summary) byHand.add(summary.parentElement);
    },
    true,
  );

  document.addEventListener(
    "toggle",
    ({ target: fold }) => {
      if (!fold.open || !byHand.has(fold)) return;
      if (!document.querySelector(".bar")) return;
      requestAnimationFrame(() => fold.scrollIntoView({ block: "nearest" }));
    },
    true,
  );
})();
