// The count while it is typed: sends the form to the server after a short pause and shows what the server answers.
// It knows no rules. Without it every button is a submit button and does the same.
//
// What is typed is copied on this device at once, and kept by the server with each answer. A save that finds no network
// is remembered with the copy and sent when there is one, also after the page was loaded again: always the same
// submission, so that it counts once.
"use strict";

(() => {
  const form = document.getElementById("count");
  if (!form || !window.fetch || !form.requestSubmit || !window.countShown || !window.becoming) return;

  const { grow: longer, shrink, count, changes, changed, after } = window.countTools;
  const { ask, copies, later: retry, patience, post, put, submit } = window.delivery;
  const shown = window.countShown(form);
  const PAUSE = 500;
  const UNTYPED = ["csrf_token", "request_id", "version", "do"];
  const words = form.dataset;
  const stored = copies(
    `scorepad-count:${form.getAttribute("action")}:`,
    `${form.elements.hand.value}:${form.elements.seen.value}`,
  );

  const past = form.elements.seen.value !== "0"; // a past hand is not kept by the server until it is saved

  let timer = 0;
  let stop = () => {}; // waiting for the network
  let running = null;
  let typed = false;
  let leaving = false;
  let otherwise = false; // something was chosen that changes what the form asks for
  let wanted = false; // it was asked to save, and that has not come through
  let unsent = false; // as before, but then something was changed
  let away = false; // the network, when it was asked last
  let failures = 0;
  let barred = false; // this phone may not write any more: what is typed stays on it
  let before = ""; // what was said when it came to that
  let news = false; // another page's fields came in while this one was to be saved, and that was not said yet
  let safe = true; // there is a copy on this device
  let echoed = "echo" in words; // what was sent is shown again, and nothing of it was kept
  let following = false;
  let held = null; // fields found on this device, and not drawn yet

  // ------------------------------------------------------------------ what is typed, and its copy on this device

  const fields = () => held || [...new FormData(form)];
  const content = (pairs) => JSON.stringify(pairs.filter(([name]) => !UNTYPED.includes(name)));
  const version = () => document.getElementById("version").value;
  const own = (name) => form.elements[name].value;

  function copy() {
    const seen = held ? new Map(held).get("version") : version();
    safe = stored.keep({ version: seen, fields: fields(), wanted, away });
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

  // Whether what is said below is of what is typed above.
  function heard(answered) {
    away = !answered;
    form.classList.toggle("unheard", away);
  }

  // Why nothing of it is with the server.
  function unheard() {
    if (barred) return safe ? words.barred : words.barredScreen;
    return wanted ? words.waiting : unsent ? words.unsent : safe ? words.away : words.screen;
  }

  // Whether nobody may save here: the server answered so, or it was seen by live.js.
  function bar(it) {
    if (it && !barred) before = document.getElementById("kept").textContent;
    barred = it;
    heard(!it);
    form.querySelector('button[value="save"]').disabled = it;
    if (!it) return;
    [wanted, unsent] = [false, false];
    copy();
    say(unheard(), true);
  }

  form.addEventListener("barred", (event) => {
    bar(event.detail);
    if (event.detail) return;
    say(before, false);
    if (typed) send("check");
    else stored.forget();
  });


  function unplan() {
    clearTimeout(timer);
    stop();
  }

  function later() {
    unplan();
    timer = setTimeout(() => send("check"), PAUSE);
  }

  // Answers "kept", "saved", "away" (the network), or "other" (a page of the server's has to say why). One at a time,
  // so that no page overtakes itself.
  function send(step) {
    unplan();
    const mine = (running || Promise.resolve()).then(() => attempt(step));
    running = mine;
    mine.then(() => { if (running === mine) running = null; });
    return mine;
  }

  async function attempt(step) {
    if (leaving) return "saved";
    const saving = step === "save";
    if (saving && !wanted) return "stopped";
    const anew = otherwise;
    const sent = fields();
    typed = otherwise = false;
    if (saving) say(words.saving);
    let answer;
    try {
      answer = await post(saving ? form.action : words.check, put(sent, "do", step));
      failures = 0;
      heard(true);
    } catch {
      typed = true;
      failures += 1;
      heard(false);
      otherwise = anew;
      copy();
      say(unheard(), true);
      unplan();
      stop = retry(() => send(wanted ? "save" : saving ? "check" : step), patience(failures));
      return "away";
    }
    if ([403, 404].includes(answer.status)) {
      [typed, otherwise] = [true, anew];
      bar(true);
      return "away";
    }
    if (barred) bar(false);
    if (saving && answer.headers.has("Scorepad-To")) {
      if (!typed) return go(answer.headers.get("Scorepad-To"));
      later(); // something was changed while it was on its way: the server shows what it has, and this
      return "saved";
    }
    if (!saving && answer.status === 200) return kept(answer, step, anew, sent);
    leave(step);
    return "other";
  }

  function kept(answer, step, anew, sent) {
    echoed = false;
    const joined = answer.headers.has("Scorepad-Joined"); // with fields that only another page had: draw them too
    const whole = joined || Boolean(held);
    const since = new Map([...changes(sent, fields())].filter(([name]) => !UNTYPED.includes(name)));
    if (joined && wanted) [wanted, unsent, news] = [false, false, true]; // nobody saves what they have not seen
    // The form is not drawn over what is being typed: it is drawn with the next answer.
    if (anew && typed) otherwise = true;
    if (whole && typed) held = changed(shown.drawn(answer.html), after(step, since, new Map(sent), new Map(shown.drawn(answer.html))));
    else show(answer.html, step, whole || (anew && !typed), sent, since);
    if (typed && news) later();
    if (news && !held) {
      news = false;
      say(words.joined, true);
    } else if (typed) say(words.sending);
    if (typed || past) copy();
    else stored.forget();
    return "kept";
  }

  function go(address) {
    stored.forget();
    leaving = true;
    location.assign(address);
    return "saved";
  }

  function show(html, step, whole, sent, since) {
    const fresh = shown.parsed(html);
    const at = document.activeElement;
    if (whole) {
      held = null;
      shown.redraw(fresh.body);
    } else {
      if (step !== "check") grow(fresh, step, after(step, since, new Map(sent), new Map(shown.drawn(html))));
      shown.tell(fresh);
    }
    say(null, false);
    if (past) say(safe ? words.unkept : words.screen);
    if (step.startsWith("meld-") && (at.tagName === "BUTTON" || at === document.body)) shown.settle(step.split(":")[1]);
  }

  function grow(fresh, step, since) {
    shown.grown(fresh, step, since);
    if (since.size) otherwise = true; // what is told of it is drawn with the next answer
  }

  // ------------------------------------------------------------------ what another page typed in this hand

  const idle = () => !(typed || running || wanted || held || leaving || echoed || past);
  const overtaken = () => document.getElementById("live-status").dataset.says === "overtaken"; // it is another hand

  // Told every two seconds how far it has come (live.js): where nothing is on its way from here, what was typed there
  // is fetched and shown. Where something is, its answer brings it along.
  async function follow(there) {
    if (!idle() || following || overtaken() || !there || there === version()) return;
    following = true;
    try {
      const answer = await ask(form.action + (own("refused") ? "?errori=1" : ""), { headers: { "Scorepad-Live": "1" } });
      const fresh = answer.status === 200 && shown.parsed(answer.html).getElementById("count");
      const same = fresh && fresh.elements.hand.value === own("hand");
      if (same && idle() && Number(fresh.elements.version.value) > Number(version())) shown.join(fresh);
    } catch { /* told again in two seconds */ }
    following = false;
  }

  form.addEventListener("typed", (event) => follow(event.detail));

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
      type(field, longer(field.value.trim() === "0" ? "" : field.value, data.card + suitOf(data.suit)));
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
    if (event.target.closest("[data-afresh]")) stored.forgetAll();
    const button = event.target.closest("button");
    if (button && pressed(button)) event.preventDefault();
  });

  form.addEventListener("input", (event) => {
    if (event.target.closest("[data-redraw]") && event.target.type === "radio") otherwise = true;
    change(event.target.name);
    if (!barred) say(unsent ? words.unsent : words.sending);
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
      if (next && (document.activeElement === document.body || next.closest(".melds").contains(document.activeElement))) next.focus();
    });
  });

  // ------------------------------------------------------------------ saving, leaving, coming back

  // Sends the form as a browser without script does: the page that answers says why, or asks which of two is to stand.
  // What nobody kept stays on this device until that is decided (sending.js).
  function leave(step) {
    leaving = true;
    wanted = false;
    away = true;
    copy();
    if (held) submit(form.action, put(held, "do", step));
    else form.requestSubmit(form.querySelector(`button[name="do"][value="${step === "save" ? step : "check"}"]`));
  }

  form.addEventListener("submit", (event) => {
    if (leaving) return;
    event.preventDefault();
    [wanted, unsent] = [true, false];
    copy();
    send("save");
  });

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
  async function deliver(copied, times = 1) {
    const step = copied.wanted ? "save" : "check";
    try {
      const answer = await post(form.action, put(pairsOf(copied), "do", step));
      const settled = answer.headers.has("Scorepad-To");
      if (settled) stored.forget(copied.name);
      else stored.keep({ version: copied.version, fields: copied.fields, wanted: false, away: true }, copied.name);
      if (settled) return;
      leaving = true;
      submit(form.action, put(pairsOf(copied), "do", step));
    } catch {
      retry(() => deliver(copied, times + 1), patience(times));
    }
  }

  if (echoed) {
    away = true;
    copy();
    say(safe ? words.unkept : words.screen, true);
  } else for (const copied of stored.all()) {
    if (copied.own && (copied.wanted || content(copied.fields) !== content(fields()))) {
      held = pairsOf(copied);
      wanted = Boolean(copied.wanted);
      typed = true;
      send(wanted ? "save" : "check").then((how) => { if (how === "kept") say(words.again); });
    } else if (!copied.own && (copied.wanted || !past)) deliver(copied);
    else stored.forget(copied.name);
  }
})();
