// The count while it is typed: sends the form to the server after a short pause and shows what the server answers.
// It knows no rules. Without it every button is a submit button and does the same.
//
// What is typed is copied on this device at once, and kept by the server with each answer. A save that finds no network
// is remembered with the copy and sent when there is one, also after the page was loaded again: always the same
// submission, so that it counts once.
"use strict";

(() => {
  const form = document.getElementById("count");
  if (!form || !window.fetch || !form.requestSubmit || !window.countTools) return;

  const { grow, shrink, count, copies, put, post, submit } = window.countTools;
  const PAUSE = 500;
  const RETRY = 3000;
  const UNTYPED = ["csrf_token", "request_id", "version", "do"];
  const words = form.dataset;
  const stored = copies(
    `scorepad-count:${form.getAttribute("action")}:`,
    `${form.elements.hand.value}:${form.elements.seen.value}`,
  );

  const past = form.elements.seen.value !== "0"; // a past hand is not kept by the server until it is saved

  let timer = 0;
  let running = null;
  let typed = false;
  let leaving = false;
  let otherwise = false; // something was chosen that changes what the form asks for
  let wanted = false; // it was asked to save, and that has not come through
  let unsent = false; // as before, but then something was changed
  let safe = true; // there is a copy on this device
  let held = null; // fields found on this device, and not drawn yet

  // ------------------------------------------------------------------ what is typed, and its copy on this device

  const fields = () => held || [...new FormData(form)];
  const content = (pairs) => JSON.stringify(pairs.filter(([name]) => !UNTYPED.includes(name)));
  const version = () => document.getElementById("version").value;
  const own = (name) => form.elements[name].value;

  function copy() {
    const seen = held ? new Map(held).get("version") : version();
    safe = stored.keep({ version: seen, fields: fields(), wanted });
  }

  // What is typed while fields of this device wait to be drawn belongs to them.
  function join(name) {
    if (!held || !name) return;
    const fresh = new FormData(form).getAll(name).map((value) => [name, value]);
    held = [...held.filter(([each]) => each !== name), ...fresh];
  }

  // ------------------------------------------------------------------ to the server and back

  const say = (text, away) => {
    const kept = document.getElementById("kept");
    kept.classList.toggle("away", Boolean(away));
    if (away) kept.setAttribute("role", "alert"); // only this is worth interrupting a screen reader for
    else kept.removeAttribute("role");
    if (text !== null && kept.textContent !== text) kept.textContent = text;
  };

  const withoutNetwork = () => (wanted ? words.waiting : unsent ? words.unsent : safe ? words.away : words.screen);

  function later() {
    clearTimeout(timer);
    timer = setTimeout(() => send("check"), PAUSE);
  }

  // Answers "kept", "saved", "away" (the network), or "other" (a page of the server's has to say why). One at a time,
  // so that no page overtakes itself.
  function send(step) {
    clearTimeout(timer);
    const mine = (running || Promise.resolve()).then(() => ask(step));
    running = mine;
    mine.then(() => { if (running === mine) running = null; });
    return mine;
  }

  async function ask(step) {
    if (leaving) return "saved";
    const saving = step === "save";
    const anew = otherwise;
    typed = otherwise = false;
    if (saving) say(words.saving);
    let answer;
    try {
      answer = await post(saving ? form.action : words.check, fields(), step);
    } catch {
      typed = true;
      otherwise = anew;
      say(withoutNetwork(), true);
      clearTimeout(timer);
      timer = setTimeout(() => send(wanted ? "save" : saving ? "check" : step), RETRY);
      return "away";
    }
    if (saving && answer.headers.has("Scorepad-To")) {
      if (!typed) return go(answer.headers.get("Scorepad-To"));
      later(); // something was changed while it was on its way: the server shows what it has, and this
      return "saved";
    }
    if (!saving && answer.status === 200) return kept(answer, step, anew);
    leave(step);
    return "other";
  }

  function kept(answer, step, anew) {
    const joined = answer.headers.has("Scorepad-Joined"); // with fields that only another page had: draw them too
    const whole = joined || Boolean(held);
    // Nothing is drawn over what is being typed: it is drawn with the next answer.
    if (anew && typed) otherwise = true;
    if (!(whole && typed)) show(answer.html, step, whole || (anew && !typed));
    else if (held) held = put(held, "version", parsed(answer.html).getElementById("version").value);
    if (typed) say(words.sending);
    else if (past) copy();
    else stored.forget();
    return "kept";
  }

  function go(address) {
    stored.forgetAll();
    leaving = true;
    location.assign(address);
    return "saved";
  }

  // ------------------------------------------------------------------ what the server says, on the page

  const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

  function show(html, step, whole) {
    const fresh = parsed(html);
    if (whole) redraw(fresh);
    else if (step !== "check") for (const part of fresh.querySelectorAll("[data-grown]")) swap(part, true);
    for (const part of fresh.querySelectorAll("[data-live]")) swap(part);
    for (const part of fresh.querySelectorAll("[data-veiled]")) document.getElementById(part.id).hidden = part.hidden;
    mark();
    say(null, false);
    if (past) say(safe ? words.unkept : words.screen);
    if (step.startsWith("meld-")) settle(step.split(":")[1]);
  }

  function redraw(fresh) {
    held = null;
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

  // ------------------------------------------------------------------ typing

  // The suit that is chosen beside the ranks, for those that may have one.
  function suitOf(name) {
    const chosen = name && form.querySelector(`input[name="${CSS.escape(name)}"]:checked`);
    return chosen && chosen.value !== "none" ? chosen.value : "";
  }

  function type(field, text) {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // Whoever changes something after asking to save asks for it again.
  function change(name) {
    typed = true;
    if (wanted) [wanted, unsent] = [false, true];
    join(name);
    copy();
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
      if ("do" in data) change();
      send(button.value);
    } else return false;
    return true;
  }

  form.addEventListener("click", (event) => {
    if (event.target.closest("#afresh")) stored.forgetAll();
    const button = event.target.closest("button");
    if (button && pressed(button)) event.preventDefault();
  });

  form.addEventListener("input", (event) => {
    if (event.target.closest("[data-redraw]") && event.target.type === "radio") otherwise = true;
    change(event.target.name);
    say(unsent ? words.unsent : words.sending);
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

  // Sends the form as a browser without script does: the page that answers says why.
  function leave(step) {
    leaving = true;
    stored.forgetAll();
    if (held) submit(form.action, held, step);
    else form.requestSubmit(form.querySelector(`button[name="do"][value="${step === "save" ? step : "check"}"]`));
  }

  form.addEventListener("submit", (event) => {
    if (leaving) return;
    event.preventDefault();
    [wanted, unsent] = [true, false];
    copy();
    send("save");
  });

  window.addEventListener("online", () => { if (typed) send(wanted ? "save" : "check"); });

  window.addEventListener("pagehide", () => {
    if (!typed || leaving) return;
    const body = new URLSearchParams(fields());
    body.set("do", "check");
    navigator.sendBeacon(words.check, body);
  });

  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  // What was refused is kept by the server as well: loaded again, the page is asked for and not sent once more.
  if (!past) history.replaceState(null, "", location.href);

  form.classList.add("lively");
  const summary = document.querySelector(".errors");
  if (summary) summary.focus();

  // ------------------------------------------------------------------ what this device still had

  // The fields of a copy, to be sent from this page. A save is the same submission as when it was asked for.
  function pairsOf(copied) {
    const rest = copied.fields.filter(([name]) => !["csrf_token", "version", "do"].includes(name));
    const again = copied.wanted ? rest : put(rest, "request_id", own("request_id"));
    return [...again, ["csrf_token", own("csrf_token")], ["version", copied.version]];
  }

  // A hand that is no longer the open one: it was saved from here without an answer, or by somebody else.
  async function deliver(copied) {
    const step = copied.wanted ? "save" : "check";
    try {
      const answer = await post(form.action, pairsOf(copied), step);
      stored.forget(copied.name);
      if (answer.headers.has("Scorepad-To")) return;
      leaving = true;
      submit(form.action, pairsOf(copied), step);
    } catch {
      setTimeout(deliver, RETRY, copied);
    }
  }

  for (const copied of stored.all()) {
    if (copied.own && (copied.wanted || content(copied.fields) !== content(fields()))) {
      held = pairsOf(copied);
      wanted = Boolean(copied.wanted);
      typed = true;
      send(wanted ? "save" : "check").then((how) => { if (how === "kept") say(words.again); });
    } else if (!copied.own && (copied.wanted || !past)) deliver(copied);
    else stored.forget(copied.name);
  }
})();
