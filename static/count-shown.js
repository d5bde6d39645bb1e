// What the server says of a count, put on the page: beside what is typed, and never over it.
"use strict";

window.countShown = (form) => {
  const { fill, steadily } = window.becoming;
  const { take } = window.delivery;
  const OWN = ["request_id", "csrf_token", "refused"]; // of this page, whatever the rest

  const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

  // The fields of a form that is not drawn.
  function drawn(html) {
    const other = document.createElement("form");
    other.innerHTML = html;
    return [...new FormData(other)];
  }

  // The whole form, with all fields as they are there.
  function redraw(fresh) {
    steadily(() => fill(form, fresh));
    mark(fresh);
  }

  // The same from the page fetched again.
  function join(fresh) {
    for (const name of OWN) fresh.elements[name].value = form.elements[name].value;
    redraw(fresh);
  }

  // What is said of the fields: problems, sums, totals.
  function tell(fresh) {
    for (const part of fresh.querySelectorAll("[data-live]")) swap(part);
    for (const part of fresh.querySelectorAll("[data-veiled]")) document.getElementById(part.id).hidden = part.hidden;
    mark(fresh);
  }

  function swap(fresh) {
    const old = document.getElementById(fresh.id);
    if (!old) return;
    if (old.tagName === "INPUT") old.value = fresh.value;
    else if (old.innerHTML !== fresh.innerHTML) old.innerHTML = fresh.innerHTML;
  }

  // The part that a step made grow or shrink, with what was typed while the answer was on its way.
  function grown(fresh, step, since) {
    const [, kind, side] = /^([a-z]+)-[a-z]+:([^:]+)/.exec(step) || [];
    const part = fresh.getElementById(`${side}-${kind}s`);
    const old = part && document.getElementById(part.id);
    if (!old) return;
    const at = document.activeElement;
    const [inside, caret] = [old.contains(at), at.selectionStart];
    old.innerHTML = part.innerHTML;
    for (const [name, values] of since) put(old, name, values);
    if (!inside || !at.id) return;
    const same = document.getElementById(at.id);
    const there = same && same.matches("input") ? same : old.querySelector(".meld-text");
    if (!there) return;
    there.focus({ preventScroll: true });
    const place = there === same ? caret : there.value.length;
    if (typeof place === "number") there.setSelectionRange(place, place);
  }

  function put(part, name, values) {
    take(part, name, values);
    if (form.elements[name]) return;
    for (const value of values) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name, value });
      part.append(field);
    }
  }

  function mark(fresh) {
    for (const notes of form.querySelectorAll(".notes")) {
      const field = document.getElementById(notes.id.replace(/-notes$/, ""));
      const wrong = notes.querySelector(".error");
      if (field && field.matches("input, textarea, select")) {
        if (wrong) field.setAttribute("aria-invalid", "true");
        else field.removeAttribute("aria-invalid");
      }
      if (wrong && notes.closest("details")) notes.closest("details").open = true;
    }
    summarise(fresh.querySelector("#live-body"));
  }

  // The list on top says what the one below says; where nothing is left of it, it goes.
  function summarise(now) {
    const summary = document.querySelector(".errors");
    if (!summary || !now) return;
    const lines = [...now.querySelectorAll(".live-problems li, .live-missing li")];
    summary.removeAttribute("role"); // said aloud when the page came, and not with each letter
    summary.hidden = !lines.length;
    summary.querySelector("h2").textContent = now.dataset.summary;
    const list = summary.querySelector("ul");
    const html = lines.map((line) => line.outerHTML).join("");
    if (list.innerHTML !== html) list.innerHTML = html;
    if (!lines.length) document.title = `${document.querySelector("h1").textContent} – scorepad`;
  }

  // After another meld was taken up the fingers find the same buttons, and no keyboard rises by itself.
  function settle(side) {
    const button = form.querySelector(`button[value="meld-new:${CSS.escape(side)}"]`);
    if (!button) return;
    button.focus({ preventScroll: true });
    button.closest(".meld").scrollIntoView({ block: "nearest" });
  }

  return { parsed, drawn, redraw, join, tell, grown, settle };
};
