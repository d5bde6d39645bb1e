// Says which form waits on this device to be sent, with a link to its page, which alone can send it,
// and a button that forgets it.
//
// The notice is on the page, hidden. `data-waiting` is the beginning of the paths that it is about.

import { find, findRequired } from "./dom.js";
import { FORM_ENTRIES, HAND_ENTRIES, removeEntry, storedEntries } from "./outbox.js";

const notice = find(document, "#waiting", HTMLElement);
if (notice) followEntries(notice);

/** @param {HTMLElement} notice */
function followEntries(notice) {
  const update = () => showFirst(notice);
  findRequired(notice, "button", HTMLButtonElement).addEventListener("click", () => {
    const entry = firstReported(notice);
    if (entry) removeEntry(entry.name);
    update();
  });
  update();
  addEventListener("storage", update); // another page of this device sent or stored something
  addEventListener("pageshow", update);
}

/** @param {HTMLElement} notice */
function firstReported(notice) {
  const path = notice.dataset.waiting ?? "";
  const entries = [
    ...storedEntries(`${HAND_ENTRIES}${path}`),
    ...storedEntries(`${FORM_ENTRIES}${path}`),
  ];
  return entries.find((entry) => entry.isReported);
}

/** @param {HTMLElement} notice */
function showFirst(notice) {
  const entry = firstReported(notice);
  notice.hidden = !entry;
  notice.classList.toggle("notice", Boolean(entry));
  if (!entry) return;
  const { hand = "", handOpen = "", form = "", formOpen = "" } = notice.dataset;
  const isHand = entry.name.startsWith(HAND_ENTRIES);
  const [, path] = entry.name.split(":");
  const link = findRequired(notice, "a", HTMLAnchorElement);
  const message = findRequired(notice, "span", HTMLElement);
  message.textContent = isHand ? hand : form;
  link.textContent = isHand ? handOpen : formOpen;
  link.href = path;
}
