// The count while it is typed: sends the form to the server after a short pause and shows what the server answers.
// It knows no rules. Without it every button is a submit button and does the same.
"use strict";

(() => {
  const form = document.getElementById("count");
  if (!form || !window.fetch || !form.requestSubmit) return;

  const PAUSE = 500;
  const RETRY = 3000;
  const UNTYPED = ["csrf_token", "request_id", "version", "do"];
  const place = `scorepad-count:${form.getAttribute("action")}:`;
  const mirror = place + form.elements.hand.value + ":" + form.elements.seen.value;

  const past = form.elements.seen.value !== "0"; // a past hand is not kept by the server until it is saved

  let timer = 0;
  let running = null;
  let typed = false;
  let leaving = false;
  let otherwise = false; // something was chosen that changes what the form asks for

  // ------------------------------------------------------------------ what is typed, and its copy on this device

  const fields = () => [...new FormData(form)];
  const content = (pairs) => JSON.stringify(pairs.filter(([name]) => !UNTYPED.includes(name)));
  const version = () => document.getElementById("version").value;

  function copy() {
    try {
      localStorage.setItem(mirror, JSON.stringify({ version: version(), fields: fields() }));
    } catch { /* no room, or not allowed: the server keeps it all the same */ }
  }

  function forget(all) {
    try {
      for (const key of Object.keys(localStorage)) {
        if (key === mirror || (all && key.startsWith(place))) localStorage.removeItem(key);
      }
    } catch { /* as above */ }
  }

  function copied() {
    try {
      const found = JSON.parse(localStorage.getItem(mirror));
      forget(true);
      return found && content(found.fields) !== content(fields()) ? found : null;
    } catch {
      return null;
    }
  }

  // ------------------------------------------------------------------ to the server and back

  const say = (text, away) => {
    const kept = document.getElementById("kept");
    kept.classList.toggle("away", Boolean(away));
    if (away) kept.setAttribute("role", "alert"); // only this is worth interrupting a screen reader for
    else kept.removeAttribute("role");
    if (text !== null) kept.textContent = text;
  };

  function later() {
    clearTimeout(timer);
    timer = setTimeout(() => send("check"), PAUSE);
  }

  // Answers "kept", "away" (the network), or "other" (a page of the server's has to say why). One at a time, so that no
  // page overtakes itself.
  function send(step, pairs) {
    clearTimeout(timer);
    const before = running || Promise.resolve();
    const mine = before.then(() => ask(step, pairs));
    running = mine;
    mine.then(() => { if (running === mine) running = null; });
    return mine;
  }

  async function ask(step, pairs) {
    const sent = pairs || fields();
    const body = new URLSearchParams(sent);
    body.set("do", step);
    typed = false;
    const anew = otherwise;
    otherwise = false;
    let answer;
    try {
      answer = await fetch(form.dataset.check, { method: "POST", body, credentials: "same-origin" });
      if (answer.status >= 500) throw new Error("busy");
      if (answer.ok) {
        const html = await answer.text();
        const joined = answer.headers.has("Scorepad-Joined"); // with fields that only another page had: draw them too
        // Nothing is drawn over what is being typed: it is drawn with the next answer.
        if (anew && typed) otherwise = true;
        if (!(joined && typed)) show(html, step, joined || (anew && !typed) || Boolean(pairs));
        if (typed) say(form.dataset.sending);
        else if (!past) forget();
        return "kept";
      }
    } catch {
      typed = true;
      otherwise = anew;
      say(form.dataset.away, true);
      timer = setTimeout(() => send(step, pairs), RETRY);
      return "away";
    }
    forget(true);
    if (pairs) leaveWith(sent);
    else leave("check");
    return "other";
  }

  // ------------------------------------------------------------------ what the server says, on the page

  function show(html, step, whole) {
    const fresh = new DOMParser().parseFromString(html, "text/html");
    if (whole) redraw(fresh);
    else if (step !== "check") for (const part of fresh.querySelectorAll("[data-grown]")) swap(part, true);
    for (const part of fresh.querySelectorAll("[data-live]")) swap(part);
    mark();
    say(null, false);
    if (past) say(form.dataset.unkept);
    if (step.startsWith("meld-")) settle(step.split(":")[1]);
  }

  function redraw(fresh) {
    const at = document.activeElement;
    const height = (element) => element.getBoundingClientRect().top;
    const stood = at && height(at);
    form.innerHTML = fresh.body.innerHTML;
    const there = at && at.id && document.getElementById(at.id);
    if (!there) return;
    there.focus({ preventScroll: true });
    scrollBy(0, height(there) - stood);
  }

  function swap(fresh, grown) {
    const old = document.getElementById(fresh.id);
    if (!old) return;
    if (old.tagName === "INPUT") old.value = fresh.value;
    else if (grown || old.innerHTML !== fresh.innerHTML) old.innerHTML = fresh.innerHTML;
  }

  function mark() {
    for (const notes of form.querySelectorAll(".notes")) {
      const field = document.getElementById(notes.id.replace(/-notes$/, ""));
      const wrong = notes.querySelector(".error");
      if (field && field.matches("input, textarea, select")) {
        if (wrong) field.setAttribute("aria-invalid", "true");
        else field.removeAttribute("aria-invalid");
      }
      if (wrong && notes.closest("details")) notes.closest("details").open = true;
    }
  }

  // After another meld was taken up the fingers find the same buttons, and no keyboard rises by itself.
  function settle(side) {
    const button = form.querySelector(`button[value="meld-new:${CSS.escape(side)}"]`);
    if (!button) return;
    button.focus({ preventScroll: true });
    button.closest(".meld").scrollIntoView({ block: "nearest" });
  }

  // ------------------------------------------------------------------ buttons

  function grow(text, token) {
    const last = /^([^]*?)(?:([0-9]{1,2})x)?(\S+)\s*$/i.exec(text);
    if (last && last[3].toUpperCase() === token.toUpperCase()) {
      return `${last[1]}${Number(last[2] || 1) + 1}x${token}`;
    }
    return `${text.trimEnd()} ${token}`.trimStart();
  }

  function shrink(text) {
    const last = /^([^]*?)(?:([0-9]{1,2})x)?(\S+)\s*$/i.exec(text);
    if (!last) return "";
    const left = Number(last[2] || 1) - 1;
    return (last[1] + (left > 1 ? `${left}x${last[3]}` : left === 1 ? last[3] : "")).trimEnd();
  }

  function count(text, by, most) {
    const digits = text.replace(/[\s.,]/g, "");
    if (!/^[0-9]{0,7}$/.test(digits)) return text;
    const limit = most ? Math.max(Number(most), Number(digits)) : Infinity;
    return String(Math.max(0, Math.min(Number(digits) + by, limit)));
  }

  // The suit that is chosen beside the ranks, for those that may have one.
  function suitOf(name) {
    const chosen = name && form.querySelector(`input[name="${CSS.escape(name)}"]:checked`);
    return chosen && chosen.value !== "none" ? chosen.value : "";
  }

  function type(field, text) {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function pressed(button) {
    const data = button.dataset;
    if (data.step) {
      const field = document.getElementById(button.value.replace(/^[a-z]+:/, ""));
      type(field, count(field.value, Number(data.step), data.most));
    } else if (data.card) {
      const field = document.getElementById(data.to);
      type(field, grow(field.value.trim() === "0" ? "" : field.value, data.card + suitOf(data.suit)));
    } else if ("uncard" in data) {
      const field = document.getElementById(data.to);
      type(field, shrink(field.value));
    } else if ("do" in data || button.value === "check") {
      send(button.value);
    } else return false;
    return true;
  }

  form.addEventListener("click", (event) => {
    if (event.target.closest("#afresh")) forget(true);
    const button = event.target.closest("button");
    if (button && pressed(button)) event.preventDefault();
  });

  form.addEventListener("input", (event) => {
    typed = true;
    if (event.target.closest("[data-redraw]") && event.target.type === "radio") otherwise = true;
    copy();
    say(form.dataset.sending);
    later();
  });

  // The Enter key at the end of a meld begins the next one, as it would on paper.
  form.addEventListener("keydown", (event) => {
    const field = event.target.closest(".meld-text");
    if (!field || event.key !== "Enter" || !field.value.trim()) return;
    event.preventDefault();
    const side = field.id[0];
    send(`meld-new:${side}`).then(() => {
      const next = form.querySelector(`.meld-text[id^="${CSS.escape(side)}-meld-"]`);
      if (next) next.focus();
    });
  });

  // ------------------------------------------------------------------ saving, leaving, coming back

  function leave(step) {
    leaving = true;
    const button = form.querySelector(`button[name="do"][value="${step}"]`);
    form.requestSubmit(button);
  }

  function leaveWith(pairs) {
    const other = document.createElement("form");
    other.method = "post";
    other.action = form.action;
    for (const [name, value] of [...pairs, ["do", "check"]]) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name, value });
      other.append(field);
    }
    document.body.append(other);
    leaving = true;
    other.submit();
  }

  // First everything is kept; where the network is away the page stays, with all that was typed.
  form.addEventListener("submit", async (event) => {
    if (leaving) return;
    event.preventDefault();
    copy();
    if (await send("check") === "kept") leave("save");
  });

  window.addEventListener("pagehide", () => {
    if (!typed || leaving) return;
    const body = new URLSearchParams(fields());
    body.set("do", "check");
    navigator.sendBeacon(form.dataset.check, body);
  });

  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  // What was refused is kept by the server as well: loaded again, the page is asked for and not sent once more.
  if (!past) history.replaceState(null, "", location.href);

  form.classList.add("lively");
  const summary = document.querySelector(".errors");
  if (summary) summary.focus();

  const found = copied();
  if (found) {
    const own = new Map(fields().filter(([name]) => UNTYPED.includes(name)));
    own.set("version", found.version);
    const rest = found.fields.filter(([name]) => !UNTYPED.includes(name));
    send("check", [...own, ...rest]).then((how) => {
      if (how !== "kept") return;
      if (past) copy();
      say(form.dataset.again);
    });
  }
})();
