// On every page of a pad that is alone in a browser: files are saved or shared by this script, since
// a download does not reach a service worker. It remembers which matches are in a file, and shows
// the reminders for those that are not.

import { saveFile } from "./picture.js";

/** Where the browser stores when each match was saved as a file; `*` stands for all matches. */
const SAVED = "scorepad-in-file";

/** What marks a link to a file. */
const FILE_LINKS = "a[download]";

// ---------------------------------------------------------------- what is in a file

/**
 * When each match was saved, as dates in ISO format by its id.
 *
 * @returns {Record<string, string>}
 */
function readSaved() {
  try {
    return JSON.parse(localStorage.getItem(SAVED) ?? "{}");
  } catch {
    return {}; // the browser denies its storage
  }
}

/** @param {string} match */
function rememberSaved(match) {
  const saved = { ...readSaved(), [match]: new Date().toISOString() };
  try {
    localStorage.setItem(SAVED, JSON.stringify(saved));
  } catch {
    // The browser denies its storage: the reminder comes again.
  }
}

/** Shows the reminders of matches that are in no file, or have changed since. */
function showReminders() {
  const saved = readSaved();
  for (const reminder of document.querySelectorAll("[data-unsaved]")) {
    const { unsaved = "", changed = "" } = /** @type {HTMLElement} */ (reminder).dataset;
    const changedAt = Date.parse(changed);
    const isSaved = [saved[unsaved], saved["*"]].some((time) => Date.parse(time) >= changedAt);
    /** @type {HTMLElement} */ (reminder).hidden = isSaved;
  }
}

// ---------------------------------------------------------------- files

/**
 * The name that an answer gives its file.
 *
 * @param {Response} answer
 */
function fileName(answer) {
  const disposition = answer.headers.get("Content-Disposition") ?? "";
  return disposition.match(/filename="?([^";]+)"?/)?.[1] ?? "scorepad";
}

/**
 * Hands a file to the phone's own way of sharing, or saves it. Returns whether that was done.
 *
 * @param {File} file
 * @returns {Promise<boolean>}
 */
async function shareOrSave(file) {
  const isPhone = matchMedia("(pointer: coarse)").matches;
  if (!isPhone || !navigator.canShare?.({ files: [file] })) {
    saveFile(file);
    return true;
  }
  try {
    await navigator.share({ files: [file] });
    return true;
  } catch {
    return false; // closed without a choice
  }
}

/** @param {HTMLAnchorElement} link */
async function saveLinkedFile(link) {
  const answer = await fetch(link.href, { credentials: "same-origin" });
  if (!answer.ok) {
    location.assign(link.href); // the page says why there is no file
    return;
  }
  const content = await answer.blob();
  const isDone = await shareOrSave(new File([content], fileName(answer), { type: content.type }));
  const { match } = link.dataset;
  if (isDone && match) {
    rememberSaved(match);
    showReminders();
  }
}

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest(FILE_LINKS));
  if (!link || event.defaultPrevented) return;
  event.preventDefault();
  saveLinkedFile(link);
});

showReminders();
