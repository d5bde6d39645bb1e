// Shows on an open page what a fresh copy of the page says: in the parts that may change, which have
// the attribute `data-live-part`. live.js fetches the fresh page.
//
// A form that somebody is filling in stays as it is; it is brought up to date when it is left.

import { closestTo, elementById, find, findAll } from "./dom.js";
import { isInUse } from "./form-fields.js";
import { keepScrollPosition, updateElement } from "./page-update.js";

/** How long the buttons of a form do nothing after its text has changed, in milliseconds. */
const READING_TIME = 700;

/** Hidden fields that differ on each page, and say nothing about what the form asks for. */
const SUBMISSION_FIELDS = ["request_id", "csrf_token"];

const main = elementById("content", HTMLElement);
const announcement = elementById("live-announcement", HTMLElement); // screen readers read it aloud

/** @type {WeakMap<HTMLFormElement, number>} The time at which the text of a form last changed. */
const changeTimes = new WeakMap();

/** @type {Document | null} A fresh page of which a part could not be shown yet. */
let unfinishedPage = null;

// ---------------------------------------------------------------- showing a fresh page

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
  const textsBefore = textsOfForms();
  unfinishedPage = null;
  keepScrollPosition(() => updateParts(page));
  rememberChanges(textsBefore);
  showTitle(page.title);
  announce(freshMain.dataset.liveAnnouncement ?? "");
}

/**
 * Brings each part up to date. Remembers the page if an element had to stay as it is, so that the
 * rest can be shown later.
 *
 * @param {Document} page
 */
function updateParts(page) {
  /**
   * @param {Element} element
   * @param {Element | null} freshElement
   */
  function handleKept(element, freshElement) {
    if (!hasSameText(element, freshElement)) unfinishedPage = page;
  }

  for (const freshPart of findAll(page, "[data-live-part]", HTMLElement)) {
    const part = document.getElementById(freshPart.id);
    if (part) updateElement(part, freshPart, { isKept: mustStay, handleKept });
  }
}

/**
 * Whether an element must stay because somebody is typing in it. It may be a form, or something that
 * the fresh page no longer has.
 *
 * @param {Element} element
 * @param {Element | null} freshElement The same on the fresh page; null if it is not there.
 * @returns {boolean}
 */
function mustStay(element, freshElement) {
  const isForm = element instanceof HTMLFormElement;
  const isGone = freshElement === null;
  if (!isForm && !isGone) return false; // what is inside is looked at by itself
  return isInUse(element);
}

/**
 * Shows the title of a fresh page, unless the title of this one says that there are errors.
 *
 * @param {string} title
 */
function showTitle(title) {
  const hasErrors = document.querySelector(".errors") !== null;
  if (!hasErrors) document.title = title;
}

/**
 * Lets screen readers say a text, but not the same one twice.
 *
 * @param {string} text
 */
function announce(text) {
  if (main.dataset.liveAnnouncement === text) return;
  main.dataset.liveAnnouncement = text;
  announcement.textContent = text;
}

// ---------------------------------------------------------------- the texts of forms

/**
 * The forms in the parts that may change.
 *
 * @returns {HTMLFormElement[]}
 */
function liveForms() {
  return findAll(main, "[data-live-part] form, form[data-live-part]", HTMLFormElement);
}

/**
 * What each of these forms says now.
 *
 * @returns {Map<HTMLFormElement, string>}
 */
function textsOfForms() {
  const texts = new Map();
  for (const form of liveForms()) texts.set(form, formText(form));
  return texts;
}

/**
 * Remembers that the forms changed just now whose text was another one before, or that are new.
 *
 * @param {Map<HTMLFormElement, string>} textsBefore
 */
function rememberChanges(textsBefore) {
  for (const form of liveForms()) {
    const isChanged = textsBefore.get(form) !== formText(form);
    if (isChanged) changeTimes.set(form, Date.now());
  }
}

/**
 * What a form says, and what its hidden fields ask for: "Count hand 5 … 5".
 *
 * @param {Element} form
 * @returns {string}
 */
function formText(form) {
  const hiddenFields = findAll(form, "input[type=hidden]", HTMLInputElement);
  const values = [];
  for (const field of hiddenFields) {
    if (!SUBMISSION_FIELDS.includes(field.name)) values.push(field.value);
  }
  return form.textContent + values.join("|");
}

/**
 * Whether an element says the same as on the fresh page.
 *
 * @param {Element} element
 * @param {Element | null} freshElement
 * @returns {boolean}
 */
function hasSameText(element, freshElement) {
  if (freshElement === null) return false;
  return formText(element) === formText(freshElement);
}

// ---------------------------------------------------------------- clicks just after a change

// Somebody who clicks a button just after its form has changed meant what it said before.
main.addEventListener(
  "click",
  (event) => {
    const button = closestTo(event, "button");
    if (!(button instanceof HTMLButtonElement) || !button.form) return;
    if (hasJustChanged(button.form)) event.preventDefault();
  },
  true, // before other listeners
);

/**
 * @param {HTMLFormElement} form
 * @returns {boolean}
 */
function hasJustChanged(form) {
  const changeTime = changeTimes.get(form);
  if (changeTime === undefined) return false;
  return Date.now() - changeTime < READING_TIME;
}
