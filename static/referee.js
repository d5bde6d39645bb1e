// A question while it is asked: cards are tapped without sending the page, and the server tells how it reads them.
// It knows no rules. Without it every key is a submit button and does the same.
"use strict";

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

  function pressed(button) {
    const data = button.dataset;
    const field = data.to && document.getElementById(data.to);
    if (!field) return false;
    if (data.card) {
      const card = data.card + suitOf(data.suit);
      field.value = "single" in data ? card : grow(field.value, card);
    } else if ("uncard" in data) field.value = shrink(field.value);
    else if ("next" in data) field.value = field.value.replace(/[ /]+$/, "") && `${field.value.replace(/[ /]+$/, "")} / `;
    else return false;
    later();
    return true;
  }

  // What is typed stands in the address at once: a reload, another language or a step back bring it again.
  function stay() {
    history.replaceState(null, "", address());
    const back = document.querySelector('.bottom input[name="back"]');
    if (back) back.value = address();
  }

  function later() {
    stay();
    clearTimeout(timer);
    timer = setTimeout(tell, PAUSE);
  }

  const address = () => `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;

  // How the server reads what is typed; where it does not answer, nothing is told.
  async function tell() {
    const mine = ++asked;
    let html = "";
    try {
      const answer = await fetch(address(), { credentials: "same-origin" });
      if (answer.ok) html = await answer.text();
    } catch { /* the network is away */ }
    if (mine !== asked || !html) return;
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
