// What the script of the count works with: lines of cards, figures, and what changed between two times.
"use strict";

window.countTools = (() => {
  const LAST = /^([^]*\s)?(?:([0-9]{1,2})x)?(\S+)\s*$/i;

  // A line of cards with one more: another of the last kind is counted with it.
  function grow(text, token) {
    const last = LAST.exec(text);
    if (last && last[3].toUpperCase() === token.toUpperCase()) {
      return `${last[1] || ""}${Number(last[2] || 1) + 1}x${token}`;
    }
    return `${text.trimEnd()} ${token}`.trimStart();
  }

  // A line of cards without the last one.
  function shrink(text) {
    const last = LAST.exec(text);
    if (!last) return "";
    const left = Number(last[2] || 1) - 1;
    return ((last[1] || "") + (left > 1 ? `${left}x${last[3]}` : left === 1 ? last[3] : "")).trimEnd();
  }

  // A figure counted up or down, as far as there is something to count.
  function count(text, by, most) {
    const digits = text.replace(/[\s.,]/g, "");
    if (!/^[0-9]{0,7}$/.test(digits)) return text;
    const limit = most ? Math.max(Number(most), Number(digits)) : Infinity;
    return String(Math.max(0, Math.min(Number(digits) + by, limit)));
  }

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

  return { grow, shrink, count, changes, changed, after };
})();
