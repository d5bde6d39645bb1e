// A form of a match that is sent although the network is away: it stays on the page and on this device, and goes when
// there is a network again, always as the same submission, so that it counts once. What the server answers is shown by
// its own page, as without script.
//
// A form opts in with the attributes of `later` (templates/parts.html). `data-settles`: the copies of a count that this
// form, or a link with `data-settled`, decides about; until then they are kept (hand-sync.js).

(() => {
  const form = document.querySelector("form[data-later]");
  if (!form || !window.fetch || !window.delivery) return;
  const { forget, keep, kept, later, retryDelay, post, put, submit, take } = window.delivery;
  const SHOW_SENDING_AFTER = 600; // milliseconds after which it is said that something is on its way
  const NOT_ALLOWED = [403, 404];
  const words = form.dataset;
  const address = new URL(form.getAttribute("action") || location.pathname, location.href).pathname;
  const name = `scorepad-sent:${address}`;
  const statusLine = createStatusLine();

  let waiting = null; // what is to be sent
  let busy = false;
  let failures = 0;
  let stop = () => {};

  function createStatusLine() {
    const made = document.createElement("p");
    Object.assign(made, { id: "sending", className: "live-status" });
    made.setAttribute("role", "alert");
    document.getElementById("live-said").prepend(made);
    return made;
  }

  const say = (text) => {
    if (statusLine.textContent !== text) statusLine.textContent = text;
  };

  // ------------------------------------------------------------------ sending

  async function send() {
    if (busy || !waiting) return;
    stop();
    busy = true;
    const sent = waiting;
    const slow = failures ? 0 : setTimeout(() => say(words.sending), SHOW_SENDING_AFTER);
    try {
      handleAnswer(await post(address, sent), sent);
    } catch {
      failures += 1;
      if (waiting) handleNoAnswer();
    }
    clearTimeout(slow);
    busy = false;
  }

  function handleNoAnswer() {
    say(keep(name, { fields: waiting }) ? words.waiting : words.screen);
    stop = later(send, retryDelay(failures));
  }

  // On to where the answer leads; where it leads nowhere it is a page, and asked for as a browser does. Where this phone
  // may not write, nothing leads away from what was typed.
  function handleAnswer(answer, sent) {
    const there = answer.headers.get("Scorepad-To");
    waiting = null;
    if (NOT_ALLOWED.includes(answer.status)) {
      return say(keep(name, { fields: sent, changed: true }) ? words.barred : words.barredScreen);
    }
    forget(name);
    if (there || answer.status === 200) settle();
    if (there) go(there);
    else submit(address, sent);
  }

  // To a place on the page that is shown here a browser would only scroll: the page is asked for all the same.
  function go(there) {
    const [page] = new URL(there, location.href).href.split("#");
    location.assign(page === location.href.split("#")[0] ? page : there);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter || document.activeElement;
    const fields = [...new FormData(form)];
    waiting =
      button && button.form === form && button.name
        ? put(fields, button.name, button.value)
        : fields;
    send();
  });

  // Whoever changes something after asking to send it asks for it again.
  form.addEventListener("input", () => {
    if (!waiting) return;
    waiting = null;
    stop();
    keep(name, { fields: [...new FormData(form)], changed: true });
    say(words.changed);
  });

  addEventListener("pagehide", () => say(""));

  // ------------------------------------------------------------------ what was decided

  function settle() {
    if (words.settles) for (const copy of kept(words.settles)) forget(copy.name);
  }

  document.addEventListener("click", (event) => event.target.closest("[data-settled]") && settle());

  // ------------------------------------------------------------------ what this device still had

  function restore(copied) {
    const fields = put(copied.fields, "csrf_token", form.elements.csrf_token.value);
    const ticks = [...form.querySelectorAll("[type=checkbox], [type=radio]")].map(
      (field) => field.name,
    );
    for (const each of new Set([...ticks, ...fields.map(([field]) => field)])) {
      take(
        form,
        each,
        fields.filter(([field]) => field === each).map(([, value]) => value),
      );
    }
    if (copied.changed) return say(words.changed);
    waiting = fields;
    return send();
  }

  const copied = kept(name).find((copy) => copy.name === name);
  if (copied && "shownAgain" in words)
    forget(name); // it is this page that was sent
  else if (copied) restore(copied);
})();
