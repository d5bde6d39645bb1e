// The form of a hand between this device and the server: sends it after a short pause and shows what the server answers,
// beside what is typed and never over it. It knows no rules.
//
// What is typed is copied on this device at once, and kept by the server with each answer. A save that finds no network
// is remembered with the copy and sent when there is one, also after the page was loaded again: always the same
// submission, so that it counts once.

(() => {
  const form = document.getElementById("count");
  if (!form || !window.fetch || !form.requestSubmit || !window.delivery || !window.becoming) return;

  const { ask, copies, later: retry, retryDelay, post, put, submit, take } = window.delivery;
  const { fill, steadily } = window.becoming;
  const PAUSE = 500;
  const UNTYPED = ["csrf_token", "request_id", "version", "noted", "do"];
  const PAGE_FIELDS = ["request_id", "csrf_token", "refused"]; // of this page, whatever another one says
  const words = form.dataset;
  const fieldValue = (name) => form.elements[name].value;
  const isPastHand = fieldValue("seen") !== "0"; // a past hand is not kept by the server until it is saved
  const stored = copies(
    `scorepad-count:${form.getAttribute("action")}:`,
    `${fieldValue("hand")}:${fieldValue("seen")}`,
  );

  let timer = 0;
  let cancelRetry = () => {}; // cancels waiting for the network
  let currentRequest = null;
  let typed = false;
  let leaving = false;
  let saveRequested = false; // it was asked to save, and that has not come through
  let saveOutdated = false; // as before, but then something was changed
  let away = false; // the network, when it was asked last
  let failures = 0;
  let isReadOnly = false; // this phone may not write any more: what is typed stays on it
  let messageBefore = ""; // what was said when it came to that
  let hasCopy = true; // there is a copy on this device
  let isShownAgain = "shownAgain" in words; // what was sent is shown again, and nothing of it was kept
  let following = false;

  // ------------------------------------------------------------------ what is typed, and its copy on this device

  const fields = () => [...new FormData(form)];
  const content = (pairs) =>
    JSON.stringify(pairs.filter(([name, text]) => !UNTYPED.includes(name) && text.trim()).sort());

  function copy() {
    hasCopy = stored.keep({
      version: fieldValue("version"),
      fields: fields(),
      wanted: saveRequested,
      away,
    });
  }

  function say(text, alarming) {
    const kept = document.getElementById("kept");
    kept.classList.toggle("away", Boolean(alarming));
    if (alarming)
      kept.setAttribute("role", "alert"); // only this is worth interrupting a screen reader for
    else kept.removeAttribute("role");
    if (text !== null && kept.textContent !== text) kept.textContent = text;
  }

  // The message while what is typed has not reached the server.
  function unsavedMessage() {
    if (isReadOnly) return hasCopy ? words.barred : words.barredScreen;
    return saveRequested
      ? words.waiting
      : saveOutdated
        ? words.unsent
        : hasCopy
          ? words.away
          : words.screen;
  }

  // Remembers whether the server answered, so that what it shows is up to date.
  function setReached(answered) {
    away = !answered;
    form.classList.toggle("unheard", away);
  }

  // Remembers whether this phone may not write any more: the server answered so, here or to live.js.
  function setReadOnly(readOnly) {
    if (readOnly && !isReadOnly) messageBefore = document.getElementById("kept").textContent;
    isReadOnly = readOnly;
    setReached(!readOnly);
    form.querySelector('button[value="save"]').disabled = readOnly;
    if (!readOnly) return;
    [saveRequested, saveOutdated] = [false, false];
    copy();
    say(unsavedMessage(), true);
  }

  form.addEventListener("readonly", ({ detail }) => {
    setReadOnly(detail);
    if (detail) return;
    say(messageBefore, false);
    if (typed) send("check");
    else stored.forget();
  });

  // ------------------------------------------------------------------ to the server and back

  function cancelPlanned() {
    clearTimeout(timer);
    cancelRetry();
  }

  function scheduleCheck() {
    cancelPlanned();
    timer = setTimeout(() => send("check"), PAUSE);
  }

  // Answers "kept", "saved", "away" (the network), or "other" (a page of the server's has to say why). One at a time, so
  // that no page overtakes itself.
  function send(step) {
    cancelPlanned();
    const mine = (currentRequest || Promise.resolve()).then(() => attempt(step));
    currentRequest = mine;
    mine.then(() => {
      if (currentRequest === mine) currentRequest = null;
    });
    return mine;
  }

  async function attempt(step) {
    if (leaving) return "saved";
    const saving = step === "save";
    if (saving && !saveRequested) return "stopped";
    const sent = fields();
    typed = false;
    if (saving) say(words.saving);
    let answer;
    try {
      answer = await post(saving ? form.action : words.check, put(sent, "do", step));
    } catch {
      return handleNoAnswer(saving);
    }
    failures = 0;
    setReached(true);
    if ([403, 404].includes(answer.status)) {
      typed = true;
      setReadOnly(true);
      return "away";
    }
    if (isReadOnly) setReadOnly(false);
    if (saving && answer.headers.has("Scorepad-To")) {
      if (!typed) return go(answer.headers.get("Scorepad-To"));
      scheduleCheck(); // something was changed while it was on its way: the server shows what it has, and this
      return "saved";
    }
    if (!saving && answer.status === 200) return kept(answer, sent);
    leave(step);
    return "other";
  }

  function handleNoAnswer(saving) {
    typed = true;
    setReached(false);
    failures += 1;
    copy();
    say(unsavedMessage(), true);
    cancelPlanned();
    cancelRetry = retry(() => send(saveRequested ? "save" : "check"), retryDelay(failures));
    return "away";
  }

  function kept(answer, sent) {
    isShownAgain = false;
    const joined = answer.headers.has("Scorepad-Joined"); // with fields that only another page had
    if (joined && saveRequested) [saveRequested, saveOutdated] = [false, true]; // nobody saves what they have not seen
    const fresh = document.createElement("form");
    fresh.innerHTML = answer.html;
    show(fresh, new Map(sent));
    say(null, false);
    if (isPastHand) say(hasCopy ? words.unkept : words.screen);
    if (joined && saveOutdated) {
      saveOutdated = false;
      say(words.joined, true);
    } else if (typed) say(words.sending);
    if (typed || isPastHand) copy();
    else stored.forget();
    return "kept";
  }

  function go(address) {
    stored.forget();
    leaving = true;
    location.replace(address); // from the match, "back" does not lead into a hand that was saved
    return "saved";
  }

  // ------------------------------------------------------------------ on the page

  // Makes the form what it is on a fresh page; what was typed since `sent` stays.
  function show(fresh, sent) {
    const now = new Map(fields());
    const names = new Set(
      [...now.keys(), ...sent.keys()].filter((name) => !UNTYPED.includes(name)),
    );
    for (const name of names) {
      if (now.get(name) !== sent.get(name)) take(fresh, name, now.has(name) ? [now.get(name)] : []);
    }
    steadily(() => fill(form, fresh, keepField));
    summarise();
    form.dispatchEvent(new Event("shown"));
  }

  // A field keeps its focus and its place; the keys are this page's own.
  function keepField(old, fresh) {
    if (old.classList.contains("keys")) return { whole: true };
    if (!fresh || !old.matches("input:not([type=hidden]), textarea")) return null;
    for (const name of ["aria-invalid", "readonly", "placeholder", "aria-describedby"]) {
      if (fresh.hasAttribute(name)) old.setAttribute(name, fresh.getAttribute(name));
      else old.removeAttribute(name);
    }
    if (old.value !== fresh.value) old.value = fresh.value;
    if (old.checked !== fresh.checked) old.checked = fresh.checked;
    return { whole: true };
  }

  // The list on top says what the bar says; where nothing is left of it, it goes.
  function summarise() {
    const summary = document.querySelector(".errors");
    if (!summary) return;
    const found = [...form.querySelectorAll("#bar-problems li, #bar-missing li")];
    summary.removeAttribute("role"); // said aloud when the page came, and not with each letter
    summary.hidden = !found.length;
    summary.querySelector("h2").textContent =
      document.getElementById("bar-message").dataset.summary;
    const html = found.map((each) => each.outerHTML.replace(' tabindex="-1"', "")).join("");
    if (summary.querySelector("ul").innerHTML !== html)
      summary.querySelector("ul").innerHTML = html;
    if (!found.length) document.title = `${document.querySelector("h1").textContent} – scorepad`;
  }

  // ------------------------------------------------------------------ what another page typed in this hand

  const idle = () =>
    !(typed || currentRequest || saveRequested || leaving || isShownAgain || isPastHand);
  const overtaken = () => document.getElementById("live-status").dataset.says === "overtaken"; // it is another hand

  // The version of what is typed, and the noted penalties: as the server tells them (Scorepad-Typed).
  const state = (of) => `${of.elements.version.value}:${of.elements.noted.value}`;

  function isNewer(fresh) {
    return (
      Number(fresh.elements.version.value) >= Number(fieldValue("version")) &&
      state(fresh) !== state(form)
    );
  }

  // Told every two seconds how far it has come (live.js): where nothing is on its way from here, what was typed there is
  // fetched and shown. Where something is, its answer brings it along.
  async function follow(there) {
    if (!idle() || following || overtaken() || !there || there === state(form)) return;
    following = true;
    try {
      const answer = await ask(form.action + (fieldValue("refused") ? "?errori=1" : ""), {
        headers: { "Scorepad-Live": "1" },
      });
      const fresh =
        answer.status === 200 &&
        new DOMParser().parseFromString(answer.html, "text/html").getElementById("count");
      const newer = fresh && fresh.elements.hand.value === fieldValue("hand") && isNewer(fresh);
      if (newer && idle()) {
        for (const name of PAGE_FIELDS) fresh.elements[name].value = fieldValue(name);
        show(fresh, new Map(fields()));
      }
    } catch {
      /* live.js asks again in two seconds */
    }
    following = false;
  }

  form.addEventListener("typed", ({ detail }) => follow(detail));

  // The hand was counted elsewhere: where that has all that stands here, this page has nothing more to do.
  form.addEventListener("overtaken", async ({ detail: fresh }) => {
    if (!idle() || (fresh && Number(fresh.elements.number.value) <= Number(fieldValue("number"))))
      return;
    try {
      const answer = await ask(words.counted, { headers: { "Scorepad-Live": "1" } });
      const page =
        answer.status === 200 &&
        new DOMParser().parseFromString(answer.html, "text/html").getElementById("count");
      if (!page) return;
      const saved = new Map(new FormData(page));
      const counts = ([name, text]) =>
        /^([abc]\.|(out|single)$)/.test(name) && !["", "0"].includes(text.trim());
      if (
        idle() &&
        fields()
          .filter(counts)
          .every(([name, text]) => saved.get(name) === text)
      )
        go(words.overtakenMatch);
    } catch {
      /* it stays, and says so */
    }
  });

  // ------------------------------------------------------------------ typing, saving, leaving

  // Whoever changes something after asking to save asks for it again.
  form.addEventListener("input", () => {
    typed = true;
    if (saveRequested) [saveRequested, saveOutdated] = [false, true];
    copy();
    if (!isReadOnly) say(saveOutdated ? words.unsent : words.sending);
    scheduleCheck();
  });

  form.addEventListener("click", (event) => {
    if (event.target.closest("[data-afresh]")) stored.forgetAll();
    const button = event.target.closest('button[value="check"], button[value^="noted."]');
    if (!button || leaving) return;
    event.preventDefault();
    if (button.value === "check") send("check");
    else leave(button.value);
  });

  form.addEventListener("submit", (event) => {
    if (leaving) return;
    event.preventDefault();
    [saveRequested, saveOutdated] = [true, false];
    copy();
    send("save");
  });

  // Sends the form as a browser without script does: the page that answers says why, or asks which of two is to stand.
  // What nobody kept stays on this device until that is decided (sending.js).
  function leave(step) {
    [leaving, saveRequested, away] = [true, false, true];
    copy();
    form.requestSubmit(form.querySelector(`button[name="do"][value="${step}"]`));
  }

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
  if (!isPastHand) history.replaceState(null, "", location.href);
  const summary = document.querySelector(".errors");
  if (summary) summary.focus();

  // ------------------------------------------------------------------ what this device still had

  // Puts a copy into the form. A save is the same submission as when it was asked for.
  function restore(copied) {
    const names = ["csrf_token", "do", ...(copied.wanted ? [] : ["request_id"])];
    const pairs = copied.fields.filter(([name]) => !names.includes(name));
    const shown = new Set(
      [...form.elements]
        .map((each) => each.name)
        .filter((name) => name && !PAGE_FIELDS.includes(name) && name !== "do"),
    );
    for (const name of shown)
      if (!["hand", "number", "seen", "contest"].includes(name)) restoreField(name, pairs);
    for (const [name, text] of pairs) {
      if (form.elements[name]) continue;
      const more = document.createElement("input");
      Object.assign(more, { type: "hidden", name, value: text });
      form.append(more);
    }
    if (copied.wanted) form.elements.request_id.value = new Map(pairs).get("request_id");
    form.elements.version.value = copied.version;
    form.dispatchEvent(new Event("shown"));
  }

  // Sets a field to what a copy says of it; blank where it says nothing.
  function restoreField(name, pairs) {
    const values = pairs.filter(([each]) => each === name).map(([, text]) => text);
    take(
      form,
      name,
      values.length ||
        [...form.querySelectorAll(`[name="${CSS.escape(name)}"]`)].some(
          (each) => each.type === "radio" || each.type === "checkbox",
        )
        ? values
        : [""],
    );
  }

  // The fields of a copy of a hand that is no longer the open one: saved from here without an answer, or by somebody else.
  async function deliver(copied, times = 1) {
    const step = copied.wanted ? "save" : "check";
    const rest = copied.fields.filter(([name]) => !["csrf_token", "version", "do"].includes(name));
    const again = copied.wanted ? rest : put(rest, "request_id", fieldValue("request_id"));
    const pairs = [
      ...again,
      ["csrf_token", fieldValue("csrf_token")],
      ["version", copied.version],
      ["do", step],
    ];
    try {
      const answer = await post(form.action, pairs);
      const settled = answer.headers.has("Scorepad-To");
      if (settled) stored.forget(copied.name);
      else
        stored.keep(
          { version: copied.version, fields: copied.fields, wanted: false, away: true },
          copied.name,
        );
      if (settled) return;
      leaving = true;
      submit(form.action, pairs);
    } catch {
      retry(() => deliver(copied, times + 1), retryDelay(times));
    }
  }

  if (isShownAgain) {
    away = true;
    copy();
    say(hasCopy ? words.unkept : words.screen, true);
  } else
    for (const copied of stored.all()) {
      if (copied.isCurrent && (copied.wanted || content(copied.fields) !== content(fields()))) {
        restore(copied);
        saveRequested = Boolean(copied.wanted);
        typed = true;
        send(saveRequested ? "save" : "check").then((how) => {
          if (how === "kept") say(words.again);
        });
      } else if (!copied.isCurrent && (copied.wanted || !isPastHand)) deliver(copied);
      else stored.forget(copied.name);
    }
})();
