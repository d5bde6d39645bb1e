// What the script of the count works with: lines of cards, figures, and copies of what is typed on this device.
// And how fields are sent.
"use strict";

window.countTools = (() => {
  const PATIENCE = 15000;
  const RETRY = 3000;
  const SLOWEST = 30000;
  const LAST = /^([^]*?)(?:([0-9]{1,2})x)?(\S+)\s*$/i;

  // A line of cards with one more: another of the last kind is counted with it.
  function grow(text, token) {
    const last = LAST.exec(text);
    if (last && last[3].toUpperCase() === token.toUpperCase()) {
      return `${last[1]}${Number(last[2] || 1) + 1}x${token}`;
    }
    return `${text.trimEnd()} ${token}`.trimStart();
  }

  // A line of cards without the last one.
  function shrink(text) {
    const last = LAST.exec(text);
    if (!last) return "";
    const left = Number(last[2] || 1) - 1;
    return (last[1] + (left > 1 ? `${left}x${last[3]}` : left === 1 ? last[3] : "")).trimEnd();
  }

  // A figure counted up or down, as far as there is something to count.
  function count(text, by, most) {
    const digits = text.replace(/[\s.,]/g, "");
    if (!/^[0-9]{0,7}$/.test(digits)) return text;
    const limit = most ? Math.max(Number(most), Number(digits)) : Infinity;
    return String(Math.max(0, Math.min(Number(digits) + by, limit)));
  }

  // The copies of the hands of one form. Each is under its place and the hand; it holds the fields, the version that
  // they were typed on, and whether saving was asked for. Where there is no room, or it is not allowed, there are none.
  function copies(place, hand) {
    const mirror = place + hand;

    function keep(copy, name = mirror) {
      try {
        localStorage.setItem(name, JSON.stringify(copy));
        return true;
      } catch {
        return false;
      }
    }

    function forget(name = mirror) {
      try {
        localStorage.removeItem(name);
      } catch { /* there is none */ }
    }

    function all() {
      try {
        const names = Object.keys(localStorage).filter((name) => name.startsWith(place));
        return names.map((name) => ({ name, own: name === mirror, ...JSON.parse(localStorage.getItem(name)) }));
      } catch {
        return [];
      }
    }

    const forgetAll = () => { for (const { name } of all()) forget(name); };

    return { keep, forget, forgetAll, all };
  }

  // Fields with one of them set anew.
  const put = (pairs, name, value) => [...pairs.filter(([each]) => each !== name), [name, value]];

  // The names of which the second fields say something else than the first, and what they say of each.
  function changes(before, now) {
    const of = (pairs, name) => pairs.filter(([each]) => each === name).map(([, value]) => value);
    const names = [...new Set([...before, ...now].map(([name]) => name))];
    return new Map(names.filter((name) => String(of(before, name)) !== String(of(now, name))).map((name) => [name, of(now, name)]));
  }

  // Fields with changes.
  const changed = (pairs, since) =>
    [...pairs.filter(([name]) => !since.has(name)), ...[...since].flatMap(([name, values]) => values.map((value) => [name, value]))];

  // The changes that were made while the answer to a step was on its way, as they are named after it: cards typed after
  // another meld was asked for are of that one, and where a meld was taken away those after it moved up.
  function after(step, since, before, now) {
    const [done, side, row] = step.split(":");
    const moved = new Map();
    for (const [name, values] of since) {
      const [, start, at, end] = /^(.*-meld-)([0-9]+)(.*)$/.exec(name) || [];
      const fresh = now.get(`${side}-current`);
      const text = before.get(name) || "";
      if (done === "meld-drop" && start === `${side}-meld-`) {
        if (at !== row) moved.set(start + (Number(at) - (Number(at) > Number(row))) + end, values);
      } else if (done === "meld-new" && name === `${side}-meld-${before.get(`${side}-current`)}` && at !== fresh &&
                 text.trim() && values.length && values[0].startsWith(text)) {
        moved.set(start + fresh, [values[0].slice(text.length).trim()]);
      } else moved.set(name, values);
    }
    return moved;
  }

  // How long to wait after so many times without an answer.
  const patience = (failures) => Math.min(SLOWEST, RETRY * 2 ** Math.max(0, failures - 1));

  // Sends fields, and answers what the server says; whoever does not answer in time, or is in trouble, is away.
  async function post(url, pairs, step) {
    const body = new URLSearchParams(pairs);
    body.set("do", step);
    const control = window.AbortController && new AbortController();
    const limit = setTimeout(() => control && control.abort(), PATIENCE);
    try {
      const answer = await fetch(url, {
        method: "POST", body, credentials: "same-origin", signal: control && control.signal,
        headers: { "Scorepad-Script": "1" }, // told where to go on, instead of led there
      });
      if (answer.status >= 500) throw new Error("busy");
      return { status: answer.status, headers: answer.headers, html: answer.status === 200 ? await answer.text() : "" };
    } finally {
      clearTimeout(limit);
    }
  }

  // Sends fields as a form without script does: the page that answers is shown.
  function submit(action, pairs, step) {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action });
    for (const [name, value] of put(pairs, "do", step)) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name, value });
      form.append(field);
    }
    document.body.append(form);
    form.submit();
  }

  return { grow, shrink, count, copies, put, changes, changed, after, patience, post, submit };
})();
