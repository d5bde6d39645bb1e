// The forms of a new match and of its rules: names and rules are shown as they are typed and
// chosen, and players are seated and drawn without leaving the page.

import { closestTo, find, parsePage } from "./dom.js";
import { addHiddenField, valuesOf, withValue } from "./form-fields.js";
import { updateElement } from "./page-update.js";
import { nameDealers, nameStartButton } from "./setup-names.js";
import { showChosenRules } from "./setup-rules.js";

/** Names of the buttons by which the server changes the form: it seats players, or draws seats. */
const SEATING_BUTTONS = ["player", "pair", "draw"];

const form = find(document, "form:has(.rules)", HTMLFormElement);
if (form) followForm(form);

/**
 * Lets the page follow what is typed and chosen in the form.
 *
 * @param {HTMLFormElement} form
 */
function followForm(form) {
  form.addEventListener("input", (event) => {
    const { target } = event;
    if (!(target instanceof HTMLInputElement)) return;
    const isNameOfSide = target.name.startsWith("name-");
    const isName = /^(name|player)-/.test(target.name); // of a side or a player
    if (isName) nameDealers(form);
    if (isNameOfSide) nameStartButton(form);
    if (closestTo(event, ".rules")) showChosenRules(form);
  });
  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!(button instanceof HTMLButtonElement)) return;
    if (!SEATING_BUTTONS.includes(button.name)) return;
    event.preventDefault();
    changeOnServer(form, button).catch(() => submitAsPage(form, button));
  });
  nameStartButton(form);
}

/**
 * Sends the form by one of its buttons, and shows in it what differs in the answer. Throws if
 * nobody answers, or if something is wrong.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 */
async function changeOnServer(form, button) {
  const values = withValue(valuesOf(form), button.name, button.value);
  const body = new URLSearchParams(values);
  const answer = await fetch(button.formAction, { method: "POST", body });
  const page = parsePage(await answer.text());
  const freshForm = find(page, "form.setup", HTMLFormElement);
  if (!answer.ok || !freshForm) throw new Error(`The server answered ${answer.status}.`);
  updateElement(form, freshForm);
  nameStartButton(form);
}

/**
 * Sends the form by one of its buttons as a browser without script does: the answer is the next
 * page, which says what is wrong.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 */
function submitAsPage(form, button) {
  const field = addHiddenField(form, button.name, button.value);
  form.submit();
  field.remove(); // going back to this page must not press the button again
}
