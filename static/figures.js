// Figures as people type and read them.

/**
 * What a text comes to: a figure, sums and products (`120+85`, `3x50+4x20`). A text that is none of
 * these counts as nought.
 *
 * @param {string} text
 * @returns {number}
 */
export function evaluate(text) {
  const withoutGrouping = text.replace(/[\s.,']/g, "");
  const complete = withoutGrouping.replace(/[+x×*]$/i, ""); // the next figure is not yet typed
  const isNegative = /^[-−]/.test(complete);
  const terms = complete.replace(/^[-−]/, "").split("+");
  const sum = terms.reduce((total, term) => total + evaluateProduct(term), 0);
  if (!Number.isFinite(sum)) return 0;
  return isNegative ? -sum : sum;
}

/**
 * @param {string} term
 * @returns {number}
 */
function evaluateProduct(term) {
  const factors = term.split(/[x×*]/i).map(Number);
  return factors.reduce((product, factor) => product * factor, 1);
}

const format = new Intl.NumberFormat(document.documentElement.lang, { useGrouping: "always" });

/**
 * A figure in the language of the page: `1.500`, `−20`.
 *
 * @param {number} number
 * @returns {string}
 */
export function formatFigure(number) {
  return format.format(number).replace("-", "−");
}

/**
 * A figure with its sign: `+1.500`.
 *
 * @param {number} number
 * @returns {string}
 */
export function formatSigned(number) {
  const sign = number > 0 ? "+" : "";
  return sign + formatFigure(number);
}
