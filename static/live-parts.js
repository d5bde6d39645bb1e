// Shows on an open page what a fresh one says: in the parts that may change (`data-live-part`).

import { closestTo, elementById, find, findAll } from "./dom.js";
import { isInUse } from "./form-fields.js";
import { keepScrollPosition, updateElement } from "./page-update.js";

/** How long the buttons of a form do nothing after its text has changed, in milliseconds. */
const READING_TIME = 700;

/** Fields that name a submission, and nothing that the form is about. */
const SUBMISSION_FIELDS = ["request_id", "csrf_token"];

const main = elementById("content", HTMLElement);
const announcement = elementById("live-announcement", HTMLElement);

/** @type {WeakMap<HTMLFormElement, number>} When the text of a form has changed. */
const changeTimes = new WeakMap();

/** @type {Document | null} A fresh page of which something could not be shown yet. */
let unfinishedPage = null;

/** Shows what could not be shown because a form was in use, as far as that is possible now. */
export function showHeldBack() {
  if (unfinishedPage) showPage(unfinishedPage);
}

/**
 * Shows the parts of a fresh page. Forms in use stay as they are.
 *
 * @param {Document} page
 */
export function showPage(page) {
  const freshMain = find(page, "main[data-live-state]", HTMLElement);
  if (!freshMain) return;
  const textsBefore = new Map(liveForms().map((form) => [form, formText(form)]));
  unfinishedPage = null;
  keepScrollPosition(() => updateParts(page));
  for (const form of liveForms()) {
    if (textsBefore.get(form) !== formText(form)) changeTimes.set(form, Date.now());
  }
  if (!document.querySelector(".errors")) document.title = page.title;
  announce(freshMain.dataset.liveAnnouncement ?? "");
}

/** @param {Document} page */
function updateParts(page) {
  /**
   * Forms in use are kept, and elements with a field in use that the fresh page does not have.
   *
   * @param {Element} element
   * @param {Element | null} fresh
   */
  function isKept(element, fresh) {
    if (fresh && !(element instanceof HTMLFormElement)) return false;
    if (!isInUse(element)) return false;
    const isShownAlready = fresh !== null && formText(element) === formText(fresh);
    if (!isShownAlready) unfinishedPage = page;
    return true;
  }

  for (const freshPart of findAll(page, "[data-live-part]", HTMLElement)) {
    const part = document.getElementById(freshPart.id);
    if (part) updateElement(part, freshPart, { isKept });
  }
}

/** @param {string} text */
function announce(text) {
  if (main.dataset.liveAnnouncement === text) return;
  main.dataset.liveAnnouncement = text;
  announcement.textContent = text;
}

/** @returns {HTMLFormElement[]} */
function liveForms() {
  return findAll(main, "[data-live-part] form, form[data-live-part]", HTMLFormElement);
}

/**
 * What a form says and what its hidden fields ask for.
 *
 * @param {Element} form
 * @returns {string}
 */
function formText(form) {
  const hidden = findAll(form, "input[type=hidden]", HTMLInputElement);
  const asking = hidden.filter((field) => !SUBMISSION_FIELDS.includes(field.name));
  return form.textContent + asking.map((field) => field.value).join("|");
}

// A click just after a change was meant for what the button said before.
main.addEventListener(
  "click",
  (event) => {
    const button = closestTo(event, "button");
    if (!(button instanceof HTMLButtonElement) || !button.form) return;
    const changeTime = changeTimes.get(button.form);
    if (changeTime !== undefined && Date.now() - changeTime < READING_TIME) event.preventDefault();
  },
  true,
);
