// Lists of cards as text: `4xK 2x2 JK` is four kings, two twos and a joker.

/**
 * The parts of a list: all before its last word, and of that word how many cards (`4` in `4xK`;
 * nothing for a single card) and which (`K`).
 */
const LAST_WORD = /^([\s\S]*\s)?(?:([0-9]{1,2})[xX])?(\S+)\s*$/;

/**
 * A list with one card more: `4xK` and a king are `5xK`, `4xK` and a queen are `4xK Q`.
 *
 * @param {string} list
 * @param {string} card
 * @returns {string}
 */
export function addCard(list, card) {
  const [, before = "", count = "1", lastCard = ""] = LAST_WORD.exec(list) ?? [];
  const isSameCard = lastCard.toUpperCase() === card.toUpperCase();
  if (isSameCard) return `${before}${Number(count) + 1}x${card}`;
  return `${list.trimEnd()} ${card}`.trimStart();
}

/**
 * A list without its last card: `4xK` becomes `3xK`, `4xK Q` becomes `4xK`.
 *
 * @param {string} list
 * @returns {string}
 */
export function removeLastCard(list) {
  const match = LAST_WORD.exec(list);
  if (!match) return ""; // the list is empty
  const [, before = "", count = "1", lastCard] = match;
  const remaining = Number(count) - 1;
  if (remaining > 1) return `${before}${remaining}x${lastCard}`;
  if (remaining === 1) return `${before}${lastCard}`;
  return before.trimEnd();
}
