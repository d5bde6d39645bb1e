// Says which form waits on this device to be sent, with a link to its page, which alone can send it,
// and a button that forgets it. What waits is in the outbox (outbox.js).
//
// The notice is on the page, hidden. `data-waiting` is the beginning of the paths that it is about.

import { find, findRequired } from "./dom.js";
import { FORM_ENTRIES, HAND_ENTRIES, removeEntry, storedEntries } from "./outbox.js";

/** @import { StoredEntry } from "./outbox.js" */

const notice = find(document, "#waiting", HTMLElement);
if (notice) followEntries(notice);

/**
 * Shows in the notice what waits, now and when that changes.
 *
 * @param {HTMLElement} notice
 */
function followEntries(notice) {
  const update = () => showFirstEntry(notice);
  const forgetButton = findRequired(notice, "button", HTMLButtonElement);
  forgetButton.addEventListener("click", () => {
    const entry = firstReportedEntry(notice);
    if (entry) removeEntry(entry.name);
    update();
  });
  update();
  addEventListener("storage", update); // another page of this device sent or stored something
  addEventListener("pageshow", update);
}

/**
 * The first entry of the outbox that the notice is about: hands, then other forms.
 *
 * @param {HTMLElement} notice
 * @returns {StoredEntry | undefined}
 */
function firstReportedEntry(notice) {
  const path = notice.dataset.waiting ?? "";
  const hands = storedEntries(`${HAND_ENTRIES}${path}`);
  const forms = storedEntries(`${FORM_ENTRIES}${path}`);
  const entries = [...hands, ...forms];
  return entries.find((entry) => entry.isReported);
}

/**
 * Shows the first entry in the notice; hides the notice where nothing waits.
 *
 * @param {HTMLElement} notice
 */
function showFirstEntry(notice) {
  const entry = firstReportedEntry(notice);
  notice.hidden = !entry;
  notice.classList.toggle("notice", Boolean(entry));
  if (entry) describeEntry(notice, entry);
}

/**
 * Says in the notice what waits, and links to the page of the form.
 *
 * @param {HTMLElement} notice
 * @param {StoredEntry} entry
 */
function describeEntry(notice, entry) {
  const { hand = "", handOpen = "", form = "", formOpen = "" } = notice.dataset;
  const isHand = entry.name.startsWith(HAND_ENTRIES);
  const message = findRequired(notice, "span", HTMLElement);
  message.textContent = isHand ? hand : form;

  const link = findRequired(notice, "a", HTMLAnchorElement);
  const [, path] = entry.name.split(":"); // it follows the first colon
  link.textContent = isHand ? handOpen : formOpen;
  link.href = path;
}
