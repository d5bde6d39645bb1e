// Files that the pages offer: a download does not pass the service worker, so the shell fetches the
// file itself, and hands it to the share sheet of a phone or saves it.

/** What marks a link to a file. */
const FILE_LINKS = "a[download], a[data-file]";

/**
 * Saves what the links of a page lead to.
 *
 * @param {Document} page
 */
export function handleFileLinks(page) {
  page.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const link = /** @type {HTMLAnchorElement | null} */ (target.closest(FILE_LINKS));
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    saveFile(link.href);
  });
}

/** @param {string} url */
async function saveFile(url) {
  const response = await fetch(url);
  if (!response.ok) return;
  const content = await response.blob();
  const name = findName(response) ?? new URL(url).pathname.split("/").pop() ?? "scorepad";
  const file = new File([content], name, { type: content.type });
  const isPhone = matchMedia("(pointer: coarse)").matches;
  if (isPhone && navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => {}); // closed without a choice
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
}

/**
 * The name that a response gives its file.
 *
 * @param {Response} response
 */
function findName(response) {
  const disposition = response.headers.get("Content-Disposition") ?? "";
  return disposition.match(/filename="?([^";]+)"?/)?.[1];
}
