// Lines of cards in notation: `4xK 2x2 JK`.

window.cards = (() => {
  const LAST = /^([\s\S]*\s)?(?:([0-9]{1,2})x)?(\S+)\s*$/i;

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
    return (
      (last[1] || "") + (left > 1 ? `${left}x${last[3]}` : left === 1 ? last[3] : "")
    ).trimEnd();
  }

  return { grow, shrink };
})();
