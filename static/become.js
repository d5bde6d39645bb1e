// Makes a part of the page what it is on a fresh one, touching only what differs: what is unfolded, focused or scrolled
// to stays so.

window.becoming = (() => {
  const TYPED = "input:not([type=hidden]), textarea, select";
  const unfolded = new WeakSet(); // by hand, and so not to be touched

  document.addEventListener(
    "click",
    (event) => {
      const summary = event.target.closest("summary");
      if (summary) unfolded.add(summary.parentElement);
    },
    true,
  );

  function typed(field) {
    if (field.type === "checkbox" || field.type === "radio")
      return field.checked !== field.defaultChecked;
    if (!field.options) return field.value !== field.defaultValue;
    // Where none was chosen for it, the first stands.
    return (
      field.selectedIndex !==
      Math.max(
        0,
        [...field.options].findIndex((option) => option.defaultSelected),
      )
    );
  }

  const fields = (element) => [
    ...(element.matches(TYPED) ? [element] : []),
    ...element.querySelectorAll(TYPED),
  ];

  // Makes an element what another is, and answers whether it could do all of it. `spares(old, fresh)` says what is left
  // as it is: `{ whole }`, or nothing; `fresh` is none for what is no more.
  function become(old, fresh, spares = () => null) {
    if (old.isEqualNode(fresh) && !fields(old).some(typed)) return true;
    const spared = spares(old, fresh);
    if (spared) return spared.whole;
    dress(old, fresh);
    const whole = fill(old, fresh, spares);
    if (old.matches("input, textarea, select") && old.value !== fresh.value)
      old.value = fresh.value;
    if (old.tagName === "INPUT") old.checked = fresh.checked;
    return whole;
  }

  function dress(old, fresh) {
    const keeps = (name) => name === "open" && unfolded.has(old);
    for (const { name } of [...old.attributes])
      if (!fresh.hasAttribute(name) && !keeps(name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes)
      if (old.getAttribute(name) !== value && !keeps(name)) old.setAttribute(name, value);
  }

  const alike = (old, fresh) =>
    old.nodeType === fresh.nodeType &&
    old.nodeName === fresh.nodeName &&
    (old.nodeType !== Node.ELEMENT_NODE ||
      (old.id === fresh.id && old.className === fresh.className));

  // The same of all that stands in an element, and not of the element itself.
  function fill(old, fresh, spares = () => null) {
    let whole = true;
    let at = old.firstChild;
    const drop = () => {
      const next = at.nextSibling;
      if (at.nodeType === Node.ELEMENT_NODE && spares(at, null)) whole = false;
      else at.remove();
      at = next;
    };
    for (const child of fresh.childNodes) {
      let found = at;
      // An element may stand further on, after others that are gone; a text stands here or is new.
      while (found && !alike(found, child))
        found = child.nodeType === Node.ELEMENT_NODE ? found.nextSibling : null;
      if (!found) {
        old.insertBefore(document.importNode(child, true), at);
        continue;
      }
      while (at !== found) drop();
      if (child.nodeType === Node.ELEMENT_NODE) whole = become(found, child, spares) && whole;
      else if (found.data !== child.data) found.data = child.data;
      at = found.nextSibling;
    }
    while (at) drop();
    return whole;
  }

  // Does something to the page without letting what is looked at move, where the browser does not see to that.
  function steadily(change) {
    const anchor =
      !CSS.supports("overflow-anchor", "auto") &&
      document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    const stood = anchor && anchor.getBoundingClientRect().top;
    change();
    if (anchor && anchor.isConnected) scrollBy(0, anchor.getBoundingClientRect().top - stood);
  }

  return { become, fill, fields, typed, steadily };
})();
