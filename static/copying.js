// Copies a text of the page. Browsers have a clipboard for scripts on https only. On the plain http
// of a home network the text is selected and the browser told to copy the selection; where that
// fails too, the text stays selected and can be copied by hand.

/**
 * Copies a text, and returns whether that worked. `select` selects the text on the page.
 *
 * @param {string} text
 * @param {() => void} select
 * @returns {Promise<boolean>}
 */
export async function copyText(text, select) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    select();
    return document.execCommand("copy");
  }
}
