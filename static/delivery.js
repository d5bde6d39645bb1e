// How fields get from this device to the server, and how they are kept on the device until they are there.

window.delivery = (() => {
  const REQUEST_TIMEOUT = 15000;
  const FIRST_RETRY = 3000;
  const LONGEST_RETRY = 30000;
  const REACHED = ["online", "reached"];

  // ------------------------------------------------------------------ copies on this device

  // Each has a name. Where there is no room, or it is not allowed, there are none.
  function keep(name, copy) {
    try {
      localStorage.setItem(name, JSON.stringify(copy));
      return true;
    } catch {
      return false;
    }
  }

  function forget(name) {
    try {
      localStorage.removeItem(name);
    } catch {
      /* there is none */
    }
  }

  // Those whose names begin so, each with its name.
  function kept(start) {
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(start));
      return names.map((name) => ({ name, ...JSON.parse(localStorage.getItem(name)) }));
    } catch {
      return [];
    }
  }

  // The copies of the hands of one form. Each is named by its form and the hand; it holds the fields, the version that
  // they were typed on, and whether saving was asked for.
  function copies(prefix, hand) {
    const currentName = prefix + hand;
    const all = () =>
      kept(prefix).map((copy) => ({ isCurrent: copy.name === currentName, ...copy }));
    return {
      all,
      keep: (copy, name = currentName) => keep(name, copy),
      forget: (name = currentName) => forget(name),
      forgetAll: () => {
        for (const { name } of all()) forget(name);
      },
    };
  }

  // ------------------------------------------------------------------ fields

  // Fields with one of them set anew.
  const put = (pairs, name, value) => [...pairs.filter(([each]) => each !== name), [name, value]];

  // Puts into a part of a form what a field of this name says.
  function take(part, name, values) {
    const all = [...part.querySelectorAll(`[name="${CSS.escape(name)}"]:not(button)`)];
    for (const field of all) {
      if (["checkbox", "radio"].includes(field.type)) field.checked = values.includes(field.value);
      else if (values.length) [field.value] = values;
      else field.remove();
    }
  }

  // ------------------------------------------------------------------ to the server

  // How long to wait after so many times without an answer.
  const retryDelay = (failures) =>
    Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** Math.max(0, failures - 1));

  // Does something after so long, or as soon as there is a network again or the server answered (live.js); answers how
  // to call it off.
  function later(act, pause) {
    const stop = () => {
      clearTimeout(timer);
      for (const each of REACHED) removeEventListener(each, now);
    };
    const now = () => {
      stop();
      act();
    };
    const timer = setTimeout(now, pause);
    for (const each of REACHED) addEventListener(each, now);
    return stop;
  }

  // What the server says; whoever does not answer in time, or has an error, is away.
  async function ask(url, options) {
    const control = window.AbortController && new AbortController();
    const limit = setTimeout(() => control && control.abort(), REQUEST_TIMEOUT);
    try {
      const answer = await fetch(url, {
        credentials: "same-origin",
        signal: control && control.signal,
        ...options,
      });
      if (answer.status >= 500 || answer.status === 429) throw new Error("busy");
      return {
        status: answer.status,
        headers: answer.headers,
        html: answer.status === 200 ? await answer.text() : "",
      };
    } finally {
      clearTimeout(limit);
    }
  }

  // Sends fields; where the answer leads elsewhere, that is told instead of gone to.
  const post = (url, pairs) =>
    ask(url, {
      method: "POST",
      body: new URLSearchParams(pairs),
      headers: { "Scorepad-Script": "1" },
    });

  // Sends fields as a form without script does: the page that answers is shown.
  function submit(action, pairs) {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action });
    for (const [name, value] of pairs) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name, value });
      form.append(field);
    }
    document.body.append(form);
    HTMLFormElement.prototype.submit.call(form); // whatever its fields are called
  }

  return { keep, forget, kept, copies, put, take, retryDelay, later, ask, post, submit };
})();
