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
  const withoutSign = complete.replace(/^[-−]/, "");
  const sum = evaluateSum(withoutSign);
  if (!Number.isFinite(sum)) return 0;
  return isNegative ? -sum : sum;
}

/**
 * What a sum of products comes to: 230 for `3x50+4x20`. NaN where there is anything but figures.
 *
 * @param {string} text
 * @returns {number}
 */
function evaluateSum(text) {
  let sum = 0;
  for (const term of text.split("+")) sum += evaluateProduct(term);
  return sum;
}

/**
 * What a product comes to: 150 for `3x50`, 85 for `85`. NaN where there is anything but figures.
 *
 * @param {string} text
 * @returns {number}
 */
function evaluateProduct(text) {
  let product = 1;
  for (const factor of text.split(/[x×*]/i)) product *= Number(factor);
  return product;
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
