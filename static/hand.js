// The form of a hand while it is typed: the keypad, the keys for cards, and sums that follow every key. The sums are what
// this page can tell by itself; those of the server replace them (hand-sync.js). Without it the form is a plain one.

(() => {
  const form = document.getElementById("count");
  if (!form || !window.cards || !window.keypad) return;
  const { grow, shrink } = window.cards;
  const FIGURES = ["count", "points", "signed"];
  const CARDS = ["melds", "cards"];
  const NATURAL = /^(?:[0-9]{1,2}x)?(10|[AKQJ2-9])(?![0-9hdsc])/;
  const AFTER_TAP = 300; // milliseconds: what is tapped must not move under the finger
  const digits = document.getElementById("digits");
  const cardKeys = document.getElementById("card-keys");
  const keypad = window.keypad.keypadOf(form, digits);

  let target = null; // the id of the field that the keys type into
  let fresh = false; // nothing was typed in it since it was chosen
  let arrived = false; // the last digit led to it: who presses "next" after that digit is there already
  let line = -1; // the meld that the last card went to
  let suit = "";
  let leaving = 0;

  const field = () => target && document.getElementById(target);
  const kind = (element) => (element && element.dataset ? element.dataset.kind : "");
  const isVisible = (element) => element.getClientRects().length > 0;

  function type(element, text) {
    element.value = text;
    element.scrollLeft = element.scrollWidth;
    element.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // ------------------------------------------------------------------ which keys are shown

  function choose(element) {
    clearTimeout(leaving);
    target = element.id;
    [fresh, arrived] = [true, false];
    line = -1;
    for (const each of form.querySelectorAll("[aria-current]"))
      each.removeAttribute("aria-current");
    element.setAttribute("aria-current", "true");
    digits.hidden = !keypad.isTouch || !FIGURES.includes(kind(element));
    cardKeys.hidden = !CARDS.includes(kind(element));
    keypad.arrange();
    // In the phone's own keyboard a digit takes the place of what is selected.
    if (!digits.hidden && !keypad.isOwn()) element.select();
    requestAnimationFrame(reveal);
  }

  // The field is seen above the keys.
  function reveal() {
    const now = field();
    if (now) now.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function hide() {
    clearTimeout(leaving);
    target = null;
    [digits.hidden, cardKeys.hidden] = [true, true];
    for (const each of form.querySelectorAll("[aria-current]"))
      each.removeAttribute("aria-current");
    keypad.settle();
  }

  // The phone decides by `inputmode` when a field takes the focus: it is measured before that.
  form.addEventListener("pointerdown", ({ target: at }) => {
    if (at.matches(window.keypad.FIGURES)) keypad.arrange();
  });

  addEventListener("resize", () => {
    keypad.arrange();
    reveal();
  });

  // The phone's keyboard comes and goes, two fingers enlarge: the keys stay in what is in sight.
  if (window.visualViewport) {
    window.visualViewport.addEventListener("resize", () => {
      keypad.arrange();
      reveal();
    });
    window.visualViewport.addEventListener("scroll", keypad.settle);
  }

  form.addEventListener("focusin", ({ target: at }) => {
    if (at.readOnly) openCards(at);
    else if (FIGURES.includes(kind(at)) || CARDS.includes(kind(at))) choose(at);
    else if (!at.closest(".bar")) leaving = setTimeout(hide, AFTER_TAP);
  });

  // The keys leave the focus where it is.
  for (const keys of [digits, cardKeys])
    keys.addEventListener("mousedown", (event) => event.preventDefault());

  // A figure that follows from cards is changed by those.
  function openCards(cell) {
    const panel = document.getElementById(`cards-${cell.id[0]}`);
    if (panel && !panel.open) panel.querySelector("summary").click();
    else if (panel) choose([...panel.querySelectorAll("[data-kind]")].find(isVisible));
  }

  form.addEventListener(
    "toggle",
    ({ target: panel }) => {
      if (!panel.matches("details.cards") || !panel.open || panel.contains(field())) return;
      if (!panel.dataset.ready) return;
      const melds = [...panel.querySelectorAll("textarea, input[data-kind]")].find(isVisible);
      if (melds) choose(melds);
    },
    true,
  );

  form.addEventListener("click", (event) => {
    const summary = event.target.closest("summary");
    if (summary) summary.parentElement.dataset.ready = "1";
  });

  // An unfolded part is scrolled into sight (folds.js) above what covers the foot of the window now.
  form.addEventListener(
    "toggle",
    ({ target: fold }) => {
      if (fold.open) keypad.settle();
    },
    true,
  );

  // ------------------------------------------------------------------ the next field

  // Down the first column, that of this phone's own side, then the next.
  function cells() {
    const all = [...form.querySelectorAll(".cell input[data-kind]")].filter(
      (each) => isVisible(each) && !each.readOnly,
    );
    const sides = [...form.querySelectorAll("output[data-sum]")].map((each) => each.dataset.sum);
    return all.sort((one, other) => sides.indexOf(one.name[0]) - sides.indexOf(other.name[0]));
  }

  function next() {
    const all = cells();
    const at = all.indexOf(field());
    const follows = at < 0 ? null : all[at + 1];
    if (!follows) {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      return hide();
    }
    follows.focus({ preventScroll: true });
    reveal();
  }

  // Whoever says who went out goes on with the first figure, as long as there is none.
  form.addEventListener("change", ({ target: at }) => {
    if (at.name !== "out" || !keypad.isTouch) return;
    const all = cells();
    if (all.length && !all.some((each) => each.value)) all[0].focus({ preventScroll: true });
  });

  form.addEventListener("keydown", (event) => {
    const at = event.target;
    if (!FIGURES.includes(kind(at))) return;
    if (event.key === "Enter") next();
    else if (kind(at) === "count" && ["ArrowUp", "ArrowDown"].includes(event.key))
      step(at, event.key === "ArrowUp" ? 1 : -1);
    else return;
    event.preventDefault();
  });

  // ------------------------------------------------------------------ figures

  function step(at, by) {
    const now = value(at.value);
    type(at, String(Math.max(0, Math.min(now + by, Math.max(Number(at.dataset.most || 99), now)))));
  }

  // The first digit takes the place of what the cell had; after another key it goes on with that.
  function digit(at, key, isFirst) {
    const text = isFirst ? key : at.value + key;
    type(at, text);
    // Nothing follows a nought in front, or a figure that one more digit would make too large.
    const most = kind(at) === "count" && Number(at.dataset.most);
    if (text === "0" || (most && Number(text) * 10 > most)) {
      next();
      arrived = true;
    }
  }

  function operator(at, key) {
    if (kind(at) === "count" && key !== "×") return step(at, key === "+" ? 1 : -1);
    if (key === "−")
      return (
        kind(at) === "signed" &&
        type(at, at.value.startsWith("−") ? at.value.slice(1) : `−${at.value}`)
      );
    if (/[0-9]$/.test(at.value)) type(at, at.value + (key === "×" ? "x" : "+"));
    return null;
  }

  digits.addEventListener("click", ({ target: at }) => {
    const key = at.closest("button") && at.closest("button").dataset.key;
    const now = field();
    if (!key || !now) return;
    const [isFirst, isThere] = [fresh, arrived];
    [fresh, arrived] = [false, false];
    if (key === "next") {
      if (!isThere) next();
    } else if (key === "back") type(now, now.value.slice(0, -1));
    else if (/[0-9]/.test(key)) digit(now, key, isFirst);
    else operator(now, key);
  });

  // ------------------------------------------------------------------ cards

  const lines = (at) =>
    at.value.trim() === "0" ? [] : at.value.split("\n").filter((each) => each.trim());
  const rank = (text) => (NATURAL.exec(text) || [])[1];

  // The meld that a card goes to: that of its rank; a wild card, or one with a suit, to the one at hand.
  function meldFor(all, card, suited) {
    if (line === all.length) return line; // another one was asked for
    const at = line < 0 ? all.length - 1 : line;
    if (suited || ["2", "JK"].includes(card)) return Math.max(0, at);
    const same = all.findIndex(
      (each) => rank(each) === card || (card === "3b" && each.includes("3b")),
    );
    return same < 0 ? all.length : same;
  }

  function tap(at, button) {
    const suited = suit && "suited" in button.dataset ? suit : "";
    const card = button.dataset.card + suited;
    if (kind(at) === "cards") return type(at, grow(at.value.trim() === "0" ? "" : at.value, card));
    const all = lines(at);
    line = meldFor(all, button.dataset.card, suited);
    all[line] = grow(all[line] || "", card);
    return type(at, all.join("\n"));
  }

  function back(at) {
    if (kind(at) === "cards") return type(at, shrink(at.value));
    const all = lines(at);
    const last = Math.min(line < 0 ? all.length - 1 : line, all.length - 1);
    if (last >= 0) all[last] = shrink(all[last]);
    return type(at, all.filter((each) => each).join("\n"));
  }

  cardKeys.addEventListener("click", ({ target: clicked }) => {
    const button = clicked.closest("button");
    const at = field();
    if (!button || !at) return;
    if (button.dataset.card) tap(at, button);
    else if (button.dataset.suit) press(button);
    else if (button.dataset.key === "back") back(at);
    else if (button.dataset.key === "meld") line = lines(at).length;
    else nextOfCards(at);
  });

  function press(button) {
    suit = suit === button.dataset.suit ? "" : button.dataset.suit;
    for (const each of cardKeys.querySelectorAll("[data-suit]"))
      each.setAttribute("aria-pressed", String(each.dataset.suit === suit));
  }

  // To the next field of the panel, or out of it.
  function nextOfCards(at) {
    const panel = at.closest("details");
    const all = panel ? [...panel.querySelectorAll("[data-kind]")].filter(isVisible) : [];
    const follows = all[all.indexOf(at) + 1];
    if (follows) choose(follows);
    else {
      if (panel) panel.querySelector("summary").click();
      hide();
    }
  }

  // A meld that is tapped is one of the opening, or no longer.
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-opening]");
    if (!button) return;
    event.preventDefault();
    const at = button.closest(".line").querySelector("textarea");
    const all = lines(at).map((each) => each.trim());
    const chosen = !all.includes(button.dataset.opening);
    type(
      at,
      (chosen
        ? [...all, button.dataset.opening]
        : all.filter((each) => each !== button.dataset.opening)
      ).join("\n"),
    );
    button.setAttribute("aria-pressed", String(chosen));
  });

  // ------------------------------------------------------------------ sums

  // What a text of figures, sums and products comes to.
  function value(text) {
    const tidy = text.replace(/[\s.,']/g, "").replace(/[+x×*]$/i, "");
    const sign = /^[-−]/.test(tidy) ? -1 : 1;
    const product = (term) => term.split(/[x×*]/i).reduce((so, factor) => so * Number(factor), 1);
    const sum = tidy
      .replace(/^[-−]/, "")
      .split("+")
      .reduce((so, term) => so + product(term), 0);
    return Number.isFinite(sum) ? sign * sum : 0;
  }

  function worth(input) {
    const count = value(input.value || (input.readOnly ? input.placeholder : ""));
    const worths = input.dataset.worth.split(",").map(Number);
    return worths.length === 1
      ? count * worths[0]
      : count
        ? worths[Math.min(count, worths.length) - 1]
        : 0;
  }

  /** The points of what a field has, where those of red threes turn against a side that laid nothing. */
  function pointsOf(input, hasMelds) {
    const turns = input.dataset.group === "red_threes" && !hasMelds;
    return worth(input) * (turns ? Number(form.querySelector(".grid").dataset.unopened) : 1);
  }

  /** The points of the penalties noted for a side while the hand is played. */
  function noted(side) {
    return Number(document.getElementById(`${side}-noted`).dataset.points);
  }

  /** What a side has: its hand, and how much of it has no row of the grid. */
  function countSide(side) {
    const grid = form.querySelector(".grid").dataset;
    const named = (name) => form.elements[`${side}.${name}`];
    const summed = named("sum").value.trim();
    const cards = named("cards");
    const hasMelds = !cards || value(cards.value || (cards.readOnly ? cards.placeholder : ""));
    let rows = 0;
    let other = summed ? value(summed) : noted(side);
    for (const input of form.querySelectorAll(`input[data-worth][name^="${side}."]`)) {
      const counts = !summed || input.dataset.group === "adjustments";
      const points = counts ? pointsOf(input, hasMelds) : 0;
      if (input.closest(".cell")) rows += points;
      else other += points;
      if (input.closest(".cell")) showPoints(input, points);
    }
    const out = form.querySelector('input[name="out"]:checked');
    const concealed = form.elements.concealed && form.elements.concealed.checked;
    if (!summed && out && out.value[0] === side)
      rows += Number(concealed ? grid.concealed : grid.out);
    return { hand: rows + other, other };
  }

  const figures = new Intl.NumberFormat(document.documentElement.lang, { useGrouping: "always" });
  const figure = (number) => figures.format(number).replace("-", "−");
  const signed = (number) => (number > 0 ? "+" : "") + figure(number);

  function setOutput(output, text) {
    output.textContent = text;
    output.dataset.local = "";
    output.toggleAttribute("data-wide", text.length > 5);
  }

  // `known`: leave what the server told of a side as it is.
  function sums(known) {
    for (const output of form.querySelectorAll("output[data-sum]")) {
      const side = output.dataset.sum;
      const typed =
        noted(side) ||
        [...form.querySelectorAll(`[name^="${side}."]`)].some((each) => each.value.trim());
      if ((known && output.textContent !== "–") || !typed) continue;
      const total = document.getElementById(`total-${side}`);
      const { hand, other } = countSide(side);
      setOutput(output, signed(hand));
      setOutput(total, figure(Number(total.dataset.before) + hand));
      setOutput(document.getElementById(`other-${side}`), other ? signed(other) : "");
    }
    const others = [...form.querySelectorAll("output[data-other]")];
    document.getElementById("row-other").hidden = !others.some((each) => each.textContent);
  }

  // The arrow of the bar shows where the problem is.
  function point() {
    const link = document.querySelector("#bar-message a");
    const there = link && document.getElementById(link.hash.slice(1));
    if (!there || !isVisible(there)) return;
    const arrow = there.getBoundingClientRect().top < link.getBoundingClientRect().top ? "↑" : "↓";
    if (!link.textContent.includes(arrow))
      link.textContent = link.textContent.replace(/[↑↓]/, arrow);
  }
  addEventListener("scroll", point, { passive: true });

  // What a sum in a field comes to, below it.
  function showSum(at) {
    const below = FIGURES.includes(kind(at)) && document.getElementById(`${at.id}-echo`);
    if (!below) return;
    below.textContent = /[0-9][+x×*][0-9]/i.test(at.value) ? `= ${figure(value(at.value))}` : "";
    below.classList.remove("points");
  }

  // What a cell counts for, where that is not its figure times the worth beside the name of its row.
  function showPoints(input, points) {
    showSum(input);
    const count = value(input.value || (input.readOnly ? input.placeholder : ""));
    if (points === count * Number(input.dataset.worth.split(",")[0])) return;
    const below = document.getElementById(`${input.id}-echo`);
    below.textContent = signed(points);
    below.classList.add("points");
  }

  form.addEventListener("input", ({ target: at }) => {
    showSum(at);
    sums(false);
  });
  form.addEventListener("shown", () => {
    keypad.arrange();
    const now = field();
    if (now) now.setAttribute("aria-current", "true");
    sums(true);
    point();
  });

  form.classList.add("lively");
  keypad.arrange();
  sums(true);
})();
