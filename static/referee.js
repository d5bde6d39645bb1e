// A fact while it is answered: cards are tapped without sending the page, and the server tells how it reads them.
// It knows no rules. Without it every key is a submit button and does the same.

(() => {
  const form = document.getElementById("asking");
  if (!form || !window.fetch || !window.URLSearchParams || !window.cards) return;

  const { grow, shrink } = window.cards;
  const PAUSE = 300;
  let timer = 0;
  let asked = 0;

  // The suit that is chosen beside the ranks, for those that may have one.
  function suitOf(name) {
    const chosen = name && form.querySelector(`input[name="${CSS.escape(name)}"]:checked`);
    return chosen && chosen.value !== "none" ? chosen.value : "";
  }

  const cardsOf = (meld) =>
    meld.split(/\s+/).map((token) => token.replace(/^\d{1,2}x/i, "").toUpperCase());
  const isWild = (card) => card === "2" || card === "JK" || card === "";

  // A line of melds with one card more: beside those of its rank, a wild card in the meld touched last.
  function gather(text, card) {
    const melds = text.split("/").map((meld) => meld.trim());
    const last = melds[melds.length - 1];
    if (isWild(card.toUpperCase())) return [...melds.slice(0, -1), grow(last, card)].join(" / ");
    let ownMeld = melds.find((meld) => cardsOf(meld).includes(card.toUpperCase())) || "";
    if (!ownMeld && cardsOf(last).every(isWild)) ownMeld = last;
    const tokens = ownMeld.split(/\s+/).filter(Boolean);
    const index = tokens.findIndex((token) => cardsOf(token)[0] === card.toUpperCase());
    if (index < 0) tokens.push(card);
    else tokens[index] = grow(tokens[index], card);
    return [...melds.filter((meld) => meld && meld !== ownMeld), tokens.join(" ")].join(" / ");
  }

  function pressed(button) {
    const data = button.dataset;
    const field = data.to && document.getElementById(data.to);
    if (!field || "atOnce" in data) return false;
    const text = field.value.replace(/[ /]+$/, "");
    if (data.card) {
      const card = data.card + suitOf(data.suit);
      field.value =
        "single" in data
          ? card
          : "group" in data
            ? gather(field.value, card)
            : grow(field.value, card);
    } else if ("uncard" in data) field.value = shrink(text).replace(/[ /]+$/, "");
    else if ("next" in data) field.value = text && `${text} / `;
    else return false;
    later();
    return true;
  }

  // The page of this fact with what is typed: a reload, another language or a step back bring it again.
  function address() {
    const args = new URLSearchParams(new FormData(form));
    args.set("passo", form.dataset.fact);
    return `${form.getAttribute("action")}?${args}`;
  }

  function stay() {
    history.replaceState(null, "", address());
    const back = document.querySelector('.bottom input[name="back"]');
    if (back) back.value = address();
  }

  function later() {
    stay();
    clearTimeout(timer);
    timer = setTimeout(showReading, PAUSE);
  }

  // How the server reads what is typed; where it does not answer, nothing is told.
  async function showReading() {
    const request = ++asked;
    let html = "";
    try {
      const answer = await fetch(address(), { credentials: "same-origin" });
      if (answer.ok) html = await answer.text();
    } catch {
      /* the network is away */
    }
    if (request !== asked || !html) return;
    const fresh = new DOMParser().parseFromString(html, "text/html");
    for (const old of form.querySelectorAll("[data-live]")) {
      const part = fresh.getElementById(old.id);
      if (part && old.innerHTML !== part.innerHTML) old.innerHTML = part.innerHTML;
    }
  }

  form.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button && pressed(button)) event.preventDefault();
  });
  form.addEventListener("input", later);
})();
