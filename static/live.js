// A page that stays as fresh as its match.
//
// A page opts in with its value: `watch=watch(state, url_for(…))` (scorepad/web/presenters.py), where the
// address is the page's own. `base.html` then loads this and puts on <main>:
//
//   data-live-state   where to ask how far the match has come; the answer's ETag is `data-live-tag` as long as nothing
//                     is new
//   data-live-page    where the page is fetched again when something is
//   data-live-clock   when this was made, as people read it; data-live-announcement: what is read aloud when it changes
//   data-live-away, -offline, -gone, -denied   what is said when it can not be asked, `{clock}` being the time
//
// In its template it marks what may change: `<div id="…" data-live-part>`. Parts are found by their ids, and must always
// be there, empty perhaps. Inside them only what differs is touched: what is unfolded, focused or scrolled to stays so.
// A form with something typed in it, or being typed in, is left as it is until that is done, with all that it holds
// unseen: what was shown beside it is what it answers to. Forms without become those of the fresh page, unseen fields
// and all. Where a form says something else than before, its buttons wait a moment for the eye.
//
// It asks every 2 seconds while the page is seen and every 15 while it is not, at once when it comes back, not at all
// where the browser knows of no network, and less and less often where nobody answers.

(() => {
  const main = document.querySelector("main[data-live-state]");
  if (!main || !window.fetch || !window.AbortController) return;
  const { become, fields, typed, steadily } = window.becoming;

  const VISIBLE_INTERVAL = 2000;
  const HIDDEN_INTERVAL = 15000;
  const FRESH_FOR = 3000; // so old may be what is shown, without saying so
  const REQUEST_TIMEOUT = 5000;
  const READING_TIME = 700;
  const SENDING_TIME = 10000;
  const IS_LOCAL = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname); // needs no network

  const words = main.dataset;
  const statusLine = document.getElementById("live-status");
  const announcer = document.getElementById("live-announcement");
  const count = document.getElementById("count");

  let tag = words.liveTag;
  let clock = words.liveClock;
  let answered = Date.now();
  let failures = 0;
  let isReadOnly = false; // this phone may not write any more
  let timer = 0;
  let asking = false;
  let askAgain = false; // once it has its answer
  let quietUntil = 0; // until when nothing is touched, because a form is on its way
  let waiting = null; // a fresh page of which something could not be shown yet
  const changed = new WeakMap(); // when a form came to say something else

  // ------------------------------------------------------------------ asking

  const online = () => IS_LOCAL || navigator.onLine !== false;
  const sending = () => Date.now() < quietUntil;
  const pace = () =>
    Math.min(
      HIDDEN_INTERVAL,
      (document.hidden ? HIDDEN_INTERVAL : VISIBLE_INTERVAL) * 2 ** Math.max(0, failures - 1),
    );
  // An open hand is not reloaded when another device types into it; hand-sync.js merges what they typed.
  const shown = (fullTag) => (count ? fullTag.split(".").slice(0, 2).join(".") : fullTag);

  function next() {
    clearTimeout(timer);
    if (online()) timer = setTimeout(ask, pace());
  }

  function now() {
    failures = quietUntil = 0;
    clearTimeout(timer);
    ask();
  }

  async function ask() {
    askAgain = asking; // what was asked for meanwhile is asked after the answer
    if (asking || !online()) return;
    asking = true;
    try {
      if (waiting && !sending()) show(waiting);
      const answer = await fetched(words.liveState, { "If-None-Match": `"${tag}"` });
      if (answer.status === 404 || answer.status === 403) gone();
      else if (answer.status !== 304 && !answer.ok) throw new Error("busy");
      else await handleAnswer(answer);
    } catch {
      handleNoAnswer();
    }
    asking = false;
    if (askAgain) ask();
    else next();
  }

  async function fetched(url, headers) {
    const control = new AbortController();
    const timeout = setTimeout(() => control.abort(), REQUEST_TIMEOUT);
    try {
      const answer = await fetch(url, {
        headers,
        cache: "no-store",
        credentials: "same-origin",
        signal: control.signal,
      });
      return {
        status: answer.status,
        ok: answer.ok,
        headers: answer.headers,
        text: await answer.text(),
      };
    } finally {
      clearTimeout(timeout);
    }
  }

  async function handleAnswer(answer) {
    const found = answer.status === 304 ? tag : JSON.parse(answer.text).tag;
    if (shown(found) !== shown(tag) && !(await refresh())) return;
    tag = found;
    if (count)
      count.dispatchEvent(
        new CustomEvent("typed", { detail: answer.headers.get("Scorepad-Typed") }),
      );
    clock = answer.headers.get("Scorepad-Clock") || clock;
    answered = Date.now();
    failures = 0;
    if (statusLine.dataset.says !== "overtaken") say("");
    dispatchEvent(new Event("reached")); // what waits to be sent goes now (delivery.js)
  }

  function handleNoAnswer() {
    failures += 1;
    if (Date.now() - answered > FRESH_FOR && !count) say("away", words.liveAway);
  }

  function gone() {
    failures = Math.max(failures, 3);
    say("gone", words.liveGone);
  }

  function denied() {
    failures = Math.max(failures, 3);
    say("denied", words.liveDenied, count && theMatch());
  }

  // ------------------------------------------------------------------ saying

  function say(what, text, link) {
    statusLine.dataset.says = what;
    setReadOnly(["gone", "denied"].includes(what));
    const message = (text || "").replace("{clock}", clock);
    if (statusLine.firstChild && statusLine.firstChild.textContent === message) return;
    statusLine.textContent = message;
    if (!link) return;
    const there = document.createElement("a");
    Object.assign(there, { href: link.href, textContent: link.text });
    statusLine.append(" ", there);
  }

  // Where this phone may not write any more, nothing can be pressed that would; what is typed can still be read. A count
  // goes on being typed, and is told.
  function setReadOnly(readOnly) {
    if (count && isReadOnly !== readOnly)
      count.dispatchEvent(new CustomEvent("readonly", { detail: readOnly }));
    isReadOnly = readOnly;
    if (count) return;
    for (const control of main.querySelectorAll("form[method=post] button, .bar a"))
      control.inert = readOnly;
  }

  // ------------------------------------------------------------------ the page again

  // Answers whether what is new has been shown, or said.
  async function refresh() {
    const answer = await fetched(words.livePage, { "Scorepad-Live": "1" });
    if (answer.status === 403) denied();
    else if (answer.status === 404) gone();
    else if (!answer.ok) throw new Error("busy");
    if (!answer.ok || sending()) return false;
    const fresh = new DOMParser().parseFromString(answer.text, "text/html");
    if (count) overtaken(fresh.getElementById("count"));
    else show(fresh);
    return true;
  }

  // The hand that is being typed here was counted or changed elsewhere: nothing of it is touched, but it is said.
  function overtaken(fresh) {
    const is = (form) => form && form.elements.hand.value + ":" + form.elements.seen.value;
    if (is(fresh) === is(count)) say("");
    else {
      say("overtaken", count.dataset.overtaken, theMatch());
      count.dispatchEvent(new CustomEvent("overtaken", { detail: fresh }));
    }
  }

  const theMatch = () => ({
    href: count.dataset.overtakenMatch,
    text: count.dataset.overtakenLook,
  });

  function show(fresh) {
    const page = fresh.querySelector("main[data-live-state]");
    if (!page) return;
    const forms = () => [...main.querySelectorAll("[data-live-part] form, form[data-live-part]")];
    const said = new Map(forms().map((form) => [form, formText(form)]));
    let left = false;
    steadily(() => {
      for (const part of fresh.querySelectorAll("[data-live-part]")) {
        const old = document.getElementById(part.id);
        if (old) left = !become(old, part, keepAsIs) || left;
      }
    });
    waiting = left ? fresh : null;
    for (const form of forms())
      if (said.get(form) !== formText(form)) changed.set(form, Date.now());
    if (!document.querySelector(".errors")) document.title = fresh.title;
    if (words.liveAnnouncement !== page.dataset.liveAnnouncement)
      announcer.textContent = words.liveAnnouncement = page.dataset.liveAnnouncement;
  }

  // What a form asks for, but for what only names this asking.
  function formText(form) {
    const unseen = [...form.querySelectorAll("input[type=hidden]")].filter(
      (field) => !["request_id", "csrf_token"].includes(field.name),
    );
    return form.textContent + unseen.map((field) => field.value).join("|");
  }

  // What somebody is at is left as it is: a form, and whatever holds a field of one.
  const isInUse = (element) =>
    fields(element).some((field) => field === document.activeElement || typed(field));

  function keepAsIs(old, fresh) {
    if ((fresh && old.tagName !== "FORM") || !isInUse(old)) return null;
    return { whole: Boolean(fresh) && formText(old) === formText(fresh) };
  }

  // ------------------------------------------------------------------ what happens on the page

  main.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest("button");
      // It was aimed at what the button said before.
      if (
        button &&
        button.form &&
        Date.now() - (changed.get(button.form) || -READING_TIME) < READING_TIME
      )
        event.preventDefault();
    },
    true,
  );

  // What is on its way is not touched: its answer is the next page.
  document.addEventListener("submit", () => {
    quietUntil = Date.now() + SENDING_TIME;
  });

  document.addEventListener("visibilitychange", () => (document.hidden ? next() : now()));
  addEventListener("online", now);
  addEventListener("offline", () => {
    if (IS_LOCAL) return;
    clearTimeout(timer);
    if (!count) say("offline", words.liveOffline);
  });
  addEventListener("pageshow", (event) => event.persisted && now());

  if (!online()) dispatchEvent(new Event("offline"));
  next();
})();
