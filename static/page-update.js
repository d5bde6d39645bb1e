// Makes a part of the page what it is on a fresh page, by the library idiomorph. Only what differs
// is touched: what is focused, scrolled to or unfolded by hand stays so.

import { isTapped } from "./folds.js";
import { Idiomorph } from "./vendor/idiomorph.js";

/**
 * @typedef {object} UpdateOptions
 * @property {(element: Element, fresh: Element | null) => boolean} [isKept] Whether an element
 *   stays as it is. `fresh` is what it would become; null where the fresh page has none.
 * @property {(element: Element, fresh: Element | null) => void} [handleKept] Called for each element
 *   that stays as it is.
 * @property {string[]} [ownAttributes] Attributes that scripts of this page set.
 */

/**
 * Makes an element what it is on a fresh page.
 *
 * @param {Element} element
 * @param {Element} fresh
 * @param {UpdateOptions} [options]
 */
export function updateElement(element, fresh, options = {}) {
  Idiomorph.morph(element, fresh, { morphStyle: "outerHTML", callbacks: callbacksFor(options) });
}

/**
 * Makes the content of an element what it is on a fresh page; its attributes stay.
 *
 * @param {Element} element
 * @param {Element} fresh
 * @param {UpdateOptions} [options]
 */
export function updateContent(element, fresh, options = {}) {
  const content = [...fresh.childNodes];
  Idiomorph.morph(element, content, { morphStyle: "innerHTML", callbacks: callbacksFor(options) });
}

/**
 * What idiomorph asks before it changes something; the answer false prevents it.
 *
 * @param {UpdateOptions} options
 */
function callbacksFor({ isKept = () => false, handleKept = () => {}, ownAttributes = [] }) {
  /**
   * @param {Element} element
   * @param {Element | null} fresh
   */
  function mayChange(element, fresh) {
    if (!isKept(element, fresh)) return true;
    handleKept(element, fresh);
    return false;
  }

  return {
    /** @param {Node} node @param {Node} fresh */
    beforeNodeMorphed(node, fresh) {
      if (!(node instanceof Element) || !(fresh instanceof Element)) return true;
      return mayChange(node, fresh);
    },
    /** @param {Node} node */
    beforeNodeRemoved(node) {
      if (!(node instanceof Element)) return true;
      return mayChange(node, null);
    },
    /** @param {string} name @param {Element} element */
    beforeAttributeUpdated(name, element) {
      const isOpenedByHand = name === "open" && isTapped(element);
      if (isOpenedByHand) return false;
      return !ownAttributes.includes(name);
    },
  };
}

/**
 * Changes the page without moving what is looked at: what is in the middle of the window stays
 * there. Most browsers see to that by themselves.
 *
 * @param {() => void} change
 */
export function keepScrollPosition(change) {
  const isDoneByBrowser = CSS.supports("overflow-anchor", "auto");
  const center = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  if (isDoneByBrowser || !center) {
    change();
    return;
  }
  const topBefore = center.getBoundingClientRect().top;
  change();
  if (!center.isConnected) return; // the change has removed it
  const topAfter = center.getBoundingClientRect().top;
  scrollBy(0, topAfter - topBefore);
}
