// Lists of cards as text: `4xK 2x2 JK` is four kings, two twos and a joker.

/** What stands before the last kind of card, how many of it there are (`4x`), and the kind. */
const LAST_KIND = /^([\s\S]*\s)?(?:([0-9]{1,2})[xX])?(\S+)\s*$/;

/**
 * A list with one card more: `4xK` and a king are `5xK`, `4xK` and a queen are `4xK Q`.
 *
 * @param {string} list
 * @param {string} card
 * @returns {string}
 */
export function addCard(list, card) {
  const [, before = "", count = "1", lastCard] = LAST_KIND.exec(list) ?? [];
  if (lastCard?.toUpperCase() === card.toUpperCase()) {
    return `${before}${Number(count) + 1}x${card}`;
  }
  return `${list.trimEnd()} ${card}`.trimStart();
}

/**
 * A list without its last card: `4xK` becomes `3xK`, `4xK Q` becomes `4xK`.
 *
 * @param {string} list
 * @returns {string}
 */
export function removeLastCard(list) {
  const [, before = "", count = "1", lastCard] = LAST_KIND.exec(list) ?? [];
  if (lastCard === undefined) return "";
  const left = Number(count) - 1;
  if (left > 1) return `${before}${left}x${lastCard}`;
  if (left === 1) return `${before}${lastCard}`;
  return before.trimEnd();
}
